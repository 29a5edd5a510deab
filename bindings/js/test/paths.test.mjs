// Every path is as short as that of a plain search over all cells, on maps that are edited between queries.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../dist/paths.js";
import { Grid, noise, RULES } from "./grids.mjs";
import { Random } from "./random.mjs";

const q = await load();

const cell = (random, grid) => [random.next() % grid.width, random.next() % grid.height];
const near = (found, expected, what) =>
  assert.ok(found === expected || Math.abs(found - expected) <= 1e-9 * expected, `${what}: ${found}, not ${expected}`);

/** A map and its twin of plain arithmetic. */
function twins(random, rule, share) {
  const [width, height] = [1 + (random.next() % 24), 1 + (random.next() % 24)];
  const grid = new Grid(noise(random, width, height, share), width, rule);
  return [new q.PathMap(grid.free, width, { rule }), grid];
}

/** Changes both in one of the ways that there are. */
function edit(random, map, grid) {
  const [x, y] = cell(random, grid);
  const [width, height] = [1 + (random.next() % (grid.width - x)), 1 + (random.next() % (grid.height - y))];
  const before = grid.free.slice();
  const write = (value) => {
    for (let row = 0; row < height; row++)
      for (let column = 0; column < width; column++) {
        grid.free[(y + row) * grid.width + x + column] = value(row * width + column);
      }
  };
  const dice = random.next() % 4;
  const isFree = random.next() % 2 === 0;
  if (dice === 0) {
    const free = noise(random, width, height);
    write((at) => free[at]);
    assert.equal(map.edit(x, y, width, free), grid.free.some((free, at) => free !== before[at]));
  } else if (dice === 1) {
    write(() => Number(isFree));
    assert.equal(map.fill(x, y, width, height, isFree), grid.free.some((free, at) => free !== before[at]));
  } else if (dice === 2) {
    grid.free[y * grid.width + x] = Number(isFree);
    assert.equal(map.set(x, y, isFree), grid.free.some((free, at) => free !== before[at]));
  } else {
    const cells = Array.from({ length: 5 }, () => cell(random, grid));
    for (const [x, y] of cells) grid.free[y * grid.width + x] = Number(isFree);
    const changed = grid.free.filter((free, at) => free !== before[at]).length;
    assert.equal(map.setMany(Int32Array.from(cells.flat()), isFree), changed);
  }
  assert.deepEqual(map.cells(), grid.free);
}

for (const rule of RULES) {
  test(`paths are as short as can be: ${rule}`, () => {
    const random = new Random(7);
    for (let turn = 0; turn < 60; turn++) {
      const [map, grid] = twins(random, rule, 0.5 + random.below(1) / 2);
      assert.deepEqual([map.width, map.height, map.rule], [grid.width, grid.height, rule]);
      for (let round = 0; round < 4; round++) {
        checkPaths(random, map, grid);
        checkFields(random, map, grid);
        edit(random, map, grid);
      }
      map.free();
    }
  });
}

function checkPaths(random, map, grid) {
  const from = cell(random, grid);
  const goals = Array.from({ length: 6 }, () => cell(random, grid));
  const costs = grid.costs(...from);
  const cost = ([x, y]) => costs[y * grid.width + x];
  const ends = goals.flatMap((goal) => [...from, ...goal]);
  const many = map.pathMany(Int32Array.from(ends));
  assert.equal(many.starts.length, goals.length + 1);
  goals.forEach((to, row) => {
    const path = map.path(...from, ...to);
    near(map.distance(...from, ...to), cost(to), "distance");
    assert.equal(map.isReachable(...from, ...to), cost(to) < Infinity);
    assert.deepEqual([...many.cells.subarray(many.starts[row], many.starts[row + 1])], [...(path ?? [])]);
    assert.equal(path === null, cost(to) === Infinity);
    if (!path) return checkPartial(random, map, grid, from, to, costs);
    assert.deepEqual([...path.slice(0, 2), ...path.slice(-2)], [...from, ...to]);
    near(grid.walk(path), cost(to), "path");
    assert.deepEqual(map.path(...from, ...to, { partial: true }), path);
    assert.deepEqual(map.path(...from, ...to, { within: cost(to) + 1e-6 }), path);
    if (cost(to) > 0) assert.equal(map.path(...from, ...to, { within: cost(to) - 1e-6 }), null);
    const turns = map.waypoints(...from, ...to);
    assert.deepEqual([...turns.slice(0, 2), ...turns.slice(-2)], [...from, ...to]);
    const taut = map.tautPath(...from, ...to);
    assert.ok(taut.length <= cost(to) + 1e-9 && taut.length >= Math.hypot(from[0] - to[0], from[1] - to[1]) - 1e-9);
    near(straight(taut.points), taut.length, "points of a taut path");
    const smooth = map.smooth(path);
    assert.ok(straight(smooth) <= cost(to) + 1e-9 && straight(smooth) >= taut.length - 1e-9);
  });
  const best = Math.min(...goals.map(cost));
  const found = map.nearest(...from, goals.flat());
  if (best === Infinity) return assert.equal(found, null);
  near(cost(goals[found.goal]), best, "the nearest goal");
  near(grid.walk(found.path), best, "the path to the nearest goal");
}

