// Many lines in one plot, each with its own points: histories of samples, values over what was varied, and phase
// portraits. uPlot makes the frame, the axes and the zoom; the lines are drawn here, because it wants common points.
import uPlot from "uplot";
import { axisFont, axisSize, drawingUnit, tickTexts, ticks, timeTexts, valueRange } from "./axis";
import { clock } from "./clock";
import type { Numeric } from "./data";
import { element } from "./dom";
import { number, withUnit } from "./format";
import { addPlot, colour, tellZoom } from "./plots";

export interface BundleLine {
  name: string; // told where the cursor is near
  x: Numeric[];
  y: Numeric[];
  time?: number[]; // of its points: the line has a dot where the time of the page is
  share?: number | null; // its place on the ramp of colours, 0 to 1
  colour?: string; // else: the name of a colour
  dots?: boolean; // points that are not joined
  silent?: boolean; // the cursor passes it over
}

export interface BundleOptions {
  title: string;
  remark?: string; // beside the title
  xName: string; // "t": time
  yName: string;
  lines: BundleLine[];
}

const near = 24; // px from the cursor to a line that it tells of

function rampColours(): number[][] {
  const stops = colour("--ramp").split(",");
  return stops.map((text) => [1, 3, 5].map((at) => parseInt(text.trim().slice(at, at + 2), 16)));
}

// The colour at a place of the ramp.
function rampColour(stops: number[][], share: number): string {
  const place = Math.min(Math.max(share, 0), 1) * (stops.length - 1);
  const low = Math.min(Math.floor(place), stops.length - 2);
  const parts = [0, 1, 2].map((i) => {
    const from = stops[low]?.[i] ?? 0;
    return Math.round(from + (place - low) * ((stops[low + 1]?.[i] ?? 0) - from));
  });
  return `rgb(${parts.join(" ")})`;
}

function extent(lists: Numeric[][]): [number | null, number | null] {
  let least: number | null = null;
  let most: number | null = null;
  for (const list of lists) {
    for (const value of list) {
      if (value === null) continue;
      if (least === null || value < least) least = value;
      if (most === null || value > most) most = value;
    }
  }
  return [least, most];
}

interface Frame {
  x: (value: number) => number; // px of the canvas
  y: (value: number) => number;
}

// Pixels, by `scale` of them per pixel of the page.
function frameOf(u: uPlot, units: [number, number], left: number, top: number, width: number, height: number): Frame {
  const { min: x0 = 0, max: x1 = 1 } = u.scales["x"] ?? {};
  const { min: y0 = 0, max: y1 = 1 } = u.scales["y"] ?? {};
  const xScale = width / ((x1! - x0!) * units[0]);
  const yScale = height / ((y1! - y0!) * units[1]);
  return {
    x: (value) => left + (value - x0! * units[0]) * xScale,
    y: (value) => top + height - (value - y0! * units[1]) * yScale,
  };
}

function trace(context: CanvasRenderingContext2D, line: BundleLine, frame: Frame, ratio: number): void {
  context.beginPath();
  let drawing = false;
  for (let i = 0; i < line.x.length; ++i) {
    const x = line.x[i] ?? null;
    const y = line.y[i] ?? null;
    if (x === null || y === null) {
      drawing = false;
    } else if (line.dots) {
      context.moveTo(frame.x(x) + 3 * ratio, frame.y(y));
      context.arc(frame.x(x), frame.y(y), 3 * ratio, 0, 2 * Math.PI);
    } else if (drawing) {
      context.lineTo(frame.x(x), frame.y(y));
    } else {
      context.moveTo(frame.x(x), frame.y(y));
      drawing = true;
    }
  }
}

