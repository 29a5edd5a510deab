// Whatever the caller does, an error says what is wrong, nothing has changed, and the next call works.

import assert from "node:assert/strict";
import { test } from "node:test";
import { runInNewContext } from "node:vm";
import { load } from "../dist/paths.js";
import { PATH_CALLS, checkList, refuseAll } from "./calls.mjs";

const q = await load();

const open = () => new q.PathMap(new Uint8Array(45).fill(1), 9);

const refuses = (work, kind, message) =>
  assert.throws(work, (error) => {
    assert.ok(error instanceof kind, `${error}`);
    assert.match(error.message, message);
    return true;
  });

test("the module is loaded once", () => assert.equal(load(), load()));

test("every call refuses what is no number, names argument and place, and has changed nothing", () => {
  checkList(PATH_CALLS, q);
  const agent = { size: 1, walkable: [0, 1] };
  const [map, queue] = [open(), new q.PathQueue()];
  const terrain = new q.TerrainMap(new Uint8Array(45), 9, { classes: [agent] });
  const all = {
    PathMap: [map, false],
    FlowField: [new q.FlowField(map, [0, 0]), map],
    PathQueue: [queue, map],
    PathWatch: [new q.PathWatch(map, map.path(0, 0, 3, 3)), map],
    TerrainMap: [terrain, agent],
    WeightedPaths: [new q.WeightedPaths(terrain, [1], { agent })],
  };
  const state = () => [map.version, terrain.version, queue.length];
  const before = state();
  let refused = 0;
  for (const [name, [object, other]] of Object.entries(all)) {
    for (const [call, [names, args]] of Object.entries(PATH_CALLS[name])) {
      const given = args.map((arg, at) => (names[at] === ":" ? (arg ?? (name === "TerrainMap" && call in { set: 0, setMany: 0, fill: 0 } ? 1 : other)) : arg));
      refused += refuseAll((...args) => object[call](...args), [names, given], () => assert.deepEqual(state(), before, call));
    }
  }
  assert.ok(refused > 1500, `${refused}`);
  refused = refuseAll((cells, starts, links) => new q.PathWatch(map, { cells, starts, links }), [["cells of a path[]", "starts[]?", "links of a path[]?"], [[0, 0, 1, 1], [0, 4], []]], () => {});
  refused += refuseAll((goals, options) => new q.FlowField(map, goals, options), [["goals[]", "{rect[]? starts[]? links[]? weights[]?}"], [[0, 0], { rect: [0, 0, 2, 2] }]], () => {});
  assert.ok(refused > 150, `${refused}`);
  for (const [object] of Object.values(all)) object.free();
});

test("maps are rows of cells under a rule", () => {
  for (const width of [0, 2, 4.5, -9, NaN, Infinity]) refuses(() => new q.PathMap(new Uint8Array(45), width), RangeError, /rows of/);
  for (const width of ["9", null, 9n]) refuses(() => new q.PathMap(new Uint8Array(45), width), TypeError, /number/);
  refuses(() => new q.PathMap(new Uint8Array(45), 9, { rule: "king" }), RangeError, /king; there are: octile/);
  refuses(() => new q.PathMap(new Uint8Array(65_001), 65_001), RangeError, /65001/);
  for (const cells of [7, "......", null, undefined, new Float32Array(45), {}]) {
    refuses(() => new q.PathMap(cells, 9), TypeError, /Uint8Array/);
  }
  for (const one of [256, -1, 0.5, NaN, "1", null]) refuses(() => new q.PathMap([0, one], 2), TypeError, /row 1: a cell is/);
  assert.deepEqual([...new q.PathMap([true, false, 7, 0], 2).cells()], [1, 0, 1, 0]);
  // Of another window or context.
  for (const kind of ["Uint8Array", "Uint8ClampedArray", "Array"]) {
    assert.deepEqual([...new q.PathMap(runInNewContext(`${kind}.of(1, 0)`), 2).cells()], [1, 0]);
  }
  refuses(() => new q.PathMap(runInNewContext("Int8Array.of(1, 0)"), 2), TypeError, /Uint8Array/);
  const none = new q.PathMap([], 9);
  assert.deepEqual([none.width, none.height], [9, 0]);
  refuses(() => none.path(0, 0, 0, 0), RangeError, /not on the map of 9 x 0 cells/);
  none.free();
});

