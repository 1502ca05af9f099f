// Copies of a geometry as one geometry: every corner is moved here.
import { BufferAttribute, BufferGeometry, type Color, DynamicDrawUsage, type Material, Mesh } from "three";

// Corners at the same place with the same normal and colour are moved once.
function shared(geometry: BufferGeometry): { corners: Float32Array; shades: Float32Array; index: number[] } {
  const position = geometry.getAttribute("position");
  const normal = geometry.getAttribute("normal");
  const colour = geometry.getAttribute("color");
  const places = new Map<string, number>();
  const corners: number[] = [];
  const shades: number[] = [];
  const index: number[] = [];
  const count = geometry.index ? geometry.index.count : position.count;
  for (let i = 0; i < count; ++i) {
    const at = geometry.index ? geometry.index.getX(i) : i;
    const corner = [position, normal].flatMap((list) => [list.getX(at), list.getY(at), list.getZ(at)]);
    const shade = colour ? colour.getX(at) : 1;
    const key = [...corner, shade].map((value) => value.toFixed(4)).join();
    let place = places.get(key);
    if (place === undefined) {
      place = shades.length;
      places.set(key, place);
      corners.push(...corner);
      shades.push(shade);
    }
    index.push(place);
  }
  return { corners: new Float32Array(corners), shades: new Float32Array(shades), index };
}

function dynamic(size: number): BufferAttribute {
  return new BufferAttribute(new Float32Array(size), 3).setUsage(DynamicDrawUsage);
}

export class WrittenOut {
  readonly mesh: Mesh;
  private readonly corners: Float32Array; // place and normal
  private readonly shades: Float32Array;
  private readonly length: number; // of the index of one copy
  private readonly position: BufferAttribute;
  private readonly normal: BufferAttribute;
  private readonly colours: BufferAttribute;
  private readonly shown: (string | undefined)[] = []; // colours as they are

  constructor(source: BufferGeometry, material: Material, capacity: number) {
    const { corners, shades, index } = shared(source);
    this.corners = corners;
    this.shades = shades;
    this.length = index.length;
    const size = shades.length;
    this.position = dynamic(3 * size * capacity);
    this.normal = dynamic(3 * size * capacity);
    this.colours = dynamic(3 * size * capacity);
    (this.colours.array as Float32Array).fill(1);
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", this.position);
    geometry.setAttribute("normal", this.normal);
    geometry.setAttribute("color", this.colours);
    const all = new Uint32Array(this.length * capacity);
    for (let i = 0; i < all.length; ++i) all[i] = index[i % this.length]! + size * Math.floor(i / this.length);
    geometry.setIndex(new BufferAttribute(all, 1));
    material.vertexColors = true;
    this.mesh = new Mesh(geometry, material);
    this.mesh.frustumCulled = false;
    for (let i = 0; i < capacity; ++i) this.put(i, new Float32Array([1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]));
    for (let i = 0; i < capacity; ++i) this.shade(i, 1, 1, 1);
  }

  // Normals go with the inverse of the scales: for M = R diag(s) that is M diag(1/s^2).
  put(index: number, m: Float32Array): void {
    const place = this.position.array as Float32Array;
    const normal = this.normal.array as Float32Array;
    const c = this.corners;
    const weight = (k: number) => 1 / (m[k]! * m[k]! + m[k + 1]! * m[k + 1]! + m[k + 2]! * m[k + 2]! || 1);
    const wx = weight(0);
    const wy = weight(3);
    const wz = weight(6);
    let to = 3 * this.shades.length * index;
    for (let from = 0; from < c.length; from += 6, to += 3) {
      const x = c[from]!;
      const y = c[from + 1]!;
      const z = c[from + 2]!;
      place[to] = m[0]! * x + m[3]! * y + m[6]! * z + m[9]!;
      place[to + 1] = m[1]! * x + m[4]! * y + m[7]! * z + m[10]!;
      place[to + 2] = m[2]! * x + m[5]! * y + m[8]! * z + m[11]!;
      const nx = wx * c[from + 3]!;
      const ny = wy * c[from + 4]!;
      const nz = wz * c[from + 5]!;
      normal[to] = m[0]! * nx + m[3]! * ny + m[6]! * nz;
      normal[to + 1] = m[1]! * nx + m[4]! * ny + m[7]! * nz;
      normal[to + 2] = m[2]! * nx + m[5]! * ny + m[8]! * nz;
    }
  }

  colour(index: number, colour: Color): void {
    const name = `${colour.r},${colour.g},${colour.b}`;
    if (this.shown[index] === name) return;
    this.shown[index] = name;
    this.shade(index, colour.r, colour.g, colour.b);
  }

  private shade(index: number, r: number, g: number, b: number): void {
    const list = this.colours.array as Float32Array;
    let to = 3 * this.shades.length * index;
    for (const shade of this.shades) {
      list[to++] = r * shade;
      list[to++] = g * shade;
      list[to++] = b * shade;
    }
    this.colours.needsUpdate = true;
  }

  publish(used: number): void {
    this.mesh.geometry.setDrawRange(0, this.length * used);
    for (const attribute of [this.position, this.normal]) {
      attribute.clearUpdateRanges();
      attribute.addUpdateRange(0, 3 * this.shades.length * used);
      attribute.needsUpdate = true;
    }
  }
}
