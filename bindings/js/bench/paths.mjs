// Compares the cost of paths with other packages: `node bench/paths.mjs FOLDER [ROWS [OUT.csv]]`, after `./build` and
// `npm ci`.
//
// FOLDER holds NAME.map and NAME.map.scen of the MovingAI benchmarks. Processor time in microseconds for a path, the
// least mean of several passes over the rows; the last column says how many times as long as ours. Lengths are compared
// with the published ones, or with ours under the same rule. Times include what a package has to do before each path:
// PathFinding.js writes into its grid, which has to be cloned.

import EasyStar from "easystarjs";
import createPlanner from "l1-path-finder";
import ndarray from "ndarray";
import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import PF from "pathfinding";
import { load } from "../dist/paths.js";
import { Random } from "../test/random.mjs";
import { published } from "./maps.mjs";

const q = await load();
const [folder, rows = 60, out] = process.argv.slice(2);
if (!folder) throw new Error("node bench/paths.mjs FOLDER [ROWS [OUT.csv]]");
const MAPS = ["arena2", "Berlin_1_256", "London_2_1024"];
const PASSES = 5;
/** Milliseconds that all passes take at least, and after which none is begun. */
const [LONG, LONGEST] = [300, 20_000];

/** Processor time in microseconds. */
function spent(work) {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return user + system;
}

/** The least mean of passes over rows, and the lengths found. */
function measured(rows, length) {
  let [best, all, found] = [Infinity, 0, []];
  for (let pass = 0; (pass < PASSES || all < 1000 * LONG) && all < 1000 * LONGEST; pass++) {
    const taken = spent(() => (found = rows.map(length)));
    best = Math.min(best, taken / rows.length);
    all += taken;
  }
  return { best, found };
}

/** The length of steps from cell to cell. */
function walked(cells, at) {
  let length = 0;
  for (let step = 1; step < cells.length; step++) {
    const [[x0, y0], [x1, y1]] = [at(cells[step - 1]), at(cells[step])];
    length += Math.hypot(x1 - x0, y1 - y0);
  }
  return length;
}

function flatLength(cells) {
  let length = 0;
  for (let at = 2; at < cells.length; at += 2) {
    length += Math.hypot(cells[at] - cells[at - 2], cells[at + 1] - cells[at - 1]);
  }
  return length;
}

const results = [];

/** Prints the times of functions that should find the same lengths; the first is ours. */
function table(map, title, rows, works) {
  console.log(`\n${map}: ${title}`);
  let ours;
  for (const [name, work] of Object.entries(works)) {
    const { best, found } = measured(rows, work);
    ours ??= { best, found };
    const longer = found.filter((length, row) => length > ours.found[row] + 1e-3).length;
    const shorter = found.filter((length, row) => length < ours.found[row] - 1e-3).length;
    const note = longer + shorter > 0 ? `   ${longer} longer, ${shorter} shorter` : "";
    const times = best / ours.best;
    console.log(`  ${name.padEnd(46)} ${best.toFixed(1).padStart(10)} us ${times.toFixed(2).padStart(9)}${note}`);
    results.push([map, title, name, rows.length, best.toFixed(2), "", times.toFixed(2), longer, shorter]);
    if (shorter > 0) process.exitCode = 1;
  }
}