const straight = (points) => {
  let length = 0;
  for (let at = 2; at < points.length; at += 2) {
    length += Math.hypot(points[at] - points[at - 2], points[at + 1] - points[at - 1]);
  }
  return length;
};

/** To the nearest cell that can be reached, as the crow flies on a map without walls. */
function checkPartial(random, map, grid, from, to, costs) {
  const path = map.path(...from, ...to, { partial: true });
  if (!grid.isFree(...from)) return assert.equal(path, null);
  const open = new Grid(new Uint8Array(grid.free.length).fill(1), grid.width, grid.rule);
  const apart = open.costs(...to);
  const reached = Array.from(costs.keys()).filter((at) => costs[at] < Infinity);
  const end = path[path.length - 1] * grid.width + path[path.length - 2];
  near(grid.walk(path), costs[end], "a partial path");
  near(apart[end], Math.min(...reached.map((at) => apart[at])), "how near a partial path comes");
}

function checkFields(random, map, grid) {
  const goal = cell(random, grid);
  const costs = grid.costs(...goal);
  const field = new q.FlowField(map, goal);
  const [lengths, ways] = [field.lengths(), field.directions()];
  const all = Array.from(costs.keys()).flatMap((at) => [at % grid.width, Math.floor(at / grid.width)]);
  const next = field.nextMany(all);
  costs.forEach((cost, at) => {
    const [x, y] = [at % grid.width, Math.floor(at / grid.width)];
    assert.equal(lengths[at], Math.fround(field.length(x, y)));
    near(field.length(x, y), cost, "the length of a field");
    if (cost === Infinity) {
      assert.deepEqual([ways[at], next[2 * at], field.next(x, y), field.path(x, y)], [-1, -1, null, null]);
      return;
    }
    const [dx, dy] = WAYS[ways[at]];
    assert.deepEqual([next[2 * at], next[2 * at + 1]], [x + dx, y + dy]);
    if (cost > 0) near(grid.step(x, y, dx, dy) + costs[(y + dy) * grid.width + x + dx], cost, "the next step");
    else assert.equal(ways[at], 8);
  });
  const from = cell(random, grid);
  const path = field.path(...from);
  if (path) near(grid.walk(path), costs[from[1] * grid.width + from[0]], "the path of a field");
  const before = map.version;
  edit(random, map, grid);
  assert.equal(field.repair(map), before !== map.version);
  assert.deepEqual([field.repair(map), field.version], [false, map.version]);
  const now = grid.costs(...goal);
  for (let at = 0; at < now.length; at++) {
    near(field.length(at % grid.width, Math.floor(at / grid.width)), now[at], "the length of a repaired field");
  }
  field.free();
}

/** Clockwise from north, and at a goal. */
const WAYS = [[0, -1], [1, -1], [1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1], [0, 0]];

