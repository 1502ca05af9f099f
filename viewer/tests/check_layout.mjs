// Nothing overlaps, nothing is cut off, nothing is too small to read.

const smallest = 11; // px

function findFaults(limit) {
  const faults = [];
  const label = (node) => `<${node.tagName.toLowerCase()} ${node.className || ""}> "${node.textContent.trim().slice(0, 30)}"`;
  const isSeen = (node) => {
    const style = getComputedStyle(node);
    const box = node.getBoundingClientRect();
    return style.visibility !== "hidden" && style.display !== "none" && box.width > 1 && box.height > 1;
  };
  const hasText = (node) =>
    [...node.childNodes].some((child) => child.nodeType === Node.TEXT_NODE && child.textContent.trim() !== "");
  const all = [...document.body.querySelectorAll("*")].filter(
    (node) => !node.closest("script, noscript, style, option, nav, caption, .uplot, details pre") && isSeen(node),
  );
  const texts = all.filter(hasText);
  if (texts.length < 30) faults.push(`only ${texts.length} texts were found`);
  for (const node of texts) {
    const size = parseFloat(getComputedStyle(node).fontSize);
    if (size < limit) faults.push(`${label(node)} is ${size} px small`);
  }

  // Boxes of the texts themselves (an element may be wider than its text), of controls and of pictures.
  const boxes = [];
  const scrolled = (node) => node.closest(".table"); // these scroll by themselves and cut what is beyond
  for (const node of all) {
    if (node.matches("button, select, input, canvas")) boxes.push({ node, box: node.getBoundingClientRect() });
    else if (hasText(node) && !node.closest("button, select") && !scrolled(node)) {
      for (const child of node.childNodes) {
        if (child.nodeType !== Node.TEXT_NODE || child.textContent.trim() === "") continue;
        const range = document.createRange();
        range.selectNodeContents(child);
        for (const box of range.getClientRects()) boxes.push({ node, box });
      }
    }
  }
  for (let i = 0; i < boxes.length; ++i) {
    for (let k = i + 1; k < boxes.length; ++k) {
      const [a, b] = [boxes[i], boxes[k]];
      if (a.node.contains(b.node) || b.node.contains(a.node)) continue;
      const width = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
      const height = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
      if (width > 1.5 && height > 3) faults.push(`${label(a.node)} and ${label(b.node)} overlap`);
    }
  }
  for (const { node, box } of boxes) {
    const edge = document.documentElement.clientWidth;
    if (box.right > edge + 1 || box.left < -1) faults.push(`${label(node)} leaves the page at ${box.left}..${box.right}`);
  }
  if (document.documentElement.scrollWidth > document.documentElement.clientWidth) faults.push("the page scrolls sideways");
  for (const node of document.querySelectorAll("button, .legend, .time-bar, .view-bar, figcaption")) {
    if (node.scrollWidth > node.clientWidth + 1 && isSeen(node)) faults.push(`${label(node)} is cut off`);
  }
  for (const plot of document.querySelectorAll(".plot .uplot")) {
    const inner = plot.getBoundingClientRect();
    const outer = plot.closest(".plot").getBoundingClientRect();
    if (inner.bottom > outer.bottom + 1 || inner.right > outer.right + 1) faults.push("a plot leaves its frame");
  }
  return faults;
}

export async function checkTexts(page, fail) {
  for (const fault of await page.evaluate(findFaults, smallest)) fail(fault);
}

export async function checkLayout(page, fail) {
  await checkTexts(page, fail);
  // The replay with its controls fits on one screen, and is there without scrolling where lines are long enough.
  await page.evaluate(() => window.scrollTo(0, 0));
  const { height, bottom } = await page.evaluate(() => {
    const box = document.querySelector("#replay .stage").getBoundingClientRect();
    return { height: box.height, bottom: box.bottom };
  });
  const { height: screen, width } = page.viewportSize();
  if (height > screen - 100) fail(`the replay is ${height} px high, the screen ${screen} px`);
  if (width >= 1280 && bottom > screen) fail(`the replay ends at ${bottom} px, the screen at ${screen} px`);
}

// The check itself: small text that lies over other text is found.
export async function checkLayoutSeesFaults(page, fail) {
  await page.evaluate(() => {
    const title = document.querySelector("#facts h2");
    const made = document.createElement("p");
    made.textContent = "too small and in the way";
    made.style.cssText = "position: absolute; font-size: 9px; margin: 0";
    title.style.position = "relative";
    title.before(made);
  });
  const faults = await page.evaluate(findFaults, smallest);
  if (!faults.some((fault) => fault.includes("9 px small"))) fail("small text is not noticed");
  if (!faults.some((fault) => fault.includes("in the way") && fault.includes("overlap"))) fail("overlaps are not noticed");
}
