// Compares the cost of frames and of queries about points with other packages: `node bench/compare.mjs [SIZE ...]`, after
// `./build` and `npm ci`.
//
// A table as CSV: processor time in milliseconds, the least of several runs, and how many times as long as ours. Answers
// are compared by their number; if they differ, a message says so, and the exit code is 1.

import { readFileSync } from "node:fs";
import boxIntersect from "box-intersect";
import { quadtree } from "d3-quadtree";
import Flatbush from "flatbush";
import KDBush from "kdbush";
import RBush from "rbush";
import { load as load32 } from "../dist/float32.js";
import { load } from "../dist/quadrille.js";
import { Random } from "../test/random.mjs";

// Frames in single precision, indices in double.
const q = { Frame: (await load32()).Frame, Index: (await load()).Index };
/** Runs, and milliseconds, at least: enough that the compiler has done its best. */
const RUNS = 7;
const LONG = 300;

/** Boxes spread evenly over a square, which cover a fifth of it. */
function scene(n) {
  const [random, side, size] = [new Random(1), Math.sqrt(n), Math.sqrt(0.8)];
  const number = () => random.next() / 2 ** 32;
  const boxes = new Float32Array(4 * n);
  for (let at = 0; at < 4 * n; at += 4) {
    const [x, y] = [number() * side, number() * side];
    boxes.set([x, y, x + number() * size, y + number() * size], at);
  }
  return boxes;
}

function timed(work) {
  let [best, all, answers] = [Infinity, 0, 0];
  for (let run = 0; run < RUNS || all < LONG; run++) {
    const start = process.cpuUsage();
    answers = work();
    const { user, system } = process.cpuUsage(start);
    const taken = (user + system) / 1000;
    best = Math.min(best, taken);
    all += taken;
  }
  return { best, answers };
}

/** The versions of packages that are compared. */
const versions = ["flatbush", "rbush", "kdbush", "d3-quadtree", "box-intersect"].map((name) => {
  const own = readFileSync(new URL(`../node_modules/${name}/package.json`, import.meta.url), "utf8");
  return `${name} ${JSON.parse(own).version}`;
});
console.log(`# node ${process.versions.node}, ${versions.join(", ")}\ntask,contender,boxes,cpu_ms,times`);

/** Prints the times of functions that should find the same number of answers; the first is ours. */
function table(task, n, works) {
  const measured = Object.entries(works).map(([name, work]) => [name, timed(work)]);
  const [[, ours]] = measured;
  for (const [name, { best, answers }] of measured) {
    console.log([task, name, n, best.toPrecision(3), (best / ours.best).toPrecision(3)].join());
    if (answers === ours.answers) continue;
    console.error(`${task}, ${n}: ${name} has ${answers} answers, not ${ours.answers}`);
    process.exitCode = 1;
  }
}

const flatbushOf = (boxes, ...options) => {
  const index = new Flatbush(boxes.length / 4, ...options);
  for (let at = 0; at < boxes.length; at += 4) index.add(boxes[at], boxes[at + 1], boxes[at + 2], boxes[at + 3]);
  index.finish();
  return index;
};
const itemsOf = (boxes) =>
  Array.from({ length: boxes.length / 4 }, (_, id) => ({
    id,
    minX: boxes[4 * id],
    minY: boxes[4 * id + 1],
    maxX: boxes[4 * id + 2],
    maxY: boxes[4 * id + 3],
  }));

/** Pairs by one query for each box. */
function pairsOfFlatbush(index, boxes) {
  let pairs = 0;
  for (let id = 0; id < boxes.length / 4; id++) {
    for (const other of index.search(boxes[4 * id], boxes[4 * id + 1], boxes[4 * id + 2], boxes[4 * id + 3]))
      pairs += other > id;
  }
  return pairs;
}

for (const n of process.argv
  .slice(2)
  .map(Number)
  .concat(process.argv.length > 2 ? [] : [1000, 10_000, 100_000])) {
  const boxes = scene(n);
  const random = new Random(5);
  const steps = Float32Array.from({ length: 2 * n }, () => random.below(1) / 5 - 0.1);
  const moved = new Float32Array(4 * n);

  /** Writes the boxes of the next frame: all move by up to a tenth of the mean distance between them, to and fro. */
  let way = 1;
  const move = (into) => {
    way = -way;
    for (let id = 0, at = 0; id < n; id++) {
      const [x, y] = [way * steps[2 * id], way * steps[2 * id + 1]];
      into[at] = boxes[at++] + x;
      into[at] = boxes[at++] + y;
      into[at] = boxes[at++] + x;
      into[at] = boxes[at++] + y;
    }
    return into;
  };
  // Both ways have their own number of pairs: each work does one to and one fro.
  const twice = (frame) => () => frame() + frame();

  const frame = new q.Frame(n);
  const arrays = (all) => Array.from({ length: n }, (_, id) => Array.from(all.subarray(4 * id, 4 * id + 4)));
  table("two frames", n, {
    quadrille: twice(() => {
      move(frame.boxes);
      frame.update();
      return frame.pairs().length / 2;
    }),
    flatbush: twice(() => {
      const all = move(moved);
      return pairsOfFlatbush(flatbushOf(all, 16, Float32Array), all);
    }),
    rbush: twice(() => {
      const all = itemsOf(move(moved));
      const tree = new RBush().load(all);
      let pairs = 0;
      for (const item of all) for (const other of tree.search(item)) pairs += other.id > item.id;
      return pairs;
    }),
    "box-intersect": twice(() => {
      let pairs = 0;
      boxIntersect(arrays(move(moved)), () => void pairs++);
      return pairs;
    }),
  });

  table("first frame", n, {
    quadrille: () => {
      const first = new q.Frame(n);
      first.boxes.set(boxes);
      first.update();
      const pairs = first.pairs().length / 2;
      first.free();
      return pairs;
    },
    flatbush: () => pairsOfFlatbush(flatbushOf(boxes, 16, Float32Array), boxes),
  });

  const asked = new Random(9);
  const points = Float64Array.from(boxes.filter((_, at) => at % 4 < 2));
  const single = new q.Index();
  single.update(Float64Array.from({ length: 4 * n }, (_, at) => points[2 * (at >> 2) + (at % 2)]));
  const kd = new KDBush(n);
  for (let id = 0; id < n; id++) kd.add(points[2 * id], points[2 * id + 1]);
  kd.finish();
  const d3 = quadtree(Array.from({ length: n }, (_, id) => [points[2 * id], points[2 * id + 1]]));
  const spots = asked.boxes(new Float64Array(4 * 2000), Math.sqrt(n), 1);
  const nearAll = (near) => () => {
    let found = 0;
    for (let at = 0; at < spots.length; at += 4) found += near(spots[at], spots[at + 1]);
    return found;
  };
  table("circles", n, {
    quadrille: nearAll((x, y) => single.within(x, y, 1.5).ids.length),
    kdbush: nearAll((x, y) => kd.within(x, y, 1.5).length),
  });
  table("nearest", n, {
    quadrille: nearAll((x, y) => Math.round(1e6 * single.nearest(x, y).distances[0])),
    "d3-quadtree": nearAll((x, y) => {
      const [px, py] = d3.find(x, y);
      return Math.round(1e6 * Math.hypot(px - x, py - y));
    }),
  });
  for (const used of [frame, single]) used.free();
}
