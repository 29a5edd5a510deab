// Every answer is that of brute force, and that of the native library bit by bit.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { load as load32 } from "../dist/float32.js";
import { load } from "../dist/quadrille.js";
import * as brute from "./brute.mjs";
import { Random } from "./random.mjs";

const q = await load();
const sorted = (ids) => Array.from(ids).sort((a, b) => a - b);

/** What each module gives. */
const MODULES = Object.entries({ float32: await load32(), float64: q });

test("the module is loaded once", () => assert.equal(load(), load()));

for (const [precision, { Frame, Index }] of MODULES) {
  test(`frames answer as brute force does: ${precision}`, () => {
    const random = new Random(7);
    using(new Frame(300), (frame) => {
      let before = [];
      for (let turn = 0; turn < 8; turn++) {
        random.boxes(frame.boxes, 30, 3);
        const count = 300 - 20 * turn;
        frame.update(count);
        const boxes = frame.boxes.subarray(0, 4 * count);
        checkQueries(frame, boxes, random);
        const now = brute.pairs(boxes);
        const { began, ended } = frame.events();
        assert.deepEqual(
          brute.texts(began),
          now.filter((pair) => !before.includes(pair)),
        );
        assert.deepEqual(
          brute.texts(ended),
          before.filter((pair) => !now.includes(pair)),
        );
        before = now;
      }
    });
  });
}

for (const [precision, { Frame, Index }] of MODULES) {
  test(`single changes answer as brute force does: ${precision}`, () => {
    const random = new Random(11);
    using(new Index(), (index) => {
      const kept = new Map();
      for (let step = 0; step < 600; step++) {
        const box = random.boxes(new Float64Array(4), 20, 3);
        const ids = [...kept.keys()];
        const id = ids[random.next() % ids.length];
        const dice = random.next() % 5;
        if (ids.length < 20 || dice < 2) {
          const born = index.insert(...box);
          assert.ok(!kept.has(born));
          kept.set(born, box);
        } else if (dice < 4) {
          index.move(id, ...box);
          kept.set(id, box);
        } else {
          index.remove(id);
          kept.delete(id);
          assert.ok(!index.has(id));
        }
        if (step % 100 === 99) checkIndex(index, kept);
      }
      const boxes = random.boxes(new Float64Array(4 * 200), 30, 3);
      index.update(boxes);
      checkQueries(index, boxes, random);
    });
  });
}

function checkIndex(index, kept) {
  assert.equal(index.length, kept.size);
  const order = sorted(kept.keys());
  assert.deepEqual(sorted(index.ids()), order);
  const boxes = Float64Array.from(order.flatMap((id) => [...kept.get(id)]));
  const expected = brute.pairs(boxes).map((pair) =>
    pair
      .split(" ")
      .map((at) => order[at])
      .join(" "),
  );
  assert.deepEqual(brute.texts(index.pairs()), expected.sort());
  assert.deepEqual([...index.get(order[3])], [...kept.get(order[3])]);
  assert.deepEqual(
    sorted(index.search(4, 4, 9, 9)),
    brute.search(boxes, [4, 4, 9, 9]).map((at) => order[at]),
  );
}

test("many at a time are as one by one", () => {
  const random = new Random(5);
  const [one, many] = [new q.Index(), new q.Index()];
  const boxes = random.boxes(new Float64Array(4 * 100), 20, 3);
  const ids = [...many.insertMany(boxes)];
  assert.deepEqual(
    ids,
    Array.from({ length: 100 }, (_, row) => one.insert(...boxes.subarray(4 * row, 4 * row + 4))),
  );
  const moved = random.boxes(new Float64Array(4 * 10), 20, 3);
  many.moveMany(ids.slice(20, 30), moved);
  for (let row = 0; row < 10; row++) one.move(20 + row, ...moved.subarray(4 * row, 4 * row + 4));
  many.removeMany(Uint32Array.of(3, 50, 99));
  for (const id of [3, 50, 99]) one.remove(id);
  assert.deepEqual([...many.ids()], [...one.ids()]);
  assert.deepEqual(brute.texts(many.pairs()), brute.texts(one.pairs()));
  // An answer can be an argument of the next call.
  many.removeMany(many.search(0, 0, 10, 10));
  assert.equal(many.search(0, 0, 10, 10).length, 0);
  many.update(boxes);
  assert.deepEqual(brute.texts(many.pairs()), brute.pairs(boxes));
  for (const index of [one, many]) index.free();
});

