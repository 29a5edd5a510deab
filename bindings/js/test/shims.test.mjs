// flatbush's and rbush's classes do what those do: the facts of their own tests, and the packages themselves beside
// ours.

import assert from "node:assert/strict";
import { test } from "node:test";
import TheirFlatbush from "flatbush";
import TheirRBush from "rbush";
import Flatbush from "../dist/flatbush.js";
import RBush from "../dist/rbush.js";
import { load } from "../dist/quadrille.js";
import { Random } from "./random.mjs";

const q = await load();
const sorted = (ids) => [...ids].sort((a, b) => a - b);

/** Boxes with whole edges, so that every array type holds them. */
function scene(n, seed = 17) {
  const random = new Random(seed);
  return Uint8Array.from(random.boxes(new Float64Array(4 * n), 100, 5));
}

/** An index of a class, with the boxes of a scene. */
function indexed(Class, boxes, ...options) {
  const index = new Class(boxes.length / 4, ...options);
  for (let at = 0; at < boxes.length; at += 4) {
    assert.equal(
      index.add(boxes[at], boxes[at + 1], boxes[at + 2], boxes[at + 3]),
      at / 4,
      "items are numbered as they come",
    );
  }
  index.finish();
  return index;
}

test("the import line is all that changes", () => {
  assert.equal(Flatbush, q.Flatbush);
  assert.equal(RBush, q.RBush);
});

test("Flatbush: answers are flatbush's", () => {
  const boxes = scene(500);
  const [ours, theirs] = [indexed(Flatbush, boxes), indexed(TheirFlatbush, boxes)];
  for (const property of ["numItems", "nodeSize", "byteOffset", "minX", "minY", "maxX", "maxY", "ArrayType"]) {
    assert.equal(ours[property], theirs[property], property);
  }
  const even = (id) => id % 2 === 0;
  for (const [x, y, size] of [
    [0, 0, 10],
    [40, 40, 20],
    [-9, -9, 3],
    [50, 50, 0],
    [-99, -99, 999],
    [99.5, 3, 0.25],
  ]) {
    const box = [x, y, x + size, y + size];
    assert.ok(Array.isArray(ours.search(...box)));
    assert.deepEqual(sorted(ours.search(...box)), sorted(theirs.search(...box)));
    assert.deepEqual(sorted(ours.search(...box, even)), sorted(theirs.search(...box, even)));
    assert.equal(ours.collides(...box), theirs.collides(...box));
    assert.equal(ours.collides(...box, even), theirs.collides(...box, even));
    assert.equal(
      ours.collides(...box, () => false),
      false,
    );
    for (const [most, far] of [[1], [5], [Infinity, 12], [7, 3], [1000]]) {
      const distances = (ids) => ids.map((id) => distance(boxes, id, x, y));
      assert.deepEqual(
        distances(ours.neighbors(x, y, most, far)),
        distances(theirs.neighbors(x, y, most, far)),
        `${most} ${far}`,
      );
      const [one, other] = [ours, theirs].map((index) => distances(index.neighbors(x, y, most, far, even)));
      assert.deepEqual(one, other, `even ${most} ${far}`);
    }
  }
  // Where flatbush gives all, or takes a distance for its square.
  assert.deepEqual([ours.neighbors(50, 50, 0), ours.neighbors(50, 50, 3, -1)], [[], []]);
  // The test is shown each item once, with its box.
  const seen = [];
  ours.search(40, 40, 60, 60, (id, ...box) => seen.push([id, ...box]));
  assert.deepEqual(
    seen.map(([id, ...box]) => box),
    seen.map(([id]) => [...boxes.subarray(4 * id, 4 * id + 4)]),
  );
  const asked = [];
  ours.neighbors(50, 50, 9, Infinity, (id) => asked.push(id) % 3 === 0);
  assert.equal(new Set(asked).size, asked.length);
});

function distance(boxes, id, x, y) {
  const [x0, y0, x1, y1] = boxes.subarray(4 * id, 4 * id + 4);
  const [dx, dy] = [Math.max(x0 - x, x - x1, 0), Math.max(y0 - y, y - y1, 0)];
  return Math.sqrt(dx * dx + dy * dy);
}

test("Flatbush: a point needs two numbers", () => {
  const index = new Flatbush(2);
  index.add(3, 4);
  index.add(5, 6);
  index.finish();
  assert.deepEqual(index.search(3, 4, 3, 4), [0]);
  assert.deepEqual([index.minX, index.minY, index.maxX, index.maxY], [3, 4, 5, 6]);
});

