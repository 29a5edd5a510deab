// The shims give the paths of the packages whose names they have, and say where they do not.

import assert from "node:assert/strict";
import { test } from "node:test";
import TheirEasyStar from "easystarjs";
import TheirPF from "pathfinding";
import EasyStar from "../dist/easystar.js";
import PF from "../dist/pathfinding.js";
import { Grid } from "./grids.mjs";
import { Random } from "./random.mjs";

const near = (found, expected, what) =>
  assert.ok(found === expected || Math.abs(found - expected) <= 1e-9 * expected, `${what}: ${found}, not ${expected}`);

/** Rows of tiles 0 to 3; 0 is a wall, mostly alone. */
const tiles = (random, width, height) =>
  Array.from({ length: height }, () => Array.from({ length: width }, () => random.next() % 10 < 3 ? 0 : 1 + (random.next() % 3)));

/** What a program does to one of these packages, and its answers in order. */
function answers(js, program) {
  const found = [];
  program(new js(), (path) => found.push(path));
  return found;
}

const SIDES = ["TOP", "TOP_RIGHT", "RIGHT", "BOTTOM_RIGHT", "BOTTOM", "BOTTOM_LEFT", "LEFT", "TOP_LEFT"];

/** A program at random of all that easystarjs can be told; `cost` is what it says that a path costs. */
function told(seed) {
  const random = new Random(seed);
  const [width, height] = [1 + (random.next() % 12), 1 + (random.next() % 12)];
  const grid = tiles(random, width, height);
  const [diagonals, cuts, costs, conditions, avoids] = Array.from({ length: 5 }, () => random.next() % 2 === 1);
  const points = Array.from({ length: 12 }, () => [random.next() % width, random.next() % height]);
  const weights = { 1: 1, 2: costs ? 2 : 1, 3: costs ? 1.5 : 1 };
  const isHeavy = costs && random.next() % 2 === 1;
  const run = (star, answer) => {
    star.enableSync();
    star.setGrid(grid);
    star.setAcceptableTiles([1, 2, 3]);
    if (diagonals) star.enableDiagonals();
    if (!cuts) star.disableCornerCutting();
    for (const [tile, cost] of Object.entries(weights)) star.setTileCost(Number(tile), cost);
    if (isHeavy) star.setAdditionalPointCost(...points[0], 4);
    if (conditions) star.setDirectionalCondition(...points[1], SIDES.slice(seed % 6, (seed % 6) + 3));
    if (avoids) for (const point of points.slice(2, 5)) star.avoidAdditionalPoint(...point);
    for (let at = 6; at < 11; at++) star.findPath(...points[at], ...points[at + 1], answer);
    star.calculate();
    // The caller writes into the grid, and no one is told.
    const [x, y] = points[6];
    const before = grid[y][x];
    grid[y][x] = before === 0 ? 1 : 0;
    star.stopAvoidingAllAdditionalPoints();
    star.findPath(...points[7], ...points[8], answer);
    star.calculate();
    grid[y][x] = before;
  };
  const isEven = !costs && !conditions && !(avoids && diagonals && !cuts);
  const cost = (path) => {
    if (!path) return Infinity;
    const [px, py] = points[0];
    const enter = ({ x, y }) => (isHeavy && x === px && y === py ? 4 : weights[grid[y][x]] ?? 1);
    return path.slice(1).reduce((sum, at, step) => {
      const isDiagonal = at.x !== path[step].x && at.y !== path[step].y;
      return sum + enter(at) * (isDiagonal ? (isEven ? Math.SQRT2 : 1.4) : 1);
    }, 0);
  };
  return { run, cost, isEven };
}

test("easystarjs: paths cost what theirs cost, or less", () => {
  const [seen, shorter] = [new Map(), new Map()];
  for (let seed = 1; seed <= 1500; seed++) {
    const { run, cost, isEven } = told(seed);
    const [ours, theirs] = [answers(EasyStar.js, run), answers(TheirEasyStar.js, run)];
    assert.equal(ours.length, theirs.length);
    ours.sort(byEnds).forEach((path, at) => {
      const other = theirs.sort(byEnds)[at];
      assert.deepEqual([path?.[0], path?.at(-1), path?.length === 0], [other?.[0], other?.at(-1), other?.length === 0], `${seed}`);
      assert.ok(cost(path) <= cost(other) + 1e-9, `${seed}: ${cost(path)}, not ${cost(other)}`);
      if (cost(path) < cost(other) - 1e-9) shorter.set(isEven, 1 + (shorter.get(isEven) ?? 0));
      seen.set(isEven, (seen.get(isEven) ?? 0) + Number(Boolean(path)));
    });
  }
  assert.ok(seen.get(true) > 500 && seen.get(false) > 2000, `${[...seen]}; shorter: ${[...shorter]}`);
});

