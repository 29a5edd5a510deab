// The example of a crowd in a real browser without a screen: one module is all that is loaded, walls that are drawn with the
// mouse stand on the map, the field leads around them, and nobody walks through one.

import assert from "node:assert/strict";
import { test } from "node:test";
import { opened } from "./pages.mjs";

const PATIENCE = 120_000;

const site = opened();

test("walls are drawn into a crowd", async () => {
  const page = await site.browser.newPage({ viewport: { width: 640, height: 400 } });
  page.setDefaultTimeout(PATIENCE);
  const [loaded, complaints] = [[], []];
  page.on("request", (request) => loaded.push(new URL(request.url()).pathname));
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(`${site.server.address}examples/crowd.html?n=500`);
  await page.waitForFunction(() => window.shown?.figures.frames >= 10);
  assert.deepEqual(
    loaded.filter((path) => path !== "/favicon.ico"),
    ["/examples/crowd.html", "/dist/paths.js"],
  );
  const open = await page.evaluate(() => window.shown.field.length(10, 100));
  assert.equal(open, 309);

  // A wall from the upper edge down to row 150, two screen pixels a cell.
  await page.mouse.move(400, 1);
  await page.mouse.down();
  await page.mouse.move(400, 300, { steps: 10 });
  await page.mouse.up();
  const frames = await page.evaluate(() => window.shown.figures.frames);
  await page.waitForFunction((frames) => window.shown.figures.frames >= frames + 5, frames);
  const seen = await page.evaluate(() => {
    const { map, field, cells, figures } = window.shown;
    const free = map.cells();
    const inWalls = Array.from({ length: 500 }, (_, unit) => unit).filter((unit) => !free[cells[2 * unit + 1] * 320 + cells[2 * unit]]);
    return {
      walls: free.filter((one) => !one).length,
      length: field.length(10, 100),
      path: Array.from(field.path(10, 100)),
      free: Array.from(free),
      moved: inWalls.length,
      stuck: figures.stuck,
    };
  });
  assert.ok(seen.walls >= 3 * 150 && seen.walls < 3 * 160, `${seen.walls} cells of wall`);
  assert.ok(seen.length > open + 10, `${seen.length} is a way around`);
  for (let at = 0; at < seen.path.length; at += 2) assert.equal(seen.free[seen.path[at + 1] * 320 + seen.path[at]], 1);
  assert.equal(seen.moved, seen.stuck, "only those who were walled in stand in walls");
  assert.deepEqual(complaints, []);
});
