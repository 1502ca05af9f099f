// The replay: picture, controls, and beside them plots that follow.
import "./replay.css";
import { clock } from "../clock";
import type { ReportData } from "../data";
import { element, section } from "../dom";
import { bodiesLayer } from "./bodies";
import { connectionsLayer } from "./connections";
import { contactsLayer } from "./contacts";
import { fittingSpeed, timeBar, viewBar } from "./controls";
import { copiesFor } from "./copies";
import { type Replay, decodeReplay } from "./data";
import { legend } from "./legend";
import { chooseQuality } from "./quality";
import { sidePlots } from "./side_plots";
import { Stage } from "./stage";
import { surfacesLayer } from "./surfaces";
import { trailsLayer } from "./trails";

// Asks for the next picture as long as time goes on.
function keepPlaying(): void {
  let before = 0;
  const tick = (now: number) => {
    if (!clock.playing) return;
    clock.advance(Math.min((now - before) / 1000, 0.1)); // a page that was hidden does not jump
    before = now;
    requestAnimationFrame(tick);
  };
  clock.onPlaying((playing) => {
    if (!playing) return;
    before = performance.now();
    requestAnimationFrame(tick);
  });
}

function makeStage(replay: Replay, fileName: string): { picture: HTMLElement; tools: HTMLElement } {
  const quality = chooseQuality(replay.bodies.names.length);
  const stage = new Stage(replay, quality);
  const make = copiesFor(quality.software);
  const contacts = contactsLayer(replay, make);
  const trails = trailsLayer(replay);
  stage.add(surfacesLayer(replay, quality));
  stage.add(connectionsLayer(replay, make));
  stage.add(bodiesLayer(replay, make, quality));
  stage.add(contacts);
  stage.add(trails, false);
  const { canvas } = stage;
  canvas.tabIndex = 0;
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", "The machine at the time of the slider; drag to turn, after a click the wheel zooms");
  // The wheel belongs to the page until the picture has been clicked.
  stage.eye.controls.enableZoom = false;
  canvas.addEventListener("focus", () => (stage.eye.controls.enableZoom = true));
  canvas.addEventListener("blur", () => (stage.eye.controls.enableZoom = false));
  const frame = element("div", { class: "picture" }, canvas);
  new ResizeObserver(([entry]) => {
    if (!entry || entry.contentRect.width === 0) return;
    stage.resize(Math.floor(entry.contentRect.width), Math.floor(entry.contentRect.height));
  }).observe(frame);
  const colour = () =>
    stage.setBackground(getComputedStyle(document.documentElement).getPropertyValue("--stage").trim());
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", colour);
  queueMicrotask(colour);
  return { picture: frame, tools: viewBar(replay, stage, { contacts, trails }, fileName) };
}

function missing(sentence: string): HTMLElement {
  return section("replay", "Replay", element("p", { class: "note" }, sentence));
}

export function replaySection(data: ReportData): HTMLElement {
  if (!data.replay) {
    return missing("This result was written without its geometry: run the scene again to see it move.");
  }
  const replay = decodeReplay(data.replay);
  clock.setRange(replay.time[0]!, replay.time[replay.time.length - 1]!);
  clock.speed = fittingSpeed(clock.last - clock.first);
  const side = sidePlots(data);
  let main: (HTMLElement | null)[];
  const isEmpty = replay.bodies.names.length === 0;
  try {
    if (isEmpty) throw new Error("nothing to draw");
    const { picture, tools } = makeStage(replay, (data.summary.scene ?? "ricochet").replace(/[^\w.-]+/g, "-"));
    main = [picture, timeBar(replay), tools, legend(replay)];
  } catch (error) {
    const sentence = isEmpty
      ? "The scene has no bodies to draw. The slider moves the time in all plots."
      : "The replay needs WebGL, which this browser does not offer (it may be switched off). " +
        "The slider still moves the time in all plots.";
    main = [element("p", { class: "callout", title: String(error) }, sentence), timeBar(replay)];
  }
  keepPlaying();
  const made = section(
    "replay",
    "Replay",
    element("div", { class: "replay" }, element("div", { class: "stage" }, ...main), side),
    ...replay.notices.map((notice) => element("p", { class: "note replay-notice" }, notice)),
  );
  clock.set(clock.first);
  return made;
}
