// The small module: every answer is that of brute force, and that of the large module; whatever the caller does, an error
// says what is wrong.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { runInNewContext } from "node:vm";
import * as small from "../dist/frame.js";
import { load } from "../dist/float32.js";
import * as brute from "./brute.mjs";
import { SMALL_CALLS, checkList, refuseAll } from "./calls.mjs";
import { Random } from "./random.mjs";
import { framed, refuses } from "./refusals.mjs";

const { Frame, Index } = small;
const large = await load();
const sorted = (ids) => Array.from(ids).sort((a, b) => a - b);

test("frames of any number of boxes answer as brute force does", () => {
  for (const most of [0, 1, 2, 15, 16, 17, 33, 255, 256, 257, 700]) {
    const random = new Random(7 + most);
    const frame = new Frame(most);
    let before = [];
    for (let turn = 0; turn < 5; turn++) {
      random.boxes(frame.boxes, 4 + Math.ceil(Math.sqrt(most)), 3);
      const count = Math.max(0, most - (turn % 2) * 20 * turn);
      frame.update(count);
      before = checkEvents(frame, before, checkQueries(frame, frame.boxes.subarray(0, 4 * count), random));
    }
    frame.free();
  }
});

test("boxes that drift, gather and scatter answer as brute force does", () => {
  const random = new Random(19);
  const frame = new Frame(600);
  const boxes = random.boxes(frame.boxes, 40, 2);
  let before = [];
  for (let turn = 0; turn < 20; turn++) {
    const by = turn % 5 === 4 ? 30 : 1;
    for (let at = 0; at < boxes.length; at += 4) {
      const way = [random.below(by), random.below(by)];
      for (let edge = 0; edge < 4; edge++) boxes[at + edge] = Math.abs(boxes[at + edge] % 200) + way[edge % 2];
      if (boxes[at] > boxes[at + 2]) boxes[at] = boxes[at + 2];
      if (boxes[at + 1] > boxes[at + 3]) boxes[at + 1] = boxes[at + 3];
    }
    frame.update();
    before = checkEvents(frame, before, checkQueries(frame, boxes, random));
  }
  frame.free();
});

test("boxes that jump among many that stand still answer as brute force does", () => {
  const random = new Random(29);
  const frame = new Frame(800);
  const boxes = random.boxes(frame.boxes, 60, 2);
  let before = [];
  for (let turn = 0; turn < 40; turn++) {
    // Turns in which few jump, and then none, many or all.
    for (let jumper = 0; jumper < [7, 7, 7, 0, 90, 800][turn % 6]; jumper++) {
      random.boxes(boxes.subarray(4 * ((turn * 31 + jumper) % 800), 4 * ((turn * 31 + jumper) % 800) + 4), 60, 2);
    }
    frame.update();
    before = checkEvents(frame, before, checkQueries(frame, boxes, random));
  }
  frame.free();
});

test("frames of fewer and of more boxes end and begin what they should, in order", () => {
  const [random, frame] = [new Random(31), new Frame(700)];
  let before = [];
  for (const count of [700, 90, 700, 300, 1, 0, 513, 255]) {
    random.boxes(frame.boxes, 25, 3);
    frame.update(count);
    before = checkEvents(frame, before, brute.pairs(frame.boxes.subarray(0, 4 * count)));
  }
  frame.free();
});

test("a crowd that comes at once and leaves at once is told of once, while all others move", () => {
  const [random, frame] = [new Random(37), new Frame(900)];
  const boxes = random.boxes(frame.boxes, 40, 2);
  let before = [];
  for (let turn = 0; turn < 12; turn++) {
    const by = turn % 3 === 0 ? 500 : -250;
    // The first hundred move together, from afar into the others and through them.
    for (let at = 0; at < boxes.length; at++) boxes[at] += at < 400 && at % 2 === 0 ? by / 10 : (at >> 2) % 2 ? 0.01 : -0.01;
    frame.update();
    before = checkEvents(frame, before, brute.pairs(boxes));
  }
  frame.free();
});

/** Checks all queries, and gives the pairs. */
function checkQueries(all, boxes, random) {
  const pairs = brute.pairs(boxes);
  assert.deepEqual(brute.texts(all.pairs()), pairs);
  for (let turn = 0; turn < 6; turn++) {
    const box = random.boxes(new Float32Array(4), 30, 5);
    const expected = brute.search(boxes, box);
    assert.deepEqual(sorted(all.search(...box)), expected);
    const [some, most] = [all.search(...box, 3).slice(), Math.min(3, expected.length)];
    assert.ok(some.length === most && some.every((id) => expected.includes(id)));
    assert.equal(all.collides(...box), expected.length > 0);
    const [x, y] = box;
    assert.deepEqual(sorted(all.search(x, y)), brute.search(boxes, [x, y, x, y]));
    checkNear(all, x, y, brute.nearest(boxes, x, y));
  }
  return pairs;
}

