// How finely the picture is drawn. Where no graphics processor helps, the processor draws every pixel itself: then round
// shapes have fewer sides, edges are not smoothed, and while time runs the picture may be coarser, so that it keeps moving.

export interface Quality {
  software: boolean;
  antialias: boolean;
  segments: number; // of a circle
  rims: boolean; // around the faces of boxes
  mostSharp: number; // pixels of the screen per pixel of the picture, at best
}

function rendererName(): string {
  const context = document.createElement("canvas").getContext("webgl2");
  if (!context) return "";
  const names = context.getExtension("WEBGL_debug_renderer_info");
  const name = String(context.getParameter(names ? names.UNMASKED_RENDERER_WEBGL : context.RENDERER));
  context.getExtension("WEBGL_lose_context")?.loseContext();
  return name;
}

export function chooseQuality(bodies: number): Quality {
  const software = /swiftshader|llvmpipe|software|basic render/i.test(rendererName());
  const many = bodies > 100;
  if (!software) return { software, antialias: true, rims: true, segments: bodies > 2000 ? 16 : 32, mostSharp: 2 };
  return { software, antialias: !many, rims: !many, segments: many ? 8 : 24, mostSharp: 1 };
}

// While time runs: pictures per second, and how coarse they must be to reach thirty.
export class Pace {
  private readonly steps = [1, 0.75, 0.5];
  private at = 0;
  private before = 0;
  private mean = 0; // s from picture to picture, smoothed
  private count = 0;

  // After a picture; true if the next ones should have another sharpness.
  note(now: number): boolean {
    const seconds = (now - this.before) / 1000;
    this.before = now;
    if (seconds > 1) return false; // a pause
    this.mean += (seconds - this.mean) * 0.15;
    if (++this.count < 12 || this.mean < 1 / 32 || this.at === this.steps.length - 1) return false;
    this.at += 1;
    this.count = 0;
    this.mean = 0;
    return true;
  }
  get sharpness(): number {
    return this.steps[this.at]!;
  }
}
