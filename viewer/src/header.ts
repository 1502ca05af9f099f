// The top of the page: which scene, and how it ended; and the numbers that say how it was computed.
import type { Numeric, ReportData, Summary } from "./data";
import { element, section } from "./dom";
import { badge, factCounts } from "./facts";
import { duration, number, plural, whole, withUnit, words } from "./format";
import { titleBar } from "./parts";

function badges(summary: Summary): HTMLElement {
  const list = element("p", { class: "badges" });
  list.append(summary.complete ? badge("complete", "good", "✓") : badge("stopped early", "warn", "!"));
  const { holds, fails, not_reached: missed } = factCounts(summary.expectations ?? []);
  if (fails > 0) list.append(badge(plural(fails, "fact fails", "facts fail"), "bad", "✗"));
  if (missed > 0) list.append(badge(plural(missed, "fact not reached", "facts not reached"), "warn", "✗"));
  if (fails + missed === 0 && holds > 0) list.append(badge(plural(holds, "fact holds", "facts hold"), "good", "✓"));
  const unconverged = summary.solver?.unconverged_steps ?? 0;
  if (unconverged) list.append(badge(`${plural(unconverged, "step", "steps")} not converged`, "warn", "!"));
  return list;
}

// The options of a scheme that are not shown elsewhere.
function schemeOptions(summary: Summary): string {
  const { scheme: _scheme, step: _step, ...options } = summary.integrator ?? {};
  return Object.entries(options)
    .map(([name, value]) => `${words(name)} ${typeof value === "number" ? number(value) : String(value)}`)
    .join(", ");
}

function figures({ summary, history }: ReportData): HTMLElement {
  const list = element("dl", { class: "figures" });
  const add = (title: string, value: string, detail = "") => {
    const small = detail ? element("span", { class: "detail" }, detail) : null;
    list.append(element("div", {}, element("dt", {}, title), element("dd", {}, value, small)));
  };
  const { integrator, contacts, solver, constraints, bodies, steps } = summary;
  add("Integrator", String(integrator?.scheme ?? "–"), schemeOptions(summary));
  add("Simulated", withUnit(summary.stopped?.time, "s"), `step ${withUnit(integrator?.step, "s")}`);
  add("Steps", whole(steps), plural(history.rows, "row written", "rows written"));
  add("Wall time", duration(summary.wall_seconds), speed(summary));
  add("Bodies", whole(bodies));
  add("Active contacts", `${mean(contacts?.mean, contacts?.max)} mean`, `${whole(contacts?.max)} at most`);
  add(
    "Solver iterations",
    `${mean(solver?.iterations_mean, solver?.iterations_max)} mean`,
    `${whole(solver?.iterations_max)} at most`,
  );
  add(
    "Worst residual",
    number(solver?.worst_residual, 2),
    solver?.tolerance ? `tolerance ${number(solver.tolerance, 2)}` : "",
  );
  add("Deepest penetration", withUnit(constraints?.max_penetration, "m", 3));
  return list;
}

// Of counts: with as many digits as the largest has, rounding cannot lift the mean above it.
function mean(value: Numeric | undefined, largest: Numeric | undefined): string {
  return number(value, Math.max(3, String(Math.round(largest ?? 0)).length));
}

function speed({ steps, wall_seconds }: Summary): string {
  return steps && wall_seconds ? `${whole(Number((steps / wall_seconds).toPrecision(2)))} steps per second` : "";
}

export function pageHeader(data: ReportData): HTMLElement {
  const { summary } = data;
  const stopped = summary.complete
    ? null
    : element(
        "p",
        { class: "callout" },
        `Stopped at t = ${withUnit(summary.stopped?.time, "s")}: ${summary.stopped?.reason ?? "no reason is known"}.`,
      );
  const version = summary.version ?? data.version;
  return element(
    "header",
    {},
    ...titleBar(data.scene, summary.scene ?? "", badges(summary), version, "report"),
    stopped,
  );
}

export function runSection(data: ReportData): HTMLElement {
  return section("run", "Run", figures(data));
}
