// What frames and indices share: the queries.

import { given, layer, layersOf, numbers } from "./numbers.js";
import { DISPOSE } from "./shims.js";

/** No limit: as many answers as there are. */
const ALL = 0xffffffff;

export class Boxes {
  #desk;

  constructor(desk) {
    this.#desk = desk;
  }

  search(x0, y0, x1 = x0, y1 = y0, limit = Infinity, layers = undefined) {
    given(x0, y0, x1, y1);
    if (!(limit >= 1 && (Number.isInteger(limit) || limit === Infinity))) {
      throw new RangeError(`a limit is a whole number from 1 on, or Infinity, not ${String(limit)}`);
    }
    const { core, columns } = this.#desk;
    return columns.ids.take(this.#desk.done(core.search(x0, y0, x1, y1, Math.min(limit, ALL), seen(layers))));
  }

  searchMany(boxes, layers = undefined) {
    const { columns } = this.#desk;
    const queries = this.#desk.write(boxes);
    const count = this.#desk.done(this.#desk.tried((core) => core.search_many(seen(layers))));
    return { starts: columns.starts.take(queries + 1), ids: columns.ids.take(count) };
  }

  within(x, y, distance, layers = undefined) {
    given(x, y, distance);
    return this.#ranked(this.#desk.core.within(x, y, distance, seen(layers)));
  }

  nearest(x, y, k = 1, maxDistance = Infinity, layers = undefined) {
    given(x, y, k, maxDistance);
    if (!Number.isInteger(k) && k >= 1 && k !== Infinity) throw new RangeError(`k is a whole number, not ${k}`);
    return this.#ranked(this.#desk.core.nearest(x, y, k, maxDistance, seen(layers)));
  }

  cast(x, y, dx, dy, maxTime = Infinity, layers = undefined) {
    given(x, y, dx, dy, maxTime);
    const { core, columns } = this.#desk;
    if (this.#desk.done(core.cast(x, y, dx, dy, maxTime, seen(layers))) === 0) return null;
    const [time, ...normal] = columns.ranks.take(3);
    return { id: columns.ids.take(1)[0], time, normal };
  }

  setLayers(ids, layers, mask) {
    const all = numbers(ids, "ids");
    const [own, meets] = [layersOf(layers, all.length, "layers"), layersOf(mask, all.length, "mask")];
    this.#desk.done(this.#desk.tried((core) => core.set_layers(all, own, meets)));
  }

  layers(id) {
    given(id);
    const { core, columns } = this.#desk;
    this.#desk.done(core.layers(id));
    const [layers, mask] = columns.layers.take(2);
    return { layers, mask };
  }

  pairs() {
    const { core, columns } = this.#desk;
    return columns.pairs.take(2 * this.#desk.done(core.pairs()));
  }

  pairsWith(others) {
    if (!(others instanceof Boxes)) throw new TypeError("pairsWith needs another Frame or Index");
    if (others === this) throw new TypeError("pairsWith needs another set; pairs() finds those within one");
    const { columns } = this.#desk;
    return columns.pairs.take(2 * this.#desk.done(this.#desk.tried((core) => core.pairs_with(others.#desk.core))));
  }

  events() {
    const { columns } = this.#desk;
    const began = columns.began.take(2 * this.#desk.tried((core) => core.events()));
    return { began, ended: columns.ended.take(2 * this.#desk.core.ended()) };
  }

  nodes() {
    const { core, columns } = this.#desk;
    return columns.boxes.take(4 * core.nodes());
  }

  free() {
    this.#desk.free();
  }

  #ranked(count) {
    const { columns } = this.#desk;
    this.#desk.done(count);
    return { ids: columns.ids.take(count), distances: columns.ranks.take(count) };
  }
}

/** Layers that a query sees, as the module takes them: nothing for all boxes. */
const seen = (layers) => (layers === undefined ? undefined : layer(layers));

Object.defineProperty(Boxes.prototype, DISPOSE, { value: Boxes.prototype.free, writable: true, configurable: true });
