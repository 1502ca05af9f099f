// Many samples in common plots, and phase portraits.
import { writeFileSync } from "node:fs";
import path from "node:path";

// x = cos(rate t), drawn over its velocity.
export function writeSwing(folder) {
  const file = path.join(folder, "swing.yaml");
  writeFileSync(
    file,
    `ricochet: 1
name: Swing
parameters: {stiffness: 4, rate: sqrt(stiffness)}
time: {end: 2.5, step: 1e-2}
integrator: {scheme: moreau-jean, theta: 0.5}
bodies: {mass: {mass: 1, position: [1, 0, 0]}}
springs: {spring: {start: {body: world, at: [0, 0, 0]}, end: mass, stiffness: stiffness, free_length: 0}}
probes: {x: mass.position.x, v: mass.velocity.x}
output: {portraits: {phase: [x, v]}}
expect: [{fact: end, probe: x, value: cos(2.5*rate), tolerance: {absolute: 1e-2}, source: derived}]
`,
  );
  return file;
}

// Different colours in the drawing of a plot: the lines of samples differ.
function countColours(canvas) {
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  const colours = new Set();
  for (let i = 0; i < data.length; i += 4) {
    if (data[i + 3] > 100) colours.add((data[i] >> 4) * 256 + (data[i + 1] >> 4) * 16 + (data[i + 2] >> 4));
  }
  return colours.size;
}

export async function checkSweep(page, fail) {
  for (const [part, count] of [
    ["histories", 2],
    ["portraits", 1],
    ["ends", 3],
  ]) {
    const plots = await page.locator(`#${part} .uplot`).count();
    if (plots !== count) fail(`there are ${plots} plots in '${part}', not ${count}`);
  }
  const colours = await page.locator("#histories canvas").first().evaluate(countColours);
  if (colours < 30) fail(`200 lines have ${colours} colours`);
  const key = await page.locator("#histories .ramp-key").innerText();
  if (!/stiffness:\s+1\s+9/.test(key)) fail(`the key of the colours says '${key}'`);
  // All lines begin at (0, 1): one of them is near.
  const plot = page.locator("#histories .u-over").first();
  await plot.hover({ position: { x: 12, y: 14 } });
  const told = await page.locator("#histories .told").first().innerText();
  if (!/^stiffness = \d.*, t = .*: [0-9.]+$/.test(told)) fail(`the cursor tells '${told}'`);
  // A zoom of one history is one of all.
  const box = await plot.boundingBox();
  await page.mouse.move(box.x + 40, box.y + 50);
  await page.mouse.down();
  await page.mouse.move(box.x + 120, box.y + 50, { steps: 4 });
  await page.mouse.up();
  if (await page.locator("nav button").isDisabled()) fail("the plots are not zoomed");
  await page.locator("nav button").click();
  if (!(await page.locator("nav button").isDisabled())) fail("there is no way back from the zoom");
}

// The dot is where the body is at the time of the page: at the start at (1, 0), later elsewhere.
export async function checkPortrait(page, fail) {
  const dot = page.locator("#portraits .dot");
  if ((await dot.count()) !== 1) return fail("there is no dot");
  const place = async () => {
    const [inner, outer] = [await dot.boundingBox(), await page.locator("#portraits .u-over").boundingBox()];
    return [(inner.x + inner.width / 2 - outer.x) / outer.width, (inner.y + inner.height / 2 - outer.y) / outer.height];
  };
  await page.locator("#portraits").scrollIntoViewIfNeeded();
  const [x, y] = await place();
  if (x < 0.9 || Math.abs(y - 0.5) > 0.05) fail(`the dot begins at ${x}, ${y}`);
  await page.keyboard.press("End");
  await page.waitForTimeout(200);
  const [later] = await place();
  if (Math.abs(later - x) < 0.01) fail("the dot does not move");
}
