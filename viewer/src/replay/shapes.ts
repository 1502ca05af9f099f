// Geometry of shapes. Most are drawn once, with size one, and scaled for each part; the axis of round shapes is z. Round
// shapes have darker quarters, so that one sees them turn.
import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CapsuleGeometry,
  ConeGeometry,
  CylinderGeometry,
  SphereGeometry,
} from "three";
import type { Mesh, Replay } from "./data";
import type { Quality } from "./quality";

export interface Form {
  key: string; // equal for parts that share one geometry
  scale: [number, number, number];
  make: () => BufferGeometry;
}

const darker = 0.8;

// Corners of a triangle get the colour of its middle.
function painted(source: BufferGeometry, isDark: (x: number, y: number, z: number) => boolean): BufferGeometry {
  const geometry = source.index ? source.toNonIndexed() : source;
  const corners = geometry.getAttribute("position");
  const colours = new Float32Array(3 * corners.count);
  for (let i = 0; i < corners.count; i += 3) {
    const middle = [0, 1, 2].map((axis) => {
      let sum = 0;
      for (let k = 0; k < 3; ++k) sum += corners.getComponent(i + k, axis);
      return sum;
    });
    colours.fill(isDark(middle[0]!, middle[1]!, middle[2]!) ? darker : 1, 3 * i, 3 * i + 9);
  }
  geometry.setAttribute("color", new BufferAttribute(colours, 3));
  geometry.deleteAttribute("uv");
  return geometry;
}

const quarters = (x: number, y: number) => x * y > 0;

// A darker rim around every face, of a width that does not depend on the sides: drawn as frames of triangles.
function boxWithRims(): BufferGeometry {
  const rim = 0.94;
  const positions: number[] = [];
  const normals: number[] = [];
  const colours: number[] = [];
  const put = (place: (u: number, v: number) => number[], normal: number[], corners: number[][], shade: number) => {
    for (const index of [0, 1, 2, 0, 2, 3]) {
      positions.push(...place(corners[index]![0]!, corners[index]![1]!));
      normals.push(...normal);
      colours.push(shade, shade, shade);
    }
  };
  for (let axis = 0; axis < 3; ++axis) {
    for (const side of [-1, 1]) {
      const place = (u: number, v: number) => {
        const point = [0, 0, 0];
        point[axis] = side;
        point[(axis + 1) % 3] = u * side; // keeps the faces counter-clockwise on both sides
        point[(axis + 2) % 3] = v;
        return point;
      };
      const normal = [0, 0, 0];
      normal[axis] = side;
      put(place, normal, [[-rim, -rim], [rim, -rim], [rim, rim], [-rim, rim]], 1);
      put(place, normal, [[-1, -1], [1, -1], [rim, -rim], [-rim, -rim]], darker);
      put(place, normal, [[1, -1], [1, 1], [rim, rim], [rim, -rim]], darker);
      put(place, normal, [[1, 1], [-1, 1], [-rim, rim], [rim, rim]], darker);
      put(place, normal, [[-1, 1], [-1, -1], [-rim, -rim], [-rim, rim]], darker);
    }
  }
  const geometry = new BufferGeometry();
  for (const [name, values] of Object.entries({ position: positions, normal: normals, color: colours })) {
    geometry.setAttribute(name, new BufferAttribute(new Float32Array(values), 3));
  }
  return geometry;
}

const plainBox = () => painted(new BoxGeometry(2, 2, 2), () => false);

// Every triangle with its own flat normal.
export function meshGeometry(mesh: Mesh): BufferGeometry {
  const shared = new BufferGeometry();
  shared.setAttribute("position", new BufferAttribute(mesh.vertices, 3));
  shared.setIndex(new BufferAttribute(mesh.triangles, 1));
  const geometry = shared.toNonIndexed();
  geometry.computeVertexNormals();
  const white = new Float32Array(3 * geometry.getAttribute("position").count).fill(1);
  geometry.setAttribute("color", new BufferAttribute(white, 3));
  return geometry;
}

// How a part is drawn; null for shapes that have no size.
export function formOf(replay: Replay, part: number, { segments, rims }: Quality): Form | null {
  const [a, b, c] = replay.parts.size.subarray(3 * part, 3 * part + 3);
  const shape = replay.parts.shape[part]!;
  const mesh = replay.parts.mesh[part]!;
  if (mesh >= 0) return { key: `mesh ${mesh}`, scale: [1, 1, 1], make: () => meshGeometry(replay.meshes[mesh]!) };
  switch (shape) {
    case "sphere":
      return {
        key: shape,
        scale: [a!, a!, a!],
        make: () =>
          painted(new SphereGeometry(1, segments, segments / 2).rotateX(Math.PI / 2), (x, y, z) => x * y * z > 0),
      };
    case "box":
      return { key: shape, scale: [a!, b!, c!], make: rims ? boxWithRims : plainBox };
    case "cylinder":
      return {
        key: shape,
        scale: [a!, a!, b!],
        make: () => painted(new CylinderGeometry(1, 1, 2, segments).rotateX(Math.PI / 2), quarters),
      };
    case "cone":
      return {
        key: shape,
        scale: [a!, a!, b!],
        make: () => painted(new ConeGeometry(1, 1, segments).rotateX(Math.PI / 2), quarters),
      };
    case "capsule":
      return {
        key: `capsule ${(b! / a!).toPrecision(5)}`,
        scale: [a!, a!, a!],
        make: () =>
          painted(new CapsuleGeometry(1, (2 * b!) / a!, segments / 4, segments).rotateX(Math.PI / 2), quarters),
      };
    default:
      return null;
  }
}

export const pointGeometry = () => painted(new SphereGeometry(1, 12, 8), () => false);
export const cubeGeometry = () => painted(new BoxGeometry(1, 1, 1), () => false);
