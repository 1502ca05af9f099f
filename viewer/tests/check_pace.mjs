// 500 bodies over 1,000 frames play with at least 30 pictures per second. That is for two cores
// that have nothing else to do; of a machine that is busy with other things as much less is asked for.
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

// How many cores this process gets just now: as many threads as wanted do nothing but compute.
async function coresForUs() {
  const work = "const end = Date.now() + 300; while (Date.now() < end);";
  const threads = Array.from({ length: cores }, () => new Worker(work, { eval: true }));
  const before = process.cpuUsage();
  const start = Date.now();
  await Promise.all(threads.map((thread) => new Promise((done) => thread.once("exit", done))));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / (Date.now() - start);
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
  const before = await coresForUs();
  await page.locator("#replay .play").click();
  await page.waitForTimeout(1000);
  const found = await replayPace(page, 3);
  const sharpness = await page.evaluate(() => {
    const canvas = document.querySelector("#replay canvas");
    return canvas.width / canvas.clientWidth;
  });
  await page.locator("#replay .play").click(); // or it would itself keep the cores busy
  const after = await coresForUs();
  const free = Math.min(cores, (before + after) / 2);
  if (!(await page.locator("#replay .play[aria-label=Play]").count())) fail("the replay did not pause");
  const figures = `${found.toFixed(1)} pictures per second (${sharpness.toFixed(2)} of full sharpness)`;
  console.log(`  ${bodies} bodies, ${frames} frames: ${figures}, with ${free.toFixed(1)} cores to itself`);
  if (found < (wanted * free) / cores) fail(`plays with ${figures}, with ${free.toFixed(1)} of ${cores} cores to itself`);
}