test("layers decide about pairs, and queries see some", () => {
  const random = new Random(23);
  const boxes = random.boxes(new Float32Array(4 * 120), 20, 4);
  const own = Uint32Array.from({ length: 120 }, () => random.next() % 8);
  const mask = Array.from({ length: 120 }, () => random.next() % 8);
  const meet = (a, b) => (own[a] & mask[b]) !== 0 && (own[b] & mask[a]) !== 0;
  const expected = brute.pairs(boxes).filter((pair) => meet(...pair.split(" ").map(Number)));
  const frame = new q.Frame(120);
  frame.boxes.set(boxes);
  frame.update(120, own, mask);
  const [updated, inserted, given, one] = [new q.Index(), new q.Index(), new q.Index(), new q.Index()];
  updated.update(boxes, own, mask);
  inserted.insertMany(boxes, own, mask);
  given.setLayers(given.insertMany(boxes), own, mask);
  for (let id = 0; id < 120; id++) one.insert(...boxes.subarray(4 * id, 4 * id + 4), own[id], mask[id]);
  for (const index of [frame, updated, inserted, given, one]) {
    assert.deepEqual(brute.texts(index.pairs()), expected);
    assert.deepEqual(index.layers(7), { layers: own[7], mask: mask[7] });
    for (const seen of [0, 1, 6, 2 ** 32 - 1]) {
      const isSeen = (id) => (own[id] & seen) !== 0;
      const found = brute.search(boxes, [4, 4, 9, 9]).filter(isSeen);
      assert.deepEqual(sorted(index.search(4, 4, 9, 9, Infinity, seen)), found);
      assert.deepEqual(sorted(index.searchMany([4, 4, 9, 9], seen).ids), found);
      const order = brute.nearest(boxes, 5, 5).filter(([, id]) => isSeen(id));
      const near = index.nearest(5, 5, 9, Infinity, seen);
      assert.deepEqual([...near.ids], order.slice(0, 9).map(([, id]) => id));
      assert.deepEqual(sorted(index.within(5, 5, Infinity, seen).ids), sorted(order.map(([, id]) => id)));
      const hit = index.cast(0, 5, 1, 0, Infinity, seen);
      assert.ok(hit === null || isSeen(hit.id));
    }
  }
  given.setLayers([3, 4]);
  assert.deepEqual(given.layers(3), { layers: 2 ** 32 - 1, mask: 2 ** 32 - 1 });
  // Boxes that stay keep their layers.
  updated.update(boxes);
  assert.deepEqual(brute.texts(updated.pairs()), expected);
  const before = given.layers(5);
  for (const wrong of [-1, 2 ** 32, 1.5, [1], "1", null, [1, -1]]) {
    const fault = { name: /^(RangeError|TypeError)$/, message: /layers/ };
    assert.throws(() => given.setLayers([5, 6], wrong), fault);
    assert.throws(() => given.insertMany(boxes.subarray(0, 8), wrong), fault);
    assert.throws(() => given.update(boxes.subarray(0, 8), wrong), fault);
    if (!Array.isArray(wrong)) assert.throws(() => given.search(0, 0, 1, 1, 9, wrong), fault);
  }
  assert.deepEqual(given.layers(5), before);
  assert.equal(given.length, 120);
  for (const index of [frame, updated, inserted, given, one]) index.free();
});

for (const [precision, { Frame, Index }] of MODULES) {
  test(`pairs of two sets are those of brute force: ${precision}`, () => {
    const random = new Random(31);
    const Numbers = precision === "float32" ? Float32Array : Float64Array;
    const [here, there] = [500, 90].map((count) => random.boxes(new Numbers(4 * count), 20, 3));
    const [frame, index] = [new Frame(500), new Index()];
    frame.boxes.set(here);
    frame.update();
    index.insertMany(there);
    const expected = [];
    for (let a = 0; a < 500; a++) for (let b = 0; b < 90; b++) if (brute.overlap(here, a, there, b)) expected.push(`${a} ${b}`);
    assert.ok(expected.length > 100);
    assert.deepEqual(brute.texts(frame.pairsWith(index)), expected.sort());
    assert.equal(index.pairsWith(frame).length, 2 * expected.length);
    index.setLayers(index.ids(), 2, 4);
    assert.equal(frame.pairsWith(index).length, 2 * expected.length);
    frame.update(500, 1, 1);
    assert.equal(frame.pairsWith(index).length, 0);
    const [, { Index: Other }] = MODULES.find(([other]) => other !== precision);
    const other = new Other();
    for (const wrong of [frame, other, undefined, {}]) assert.throws(() => frame.pairsWith(wrong), TypeError);
    index.free();
    assert.throws(() => frame.pairsWith(index), /freed/);
    for (const all of [frame, other]) all.free();
  });
}

