// Two plots beside the picture, chosen from all that the page has.
import { type ReportData, timeOf } from "../data";
import { element } from "../dom";
import { type PlotOptions, makePlot, removePlot } from "../plots";

// Every plot of the page, by its name.
function allPlots({ history }: ReportData): Map<string, PlotOptions> {
  const plots = new Map<string, PlotOptions>();
  for (const table of history.probes) {
    const name = table.columns[0]?.name ?? "";
    plots.set(name, { title: name, time: timeOf(table, history), lines: table.columns });
  }
  const add = (title: string, key: "energy" | "contacts" | "penetration" | "iterations", more: Partial<PlotOptions>) => {
    const table = history[key];
    const lines = table.columns.map((column) => (table.columns.length === 1 ? { ...column, name: title } : column));
    plots.set(title, { title, time: timeOf(table, history), lines, ...more });
  };
  add("Energy", "energy", { unit: "J" });
  add("Active contacts", "contacts", { whole: true });
  add("Worst penetration", "penetration", { unit: "m" });
  add("Solver iterations", "iterations", { whole: true });
  return plots;
}

function chosenPlot(plots: Map<string, PlotOptions>, start: string, label: string): HTMLElement {
  const list = element("select", { "aria-label": label }, ...[...plots.keys()].map((name) => element("option", {}, name)));
  list.value = start;
  const frame = element("div", { class: "chosen" }, list);
  let shown: HTMLElement | null = null;
  const show = () => {
    const options = plots.get(list.value);
    if (shown) removePlot(shown);
    shown = options ? makePlot(options) : null;
    if (shown) frame.append(shown);
  };
  list.addEventListener("change", show);
  show();
  return frame;
}

export function sidePlots(data: ReportData): HTMLElement {
  const plots = allPlots(data);
  const first = plots.keys().next().value ?? "Energy";
  return element(
    "aside",
    { class: "side-plots", "aria-label": "Plots beside the replay" },
    chosenPlot(plots, first, "Upper plot"),
    chosenPlot(plots, first === "Energy" ? "Active contacts" : "Energy", "Lower plot"),
  );
}