for (const rule of RULES) {
  test(`reach, links and starts are those of a plain search: ${rule}`, () => {
    const random = new Random(11);
    for (let turn = 0; turn < 60; turn++) {
      const [map, grid] = twins(random, rule, 0.8);
      const [from, to] = [cell(random, grid), cell(random, grid)];
      const budget = random.below(9);
      const reach = map.reach(...from, budget);
      const costs = grid.costs(...from);
      const within = Array.from(costs.keys()).filter((at) => costs[at] <= budget);
      assert.deepEqual([...reach.cells()], within.flatMap((at) => [at % grid.width, Math.floor(at / grid.width)]));
      reach.costs().forEach((cost, row) => near(cost, costs[within[row]], "the cost of a cell within reach"));
      for (const at of within) {
        const [x, y] = [at % grid.width, Math.floor(at / grid.width)];
        near(grid.walk(reach.path(x, y)), costs[at], "a path within reach");
        near(reach.cost(x, y), costs[at], "the cost of a cell");
      }
      assert.deepEqual([reach.cost(-1, 0), reach.path(1000, 0)], [Infinity, null]);
      reach.free();
      checkLinks(random, map, grid, from, to);
      checkStarts(random, map, grid);
      map.free();
    }
  });
}

function checkLinks(random, map, grid, from, to) {
  const links = Array.from({ length: 3 }, () => [...cell(random, grid), ...cell(random, grid), 1 + (random.next() % 4)]);
  const usable = links.filter(([x, y]) => grid.isFree(x, y));
  const expected = grid.costs(...from, { links: usable })[to[1] * grid.width + to[0]];
  const found = map.linkedPath(...from, ...to, links.flat());
  assert.equal(found === null, expected === Infinity);
  if (found) {
    const { cells, starts, links: taken } = found;
    assert.equal(starts.length, taken.length + 2);
    const legs = Array.from(starts.slice(1), (end, leg) => cells.subarray(starts[leg], end));
    const walked = legs.reduce((sum, leg) => sum + grid.walk(leg), 0);
    near(walked + taken.reduce((sum, link) => sum + links[link][4], 0), expected, "a path with links");
    taken.forEach((link, leg) => {
      assert.deepEqual([...legs[leg].slice(-2), ...legs[leg + 1].slice(0, 2)], links[link].slice(0, 4));
    });
  }
  const field = new q.FlowField(map, to, { links: links.flat() });
  near(field.length(...from), expected, "a field with links");
  for (let at = 0, ways = field.directions(); at < ways.length; at++) {
    const [x, y] = [at % grid.width, Math.floor(at / grid.width)];
    const link = field.link(x, y);
    assert.equal(ways[at] === 9, link !== null);
    if (link !== null) assert.deepEqual([x, y, ...field.next(x, y)], links[link].slice(0, 4));
  }
  field.free();
}

function checkStarts(random, map, grid) {
  const goals = Array.from({ length: 3 }, () => cell(random, grid));
  const starts = goals.map(() => random.next() % 9);
  const field = new q.FlowField(map, Uint16Array.from(goals.flat()), { starts });
  const all = goals.map((goal) => grid.costs(...goal));
  for (let at = 0; at < grid.free.length; at++) {
    const expected = Math.min(...all.map((costs, goal) => starts[goal] + costs[at]));
    near(field.length(at % grid.width, Math.floor(at / grid.width)), expected, "a field with starts");
  }
  field.free();
}

test("agents of several sizes and abilities, with weights, on terrain that changes", () => {
  const random = new Random(13);
  for (let turn = 0; turn < 60; turn++) {
    const rule = RULES[turn % RULES.length];
    const [width, height] = [2 + (random.next() % 16), 2 + (random.next() % 16)];
    const kinds = Uint8Array.from({ length: width * height }, () => random.next() % 4);
    const classes = [{ walkable: [1, 2, 3] }, { size: 2, walkable: [1, 2, 3] }, { size: 1, walkable: [1] }];
    const terrain = new q.TerrainMap(kinds, width, { rule, classes });
    const weights = [1, 1, 3, 5];
    const agents = classes.map((agent) => ({ agent, map: terrain.paths(agent) }));
    const cheapest = agents.slice(0, 2).map(({ map }) => new q.WeightedPaths(map, weights));
    for (let round = 0; round < 4; round++) {
      assert.deepEqual(terrain.cells(), kinds);
      for (const [number, { agent, map }] of agents.entries()) {
        const size = agent.size ?? 1;
        const walkable = Uint8Array.from(kinds, (kind) => Number(agent.walkable.includes(kind)));
        const grid = new Grid(walkable, width, rule).cleared(size);
        assert.deepEqual(map.cells(), grid.free);
        const [from, to] = [cell(random, grid), cell(random, grid)];
        near(map.distance(...from, ...to), grid.costs(...from)[to[1] * width + to[0]], "distance on terrain");
        if (number < 2) checkWeights(map, grid, cheapest[number], { kinds, size, weights, from, to });
      }
      const [x, y, kind] = [random.next() % width, random.next() % height, random.next() % 4];
      kinds[y * width + x] = kind;
      terrain.set(x, y, kind);
      const patch = Uint8Array.from({ length: width - x }, () => random.next() % 4);
      kinds.set(patch, y * width + x);
      terrain.edit(x, y, width - x, patch);
    }
    for (const held of [terrain, ...cheapest, ...agents.map(({ map }) => map)]) held.free();
  }
});