test("the same as the native library, bit by bit and in the same order", () => {
  const golden = readFileSync(new URL("../../core/tests/golden.txt", import.meta.url), "utf8");
  const played = [
    ...MODULES.map(([precision, { Frame }]) => [`frame-tree ${precision}`, playedBy(new Frame(300), (frame) => frame.boxes)]),
    ...MODULES.map(([precision, { Index }]) => [`frame-tree ${precision}`, playedBy(new Index(), () => new Float64Array(1200))]),
  ];
  for (const [name, hash] of played) assert.ok(golden.split("\n").includes(`${name} ${hash}`), `${name} ${hash}`);
});

/** As `played` in ../../core/src/golden.rs. */
function playedBy(index, room) {
  const boxes = room(index);
  const random = new Random();
  let hash = 2166136261;
  const word = (number) => (hash = Math.imul(hash ^ number, 16777619));
  for (let turn = 0; turn < 6; turn++) {
    random.boxes(boxes, 64, 2);
    if ("boxes" in index) index.update(300 - 7 * turn);
    else index.update(boxes.subarray(0, 4 * (300 - 7 * turn)));
    index.pairs().forEach(word);
    const { began, ended } = index.events();
    began.forEach(word);
    ended.forEach(word);
    const [x, y] = [random.below(60), random.below(60)];
    index.search(x, y, x + 4, y + 4).forEach(word);
    const { ids, distances } = index.nearest(x, y, 9);
    ids.forEach(word);
    new Uint32Array(Float64Array.from(distances).buffer).forEach(word);
  }
  index.free();
  return hash >>> 0;
}

function checkQueries(index, boxes, random) {
  assert.deepEqual(brute.texts(index.pairs()), brute.pairs(boxes));
  const asked = random.boxes(new Float64Array(4 * 6), 30, 5);
  const { starts, ids } = index.searchMany(asked);
  const many = Array.from({ length: 6 }, (_, row) => sorted(ids.subarray(starts[row], starts[row + 1])));
  for (let row = 0; row < 6; row++) {
    const box = asked.subarray(4 * row, 4 * row + 4);
    const expected = brute.search(boxes, box);
    assert.deepEqual(sorted(index.search(...box)), expected);
    assert.deepEqual(many[row], expected);
    assert.equal(index.search(...box, 1).length, Math.min(1, expected.length));
    const [x, y] = box;
    const order = brute.nearest(boxes, x, y);
    const near = index.nearest(x, y, 5);
    assert.deepEqual(
      [...near.ids],
      order.slice(0, 5).map(([, id]) => id),
    );
    assert.deepEqual(
      [...near.distances],
      order.slice(0, 5).map(([distance]) => distance),
    );
    // Between two distances: whether one that is equal to the limit is within it is a matter of the last bit of a root.
    const limit = (order[7][0] + order[8][0]) / 2;
    assert.deepEqual(
      [...index.nearest(x, y, Infinity, limit).ids],
      order.filter(([d]) => d <= limit).map(([, id]) => id),
    );
    const within = index.within(x, y, limit);
    assert.deepEqual(sorted(within.ids), sorted(order.filter(([d]) => d <= limit).map(([, id]) => id)));
    const [dx, dy] = [random.below(4) - 2, random.below(4) - 2];
    const hit = brute.cast(boxes, x, y, dx, dy);
    const found = index.cast(x, y, dx, dy);
    assert.equal(found?.id, hit?.[1]);
    if (hit) assert.ok(Math.abs(found.time - hit[0]) <= 1e-6 * hit[0], `${found.time} ${hit[0]}`);
  }
  const nodes = index.nodes();
  assert.ok(nodes.length > 0 && nodes.length % 4 === 0);
}

function using(index, work) {
  try {
    work(index);
  } finally {
    index.free();
  }
}
