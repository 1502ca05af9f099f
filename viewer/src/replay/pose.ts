// Where every body is at a time: between two frames places are interpolated, and rotations along the shorter way.
import { Quaternion, Vector3 } from "three";
import type { Anchor, Replay } from "./data";

export class Pose {
  readonly position: Float32Array; // [body, 3]
  readonly quaternion: Float32Array; // [body, 4], w x y z, of length one
  readonly present: Uint8Array;
  frame = 0; // at or before the time
  share = 0; // of the way to the next frame
  nearest = 0; // frame

  constructor(private readonly replay: Replay) {
    const bodies = replay.bodies.names.length;
    this.position = new Float32Array(3 * bodies);
    this.quaternion = new Float32Array(4 * bodies);
    this.present = new Uint8Array(bodies);
  }

  set(time: number): void {
    this.find(time);
    const { replay, frame, share } = this;
    const bodies = this.present.length;
    const next = Math.min(frame + 1, replay.frames - 1);
    const from = 3 * bodies * frame;
    const to = 3 * bodies * next;
    for (let i = 0; i < 3 * bodies; ++i) {
      const start = replay.position[from + i]!;
      this.position[i] = start + share * (replay.position[to + i]! - start);
    }
    for (let body = 0; body < bodies; ++body) this.turn(body, 4 * (bodies * frame + body), 4 * (bodies * next + body));
    const { appears, disappears } = replay.bodies;
    for (let body = 0; body < bodies; ++body) {
      const there = (appears[body] ?? 0) <= time && time < (disappears[body] ?? Infinity);
      this.present[body] = there ? 1 : 0;
    }
  }

  private find(time: number): void {
    const times = this.replay.time;
    let low = 0;
    let high = times.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (times[middle]! <= time) low = middle;
      else high = middle - 1;
    }
    const span = (times[low + 1] ?? times[low]!) - times[low]!;
    this.frame = low;
    this.share = span > 0 ? Math.min(Math.max((time - times[low]!) / span, 0), 1) : 0;
    this.nearest = Math.min(this.share < 0.5 ? low : low + 1, times.length - 1);
  }

  private turn(body: number, from: number, to: number): void {
    const q = this.replay.quaternion;
    let along = 0;
    for (let k = 0; k < 4; ++k) along += q[from + k]! * q[to + k]!;
    const sign = along < 0 ? -1 : 1;
    let square = 0;
    for (let k = 0; k < 4; ++k) {
      const value = q[from + k]! * (1 - this.share) + sign * q[to + k]! * this.share;
      this.quaternion[4 * body + k] = value;
      square += value * value;
    }
    const scale = square > 0 ? 1 / Math.sqrt(square) : 0;
    for (let k = 0; k < 4; ++k) this.quaternion[4 * body + k]! *= scale;
  }

  bodyPosition(body: number, target: Vector3): Vector3 {
    return target.fromArray(this.position, 3 * body);
  }
  bodyRotation(body: number, target: Quaternion): Quaternion {
    const q = this.quaternion;
    return target.set(q[4 * body + 1]!, q[4 * body + 2]!, q[4 * body + 3]!, q[4 * body]!);
  }
  // The place of a point that a body carries.
  place(anchor: Anchor, target: Vector3): Vector3 {
    target.fromArray(anchor.point);
    if (anchor.body < 0) return target;
    return target.applyQuaternion(this.bodyRotation(anchor.body, rotation)).add(this.bodyPosition(anchor.body, origin));
  }
}

const rotation = new Quaternion();
const origin = new Vector3();
