// Contacts of the frame nearest to the time: a dot where two touch, a short line along the normal, and an arrow for the
// impulse on the first body, all coloured by status. Impulses of a run range over many powers of ten: the length of an
// arrow grows with the square root of its impulse.
import { Color, ConeGeometry, CylinderGeometry, MeshBasicMaterial, OctahedronGeometry, Quaternion, SphereGeometry, Vector3 } from "three";
import type { MakeCopies } from "./copies";
import type { Replay } from "./data";
import type { Layer } from "./stage";

export const statusColours = { open: "#8d969c", stick: "#1f6fb5", slip: "#d9600f" }; // in the order of the numbers
const many = 200; // contacts in a frame: so many are drawn smaller, and hidden by bodies

// Of a single large body marks may be large; among many small ones they must not be larger than these.
function markSize(replay: Replay): number {
  const { parts } = replay;
  const sizes = Array.from({ length: parts.count }, (_none, i) => Math.hypot(...parts.size.subarray(3 * i, 3 * i + 3)));
  const present = sizes.filter((size) => size > 0).sort((a, b) => a - b);
  const typical = present[present.length >> 1] ?? 1;
  return Math.min(1, Math.max(0.08, 4 * typical));
}

export function contactsLayer(replay: Replay, make: MakeCopies): Layer {
  const { contacts } = replay;
  const scale = markSize(replay);
  const longestArrow = 0.45 * scale;
  const normalLength = 0.1 * scale;
  const dotRadius = 0.012 * scale;
  const isCrowded = contacts.most > many;
  const material = () => new MeshBasicMaterial({ fog: false, color: new Color("#ffffff") });
  const lighter = new MeshBasicMaterial({ fog: false, color: new Color("#ffffff"), transparent: true, opacity: 0.55 });
  const sides = isCrowded ? 3 : 8;
  const cylinder = () => new CylinderGeometry(1, 1, 1, sides, 1, true).rotateX(Math.PI / 2);
  const dots = make(
    isCrowded ? new OctahedronGeometry(1) : new SphereGeometry(1, 10, 6),
    material(),
    contacts.most,
  );
  const normals = make(cylinder(), lighter, contacts.most);
  const shafts = make(cylinder(), material(), contacts.most);
  const heads = make(
    new ConeGeometry(1, 1, sides, 1, true).rotateX(Math.PI / 2).translate(0, 0, 0.5),
    material(),
    contacts.most,
  );
  const all = [dots, normals, shafts, heads];
  // Few are seen through bodies: contact is where bodies hide it.
  for (const { mesh } of all) {
    mesh.renderOrder = 2;
    const own = mesh.material as MeshBasicMaterial;
    own.depthTest = isCrowded;
    own.transparent = true;
  }
  const colours = Object.values(statusColours).map((name) => new Color(name));
  const point = new Vector3();
  const normal = new Vector3();
  const impulse = new Vector3();
  const tip = new Vector3();
  const base = new Vector3();
  const upright = new Quaternion();

  function addContact(i: number): void {
    point.fromArray(contacts.point, 3 * i);
    normal.fromArray(contacts.direction, 4 * i).normalize();
    impulse.fromArray(contacts.impulse, 3 * i);
    const colour = colours[contacts.direction[4 * i + 3]!] ?? colours[0]!;
    const size = impulse.length();
    dots.colour(dots.add(point, upright, dotRadius, dotRadius, dotRadius), colour);
    normals.colour(normals.addBetween(point, tip.copy(point).addScaledVector(normal, normalLength), 0.003 * scale, true), colour);
    if (size <= 0 || contacts.largest <= 0) return;
    const length = longestArrow * Math.sqrt(size / contacts.largest);
    const head = Math.min(0.05 * scale, 0.5 * length);
    impulse.divideScalar(size);
    tip.copy(point).addScaledVector(impulse, length);
    base.copy(point).addScaledVector(impulse, length - head);
    shafts.colour(shafts.addBetween(point, base, Math.min(0.006 * scale, 0.12 * length), true), colour);
    heads.colour(heads.addBetween(base, tip, 0.36 * head), colour);
  }

  return {
    objects: all.map((each) => each.mesh),
    update: (pose) => {
      for (const each of all) each.begin();
      const end = contacts.start[pose.nearest + 1]!;
      for (let i = contacts.start[pose.nearest]!; i < end; ++i) addContact(i);
      for (const each of all) each.end();
    },
  };
}
