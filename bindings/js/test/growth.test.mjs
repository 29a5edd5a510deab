// Answers stay right while the memory of the module grows, whatever the query and its arguments.

import assert from "node:assert/strict";
import { test } from "node:test";
import * as brute from "./brute.mjs";
import { CALLS } from "./calls.mjs";
import { Random } from "./random.mjs";

let modules = 0;
/** The module once more, with a memory of its own: one that others have used has room, and need not grow. */
const fresh = async (entry = "quadrille") => (await import(`../dist/${entry}.js?${++modules}`)).load();
const sorted = (ids) => Array.from(ids).sort((a, b) => a - b);
const memory = (index) => index.search(0, 0).buffer.byteLength;

for (const entry of ["float32", "quadrille"]) {
  test(`any count, limit and layers, while memory grows: ${entry}`, async () => {
    const q = await fresh(entry);
    const random = new Random(47);
    const index = new q.Index();
    const [boxes, own, ballast] = [[], [], []];
    let [grown, before] = [0, 0];
    for (let step = 0; step < 300; step++) {
      const box = random.boxes(new Float64Array(4), 30, 2);
      own.push(1 << random.next() % 3);
      assert.equal(index.insert(...box, own.at(-1)), step);
      boxes.push(...box);
      if (step % 10 === 0) ballast.push(filled(q, 4000 + 400 * step));
      for (let turn = 0; turn < 4; turn++) checkNear(index, boxes, own, random);
      if (memory(index) !== before) [grown, before] = [grown + 1, memory(index)];
    }
    assert.ok(grown > 10, `memory has grown ${grown} times`);
    for (const frame of [index, ...ballast]) frame.free();
  });
}

/** One question of each kind, with any count, limit and layers. */
function checkNear(index, boxes, own, random) {
  const [x, y] = [random.below(34), random.below(34)];
  const layers = [undefined, 0, 1, 6, 2 ** 32 - 1][random.next() % 5];
  const isSeen = (id) => layers === undefined || (own[id] & layers) !== 0;
  const order = brute.nearest(boxes, x, y).filter(([, id]) => isSeen(id));
  const [k, limit] = [1 + (random.next() % 70), between(order, random)];
  const inside = order.filter(([distance]) => distance <= limit);
  const [near, first] = [index.nearest(x, y, k, limit, layers), inside.slice(0, k)];
  assert.deepEqual([...near.ids], first.map(([, id]) => id));
  assert.deepEqual([...near.distances], first.map(([distance]) => distance));
  const within = index.within(x, y, limit, layers);
  assert.deepEqual(Array.from(within.distances, (distance, at) => [distance, within.ids[at]]).sort(byDistance), inside);
  const box = [x, y, x + random.below(9), y + random.below(9)];
  const all = brute.search(boxes, box).filter(isSeen);
  const some = index.search(...box, k, layers);
  assert.equal(some.length, Math.min(k, all.length));
  assert.ok(some.every((id) => all.includes(id)));
  assert.equal(index.collides(...box, layers), all.length > 0);
  const { starts, ids } = index.searchMany([...box, 90, 90, 91, 91, ...box], layers);
  assert.deepEqual([...starts], [0, all.length, all.length, 2 * all.length]);
  assert.deepEqual(sorted(ids.subarray(0, all.length)), all);
  const hit = index.cast(x, y, random.below(4) - 2, 1, 9, layers);
  assert.ok(hit === null || (isSeen(hit.id) && hit.normal.length === 2 && hit.time <= 9));
}

const byDistance = (a, b) => a[0] - b[0] || a[1] - b[1];

/** A limit that is the distance of nothing: whether an equal one is within it is a matter of the last bit of a root. */
function between(order, random) {
  const at = random.next() % (order.length + 1);
  const [near, far] = [order[at - 1]?.[0] ?? 0, order[at]?.[0] ?? Infinity];
  return near < far && random.next() % 4 > 0 ? (near + far) / 2 : Infinity;
}

test("an answer for fewer than were asked for has as many distances", async () => {
  const q = await fresh();
  const index = new q.Index();
  for (let i = 0; i < 100; i++) index.insert(i, 0);
  index.nearest(0, 0, 2);
  assert.deepEqual([...index.nearest(0, 0, 7, 1.5).distances], [0, 1]);
  assert.deepEqual([...index.nearest(0, 0, 99, 1.5).distances], [0, 1]);
  assert.deepEqual([...index.nearest(0, 0, 99, 0.5, 0).distances], []);
  index.free();
});

/** A frame of boxes beside each other. */
function filled(q, count) {
  const frame = new q.Frame(count);
  frame.boxes.forEach((_, at) => (frame.boxes[at] = at >> 2));
  frame.update();
  return frame;
}

// Every list of every call: a view of an answer is as good as a copy, even if the memory has to grow for it.
for (const [kind, calls] of Object.entries(CALLS)) {
  for (const [name, [names]] of Object.entries(calls)) {
    if (names.some((name) => /[\]|]\??$/.test(name))) {
      test(`${kind}.${name} takes views of answers while memory grows`, async () => asked(await fresh(), kind, name, names));
    }
  }
}

function asked(q, kind, name, names) {
  const [many, source, held] = [20_000, new q.Index(), []];
  source.update(new Float64Array(16 * many));
  let grown = 0;
  for (let turn = 0; grown === 0; turn++) {
    assert.ok(turn < 20, "memory never had to grow");
    // A frame's room is as large as the frame.
    const [target, twin] = [1, 2].map(() => made(q, kind, name === "searchMany" ? 8 : many));
    // Nothing is free but what is too small.
    for (const count of [2000, 200, 10]) fill(q, count, source, held);
    // Four ids in a row are a box, too.
    const boxes = source.ids();
    const ids = boxes.subarray(0, many);
    const views = names.map((name) => (name === "count?" ? many : name === "boxes[]" ? boxes : name === "layers?" ? 1 : ids));
    const copies = views.map((view) => (typeof view === "number" ? view : view.slice()));
    const given = read(target[name](...views));
    if (boxes.length === 0) grown++;
    assert.deepEqual(given, read(twin[name](...copies)));
    assert.deepEqual(state(target), state(twin));
    held.push(target, twin);
  }
  for (const one of [source, ...held]) one.free();
}

/** Makes frames of a size until memory has grown. */
function fill(q, count, index, held) {
  for (const before = memory(index); memory(index) === before;) held.push(filled(q, count));
}

/** Boxes of which a few at a time have come: there is no room for many yet. */
function made(q, kind, many) {
  const all = kind === "Frame" ? new q.Frame(many) : new q.Index();
  if (kind === "Frame") all.update();
  else for (let at = 0; at < many; at += 8) all.insertMany(new Float64Array(4 * Math.min(8, many - at)));
  return all;
}

/** A copy of an answer. */
const read = (answer) =>
  ArrayBuffer.isView(answer) ? answer.slice() : answer && Object.fromEntries(Object.entries(answer).map(([name, view]) => [name, view.slice()]));

const state = (index) => [index.nodes().slice(), index.search(-1, -1, 1e9, 1e9).slice(), layersOf(index, 0), layersOf(index, 1)];

/** The layers of a box that may have been removed. */
function layersOf(index, id) {
  try {
    return index.layers(id);
  } catch (error) {
    return error.message;
  }
}
