// Where the energy went: the account of the whole run, and its entries over time.
import type { Column, Energy, History, Numeric } from "./data";
import { timeOf } from "./data";
import { element, section, table } from "./dom";
import { number, percent, words } from "./format";
import { makePlot } from "./plots";

interface Entry {
  title: string;
  value: Numeric | undefined;
  kind: "level" | "change" | "part"; // energy of the system, change of it, part of the entry above
  optional?: boolean; // not listed if nothing happened
}

const negative = (value: Numeric | undefined) => (value ? -value : (value ?? null));

function entries(energy: Partial<Energy>): Entry[] {
  return [
    { title: "Energy at the start", value: energy.initial, kind: "level" },
    { title: "Work of loads", value: energy.work_loads, kind: "change" },
    { title: "Work of drivers", value: energy.work_drivers, kind: "change", optional: true },
    { title: "Damping", value: negative(energy.dissipated_damping), kind: "change" },
    { title: "Contacts, normal", value: energy.contact_normal, kind: "change" },
    { title: "of this, given", value: energy.contact_normal_positive, kind: "part", optional: true },
    { title: "Contacts, tangential", value: energy.contact_tangential, kind: "change" },
    { title: "of this, given", value: energy.contact_tangential_positive, kind: "part", optional: true },
    { title: "Contacts, rolling and spinning", value: energy.contact_resistance, kind: "change", optional: true },
    { title: "of this, given", value: energy.contact_resistance_positive, kind: "part", optional: true },
    { title: "of all, created", value: energy.contact_created, kind: "part" },
    { title: "Joints", value: energy.joints, kind: "change", optional: true },
    { title: "Bodies that appeared", value: energy.appeared, kind: "change", optional: true },
    { title: "Projection", value: energy.projection, kind: "change", optional: true },
    { title: "Numerical", value: energy.numerical, kind: "change" },
    { title: "Closing error", value: energy.closing_error, kind: "change" },
    { title: "Energy at the end", value: energy.final, kind: "level" },
  ];
}

// A bar from the middle: to the right what came in, to the left what went out. The largest change is the full length.
function bar(share: number): HTMLElement {
  const width = Math.abs(share) * 50;
  const fill = element("span", { class: share < 0 ? "fill out" : "fill in" });
  fill.style.width = `${width}%`;
  fill.style.left = `${share < 0 ? 50 - width : 50}%`;
  return element("span", { class: "bar", "aria-hidden": "true" }, fill);
}

function ledgerTable(energy: Partial<Energy>): HTMLElement {
  const scale = energy.scale ?? 0;
  const listed = entries(energy).filter((entry) => !(entry.optional && !entry.value));
  const changes = listed.filter((entry) => entry.kind === "change").map((entry) => Math.abs(entry.value ?? 0));
  const largest = Math.max(...changes);
  const rows = listed.map((entry) => {
    const share = scale > 0 && typeof entry.value === "number" ? entry.value / scale : null;
    return [
      element("span", { class: entry.kind }, entry.title),
      number(entry.value, 8),
      share !== null && entry.kind !== "level" ? percent(share) : "",
      entry.kind === "change" && largest > 0 ? bar((entry.value ?? 0) / largest) : "",
    ];
  });
  const columns = [
    { title: "Entry" },
    { title: "J", kind: "number" as const },
    { title: "Of scale", kind: "number" as const, hint: "As a share of the energies that moved in this run" },
    {
      title: "Out   |   in",
      kind: "middle" as const,
      hint: "To the left what left the bodies, to the right what they were given",
    },
  ];
  return table("Account of the whole run", columns, rows, "ledger");
}

function closingSentence(energy: Partial<Energy>): string {
  if (typeof energy.closing_error !== "number" || !energy.scale) return "";
  if (energy.closing_error === 0) return "Every joule is accounted for.";
  const share = Math.abs(energy.closing_error) / energy.scale;
  return (
    `Every joule is accounted for but ${number(Math.abs(energy.closing_error), 2)} J, ` +
    `${number(share, 2)} of the scale of ${number(energy.scale, 4)} J (the energies that moved).`
  );
}

const workTitles: Record<string, string> = {
  work_loads: "loads",
  work_drivers: "drivers",
  dissipated_damping: "damping",
  contact_normal: "contacts, normal",
  contact_tangential: "contacts, tangential",
  contact_resistance: "contacts, rolling",
  joints: "joints",
  projection: "projection",
  appeared: "bodies that appeared",
  numerical: "numerical",
};

// Works on the bodies, also that of dampers, so that all signs mean the same. Those that are nothing but round-off of the
// energies that moved are left out.
function workLines(columns: Column[], scale: number): Column[] {
  const lines = columns.map(({ name, values }) => ({
    name: workTitles[name] ?? words(name),
    values: name === "dissipated_damping" ? values.map(negative) : values,
  }));
  const busy = lines.filter((line) => line.values.some((value) => Math.abs(value ?? 0) > 1e-9 * scale));
  return busy.length > 0 ? busy : lines.slice(0, 1);
}

export function energySection(energy: Partial<Energy> | undefined, history: History): HTMLElement {
  const levels = makePlot({
    title: "Energy",
    unit: "J",
    time: timeOf(history.energy, history),
    lines: history.energy.columns,
  });
  const works = makePlot({
    title: "Work on the bodies",
    unit: "J",
    time: timeOf(history.works, history),
    lines: workLines(history.works.columns, energy?.scale ?? 0),
  });
  const closing = makePlot({
    title: "Closing error",
    unit: "J",
    time: timeOf(history.closing_error, history),
    lines: history.closing_error.columns.map((column) => ({ ...column, name: "Closing error" })),
  });
  return section(
    "energy",
    "Energy",
    energy ? element("p", { class: "note" }, closingSentence(energy)) : null,
    element("div", { class: "pair" }, energy ? ledgerTable(energy) : null, levels),
    element("div", { class: "plots wide" }, works, closing),
  );
}
