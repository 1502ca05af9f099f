// The picture: layers that follow the pose, drawn when something has changed.
import {
  Color,
  DirectionalLight,
  Fog,
  HemisphereLight,
  type Object3D,
  Scene,
  Vector3,
  WebGLRenderer,
} from "three";
import { clock } from "../clock";
import { Eye } from "./camera";
import type { Replay } from "./data";
import { Pose } from "./pose";
import { Pace, type Quality } from "./quality";

export interface Layer {
  objects: Object3D[];
  update(pose: Pose): void;
}

export class Stage {
  readonly canvas: HTMLCanvasElement;
  readonly eye: Eye;
  readonly pose: Pose;
  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly layers: { layer: Layer; shown: boolean }[] = [];
  private readonly light = new DirectionalLight(0xffffff, 1.9);
  private readonly pace = new Pace();
  private sharpness = 1;
  private size = { width: 1, height: 1 };
  private waiting = false;
  private stale = true; // layers are not where the time is
  private followed = -1;
  private readonly place = new Vector3();
  private readonly previous = new Vector3();

  // Throws where the browser has no WebGL.
  constructor(
    replay: Replay,
    private readonly quality: Quality,
  ) {
    this.renderer = new WebGLRenderer({ antialias: quality.antialias, powerPreference: "high-performance" });
    this.canvas = this.renderer.domElement;
    this.pose = new Pose(replay);
    this.pose.set(clock.time);
    this.eye = new Eye(replay, this.canvas);
    this.eye.controls.addEventListener("change", () => this.ask());
    this.scene.add(new HemisphereLight(0xffffff, 0x8a8f8c, 1.5), this.light);
    clock.onTime(() => this.ask(true));
    clock.onPlaying((playing) => {
      if (this.sharpen(playing ? this.pace.sharpness : 1)) this.ask();
    });
  }

  add(layer: Layer, shown = true): void {
    this.layers.push({ layer, shown });
    for (const object of layer.objects) {
      object.visible = shown;
      this.scene.add(object);
    }
  }

  show(layer: Layer, shown: boolean): void {
    const entry = this.layers.find((each) => each.layer === layer);
    if (entry) entry.shown = shown;
    for (const object of layer.objects) object.visible = shown;
    this.ask(true);
  }

  isShown(layer: Layer): boolean {
    return this.layers.find((each) => each.layer === layer)?.shown ?? false;
  }

  follow(body: number): void {
    this.followed = body;
    if (body >= 0) this.pose.bodyPosition(body, this.previous);
    this.ask(true);
  }

  setBackground(colour: string): void {
    this.scene.background = new Color(colour);
    this.scene.fog = new Fog(colour);
    this.ask();
  }

  resize(width: number, height: number): void {
    this.size = { width, height };
    this.resizePixels();
    this.eye.resize(width, height);
    this.ask();
  }

  private resizePixels(): void {
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, this.quality.mostSharp) * this.sharpness);
    this.renderer.setSize(this.size.width, this.size.height, false);
  }

  private sharpen(sharpness: number): boolean {
    if (sharpness === this.sharpness) return false;
    this.sharpness = sharpness;
    this.resizePixels();
    return true;
  }

  // Draws soon, once for all that asked until then.
  ask(stale = false): void {
    this.stale ||= stale;
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.draw();
      if (clock.playing && this.pace.note(performance.now())) this.sharpen(this.pace.sharpness);
    });
  }

  draw(): void {
    if (this.stale) {
      this.stale = false;
      this.pose.set(clock.time);
      for (const { layer, shown } of this.layers) {
        if (shown) layer.update(this.pose);
      }
      if (this.followed >= 0) {
        this.pose.bodyPosition(this.followed, this.place);
        this.eye.shift(this.previous.subVectors(this.place, this.previous));
        this.previous.copy(this.place);
      }
    }
    this.light.position.copy(this.eye.camera.position).normalize().addScaledVector(this.eye.camera.up, 0.7);
    if (this.scene.fog instanceof Fog) {
      this.scene.fog.near = this.eye.distance + 0.5; // grounds that have no end fade away
      this.scene.fog.far = this.eye.distance + 3.5;
    }
    this.renderer.render(this.scene, this.eye.camera);
    this.canvas.dataset["draws"] = String(Number(this.canvas.dataset["draws"] ?? 0) + 1);
  }

  // The picture as a PNG.
  picture(): Promise<Blob | null> {
    this.sharpen(1);
    this.draw();
    return new Promise((done) => this.canvas.toBlob(done, "image/png"));
  }
}
