// Planes and meshes on which bodies live. A plane has no end: it is drawn as far as the scene reaches and a bit beyond,
// with a grid whose step is a round number of metres, and only from the side on which bodies live: so one looks into a
// container. In a planar scene it is a line, and grey below.
import {
  BufferAttribute,
  BufferGeometry,
  CanvasTexture,
  Color,
  DoubleSide,
  FrontSide,
  Group,
  LinearMipmapLinearFilter,
  LinearMipmapNearestFilter,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  type Object3D,
  PlaneGeometry,
  Quaternion,
  RepeatWrapping,
  Vector3,
} from "three";
import type { Replay, Surface } from "./data";
import type { Quality } from "./quality";
import { meshGeometry } from "./shapes";
import type { Layer } from "./stage";

const reach = 5; // from the middle of the scene, whose box has a half diagonal of 1

// About eight steps across the scene, 1, 2 or 5 times a power of ten, in m.
export function gridStep(unit: number): number {
  const ideal = unit / 4;
  const power = 10 ** Math.floor(Math.log10(ideal));
  const factor = [1, 2, 5, 10].find((each) => each * power >= ideal) ?? 10;
  return factor * power;
}

function gridTexture(cells: number, software: boolean): CanvasTexture {
  const size = 128;
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = size;
  const brush = canvas.getContext("2d");
  if (brush) {
    brush.fillStyle = "#ffffff";
    brush.fillRect(0, 0, size, size);
    brush.fillStyle = "#c9cdcb";
    brush.fillRect(0, 0, size, 2);
    brush.fillRect(0, 0, 2, size);
  }
  const texture = new CanvasTexture(canvas);
  texture.wrapS = texture.wrapT = RepeatWrapping;
  texture.repeat.set(cells, cells);
  texture.minFilter = software ? LinearMipmapNearestFilter : LinearMipmapLinearFilter;
  texture.anisotropy = software ? 1 : 4;
  return texture;
}

function quad(corners: number[][]): BufferGeometry {
  const geometry = new BufferGeometry();
  const list = [0, 1, 2, 0, 2, 3].flatMap((index) => corners[index]!);
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(list), 3));
  geometry.computeVertexNormals();
  return geometry;
}

// In its own axes: the normal is z, the surface at z = 0.
function spatialPlane(replay: Replay, surface: Surface, { software }: Quality): Object3D {
  const isFloor = new Vector3().fromArray(surface.normal).dot(new Vector3().fromArray(replay.up)) > 0.3;
  const step = gridStep(replay.unit) / replay.unit;
  const cells = Math.ceil((2 * reach) / step);
  const size = cells * step;
  const material = new MeshBasicMaterial({
    map: gridTexture(cells, software),
    side: FrontSide,
    color: new Color(isFloor ? "#dfe3e1" : "#cdd9e4"),
    transparent: !isFloor,
    opacity: isFloor ? 1 : 0.35,
    depthWrite: isFloor,
  });
  const plane = new Mesh(new PlaneGeometry(size, size), material);
  plane.renderOrder = isFloor ? -1 : 1;
  return plane;
}

// It lies in the plane of the picture: x along the surface, z the normal, y across the picture.
function planarPlane(): Object3D {
  const group = new Group();
  const band = quad([[-reach, 0, -reach], [reach, 0, -reach], [reach, 0, 0], [-reach, 0, 0]]);
  group.add(new Mesh(band, new MeshBasicMaterial({ color: new Color("#d9dedc"), side: DoubleSide, fog: false })));
  const line = quad([[-reach, 0, -0.008], [reach, 0, -0.008], [reach, 0, 0], [-reach, 0, 0]]);
  const edge = new Mesh(line, new MeshBasicMaterial({ color: new Color("#6b7674"), side: DoubleSide, fog: false }));
  edge.renderOrder = 1;
  edge.position.y = -0.001; // in front of the band
  group.add(edge);
  return group;
}

const z = new Vector3(0, 0, 1);
const rotation = new Quaternion();

// The middle of the drawn part is the point of the plane that is nearest to the middle of the scene.
function placePlane(object: Object3D, planar: boolean, point: Vector3, normal: Vector3): void {
  if (planar) {
    const x = new Vector3(normal.y, -normal.x, 0);
    object.matrixAutoUpdate = false;
    object.matrix.makeBasis(x, new Vector3().crossVectors(normal, x), normal);
    object.matrix.setPosition(normal.clone().multiplyScalar(point.dot(normal)));
    object.matrixWorldNeedsUpdate = true;
    return;
  }
  object.position.copy(normal).multiplyScalar(point.dot(normal));
  object.quaternion.copy(rotation.setFromUnitVectors(z, normal));
}

export function surfacesLayer(replay: Replay, quality: Quality): Layer {
  const point = new Vector3();
  const normal = new Vector3();
  const moving: { object: Object3D; driven: number }[] = [];
  const objects = replay.surfaces.map((surface) => {
    if (surface.mesh >= 0) {
      const material = new MeshLambertMaterial({ color: new Color("#d3d9d6"), side: FrontSide, vertexColors: true });
      return new Mesh(meshGeometry(replay.meshes[surface.mesh]!), material);
    }
    const object = replay.planar ? planarPlane() : spatialPlane(replay, surface, quality);
    placePlane(object, replay.planar, point.fromArray(surface.point), normal.fromArray(surface.normal));
    if (surface.driven >= 0) moving.push({ object, driven: surface.driven });
    return object;
  });
  return {
    objects,
    update: (pose) => {
      for (const { object, driven } of moving) {
        const from = 6 * (replay.drivenCount * pose.frame + driven);
        const next = Math.min(pose.frame + 1, replay.frames - 1);
        const to = 6 * (replay.drivenCount * next + driven);
        const between = (k: number) => replay.driven[from + k]! * (1 - pose.share) + replay.driven[to + k]! * pose.share;
        point.set(between(0), between(1), between(2));
        normal.set(between(3), between(4), between(5)).normalize();
        placePlane(object, replay.planar, point, normal);
      }
    },
  };
}
