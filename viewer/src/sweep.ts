// The page of a sweep: many samples of one scene, their histories in common plots, coloured by what was varied, and
// what they end with over it.
import { type BundleLine, makeBundle } from "./bundle";
import { clock } from "./clock";
import type { Numeric, PlotLine, SweepData, SweepVariation } from "./data";
import { element, section, table } from "./dom";
import { badge } from "./facts";
import { duration, number, plural, whole, withUnit } from "./format";
import { portraitsSection } from "./portraits";
import { sceneSection, studyPage, titleBar } from "./parts";

// A varied value as a place on an axis: the number itself, or the place of a word among the words.
function places(variation: SweepVariation): { values: number[]; words: string[] | null } {
  if (variation.numbers.every((value) => value !== null)) return { values: variation.numbers as number[], words: null };
  const words = [...new Set(variation.texts)];
  return { values: variation.texts.map((text) => words.indexOf(text)), words };
}

// 0 to 1 between the smallest and the largest.
function shares(values: number[]): number[] {
  const least = values.reduce((a, b) => Math.min(a, b), Infinity);
  const most = values.reduce((a, b) => Math.max(a, b), -Infinity);
  return values.map((value) => (most > least ? (value - least) / (most - least) : 0.5));
}

const shortName = (path: string) => path.replace(/^parameters\./, "");

function header({ scene, study, version }: SweepData): HTMLElement {
  const badges = element("p", { class: "badges" });
  const count = plural(study.finished, "sample", "samples");
  badges.append(study.complete ? badge(count, "good", "✓") : badge(`${count} of ${study.planned}`, "warn", "!"));
  if (study.failed > 0) badges.append(badge(`${study.failed} did not run to the end`, "bad", "✗"));
  return element("header", {}, ...titleBar(scene, study.scene, badges, version, "sweep"));
}