for (const name of MAPS) {
  const map = published(folder, name, Number(rows));
  const { width, height, free, rows: asked } = map;
  const blocked = Array.from({ length: height }, (_, y) => Array.from({ length: width }, (_, x) => 1 - free[y * width + x]));
  const ours = new q.PathMap(free, width);
  const lengths = asked.map((row) => row[4]);

  const theirs = (Finder, options) => {
    const [grid, finder] = [new PF.Grid(width, height, blocked), new Finder(options)];
    return ([x0, y0, x1, y1]) => walked(PF.Util.expandPath(finder.findPath(x0, y0, x1, y1, grid.clone())), (cell) => cell);
  };
  const strict = { diagonalMovement: PF.DiagonalMovement.OnlyWhenNoObstacles };
  const star = new EasyStar.js();
  star.setGrid(blocked);
  star.setAcceptableTiles([0]);
  star.enableSync();
  star.enableDiagonals();
  star.disableCornerCutting();
  const easy = ([x0, y0, x1, y1]) => {
    let length;
    star.findPath(x0, y0, x1, y1, (path) => (length = path ? walked(path, ({ x, y }) => [x, y]) : Infinity));
    star.calculate();
    return length;
  };
  const best = ([x0, y0, x1, y1]) => flatLength(ours.path(x0, y0, x1, y1));
  for (const [row, length] of asked.map(best).entries()) {
    if (Math.abs(length - lengths[row]) > 1e-3) throw new Error(`${name}, row ${row}: ${length}, not ${lengths[row]}`);
  }
  table(name, "eight ways, no corner cut", asked, {
    "quadrille: path": best,
    "quadrille: distance": (row) => ours.distance(...row.slice(0, 4)),
    "PathFinding.js, jump points": theirs(PF.JumpPointFinder, strict),
    "PathFinding.js, A*": theirs(PF.AStarFinder, strict),
    easystarjs: easy,
  });

  const four = new q.PathMap(free, width, { rule: "manhattan" });
  // Its first axis is x.
  const planner = createPlanner(ndarray(free.map((free) => 1 - free), [width, height], [1, width]));
  table(name, "four ways", asked, {
    "quadrille: path": ([x0, y0, x1, y1]) => flatLength(four.path(x0, y0, x1, y1)),
    "quadrille: distance": (row) => four.distance(...row.slice(0, 4)),
    "l1-path-finder": ([x0, y0, x1, y1]) => planner.search(x0, y0, x1, y1, []),
  });
  ours.free();
  four.free();
}

// One frame: 3,000 cells of a map of a million change, and 500 units around find a new path.
const UNITS = 500;
const RUBBLE = { width: 60, height: 50 };
/** The title, the likelihood that a cell of the rubble is free, and how far from it units and goals are, in cells. */
for (const [title, share, far] of [
  ["rubble without a gap, units and goals within 100 cells", 0, 100],
  ["rubble like noise, units and goals within 100 cells", 0.6, 100],
  ["rubble without a gap, units and goals anywhere", 0, 1024],
  ["rubble like noise, units and goals anywhere", 0.6, 1024],
]) {
  const map = new q.PathMap(published(folder, "London_2_1024", 1).free, 1024);
  const random = new Random(5);
  const times = [];
  for (let frame = 0; frame < 20; frame++) {
    const [x, y] = [200 + (random.next() % 600), 200 + (random.next() % 600)];
    const near = (center) => Math.min(Math.max(center + (random.next() % (2 * far)) - far, 0), 1023);
    const ends = [];
    for (let tries = 0; ends.length < 4 * UNITS && tries < 100_000; tries++) {
      const four = [near(x), near(y), near(x), near(y)];
      if (map.isReachable(...four)) ends.push(...four);
    }
    const rubble = Uint8Array.from({ length: RUBBLE.width * RUBBLE.height }, () => Number(random.below(1) < share));
    times.push(spent(() => {
      map.edit(x, y, RUBBLE.width, rubble);
      map.pathMany(ends, { partial: true });
    }) / 1000);
  }
  const [mean, most] = [times.reduce((sum, time) => sum + time) / times.length, Math.max(...times)];
  console.log(`\n${title}: 3,000 cells and ${UNITS} new paths take ${mean.toFixed(1)} ms, ${most.toFixed(1)} at most`);
  results.push(["London_2_1024", `a frame: ${title}`, "quadrille: edit, pathMany", 20, (1000 * mean).toFixed(0), (1000 * most).toFixed(0), 1, 0, 0]);
  map.free();
}

if (out) {
  const [date, machine] = [new Date().toISOString().slice(0, 10), cpus()[0].model];
  const head = `# date ${date}, ${machine}, node ${process.versions.node}\nmap,task,contender,asked,mean_us,max_us,times_ours,longer,shorter\n`;
  writeFileSync(out, head + results.map((row) => row.map((field) => `"${field}"`).join(",")).join("\n") + "\n");
}
