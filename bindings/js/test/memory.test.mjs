// Memory does not grow from frame to frame, nor from one index to the next.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { load } from "../dist/quadrille.js";
import { Random } from "./random.mjs";

const q = await load();
/** Views are of the whole memory. */
const memory = (frame) => frame.search(0, 0).buffer.byteLength;

test("ten thousand frames with all queries take no more memory than two hundred", () => {
  const random = new Random(3);
  const frame = new q.Frame(500);
  const scenes = Array.from({ length: 50 }, () => random.boxes(new Float32Array(4 * 500), 40, 3));
  let after;
  for (let turn = 0; turn < 10_000; turn++) {
    frame.boxes.set(scenes[turn % scenes.length]);
    frame.update(500 - (turn % 7));
    frame.pairs();
    frame.events();
    frame.search(3, 3, 9, 9);
    frame.nearest(3, 3, 8);
    frame.within(3, 3, 2);
    frame.cast(0, 0, 1, 1);
    frame.searchMany(scenes[0].subarray(0, 40));
    if (turn === 200) after = memory(frame);
  }
  assert.equal(memory(frame), after);
  frame.free();
});

test("an index whose boxes come and go for long takes no more memory", () => {
  const random = new Random(9);
  const index = new q.Index();
  const ids = [];
  let after;
  for (let step = 0; step < 50_000; step++) {
    const box = random.boxes(new Float64Array(4), 40, 3);
    if (ids.length < 300) ids.push(index.insert(...box));
    else if (step % 3) index.move(ids[step % 300], ...box);
    else index.remove(ids.splice(step % 300, 1)[0]);
    if (step % 100 === 0) index.events();
    if (step === 5000) after = memory(index);
  }
  assert.equal(memory(index), after);
  index.free();
});

test("what is freed is used again", () => {
  let after;
  for (let turn = 0; turn < 300; turn++) {
    const frame = new q.Frame(5000);
    frame.boxes.forEach((_, at) => (frame.boxes[at] = at >> 2));
    frame.update();
    frame.events();
    if (turn === 3) after = memory(frame);
    else if (turn > 3) assert.equal(memory(frame), after);
    frame.free();
  }
});

test("calls that run out of memory say so, as what they worked with does from then on, and nothing else is lost", () => {
  const scarce = new URL("scarce.mjs", import.meta.url).pathname;
  const refused = Number(execFileSync(process.execPath, ["--wasm-max-mem-pages=600", scarce], { encoding: "utf8" }));
  assert.ok(refused > 8, `${refused}`);
});
