// Maps of terrain, for agents of several sizes and abilities.

import { Terrain as Core, Weighted } from "made/paths/module";
import { given, numbers } from "../numbers.js";
import { bytes, classOf, whole } from "./arguments.js";
import { Held, tried } from "./held.js";
import { PathMap } from "./map.js";

export class TerrainMap extends Held {
  constructor(kinds, width, { rule = "octile", classes } = {}) {
    const cells = bytes(kinds, "kinds");
    given(width);
    if (!Array.isArray(classes)) throw new TypeError("classes are an array of { size, walkable }");
    const agents = classes.map(classOf);
    const sizes = Uint32Array.from(agents, (agent) => agent.size);
    const walkable = BigUint64Array.from(agents, (agent) => agent.walkable);
    super(tried(() => new Core(cells, width, String(rule), sizes, walkable)));
  }

  get width() {
    return core(this).width();
  }

  get height() {
    return core(this).height();
  }

  get version() {
    return core(this).version();
  }

  set(x, y, kind) {
    given(x, y);
    return core(this).set([x, y], whole(kind, "a kind", 255)) > 0;
  }

  setMany(cells, kind) {
    return core(this).set(numbers(cells, "cells"), whole(kind, "a kind", 255));
  }

  fill(x, y, width, height, kind) {
    given(x, y);
    return core(this).fill(x, y, whole(width, "width"), whole(height, "height"), whole(kind, "a kind", 255));
  }

  edit(x, y, width, kinds) {
    given(x, y, width);
    return core(this).edit(x, y, width, bytes(kinds, "kinds"));
  }

  cells() {
    return core(this).cells();
  }

  paths(agent) {
    const { size, walkable } = classOf(agent);
    return PathMap.of(core(this).paths(size, walkable));
  }
}

const core = (terrain) => Held.core(terrain, TerrainMap);

/** Cheapest paths of a class of agents. */
export class WeightedPaths extends Held {
  constructor(map, weights) {
    const [on, by] = [Held.core(map, PathMap), numbers(weights, "weights")];
    super(tried(() => new Weighted(on, by)));
  }

  path(x0, y0, x1, y1) {
    given(x0, y0, x1, y1);
    const core = Held.core(this, WeightedPaths);
    const cells = core.path(x0, y0, x1, y1);
    return cells ? { cells, cost: core.cost() } : null;
  }
}
