// The page, from top to bottom. A part of it is a function from the data to an element: to add one, list it here.
import "uplot/dist/uPlot.min.css";
import "./style.css";
import { contactsSection } from "./contacts";
import { type ReportData, readData, timeOf } from "./data";
import { element, section } from "./dom";
import { factsSection } from "./facts";
import { plural, whole } from "./format";
import { pageHeader, runSection } from "./header";
import { energySection } from "./ledger";
import { makePlot, onZoom, showWholeRun } from "./plots";
import { replaySection } from "./replay/section";

function probesSection({ history }: ReportData): HTMLElement | null {
  const plots = history.probes.map((table) =>
    makePlot({ title: table.columns[0]?.name ?? "", time: timeOf(table, history), lines: table.columns }),
  );
  if (plots.length === 0) return null;
  return section("probes", "Probes", element("div", { class: "plots" }, ...plots));
}

function sceneSection({ scene, summary }: ReportData): HTMLElement {
  const overrides = summary.overrides ?? [];
  const lines = scene.text.split("\n").length - (scene.text.endsWith("\n") ? 1 : 0);
  return section(
    "scene",
    "Scene",
    overrides.length > 0
      ? element(
          "div",
          { class: "overrides" },
          element("h3", {}, "Changed for this run"),
          element("ul", {}, ...overrides.map((text) => element("li", {}, element("code", {}, text)))),
        )
      : null,
    element(
      "details",
      {},
      element("summary", {}, `The scene as read, ${plural(lines, "line", "lines")}`),
      element("pre", { tabindex: "0" }, scene.text),
    ),
  );
}

// Links to the parts, and the way back from a zoom; stays in sight.
function toolbar(sections: HTMLElement[]): HTMLElement {
  const links = sections.map((part) =>
    element("a", { href: `#${part.id}` }, part.querySelector("h2")?.textContent ?? part.id),
  );
  const button = element("button", { type: "button", disabled: "" }, "Whole run");
  button.addEventListener("click", showWholeRun);
  onZoom((zoomed) => {
    button.disabled = !zoomed;
  });
  return element("nav", { "aria-label": "Parts of this page" }, ...links, button);
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

function footer(data: ReportData): HTMLElement {
  const hash = data.summary.state_hash;
  return element(
    "footer",
    {},
    `Made by ${data.program} ${data.version}. `,
    hash ? element("span", {}, "Final state ", element("code", {}, hash), ".") : null,
  );
}

function page(data: ReportData): void {
  const { summary, history } = data;
  const replay = replaySection(data);
  const facts = factsSection(summary.expectations ?? []);
  const run = runSection(data);
  const plotted = [
    probesSection(data),
    energySection(summary.energy, history),
    contactsSection(data),
    sceneSection(data),
  ].filter((part): part is HTMLElement => part !== null);
  document.body.append(
    pageHeader(data),
    toolbar([replay, facts, run, ...plotted]),
    element("main", {}, replay, facts, run, plotsNote(data), ...plotted),
    footer(data),
  );
}

page(readData());
