// The page of a comparison: several schemes on one scene, their numbers side by side and their probes in common plots.
import { clock } from "./clock";
import type { ComparisonData, ComparisonEntry, Expectation, Numeric } from "./data";
import { element, section, table, type TableColumn } from "./dom";
import { badge, expectedText, factCounts, verdict } from "./facts";
import { duration, number, plural, whole, withUnit } from "./format";
import { sceneSection, studyPage, titleBar } from "./parts";
import { lineColours, makePlot } from "./plots";
import { portraitsSection } from "./portraits";

type Cell = Node | string;

function header({ scene, study, version }: ComparisonData): HTMLElement {
  const badges = element("p", { class: "badges" });
  const stopped = study.entries.filter(({ summary }) => !summary.complete);
  badges.append(
    stopped.length === 0
      ? badge(plural(study.entries.length, "run", "runs"), "good", "✓")
      : badge(`${plural(stopped.length, "run", "runs")} stopped early`, "warn", "!"),
  );
  const reasons = stopped.map(({ entry, summary }) =>
    element(
      "p",
      { class: "callout" },
      `${entry} stopped at t = ${withUnit(summary.stopped?.time, "s")}: ${summary.stopped?.reason ?? "nobody knows why"}.`,
    ),
  );
  return element("header", {}, ...titleBar(scene, study.scene, badges, version, "comparison"), ...reasons);
}

const entryColumns = (entries: ComparisonEntry[]): TableColumn[] =>
  entries.map(({ entry }) => ({ title: entry, kind: "number" }));

function factsHeld({ summary }: ComparisonEntry): Cell {
  const { holds, fails, not_reached: missed } = factCounts(summary.expectations ?? []);
  const judged = holds + fails + missed;
  if (judged === 0) return "–";
  return badge(`${holds} of ${judged}`, holds === judged ? "good" : "bad", holds === judged ? "✓" : "✗");
}

// What all runs were told is said once.
function noticesOf(entries: ComparisonEntry[]): string[] {
  const all = new Set(entries.flatMap(({ notices }) => notices));
  return [...all].map((notice) => {
    const told = entries.filter(({ notices }) => notices.includes(notice));
    const who = told.length === entries.length ? "" : `${told.map(({ entry }) => entry).join(", ")}: `;
    return `${who}${notice}.`;
  });
}

function numbersSection({ study }: ComparisonData): HTMLElement {
  const { entries } = study;
  const rows: Cell[][] = [];
  const add = (title: string, cell: (entry: ComparisonEntry) => Cell) => rows.push([title, ...entries.map(cell)]);
  const energy = (title: string, key: string) => add(title, ({ row }) => withUnit(row[key], "J", 5));
  add("Whole result", ({ directory }) => element("a", { href: `${directory}/report.html` }, "report"));
  add("Simulated", ({ row }) => withUnit(row["stopped_at"], "s"));
  add("Steps", ({ row }) => whole(row["steps"]));
  add("Wall time", ({ row }) => duration(row["wall_seconds"]));
  add("Time of a step", ({ row }) => withUnit(row["ms_per_step"], "ms", 3));
  add("Iterations", ({ row }) => `${number(row["iterations_mean"], 3)} mean, ${whole(row["iterations_max"])} at most`);
  energy("Energy at the start", "energy_initial");
  energy("Energy at the end", "energy_final");
  energy("Given by the scheme itself", "energy_numerical");
  energy("Given by contacts", "energy_contact");
  add("Unexplained energy", ({ row }) => withUnit(row["energy_closing_error"], "J", 2));
  add("Deepest penetration", ({ row }) => withUnit(row["max_penetration"], "m", 3));
  add("Largest joint error", ({ row }) => withUnit(row["max_joint_error"], "m", 3));
  add("Facts that hold", factsHeld);
  return section(
    "numbers",
    "Numbers",
    ...noticesOf(entries).map((text) => element("p", { class: "note" }, text)),
    table("The runs side by side", [{ title: "" }, ...entryColumns(entries)], rows),
  );
}

function probesSection({ study, plots }: ComparisonData): HTMLElement | null {
  if (plots.length === 0) return null;
  const use = "All plots share one cursor and one zoom: click to mark a time, drag to zoom, double-click to return.";
  // Where lines fall together, the first is seen as a rim around the others.
  const widths = (count: number, i: number) => 1.5 + Math.min(1.5, 4.5 / count) * (count - 1 - i);
  const figures = plots.map(({ name, time, columns }) =>
    makePlot({
      title: name,
      time,
      lines: columns.map((column, i) => ({ ...column, width: widths(columns.length, i) })),
    }),
  );
  const share = (value: Numeric | undefined) => number(value, 3);
  const rows = plots.flatMap(({ name }) => [
    [`${name}, last value`, ...study.entries.map(({ probes }) => number(probes[name]?.last))],
    [
      `${name}, difference`,
      ...study.entries.map(({ probes }, i) => (i === 0 ? "first" : share(probes[name]?.difference))),
    ],
  ]);
  return section(
    "probes",
    "Probes",
    element("p", { class: "note" }, use),
    element("div", { class: "plots" }, ...figures),
    element("p", { class: "note" }, "The difference is Σ|f − f₁| / Σ|f₁| over all rows; f₁ is that of the first run."),
    table("Where probes end, and how they differ", [{ title: "Probe" }, ...entryColumns(study.entries)], rows),
  );
}

// Facts by their names: a fact may belong to some of the runs only.
function factsSection({ study }: ComparisonData): HTMLElement | null {
  const facts = new Map<string, Map<ComparisonEntry, Expectation>>();
  for (const entry of study.entries) {
    for (const fact of entry.summary.expectations ?? []) {
      if (!facts.has(fact.fact)) facts.set(fact.fact, new Map());
      facts.get(fact.fact)?.set(entry, fact);
    }
  }
  if (facts.size === 0) return null;
  const cell = (fact: Expectation | undefined): Cell => {
    if (!fact) return "–";
    if (fact.status === "not_applicable") return verdict(fact);
    return element("span", {}, verdict(fact), ` ${number(fact.found, 6)}`);
  };
  const rows = [...facts].flatMap(([name, found]) => {
    const judged = [...found.values()].find((fact) => fact.status !== "not_applicable");
    return judged ? [[name, expectedText(judged), ...study.entries.map((entry) => cell(found.get(entry)))]] : [];
  });
  const others = facts.size - rows.length;
  const columns: TableColumn[] = [
    { title: "Fact" },
    { title: "Expected", kind: "number" },
    ...study.entries.map(({ entry }): TableColumn => ({ title: entry })),
  ];
  return section(
    "facts",
    "Facts",
    others > 0 ? element("p", { class: "note" }, `${plural(others, "fact applies", "facts apply")} to no run.`) : null,
    rows.length > 0 ? table("What must come out, and what did", columns, rows) : null,
  );
}

export function comparisonParts(data: ComparisonData): HTMLElement[] {
  const times = data.plots[0]?.time ?? [0];
  clock.setRange(times[0] ?? 0, times[times.length - 1] ?? 0);
  const sections = [
    numbersSection(data),
    probesSection(data),
    portraitsSection(data.portraits, ({ sample = 0, time }) => ({
      name: data.study.entries[sample]?.entry ?? "",
      colour: lineColours[sample % lineColours.length] ?? "",
      time,
    })),
    factsSection(data),
    sceneSection(data.scene, data.study.overrides),
  ].filter((part): part is HTMLElement => part !== null);
  return studyPage(header(data), sections, data.version);
}