function draw(u: uPlot, lines: BundleLine[], units: [number, number], picked: BundleLine | null): void {
  const { ctx: context, bbox } = u;
  const ratio = devicePixelRatio;
  const frame = frameOf(u, units, bbox.left, bbox.top, bbox.width, bbox.height);
  const stops = rampColours();
  const many = lines.filter((line) => !line.dots).length > 20;
  context.save();
  context.beginPath();
  context.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  context.clip();
  context.lineJoin = "round";
  for (const line of picked ? [...lines, picked] : lines) {
    const hue = line.share == null ? colour(line.colour ?? "--line-1") : rampColour(stops, line.share);
    context.globalAlpha = picked && line !== picked ? 0.25 : many ? 0.7 : 1;
    context.lineWidth = (line === picked ? 2.5 : many ? 1 : 1.5) * ratio;
    context.strokeStyle = context.fillStyle = hue;
    trace(context, line, frame, ratio);
    if (line.dots) context.fill();
    else context.stroke();
  }
  context.restore();
}

interface Found {
  line: BundleLine;
  point: number;
}

// The line with a point, or a way between two points, near to a place of the plot.
function nearest(u: uPlot, lines: BundleLine[], units: [number, number], left: number, top: number): Found | null {
  const frame = frameOf(u, units, 0, 0, u.over.clientWidth, u.over.clientHeight);
  let found: Found | null = null;
  let best = near * near;
  for (const line of lines) {
    if (line.silent) continue;
    let before: [number, number] | null = null;
    for (let i = 0; i < line.x.length; ++i) {
      const x = line.x[i] ?? null;
      const y = line.y[i] ?? null;
      if (x === null || y === null) {
        before = null;
        continue;
      }
      const here: [number, number] = [frame.x(x) - left, frame.y(y) - top];
      let away = here[0] ** 2 + here[1] ** 2;
      if (before && !line.dots) {
        const [dx, dy] = [here[0] - before[0], here[1] - before[1]];
        const length = dx * dx + dy * dy;
        const at = length > 0 ? Math.min(1, Math.max(0, -(before[0] * dx + before[1] * dy) / length)) : 0;
        away = (before[0] + at * dx) ** 2 + (before[1] + at * dy) ** 2;
      }
      if (away < best) {
        best = away;
        found = { line, point: i };
      }
      before = here;
    }
  }
  return found;
}

// The point of a line at a time, between its points if need be.
function pointAt(line: BundleLine, time: number): [number, number] | null {
  const times = line.time ?? [];
  let low = 0;
  while (low + 1 < times.length && times[low + 1]! <= time) ++low;
  const high = Math.min(low + 1, times.length - 1);
  const [x0, y0, x1, y1] = [line.x[low], line.y[low], line.x[high], line.y[high]];
  if (x0 == null || y0 == null || x1 == null || y1 == null) return null;
  const width = times[high]! - times[low]!;
  const share = width > 0 ? Math.min(1, Math.max(0, (time - times[low]!) / width)) : 0;
  return [x0 + share * (x1 - x0), y0 + share * (y1 - y0)];
}

// Dots that go along the lines of a portrait with the time of the page.
function followTime(u: uPlot, lines: BundleLine[], units: [number, number]): () => void {
  const moving = lines.filter((line) => line.time).map((line) => ({ line, dot: element("div", { class: "dot" }) }));
  u.over.append(...moving.map(({ dot }) => dot));
  const place = () => {
    const frame = frameOf(u, units, 0, 0, u.over.clientWidth, u.over.clientHeight);
    for (const { line, dot } of moving) {
      const point = pointAt(line, clock.time);
      const [left, top] = point ? [frame.x(point[0]), frame.y(point[1])] : [-1, -1];
      const inside = left >= 0 && top >= 0 && left <= u.over.clientWidth && top <= u.over.clientHeight;
      dot.style.display = inside ? "" : "none";
      if (inside) dot.style.transform = `translate(${left}px, ${top}px)`;
    }
  };
  clock.onTime(place);
  return place;
}