test("queries are about cells on the map", () => {
  const map = open();
  const queries = [
    (x, y) => map.path(x, y, 0, 0),
    (x, y) => map.path(0, 0, x, y, { partial: true }),
    (x, y) => map.waypoints(0, 0, x, y),
    (x, y) => map.distance(x, y, 0, 0),
    (x, y) => map.isReachable(x, y, 0, 0),
    (x, y) => map.tautPath(0, 0, x, y),
    (x, y) => map.nearest(x, y, [0, 0]),
    (x, y) => map.linkedPath(0, 0, x, y, []),
    (x, y) => map.reach(x, y, 3),
    (x, y) => map.set(x, y, false),
    (x, y) => map.fill(x, y, 1, 1, false),
    (x, y) => map.edit(x, y, 1, [0]),
    (x, y) => map.nearestFree(x, y),
    (x, y) => map.firstWall(0, 0, x, y),
    (x, y) => map.freePlaces(x, y, 3),
    (x, y) => map.nearestLinked(x, y, [0, 0], []),
    (x, y) => map.wouldClose(0, 0, 1, 1, [0, 0], x, y),
  ];
  for (const ask of queries) {
    for (const [x, y] of [[9, 0], [0, 5], [-1, 0], [1.5, 0], [NaN, 0], [2 ** 32, 0], [Infinity, 0]]) {
      refuses(() => ask(x, y), RangeError, new RegExp(`\\(${x}, ${y}\\).*on the map of 9 x 5 cells`));
    }
    for (const x of ["0", null, {}, 0n]) refuses(() => ask(x, 0), TypeError, /a number is needed/);
    refuses(() => ask(0), TypeError, /a number is needed, not undefined/);
  }
  const lists = [(list) => map.detour([0, 0, 1, 0], list), (list) => map.nearestLinked(0, 0, list, []), (list) => map.pathMany(list), (list) => map.setMany(list, false), (list) => map.nearest(0, 0, list), (list) => new q.FlowField(map, list)];
  for (const ask of lists) {
    refuses(() => ask([0, 0, 1, 0, 9, 0]), RangeError, /row 2: cell \(9, 0\)/);
    refuses(() => ask([0, 0, 1]), RangeError, /3 numbers/);
    for (const list of [7, "00", null, undefined, {}]) refuses(() => ask(list), TypeError, /array of numbers/);
    refuses(() => ask([0, "0"]), TypeError, /\[1\]: a number is needed, not the string "0"/);
  }
  refuses(() => map.pathMany([0, 0]), RangeError, /1 starts and 0 goals/);
  refuses(() => map.path(0, 0, 1, 1, { partial: true, within: 3 }), RangeError, /not both/);
  refuses(() => map.path(0, 0, 1, 1, { partial: true, corners: 3 }), RangeError, /not both/);
  refuses(() => map.path(0, 0, 1, 1, { within: "3" }), TypeError, /a number is needed/);
  for (const least of [-1, NaN]) {
    refuses(() => map.path(0, 0, 1, 1, { corners: least }), RangeError, /a budget is zero or more, not (-1|NaN)/);
    refuses(() => map.path(0, 0, 1, 1, { within: least }), RangeError, /a length is zero or more, not (-1|NaN)/);
    refuses(() => map.reach(0, 0, least), RangeError, /a budget is zero or more, not (-1|NaN)/);
    refuses(() => map.beginReach(0, 0, least), RangeError, /a budget is zero or more, not (-1|NaN)/);
  }
  refuses(() => map.wouldClose(8, 0, 2, 1, [0, 0], 0, 0), RangeError, /2 x 1 cells from \(8, 0\) on are not all/);
  refuses(() => map.wouldClose(0, 0, -1, 1, [0, 0], 0, 0), RangeError, /width is a whole number/);
  refuses(() => map.nearestFree(0, 0, { connectedTo: [9, 9] }), RangeError, /connectedTo.*\(9, 9\)/);
  refuses(() => map.freePlaces(0, 0, 3, { connectedTo: [9, 9] }), RangeError, /connectedTo.*\(9, 9\)/);
  refuses(() => map.nearestFree(0, 0, { connectedTo: [1, 1, 2, 2] }), RangeError, /`connectedTo` is one cell: x, y/);
  refuses(() => map.freePlaces(0, 0, 3, { connectedTo: [1, 1, 2, 2] }), RangeError, /`connectedTo` is one cell: x, y/);
  refuses(() => map.freePlaces(0, 0, -1), RangeError, /count is a whole number/);
  refuses(() => map.freePlaces(0, 0, 1, { apart: 0.5 }), RangeError, /apart is a whole number/);
  refuses(() => map.detour([0, 0, 2, 0], []), RangeError, /\(0, 0\) and \(2, 0\) are not neighbors/);
  refuses(() => map.detour([8, 0, 9, 0], []), RangeError, /row 1: cell \(9, 0\)/);
  refuses(() => map.detour([0, 0], [], { radius: -1 }), RangeError, /radius is a whole number/);
  assert.equal(map.detour([], []), null);
  assert.deepEqual(map.cells(), new Uint8Array(45).fill(1));
  assert.equal(map.version, 0);
  map.free();
});

