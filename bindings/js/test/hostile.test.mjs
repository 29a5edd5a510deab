// Whatever the caller does, an error says what is wrong, nothing has changed, and the next call works.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load as load32 } from "../dist/float32.js";
import { load } from "../dist/quadrille.js";
import { texts } from "./brute.mjs";
import { CALLS, checkList, refuseAll } from "./calls.mjs";
import { framed, refuses } from "./refusals.mjs";

const [q, narrow] = [await load(), await load32()];

test("every call refuses what is no number, names argument and place, and has changed nothing", () => {
  checkList(CALLS, q);
  const [frame, index] = [framed(q.Frame), new q.Index()];
  index.insertMany([0, 0, 2, 2, 1, 1, 3, 3, 8, 8, 9, 9]);
  let refused = 0;
  for (const [name, all] of Object.entries({ Frame: frame, Index: index })) {
    const state = () => [...all.pairs(), ...all.search(-99, -99, 99, 99), all.length, ...[0, 1, 2].map((id) => all.layers(id).mask)];
    const before = state();
    for (const [call, spec] of Object.entries(CALLS[name])) {
      refused += refuseAll((...args) => all[call](...args), spec, () => assert.deepEqual(state(), before, call));
    }
    all.free();
  }
  assert.ok(refused > 1500, `${refused}`);
});

test("a frame refuses boxes that are none, names row and value, and is what it was", () => {
  const frame = framed(q.Frame);
  for (const [at, value, message] of [
    [5, NaN, /1: .*NaN/],
    [4, Infinity, /1: .* Infinity/],
    [10, 1, /2: .*inverted.*8.*1/],
    [0, -Infinity, /0: .* -Infinity/],
  ]) {
    const good = frame.boxes[at];
    frame.boxes[at] = value;
    refuses(() => frame.update(), RangeError, message);
    assert.deepEqual(texts(frame.pairs()), ["0 1"]);
    frame.boxes[at] = good;
  }
  frame.update();
  assert.deepEqual(texts(frame.pairs()), ["0 1"]);
  frame.free();
});

test("frames have whole numbers of boxes, and as many as there is room for", () => {
  for (const n of [-1, 1.5, NaN, Infinity, 2 ** 27]) refuses(() => new q.Frame(n), RangeError, /0 to/);
  refuses(() => new q.Frame("5"), TypeError, /^n: a number is needed, not the string "5"$/);
  for (const n of ["many", undefined, null, [5], 5n]) refuses(() => new q.Frame(n), TypeError, /^n: a number is needed/);
  const frame = framed(q.Frame);
  for (const count of [-1, 4, 1.5, NaN]) refuses(() => frame.update(count), RangeError, /room for 3/);
  for (const n of [-1, 0.5, NaN]) refuses(() => frame.resize(n), RangeError, /0 to/);
  assert.deepEqual(texts(frame.pairs()), ["0 1"]);
  refuses(() => new q.Index("octree"), RangeError, /octree/);
  refuses(() => new q.Index("toString"), RangeError, /toString/);
  refuses(() => new q.Index(Symbol.iterator), RangeError, /Symbol/);
  frame.free();
});

test("a frame whose buffer has been transferred away says so, and gets another", () => {
  const frame = framed(q.Frame);
  structuredClone(frame.boxes, { transfer: [frame.boxes.buffer] });
  refuses(() => frame.update(), TypeError, /transferred/);
  assert.deepEqual(texts(frame.pairs()), ["0 1"]);
  frame.resize(3).set([0, 0, 1, 1, 5, 5, 6, 6, 5, 5, 6, 6]);
  frame.update();
  assert.deepEqual(texts(frame.pairs()), ["1 2"]);
  frame.free();
});