const byEnds = (a, b) => (ends(a) < ends(b) ? -1 : ends(a) > ends(b) ? 1 : 0);
const ends = (path) => JSON.stringify([path?.[0], path?.at(-1), path?.length === 0]);

test("easystarjs: without directions and costs, paths are shortest under the rule that was asked for", () => {
  const random = new Random(3);
  for (let turn = 0; turn < 200; turn++) {
    const [width, height] = [1 + (random.next() % 16), 1 + (random.next() % 16)];
    const rows = tiles(random, width, height);
    const rule = ["manhattan", "octile-cutting", "octile"][turn % 3];
    const grid = new Grid(Uint8Array.from(rows.flat()), width, rule);
    const star = new EasyStar.js();
    star.setGrid(rows);
    star.setAcceptableTiles([1, 2, 3]);
    star.enableSync();
    if (rule !== "manhattan") star.enableDiagonals();
    if (rule === "octile") star.disableCornerCutting();
    for (let round = 0; round < 5; round++) {
      const [x, y, toX, toY] = [random.next() % width, random.next() % height, random.next() % width, random.next() % height];
      let found;
      star.findPath(x, y, toX, toY, (path) => (found = path));
      star.calculate();
      if (x === toX && y === toY) assert.deepEqual(found, []);
      else if (grid.isFree(x, y)) {
        near(found ? grid.walk(found.flatMap((at) => [at.x, at.y])) : Infinity, grid.costs(x, y)[toY * width + toX], "a path");
      }
      const [hereX, hereY] = [random.next() % width, random.next() % height];
      rows[hereY][hereX] = grid.free[hereY * width + hereX] = random.next() % 2;
    }
  }
});

test("easystarjs: requests wait for their turn, are cancelled, and are answered later", async () => {
  const star = new EasyStar.js();
  const rows = Array.from({ length: 60 }, (_, y) => Array.from({ length: 60 }, (_, x) => Number(x % 4 !== 2 || y === (x % 8 === 2 ? 0 : 59))));
  star.setGrid(rows);
  star.setAcceptableTiles(1);
  star.setIterationsPerCalculation(5);
  const found = [];
  const numbers = [0, 1, 2].map((y) => star.findPath(0, y, 59, y, (path) => found.push([y, path?.length])));
  assert.equal(new Set(numbers).size, 3);
  assert.deepEqual([star.cancelPath(numbers[1]), star.cancelPath(numbers[1]), star.cancelPath(0)], [true, false, false]);
  star.calculate();
  assert.deepEqual(found, []);
  let frames = 1;
  for (; frames < 500 && found.length < 2; frames++) {
    star.calculate();
    await new Promise((done) => setTimeout(done));
  }
  assert.deepEqual(found.map(([y]) => y).sort(), [0, 2]);
  assert.ok(frames > 3 && found.every(([, length]) => length > 60), `${frames} ${found}`);
  for (const [x, y] of [[-1, 0], [60, 0], [0, 60]]) assert.throws(() => star.findPath(0, 0, x, y, () => {}), /outside the scope/);
  assert.throws(() => new EasyStar.js().findPath(0, 0, 1, 1, () => {}), /setAcceptableTiles/);
});

const { Never, Always, IfAtMostOneObstacle, OnlyWhenNoObstacles } = PF.DiagonalMovement;
const RULE = { [Never]: "manhattan", [Always]: "octile-cutting", [IfAtMostOneObstacle]: "octile-one-side", [OnlyWhenNoObstacles]: "octile" };
const FINDERS = Object.keys(PF).filter((name) => name.endsWith("Finder"));

