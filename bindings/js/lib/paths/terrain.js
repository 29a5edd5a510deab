// Maps of terrain, for agents of several sizes and abilities.

import { Map as Core, Weighted } from "made/paths/module";
import { given, known, numbers } from "../numbers.js";
import { bytes, classOf, optional, whole } from "./arguments.js";
import { Cells } from "./cells.js";
import { Held, once, tried } from "./held.js";
import { PathMap, legsOf } from "./map.js";

export class TerrainMap extends Cells {
  static CELLS = "kinds";

  constructor(kinds, width, options) {
    const { rule = "octile", classes } = known(options, "rule, classes");
    const cells = bytes(kinds, "kinds");
    given("width", width);
    if (!Array.isArray(classes)) throw new TypeError("classes are an array of { size, walkable }");
    const agents = BigUint64Array.from(Array.from(classes, (agent) => [...classOf(agent)]).flat());
    super(tried(() => new Core(cells, width, String(rule), agents)));
  }

  static checked(kind) {
    return whole(kind, "a kind", 255);
  }

  addClass(agent) {
    core(this).add_class(classOf(agent));
  }

  wouldClose(agent, x, y, width, height, kind, from, toX, toY) {
    const named = classOf(agent);
    given("x, y, toX, toY", x, y, toX, toY);
    const rect = [x, y, whole(width, "width"), whole(height, "height")];
    const [checked, starts] = [TerrainMap.checked(kind), numbers(from, "from")];
    return asked(this, named, (seen) => seen.would_close(rect, checked, starts, toX, toY)) ?? null;
  }

  path(agent, x0, y0, x1, y1, options) {
    const [named, { weights }] = [classOf(agent), known(options, "weights")];
    given("x0, y0, x1, y1", x0, y0, x1, y1);
    const by = optional(weights, "weights");
    const found = asked(this, named, (seen) => seen.cheapest_path(x0, y0, x1, y1, by));
    return found ? { cells: Int32Array.from(found.subarray(0, -1)), cost: found.at(-1) } : null;
  }

  paths(agent) {
    return PathMap.of(core(this).of_class(classOf(agent)));
  }
}

const core = (terrain) => Held.core(terrain, TerrainMap);

/** Calls `ask` with the map that agents see of terrain, whether or not they have a class. */
function asked(terrain, named, ask) {
  return once(core(terrain).of_agents(named), ask);
}

/** Calls `ask` with the map of a class or, on terrain, with the given agents, and whether these were given. */
export function askedOf(map, agent, ask) {
  if (!(map instanceof TerrainMap)) return ask(Held.core(map, PathMap), false);
  return asked(map, classOf(agent), (seen) => ask(seen, true));
}

/** Cheapest paths of a class of agents or, on terrain, of any. */
export class WeightedPaths extends Held {
  constructor(map, weights, options) {
    const { agent } = known(options, "agent");
    const by = numbers(weights, "weights");
    super(askedOf(map, agent, (seen) => tried(() => new Weighted(seen, by), seen)));
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
