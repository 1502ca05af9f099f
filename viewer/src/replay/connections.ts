// Springs, joints, and thin rods from a body to those of its joints that lie outside its shape: a bar that has no shape
// is seen by its rods.
import {
  BufferGeometry,
  CatmullRomCurve3,
  Color,
  CylinderGeometry,
  MeshLambertMaterial,
  OctahedronGeometry,
  Quaternion,
  SphereGeometry,
  TubeGeometry,
  Vector3,
} from "three";
import type { MakeCopies } from "./copies";
import type { Anchor, Replay } from "./data";
import { Pose } from "./pose";
import { cubeGeometry } from "./shapes";
import type { Layer } from "./stage";

const rodRadius = 0.011;
const jointRadius = 0.022;
const springRadius = 0.03;

// A helix around z from 0 to 1 with straight ends, of radius one, whose wire is round when it is as long as the springs of
// this scene are at the start.
function helix(length: number): BufferGeometry {
  const turns = 9;
  const points: Vector3[] = [new Vector3(0, 0, 0), new Vector3(0, 0, 0.06 * length)];
  for (let i = 0; i <= 8 * turns; ++i) {
    const share = i / (8 * turns);
    const angle = 2 * Math.PI * turns * share;
    const around = new Vector3(Math.cos(angle), Math.sin(angle), 0).multiplyScalar(springRadius);
    points.push(around.setZ((0.1 + 0.8 * share) * length));
  }
  points.push(new Vector3(0, 0, 0.94 * length), new Vector3(0, 0, length));
  const wire = Math.min(0.15 * springRadius, (0.2 * length) / turns);
  const tube = new TubeGeometry(new CatmullRomCurve3(points), 14 * turns, wire, 4);
  return tube.scale(1 / springRadius, 1 / springRadius, 1 / length);
}

function meanLength(replay: Replay): number {
  const pose = new Pose(replay);
  pose.set(replay.time[0]!);
  const from = new Vector3();
  const to = new Vector3();
  const lengths = replay.springs.map(({ start, end }) => pose.place(start, from).distanceTo(pose.place(end, to)));
  return Math.max(0.01, lengths.reduce((sum, each) => sum + each, 0) / Math.max(1, lengths.length));
}

const rod = () => new CylinderGeometry(1, 1, 1, 8).rotateX(Math.PI / 2);

function markGeometry(type: string): BufferGeometry {
  switch (type) {
    case "revolute":
    case "cylindrical":
    case "screw":
      return new CylinderGeometry(1, 1, 2.4, 16).rotateX(Math.PI / 2);
    case "ball":
    case "universal":
    case "distance":
      return new SphereGeometry(1, 16, 10);
    case "prismatic":
    case "fixed":
      return cubeGeometry().scale(1.7, 1.7, 1.7);
    default:
      return new OctahedronGeometry(1.2);
  }
}

// How far the parts of each body reach from its origin.
function bodyRadii(replay: Replay): Float32Array {
  const radii = new Float32Array(replay.bodies.names.length);
  const { parts } = replay;
  for (let i = 0; i < parts.count; ++i) {
    let radius = Math.hypot(...parts.size.subarray(3 * i, 3 * i + 3));
    const mesh = replay.meshes[parts.mesh[i]!];
    if (mesh) {
      for (let k = 0; k < mesh.vertices.length; k += 3) {
        radius = Math.max(radius, Math.hypot(...mesh.vertices.subarray(k, k + 3)));
      }
    }
    const body = parts.body[i]!;
    radii[body] = Math.max(radii[body]!, radius + Math.hypot(...parts.position.subarray(3 * i, 3 * i + 3)));
  }
  return radii;
}

export function connectionsLayer(replay: Replay, make: MakeCopies): Layer {
  const { joints, springs } = replay;
  const radii = bodyRadii(replay);
  const links: [Anchor, Anchor][] = [];
  for (const joint of joints) {
    for (const end of [joint.first, joint.second]) {
      const isOutside = end.body >= 0 && Math.hypot(...end.point) > radii[end.body]! + 1e-3;
      if (isOutside) links.push([{ body: end.body, point: [0, 0, 0] }, end]);
    }
    if (joint.type === "distance") links.push([joint.first, joint.second]);
  }
  const material = (colour: string) => new MeshLambertMaterial({ fog: false, color: new Color(colour) });
  const rods = make(rod(), material("#8a9499"), links.length);
  const coils = make(helix(meanLength(replay)), material("#7a8f5a"), springs.length);
  const types = [...new Set(joints.map((joint) => joint.type))];
  const marks = types.map((type) => ({
    joints: joints.filter((joint) => joint.type === type),
    instances: make(markGeometry(type), material("#3e4a52"), joints.length),
  }));
  const from = new Vector3();
  const to = new Vector3();
  const rotation = new Quaternion();
  const axes = new Quaternion();
  const isThere = (pose: Pose, ...ends: Anchor[]) => ends.every((end) => end.body < 0 || pose.present[end.body]);
  return {
    objects: [rods.mesh, coils.mesh, ...marks.map((mark) => mark.instances.mesh)],
    update: (pose) => {
      rods.begin();
      for (const [start, end] of links) {
        if (isThere(pose, start, end)) rods.addBetween(pose.place(start, from), pose.place(end, to), rodRadius, true);
      }
      rods.end();
      coils.begin();
      for (const { start, end } of springs) {
        if (isThere(pose, start, end)) coils.addBetween(pose.place(start, from), pose.place(end, to), springRadius);
      }
      coils.end();
      for (const { joints: list, instances } of marks) {
        instances.begin();
        for (const { first, second, axes: own } of list) {
          if (!isThere(pose, first, second)) continue;
          axes.set(own[1], own[2], own[3], own[0]);
          if (first.body >= 0) axes.premultiply(pose.bodyRotation(first.body, rotation));
          instances.add(pose.place(first, from), axes, jointRadius, jointRadius, jointRadius);
        }
        instances.end();
      }
    },
  };
}
