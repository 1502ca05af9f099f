// The replay shows something, moves, and moves together with the plots.

const canvas = "#replay .picture canvas";

export async function setTime(page, share) {
  await page.evaluate((value) => {
    const slider = document.querySelector("#replay input[type=range]");
    slider.value = String(value * Number(slider.max));
    slider.dispatchEvent(new Event("input"));
  }, share);
  await drawn(page);
}

// Waits for pictures that were asked for.
export async function drawn(page) {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

export const clockTime = (page) => page.evaluate(() => parseFloat(document.querySelector("#replay .clock").textContent));

const screenshot = async (page) => (await page.locator(canvas).screenshot()).toString("base64");

// Shares of pixels: of those that differ between two pictures, and of those of the first that are not its background
// (the colour of its top left corner).
async function compare(page, first, second) {
  return page.evaluate(
    async ([a, b]) => {
      const pixels = async (data) => {
        const image = new Image();
        image.src = `data:image/png;base64,${data}`;
        await image.decode();
        const surface = document.createElement("canvas");
        surface.width = image.width;
        surface.height = image.height;
        const brush = surface.getContext("2d");
        brush.drawImage(image, 0, 0);
        return brush.getImageData(0, 0, image.width, image.height).data;
      };
      const [one, other] = [await pixels(a), await pixels(b)];
      let changed = 0;
      let painted = 0;
      const differ = (x, i, y, j) => [0, 1, 2].some((k) => Math.abs(x[i + k] - y[j + k]) > 24);
      for (let i = 0; i < one.length; i += 4) {
        if (differ(one, i, other, i)) ++changed;
        if (differ(one, i, one, 0)) ++painted;
      }
      return { changed: (4 * changed) / one.length, painted: (4 * painted) / one.length };
    },
    [first, second],
  );
}

export async function checkPicture(page, fail, name) {
  await setTime(page, 0);
  const start = await screenshot(page);
  await setTime(page, 0.45);
  const later = await screenshot(page);
  const { changed, painted } = await compare(page, start, later);
  if (painted < 0.002) fail(`the picture is empty: ${painted} of it is painted`);
  // The wall hardly moves in its short run, but its projectile and the arrows do.
  if (changed < 2e-4) fail(`the picture does not change with the time: ${changed} of it`);
  await setTime(page, 0);
  const again = await compare(page, start, await screenshot(page));
  if (again.changed > 1e-5) fail(`going back in time does not bring the picture back: ${again.changed} of it differ`);

  const before = await clockTime(page);
  await page.locator("#replay .play").click();
  await page.waitForTimeout(500);
  await page.locator("#replay .play").click();
  if (!((await clockTime(page)) > before)) fail("playing does not move the time");
  const stopped = await clockTime(page);
  await page.waitForTimeout(100);
  if ((await clockTime(page)) !== stopped) fail("pausing does not stop the time");
  if (name.includes("wall")) return;
  const played = await compare(page, start, await screenshot(page));
  if (played.changed < 1e-4) fail("playing does not change the picture");
}

// Where the mark of a plot is, as a share of the width of the plot.
const markShare = (page, selector) =>
  page.evaluate((plot) => {
    const over = document.querySelector(`${plot} .u-over`);
    const mark = over.querySelector(".now").getBoundingClientRect();
    const frame = over.getBoundingClientRect();
    return (mark.left - frame.left) / frame.width;
  }, selector);

export async function checkLinks(page, fail) {
  for (const share of [0.25, 0.75]) {
    await setTime(page, share);
    for (const plot of ["#replay .side-plots .chosen:first-child", "#replay .side-plots .chosen:last-child"]) {
      const found = await markShare(page, plot);
      if (Math.abs(found - share) > 0.01) fail(`the mark of ${plot} is at ${found}, the time at ${share}`);
    }
  }
  // A plot further down follows when it comes into sight, and a click in it moves the replay.
  const plot = page.locator("#energy .u-over").first();
  await plot.scrollIntoViewIfNeeded();
  await page.waitForTimeout(100);
  const far = await markShare(page, "#energy");
  if (Math.abs(far - 0.75) > 0.01) fail(`the mark of a plot of energy is at ${far}, the time at 0.75`);
  const box = await plot.boundingBox();
  await plot.click({ position: { x: box.width * 0.4, y: box.height / 2 } });
  await drawn(page);
  const slider = await page.evaluate(() => {
    const made = document.querySelector("#replay input[type=range]");
    return Number(made.value) / Number(made.max);
  });
  if (Math.abs(slider - 0.4) > 0.01) fail(`a click at 0.4 of a plot moved the time to ${slider}`);
  await page.locator("#replay").scrollIntoViewIfNeeded();
  await page.locator("#replay .side-plots select").first().selectOption("Solver iterations");
  await page.waitForTimeout(50);
  const title = await page.locator("#replay .side-plots .chosen").first().locator("figcaption").innerText();
  if (!title.includes("Solver iterations")) fail("choosing a plot beside the replay does not show it");
}

export async function checkKeys(page, fail) {
  await setTime(page, 0.5);
  const middle = await clockTime(page);
  await page.locator(canvas).focus();
  await page.keyboard.press("ArrowRight");
  const next = await clockTime(page);
  if (!(next > middle)) fail("the right arrow does not go on");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  if (!((await clockTime(page)) < next)) fail("the left arrow does not go back");
  await page.keyboard.press(" ");
  await page.waitForTimeout(300);
  await page.keyboard.press(" ");
  if (!((await clockTime(page)) > middle)) fail("the space bar does not play");
  await page.keyboard.press("End");
  const end = await clockTime(page);
  await page.keyboard.press("Home");
  if (!(end > 0 && (await clockTime(page)) === 0)) fail("Home and End do not go to the ends");
}

export async function checkViews(page, fail) {
  await page.evaluate(() => document.activeElement.blur()); // a picture that has the keys has a rim
  await setTime(page, 0.5);
  const front = await screenshot(page);
  for (const view of ["Side", "Top", "Iso"]) {
    await page.getByRole("button", { name: view, exact: true }).click();
    await drawn(page);
    const { changed } = await compare(page, front, await screenshot(page));
    if (changed < 0.002) fail(`the view ${view} is that from the front`);
  }
  await page.getByRole("button", { name: "Front", exact: true }).click();
  await drawn(page);
  if ((await compare(page, front, await screenshot(page))).changed > 1e-3) fail("the view from the front is not the first");
  await setTime(page, 0.95);
  const bare = await screenshot(page);
  for (const shown of [true, false]) {
    await page.getByLabel("Trails").setChecked(shown);
    await drawn(page);
    const { changed } = await compare(page, bare, await screenshot(page));
    if (changed > 0 !== shown) fail(`trails are ${shown ? "not drawn" : "drawn for ever"}`);
  }
  const [download] = await Promise.all([
    page.waitForEvent("download", { timeout: 30000 }), // GL in software on a machine that does other things too
    page.getByRole("button", { name: "Save picture" }).click(),
  ]);
  if (!download.suggestedFilename().endsWith(".png")) fail(`the picture is called ${download.suggestedFilename()}`);
}

// Until somebody moves the eye, the whole scene stays in a picture of another shape; afterwards the eye stays.
export async function checkRefit(page, fail) {
  const wide = page.viewportSize();
  const shape = async (size) => {
    await page.setViewportSize(size);
    await drawn(page);
    await drawn(page); // the size is noticed after a picture
  };
  const differsFromFit = async () => {
    const before = await screenshot(page);
    // Not with the mouse, which would scroll the picture under the links that stay in sight.
    await page.getByRole("button", { name: "Fit", exact: true }).dispatchEvent("click");
    await drawn(page);
    return (await compare(page, before, await screenshot(page))).changed > 1e-3;
  };
  await shape({ width: 360, height: wide.height });
  if (await differsFromFit()) fail("a picture that became narrow does not show the whole scene");
  await shape(wide);
  if (await differsFromFit()) fail("a picture that became wide again is not the first");
  const box = await page.locator("#replay canvas").first().boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down({ button: "right" });
  await page.mouse.move(box.x + box.width / 2 + 80, box.y + box.height / 2, { steps: 4 });
  await page.mouse.up({ button: "right" });
  await shape({ width: wide.width - 100, height: wide.height });
  if (!(await differsFromFit())) fail("an eye that was moved by hand does not stay when the page is resized");
  await shape(wide);
}
