// The queries, which frames and indices share.

import { checkedId, given, idsOf, layer, layersOf } from "./numbers.js";
import { DISPOSE } from "./dispose.js";

/** No limit: as many answers as there are. */
const ALL = 0xffffffff;

/** The desk of a frame or an index. */
export let deskOf;

export class Boxes {
  #desk;

  static {
    deskOf = (boxes) => boxes.#desk;
  }

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

  nearest(x, y, k = 1, maxDistance = Infinity, layers = undefined) {
    given("x, y, k, maxDistance", x, y, k, maxDistance);
    if (!Number.isInteger(k) && k >= 1 && k !== Infinity) throw new RangeError(`k is a whole number, not ${k}`);
    return ranked(this.#desk, (core) => core.nearest(x, y, k, maxDistance, seen(layers)));
  }

  setLayers(ids, layers, mask) {
    const all = idsOf(ids);
    const [own, meets] = [layersOf(layers, all.length, "layers"), layersOf(mask, all.length, "mask")];
    this.#desk.ask((core) => core.set_layers(all, own, meets));
  }

  layers(id) {
    this.#desk.ask((core) => core.layers(checkedId(id)));
    const [layers, mask] = this.#desk.take("layers");
    return { layers, mask };
  }

  pairs() {
    this.#desk.ask((core) => core.pairs());
    return this.#desk.take("pairs");
  }

  events() {
    this.#desk.ask((core) => core.events());
    return { began: this.#desk.take("began"), ended: this.#desk.take("ended") };
  }

  free() {
    this.#desk.free();
  }
}

/** What a call finds, with the distance of each. */
export function ranked(desk, call) {
  desk.ask(call);
  return { ids: desk.take("ids"), distances: desk.take("ranks") };
}

/** The layers that a query finds, as the module takes them: undefined for all boxes. */
export const seen = (layers) => (layers === undefined ? undefined : layer(layers));

Object.defineProperty(Boxes.prototype, DISPOSE, { value: Boxes.prototype.free, writable: true, configurable: true });
