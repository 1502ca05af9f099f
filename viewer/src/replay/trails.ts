// The paths of the origins of bodies, up to the time.
import { BufferAttribute, BufferGeometry, Group, Line, LineBasicMaterial } from "three";
import { bodyColours } from "./bodies";
import type { Replay } from "./data";
import type { Layer } from "./stage";

export const manyTrails = 60; // with more bodies only the path of the one that is followed is drawn

export interface Trails extends Layer {
  follow(body: number): void; // -1: none
}

function trail(replay: Replay, body: number): Line {
  const bodies = replay.bodies.names.length;
  const points = new Float32Array(3 * replay.frames);
  for (let frame = 0; frame < replay.frames; ++frame) {
    const at = 3 * (bodies * frame + body);
    points.set(replay.position.subarray(at, at + 3), 3 * frame);
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(points, 3));
  const colour = bodyColours(replay.bodies.names)[body]!.multiplyScalar(0.3);
  // Seen through bodies: a path often runs inside of them.
  const material = new LineBasicMaterial({ fog: false, color: colour, transparent: true, depthTest: false });
  const line = new Line(geometry, material);
  line.frustumCulled = false;
  line.renderOrder = 1;
  return line;
}

export function trailsLayer(replay: Replay): Trails {
  const bodies = replay.bodies.names.length;
  const group = new Group();
  const lines = new Map<number, Line>();
  let followed = -1;
  const shown = (body: number) => bodies <= manyTrails || body === followed;
  return {
    objects: [group],
    follow: (body) => {
      followed = body;
    },
    update: (pose) => {
      for (let body = 0; body < bodies; ++body) {
        if (!shown(body)) {
          const old = lines.get(body);
          if (old) old.visible = false;
          continue;
        }
        let line = lines.get(body);
        if (!line) {
          line = trail(replay, body);
          lines.set(body, line);
          group.add(line);
        }
        line.visible = true;
        line.geometry.setDrawRange(0, pose.frame + 1);
      }
    },
  };
}
