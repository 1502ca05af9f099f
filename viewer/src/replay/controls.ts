// Buttons and lists below the picture, and the keys: space plays, arrows go from frame to frame (with shift ten at a
// time), Home and End go to the ends.
import { clock } from "../clock";
import { element } from "../dom";
import { number } from "../format";
import type { View } from "./camera";
import type { Replay } from "./data";
import type { Layer, Stage } from "./stage";
import type { Trails } from "./trails";

export const speeds = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100];
const scrubSteps = 10_000;

// As fast as in reality if that takes between 3 s and a minute; else the nearest to ten seconds.
export function fittingSpeed(duration: number): number {
  if (duration >= 3 && duration <= 60) return 1;
  const ideal = Math.max(duration / 10, 1e-9);
  return speeds.reduce((best, each) => (Math.abs(Math.log(each / ideal)) < Math.abs(Math.log(best / ideal)) ? each : best));
}

function button(text: string, title: string, act: () => void): HTMLButtonElement {
  const made = element("button", { type: "button", title }, text);
  made.addEventListener("click", act);
  return made;
}

function toggle(text: string, title: string, on: boolean, act: (on: boolean) => void): HTMLElement {
  const box = element("input", { type: "checkbox" });
  box.checked = on;
  box.addEventListener("change", () => act(box.checked));
  return element("label", { class: "toggle", title }, box, text);
}

function choice(label: string, options: [string, string][], value: string, act: (value: string) => void): HTMLElement {
  const list = element("select", {}, ...options.map(([key, text]) => element("option", { value: key }, text)));
  list.value = value;
  list.addEventListener("change", () => act(list.value));
  return element("label", { class: "choice" }, `${label} `, list);
}

function stepFrames(replay: Replay, by: number): void {
  const times = replay.time;
  let at = 0;
  while (at + 1 < times.length && times[at + 1]! <= clock.time) ++at;
  const between = times[at]! < clock.time;
  const next = by < 0 && between ? at + by + 1 : at + by;
  clock.play(false);
  clock.set(times[Math.min(Math.max(next, 0), times.length - 1)]!);
}

function listenToKeys(replay: Replay): void {
  document.addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (target.closest("select, summary, a, pre, textarea, input[type=text]")) return;
    const by = event.shiftKey ? 10 : 1;
    const acts: Record<string, () => void> = {
      " ": () => clock.play(!clock.playing),
      ArrowLeft: () => stepFrames(replay, -by),
      ArrowRight: () => stepFrames(replay, by),
      Home: () => clock.set(clock.first),
      End: () => clock.set(clock.last),
    };
    if (event.key === " " && target.closest("button, input[type=checkbox]")) return; // it is pressed by this key
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
}

// Play, the slider and the time.
export function timeBar(replay: Replay): HTMLElement {
  const play = button("▶", "Play or pause (space)", () => clock.play(!clock.playing));
  play.className = "play";
  play.setAttribute("aria-label", "Play");
  clock.onPlaying((playing) => {
    play.textContent = playing ? "❚❚" : "▶";
    play.setAttribute("aria-label", playing ? "Pause" : "Play");
  });
  const slider = element("input", { type: "range", min: "0", max: String(scrubSteps), step: "1", "aria-label": "Time" });
  const span = clock.last - clock.first;
  const frame = span > 0 ? span / Math.max(1, replay.frames - 1) : 1;
  const digits = Math.max(0, Math.min(9, Math.ceil(-Math.log10(frame) - 1e-9))); // two frames never read the same
  const readout = element("output", { class: "clock" });
  clock.onTime((time) => {
    slider.value = String(span > 0 ? Math.round(((time - clock.first) / span) * scrubSteps) : 0);
    readout.textContent = `${time.toFixed(digits)} s`;
  });
  slider.addEventListener("input", () => {
    clock.play(false);
    clock.set(clock.first + (Number(slider.value) / scrubSteps) * span);
  });
  const speed = choice(
    "Speed",
    speeds.map((each): [string, string] => [String(each), `${number(each)}×`]),
    String(clock.speed),
    (value) => {
      clock.speed = Number(value);
    },
  );
  listenToKeys(replay);
  return element("div", { class: "time-bar" }, play, slider, readout, speed);
}

export interface Layers {
  contacts: Layer;
  trails: Trails;
}

// Views, what is shown, and the picture as a file.
export function viewBar(replay: Replay, stage: Stage, layers: Layers, fileName: string): HTMLElement {
  const views: [View, string][] = [
    ["front", "Front"],
    ["side", "Side"],
    ["top", "Top"],
    ["iso", "Iso"],
  ];
  const names = replay.bodies.names;
  const group = element(
    "div",
    { class: "group", role: "group", "aria-label": "View" },
    ...views.map(([view, text]) => button(text, `Look from the ${view === "iso" ? "corner" : view}`, () => stage.eye.show(view))),
    button("Fit", "The whole scene", () => stage.eye.fit()),
  );
  const follow = choice(
    "Follow",
    [["-1", "nothing"], ...names.map((name, i): [string, string] => [String(i), name])],
    "-1",
    (value) => {
      layers.trails.follow(Number(value));
      stage.follow(Number(value));
    },
  );
  const save = button("Save picture", "This picture as a PNG file", () => {
    void stage.picture().then((blob) => {
      if (!blob) return;
      const link = element("a", { href: URL.createObjectURL(blob), download: `${fileName}.png` });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    });
  });
  return element(
    "div",
    { class: "view-bar" },
    group,
    follow,
    toggle("Contacts", "Points, normals and impulses of contacts", stage.isShown(layers.contacts), (on) =>
      stage.show(layers.contacts, on),
    ),
    toggle("Trails", "Paths of bodies", stage.isShown(layers.trails), (on) => stage.show(layers.trails, on)),
    save,
  );
}
