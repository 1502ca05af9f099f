// Many copies of one geometry, drawn with one call. A graphics processor multiplies the geometry itself (instancing). A
// processor that draws alone does that one copy at a time, with a price for each: for it the copies are written out into
// one large geometry.
import {
  type BufferGeometry,
  type Color,
  InstancedBufferAttribute,
  InstancedMesh,
  type Material,
  type Mesh,
  Quaternion,
  Vector3,
} from "three";
import { WrittenOut } from "./written_out";

const axis = new Vector3(0, 0, 1);
const along = new Vector3();
const middle = new Vector3();
const turn = new Quaternion();

// Between `begin` and `end` copies are added, numbered from zero.
export abstract class Copies {
  abstract readonly mesh: Mesh;
  protected used = 0;

  // A matrix of 3 x 4 numbers, column after column: x goes to M x + m, the fourth column.
  protected readonly matrix = new Float32Array(12);
  protected abstract put(index: number): void; // the matrix
  protected abstract publish(): void; // what was put
  abstract colour(index: number, colour: Color): void;

  begin(): void {
    this.used = 0;
  }

  // x goes to position + R diag(sx, sy, sz) x.
  add(position: Vector3, rotation: Quaternion, sx: number, sy: number, sz: number): number {
    const { x, y, z, w } = rotation;
    const m = this.matrix;
    m[0] = (1 - 2 * (y * y + z * z)) * sx;
    m[1] = 2 * (x * y + w * z) * sx;
    m[2] = 2 * (x * z - w * y) * sx;
    m[3] = 2 * (x * y - w * z) * sy;
    m[4] = (1 - 2 * (x * x + z * z)) * sy;
    m[5] = 2 * (y * z + w * x) * sy;
    m[6] = 2 * (x * z + w * y) * sz;
    m[7] = 2 * (y * z - w * x) * sz;
    m[8] = (1 - 2 * (x * x + y * y)) * sz;
    m[9] = position.x;
    m[10] = position.y;
    m[11] = position.z;
    this.put(this.used);
    return this.used++;
  }

  // From one point to another: the geometry's z from 0 to 1, or from -1/2 to 1/2 if it is `centred`.
  addBetween(from: Vector3, to: Vector3, radius: number, centred = false): number {
    along.subVectors(to, from);
    const length = along.length();
    if (length > 0) turn.setFromUnitVectors(axis, along.divideScalar(length));
    else turn.identity();
    middle.lerpVectors(from, to, centred ? 0.5 : 0);
    return this.add(middle, turn, radius, radius, length);
  }

  end(): void {
    this.mesh.visible = this.used > 0;
    this.publish();
  }
}

class Instances extends Copies {
  readonly mesh: InstancedMesh;
  private readonly matrices: Float32Array;

  constructor(geometry: BufferGeometry, material: Material, capacity: number) {
    super();
    this.mesh = new InstancedMesh(geometry, material, capacity);
    this.mesh.frustumCulled = false; // three would look at where the copies were at first
    this.matrices = this.mesh.instanceMatrix.array as Float32Array;
  }

  protected put(index: number): void {
    for (let column = 0; column < 4; ++column) {
      const at = 16 * index + 4 * column;
      for (let row = 0; row < 3; ++row) this.matrices[at + row] = this.matrix[3 * column + row]!;
      this.matrices[at + 3] = column === 3 ? 1 : 0;
    }
  }

  colour(index: number, colour: Color): void {
    this.mesh.instanceColor ??= new InstancedBufferAttribute(new Float32Array((3 * this.matrices.length) / 16), 3);
    colour.toArray(this.mesh.instanceColor.array, 3 * index);
    this.mesh.instanceColor.needsUpdate = true;
  }

  protected publish(): void {
    this.mesh.count = this.used;
    this.mesh.instanceMatrix.needsUpdate = true;
  }
}

class WrittenCopies extends Copies {
  readonly mesh: Mesh;
  private readonly written: WrittenOut;

  constructor(geometry: BufferGeometry, material: Material, capacity: number) {
    super();
    this.written = new WrittenOut(geometry, material, capacity);
    this.mesh = this.written.mesh;
  }
  protected put(index: number): void {
    this.written.put(index, this.matrix);
  }
  colour(index: number, colour: Color): void {
    this.written.colour(index, colour);
  }
  protected publish(): void {
    this.written.publish(this.used);
  }
}

export type MakeCopies = (geometry: BufferGeometry, material: Material, capacity: number) => Copies;

export function copiesFor(software: boolean): MakeCopies {
  return (geometry, material, capacity) =>
    software
      ? new WrittenCopies(geometry, material, Math.max(1, capacity))
      : new Instances(geometry, material, Math.max(1, capacity));
}