function checkWeights(map, grid, cheapest, { kinds, size, weights, from, to }) {
  const weight = (x, y) => {
    let heaviest = 0;
    for (let at = 0; at < size * size; at++) {
      heaviest = Math.max(heaviest, weights[kinds[(y + Math.floor(at / size)) * grid.width + x + (at % size)]]);
    }
    return heaviest;
  };
  const costs = grid.costs(...from, { weight });
  const expected = costs[to[1] * grid.width + to[0]];
  const found = cheapest.path(...from, ...to);
  assert.equal(found === null, expected === Infinity);
  if (found) {
    near(found.cost, expected, "the cost of a cheapest path");
    near(grid.walk(found.cells, weight), expected, "a cheapest path");
  }
  const reach = map.reach(...from, 12, { weights });
  for (let at = 0; at < costs.length; at++) {
    const [x, y] = [at % grid.width, Math.floor(at / grid.width)];
    near(reach.cost(x, y), costs[at] <= 12 ? costs[at] : Infinity, "the cost of a cell within reach");
  }
  const field = new q.FlowField(map, to, { weights });
  near(field.length(...from), expected, "a field with weights");
  const begun = new q.FlowField(map, to, { weights, starts: [7] });
  near(begun.length(...from), expected + 7, "a field with weights and a start");
  const [growing, reaching] = [q.FlowField.begin(map, to, { weights }), map.beginReach(...from, 12, { weights })];
  let [slow, slowly] = [null, null];
  while (!(slow ??= growing.goOn(map, 9)));
  while (!(slowly ??= reaching.goOn(map, 9)));
  assert.deepEqual([slow.lengths(), slowly.costs()], [field.lengths(), reach.costs()]);
  for (const held of [growing, reaching, slow, slowly]) held.free();
  begun.free();
  reach.free();
  field.free();
}

test("fields and reaches made in slices are those of the map as it is at the end", () => {
  const random = new Random(31);
  for (let turn = 0; turn < 80; turn++) {
    const [map, grid] = twins(random, RULES[turn % 4], 0.85);
    const [from, budget, most] = [cell(random, grid), turn % 3 ? 5 : Infinity, [1, 7, 60, 2 ** 32 - 1][turn % 4]];
    const [growing, reaching] = [q.FlowField.begin(map, from), map.beginReach(...from, budget)];
    assert.deepEqual([growing.goOn(map, 0), reaching.goOn(map, 0)], [null, null]);
    let [field, reach] = [null, null];
    while (!field || !reach) {
      if (!field) field = growing.goOn(map, most);
      else if (!reach) reach = reaching.goOn(map, most);
      if (field && reach) break;
      if (random.below(4) === 0) edit(random, map, grid);
    }
    assert.deepEqual([growing.goOn(map, most), reaching.goOn(map, most)], [null, null], "once only");
    field.repair(map);
    const costs = grid.costs(...from);
    for (let at = 0; at < costs.length; at++) {
      const [x, y] = [at % grid.width, Math.floor(at / grid.width)];
      near(field.length(x, y), costs[at], "the length of a field made in slices");
      near(reach.cost(x, y), costs[at] <= budget ? costs[at] : Infinity, "a cost found in slices");
    }
    for (const held of [map, growing, reaching, field, reach]) held.free();
  }
});