test("edits are of true and false, and of rectangles on the map", () => {
  const map = open();
  for (const free of [1, 0, "true", null, undefined]) {
    refuses(() => map.set(0, 0, free), TypeError, /true or false/);
    refuses(() => map.setMany([0, 0], free), TypeError, /true or false/);
    refuses(() => map.fill(0, 0, 1, 1, free), TypeError, /true or false/);
  }
  for (const side of ["1", null]) refuses(() => map.fill(0, 0, side, 1, false), TypeError, /^width: a number is needed/);
  for (const side of [-1, 1.5, NaN, 2 ** 32]) refuses(() => map.fill(0, 0, side, 1, false), RangeError, /width is a whole number/);
  refuses(() => map.fill(8, 0, 2, 1, false), RangeError, /2 x 1 cells from \(8, 0\) on are not all/);
  refuses(() => map.edit(0, 4, 1, [0, 0]), RangeError, /1 x 2 cells from \(0, 4\) on are not all/);
  refuses(() => map.edit(0, 0, 2, [0]), RangeError, /1 cells do not make up rows of 2/);
  assert.equal(map.version, 0);
  map.free();
});

test("links, starts, weights and rectangles are numbers that can be", () => {
  const map = open();
  refuses(() => map.linkedPath(0, 0, 1, 1, [0, 0, 1, 1]), RangeError, /a link is five numbers/);
  refuses(() => map.linkedPath(0, 0, 1, 1, [0, 0, 1, 1, 1, 0, 0, 9, 9, 1]), RangeError, /link 1: `to`: cell \(9, 9\)/);
  for (const steps of [-1, 65_536, 0.5, NaN]) {
    refuses(() => map.linkedPath(0, 0, 1, 1, [0, 0, 1, 1, steps]), RangeError, new RegExp(`link 0: steps .*not ${steps}`));
    refuses(() => new q.FlowField(map, [0, 0], { starts: [steps] }), RangeError, new RegExp(`start 0: steps .*not ${steps}`));
  }
  refuses(() => new q.FlowField(map, [0, 0], { links: [0, 0, 1, 1, 0] }), RangeError, /link 0 costs 0 steps/);
  refuses(() => new q.FlowField(map, [0, 0], { starts: [1, 2] }), RangeError, /1 goals and 2 starts/);
  refuses(() => new q.FlowField(map, [0, 0], { starts: [1], links: [0, 0, 1, 1, 1] }), RangeError, /not two of them/);
  refuses(() => new q.FlowField(map, [0, 0], { weights: [1] }), RangeError, /make a TerrainMap/);
  refuses(() => map.reach(0, 0, 3, { weights: [1] }), RangeError, /make a TerrainMap/);
  refuses(() => map.beginReach(0, 0, 3, { weights: [1] }), RangeError, /make a TerrainMap/);
  for (const growing of [map.beginReach(0, 0, 3), q.FlowField.begin(map, [0, 0])]) {
    refuses(() => growing.goOn(map, -1), RangeError, /cells is a whole number/);
    refuses(() => growing.goOn(growing, 1), TypeError, /a Cells is needed/);
    growing.free();
    refuses(() => growing.goOn(map, 1), Error, /freed/);
  }
  for (const rect of [[0, 0, 1], [0, 0, 1.5, 1]]) refuses(() => map.reach(0, 0, 3, { rect }), RangeError, /four whole numbers/);
  assert.deepEqual([...map.reach(1, 1, 1, { rect: [-2, 1, 4, 9] }).cells()], [0, 1, 1, 1, 1, 2]);
  map.free();
});

