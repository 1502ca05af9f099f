// What the colours and the grid mean.
import { element } from "../dom";
import { withUnit } from "../format";
import { statusColours } from "./contacts";
import type { Replay } from "./data";
import { gridStep } from "./surfaces";

export function legend(replay: Replay): HTMLElement {
  const entry = (colour: string, text: string) => {
    const dot = element("span", { class: "dot", "aria-hidden": "true" });
    dot.style.background = colour;
    return element("span", { class: "entry" }, dot, text);
  };
  const hasPlanes = !replay.planar && replay.surfaces.some((surface) => surface.mesh < 0);
  const largest = withUnit(replay.contacts.largest, "N s", 3);
  const entries =
    replay.contacts.most > 0
      ? [
          entry(statusColours.stick, "sticks"),
          entry(statusColours.slip, "slips"),
          entry(statusColours.open, "open"),
          element("span", {}, `longest arrow ${largest}, lengths by the square root`),
        ]
      : [];
  return element(
    "p",
    { class: "legend" },
    ...entries,
    hasPlanes ? element("span", {}, `grid ${withUnit(gridStep(replay.unit), "m")}`) : null,
  );
}