test("a queue answers every request, the urgent ones first, while the map is edited", () => {
  const random = new Random(17);
  for (let turn = 0; turn < 40; turn++) {
    const [map, grid] = twins(random, "octile", 0.85);
    const queue = new q.PathQueue();
    const asked = new Map();
    for (let request = 0; request < 30; request++) {
      const ends = [...cell(random, grid), ...cell(random, grid)];
      asked.set(queue.push(...ends, request % 3), ends);
    }
    const cancelled = [...asked.keys()][5];
    assert.deepEqual([queue.cancel(cancelled), queue.cancel(cancelled), queue.length], [true, false, 29]);
    asked.delete(cancelled);
    for (let frame = 0; queue.length > 0; frame++) {
      assert.ok(frame < 10_000);
      for (const { ticket, path } of turn % 2 ? queue.run(map, 20) : queue.runFor(map, 0.01)) {
        const [x0, y0, x1, y1] = asked.get(ticket);
        assert.ok(asked.delete(ticket));
        const expected = grid.costs(x0, y0)[y1 * grid.width + x1];
        near(path ? grid.walk(path) : Infinity, expected, "a path of the queue");
      }
      edit(random, map, grid);
    }
    assert.equal(asked.size, 0);
    map.free();
    queue.free();
  }
  const map = new q.PathMap(new Uint8Array(100).fill(1), 10);
  const queue = new q.PathQueue();
  const [first, second] = [queue.push(0, 0, 9, 9), queue.push(0, 0, 9, 0, 1)];
  assert.deepEqual(queue.run(map, 0), []);
  assert.deepEqual(queue.run(map, Infinity).map(({ ticket }) => ticket), [second, first]);
  queue.push(0, 0, 10, 0);
  assert.equal(queue.run(map, 1000)[0].path, null, "a cell that is not on the map");
});

test("a watch says where a path breaks, no sooner and no later", () => {
  const random = new Random(19);
  let breaks = 0;
  for (let turn = 0; turn < 200; turn++) {
    const [map, grid] = twins(random, RULES[turn % 4], 0.85);
    const [from, to] = [cell(random, grid), cell(random, grid)];
    const path = map.path(...from, ...to);
    if (!path) continue;
    const watch = new q.PathWatch(map, path);
    for (let round = 0; round < 6; round++) {
      edit(random, map, grid);
      const broken = watch.check(map);
      const isWhole = !Number.isNaN(grid.walk(path));
      assert.equal(broken === null, isWhole);
      if (isWhole) continue;
      let last = 2;
      while (!Number.isNaN(grid.walk(path.subarray(0, last + 2)))) last += 2;
      assert.deepEqual(broken, Array.from(grid.isFree(...from) ? path.subarray(last - 2, last) : from));
      breaks++;
      break;
    }
    watch.free();
    map.free();
  }
  assert.ok(breaks > 50);
});

for (const rule of RULES) {
  test(`what a wall would close, and where to step out of one: ${rule}`, () => {
    const random = new Random(29);
    let closed = 0;
    for (let turn = 0; turn < 60; turn++) {
      const [map, grid] = twins(random, rule, 0.8);
      const [x, y] = cell(random, grid);
      const [width, height] = turn % 2 ? [1, grid.height - y] : [grid.width - x, 1];
      const [from, to] = [Array.from({ length: 3 }, () => cell(random, grid)), cell(random, grid)];
      const walled = new Grid(grid.free.slice(), grid.width, rule);
      for (let at = 0; at < width * height; at++) walled.free[(y + Math.floor(at / width)) * grid.width + x + (at % width)] = 0;
      const costs = (grid) => grid.costs(...to);
      const reaches = (costs, [x, y]) => costs[y * grid.width + x] < Infinity;
      const [now, then] = [costs(grid), costs(walled)];
      const expected = from.findIndex((one) => reaches(now, one) && !reaches(then, one));
      assert.equal(map.wouldClose(x, y, width, height, from.flat(), ...to) ?? -1, expected);
      closed += Number(expected >= 0);
      assert.deepEqual([map.cells(), map.version], [grid.free, 0]);

      const open = new Grid(new Uint8Array(grid.free.length).fill(1), grid.width, rule).costs(x, y);
      for (const connectedTo of [undefined, to]) {
        const fits = (_, at) => grid.free[at] && (!connectedTo || now[at] < Infinity);
        const nearest = Math.min(...open.filter(fits));
        const free = map.nearestFree(x, y, { connectedTo });
        assert.equal(free === null, nearest === Infinity);
        if (free) near(open[free[1] * grid.width + free[0]], nearest, "the nearest free cell");
        if (free) assert.ok(fits(0, free[1] * grid.width + free[0]));
      }
      map.free();
    }
    assert.ok(closed > 5, `${closed}`);
  });
}

