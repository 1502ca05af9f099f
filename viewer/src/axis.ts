// Scales of plots. Results range from 1e-40 J to 1e9 J, more than uPlot's own rules for ticks are made for.
import type uPlot from "uplot";
import type { Numeric } from "./data";
import { number } from "./format";

export const axisFont = "11px system-ui, sans-serif";

// The smallest step, a factor times a power of ten, that leaves `space` pixels between ticks.
function tickStep(min: number, max: number, pixels: number, space: number, factors: number[]): number {
  const ideal = ((max - min) * space) / Math.max(pixels, 1);
  const power = Math.floor(Math.log10(ideal));
  const factor = factors.find((each) => each * 10 ** power >= ideal * (1 - 1e-9));
  // Read from a text because uPlot takes only steps with few decimals, which it knows by their exact values.
  return Number(factor ? `${factor}e${power}` : `1e${power + 1}`);
}

// The power of ten by which values are divided for uPlot, which does not know steps below 1e-16; 1 for common sizes.
export function drawingUnit(values: Numeric[]): number {
  const size = values.reduce<number>((most, value) => Math.max(most, Math.abs(value ?? 0)), 0);
  const power = size > 0 ? Math.floor(Math.log10(size)) : 0;
  return Math.abs(power) <= 6 ? 1 : Number(`1e${Math.max(power, -300)}`);
}

// Ticks of one axis. `whole` keeps them at whole numbers.
export function ticks(space: number, whole = false): Pick<uPlot.Axis, "space" | "incrs" | "splits"> {
  return {
    space,
    incrs: (_u, _axis, min, max, pixels) => {
      const step = tickStep(min, max, pixels, space, whole ? [1, 2, 5] : [1, 2, 2.5, 5]);
      return [whole ? Math.max(1, step) : step];
    },
    splits: (_u, _axis, min, max, step) => {
      const first = Math.ceil(min / step - 1e-9);
      const count = Math.min(100, Math.floor(max / step + 1e-9) - first + 1);
      return Array.from({ length: Math.max(0, count) }, (_none, i) => Number(((first + i) * step).toPrecision(12)));
    },
  };
}

export const tickTexts = (unit: number) => (_u: uPlot, splits: number[]) =>
  splits.map((value) => number(value * unit, 9));

// The first tick carries the unit: the last one may have no room for it.
export function timeTexts(u: uPlot, splits: number[]): string[] {
  return tickTexts(1)(u, splits).map((text, i) => (i === 0 ? `${text} s` : text));
}

// Wide enough for the longest text; a function of uPlot, which asks again after the texts have changed.
export function axisSize(u: uPlot, texts: string[] | null, axis: number, cycle: number): number {
  const current = u.axes[axis] as { _size?: number } | undefined;
  if (cycle > 1 && current?._size) return current._size; // no further: sizes and ticks could chase each other for ever
  if (!texts) return 40;
  u.ctx.save();
  u.ctx.font = axisFont;
  const widest = Math.max(0, ...texts.map((text) => u.ctx.measureText(text ?? "").width));
  u.ctx.restore();
  return Math.max(34, Math.ceil(widest) + 14);
}

// A little more than the data need, down to zero where zero is near. A constant, up to round-off, is drawn in the
// middle of a range that shows its size and not its noise.
export function valueRange(_u: uPlot, min: number | null, max: number | null): uPlot.Range.MinMax {
  if (min === null || max === null || !Number.isFinite(min) || !Number.isFinite(max)) return [-1, 1];
  const size = Math.max(Math.abs(min), Math.abs(max));
  if (size === 0) return [-1, 1];
  const span = max - min;
  if (span <= 1e-9 * size) return [Math.min(0, 2 * min), Math.max(0, 2 * max)];
  const low = min >= 0 && min < span ? 0 : min - 0.06 * span;
  const high = max <= 0 && -max < span ? 0 : max + 0.06 * span;
  return [low === 0 && min === 0 ? -0.02 * span : low, high === 0 && max === 0 ? 0.02 * span : high];
}
