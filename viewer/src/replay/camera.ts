// The eye: views from fixed sides, turned and moved with the mouse, and following a body. Planar scenes are seen without
// perspective.
import { OrthographicCamera, PerspectiveCamera, Vector3 } from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import type { Replay } from "./data";

export type View = "front" | "side" | "top" | "iso";
const fieldOfView = 35; // degrees

export class Eye {
  readonly camera: PerspectiveCamera | OrthographicCamera;
  readonly controls: OrbitControls;
  private readonly up: Vector3;
  private readonly sides: Record<View, Vector3>;
  private readonly box: Vector3[]; // corners
  private view: View;
  private aspect = 1;
  private direction = new Vector3(); // of the last view of the whole scene
  private moved = false; // since then, by hand or with a body

  constructor(replay: Replay, element: HTMLElement) {
    this.camera = replay.planar ? new OrthographicCamera() : new PerspectiveCamera(fieldOfView);
    this.up = new Vector3().fromArray(replay.up).normalize();
    const y = new Vector3(0, 1, 0);
    const near = (axis: Vector3) => Math.abs(this.up.dot(axis));
    // One looks at a planar scene along z; else along y where z is up, and along z where y is up.
    const away = replay.planar || near(y) > 0.7 ? new Vector3(0, 0, 1) : new Vector3(0, -1, 0);
    const upright = replay.planar ? y : this.up;
    const front = away.addScaledVector(upright, -away.dot(upright)).normalize();
    const side = new Vector3().crossVectors(upright, front).normalize();
    this.up = upright.clone();
    const iso = front.clone().addScaledVector(side, 0.85).addScaledVector(upright, 0.6).normalize();
    this.sides = { front, side, top: upright.clone(), iso };
    this.view = replay.planar ? "front" : "iso";
    this.box = [0, 1, 2, 3, 4, 5, 6, 7].map((bits) => {
      const end = (k: 0 | 1 | 2) => (bits & (1 << k) ? replay.high : replay.low)[k];
      return new Vector3(end(0), end(1), end(2));
    });
    this.controls = new OrbitControls(this.camera, element);
    this.controls.enableDamping = false;
    this.controls.zoomToCursor = true;
    let byHand = false; // a click alone moves nothing
    this.controls.addEventListener("start", () => (byHand = true));
    this.controls.addEventListener("end", () => (byHand = false));
    this.controls.addEventListener("change", () => (this.moved ||= byHand));
    this.show(this.view);
  }

  // Whoever has moved the eye keeps the picture; before that the whole scene stays in it.
  resize(width: number, height: number): void {
    this.aspect = width / Math.max(1, height);
    if (this.camera instanceof PerspectiveCamera) {
      this.camera.aspect = this.aspect;
    } else {
      this.camera.left = -this.aspect;
      this.camera.right = this.aspect;
      this.camera.top = 1;
      this.camera.bottom = -1;
    }
    this.camera.updateProjectionMatrix();
    if (!this.moved) this.lookAlong(this.direction);
  }

  // From a side, at such a distance that the whole scene is in the picture.
  show(view: View): void {
    this.view = view;
    this.lookAlong(this.sides[view].clone());
  }

  // The same direction as now, the whole scene.
  fit(): void {
    this.lookAlong(this.camera.position.clone().sub(this.controls.target).normalize());
  }

  // How far the eye is from what it looks at.
  get distance(): number {
    return this.camera.position.distanceTo(this.controls.target);
  }

  // Everything moves on with a body.
  shift(by: Vector3): void {
    this.moved = true;
    this.camera.position.add(by);
    this.controls.target.add(by);
    this.controls.update();
  }

  private lookAlong(direction: Vector3): void {
    this.direction = direction;
    this.moved = false;
    // Where one looks along the upright, the picture's own upright is another.
    const isVertical = Math.abs(direction.dot(this.up)) > 0.99;
    const up = isVertical ? this.sides.front.clone().negate() : this.up;
    const right = new Vector3().crossVectors(up, direction).normalize();
    const over = new Vector3().crossVectors(direction, right);
    const margin = 1.1;
    const tangent = Math.tan((fieldOfView / 2) * (Math.PI / 180)) / margin;
    let size = 0.05; // half the height of the picture
    let distance = 0.05; // at which every corner is in the picture
    for (const corner of this.box) {
      const height = Math.max(Math.abs(corner.dot(over)), Math.abs(corner.dot(right)) / this.aspect);
      size = Math.max(size, margin * height);
      distance = Math.max(distance, height / tangent + corner.dot(direction));
    }
    if (this.camera instanceof PerspectiveCamera) {
      this.camera.near = distance / 200;
      this.camera.far = distance * 20;
    } else {
      distance = 20;
      this.camera.zoom = 1 / size;
      this.camera.near = 0.01;
      this.camera.far = 60;
    }
    this.controls.target.set(0, 0, 0);
    this.camera.up.copy(this.up);
    this.camera.position.copy(direction).multiplyScalar(distance);
    // Exactly along the upright the picture could be turned in any way: a hair beside it, it is not.
    if (isVertical) this.camera.position.addScaledVector(this.sides.front, 1e-3 * distance);
    this.camera.updateProjectionMatrix();
    this.controls.update();
  }
}