for (const rule of RULES) {
  test(`what units run into: ${rule}`, () => {
    const random = new Random(43);
    const seen = { walls: 0, detours: 0, stuck: 0, links: 0 };
    for (let turn = 0; turn < 120; turn++) {
      const [map, grid] = twins(random, rule, 0.8);
      const [from, to] = [cell(random, grid), cell(random, grid)];
      const at = ([x, y]) => y * grid.width + x;
      const cells = (list) => Array.from({ length: list.length / 2 }, (_, row) => [list[2 * row], list[2 * row + 1]]);
      const long = (path) => cells(path).slice(1).reduce((sum, [x, y], row) => sum + Math.hypot(x - path[2 * row], y - path[2 * row + 1]), 0);

      const wall = map.firstWall(...from, ...to);
      if (wall) assert.equal(grid.isFree(...wall), false);
      else near(map.tautPath(...from, ...to).length, Math.hypot(from[0] - to[0], from[1] - to[1]), "straight ahead");
      seen.walls += Number(wall !== null);

      const [count, apart] = [random.next() % 20, random.next() % 4];
      const first = map.nearestFree(...from, { connectedTo: to });
      const expected = [];
      if (first) {
        const costs = grid.costs(...first);
        const all = [...costs.keys()].filter((one) => costs[one] < Infinity);
        all.sort((a, b) => (Math.abs(costs[a] - costs[b]) > 1e-6 ? costs[a] - costs[b] : a - b));
        for (const one of all) {
          const [x, y] = [one % grid.width, Math.floor(one / grid.width)];
          const isApart = expected.every(([a, b]) => Math.max(Math.abs(a - x), Math.abs(b - y)) >= apart);
          if (expected.length < count && isApart) expected.push([x, y]);
        }
      }
      assert.deepEqual(cells(map.freePlaces(...from, count, { apart, connectedTo: to })), expected);

      const others = Array.from({ length: 20 }, () => cell(random, grid));
      const path = map.path(...from, ...to);
      if (path) {
        const crowded = new Grid(grid.free.slice(), grid.width, rule);
        for (const other of others) if (at(other) !== at(from)) crowded.free[at(other)] = 0;
        const [around, least] = [map.detour(path, others.flat(), { radius: 99 }), crowded.costs(...from)[at(to)]];
        if (around) assert.ok(cells(around).every((one) => crowded.isFree(...one)));
        if (crowded.isFree(...to)) near(around ? long(around) : Infinity, least, "the way around");
        seen[around ? "detours" : "stuck"]++;
      }

      const links = [...from, ...others[0], 1];
      const goals = [to, others[1], others[2]];
      const each = goals.map((goal) => map.linkedPath(...from, ...goal, links));
      const cost = ({ cells, starts, links }) =>
        links.length + [...starts.keys()].slice(1).reduce((sum, leg) => sum + long(cells.subarray(starts[leg - 1], starts[leg])), 0);
      const least = Math.min(...each.map((path) => (path ? cost(path) : Infinity)));
      const found = map.nearestLinked(...from, goals.flat(), links);
      near(found ? cost(found) : Infinity, least, "the nearest goal");
      if (found) assert.deepEqual([...found.cells.slice(-2)], goals[found.goal]);
      seen.links += found?.links.length ?? 0;
      map.free();
    }
    assert.ok(Object.values(seen).every((times) => times > 3), JSON.stringify(seen));
  });
}

