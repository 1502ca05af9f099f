// The replay as src/ricochet/io/report_replay.hpp writes it, decoded. Lengths are in units of `unit`, places are
// relative to `center`.

export type Triple = [number, number, number];

export interface Anchor {
  body: number; // -1: the world
  point: Triple;
}

export interface Surface {
  name: string;
  point: Triple;
  normal: Triple;
  mesh: number; // -1: a plane
  driven: number; // place among the surfaces that move, or -1
}

export interface Spring {
  name: string;
  start: Anchor;
  end: Anchor;
}

export interface Joint {
  name: string;
  type: string;
  first: Anchor;
  second: Anchor;
  axes: [number, number, number, number]; // w x y z, in the axes of the first body; the joint's axis is z
}

// As in the page: numbers that come in masses are base64.
export interface ReplayText {
  planar: boolean;
  up: Triple;
  center: Triple; // m
  unit: number; // m
  low: Triple;
  high: Triple;
  rows: number;
  time: number[];
  notices: string[];
  bodies: { names: string[]; appears: number[]; disappears: (number | null)[] };
  parts: {
    shapes: string[];
    shape: string;
    body: string;
    mesh: string;
    size: string;
    position: string;
    quaternion: string;
  };
  meshes: { vertices: string; triangles: string }[];
  surfaces: Surface[];
  springs: Spring[];
  joints: Joint[];
  position: string;
  quaternion: string;
  driven: string;
  contacts: { start: string; point: string; impulse: string; direction: string; largest: number };
}

export interface Mesh {
  vertices: Float32Array;
  triangles: Uint32Array;
}

export interface Replay
  extends Omit<ReplayText, "parts" | "meshes" | "position" | "quaternion" | "driven" | "contacts"> {
  parts: {
    count: number;
    shape: string[];
    body: Int32Array;
    mesh: Int32Array;
    size: Float32Array;
    position: Float32Array;
    quaternion: Float32Array;
  };
  meshes: Mesh[];
  frames: number;
  position: Float32Array; // [frame, body, 3]
  quaternion: Int16Array; // [frame, body, 4], w x y z times 32767
  driven: Float32Array; // [frame, surface, 6], point and normal
  drivenCount: number;
  contacts: {
    start: Uint32Array; // [frame + 1]
    point: Float32Array;
    impulse: Float32Array; // N s, in the world, on the first body
    direction: Int8Array; // normal times 127, then the status
    largest: number; // N s
    most: number; // in a frame
  };
}

function bytes(text: string): ArrayBuffer {
  const letters = atob(text);
  const result = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; ++i) result[i] = letters.charCodeAt(i);
  return result.buffer;
}

export function decodeReplay(text: ReplayText): Replay {
  const { parts, contacts } = text;
  const shape = new Uint8Array(bytes(parts.shape));
  const start = new Uint32Array(bytes(contacts.start));
  const driven = new Float32Array(bytes(text.driven));
  const frames = text.time.length;
  let most = 0;
  for (let i = 0; i < frames; ++i) most = Math.max(most, start[i + 1]! - start[i]!);
  return {
    ...text,
    frames,
    parts: {
      count: shape.length,
      shape: Array.from(shape, (index) => parts.shapes[index] ?? ""),
      body: new Int32Array(bytes(parts.body)),
      mesh: new Int32Array(bytes(parts.mesh)),
      size: new Float32Array(bytes(parts.size)),
      position: new Float32Array(bytes(parts.position)),
      quaternion: new Float32Array(bytes(parts.quaternion)),
    },
    meshes: text.meshes.map((mesh) => ({
      vertices: new Float32Array(bytes(mesh.vertices)),
      triangles: new Uint32Array(bytes(mesh.triangles)),
    })),
    position: new Float32Array(bytes(text.position)),
    quaternion: new Int16Array(bytes(text.quaternion)),
    driven,
    drivenCount: driven.length / 6 / Math.max(1, frames),
    contacts: {
      start,
      point: new Float32Array(bytes(contacts.point)),
      impulse: new Float32Array(bytes(contacts.impulse)),
      direction: new Int8Array(bytes(contacts.direction)),
      largest: contacts.largest,
      most,
    },
  };
}