test("Flatbush: errors are flatbush's", () => {
  assert.throws(() => new Flatbush(), /Missing required argument: numItems/);
  for (const n of [0, -1, NaN, "x"]) assert.throws(() => new Flatbush(n), /Unexpected numItems value/);
  assert.throws(() => new Flatbush(1, 16, Array), /Unexpected typed array class/);
  assert.throws(() => new Flatbush(3).finish(), /Added 0 items when expected 3/);
  for (const ask of ["search", "collides", "neighbors"])
    assert.throws(() => new Flatbush(3)[ask](0, 0, 20, 20), /finish\(\)/);
  const { data } = indexed(Flatbush, scene(40));
  const moved = new ArrayBuffer(data.byteLength + 12);
  new Uint8Array(moved, 12).set(new Uint8Array(data));
  assert.throws(() => Flatbush.from(moved, 12), /8-byte aligned/);
  for (const wrong of [undefined, null, {}, new Uint8Array(9), "data"])
    assert.throws(() => Flatbush.from(wrong), /ArrayBuffer/);
  assert.throws(() => Flatbush.from(new ArrayBuffer(16)), /does not appear to be/);
  const damaged = (at, byte) => {
    const copy = data.slice();
    new Uint8Array(copy)[at] = byte;
    return () => Flatbush.from(copy);
  };
  assert.throws(damaged(1, 0x28), /Got v2 data when expected v3/);
  assert.throws(damaged(1, 0x3f), /Unrecognized array type/);
  assert.throws(damaged(7, 0xff));
  assert.throws(damaged(2, 0));
  assert.throws(damaged(data.byteLength - 50, 7), /each item once|./);
});

test("Flatbush: what no index can hold is refused, endless boxes are not", () => {
  for (const box of [
    [NaN, 0, 1, 1],
    [0, 0, 1, NaN],
    [2, 0, 1, 1],
  ]) {
    const index = new Flatbush(2);
    index.add(0, 0, 1, 1);
    index.add(...box);
    assert.throws(() => index.finish(), /row 1/);
    assert.throws(() => index.search(0, 0, 1, 1), /finish\(\)/);
  }
  const index = new Flatbush(2);
  index.add(-Infinity, 0, Infinity, 1);
  index.add(5, 5, 6, Infinity);
  index.finish();
  assert.deepEqual(sorted(index.search(5, 1, 5, 1e300)), [0, 1]);
  assert.deepEqual(index.search(1e300, 0.5, 1e301, 0.5), [0]);
  index.free();
  assert.throws(() => index.search(0, 0, 1, 1), /freed/);
});

for (const ArrayType of [
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
]) {
  for (const [n, nodeSize] of [
    [14, 16],
    [300, 16],
    [300, 2],
    [20_000, 16],
  ]) {
    test(`Flatbush: files are flatbush's, both ways: ${ArrayType.name}, ${n} in nodes of ${nodeSize}`, () => {
      const boxes = scene(n);
      const [ours, theirs] = [
        indexed(Flatbush, boxes, nodeSize, ArrayType),
        indexed(TheirFlatbush, boxes, nodeSize, ArrayType),
      ];
      assert.equal(ours.data.byteLength, theirs.data.byteLength);
      const [back, read] = [Flatbush.from(theirs.data), TheirFlatbush.from(ours.data)];
      const again = Flatbush.from(ours.data);
      for (const index of [ours, back, read, again]) {
        assert.deepEqual(sorted(index.search(40, 40, 60, 60)), sorted(theirs.search(40, 40, 60, 60)));
        assert.deepEqual([index.numItems, index.minX, index.maxY], [theirs.numItems, theirs.minX, theirs.maxY]);
      }
      // The root is the last node: the hull of all, whose first child is where the level below begins.
      assert.deepEqual([...ours._boxes.subarray(-4)], [...theirs._boxes.subarray(-4)]);
      assert.equal(ours._indices.at(-1), theirs._indices.at(-1));
      if (n <= nodeSize) assert.deepEqual(ours.data, theirs.data);
      for (const index of [ours, back, again]) index.free();
    });
  }
}

test("Flatbush: shared memory and files within files", () => {
  const index = indexed(Flatbush, scene(60), 16, Float64Array, SharedArrayBuffer);
  assert.ok(index.data instanceof SharedArrayBuffer);
  const whole = new ArrayBuffer(index.data.byteLength + 16);
  new Uint8Array(whole, 16).set(new Uint8Array(index.data));
  const back = Flatbush.from(whole, 16);
  assert.equal(back.byteOffset, 16);
  assert.deepEqual(back._boxes, TheirFlatbush.from(whole, 16)._boxes);
  assert.deepEqual(sorted(back.search(0, 0, 50, 50)), sorted(index.search(0, 0, 50, 50)));
});

/** Points on a lattice, as rbush's own tests have them. */
const lattice = [0, 10, 20, 25, 35, 45].flatMap((x) =>
  [0, 25, 50, 75].map((y) => ({ minX: x, minY: y, maxX: x, maxY: y })),
);
const byPlace = (a, b) =>
  a.minX - b.minX || a.minY - b.minY || a.maxX - b.maxX || a.maxY - b.maxY || Boolean(a.twin) - Boolean(b.twin);
const same = (a, b) => assert.deepEqual([...a].sort(byPlace), [...b].sort(byPlace));
const box = ([minX, minY, maxX, maxY]) => ({ minX, minY, maxX, maxY });