test("a search with a limit of corners knows, or says that it does not", () => {
  const random = new Random(31);
  const seen = new Map();
  for (let turn = 0; turn < 200; turn++) {
    const [map, grid] = twins(random, "octile", 0.7);
    const [from, to] = [cell(random, grid), cell(random, grid)];
    const [path, limited] = [map.path(...from, ...to), map.path(...from, ...to, { corners: turn % 9 })];
    if (limited !== undefined) assert.deepEqual(limited, path);
    else assert.notEqual(path, null);
    const kind = limited && "path";
    seen.set(kind, 1 + (seen.get(kind) ?? 0));
    assert.deepEqual(map.path(...from, ...to, { corners: 1e6 }), path);
    map.free();
  }
  for (const kind of ["path", null, undefined]) assert.ok(seen.get(kind) > 10, `${kind}: ${seen.get(kind)}`);
});

test("a watched path with links breaks when an end of one is blocked", () => {
  const map = new q.PathMap(new Uint8Array(30 * 9).fill(1), 30);
  map.fill(15, 0, 1, 9, false);
  const links = [0, 0, 29, 8, 90, 14, 4, 16, 4, 5];
  const path = map.linkedPath(2, 4, 20, 4, links);
  const watch = new q.PathWatch(map, path, { links });
  assert.deepEqual([...path.links], [1]);
  map.set(15, 0, true);
  assert.equal(watch.check(map), null);
  assert.equal(watch.shorter(map, 2, 4), null, "21 with the ladder");
  map.set(16, 4, false);
  assert.deepEqual(watch.check(map), [14, 4]);
  assert.throws(() => new q.PathWatch(map, path, { links: [] }), { name: "RangeError", message: /takes link 1, but there are 0/ });
  assert.throws(() => new q.PathWatch(map, { ...path, starts: [0, 99] }, { links }), { name: "RangeError", message: /no part \[0, 99\]/ });
  watch.free();
  map.free();
});

test("a watch knows of each shorter path", () => {
  const random = new Random(37);
  let shorter = 0;
  for (let turn = 0; turn < 900; turn++) {
    const [map, grid] = twins(random, RULES[turn % 4], 0.6);
    const [from, to] = [cell(random, grid), cell(random, grid)];
    const path = map.path(...from, ...to);
    if (!path) continue;
    const watch = new q.PathWatch(map, path);
    for (let round = 0; round < 6; round++) {
      const [x, y] = cell(random, grid);
      map.set(x, y, true);
      grid.free[y * grid.width + x] = 1;
      const here = path.slice(2 * Math.floor((round * path.length) / 12));
      const cost = grid.costs(here[0], here[1])[to[1] * grid.width + to[0]];
      const found = watch.shorter(map, here[0], here[1]);
      assert.equal(found !== null, cost < grid.walk(here) - 1e-9);
      if (found) near(grid.walk(found), cost, "a shorter path");
      shorter += Number(found !== null);
    }
    watch.free();
    map.free();
  }
  assert.ok(shorter > 20, `${shorter}`);
});

