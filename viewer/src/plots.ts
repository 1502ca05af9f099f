// Plots over time. They are linked: one cursor, one zoom, one mark where the time of the page is; a click moves the time.
import uPlot from "uplot";
import { axisFont, axisSize, drawingUnit, tickTexts, ticks, timeTexts, valueRange } from "./axis";
import { clock } from "./clock";
import type { Numeric } from "./data";
import { element } from "./dom";
import { number, withUnit } from "./format";

export interface Line {
  name: string;
  values: Numeric[];
  dashed?: boolean;
  width?: number; // px
  silent?: boolean; // no value beside its name
}

export interface PlotOptions {
  title: string;
  time: number[];
  lines: Line[];
  unit?: string; // of the values
  remark?: string; // beside the title
  whole?: boolean; // values are whole numbers
  powers?: boolean; // logarithmic; what is not positive is left out
  overSteps?: boolean; // `time` has time steps, increasing, and is logarithmic: no time of the page is marked
}

export const lineColours = ["--line-1", "--line-2", "--line-3", "--line-4", "--line-5"];
interface Shown {
  plot: uPlot;
  mark: HTMLElement | null; // where the time is
  show: (row: number | null | undefined) => void;
  visible: boolean; // on the screen
}

const plots = new Set<Shown>();
const zoomListeners = new Set<(zoomed: boolean) => void>();

export function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

const lineColour = (line: Line, index: number) =>
  line.dashed ? "--muted" : (lineColours[index % lineColours.length] ?? "");

// Calls back when the plots begin or cease to show only a part of the run.
export function onZoom(listener: (zoomed: boolean) => void): void {
  zoomListeners.add(listener);
}

export function showWholeRun(): void {
  for (const { plot } of plots) {
    const time = plot.data[0];
    const first = time?.[0];
    const last = time?.[time.length - 1];
    if (first !== undefined && last !== undefined) plot.setScale("x", { min: first, max: last });
  }
}

export function tellZoom(plot: uPlot, scale: string): void {
  if (scale !== "x") return;
  const time = plot.data[0];
  const { min, max } = plot.scales["x"] ?? {};
  const all = min != null && max != null && time && min <= time[0]! && max >= time[time.length - 1]!;
  const whole = !time || time.length < 2 || all;
  for (const listener of zoomListeners) listener(!whole);
  for (const shown of plots) {
    if (shown.plot === plot) placeMark(shown);
  }
}

// What the plot says to those who do not see it.
function spoken(options: PlotOptions): string {
  const parts = options.lines.map((line) => {
    const values = line.values.filter((value): value is number => value !== null);
    if (values.length === 0) return `${line.name} has no numbers`;
    const least = values.reduce((a, b) => Math.min(a, b));
    const most = values.reduce((a, b) => Math.max(a, b));
    const ends = `starts at ${number(values[0], 4)}, ends at ${number(values[values.length - 1], 4)}`;
    return `${line.name} ${ends}, smallest ${number(least, 4)}, largest ${number(most, 4)}`;
  });
  return `${options.title} over ${options.overSteps ? "the step" : "time"} in seconds${options.unit ? `, in ${options.unit}` : ""}: ${parts.join("; ")}`;
}

// The row at a time, or the one before it.
function rowAt(times: number[], time: number): number {
  let low = 0;
  let high = times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle]! <= time * (1 + 1e-12)) low = middle;
    else high = middle - 1;
  }
  return low;
}

