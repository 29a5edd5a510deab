// Maps of terrain, for agents of several sizes and abilities.

import { Terrain as Core, Weighted } from "made/paths/module";
import { given, numbers } from "../numbers.js";
import { bytes, classOf, optional, whole } from "./arguments.js";
import { Cells } from "./cells.js";
import { Held, tried } from "./held.js";
import { PathMap, legsOf } from "./map.js";

export class TerrainMap extends Cells {
  static CELLS = "kinds";

  constructor(kinds, width, { rule = "octile", classes } = {}) {
    const cells = bytes(kinds, "kinds");
    given("width", width);
    if (!Array.isArray(classes)) throw new TypeError("classes are an array of { size, walkable }");
    const agents = classes.map(classOf);
    const sizes = Uint32Array.from(agents, (agent) => agent.size);
    const walkable = BigUint64Array.from(agents, (agent) => agent.walkable);
    super(tried(() => new Core(cells, width, String(rule), sizes, walkable)));
  }

  static checked(kind) {
    return whole(kind, "a kind", 255);
  }

  addClass(agent) {
    const { size, walkable } = classOf(agent);
    tried(() => core(this).add_class(size, walkable));
  }

  wouldClose(agent, x, y, width, height, kind, from, toX, toY) {
    const { size, walkable } = classOf(agent);
    given("x, y, toX, toY", x, y, toX, toY);
    const rect = [x, y, whole(width, "width"), whole(height, "height")];
    return core(this).would_close(size, walkable, rect, TerrainMap.checked(kind), numbers(from, "from"), toX, toY) ?? null;
  }

  path(agent, x0, y0, x1, y1, { weights } = {}) {
    const { size, walkable } = classOf(agent);
    given("x0, y0, x1, y1", x0, y0, x1, y1);
    const found = core(this).path(size, walkable, x0, y0, x1, y1, optional(weights, "weights"));
    return found ? { cells: Int32Array.from(found.subarray(0, -1)), cost: found.at(-1) } : null;
  }

  paths(agent) {
    const { size, walkable } = classOf(agent);
    return PathMap.of(core(this).paths(size, walkable));
  }
}

const core = (terrain) => Held.core(terrain, TerrainMap);

/** Cheapest paths of a class of agents or, on terrain, of any. */
export class WeightedPaths extends Held {
  constructor(map, weights, { agent } = {}) {
    const by = numbers(weights, "weights");
    super(tried(() => (map instanceof TerrainMap ? ofAgent(map, agent, by) : new Weighted(Held.core(map, PathMap), by))));
  }

  path(x0, y0, x1, y1) {
    given("x0, y0, x1, y1", x0, y0, x1, y1);
    const core = Held.core(this, WeightedPaths);
    const cells = core.path(x0, y0, x1, y1);
    return cells ? { cells, cost: core.cost() } : null;
  }

  linkedPath(x0, y0, x1, y1, links) {
    given("x0, y0, x1, y1", x0, y0, x1, y1);
    const core = Held.core(this, WeightedPaths);
    const cells = core.linked_path(x0, y0, x1, y1, numbers(links, "links"));
    return cells ? { ...legsOf(cells, core.starts()), cost: core.cost() } : null;
  }
}

function ofAgent(terrain, agent, weights) {
  const { size, walkable } = classOf(agent);
  return Weighted.of_agent(core(terrain), size, walkable, weights);
}
