// Contacts and the solver over time, and each contact over the whole run.
import type { ContactLine, ReportData } from "./data";
import { timeOf } from "./data";
import { element, section, table } from "./dom";
import { number, percent, whole } from "./format";
import { type Line, type PlotOptions, makePlot } from "./plots";

type PlotDetails = Partial<PlotOptions> & { line?: string };

function timePlots({ history, summary }: ReportData): HTMLElement {
  const plot = (
    name: "contacts" | "penetration" | "iterations" | "residual",
    title: string,
    more: PlotDetails = {},
  ) => {
    const time = timeOf(history[name], history);
    const lines: Line[] = history[name].columns.map((column) => ({ ...column, name: more.line ?? title }));
    const tolerance = summary.solver?.tolerance;
    if (name === "residual" && tolerance) {
      lines.push({ name: "tolerance", values: time.map(() => tolerance), dashed: true });
    }
    return makePlot({ title, time, lines, ...more });
  };
  return element(
    "div",
    { class: "plots wide" },
    plot("contacts", "Active contacts", { whole: true }),
    plot("penetration", "Worst penetration", { unit: "m" }),
    plot("iterations", "Solver iterations", { whole: true }),
    plot("residual", "Solver residual", { powers: true, line: "residual", remark: ", zero not drawn" }),
  );
}

// What the other two leave, without their round-off.
function openShare({ stick, slip }: ContactLine): number {
  const open = 1 - stick - slip;
  return open < 1e-9 ? 0 : open;
}

// Stick, slip and open as lengths.
function shares(line: ContactLine): HTMLElement {
  const part = (className: string, share: number) => {
    const made = element("span", { class: className });
    made.style.width = `${100 * share}%`;
    return made;
  };
  return element(
    "span",
    { class: "shares", "aria-hidden": "true" },
    part("stick", line.stick),
    part("slip", line.slip),
  );
}

// An identity may be broken after its separators.
function breakable(name: string): Node[] {
  return name.split(/(?<=[:|.])/).flatMap((part) => [document.createTextNode(part), element("wbr")]);
}

function contactTable(contacts: ReportData["contacts"]): HTMLElement {
  const rows = contacts.list.map((line) => [
    element("code", {}, ...breakable(line.name)),
    number(line.normal),
    number(line.tangential),
    percent(line.stick),
    percent(line.slip),
    percent(openShare(line)),
    shares(line),
    number(line.penetration, 3),
  ]);
  const columns = [
    { title: "Contact", hint: "rule:body A.feature|body B.feature" },
    { title: "Normal, N s", kind: "number" as const, hint: "Normal impulse, summed over the run" },
    { title: "Tangential, N s", kind: "number" as const, hint: "Size of the tangential impulse, summed over the rows" },
    { title: "Sticks", kind: "number" as const, hint: "Share of the duration" },
    { title: "Slips", kind: "number" as const, hint: "Share of the duration" },
    { title: "Open", kind: "number" as const, hint: "Share of the duration" },
    { title: "Stick, slip, open" },
    { title: "Deepest, m", kind: "number" as const, hint: "Deepest penetration in a row" },
  ];
  return table("Contacts by impulse", columns, rows, "contacts");
}

export function contactsSection(data: ReportData): HTMLElement {
  const { identities, list } = data.contacts;
  const note =
    identities === 0
      ? "Nothing touched."
      : list.length < identities
        ? `${whole(identities)} contacts carried impulses. The ${whole(list.length)} largest are listed.`
        : null;
  return section(
    "contacts",
    "Contacts and solver",
    timePlots(data),
    note ? element("p", { class: "note" }, note) : null,
    identities > 0 ? contactTable(data.contacts) : null,
  );
}
