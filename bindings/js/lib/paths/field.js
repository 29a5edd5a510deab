// Flow fields.

import { Field } from "made/paths/module";
import { given, numbers } from "../numbers.js";
import { optional } from "./arguments.js";
import { Held, tried } from "./held.js";
import { Cells } from "./cells.js";
import { askedOf } from "./terrain.js";

export class FlowField extends Held {
  constructor(map, goals, { rect, agent, starts, links, weights } = {}) {
    const [ends, part] = [numbers(goals, "goals"), optional(rect, "rect")];
    const extras = [optional(starts, "starts"), optional(links, "links"), optional(weights, "weights")];
    const make = (seen, isTerrain) => {
      if (isTerrain && links) throw new TypeError("a field on terrain has starts and weights, but no links");
      return new Field(seen, ends, part, ...extras, isTerrain);
    };
    super(tried(() => askedOf(map, agent, make)));
  }

  get version() {
    return core(this).version();
  }

  repair(map) {
    const [field, there] = [core(this), Held.core(map, Cells)];
    return tried(() => field.repair(there));
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
