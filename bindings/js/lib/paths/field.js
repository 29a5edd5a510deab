// Flow fields.

import { Field } from "made/paths/module";
import { given, known, numbers } from "../numbers.js";
import { optional } from "./arguments.js";
import { Held, once, tried } from "./held.js";
import { Cells, Growing } from "./cells.js";
import { askedOf } from "./terrain.js";

/** In place of a map if the field exists already. */
const MADE = Symbol();

export class FlowField extends Held {
  constructor(map, goals, options) {
    super(map === MADE ? goals : once(begun(map, goals, options), (growing) => finished(growing, Held.core(map, Cells))));
  }

  static begin(map, goals, options) {
    return new Growing(begun(map, goals, options), (field) => new FlowField(MADE, field));
  }

  get version() {
    return core(this).version();
  }

  repair(map) {
    return core(this).repair(Held.core(map, Cells));
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

/** All slices of a field. */
function finished(growing, map) {
  let field;
  while (!field) field = growing.go_on(map, 2 ** 32 - 1);
  return field;
}

/** Begins what is asked of a field. */
function begun(map, goals, options) {
  const { rect, agent, starts, links, weights } = known(options, "rect, agent, starts, links, weights");
  const [ends, part] = [numbers(goals, "goals"), optional(rect, "rect")];
  const extras = [optional(starts, "starts"), optional(links, "links"), optional(weights, "weights")];
  const ask = (seen, isTerrain) => {
    if (isTerrain && links) throw new TypeError("a field on terrain has starts and weights, but no links");
    return tried(() => Field.begin(seen, ends, part, ...extras, isTerrain), seen);
  };
  return askedOf(map, agent, ask);
}