test("kept paths are cells beside each other", () => {
  const map = open();
  refuses(() => map.smooth([0, 0, 2, 0]), RangeError, /the cells \(0, 0\) and \(2, 0\) are not neighbors/);
  refuses(() => new q.PathWatch(map, [0, 0, 0]), RangeError, /3 numbers/);
  refuses(() => new q.PathWatch(map, null), TypeError, /array of numbers/);
  assert.deepEqual(new q.PathWatch(map, []).check(map), null);
  // A path of another map, which leads out of this one, and one through a wall.
  map.set(4, 0, false);
  for (const cells of [[8, 0, 9, 0], [4, 0], [3, 0, 4, 0], [3, 0, 4, 1]]) {
    for (const path of [cells, { cells, starts: [0, cells.length] }]) {
      refuses(() => new q.PathWatch(map, path, { links: [] }), RangeError, /the path is invalid on the map, at \(\d+, \d+\)/);
    }
  }
  map.free();
});

test("options that there are not are refused, and those that there are named", () => {
  const map = open();
  const agent = { size: 1, walkable: [0, 1] };
  const terrain = new q.TerrainMap(new Uint8Array(45), 9, { classes: [agent] });
  const unknown = (name, names, what = "options") => new RegExp(`^${what}: "${name}" is unknown; there are: ${names}$`);
  refuses(() => new q.PathMap([1], 1, { rules: "octile" }), TypeError, unknown("rules", "rule"));
  refuses(() => map.path(0, 0, 1, 1, { partal: true }), TypeError, unknown("partal", "partial, within, corners"));
  refuses(() => new q.TerrainMap([1], 1, { classes: [agent], class: agent }), TypeError, unknown("class", "rule, classes"));
  refuses(() => new q.PathWatch(map, [0, 0], { link: [] }), TypeError, unknown("link", "links"));
  for (const make of [(options) => new q.FlowField(map, [0, 0], options), (options) => q.FlowField.begin(map, [0, 0], options)]) {
    refuses(() => make({ start: [1] }), TypeError, unknown("start", "rect, agent, starts, links, weights"));
  }
  refuses(() => new q.WeightedPaths(terrain, [1], { agents: agent }), TypeError, unknown("agents", "agent"));
  refuses(() => terrain.paths({ sise: 2, walkable: [0, 1] }), TypeError, unknown("sise", "size, walkable", "agent"));
  for (const none of [null, 7, "agent"]) refuses(() => terrain.paths(none), TypeError, /^agent: an object is needed, not /);
  assert.deepEqual([...map.path(0, 0, 1, 1, { partial: undefined, within: undefined })], [0, 0, 1, 1]);
  for (const all of [map, terrain]) all.free();
});

