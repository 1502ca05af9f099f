// 500 bodies over 1,000 frames play with at least 30 pictures per second. On a machine that is busy with other things, too,
// even an empty page does not get its 60: then as much less is asked for.
import { writeFileSync } from "node:fs";
import path from "node:path";

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

// Pictures per second of a page that has nothing to draw: less than 60 if other programs keep the machine busy.
async function emptyPace(page) {
  const other = await page.context().newPage();
  const pace = await other.evaluate(async () => {
    let count = 0;
    const start = performance.now();
    while (performance.now() - start < 1000) {
      await new Promise(requestAnimationFrame);
      ++count;
    }
    return (1000 * count) / (performance.now() - start);
  });
  await other.close();
  return pace;
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
  const empty = await emptyPace(page);
  await page.bringToFront();
  await page.locator("#replay").scrollIntoViewIfNeeded();
  await page.locator("#replay .play").click();
  await page.waitForTimeout(1000);
  const found = await replayPace(page, 3);
  const sharpness = await page.evaluate(() => {
    const canvas = document.querySelector("#replay canvas");
    return canvas.width / canvas.clientWidth;
  });
  const share = Math.min(1, empty / 60); // of the machine that is ours
  const figures = `${found.toFixed(1)} pictures per second with ${sharpness.toFixed(2)} of the pixels on each side`;
  console.log(`  ${bodies} bodies, ${frames} frames: ${figures}; an empty page has ${empty.toFixed(0)}`);
  if (found < wanted * share) fail(`plays with ${figures}, where an empty page has ${empty.toFixed(0)}`);
}
