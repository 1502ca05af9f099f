// The page, from top to bottom. A part of it is a function from the data to an element: to add one, list it here.
import "uplot/dist/uPlot.min.css";
import "./style.css";
import { contactsSection } from "./contacts";
import { comparisonParts } from "./comparison";
import { convergenceParts } from "./convergence";
import { type PageData, type ReportData, readData, timeOf } from "./data";
import { element, section } from "./dom";
import { factsSection } from "./facts";
import { whole } from "./format";
import { pageHeader, runSection } from "./header";
import { energySection } from "./ledger";
import { sceneSection, toolbar } from "./parts";
import { makePlot } from "./plots";
import { portraitsSection } from "./portraits";
import { replaySection } from "./replay/section";
import { sweepParts } from "./sweep";

function probesSection({ history }: ReportData): HTMLElement | null {
  const plots = history.probes.map((table) =>
    makePlot({ title: table.columns[0]?.name ?? "", time: timeOf(table, history), lines: table.columns }),
  );
  if (plots.length === 0) return null;
  return section("probes", "Probes", element("div", { class: "plots" }, ...plots));
}

function plotsNote({ history, summary }: ReportData): HTMLElement {
  const every = Math.round((summary.steps ?? 0) / Math.max(1, history.rows - 1));
  const rows = every > 1 ? ` A row was written every ${whole(every)} steps.` : "";
  const thinned =
    history.time === null
      ? ` The run has ${whole(history.rows)} rows: the plots show the smallest and the largest value of each short ` +
        "interval, so that no peak is lost; history.csv has them all."
      : "";
  const use = "All plots share one cursor and one zoom: click to move the time, drag to zoom, double-click to return.";
  return element("p", { class: "note plots-note" }, use + rows + thinned);
}

function runParts(data: ReportData): HTMLElement[] {
  const { summary, history } = data;
  const replay = replaySection(data);
  const facts = factsSection(summary.expectations ?? []);
  const run = runSection(data);
  const plotted = [
    probesSection(data),
    portraitsSection(data.portraits ?? [], null),
    energySection(summary.energy, history),
    contactsSection(data),
    sceneSection(data.scene, summary.overrides ?? []),
  ].filter((part): part is HTMLElement => part !== null);
  const hash = summary.state_hash;
  return [
    pageHeader(data),
    toolbar([replay, facts, run, ...plotted]),
    element("main", {}, replay, facts, run, plotsNote(data), ...plotted),
    element(
      "footer",
      {},
      `Made by ${data.program} ${data.version}. `,
      hash ? element("span", {}, "Final state ", element("code", {}, hash), ".") : null,
    ),
  ];
}

function parts(data: PageData): HTMLElement[] {
  if (data.kind === "convergence") return convergenceParts(data);
  if (data.kind === "comparison") return comparisonParts(data);
  if (data.kind === "sweep") return sweepParts(data);
  return runParts(data);
}

document.body.append(...parts(readData()));
