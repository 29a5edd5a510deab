// Maps of a byte per cell.

import { given, numbers } from "../numbers.js";
import { bytes, whole } from "./arguments.js";
import { Held } from "./held.js";

/** What all maps share. In a class, `checked` checks a cell, and `CELLS` is what errors call cells. */
export class Cells extends Held {
  get width() {
    return core(this).width();
  }

  get height() {
    return core(this).height();
  }

  get version() {
    return core(this).version();
  }

  set(x, y, value) {
    given("x, y", x, y);
    return core(this).set([x, y], this.constructor.checked(value)) > 0;
  }

  setMany(cells, value) {
    return core(this).set(numbers(cells, "cells"), this.constructor.checked(value));
  }

  fill(x, y, width, height, value) {
    given("x, y", x, y);
    return core(this).fill(x, y, whole(width, "width"), whole(height, "height"), this.constructor.checked(value));
  }

  edit(x, y, width, values) {
    given("x, y, width", x, y, width);
    return core(this).edit(x, y, width, bytes(values, this.constructor.CELLS));
  }

  cells() {
    return core(this).cells();
  }
}

const core = (map) => Held.core(map, Cells);

/** What is made in slices on a map. */
export class Growing extends Held {
  #done;

  constructor(core, done) {
    super(core);
    this.#done = done;
  }

  goOn(map, cells) {
    const made = Held.core(this, Growing).go_on(core(map), whole(cells, "cells"));
    return made ? this.#done(made) : null;
  }
}
