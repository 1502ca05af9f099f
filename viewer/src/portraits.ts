// Phase portraits: a probe over another, of a run or of many samples.
import { type BundleLine, makeBundle } from "./bundle";
import type { PlotLine, Portrait } from "./data";
import { element, section } from "./dom";

// `styleOf` gives the lines of samples their names and colours; with null there is one run, whose time is marked.
export function portraitsSection(
  portraits: Portrait[],
  styleOf: ((line: PlotLine) => Partial<BundleLine>) | null,
): HTMLElement | null {
  if (portraits.length === 0) return null;
  const figures = portraits.map(({ name, x, y, lines }) =>
    makeBundle({
      title: name,
      remark: `${y} over ${x}`,
      xName: x,
      yName: y,
      lines: lines.map((line) => ({
        name: "",
        x: line.columns[0] ?? [],
        y: line.columns[1] ?? [],
        ...(styleOf ? styleOf(line) : { time: line.time }),
      })),
    }),
  );
  const use = styleOf
    ? "Drag to zoom, double-click to return."
    : "The dot is where the time of the page is. Drag to zoom, double-click to return.";
  return section(
    "portraits",
    "Phase portraits",
    element("p", { class: "note" }, use),
    element("div", { class: "plots square" }, ...figures),
  );
}
