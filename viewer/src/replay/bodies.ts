// Bodies: their parts, one set of instances for each geometry. Bodies without a shape are small balls.
import { Color, MeshLambertMaterial, Quaternion, Vector3 } from "three";
import type { MakeCopies } from "./copies";
import type { Replay } from "./data";
import type { Pose } from "./pose";
import type { Quality } from "./quality";
import { type Form, formOf, pointGeometry } from "./shapes";
import type { Layer } from "./stage";

const palette = ["#4f86b5", "#d08a4f", "#5b9e7e", "#a27ab8", "#b5a04c", "#c2706f", "#6d93a3", "#8b9a58"];
export const pointRadius = 0.018; // in units of the scene

interface Part {
  body: number;
  position: Vector3;
  rotation: Quaternion;
  scale: [number, number, number];
}

// One colour each as long as they are few. In a crowd, names that differ by numbers only (the blocks of a wall) have one
// colour in shades, so that it reads as what it is.
export function bodyColours(names: readonly string[]): Color[] {
  if (names.length <= few) return names.map((_name, body) => new Color(palette[body % palette.length]!));
  const families = new Map<string, number>();
  return names.map((name, body) => {
    const family = familyOf(name);
    if (!families.has(family)) families.set(family, families.size);
    const colour = new Color(palette[families.get(family)! % palette.length]!);
    const shade = ((body * goldenRatio) % 1) - 0.5;
    return colour.offsetHSL(0, 0, 0.16 * shade);
  });
}

const few = 40;
const goldenRatio = 0.618034; // neighbours get shades that differ

function familyOf(name: string): string {
  return name.replace(/(-\d+)+$/, "");
}

function partsByForm(replay: Replay, quality: Quality): Map<string, { form: Form; parts: Part[] }> {
  const groups = new Map<string, { form: Form; parts: Part[] }>();
  const put = (form: Form, part: Part) => {
    const group = groups.get(form.key);
    if (group) group.parts.push(part);
    else groups.set(form.key, { form, parts: [part] });
  };
  const point: Form = { key: "point", scale: [pointRadius, pointRadius, pointRadius], make: pointGeometry };
  const drawn = new Uint8Array(replay.bodies.names.length);
  for (let i = 0; i < replay.parts.count; ++i) {
    const form = formOf(replay, i, quality) ?? point;
    const q = replay.parts.quaternion.subarray(4 * i, 4 * i + 4);
    const body = replay.parts.body[i]!;
    drawn[body] = 1;
    put(form, {
      body,
      position: new Vector3().fromArray(replay.parts.position, 3 * i),
      rotation: new Quaternion(q[1]!, q[2]!, q[3]!, q[0]!),
      scale: form.scale,
    });
  }
  drawn.forEach((done, body) => {
    if (!done) put(point, { body, position: new Vector3(), rotation: new Quaternion(), scale: point.scale });
  });
  return groups;
}

export function bodiesLayer(replay: Replay, make: MakeCopies, quality: Quality): Layer {
  const material = new MeshLambertMaterial({ fog: false, vertexColors: true });
  const colours = bodyColours(replay.bodies.names);
  const sets = [...partsByForm(replay, quality).values()].map(({ form, parts }) => {
    const instances = make(form.make(), material, parts.length);
    return { instances, parts };
  });
  const origin = new Vector3();
  const rotation = new Quaternion();
  const position = new Vector3();
  const turned = new Quaternion();
  return {
    objects: sets.map((set) => set.instances.mesh),
    update: (pose: Pose) => {
      for (const { instances, parts } of sets) {
        instances.begin();
        for (const part of parts) {
          if (!pose.present[part.body]) continue;
          pose.bodyRotation(part.body, rotation);
          pose.bodyPosition(part.body, origin);
          position.copy(part.position).applyQuaternion(rotation).add(origin);
          turned.multiplyQuaternions(rotation, part.rotation);
          const index = instances.add(position, turned, ...part.scale);
          instances.colour(index, colours[part.body]!);
        }
        instances.end();
      }
    },
  };
}
