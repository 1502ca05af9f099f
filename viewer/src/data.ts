// The data of the page: what src/ricochet/io/report.cpp writes into the element `data`. Numbers that JSON cannot write
// (NaN, infinity) are null. The summary is summary.json as it was found; a part of it that is missing is not shown.

import type { ReplayText } from "./replay/data";

export type Numeric = number | null;

export interface Column {
  name: string;
  values: Numeric[];
}

// Columns over time. A thinned table has its own times; all others share those of the history.
export interface Table {
  time?: number[];
  columns: Column[];
}

export interface History {
  rows: number; // before thinning
  time: number[] | null;
  probes: Table[]; // of one column each
  energy: Table; // J: kinetic, potential, total
  works: Table; // J since the start: work_loads, work_drivers, dissipated_damping, contact_normal, contact_tangential,
  // contact_resistance, joints, projection, appeared, numerical
  closing_error: Table; // J
  contacts: Table; // how many are active
  penetration: Table; // m, of the worst contact
  iterations: Table;
  residual: Table;
}

export interface ContactLine {
  name: string;
  normal: number; // N s, over the run
  tangential: number; // N s, over the run
  stick: number; // share of the run, 0 to 1
  slip: number;
  penetration: number; // m, the deepest
}

export interface Expectation {
  fact: string;
  relation?: "equal" | "at_least" | "at_most"; // to `expected`; of two bounds that which came nearest
  expected: Numeric;
  lower?: Numeric; // bounds; null or missing if there is none
  upper?: Numeric;
  found: Numeric;
  tolerance: Numeric;
  holds: boolean | null;
  source: string;
  status: "holds" | "fails" | "not_applicable" | "not_reached";
  detail: string;
}

export interface Energy {
  initial: Numeric;
  final: Numeric;
  work_loads: Numeric;
  work_drivers: Numeric;
  dissipated_damping: Numeric;
  contact_normal: Numeric;
  contact_tangential: Numeric;
  contact_resistance: Numeric;
  contact_normal_positive: Numeric;
  contact_tangential_positive: Numeric;
  contact_resistance_positive: Numeric;
  contact_created: Numeric;
  joints: Numeric;
  projection: Numeric;
  appeared: Numeric;
  numerical: Numeric;
  closing_error: Numeric;
  scale: Numeric;
}

export interface Summary {
  complete: boolean;
  stopped?: { time: Numeric; reason: string };
  scene?: string;
  overrides?: string[];
  version?: string;
  integrator?: { scheme?: string; step?: Numeric } & Record<string, unknown>;
  steps?: number;
  wall_seconds?: Numeric;
  bodies?: number;
  contacts?: { mean: Numeric; max: Numeric };
  solver?: {
    iterations_mean: Numeric;
    iterations_max: Numeric;
    worst_residual: Numeric;
    unconverged_steps: Numeric;
    tolerance?: Numeric;
  };
  constraints?: { max_penetration: Numeric; max_joint_error: Numeric };
  energy?: Partial<Energy>;
  state_hash?: string;
  expectations?: Expectation[];
}

export interface SceneText {
  name: string;
  description: string;
  variant: string; // its description
  text: string;
}

// Probe y over probe x; one line per run. In a plot over time a line has one column.
export interface PlotLine {
  sample?: number; // of a sweep; in a comparison the number of the entry
  time: number[];
  columns: Numeric[][];
}

export interface Portrait {
  name: string;
  x: string;
  y: string;
  lines: PlotLine[];
}

export interface ReportData {
  kind?: undefined; // a run
  format: number;
  program: string;
  version: string; // of the program that made the page
  summary: Summary;
  scene: SceneText;
  history: History;
  portraits: Portrait[];
  contacts: { identities: number; list: ContactLine[] };
  replay: ReplayText | null; // null: an older result
}

// A study of convergence: src/ricochet/io/convergence_output.hpp.
export interface ConvergenceProbe {
  name: string;
  reference: string | null; // an expression; null: the run with the reference step
  norm: "relative" | "absolute";
  interpolated: boolean;
  order: Numeric;
  order_uncorrected: Numeric;
  factor: Numeric; // C of the line C h^order
  points: { step: number; error: Numeric; slope: Numeric; last: Numeric }[]; // from the largest step on
}

export interface ConvergenceRun {
  step: number;
  completed: boolean;
  failure: string;
  steps: number;
  wall_seconds: number;
  is_reference: boolean;
}

export interface ConvergenceData {
  kind: "convergence";
  version: string;
  scene: SceneText;
  study: {
    complete: boolean;
    scene: string;
    overrides: string[];
    end: number;
    reference_step: Numeric;
    notes: string[];
    runs: ConvergenceRun[];
    probes: ConvergenceProbe[];
  };
}

// Several runs of one scene: src/ricochet/io/comparison_output.hpp.
export interface ComparisonEntry {
  entry: string;
  directory: string;
  notices: string[];
  row: Record<string, Numeric>;
  probes: Record<string, { last: Numeric; difference: Numeric }>;
  summary: Summary;
}

export interface ComparisonData {
  kind: "comparison";
  version: string;
  scene: SceneText;
  study: { scene: string; overrides: string[]; entries: ComparisonEntry[] };
  plots: { name: string; time: number[]; columns: Column[] }[]; // one per probe, one column per entry
  portraits: Portrait[]; // `sample` is the number of the entry
}

// Many samples of one scene: src/ricochet/io/sweep_output.hpp. `points` has one entry per sample in every list.
export interface SweepVariation {
  path: string;
  range: string; // as it was asked for
  texts: string[];
  numbers: Numeric[]; // null: no number as such
}

export interface SweepFailure {
  sample: number;
  values: string[];
  status: string;
  time: Numeric;
  reason: string;
}

export interface SweepData {
  kind: "sweep";
  version: string;
  scene: SceneText;
  study: {
    complete: boolean;
    scene: string;
    overrides: string[];
    seed: number;
    planned: number;
    finished: number;
    failed: number;
    failures: SweepFailure[]; // the first of them
    seconds: number; // of all samples together
  };
  points: {
    sample: number[];
    status: string[];
    vary: SweepVariation[];
    probes: { name: string; last: Numeric[]; min: Numeric[]; max: Numeric[] }[];
    facts: { name: string; found: Numeric[]; verdict: string[] }[];
  };
  plots: { name: string; lines: PlotLine[] }[]; // one per probe
  portraits: Portrait[];
}

export type PageData = ReportData | ConvergenceData | ComparisonData | SweepData;

export function readData(): PageData {
  return JSON.parse(document.getElementById("data")?.textContent ?? "") as PageData;
}

export function timeOf(table: Table, history: History): number[] {
  return table.time ?? history.time ?? [];
}
