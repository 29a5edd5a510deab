// Boxes that come, move and go one by one or many at a time.

import { Boxes } from "./boxes.js";
import { Desk } from "./desk.js";
import { given, layersGiven, numbers } from "./numbers.js";

/** The others are slower at everything here, and each would make the module larger by a fifth. */
const STRUCTURE = "frame-tree";

export class Index extends Boxes {
  #desk;

  constructor(structure = STRUCTURE, { precision = "float64" } = {}) {
    if (structure !== STRUCTURE) {
      throw new RangeError(`the structure that this package has is "${STRUCTURE}", not ${String(structure)}`);
    }
    const desk = new Desk(precision);
    super(desk);
    this.#desk = desk;
  }

  get length() {
    return this.#desk.core.size();
  }

  insert(x0, y0, x1 = x0, y1 = y0, layers = undefined, mask = undefined) {
    given(x0, y0, x1, y1);
    const both = layersGiven(layers, mask, 1);
    const id = this.#desk.done(this.#desk.core.insert_one(x0, y0, x1, y1));
    if (both) this.#desk.done(this.#desk.core.set_layers(Float64Array.of(id), ...both));
    return id;
  }

  move(id, x0, y0, x1 = x0, y1 = y0) {
    given(x0, y0, x1, y1);
    this.#desk.done(this.#desk.core.set_one(whole(id), x0, y0, x1, y1));
  }

  remove(id) {
    this.#desk.done(this.#desk.core.remove_one(whole(id)));
  }

  insertMany(boxes, layers = undefined, mask = undefined) {
    const both = layersGiven(layers, mask, boxes?.length / 4);
    this.#desk.write(boxes);
    const ids = this.#desk.columns.ids.take(this.#desk.done(this.#desk.tried((core) => core.insert())));
    if (!both) return ids;
    const count = ids.length;
    this.#desk.done(this.#desk.tried((core) => core.set_layers(Float64Array.from(ids), ...both)));
    // The memory may have grown since.
    return this.#desk.columns.ids.take(count);
  }

  moveMany(ids, boxes) {
    const all = numbers(ids, "ids");
    this.#desk.write(boxes);
    this.#desk.done(this.#desk.core.set(all));
  }

  removeMany(ids) {
    this.#desk.done(this.#desk.core.remove(numbers(ids, "ids")));
  }

  /** A whole frame: there are exactly these boxes then, and their ids are their places in the array. */
  update(boxes, layers = undefined, mask = undefined) {
    this.#desk.update(boxes, layers, mask);
  }

  has(id) {
    return this.#desk.core.get(whole(id)) >= 0;
  }

  get(id) {
    this.#desk.done(this.#desk.core.get(whole(id)));
    return this.#desk.columns.boxes.take(4);
  }

  ids() {
    return this.#desk.columns.ids.take(this.#desk.core.ids());
  }

  maintain() {
    this.#desk.core.maintain();
  }
}

/** An id as a number: `null` and texts would become numbers on their way. */
function whole(id) {
  if (typeof id !== "number") throw new TypeError(`an id is a number, not ${String(id)}`);
  return id;
}
