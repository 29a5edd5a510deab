// The queries, which frames and indices share.

import { given, layer, layersOf, numbers } from "./numbers.js";
import { DISPOSE } from "./dispose.js";

/** No limit: as many answers as there are. */
const ALL = 0xffffffff;

export class Boxes {
  #desk;

  constructor(desk) {
    this.#desk = desk;
  }

  search(x0, y0, x1 = x0, y1 = y0, limit = Infinity, layers = undefined) {
    given("x0, y0, x1, y1, limit", x0, y0, x1, y1, limit);
    if (!(limit >= 1 && (Number.isInteger(limit) || limit === Infinity))) {
      throw new RangeError(`a limit is a whole number from 1 on, or Infinity, not ${limit}`);
    }
    this.#desk.ask((core) => core.search(x0, y0, x1, y1, Math.min(limit, ALL), seen(layers)));
    return this.#desk.take("ids");
  }

  collides(x0, y0, x1 = x0, y1 = y0, layers = undefined) {
    return this.search(x0, y0, x1, y1, 1, layers).length > 0;
  }

  searchMany(boxes, layers = undefined) {
    const some = seen(layers);
    this.#desk.write(boxes);
    this.#desk.ask((core) => core.search_many(some));
    return { starts: this.#desk.take("starts"), ids: this.#desk.take("ids") };
  }

  within(x, y, distance, layers = undefined) {
    given("x, y, distance", x, y, distance);
    return this.#ranked((core) => core.within(x, y, distance, seen(layers)));
  }

  nearest(x, y, k = 1, maxDistance = Infinity, layers = undefined) {
    given("x, y, k, maxDistance", x, y, k, maxDistance);
    if (!Number.isInteger(k) && k >= 1 && k !== Infinity) throw new RangeError(`k is a whole number, not ${k}`);
    return this.#ranked((core) => core.nearest(x, y, k, maxDistance, seen(layers)));
  }

  cast(x, y, dx, dy, maxTime = Infinity, layers = undefined) {
    given("x, y, dx, dy, maxTime", x, y, dx, dy, maxTime);
    if (this.#desk.ask((core) => core.cast(x, y, dx, dy, maxTime, seen(layers))) === 0) return null;
    const [time, ...normal] = this.#desk.take("ranks");
    return { id: this.#desk.take("ids")[0], time, normal };
  }

  setLayers(ids, layers, mask) {
    const all = numbers(ids, "ids");
    const [own, meets] = [layersOf(layers, all.length, "layers"), layersOf(mask, all.length, "mask")];
    this.#desk.ask((core) => core.set_layers(all, own, meets));
  }

  layers(id) {
    given("id", id);
    this.#desk.ask((core) => core.layers(id));
    const [layers, mask] = this.#desk.take("layers");
    return { layers, mask };
  }

  pairs() {
    this.#desk.ask((core) => core.pairs());
    return this.#desk.take("pairs");
  }

  pairsWith(others) {
    if (!(others instanceof Boxes)) throw new TypeError("pairsWith needs another Frame or Index");
    if (others === this) throw new TypeError("pairsWith needs another set; pairs() finds those within one");
    this.#desk.ask((core) => core.pairs_with(others.#desk.core));
    return this.#desk.take("pairs");
  }

  events() {
    this.#desk.ask((core) => core.events());
    return { began: this.#desk.take("began"), ended: this.#desk.take("ended") };
  }

  nodes() {
    this.#desk.ask((core) => core.nodes());
    return this.#desk.take("boxes");
  }

  free() {
    this.#desk.free();
  }

  #ranked(call) {
    this.#desk.ask(call);
    return { ids: this.#desk.take("ids"), distances: this.#desk.take("ranks") };
  }
}

/** The layers that a query finds, as the module takes them: undefined for all boxes. */
const seen = (layers) => (layers === undefined ? undefined : layer(layers));

Object.defineProperty(Boxes.prototype, DISPOSE, { value: Boxes.prototype.free, writable: true, configurable: true });