function checkNear(all, x, y, order) {
  for (const k of [1, 5, Infinity]) {
    const { ids, distances } = all.nearest(x, y, k);
    assert.deepEqual(Array.from(ids, (id, at) => [distances[at], id]), order.slice(0, k));
  }
  if (order.length < 9) return;
  const limit = (order[7][0] + order[8][0]) / 2;
  assert.deepEqual([...all.nearest(x, y, Infinity, limit).ids], order.filter(([far]) => far <= limit).map(([, id]) => id));
}

/** Whether pairs are in the order of their lower ids, then of the upper ones, none twice. */
const isInOrder = (pairs) =>
  pairs.every((id, at) => at % 2 === 1 || at === 0 || pairs[at - 2] < id || (pairs[at - 2] === id && pairs[at - 1] < pairs[at + 1]));

function checkEvents(all, before, now) {
  const [was, is] = [new Set(before), new Set(now)];
  const { began, ended } = all.events();
  for (const list of [began, ended]) assert.ok(isInOrder(list));
  assert.deepEqual(brute.texts(began), now.filter((pair) => !was.has(pair)));
  assert.deepEqual(brute.texts(ended), before.filter((pair) => !is.has(pair)));
  return now;
}

test("single changes, frames, layers and events are as in the large module", () => {
  for (const [seed, side, steps] of [
    [3, 12, 3000],
    [4, 60, 9000],
  ]) {
    const random = new Random(seed);
    const [here, there] = [new Index(), new large.Index()];
    const both = (call) => assert.deepEqual(call(here), call(there));
    for (let step = 0; step < steps; step++) {
      change(both, there, random, side);
      if (step % (steps / 60) === 0) checkSame(here, there, random, side);
    }
    for (const index of [here, there]) index.free();
  }
});

/** One change of both; boxes become more, then fewer. */
function change(both, index, random, side) {
  const ids = index.ids().slice();
  const id = ids[random.next() % ids.length];
  const box = random.boxes(new Float32Array(4), side, 2);
  const dice = random.next() % 100;
  if (ids.length < 20 || dice < 40) return both((all) => all.insert(...box, 1 << dice % 3, dice % 8));
  if (dice < 50) return both((all) => all.move(id, ...index.get(id).map((edge) => edge + 0.125)));
  if (dice < 65) return both((all) => all.move(id, ...box));
  if (dice < 90) return both((all) => all.remove(id));
  if (dice < 94) return both((all) => all.setLayers(ids.slice(0, 9), dice % 8, dice % 5));
  if (dice < 96) return both((all) => all.removeMany(ids.filter((_, at) => at % 7 === 3)));
  if (dice < 98) return both((all) => [...all.insertMany(random8(box), 3)]);
  if (dice === 98) return both((all) => all.moveMany(ids.slice(0, 8), random8(box)));
  if (ids.length > 200) both((all) => all.update(random8(box)));
}

/** Eight boxes made of one. */
const random8 = (box) => Float32Array.from({ length: 32 }, (_, at) => box[at % 4] + (at >> 2));

function checkSame(here, there, random, side) {
  assert.equal(here.length, there.length);
  assert.deepEqual([...here.ids()], [...there.ids()]);
  const id = there.ids()[0];
  assert.deepEqual([here.has(id), [...here.get(id)], here.layers(id)], [true, [...there.get(id)], there.layers(id)]);
  assert.deepEqual(brute.texts(here.pairs()), brute.texts(there.pairs()));
  const [one, other] = [here.events(), there.events()];
  for (const name of ["began", "ended"]) assert.deepEqual([...one[name]], [...other[name]], name);
  const [x, y, layers] = [random.below(side), random.below(side), [undefined, 0, 1, 6][random.next() % 4]];
  const found = (all) => sorted(all.search(x, y, x + 3, y + 3, Infinity, layers));
  assert.deepEqual(found(here), found(there));
  const near = (all) => Object.values(all.nearest(x, y, 20, 9, layers)).map((list) => [...list]);
  assert.deepEqual(near(here), near(there));
}