test("agents without a map, classes that come later, and links on weighted ground", () => {
  const random = new Random(41);
  let taken = 0;
  for (let turn = 0; turn < 160; turn++) {
    const rule = RULES[turn % RULES.length];
    const [width, height] = [2 + (random.next() % 16), 2 + (random.next() % 16)];
    const kinds = Uint8Array.from({ length: width * height }, () => random.next() % 4);
    const terrain = new q.TerrainMap(kinds, width, { rule, classes: [] });
    const weights = [1, 1, 3, 5];
    for (const agent of [{ walkable: [1, 2, 3] }, { size: 2, walkable: [1, 2, 3] }]) {
      const size = agent.size ?? 1;
      const walkable = Uint8Array.from(kinds, (kind) => Number(agent.walkable.includes(kind)));
      const grid = new Grid(walkable, width, rule).cleared(size);
      const weight = (x, y) => {
        const under = Array.from({ length: size * size }, (_, at) => kinds[(y + Math.floor(at / size)) * width + x + (at % size)]);
        return Math.max(...under.map((kind) => weights[kind]));
      };
      const [from, to] = [cell(random, grid), cell(random, grid)];
      const at = to[1] * width + to[0];
      const found = terrain.path(agent, ...from, ...to, { weights });
      near(found?.cost ?? Infinity, grid.costs(...from, { weight })[at], "the cost for an agent without a map");
      if (found) near(grid.walk(found.cells, weight), found.cost, "a path of an agent without a map");
      near(terrain.path(agent, ...from, ...to)?.cost ?? Infinity, grid.costs(...from)[at], "without weights");
      checkWithoutMap(random, terrain, { kinds, width, rule, agent, weights });

      terrain.addClass(agent);
      const map = terrain.paths(agent);
      assert.deepEqual(map.cells(), grid.free);
      const links = Array.from({ length: 9 }, () => [...cell(random, grid), ...cell(random, grid), 1 + (random.next() % 4)]);
      const usable = links.filter(([x, y]) => grid.isFree(x, y));
      const paths = new q.WeightedPaths(map, weights);
      const linked = paths.linkedPath(...from, ...to, links.flat());
      near(linked?.cost ?? Infinity, grid.costs(...from, { links: usable, weight })[at], "the cost with links");
      if (linked) {
        const legs = Array.from(linked.starts.slice(1), (end, leg) => linked.cells.subarray(linked.starts[leg], end));
        const walked = legs.reduce((sum, leg) => sum + grid.walk(leg, weight), 0);
        near(linked.links.reduce((sum, link) => sum + links[link][4], walked), linked.cost, "a path with links");
        taken += linked.links.length;
      }
      const walled = kinds.slice();
      walled.fill(0, from[1] * width, (from[1] + 1) * width);
      const after = new Grid(Uint8Array.from(walled, (kind) => Number(agent.walkable.includes(kind))), width, rule).cleared(size);
      const isOpen = (grid) => grid.costs(...from)[at] < Infinity;
      const closes = isOpen(grid) && !isOpen(after);
      assert.equal(terrain.wouldClose(agent, 0, from[1], width, 1, 0, from, ...to), closes ? 0 : null);
      assert.deepEqual(terrain.cells(), kinds);
      map.free();
      paths.free();
    }
    terrain.free();
  }
  assert.ok(taken > 20, `${taken}`);
});

// What is made once for agents without a map follows edits, which are undone in the end.
function checkWithoutMap(random, terrain, { kinds, width, rule, agent, weights }) {
  const [now, size] = [kinds.slice(), agent.size ?? 1];
  const whole = new Grid(new Uint8Array(kinds.length).fill(1), width, rule);
  const goal = cell(random, whole);
  const paths = new q.WeightedPaths(terrain, weights, { agent });
  const field = new q.FlowField(terrain, goal, { agent, weights });
  for (let edit = 0; edit < 4; edit++) {
    const walkable = Uint8Array.from(now, (kind) => Number(agent.walkable.includes(kind)));
    const grid = new Grid(walkable, width, rule).cleared(size);
    const weight = (x, y) => {
      const under = Array.from({ length: size * size }, (_, at) => now[(y + Math.floor(at / size)) * width + x + (at % size)]);
      return Math.max(...under.map((kind) => weights[kind]));
    };
    const from = cell(random, grid);
    const expected = grid.costs(...from, { weight })[goal[1] * width + goal[0]];
    near(paths.path(...from, ...goal)?.cost ?? Infinity, expected, "the cost without a map, made once");
    field.repair(terrain);
    near(field.length(...from), expected, "a field without a map");
    const [x, y] = cell(random, whole);
    now[y * width + x] = random.next() % 4;
    terrain.set(x, y, now[y * width + x]);
  }
  terrain.edit(0, 0, width, kinds);
  paths.free();
  field.free();
}

test("many edits and paths take no more memory than some", () => {
  const random = new Random(23);
  const [width, height] = [60, 50];
  const grid = new Grid(noise(random, width, height), width);
  const map = new q.PathMap(grid.free, width);
  let after;
  for (let turn = 0; turn < 20_000; turn++) {
    map.set(...cell(random, grid), turn % 2 === 0);
    map.path(...cell(random, grid), ...cell(random, grid));
    if (turn === 4000) after = map.bytes;
  }
  assert.ok(map.bytes < 1.5 * after, `${map.bytes} bytes after ${after}`);
  map.free();
});
