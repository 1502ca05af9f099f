// Opens reports in headless Chromium as a reader would, and looks: does the replay move, do plots and replay follow each
// other, does anything overlap, is all text large enough, was any error logged, does it play fast enough.
//
//   node tests/report_test.mjs PROGRAM      runs scenes with this `ricochet`, in a directory that is removed again
//
// Exit code 77, which CTest counts as skipped, if there is no Chromium.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { checkKeys, checkLinks, checkPicture, checkRefit, checkViews } from "./check_replay.mjs";
import { checkLayout, checkLayoutSeesFaults, checkTexts } from "./check_layout.mjs";
import { checkPace, writeManyBodies } from "./check_pace.mjs";
import { checkPortrait, checkSweep, writeSwing } from "./check_sweep.mjs";
import { openBrowser } from "./browser.mjs";

const program = process.argv[2] && path.resolve(process.argv[2]);
if (!program || !existsSync(program)) {
  console.error("usage: node tests/report_test.mjs PROGRAM");
  process.exit(2);
}
const browser = await openBrowser();
if (!browser) {
  console.log("Skipped: Chromium is not installed (Debian package chromium).");
  process.exit(77);
}

const folder = mkdtempSync(path.join(tmpdir(), "ricochet-browser-"));
let failures = 0;
const fail = (where, sentence) => {
  ++failures;
  console.error(`FAILED ${where}: ${sentence}`);
};

function run(scene, name) {
  const out = path.join(folder, name);
  execFileSync(program, ["run", scene, "--out", out, "--quiet"], { cwd: folder });
  const report = path.join(out, "report.html");
  if (statSync(report).size >= 30e6) fail(name, `the page has ${statSync(report).size} bytes`);
  return `file://${report}`;
}

// The page of a study of several runs.
function study(name, ...words) {
  const out = path.join(folder, name);
  execFileSync(program, [...words, "--out", out, "--quiet"], { cwd: folder });
  return `file://${path.join(out, "report.html")}`;
}

async function visit(name, address, options, checks) {
  const started = Date.now();
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  page.on("console", (message) => {
    if (/GL Driver Message \(OpenGL, Performance/.test(message.text())) return; // that a screenshot takes time
    if (["error", "warning"].includes(message.type())) fail(name, `the page logged: ${message.text()}`);
  });
  page.on("pageerror", (error) => fail(name, `the page threw: ${error.message}`));
  page.on("request", (request) => {
    if (!/^(file|data|blob):/.test(request.url())) fail(name, `the page asked the network for ${request.url()}`);
  });
  await page.goto(address);
  await page.waitForFunction(() => document.querySelector("footer") !== null);
  for (const check of checks) {
    try {
      await check(page, (sentence) => fail(name, sentence), name);
    } catch (error) {
      fail(name, `${check.name} could not go on: ${error.message}`);
    }
  }
  await context.close();
  console.log(`${name}: ${((Date.now() - started) / 1000).toFixed(1)} s`);
}

// The scene has facts with bounds on both sides.
async function checkBounds(page, fail) {
  const text = await page.locator("#facts").innerText();
  if (!/≥ \S+ and ≤ \S+/.test(text)) fail("a bound on both sides is not told as such");
}

async function checkConvergence(page, fail) {
  if (!/altitude\s+0\.9\d|altitude\s+1\.0\d/.test(await page.locator("#orders").innerText())) fail("no order near 1");
  const plots = await page.locator("#errors .uplot").count();
  if (plots !== 2) fail(`there are ${plots} plots, not 2`);
  await page.locator("#errors .uplot .u-over").first().hover();
  const [shown] = await page.locator("#errors figcaption .time").allInnerTexts();
  if (!/^h = 0\.00\d+\s?s$/.test(shown)) fail(`the cursor in the middle shows '${shown}'`);
}

// One plot per probe with a line for each entry; the cursor of one plot is that of all.
async function checkComparison(page, fail) {
  const keys = await page.locator("#probes figure").first().locator(".key").allInnerTexts();
  if (keys.length !== 3 || !keys[1].includes("theta=0.75")) fail(`the legend is ${keys}`);
  await page.locator("#probes .uplot .u-over").first().hover();
  const times = await page.locator("#probes figcaption .time").allInnerTexts();
  if (times.length !== 5 || new Set(times).size !== 1 || /= 0/.test(times[0])) fail(`the cursors show ${times}`);
  for (const link of await page.locator("#numbers a").all()) {
    const target = new URL(await link.getAttribute("href"), page.url());
    if (!existsSync(target)) fail(`the link to ${target} leads nowhere`);
  }
}

try {
  const scenes = ["acary-5.4-masonry-wall", "acary-5.2-rocking-block", "four-bar-linkage", "spring-pendulum-3d"];
  for (const scene of scenes) {
    await visit(scene, run(scene, scene), {}, [checkPicture, checkLinks, checkLayout]);
  }
  const block = `file://${path.join(folder, scenes[1], "report.html")}`;
  await visit("keys and views", block, {}, [checkKeys, checkViews, checkBounds]);
  // A wide scene: in a narrow picture its width decides how far away the eye must be.
  await visit("another shape", `file://${path.join(folder, scenes[0], "report.html")}`, {}, [checkRefit]);
  const narrow = { viewport: { width: 760, height: 900 }, colorScheme: "dark" };
  await visit("dark and narrow", block, narrow, [checkLayout, checkLayoutSeesFaults]);
  await visit("many bodies", run(writeManyBodies(folder), "many"), {}, [checkPace]);

  const schemes = [1, 0.75, 0.5].map((theta) => `moreau-jean:theta=${theta}`).join();
  const compared = study("compared", "compare", "bouncing-ball", "--integrator", schemes, "--step", "2e-3");
  await visit("comparison", compared, {}, [checkComparison, checkTexts]);
  await visit("comparison, dark and narrow", compared, narrow, [checkTexts]);
  const probes = ["--probe", "altitude", "--probe", "velocity"];
  const converged = study("converged", "converge", "bouncing-ball", "--steps", "1e-2:1e-4:20", ...probes);
  await visit("convergence", converged, {}, [checkConvergence, checkTexts]);
  await visit("convergence, dark and narrow", converged, narrow, [checkTexts]);

  const swing = writeSwing(folder);
  const swept = study("swept", "sweep", swing, "--vary", "parameters.stiffness=linear(1,9):200");
  await visit("sweep", swept, {}, [checkSweep, checkTexts]);
  await visit("sweep, dark and narrow", swept, narrow, [checkTexts]);
  await visit("phase portrait", run(swing, "swing"), {}, [checkPortrait]);

  const plain = await openBrowser(["--disable-3d-apis"]);
  const page = await plain.newPage();
  page.on("pageerror", (error) => fail("without WebGL", `the page threw: ${error.message}`));
  await page.goto(block);
  const text = await page.locator("#replay").innerText();
  if (!text.includes("needs WebGL")) fail("without WebGL", "the page does not say what is missing");
  if ((await page.locator("#probes .uplot").count()) === 0) fail("without WebGL", "the plots are missing, too");
  await plain.close();
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
console.log(failures === 0 ? "All checks hold." : `${failures} checks failed.`);
process.exit(failures === 0 ? 0 : 1);
