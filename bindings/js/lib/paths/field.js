// Flow fields.

import { Field } from "made/paths/module";
import { given, numbers } from "../numbers.js";
import { classOf, optional } from "./arguments.js";
import { Held, tried } from "./held.js";
import { PathMap } from "./map.js";
import { TerrainMap } from "./terrain.js";

export class FlowField extends Held {
  constructor(map, goals, { rect, agent, starts, links, weights } = {}) {
    const [ends, part] = [numbers(goals, "goals"), optional(rect, "rect")];
    const extras = [optional(starts, "starts"), optional(links, "links"), optional(weights, "weights")];
    super(
      tried(() => {
        if (!(map instanceof TerrainMap)) return new Field(Held.core(map, PathMap), ends, part, ...extras);
        if (starts || links) throw new TypeError("a field on terrain has weights, and neither starts nor links");
        const { size, walkable } = classOf(agent);
        return Field.of_agent(Held.core(map, TerrainMap), ends, part, size, walkable, extras[2]);
      }),
    );
  }

  get version() {
    return core(this).version();
  }

  repair(map) {
    const field = core(this);
    const isTerrain = map instanceof TerrainMap;
    return tried(() => (isTerrain ? field.repair_on(Held.core(map, TerrainMap)) : field.repair(Held.core(map, PathMap))));
  }

  length(x, y) {
    given("x, y", x, y);
    return core(this).length(x, y);
  }

  lengths() {
    return core(this).lengths();
  }

  directions() {
    return core(this).directions();
  }

  next(x, y) {
    given("x, y", x, y);
    const [nextX, nextY] = core(this).next([x, y]);
    return nextX < 0 ? null : [nextX, nextY];
  }

  nextMany(cells) {
    return core(this).next(numbers(cells, "cells"));
  }

  link(x, y) {
    given("x, y", x, y);
    const link = core(this).link(x, y);
    return link < 0 ? null : link;
  }

  path(x, y) {
    given("x, y", x, y);
    return core(this).path(x, y) ?? null;
  }
}

const core = (field) => Held.core(field, FlowField);