test("nothing at all is fine", () => {
  const frame = new q.Frame(0);
  frame.update();
  const index = new q.Index();
  assert.equal(index.insertMany([]).length, 0);
  index.moveMany([], []);
  index.removeMany(new Uint32Array());
  index.update(new Float32Array());
  for (const empty of [frame, index, new q.Frame(1000)]) {
    assert.equal(empty.pairs().length, 0);
    assert.equal(empty.search(-Infinity, -Infinity, Infinity, Infinity).length, 0);
    assert.equal(empty.nearest(0, 0, Infinity).ids.length, 0);
    assert.equal(empty.within(0, 0, Infinity).ids.length, 0);
    assert.equal(empty.cast(0, 0, 1, 1), null);
    assert.deepEqual([...empty.searchMany([0, 0, 1, 1]).starts], [0, 0]);
    assert.deepEqual([...empty.searchMany([]).starts], [0]);
    assert.deepEqual(
      Object.values(empty.events()).map((pairs) => pairs.length),
      [0, 0],
    );
    empty.nodes();
    empty.free();
  }
});

test("queries that are none are refused", () => {
  const frame = framed(q.Frame);
  refuses(() => frame.search(NaN, 0, 1, 1), RangeError, /NaN/);
  refuses(() => frame.search(2, 0, 1, 1), RangeError, /inverted/);
  refuses(() => frame.search(), TypeError, /^x0: a number is needed, not undefined$/);
  refuses(() => frame.search(0, 0, 1, 1, 0), RangeError, /limit/);
  for (const limit of [NaN, 1.5, -Infinity])
    refuses(() => frame.search(0, 0, 1, 1, limit), RangeError, /limit is a whole number/);
  refuses(() => frame.nearest(NaN, 0), RangeError, /NaN/);
  refuses(() => frame.nearest(Infinity, 0), RangeError, /finite/);
  refuses(() => framed(narrow.Frame).nearest(1e300, 0), RangeError, /finite/);
  for (const k of [0, -1, NaN]) refuses(() => frame.nearest(0, 0, k), RangeError, /k is at least 1/);
  refuses(() => frame.nearest(0, 0, 1.5), RangeError, /k is a whole number, not 1.5/);
  for (const far of [-1, NaN]) {
    refuses(() => frame.nearest(0, 0, 1, far), RangeError, /distance/);
    refuses(() => frame.within(0, 0, far), RangeError, /distance/);
  }
  refuses(() => frame.cast(0, 0, NaN, 1), RangeError, /direction/);
  refuses(() => frame.cast(0, 0, 1, 1, -1), RangeError, /time/);
  refuses(() => frame.searchMany([1, 2, 3]), RangeError, /four numbers.*3/);
  refuses(() => frame.searchMany([0, 0, 1, 1, 5, 5, 4, 6]), RangeError, /row 1/);
  assert.deepEqual([...frame.nearest(0, 0, 1e300).ids], [0, 1, 2], "as many as there are");
  assert.deepEqual([...frame.search(-1e300, -Infinity, 1e300, 2, 1e300)], [...frame.search(-99, -99, 99, 2)]);
  assert.deepEqual(texts(frame.pairs()), ["0 1"]);
  frame.free();
});

