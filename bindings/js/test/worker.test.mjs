// The example of a worker answers every request, on the map as it was edited before.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { Grid, noise } from "./grids.mjs";
import { Random } from "./random.mjs";

test("a worker finds paths while the map is edited", { timeout: 60_000 }, async () => {
  const random = new Random(29);
  const grid = new Grid(noise(random, 30, 20, 0.8), 30);
  const worker = new Worker(new URL("../examples/worker.mjs", import.meta.url));
  const answers = new Map();
  const answered = (count) =>
    new Promise((done, failed) => {
      worker.on("error", failed);
      worker.on("message", ({ request, path }) => {
        answers.set(request, path);
        if (answers.size === count) done();
      });
    });
  worker.postMessage({ map: grid.free, width: 30 });
  for (let round = 0; round < 3; round++) {
    const edit = noise(random, 5, 4, 0.5);
    for (let at = 0; at < 20; at++) grid.free[(7 + Math.floor(at / 5)) * 30 + 9 + (at % 5)] = edit[at];
    worker.postMessage({ edit: [9, 7, 5, edit] });
    const asked = Array.from({ length: 20 }, () => [random.next() % 30, random.next() % 20, random.next() % 30, random.next() % 20]);
    asked.forEach((ends, number) => worker.postMessage({ request: `${round} ${number}`, ends }));
    await answered(20 * (round + 1));
    asked.forEach(([x0, y0, x1, y1], number) => {
      const path = answers.get(`${round} ${number}`);
      const expected = grid.costs(x0, y0)[y1 * 30 + x1];
      const length = path ? grid.walk(path) : Infinity;
      assert.ok(length === expected || Math.abs(length - expected) < 1e-9, `${length}, not ${expected}`);
    });
  }
  await worker.terminate();
});
