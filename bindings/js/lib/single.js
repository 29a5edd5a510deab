// Boxes that come, move and go one by one or many at a time.

import { Boxes } from "engine";
import { Desk } from "./desk.js";
import { ALL_LAYERS, checkedId, given, idsOf, layer, shown } from "./numbers.js";

/** The others are slower at everything here, and each would make the module larger by a fifth. */
const STRUCTURE = "frame-tree";

export class Index extends Boxes {
  #desk;

  constructor(structure = STRUCTURE) {
    if (structure !== STRUCTURE) {
      throw new RangeError(`this package has only the structure "${STRUCTURE}", not ${shown(structure)}`);
    }
    const desk = new Desk();
    super(desk);
    this.#desk = desk;
  }

  get length() {
    return this.#desk.core.size();
  }

  insert(x0, y0, x1 = x0, y1 = y0, layers = ALL_LAYERS, mask = ALL_LAYERS) {
    given("x0, y0, x1, y1", x0, y0, x1, y1);
    const all = (layer(layers, "layers") & layer(mask, "mask")) >>> 0;
    const id = this.#desk.ask((core) => core.insert_one(x0, y0, x1, y1));
    if (all !== ALL_LAYERS) {
      this.#desk.ask((core) => core.set_layers(Float64Array.of(id), Uint32Array.of(layers), Uint32Array.of(mask)));
    }
    return id;
  }

  move(id, x0, y0, x1 = x0, y1 = y0) {
    given("id, x0, y0, x1, y1", id, x0, y0, x1, y1);
    this.#desk.ask((core) => core.set_one(checkedId(id), x0, y0, x1, y1));
  }

  remove(id) {
    this.#desk.ask((core) => core.remove_one(checkedId(id)));
  }

  insertMany(boxes, layers = undefined, mask = undefined) {
    const both = this.#desk.write(boxes, layers, mask);
    this.#desk.ask((core) => core.insert());
    if (both) this.#desk.ask((core) => core.set_layers(new Float64Array(this.#desk.take("ids")), ...both));
    return this.#desk.take("ids");
  }

  moveMany(ids, boxes) {
    const all = idsOf(ids);
    this.#desk.write(boxes);
    this.#desk.ask((core) => core.set(all));
  }

  removeMany(ids) {
    this.#desk.ask((core) => core.remove(idsOf(ids)));
  }

  /** Replaces all boxes by these, whose ids are their positions in the array. */
  update(boxes, layers = undefined, mask = undefined) {
    this.#desk.update(boxes, layers, mask);
  }

  has(id) {
    given("id", id);
    return this.#desk.core.get(Number.isSafeInteger(id) ? id : -1) >= 0;
  }

  get(id) {
    this.#desk.ask((core) => core.get(checkedId(id)));
    return this.#desk.take("boxes");
  }

  ids() {
    this.#desk.ask((core) => core.ids());
    return this.#desk.take("ids");
  }

  maintain() {
    this.#desk.ask((core) => core.maintain());
  }
}