for (const [precision, { Index }] of Object.entries({ float32: narrow, float64: q })) {
  test(`ids that are none, stale or twice are refused: ${precision}`, () => {
    const index = new Index();
    index.insertMany([0, 0, 2, 2, 1, 1, 3, 3, 8, 8, 9, 9]);
    index.remove(2);
    for (const id of [2, 3, -1, 2 ** 31, 2 ** 32, 1e300, Infinity, NaN, 0.5]) {
      refuses(() => index.remove(id), RangeError, /id/);
      refuses(() => index.move(id, 0, 0, 1, 1), RangeError, /id/);
      refuses(() => index.get(id), RangeError, /id/);
      refuses(() => index.removeMany([0, id]), RangeError, /id/);
      refuses(() => index.moveMany([0, id], [5, 5, 6, 6, 5, 5, 6, 6]), RangeError, /id/);
      assert.equal(index.has(id), false);
    }
    refuses(() => index.removeMany([1, 1]), RangeError, /twice/);
    refuses(() => index.moveMany([0, 1], [0, 0, 1, 1]), RangeError, /2 ids and 1 boxes/);
    refuses(() => index.insert(3, 0, 1, 1), RangeError, /inverted/);
    refuses(() => index.insert(NaN, 0, 1, 1), RangeError, /NaN/);
    refuses(() => index.insert(Infinity, 0), RangeError, / Infinity/);
    refuses(() => index.move(0, 0, 0, -1, 1), RangeError, /inverted/);
    refuses(() => index.insertMany([0, 0, 1, 1, NaN, 0, 1, 1]), RangeError, /row 1.*NaN/);
    refuses(() => index.update([0, 0, 1, 1, 1, 0, 0, 1]), RangeError, /row 1.*inverted/);
    assert.equal(index.length, 2);
    assert.deepEqual([...index.get(0), ...index.get(1)], [0, 0, 2, 2, 1, 1, 3, 3], "nothing has changed");
    assert.equal(index.insert(7, 7), 2, "a freed id is given out again");
    index.free();
  });
}

test("what has been freed says so, however often it is freed", () => {
  const [frame, index] = [framed(q.Frame), new q.Index()];
  for (const all of [frame, index]) {
    all.free();
    all.free();
    for (const name of ["pairs", "events", "nodes"]) refuses(() => all[name](), Error, /freed/);
    refuses(() => all.search(0, 0, 1, 1), Error, /freed/);
    refuses(() => all.searchMany([0, 0, 1, 1]), Error, /freed/);
    refuses(() => all.nearest(0, 0), Error, /freed/);
  }
  for (const [name, all] of Object.entries({ Frame: frame, Index: index })) {
    const others = { pairsWith: [new q.Index()] };
    for (const [call, [, args]] of Object.entries(CALLS[name])) {
      if (call !== "free") refuses(() => all[call](...(others[call] ?? args)), Error, /freed/);
    }
  }
  refuses(() => index.has(0.5), Error, /freed/);
  refuses(() => index.length, Error, /freed/);
  const dispose = Symbol.dispose ?? Symbol.for("Symbol.dispose");
  const other = framed(q.Frame);
  other[dispose]();
  refuses(() => other.pairs(), Error, /freed/);
});

test("memory that runs out is an error of one call", () => {
  const frame = new q.Frame(40_000);
  frame.update();
  // 40,000 boxes in one place are 800 million pairs, 6.4 GB.
  refuses(() => frame.pairs(), RangeError, /memory/);
  frame.boxes.forEach((_, at) => (frame.boxes[at] = at >> 2));
  frame.update();
  assert.equal(frame.pairs().length, 0);
  assert.equal(frame.search(5, 5).length, 1);
  frame.boxes.fill(0);
  frame.update();
  // Events store something for each pair.
  refuses(() => frame.events(), RangeError, /^there is no memory for more than 799980000 answers$/);
  assert.equal(frame.search(0, 0).length, 40_000);
  frame.free();
  const other = framed(q.Frame);
  assert.deepEqual(texts(other.events().began), ["0 1"]);
  other.free();
});

test("views see the memory again after it has grown", () => {
  const [small, large] = [framed(q.Frame), new q.Frame(200_000)];
  small.pairs();
  large.boxes.forEach((_, at) => (large.boxes[at] = at >> 2));
  large.update();
  assert.deepEqual([...small.pairs()], [0, 1]);
  assert.deepEqual([...small.search(8, 8)], [2]);
  assert.equal(large.boxes.length, 800_000);
  assert.equal(large.search(199_999, 199_999)[0], 199_999);
  for (const frame of [small, large]) frame.free();
});

test("messages name classes as the documentation does", () => {
  for (const name of ["Frame", "Index"]) {
    refuses(() => q[name](3), TypeError, new RegExp(`Class constructor ${name} cannot be invoked without 'new'`));
  }
});
