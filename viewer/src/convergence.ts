// The page of a convergence study: the order of every probe, and its errors over the steps.
import type { ConvergenceData, ConvergenceProbe } from "./data";
import { element, section, table } from "./dom";
import { badge } from "./facts";
import { duration, number, plural, whole, withUnit } from "./format";
import { sceneSection, studyPage, titleBar } from "./parts";
import { makePlot } from "./plots";

const orderText = (probe: ConvergenceProbe) => (probe.order === null ? "none" : number(probe.order, 3));

function header({ scene, study, version }: ConvergenceData): HTMLElement {
  const badges = element("p", { class: "badges" });
  const failed = study.runs.filter((run) => !run.completed).length;
  badges.append(
    failed === 0
      ? badge(plural(study.runs.length, "run", "runs"), "good", "✓")
      : badge(`${plural(failed, "run", "runs")} of ${study.runs.length} did not complete`, "warn", "!"),
  );
  return element("header", {}, ...titleBar(scene, study.scene, badges, version, "convergence"));
}

function ordersSection({ study }: ConvergenceData): HTMLElement {
  const rows = study.probes.map((probe) => {
    const slopes = probe.points.map((point) => point.slope).filter((slope): slope is number => slope !== null);
    const range = slopes.length > 0 ? `${number(Math.min(...slopes), 3)} to ${number(Math.max(...slopes), 3)}` : "–";
    return [
      probe.name,
      orderText(probe),
      range,
      number(probe.points[0]?.error, 3),
      number(probe.points[probe.points.length - 1]?.error, 3),
      probe.reference ?? `run with the step ${withUnit(study.reference_step, "s", 4)}`,
    ];
  });
  const columns = [
    { title: "Probe" },
    { title: "Order", kind: "number" as const, hint: "Slope of log(error) over log(step), by least squares" },
    { title: "Slopes", kind: "number" as const, hint: "From one step to the next" },
    { title: "Largest step", kind: "number" as const, hint: "Error with the largest step" },
    { title: "Smallest step", kind: "number" as const, hint: "Error with the smallest step" },
    { title: "Reference" },
  ];
  const norm = "The error is Σ|f − f_ref| / Σ|f_ref| over all steps of a run.";
  const absolute = study.probes.filter((probe) => probe.norm === "absolute").map((probe) => probe.name);
  return section(
    "orders",
    "Orders",
    element("p", { class: "note" }, norm),
    ...study.notes.map((text) => element("p", { class: "note" }, `${text.charAt(0).toUpperCase()}${text.slice(1)}.`)),
    absolute.length > 0
      ? element("p", { class: "note" }, `Mean of |f − f_ref|, because f_ref is zero in some runs: ${absolute.join(", ")}.`)
      : null,
    table("How fast probes converge with the step", columns, rows),
  );
}

const fit = (order: number, factor: number, steps: number[]) => ({
  values: steps.map((step) => factor * step ** order),
  dashed: true,
  silent: true,
});

function errorPlot(probe: ConvergenceProbe): HTMLElement {
  const points = [...probe.points].reverse(); // plots want increasing abscissae
  const steps = points.map((point) => point.step);
  const { order, factor } = probe;
  const measured = { name: "error", values: points.map((point) => point.error) };
  const lines =
    order === null || factor === null
      ? [measured]
      : [measured, { ...fit(order, factor, steps), name: `order ${orderText(probe)}` }];
  return makePlot({ title: probe.name, time: steps, lines, powers: true, overSteps: true });
}

function runsSection({ study }: ConvergenceData): HTMLElement {
  const rows = study.runs.map((run) => [
    withUnit(run.step, "s", 6) + (run.is_reference ? " (reference)" : ""),
    whole(run.steps),
    duration(run.wall_seconds),
    run.completed ? badge("complete", "good", "✓") : badge("stopped", "warn", "!"),
    run.failure,
  ]);
  const columns = [
    { title: "Step" },
    { title: "Steps", kind: "number" as const },
    { title: "Wall time", kind: "number" as const },
    { title: "Status" },
    { title: "Why" },
  ];
  return section("runs", "Runs", table("The runs of this study", columns, rows));
}

export function convergenceParts(data: ConvergenceData): HTMLElement[] {
  const orders = ordersSection(data);
  const plots = section(
    "errors",
    "Errors over the step",
    element("p", { class: "note" }, "Both axes are logarithmic. Drag to zoom, double-click to return."),
    element("div", { class: "plots" }, ...data.study.probes.map(errorPlot)),
  );
  const sections = [orders, plots, runsSection(data), sceneSection(data.scene, data.study.overrides)];
  return studyPage(header(data), sections, data.version);
}