test("PathFinding.js: every finder finds shortest paths, on grids that are edited and cloned", () => {
  const random = new Random(5);
  assert.deepEqual(FINDERS.sort(), Object.keys(TheirPF).filter((name) => name.endsWith("Finder")).sort());
  for (let turn = 0; turn < 400; turn++) {
    const [width, height] = [1 + (random.next() % 14), 1 + (random.next() % 14)];
    const matrix = tiles(random, width, height).map((row) => row.map((tile) => Number(tile === 0)));
    let grid = turn % 2 ? new PF.Grid(matrix) : new PF.Grid(width, height, matrix);
    const diagonalMovement = 1 + (turn % 4);
    const plain = new Grid(Uint8Array.from(matrix.flat(), (wall) => 1 - wall), width, RULE[diagonalMovement]);
    const finder = new PF[FINDERS[random.next() % FINDERS.length]]({ diagonalMovement });
    for (let round = 0; round < 4; round++) {
      const [x, y, toX, toY] = [random.next() % width, random.next() % height, random.next() % width, random.next() % height];
      const path = finder.findPath(x, y, toX, toY, grid);
      const expected = plain.costs(x, y)[toY * width + toX];
      near(path.length ? plain.walk(path.flat()) : Infinity, expected, "a path");
      if (path.length) assert.deepEqual([path[0], path.at(-1)], [[x, y], [toX, toY]]);
      const [hereX, hereY] = [random.next() % width, random.next() % height];
      const isFree = random.next() % 2 === 0;
      if (round === 1) grid = grid.clone();
      if (round % 2) grid.setWalkableAt(hereX, hereY, isFree);
      else grid.getNodeAt(hereX, hereY).walkable = isFree;
      plain.free[hereY * width + hereX] = Number(isFree);
    }
  }
});

test("PathFinding.js: neighbors, options and refusals are theirs", () => {
  const random = new Random(7);
  for (let turn = 0; turn < 60; turn++) {
    const [width, height] = [1 + (random.next() % 6), 1 + (random.next() % 6)];
    const matrix = tiles(random, width, height).map((row) => row.map((tile) => Number(tile === 0)));
    const [ours, theirs] = [new PF.Grid(matrix), new TheirPF.Grid(matrix)];
    const places = (nodes) => nodes.map(({ x, y, walkable }) => [x, y, walkable]);
    for (const node of ours.nodes.flat()) {
      for (const rule of [1, 2, 3, 4]) {
        assert.deepEqual(places(ours.getNeighbors(node, rule)), places(theirs.getNeighbors(theirs.getNodeAt(node.x, node.y), rule)));
      }
    }
    for (const [x, y] of [[-1, 0], [0, -1], [width, 0], [0, height], [0, 0]]) {
      assert.deepEqual([ours.isInside(x, y), ours.isWalkableAt(x, y)], [theirs.isInside(x, y), theirs.isWalkableAt(x, y)]);
    }
  }
  const rule = (options, name = "AStarFinder") => new PF[name](options).diagonalMovement;
  for (const options of [undefined, {}, { allowDiagonal: true }, { allowDiagonal: true, dontCrossCorners: true }, { diagonalMovement: Always }]) {
    assert.equal(rule(options), new TheirPF.AStarFinder(options).diagonalMovement);
  }
  assert.equal(rule(undefined, "JumpPointFinder"), IfAtMostOneObstacle);
  const grid = new PF.Grid(3, 2);
  assert.throws(() => new PF.AStarFinder({ diagonalMovement: 7 }).findPath(0, 0, 1, 1, grid), /Incorrect value of diagonalMovement/);
  assert.throws(() => grid.getNeighbors(grid.getNodeAt(0, 0), 0), /Incorrect value of diagonalMovement/);
  assert.throws(() => new PF.Grid(3, 2, [[0, 0]]), /Matrix size does not fit/);
  assert.throws(() => new PF.AStarFinder().findPath(0, 0, 3, 0, grid), RangeError);
  assert.throws(() => grid.setWalkableAt(3, 0, true), /\(3, 0\) is not on the grid of 3 x 2 cells/);
  grid.setWalkableAt(0, 0, false);
  assert.deepEqual(new PF.AStarFinder().findPath(0, 0, 2, 0, grid), [], "from a wall there is no path");
});
