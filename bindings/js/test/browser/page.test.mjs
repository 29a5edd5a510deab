// The example in a real browser without a screen: one module is all that is loaded, 20,000 boxes collide frame by
// frame, and the pairs are those of brute force.

import assert from "node:assert/strict";
import { test } from "node:test";
import { opened } from "./pages.mjs";

/** Frames to wait for: five seconds of a display, longer on a machine that draws without a GPU. */
const FRAMES = 300;
const PATIENCE = 240_000;

const site = opened();

test("20,000 boxes collide on a page that loads one module", async (context) => {
  const page = await site.browser.newPage({ viewport: { width: 1280, height: 800 } });
  page.setDefaultTimeout(PATIENCE);
  const [loaded, complaints] = [[], []];
  page.on("request", (request) => loaded.push(new URL(request.url()).pathname));
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(`${site.server.address}examples/boxes.html`);
  await page.waitForFunction((frames) => window.shown?.figures.frames >= frames, FRAMES);

  const seen = await page.evaluate(() => {
    const { figures, frame, boxes } = window.shown;
    const rate = (1000 * figures.frames) / (performance.now() - figures.start);
    frame.update();
    const found = Array.from(frame.pairs());
    return { ...figures, rate, found, boxes: Array.from(boxes), memory: frame.pairs().buffer.byteLength };
  });
  assert.deepEqual(
    loaded.filter((path) => path !== "/favicon.ico"),
    ["/examples/boxes.html", "/dist/float32.js"],
  );
  assert.deepEqual(
    complaints.filter((text) => !text.includes("404")),
    [],
  );
  assert.equal(seen.boxes.length, 80_000);
  assert.deepEqual(keys(seen.found), keys(sweep(seen.boxes)));
  assert.ok(seen.found.length > 1000, "they do collide");

  // Two pictures of moving boxes differ.
  const [one, other] = [await page.screenshot(), await page.screenshot()];
  assert.notDeepEqual(one, other);

  await page.waitForFunction((frames) => window.shown.figures.frames >= frames, seen.frames + 100);
  assert.equal(
    await page.evaluate(() => window.shown.frame.pairs().buffer.byteLength),
    seen.memory,
    "memory does not grow",
  );
  context.diagnostic(
    `${seen.rate.toFixed(0)} frames a second, ${seen.milliseconds.toFixed(2)} ms of each for update and pairs`,
  );
});

test("what is refused is an error in a browser too", async () => {
  const page = await site.browser.newPage();
  await page.goto(`${site.server.address}examples/boxes.html?n=10`);
  const message = await page.evaluate(async () => {
    const { load } = await import("../dist/quadrille.js");
    const frame = new (await load()).Frame(1);
    frame.boxes[0] = NaN;
    try {
      frame.update();
    } catch (error) {
      return error.message;
    }
  });
  assert.match(message, /NaN/);
});

/** Pairs by a sweep over x: brute force, but for those that are apart on x. */
function sweep(boxes) {
  const found = [];
  const order = Array.from({ length: boxes.length / 4 }, (_, id) => id).sort((a, b) => boxes[4 * a] - boxes[4 * b]);
  order.forEach((a, place) => {
    for (let at = place + 1; at < order.length && boxes[4 * order[at]] <= boxes[4 * a + 2]; at++) {
      const b = order[at];
      if (boxes[4 * a + 1] <= boxes[4 * b + 3] && boxes[4 * b + 1] <= boxes[4 * a + 3])
        found.push(Math.min(a, b), Math.max(a, b));
    }
  });
  return found;
}

function keys(flat) {
  const all = [];
  for (let at = 0; at < flat.length; at += 2) all.push(flat[at] * 100_000 + flat[at + 1]);
  return all.sort((a, b) => a - b);
}