// The line above a plot: names and values, at the cursor or else at the time of the page.
function readout(options: PlotOptions): { caption: HTMLElement; show: (row: number | null | undefined) => void } {
  const values = options.lines.map(() => element("span", { class: "value" }));
  const time = element("span", { class: "time" });
  const keys = options.lines.map((line, i) => {
    const swatch = element("span", { class: line.dashed ? "swatch dashed" : "swatch", "aria-hidden": "true" });
    swatch.style.setProperty("--swatch", `var(${lineColour(line, i)})`);
    return element("span", { class: "key" }, swatch, line.name, line.silent ? null : (values[i] ?? null));
  });
  const show = (row: number | null | undefined) => {
    // Without a cursor: at the time of the page, or at the smallest step.
    const at = row ?? (options.overSteps ? 0 : rowAt(options.time, clock.time));
    time.textContent = `${options.overSteps ? "h" : "t"} = ${withUnit(options.time[at], "s", options.overSteps ? 4 : 6)}`;
    options.lines.forEach((line, i) => {
      const value = values[i];
      if (value) value.textContent = number(line.values[at], options.overSteps ? 3 : 6);
    });
  };
  show(null);
  const single = options.lines.length === 1 && options.lines[0]?.name === options.title;
  const title = single ? null : element("span", { class: "title" }, options.title);
  const remark = options.unit ? ` in ${options.unit}` : (options.remark ?? "");
  const unit = remark ? element("span", { class: "unit" }, remark) : null;
  if (title && unit) title.append(unit);
  if (!title && unit) keys[0]?.insertBefore(unit, values[0] ?? null);
  const caption = single
    ? element("figcaption", {}, ...keys, time)
    : element("figcaption", {}, title, time, element("span", { class: "keys" }, ...keys));
  return { caption, show };
}

const logarithm = (value: Numeric) => (value !== null && value > 0 ? Math.log10(value) : null);

// A little more than the steps need, so that points at the ends are seen whole.
const stepRange: uPlot.Range.Function = (_u, min, max) => [min - 0.03 * (max - min), max + 0.03 * (max - min)];

function uplotOptions(
  options: PlotOptions,
  unit: number,
  show: (row: number | null | undefined) => void,
): uPlot.Options {
  const axis: uPlot.Axis = {
    stroke: () => colour("--muted"),
    font: axisFont,
    grid: { stroke: () => colour("--grid"), width: 1 },
    ticks: { show: false },
    gap: 6,
  };
  const powerTexts = (_u: uPlot, splits: number[]) => splits.map((power) => number(10 ** power, 1));
  const stepTexts = (u: uPlot, splits: number[]) =>
    powerTexts(u, splits).map((text, i) => (i === 0 ? `${text} s` : text));
  const powerRange: uPlot.Range.Function = (_u, min, max) =>
    min === null || max === null || !Number.isFinite(min) || !Number.isFinite(max)
      ? [-16, 0]
      : [Math.floor(min - 0.2), Math.ceil(max + 0.2)];
  return {
    width: 400,
    height: 180,
    padding: [8, 14, 0, 0],
    legend: { show: false },
    scales: {
      x: options.overSteps ? { time: false, range: stepRange } : { time: false },
      y: { range: options.powers ? powerRange : valueRange },
    },
    axes: [
      { ...axis, ...ticks(70, options.overSteps), values: options.overSteps ? stepTexts : timeTexts, size: 26 },
      {
        ...axis,
        ...ticks(22, options.whole || options.powers),
        values: options.powers ? powerTexts : tickTexts(unit),
        size: axisSize,
      },
    ],
    series: [
      {},
      ...options.lines.map((line, i): uPlot.Series => ({
        label: line.name,
        stroke: () => colour(lineColour(line, i)),
        width: line.width ?? 1.5,
        ...(line.dashed
          ? { dash: [5, 4], points: { show: false } }
          : { points: options.overSteps ? { show: true, size: 6 } : { size: 4 } }),
      })),
    ],
    cursor: {
      y: false,
      sync: { key: "run", scales: ["x", null] },
      points: { size: 7 },
      drag: { x: true, y: false, dist: 4 },
    },
    hooks: { setCursor: [(plot) => show(plot.cursor.idx)], setScale: [tellZoom] },
  };
}