test("answers stay right while memory grows", () => {
  const random = new Random(47);
  const [index, boxes, ballast, sizes] = [new Index(), [], [], new Set()];
  for (let step = 0; step < 200; step++) {
    const box = random.boxes(new Float32Array(4), 30, 2);
    boxes.push(...box);
    assert.equal(index.insert(...box), step);
    if (step % 10 === 0) ballast.push(filled(5000 + 1000 * step));
    const [x, y] = [random.below(30), random.below(30)];
    assert.deepEqual(sorted(index.search(x, y, x + 3, y + 3)), brute.search(boxes, [x, y, x + 3, y + 3]));
    assert.equal(index.nearest(x, y).ids[0], brute.nearest(boxes, x, y)[0][1]);
    sizes.add(index.search(0, 0).buffer.byteLength);
  }
  assert.ok(sizes.size > 5, `memory has had ${sizes.size} sizes`);
  for (const all of [index, ...ballast]) all.free();
});

function filled(n) {
  const frame = new Frame(n);
  frame.boxes.forEach((_, at) => (frame.boxes[at] = at >> 2));
  frame.update();
  assert.equal(frame.pairs().length, 0);
  assert.equal(frame.search(n - 1, n - 1)[0], n - 1);
  return frame;
}

test("layers of a whole frame decide about pairs, and boxes that stay keep them", () => {
  const [random, frame] = [new Random(23), new Frame(120)];
  const boxes = random.boxes(frame.boxes, 20, 4);
  const own = Uint32Array.from({ length: 120 }, () => random.next() % 8);
  const mask = Array.from({ length: 120 }, () => random.next() % 8);
  const meet = ([a, b]) => (own[a] & mask[b]) !== 0 && (own[b] & mask[a]) !== 0;
  const expected = brute.pairs(boxes).filter((pair) => meet(pair.split(" ")));
  frame.update(120, own, mask);
  for (let turn = 0; turn < 2; turn++) {
    assert.deepEqual(brute.texts(frame.pairs()), expected);
    assert.deepEqual(frame.layers(7), { layers: own[7], mask: mask[7] });
    frame.update();
  }
  frame.setLayers([3, 4], 1);
  assert.deepEqual(frame.layers(4), { layers: 1, mask: 2 ** 32 - 1 });
  frame.free();
});

test("every call refuses what is no number, names argument and place, and has changed nothing", () => {
  checkList(SMALL_CALLS, { Frame, Index });
  const [frame, index] = [framed(Frame), new Index()];
  index.insertMany([0, 0, 2, 2, 1, 1, 3, 3, 8, 8, 9, 9]);
  for (const [name, all] of Object.entries({ Frame: frame, Index: index })) {
    const state = () => [...all.pairs(), ...all.search(-99, -99, 99, 99), all.length, all.layers(1).mask];
    const before = state();
    for (const [call, spec] of Object.entries(SMALL_CALLS[name])) {
      refuseAll((...args) => all[call](...args), spec, () => assert.deepEqual(state(), before, call));
    }
    all.free();
  }
});

test("boxes that are none are refused by row, axis and value, as in the large module", () => {
  const frames = [framed(Frame), new large.Frame(3)];
  frames[1].boxes.set(frames[0].boxes);
  for (const [at, value] of [[5, NaN], [10, 1], [11, -4], [0, NaN]]) {
    const told = frames.map((frame) => {
      const good = frame.boxes[at];
      frame.boxes[at] = value;
      const message = toldBy(() => frame.update());
      frame.boxes[at] = good;
      return message;
    });
    assert.match(told[0], new RegExp(`^row ${at >> 2}: .*${value}`));
    assert.equal(told[0], told[1]);
  }
  frames[0].boxes[6] = Infinity;
  refuses(() => frames[0].update(), RangeError, /^row 1: max x of the box is not finite: Infinity$/);
  assert.deepEqual(brute.texts(frames[0].pairs()), ["0 1"]);
  for (const frame of frames) frame.free();
});

const toldBy = (work) => {
  try {
    work();
  } catch (error) {
    return error.message;
  }
};