test("terrain has the classes that it was made for", () => {
  const classes = [{ walkable: [0, 1] }];
  const make = (options) => new q.TerrainMap(new Uint8Array(9), 3, options);
  refuses(() => make(), TypeError, /classes are an array/);
  refuses(() => make({ classes: [{}] }), TypeError, /walkable is an array/);
  for (const kind of ["0", null]) refuses(() => make({ classes: [{ walkable: [kind] }] }), TypeError, /^a kind of terrain: a number is needed/);
  // Arrays with holes.
  refuses(() => make({ classes: [{ walkable: [, 1] }] }), TypeError, /^a kind of terrain: a number is needed, not undefined$/);
  refuses(() => make({ classes: [, classes[0]] }), TypeError, /walkable is an array/);
  for (const kind of [-1, 64, 0.5]) refuses(() => make({ classes: [{ walkable: [kind] }] }), RangeError, /kind of terrain is .*63/);
  refuses(() => make({ classes: [{ size: -1, walkable: [0] }] }), RangeError, /size of an agent/);
  const many = Array.from({ length: 300 }, (_, size) => ({ size, walkable: [0] }));
  refuses(() => make({ classes: many }), RangeError, /300 classes of agents/);
  const terrain = make({ classes });
  refuses(() => terrain.paths({ size: 2, walkable: [0, 3] }), RangeError, /no class of agents of size 2 that walk on 0, 3/);
  for (const kind of ["1", null]) refuses(() => terrain.set(0, 0, kind), TypeError, /^a kind: a number is needed/);
  for (const kind of [-1, 256, 0.5]) refuses(() => terrain.set(0, 0, kind), RangeError, /a kind is a whole number from 0 to 255/);
  refuses(() => terrain.wouldClose({ walkable: [7] }, 0, 0, 1, 1, 0, [0, 0], 1, 1), RangeError, /no class of agents of size 1 that walk on 7/);
  refuses(() => terrain.path({ walkable: [0] }, 0, 0, 3, 3), RangeError, /\(3, 3\) is not on/);
  refuses(() => terrain.path({ walkable: [0] }, 0, 0, 1, 1, { weights: [2 ** 31] }), RangeError, /a weight of 2147483648/);
  const map = terrain.paths(classes[0]);
  refuses(() => map.wouldClose(0, 0, 1, 1, [0, 0], 1, 1), RangeError, /edit that/);
  refuses(() => map.set(0, 0, false), RangeError, /edit that/);
  for (const weight of [0, -1, 0.5, NaN, 2 ** 32]) refuses(() => new q.WeightedPaths(map, [1, weight]), RangeError, new RegExp(`kind 1: .*not ${weight}`));
  refuses(() => new q.WeightedPaths(map, [2 ** 31]), RangeError, /a weight of 2147483648 on a map of 9 cells/);
  refuses(() => new q.WeightedPaths(map, new Array(65).fill(1)), RangeError, /65 weights/);
  refuses(() => new q.WeightedPaths(terrain, [1]), TypeError, /walkable is an array/);
  refuses(() => new q.FlowField(terrain, [0, 0], { weights: [1] }), TypeError, /walkable is an array/);
  refuses(() => new q.FlowField(terrain, [0, 0], { agent: { walkable: [0] }, links: [0, 0, 1, 1, 1] }), TypeError, /but no links/);
  refuses(() => new q.FlowField(terrain, [0, 0], { agent: { walkable: [0] }, starts: [3, 4] }), RangeError, /1 goals and 2 starts/);
  refuses(() => new q.FlowField(terrain, [9, 0], { agent: { walkable: [0] } }), RangeError, /\(9, 0\) is not on/);
  // The map outlives what it was taken from.
  terrain.free();
  assert.equal(map.distance(0, 0, 2, 0), 2);
  map.free();
});

test("a queue refuses what is no request, and no budget", () => {
  const [map, queue] = [open(), new q.PathQueue()];
  for (const priority of [0.5, NaN, 2 ** 31]) refuses(() => queue.push(0, 0, 1, 1, priority), RangeError, /a priority is a whole number/);
  refuses(() => queue.push(-1, 0, 1, 1), RangeError, /`from`: cell \(-1, 0\)/);
  for (const ticket of [-1, 0, 0.5, NaN, 1e300]) assert.equal(queue.cancel(ticket), false);
  for (const budget of [-1, NaN]) {
    refuses(() => queue.run(map, budget), RangeError, /zero or more/);
    refuses(() => queue.runFor(map, budget), RangeError, /zero or more/);
  }
  assert.equal(queue.length, 0);
  map.free();
});

test("what has been freed says so, and what is needed is asked for by name", () => {
  const map = open();
  const field = new q.FlowField(map, [0, 0]);
  const watch = new q.PathWatch(map, [0, 0]);
  map.free();
  map.free();
  for (const ask of [() => map.path(0, 0, 1, 1), () => map.width, () => field.repair(map), () => watch.check(map), () => new q.FlowField(map, [0, 0])]) {
    refuses(ask, Error, /it has been freed/);
  }
  for (const other of [null, undefined, {}, field, 7]) refuses(() => new q.FlowField(other, [0, 0]), TypeError, /a PathMap is needed/);
  assert.equal(field.length(3, 0), 3);
  assert.equal(typeof field[Symbol.dispose ?? Symbol.for("Symbol.dispose")], "function");
});

test("a field and a watch on another map are those of that map", () => {
  const [map, other] = [open(), new q.PathMap(new Uint8Array(100).fill(1), 20)];
  const field = new q.FlowField(map, [8, 4]);
  const watch = new q.PathWatch(map, map.path(0, 0, 8, 4));
  assert.equal(field.repair(other), true);
  assert.equal(field.length(19, 4), 11);
  assert.equal(watch.check(other), null);
  other.fill(4, 0, 1, 5, false);
  assert.notEqual(watch.check(other), null);
});