function samplesSection({ study, points }: SweepData): HTMLElement {
  const varied = points.vary.map(({ path, range, texts }) => [path, range, whole(new Set(texts).size)]);
  const random = points.vary.some(({ range }) => /^(uniform|normal)\(/.test(range));
  const failures = study.failures.map(({ sample, values, status, time, reason }) => [
    whole(sample),
    values.join(", "),
    status,
    status === "stopped" ? withUnit(time, "s") : "–",
    `${reason}.`,
  ]);
  const left = study.failed - study.failures.length;
  return section(
    "samples",
    "Samples",
    element(
      "p",
      { class: "note" },
      `All samples together took ${duration(study.seconds)} of one core. sweep.csv and sweep.json have every number.` +
        (random ? ` Random values are those of the seed ${study.seed}.` : ""),
    ),
    table("What was varied", [{ title: "Path" }, { title: "Values" }, { title: "Different", kind: "number" }], varied),
    failures.length > 0
      ? table(
          "Samples that did not run to their end",
          [
            { title: "Sample" },
            { title: "Values" },
            { title: "Status" },
            { title: "At", kind: "number" },
            { title: "Reason" },
          ],
          failures,
        )
      : null,
    left > 0 ? element("p", { class: "note" }, `${plural(left, "more is", "more are")} in sweep.csv.`) : null,
  );
}

// The colours of the lines in words.
function rampKey(variation: SweepVariation): HTMLElement {
  const { values, words } = places(variation);
  const ends = words
    ? [words[0], words[words.length - 1]]
    : [Math.min(...values), Math.max(...values)].map((value) => number(value, 4));
  const middle = words && words.length > 2 ? ` (${words.join(", ")})` : "";
  return element(
    "p",
    { class: "ramp-key" },
    element("span", {}, `${shortName(variation.path)}${middle}:`),
    element("span", {}, ends[0] ?? ""),
    element("span", { class: "ramp", "aria-hidden": "true" }),
    element("span", {}, ends[1] ?? ""),
  );
}

// The values of a sample in words, and its colour by the variation `by`.
function styles({ points }: SweepData, by: number): Map<number, Partial<BundleLine>> {
  const variation = points.vary[by];
  const colours = variation ? shares(places(variation).values) : [];
  return new Map(
    points.sample.map((sample, i) => {
      const name = points.vary.map(({ path, numbers, texts }) => {
        const value = numbers[i] ?? null;
        return `${shortName(path)} = ${value === null ? texts[i] : number(value, 4)}`;
      });
      return [sample, { name: name.join(", "), share: colours[i] ?? null }];
    }),
  );
}

function historiesSection(data: SweepData, by: number): HTMLElement | null {
  if (data.plots.length === 0) return null;
  const style = styles(data, by);
  const figures = data.plots.map(({ name, lines }) =>
    makeBundle({
      title: name,
      xName: "t",
      yName: name,
      lines: lines.map((line) => ({
        name: "",
        x: line.time,
        y: line.columns[0] ?? [],
        ...style.get(line.sample ?? -1),
      })),
    }),
  );
  const drawn = data.plots[0]?.lines.length ?? 0;
  const all = data.study.finished;
  const some = drawn < all ? ` ${whole(drawn)} of ${whole(all)} samples are drawn.` : "";
  const use = "Go near a line to see whose it is; drag to zoom, double-click to return.";
  const variation = data.points.vary[by];
  return section(
    "histories",
    "Histories",
    element("p", { class: "note" }, use + some),
    variation ? rampKey(variation) : null,
    element("div", { class: "plots" }, ...figures),
  );
}

// Dots over the values of one variation; a second one gives the colours.
function endsSection(data: SweepData, by: number): HTMLElement | null {
  const { points } = data;
  const variation = points.vary[by];
  if (!variation || points.sample.length === 0) return null;
  const other = points.vary.findIndex((_each, i) => i !== by);
  const style = styles(data, other < 0 ? by : other);
  const { values } = places(variation);
  const dot = (sample: number, i: number, y: Numeric, more: Partial<BundleLine> = {}): BundleLine => ({
    name: style.get(sample)?.name ?? "",
    x: [values[i] ?? null],
    y: [y],
    dots: true,
    ...more,
  });
  const xName = shortName(variation.path);
  const probes = points.probes.map(({ name, last, min, max }) =>
    makeBundle({
      title: name,
      remark: `at the end, and its range, over ${xName}`,
      xName,
      yName: name,
      lines: [
        ...points.sample.map((_sample, i): BundleLine => {
          const x = values[i] ?? null;
          return { name: "", x: [x, x], y: [min[i] ?? null, max[i] ?? null], colour: "--rule", silent: true };
        }),
        ...points.sample.map((sample, i) =>
          dot(sample, i, last[i] ?? null, other < 0 ? {} : { share: style.get(sample)?.share ?? null }),
        ),
      ],
    }),
  );
  const colours: Record<string, string> = { holds: "--line-3", fails: "--line-2" };
  const facts = points.facts
    .filter(({ found }) => found.some((value) => value !== null))
    .map(({ name, found, verdict }) =>
      makeBundle({
        title: name,
        remark: `found, over ${xName}`,
        xName,
        yName: name,
        lines: points.sample.map((sample, i) =>
          dot(sample, i, found[i] ?? null, { colour: colours[verdict[i] ?? ""] ?? "--muted" }),
        ),
      }),
    );
  const key =
    facts.length > 0 ? " Facts are green where they hold, orange where they fail, grey where they do not apply." : "";
  const what = "A dot is the last value of a probe, the line through it goes from its smallest to its largest.";
  const second = points.vary[other];
  const { words } = places(variation);
  const axis = words ? ` ${words.map((word, i) => `${i}: ${word}`).join(", ")}.` : "";
  return section(
    "ends",
    `Over ${xName}`,
    element("p", { class: "note" }, `${what}${key}${axis}`),
    second ? rampKey(second) : null,
    element("div", { class: "plots" }, ...probes, ...facts),
  );
}

export function sweepParts(data: SweepData): HTMLElement[] {
  const times = data.plots.flatMap(({ lines }) => lines.map(({ time }) => time[time.length - 1] ?? 0));
  clock.setRange(0, times.reduce((a, b) => Math.max(a, b), 0));
  const style = styles(data, 0);
  const variations = data.points.vary.map((_each, i) => i);
  const ends = variations.map((by) => {
    const part = endsSection(data, by);
    if (part && by > 0) {
      part.id = `ends-${by}`;
      part.querySelector("h2")?.setAttribute("id", `ends-${by}-title`);
      part.setAttribute("aria-labelledby", `ends-${by}-title`);
    }
    return part;
  });
  const sections = [
    samplesSection(data),
    historiesSection(data, 0),
    portraitsSection(data.portraits, (line: PlotLine) => style.get(line.sample ?? -1) ?? {}),
    ...ends,
    sceneSection(data.scene, data.study.overrides),
  ].filter((part): part is HTMLElement => part !== null);
  return studyPage(header(data), sections, data.version);
}