test("queries that are none, ids that are none, and lists of wrong lengths are refused as in the large module", () => {
  const indices = [new Index(), new large.Index()];
  indices.forEach((index) => index.insertMany([0, 0, 2, 2, 1, 1, 3, 3, 8, 8, 9, 9]));
  indices.forEach((index) => index.remove(2));
  const calls = [2, 3, -1, 2 ** 31, 2 ** 32, 2 ** 53 - 1, 2 ** 53, 1e300, -Infinity, NaN, 0.5].flatMap((id) => [
    (index) => index.remove(id),
    (index) => index.move(id, 0, 0, 1, 1),
    (index) => index.get(id),
    (index) => index.layers(id),
    (index) => index.setLayers([0, id]),
    (index) => index.removeMany([0, id]),
    (index) => index.moveMany([0, id], [5, 5, 6, 6, 5, 5, 6, 6]),
  ]);
  calls.push(
    (index) => index.removeMany([1, 1]),
    (index) => index.moveMany([0, 1], [0, 0, 1, 1]),
    (index) => index.moveMany([0, 1], [0, 0, 1, 1, 7, 8, 6, 9]),
    (index) => index.insert(3, 0, 1, 1),
    (index) => index.insert(0.1, NaN, 1, 1),
    (index) => index.insert(NaN, NaN, NaN, NaN),
    (index) => index.insert(NaN, 3, NaN, 2),
    (index) => index.insert(0, 0, Infinity, 1),
    (index) => index.insert(1e30, 0, -1e-9, 1),
    (index) => index.search(-Infinity, 3, Infinity, 2),
    (index) => index.search(-Infinity, 3, Infinity, NaN),
    (index) => index.move(0, 0, 0, -1, 1),
    (index) => index.insertMany([0, 0, 1, 1, NaN, 0, 1, 1]),
    (index) => index.insertMany([0, 0, 1]),
    (index) => index.update([0, 0, 1, 1, 1, 0, 0.1, 1]),
    (index) => index.update([0, 0, 1, 1], [1, 2]),
    (index) => index.search(NaN, 0, 1, 1),
    (index) => index.search(2, 0, 1.1, 1),
    (index) => index.search(0, 0, 1, 1, 0),
    (index) => index.search(0, 0, 1, 1, 9, -1),
    (index) => index.nearest(NaN, 0),
    (index) => index.nearest(0, -Infinity),
    (index) => index.nearest(0, 0, 0),
    (index) => index.nearest(0, 0, 1.5),
    (index) => index.nearest(0, 0, 1, -1),
    (index) => index.nearest(0, 0, 1, -1e-9),
    (index) => index.nearest(0, 0, -1e30),
    (index) => index.nearest(0, 0, 1, NaN),
  );
  for (const call of calls) {
    const told = indices.map((index) => toldBy(() => call(index)));
    assert.ok(told[0], `${call}`);
    assert.equal(told[0], told[1], `${call}`);
  }
  for (const index of indices) {
    assert.deepEqual([...index.get(0), ...index.get(1)], [0, 0, 2, 2, 1, 1, 3, 3], "nothing has changed");
    assert.equal(index.has(2 ** 32), false);
    assert.deepEqual([...index.search(2 + 1e-12, 2, 2, 2)].sort(), [0, 1], "rounded, it is a point");
    assert.deepEqual([...index.nearest(0, 0, 1e300).ids], [0, 1], "as many as there are");
    assert.equal(index.search(-Infinity, -Infinity, Infinity, Infinity).length, 2);
    assert.equal(index.insert(7, 7), 2, "a freed id is given out again");
    index.free();
    refuses(() => index.pairs(), Error, /freed/);
    index.free();
  }
});

test("memory that runs out is an error of one call", () => {
  const frame = new Frame(40_000);
  frame.update();
  // 40,000 boxes in one place are 800 million pairs, 6.4 GB.
  refuses(() => frame.pairs(), RangeError, /memory for all pairs/);
  refuses(() => frame.events(), RangeError, /memory for all pairs/);
  frame.boxes.forEach((_, at) => (frame.boxes[at] = at >> 2));
  frame.update();
  assert.equal(frame.pairs().length, 0);
  assert.equal(frame.search(5, 5).length, 1);
  frame.free();
});

/** A page on which compiling at once is refused, or not. */
function page(isRefused) {
  const script = readFileSync(new URL("../dist/frame.cjs", import.meta.url), "utf8");
  class Module {
    constructor() {
      throw new RangeError("WebAssembly.Compile is disallowed on the main thread");
    }
  }
  const scope = { WebAssembly: isRefused ? Object.assign(Object.create(WebAssembly), { Module }) : WebAssembly };
  Object.assign(scope, { FinalizationRegistry, atob, module: { exports: {} } });
  runInNewContext(script, scope);
  return scope.module.exports;
}

test("where compiling at once is refused, an error says what to wait for", async () => {
  assert.equal(new (page(false).Frame)(3).length, 3);
  const refused = page(true);
  assert.match(toldBy(() => new refused.Frame(3)), /await load\(\)/);
  const { Frame } = await refused.load();
  assert.equal(Frame, refused.Frame);
  const frame = new refused.Frame(3);
  frame.update();
  assert.equal(frame.pairs().length, 6);
  assert.equal(refused.load(), refused.load());
});
