// 500 bodies over 1,000 frames play with at least 30 pictures per second. That is for two cores that have nothing else
// to do; of a machine that is slower, or busy with other things, as much less is asked for.
import { writeFileSync } from "node:fs";
import path from "node:path";
import { Worker } from "node:worker_threads";

const wanted = 30; // pictures per second

// Bodies that fall through each other: the replay must be large, the run need not be.
export function writeManyBodies(folder) {
  const file = path.join(folder, "many-bodies.yaml");
  writeFileSync(
    file,
    `ricochet: 1
name: Many bodies
gravity: [0, 0, -9.81]
time: {end: 1, step: 1e-3}
generate:
  ball:
    type: pile
    count: 250
    spacing: 0.25
    footprint: [2, 2]
    body: {shape: {type: sphere, radius: 0.1}, density: 1000, group: bodies}
  box:
    type: pile
    count: 250
    spacing: 0.3
    footprint: [2, 2]
    position: [2.5, 0, 0]
    body: {shape: {type: box, size: [0.15, 0.15, 0.15]}, density: 1000, group: bodies}
surfaces:
  ground: {type: plane, normal: [0, 0, 1]}
contacts:
  floor: {between: ["group:bodies", ground], friction: 0.5, restitution: 0.6}
`,
  );
  return file;
}

const cores = 2; // for which the number is wanted

// What such a core does of the work below, per millisecond: found on two virtual cores of a server (AMD EPYC, 2026) as
// rounds by the time that the threads had the cores, with 2 s in place of `duration`; the median of five, 800 to 1308.
const roundsPerMillisecond = 1200;
const duration = 300; // ms

// Turns and moves 200 points, as the replay does with corners, and counts how often.
const work = `
  const { parentPort } = require("node:worker_threads");
  const points = new Float32Array(600).fill(0.5);
  const c = Math.cos(0.1), s = Math.sin(0.1);
  const end = Date.now() + ${duration};
  let rounds = 0;
  for (; Date.now() < end; ++rounds) {
    for (let i = 0; i < points.length; i += 3) {
      const x = points[i], y = points[i + 1], z = points[i + 2];
      points[i] = c * x - s * y;
      points[i + 1] = c * y + s * x;
      points[i + 2] = 1 - z;
    }
  }
  parentPort.postMessage(rounds);`;

// How much of the work of the wanted cores this process gets done just now, 1 at most: as many threads as there are
// cores do nothing but compute.
async function shareOfTheMachine() {
  const threads = Array.from({ length: cores }, () => new Worker(work, { eval: true }));
  const rounds = await Promise.all(threads.map((thread) => new Promise((done) => thread.once("message", done))));
  return Math.min(1, rounds.reduce((a, b) => a + b) / (cores * duration * roundsPerMillisecond));
}

async function replayPace(page, seconds) {
  const count = () =>
    page.evaluate(() => [Number(document.querySelector("#replay canvas").dataset.draws), performance.now()]);
  const [before, start] = await count();
  await page.waitForTimeout(1000 * seconds);
  const [after, end] = await count();
  return (1000 * (after - before)) / (end - start);
}

export async function checkPace(page, fail) {
  const { bodies, frames } = await page.evaluate(() => {
    const { replay } = JSON.parse(document.getElementById("data").textContent);
    return { bodies: replay.bodies.names.length, frames: replay.time.length };
  });
  if (bodies < 500 || frames < 1000) fail(`the replay has only ${bodies} bodies and ${frames} frames`);
  await page.locator("#replay").scrollIntoViewIfNeeded();
  const before = await shareOfTheMachine();
  await page.locator("#replay .play").click();
  await page.waitForTimeout(1000);
  const found = await replayPace(page, 3);
  const sharpness = await page.evaluate(() => {
    const canvas = document.querySelector("#replay canvas");
    return canvas.width / canvas.clientWidth;
  });
  await page.locator("#replay .play").click(); // or it would itself keep the cores busy
  const after = await shareOfTheMachine();
  const asked = (wanted * (before + after)) / 2;
  if (!(await page.locator("#replay .play[aria-label=Play]").count())) fail("the replay did not pause");
  const figures = `${found.toFixed(1)} pictures per second (${sharpness.toFixed(2)} of full sharpness)`;
  const expected = `${asked.toFixed(1)} of this machine, of which it has ${Math.round((100 * asked) / wanted)} % to itself`;
  console.log(`  ${bodies} bodies, ${frames} frames: ${figures}, asked for are ${expected}`);
  if (found < asked) fail(`plays with ${figures}, asked for are ${expected}`);
}
