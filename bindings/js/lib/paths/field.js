// Flow fields.

import { Field } from "made/paths/module";
import { given, numbers } from "../numbers.js";
import { optional } from "./arguments.js";
import { Held, tried } from "./held.js";
import { PathMap } from "./map.js";

export class FlowField extends Held {
  constructor(map, goals, { rect, starts, links, weights } = {}) {
    const [on, ends] = [Held.core(map, PathMap), numbers(goals, "goals")];
    const part = optional(rect, "numbers of a rectangle");
    const extras = [optional(starts, "starts"), optional(links, "links"), optional(weights, "weights")];
    super(tried(() => new Field(on, ends, part, ...extras)));
  }

  get version() {
    return core(this).version();
  }

  repair(map) {
    return tried(() => core(this).repair(Held.core(map, PathMap)));
  }

  length(x, y) {
    given(x, y);
    return core(this).length(x, y);
  }

  lengths() {
    return core(this).lengths();
  }

  directions() {
    return core(this).directions();
  }

  next(x, y) {
    given(x, y);
    const [nextX, nextY] = core(this).next([x, y]);
    return nextX < 0 ? null : [nextX, nextY];
  }

  nextMany(cells) {
    return core(this).next(numbers(cells, "cells"));
  }

  link(x, y) {
    given(x, y);
    const link = core(this).link(x, y);
    return link < 0 ? null : link;
  }

  path(x, y) {
    given(x, y);
    return core(this).path(x, y) ?? null;
  }
}

const core = (field) => Held.core(field, FlowField);
