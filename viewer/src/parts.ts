// Parts that pages of runs and of studies have in common.
import type { SceneText } from "./data";
import { element, section } from "./dom";
import { plural } from "./format";
import { onZoom, showWholeRun } from "./plots";

// The title line: the scene, what is to be said at once, and who made the page. Then what the scene says of itself.
export function titleBar(
  scene: SceneText,
  id: string,
  badges: HTMLElement,
  version: string,
  what: string,
): HTMLElement[] {
  const title = scene.name || id || "A run without a name";
  document.title = `${title} – Ricochet ${what}`;
  const paragraphs = scene.description.split(/\n\s*\n/).filter((text) => text.trim() !== "");
  if (scene.variant) paragraphs.push(`Variant: ${scene.variant}`);
  return [
    // One line where there is room: the replay below shall be in sight at once.
    element(
      "div",
      { class: "top" },
      element("h1", {}, title),
      id ? element("code", { class: "identity" }, id) : null,
      badges,
      element("p", { class: "maker" }, `Ricochet ${version}`),
    ),
    ...paragraphs.map((text) => element("p", { class: "description" }, text)),
  ];
}

export function sceneSection(scene: SceneText, overrides: string[]): HTMLElement {
  const lines = scene.text.split("\n").length - (scene.text.endsWith("\n") ? 1 : 0);
  return section(
    "scene",
    "Scene",
    overrides.length > 0
      ? element(
          "div",
          { class: "overrides" },
          element("h3", {}, "Changed on the command line"),
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
export function toolbar(sections: HTMLElement[]): HTMLElement {
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

// What the page of a study consists of: its sections, with links to them above and who made it below.
export function studyPage(header: HTMLElement, sections: HTMLElement[], version: string): HTMLElement[] {
  return [
    header,
    toolbar(sections),
    element("main", {}, ...sections),
    element("footer", {}, `Made by ricochet ${version}.`),
  ];
}
