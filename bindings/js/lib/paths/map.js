// Maps of free and blocked cells.

import { Map as Core } from "made/paths/module";
import { given, numbers } from "../numbers.js";
import { bytes, flag, optional, whole } from "./arguments.js";
import { Held, tried } from "./held.js";

/** In place of cells: the map is there already. */
const MADE = Symbol();

export class PathMap extends Held {
  constructor(free, width, { rule = "octile" } = {}) {
    if (free === MADE) {
      super(width);
      return;
    }
    const cells = bytes(free, "cells");
    given(width);
    super(tried(() => new Core(cells, width, String(rule))));
  }

  /** The map of a class of agents. */
  static of(core) {
    return new this(MADE, core);
  }

  get width() {
    return core(this).width();
  }

  get height() {
    return core(this).height();
  }

  get rule() {
    return core(this).rule();
  }

  get version() {
    return core(this).version();
  }

  get bytes() {
    return core(this).bytes();
  }

  set(x, y, free) {
    given(x, y);
    return core(this).set([x, y], flag(free)) > 0;
  }

  setMany(cells, free) {
    return core(this).set(numbers(cells, "cells"), flag(free));
  }

  fill(x, y, width, height, free) {
    given(x, y);
    return core(this).fill(x, y, whole(width, "width"), whole(height, "height"), flag(free));
  }

  edit(x, y, width, free) {
    given(x, y, width);
    return core(this).edit(x, y, width, bytes(free, "cells"));
  }

  cells() {
    return core(this).cells();
  }

  maintain() {
    core(this).maintain();
  }

  addLandmarks(count) {
    return tried(() => core(this).add_landmarks(whole(count, "count")));
  }

  path(x0, y0, x1, y1, { partial = false, within = Infinity } = {}) {
    given(x0, y0, x1, y1, within);
    if (!partial) return core(this).path(x0, y0, x1, y1, within) ?? null;
    if (within !== Infinity) throw new RangeError(`a path is partial or within ${within}, but not both`);
    return core(this).partial_path(x0, y0, x1, y1) ?? null;
  }

  pathMany(ends, { partial = false } = {}) {
    const cells = core(this).path_many(numbers(ends, "ends"), Boolean(partial));
    return { starts: core(this).starts(), cells };
  }

  waypoints(x0, y0, x1, y1) {
    given(x0, y0, x1, y1);
    return core(this).waypoints(x0, y0, x1, y1) ?? null;
  }

  distance(x0, y0, x1, y1) {
    given(x0, y0, x1, y1);
    return core(this).distance(x0, y0, x1, y1);
  }

  isReachable(x0, y0, x1, y1) {
    given(x0, y0, x1, y1);
    return core(this).is_reachable(x0, y0, x1, y1);
  }

  nearest(x, y, goals) {
    given(x, y);
    const found = core(this).nearest(x, y, numbers(goals, "goals"));
    return found ? { goal: found[0], path: found.slice(1) } : null;
  }

  linkedPath(x0, y0, x1, y1, links) {
    given(x0, y0, x1, y1);
    const cells = core(this).linked_path(x0, y0, x1, y1, numbers(links, "links"));
    if (!cells) return null;
    // Starts of stretches, the end of the last, and then the links between them.
    const all = core(this).starts();
    const legs = all.length / 2;
    return { cells, starts: all.slice(0, legs + 1), links: all.slice(legs + 1) };
  }

  tautPath(x0, y0, x1, y1) {
    given(x0, y0, x1, y1);
    const numbers = core(this).taut_path(x0, y0, x1, y1);
    return numbers ? { points: numbers.slice(0, -1), length: numbers.at(-1) } : null;
  }

  smooth(path) {
    return core(this).smooth(numbers(path, "cells of a path"));
  }

  reach(x, y, budget, { rect, weights } = {}) {
    given(x, y, budget);
    const [part, kinds] = [optional(rect, "numbers of a rectangle"), optional(weights, "weights")];
    return new Reach(tried(() => core(this).reach(x, y, budget, part, kinds)));
  }
}

const core = (map) => Held.core(map, PathMap);

class Reach extends Held {
  cells() {
    return Held.core(this, Reach).cells();
  }

  costs() {
    return Held.core(this, Reach).costs();
  }

  cost(x, y) {
    given(x, y);
    return Held.core(this, Reach).cost(x, y);
  }

  path(x, y) {
    given(x, y);
    return Held.core(this, Reach).path(x, y) ?? null;
  }
}