function placeMark({ plot, mark }: Shown): void {
  if (!mark) return;
  const { min, max } = plot.scales["x"] ?? {};
  const inside = min != null && max != null && min <= clock.time && clock.time <= max;
  mark.style.display = inside ? "" : "none";
  if (inside) mark.style.transform = `translateX(${plot.valToPos(clock.time, "x")}px)`;
}

// Numbers above plots change some times a second, marks with every picture; what is not on the screen waits.
let lastNumbers = 0;
function follow(shown: Shown, withNumbers: boolean): void {
  placeMark(shown);
  if (withNumbers && shown.plot.cursor.idx == null) shown.show(null);
}
clock.onTime(() => {
  const now = performance.now();
  const withNumbers = !clock.playing || now - lastNumbers > 100;
  if (withNumbers) lastNumbers = now;
  for (const shown of plots) {
    if (shown.visible) follow(shown, withNumbers);
  }
});
clock.onPlaying(() => plots.forEach((shown) => follow(shown, true)));

const onScreen = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    for (const shown of plots) {
      if (shown.plot.root.parentElement !== entry.target) continue;
      shown.visible = entry.isIntersecting;
      if (shown.visible) follow(shown, true);
    }
  }
});

function clickToTime(plot: uPlot): void {
  let pressed = 0;
  plot.over.addEventListener("mousedown", (event) => {
    pressed = event.clientX;
  });
  plot.over.addEventListener("click", (event) => {
    if (Math.abs(event.clientX - pressed) > 3) return; // that was a zoom
    clock.play(false);
    clock.set(plot.posToVal(event.clientX - plot.over.getBoundingClientRect().left, "x"));
  });
}

const resized = new ResizeObserver((entries) => {
  for (const entry of entries) {
    for (const shown of plots) {
      if (shown.plot.root.parentElement !== entry.target) continue;
      const { width, height } = entry.contentRect; // by style.css, whatever is in it
      shown.plot.setSize({ width: Math.floor(width), height: Math.floor(height) });
      placeMark(shown);
    }
  }
});

// A plot in its frame. Nothing is drawn before the frame is in the page and has a width.
export function makePlot(options: PlotOptions): HTMLElement {
  const { caption, show } = readout(options);
  const canvas = element("div", { class: "canvas", role: "img", "aria-label": spoken(options) });
  const frame = element("figure", { class: "plot" }, caption, canvas);
  const unit = drawingUnit(options.lines.flatMap((line) => line.values));
  const drawn = options.powers ? logarithm : (value: Numeric) => (value === null ? null : value / unit);
  const lines = options.lines.map((line) => line.values.map(drawn));
  const empty = !lines.some((values) => values.some((value) => value !== null));
  const data: uPlot.AlignedData = [options.overSteps ? options.time.map(Math.log10) : options.time, ...lines];
  const plot = new uPlot(uplotOptions(options, unit, show), data, canvas);
  addPlot(plot, canvas, !options.overSteps, show);
  if (empty) canvas.append(element("p", { class: "empty" }, "No finite numbers."));
  return frame;
}

// From now on it has the size of its frame and, over time, the mark of the page. `show` is called when the time of the
// page has changed and no cursor is in the plot.
export function addPlot(plot: uPlot, canvas: HTMLElement, overTime: boolean, show: Shown["show"]): void {
  const mark = overTime ? element("div", { class: "now" }) : null;
  plots.add({ plot, mark, show, visible: false });
  if (mark) {
    plot.over.append(mark);
    clickToTime(plot);
  }
  onScreen.observe(canvas);
  resized.observe(canvas);
}

export function removePlot(frame: HTMLElement): void {
  for (const shown of plots) {
    const canvas = shown.plot.root.parentElement;
    if (!canvas || !frame.contains(canvas)) continue;
    resized.unobserve(canvas);
    onScreen.unobserve(canvas);
    plots.delete(shown);
    shown.plot.destroy();
  }
  frame.remove();
}

window
  .matchMedia("(prefers-color-scheme: dark)")
  .addEventListener("change", () => plots.forEach(({ plot }) => plot.redraw(false)));