export function makeBundle(options: BundleOptions): HTMLElement {
  const { lines } = options;
  const overTime = options.xName === "t";
  const told = element("span", { class: "told" });
  const remark = options.remark ? element("span", { class: "unit" }, ` ${options.remark}`) : null;
  const caption = element("figcaption", {}, element("span", { class: "title" }, options.title, remark), told);
  const spoken = `${options.title}: ${options.yName} over ${options.xName}, ${lines.length} lines`;
  const canvas = element("div", { class: "canvas", role: "img", "aria-label": spoken });
  const figure = element("figure", { class: "plot" }, caption, canvas);

  const unit = (lists: Numeric[][]) => drawingUnit(extent(lists));
  const xs = lines.map(({ x }) => x);
  const ys = lines.map(({ y }) => y);
  const units: [number, number] = [overTime ? 1 : unit(xs), unit(ys)];
  const scaled = (lists: Numeric[][], by: number) => extent(lists).map((value) => (value === null ? null : value / by));
  const [x0 = null, x1 = null] = scaled(xs, units[0]);
  const [y0 = null, y1 = null] = scaled(ys, units[1]);
  const isTime = overTime && x0 !== null && x1 !== null && x1 > x0;
  const plain = undefined as unknown as uPlot; // ranges do not look at it
  const wholeX = isTime ? [x0, x1] : valueRange(plain, x0, x1);
  const wholeY = valueRange(plain, y0, y1);
  let picked: BundleLine | null = null;
  let placeDots = () => {};

  const axis: uPlot.Axis = {
    stroke: () => colour("--muted"),
    font: axisFont,
    grid: { stroke: () => colour("--grid"), width: 1 },
    ticks: { show: false },
    gap: 6,
  };
  const showCursor = (u: uPlot) => {
    const { left = -1, top = -1 } = u.cursor;
    const found = left < 0 ? null : nearest(u, lines, units, left, top);
    told.textContent = "";
    if (found) {
      const [x, y] = [found.line.x[found.point], found.line.y[found.point]];
      const place = overTime ? `t = ${withUnit(x, "s", 4)}` : `${options.xName} = ${number(x, 5)}`;
      told.textContent = `${[found.line.name, place].filter(Boolean).join(", ")}: ${number(y, 5)}`;
    }
    if ((found?.line ?? null) === picked) return;
    picked = found && lines.length > 1 ? found.line : null;
    u.redraw(false, false);
  };
  const plot = new uPlot(
    {
      width: 400,
      height: 180,
      padding: [8, 14, 0, 0],
      legend: { show: false },
      scales: {
        x: { time: false, ...(isTime ? {} : { range: (_u, min, max) => [min, max] }) },
        // In a plot over time all values stay in sight; a portrait is zoomed both ways.
        y: {
          range: (u, min, max) => {
            const { min: left, max: right } = u.scales["x"] ?? {};
            const isWhole = left == null || right == null || (left <= wholeX[0]! && right >= wholeX[1]!);
            return overTime || isWhole || min == null || max == null || min >= max ? wholeY : [min, max];
          },
        },
      },
      axes: [
        { ...axis, ...ticks(70), values: overTime ? timeTexts : tickTexts(units[0]), size: 26 },
        { ...axis, ...ticks(22), values: tickTexts(units[1]), size: axisSize },
      ],
      series: [{}, { stroke: "transparent", points: { show: false } }],
      cursor: {
        y: !overTime,
        ...(overTime ? { sync: { key: "run", scales: ["x", null] } } : {}),
        points: { show: false },
        drag: { x: true, y: !overTime, dist: 4, ...(overTime ? {} : { uni: 30 }) },
      },
      hooks: {
        draw: [(u) => draw(u, lines, units, picked)],
        setCursor: [showCursor],
        setScale: [tellZoom, () => placeDots()],
        setSize: [() => placeDots()],
      },
    },
    [
      [wholeX[0]!, wholeX[1]!],
      [wholeY[0]!, wholeY[1]!],
    ] as uPlot.AlignedData,
    canvas,
  );
  if (y0 === null) canvas.append(element("p", { class: "empty" }, "No finite numbers."));
  if (!overTime) placeDots = followTime(plot, lines, units);
  addPlot(plot, canvas, overTime, () => placeDots());
  return figure;
}