test("RBush: items that come and go are found as rbush finds them", () => {
  const random = new Random(23);
  const [ours, theirs] = [new RBush(), new TheirRBush()];
  let items = [];
  for (let step = 0; step < 1500; step++) {
    const item = { ...box(random.boxes(new Float64Array(4), 100, 5)), step };
    if (items.length < 50 || random.next() % 5 < 3) {
      const batch = random.next() % 50 === 0 ? [item, { ...item, twin: true }, item] : [item];
      for (const tree of [ours, theirs]) batch.length > 1 ? tree.load(batch) : tree.insert(item);
      items.push(...batch);
    } else {
      const [gone] = items.splice(random.next() % items.length, 1);
      for (const tree of [ours, theirs]) tree.remove(gone);
    }
    if (step % 10) continue;
    const asked = box(random.boxes(new Float64Array(4), 100, 20));
    same(ours.search(asked), theirs.search(asked));
    assert.equal(ours.collides(asked), theirs.collides(asked));
  }
  same(ours.all(), items);
  assert.ok(
    ours.all().every((item) => items.includes(item)),
    "items themselves, not copies",
  );
  ours.clear();
  assert.deepEqual(ours.all(), []);
  ours.free();
});

test("RBush: searches and what finds nothing", () => {
  const tree = new RBush(4).load(lattice);
  same(
    tree.search({ minX: 10, minY: 20, maxX: 30, maxY: 60 }),
    lattice.filter((p) => p.minX >= 10 && p.minX <= 30 && p.minY >= 20 && p.minY <= 60),
  );
  assert.ok(tree.collides({ minX: 10, minY: 20, maxX: 30, maxY: 60 }));
  assert.deepEqual(tree.search(box([200, 200, 210, 210])), []);
  assert.equal(tree.collides(box([200, 200, 210, 210])), false);
  same(tree.all(), lattice);
});

test("RBush: other formats of items, by methods of a subclass or of an instance", () => {
  class Lng extends RBush {
    toBBox([lng, lat]) {
      return box([lng, lat, lng, lat]);
    }
    compareMinX(a, b) {
      return a[0] - b[0];
    }
  }
  const points = [
    [-110, 50],
    [110, 50],
    [110, -50],
    [-110, -50],
  ];
  const tree = new Lng(4).load(points);
  assert.deepEqual(tree.search(box([-180, -90, 0, 0])), [[-110, -50]]);
  assert.deepEqual(tree.remove(points[3]).search(box([-180, -90, 180, 0])), [[110, -50]]);
  const own = new RBush();
  own.toBBox = ({ at }) => box([at, at, at, at]);
  assert.deepEqual(own.load([{ at: 3 }, { at: 7 }]).search(box([5, 5, 9, 9])), [{ at: 7 }]);
});

test("RBush: removes by identity, or as a test of the caller's says", () => {
  const tree = new RBush(4).load(lattice);
  tree.remove(box([10, 25, 10, 25]));
  same(tree.all(), lattice);
  const item = { ...box([20, 70, 20, 70]), name: "it" };
  tree.insert(item).remove(structuredClone(item), (a, b) => a.name === b.name);
  same(tree.all(), lattice);
  for (const point of lattice) tree.remove(point);
  assert.deepEqual(tree.all(), []);
  assert.deepEqual(tree.toJSON(), new RBush(4).toJSON());
});

test("RBush: nothing is nothing", () => {
  const tree = new RBush().load(lattice);
  for (const wrong of [undefined, null]) assert.equal(tree.insert(wrong).remove(wrong).load(wrong).load([]), tree);
  same(tree.all(), lattice);
  assert.deepEqual(new RBush().all(), []);
});

test("RBush: trees are rbush's, both ways", () => {
  const [ours, theirs] = [new RBush(4).load(lattice), new TheirRBush(4).load(lattice)];
  same(new RBush(4).fromJSON(theirs.toJSON()).all(), lattice);
  const back = new TheirRBush(4).fromJSON(JSON.parse(JSON.stringify(ours)));
  same(back.all(), lattice);
  same(back.search(box([10, 20, 30, 60])), ours.search(box([10, 20, 30, 60])));
  same(back.insert(lattice[0]).all(), [...lattice, lattice[0]]);
  assert.deepEqual(new RBush().toJSON(), new TheirRBush().toJSON(), "an empty one");
  assert.deepEqual(
    [9, 10].map((n) => new RBush().load(lattice.slice(0, n)).toJSON().height),
    [1, 2],
  );
});

test("RBush: endless boxes are held, what is none is refused at once", () => {
  const endless = box([-Infinity, -Infinity, Infinity, Infinity]);
  const tree = new RBush(4).load([endless, endless]).insert(endless);
  assert.equal(tree.search(box([3, 3, 4, 4])).length, 3);
  assert.throws(() => tree.insert(box([NaN, 0, 1, 1])), /NaN/);
  assert.throws(() => tree.load([box([0, 0, 1, 1]), box([2, 0, 1, 1])]), /inverted.*minX 2/);
  assert.throws(() => tree.search(box([NaN, 0, 1, 1])), /NaN/);
  assert.equal(tree.all().length, 3);
});
