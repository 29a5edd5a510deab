// For agents, frame by frame: requests answered within a budget, and watched paths.

import { Queue, Watch } from "made/paths/module";
import { given, known, numbers } from "../numbers.js";
import { optional, wholes } from "./arguments.js";
import { Held, tried } from "./held.js";
import { PathMap } from "./map.js";

export class PathQueue extends Held {
  constructor() {
    super(new Queue());
  }

  get length() {
    return queue(this).waiting();
  }

  push(x0, y0, x1, y1, priority = 0) {
    given("x0, y0, x1, y1, priority", x0, y0, x1, y1, priority);
    return queue(this).push(x0, y0, x1, y1, priority);
  }

  cancel(ticket) {
    given("ticket", ticket);
    return queue(this).cancel(ticket);
  }

  run(map, budget) {
    given("budget", budget);
    return answers(queue(this), queue(this).run(Held.core(map, PathMap), budget));
  }

  runFor(map, milliseconds) {
    given("milliseconds", milliseconds);
    return answers(queue(this), queue(this).run_for(Held.core(map, PathMap), milliseconds));
  }
}

const queue = (held) => Held.core(held, PathQueue);

/** The answers of the last run. A path has at least one cell. */
function answers(core, cells) {
  const [tickets, starts] = [core.answered(), core.starts()];
  return Array.from(tickets, (ticket, at) => {
    const [start, end] = [starts[at], starts[at + 1]];
    return { ticket, path: start === end ? null : cells.slice(start, end) };
  });
}

export class PathWatch extends Held {
  constructor(map, path, options) {
    const { links } = known(options, "links");
    const { cells = path, starts = [], links: taken = [] } = path ?? {};
    const core = Held.core(map, PathMap);
    const parts = [numbers(cells, "cells of a path"), wholes(starts, "starts"), wholes(taken, "links of a path"), optional(links, "links")];
    super(tried(() => new Watch(core, ...parts), core));
  }

  check(map) {
    const broken = Held.core(this, PathWatch).check(Held.core(map, PathMap));
    return broken ? [broken[0], broken[1]] : null;
  }

  shorter(map, x, y) {
    given("x, y", x, y);
    return Held.core(this, PathWatch).shorter(Held.core(map, PathMap), x, y) ?? null;
  }
}
