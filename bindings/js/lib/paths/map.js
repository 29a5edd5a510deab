// Maps of free and blocked cells.

import { Map as Core } from "made/paths/module";
import { given, known, numbers } from "../numbers.js";
import { bytes, flag, optional, whole } from "./arguments.js";
import { Cells, Growing } from "./cells.js";
import { Held, tried } from "./held.js";

/** In place of cells if the map exists already. */
const MADE = Symbol();

export class PathMap extends Cells {
  static CELLS = "cells";

  constructor(free, width, options) {
    if (free === MADE) {
      super(width);
      return;
    }
    const cells = bytes(free, "cells");
    const { rule = "octile" } = known(options, "rule");
    given("width", width);
    super(tried(() => new Core(cells, width, String(rule))));
  }

  /** The map of a class of agents. */
  static of(core) {
    return new this(MADE, core);
  }

  static checked(free) {
    return flag(free);
  }

  get rule() {
    return core(this).rule();
  }

  get bytes() {
    return core(this).bytes();
  }

  maintain() {
    core(this).maintain();
  }

  addLandmarks(count) {
    return core(this).add_landmarks(whole(count, "count"));
  }

  path(x0, y0, x1, y1, options) {
    const { partial = false, within = Infinity, corners = Infinity } = known(options, "partial, within, corners");
    given("x0, y0, x1, y1, within, corners", x0, y0, x1, y1, within, corners);
    if (!partial) return core(this).path(x0, y0, x1, y1, within, corners) ?? (core(this).is_known() ? null : undefined);
    if (within !== Infinity) throw new RangeError(`a path is partial or within ${within}, but not both`);
    if (corners !== Infinity) throw new RangeError(`a path is partial or takes ${corners} corners, but not both`);
    return core(this).partial_path(x0, y0, x1, y1) ?? null;
  }

  pathMany(ends, options) {
    const { partial = false } = known(options, "partial");
    const cells = core(this).path_many(numbers(ends, "ends"), Boolean(partial));
    return { starts: core(this).starts(), cells };
  }

  waypoints(x0, y0, x1, y1) {
    given("x0, y0, x1, y1", x0, y0, x1, y1);
    return core(this).waypoints(x0, y0, x1, y1) ?? null;
  }

  distance(x0, y0, x1, y1) {
    given("x0, y0, x1, y1", x0, y0, x1, y1);
    return core(this).distance(x0, y0, x1, y1);
  }

  isReachable(x0, y0, x1, y1) {
    given("x0, y0, x1, y1", x0, y0, x1, y1);
    return core(this).is_reachable(x0, y0, x1, y1);
  }

  nearest(x, y, goals) {
    given("x, y", x, y);
    const found = core(this).nearest(x, y, numbers(goals, "goals"));
    return found ? { goal: found[0], path: found.slice(1) } : null;
  }

  linkedPath(x0, y0, x1, y1, links) {
    given("x0, y0, x1, y1", x0, y0, x1, y1);
    const cells = core(this).linked_path(x0, y0, x1, y1, numbers(links, "links"));
    return cells ? legsOf(cells, core(this).starts()) : null;
  }

  nearestLinked(x, y, goals, links) {
    given("x, y", x, y);
    const cells = core(this).nearest_linked(x, y, numbers(goals, "goals"), numbers(links, "links"));
    if (!cells) return null;
    const starts = core(this).starts();
    return { goal: starts.at(-1), ...legsOf(cells, starts.subarray(0, -1)) };
  }

  firstWall(x0, y0, x1, y1) {
    given("x0, y0, x1, y1", x0, y0, x1, y1);
    const wall = core(this).first_wall(x0, y0, x1, y1);
    return wall ? [wall[0], wall[1]] : null;
  }

  freePlaces(x, y, count, options) {
    const { apart = 1, connectedTo } = known(options, "apart, connectedTo");
    given("x, y", x, y);
    return core(this).free_places(x, y, whole(count, "count"), whole(apart, "apart"), optional(connectedTo, "connectedTo"));
  }

  detour(path, obstacles, options) {
    const { radius = 16 } = known(options, "radius");
    return core(this).detour(numbers(path, "cells of a path"), numbers(obstacles, "obstacles"), whole(radius, "radius")) ?? null;
  }

  tautPath(x0, y0, x1, y1) {
    given("x0, y0, x1, y1", x0, y0, x1, y1);
    const numbers = core(this).taut_path(x0, y0, x1, y1);
    return numbers ? { points: numbers.slice(0, -1), length: numbers.at(-1) } : null;
  }

  wouldClose(x, y, width, height, from, toX, toY) {
    given("x, y, toX, toY", x, y, toX, toY);
    const rect = [x, y, whole(width, "width"), whole(height, "height")];
    return core(this).would_close(rect, undefined, numbers(from, "from"), toX, toY) ?? null;
  }

  nearestFree(x, y, options) {
    const { connectedTo } = known(options, "connectedTo");
    given("x, y", x, y);
    const cell = core(this).nearest_free(x, y, optional(connectedTo, "connectedTo"));
    return cell ? [cell[0], cell[1]] : null;
  }

  smooth(path) {
    return core(this).smooth(numbers(path, "cells of a path"));
  }

  reach(x, y, budget, options) {
    return new Reach(core(this).reach(...askedOfReach(x, y, budget, options)));
  }

  beginReach(x, y, budget, options) {
    return new Growing(core(this).begin_reach(...askedOfReach(x, y, budget, options)), (reach) => new Reach(reach));
  }
}

const core = (map) => Held.core(map, PathMap);

function askedOfReach(x, y, budget, options) {
  const { rect, weights } = known(options, "rect, weights");
  given("x, y, budget", x, y, budget);
  return [x, y, budget, optional(rect, "rect"), optional(weights, "weights")];
}

/** A path by its cells, where its legs start and the last ends, and then the links between them. */
export function legsOf(cells, all) {
  const legs = all.length / 2;
  return { cells, starts: all.slice(0, legs + 1), links: all.slice(legs + 1) };
}

class Reach extends Held {
  cells() {
    return Held.core(this, Reach).cells();
  }

  costs() {
    return Held.core(this, Reach).costs();
  }

  cost(x, y) {
    given("x, y", x, y);
    return Held.core(this, Reach).cost(x, y);
  }

  path(x, y) {
    given("x, y", x, y);
    return Held.core(this, Reach).path(x, y) ?? null;
  }
}
