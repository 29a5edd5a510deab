// rbush's class over an index of quadrille: https://github.com/mourner/rbush, whose methods these are.

import { Boxes } from "./boxes.js";
import { Desk } from "./desk.js";
import { DISPOSE, finite, list } from "./shims.js";

export class RBush {
  #desk = null;
  #asked;
  /** By id; `undefined` where an id is free. */
  #items;
  /** Items that the index does not have yet, and their boxes: all are inserted in one go, before anything is asked. */
  #waiting;
  #edges;
  #nodeSize;

  constructor(maxEntries = 9) {
    this.#nodeSize = Math.max(4, maxEntries) || 9;
    this.clear();
  }

  clear() {
    this.free();
    this.#items = [];
    this.#waiting = [];
    this.#edges = [];
    return this;
  }

  load(data) {
    const before = this.#waiting.length;
    try {
      for (let row = 0; row < (data?.length ?? 0); row++) this.#wait(data[row]);
    } catch (error) {
      this.#waiting.length = before;
      this.#edges.length = 4 * before;
      throw error;
    }
    return this;
  }

  insert(item) {
    if (item) this.#wait(item);
    return this;
  }

  remove(item, equalsFn) {
    if (!item) return this;
    const { minX, minY, maxX, maxY } = this.toBBox(item);
    const isIt = equalsFn ? (id) => equalsFn(item, this.#items[id]) : (id) => this.#items[id] === item;
    const id = list(this.#ready().search(+minX, +minY, +maxX, +maxY)).find(isIt);
    if (id !== undefined) {
      this.#desk.ask((core) => core.remove_one(id));
      this.#items[id] = undefined;
    }
    return this;
  }

  search({ minX, minY, maxX, maxY }) {
    const found = this.#ready().search(+minX, +minY, +maxX, +maxY);
    const items = new Array(found.length);
    for (let place = 0; place < found.length; place++) items[place] = this.#items[found[place]];
    return items;
  }

  collides({ minX, minY, maxX, maxY }) {
    return this.#ready().search(+minX, +minY, +maxX, +maxY, 1).length > 0;
  }

  all() {
    return this.search({ minX: -Infinity, minY: -Infinity, maxX: Infinity, maxY: Infinity });
  }

  toBBox(item) {
    return item;
  }

  compareMinX(a, b) {
    return a.minX - b.minX;
  }

  compareMinY(a, b) {
    return a.minY - b.minY;
  }

  /** A tree in rbush's form, which rbush itself can read: all items, as many as fit to a node. */
  toJSON() {
    let nodes = packed(this.all(), this.#nodeSize, (children) => node(children, children.map(this.toBBox, this), 1));
    for (let height = 2; nodes.length > 1; height++) {
      nodes = packed(nodes, this.#nodeSize, (children) => node(children, children, height));
    }
    return nodes[0];
  }

  /** Takes the items of a tree of rbush's, or of this class. */
  fromJSON(data) {
    this.clear();
    const nodes = [data];
    for (let next; (next = nodes.pop());) {
      if (next.leaf) this.load(next.children);
      else nodes.push(...next.children);
    }
    return this;
  }

  get data() {
    return this.toJSON();
  }

  free() {
    this.#desk?.free();
    this.#desk = null;
  }

  /** The index, with everything in it. */
  #ready() {
    if (this.#desk === null) {
      this.#desk = new Desk("float64");
      this.#asked = new Boxes(this.#desk);
    }
    if (this.#waiting.length > 0) this.#settle();
    return this.#asked;
  }

  #wait(item) {
    const { minX, minY, maxX, maxY } = this.toBBox(item);
    if (!(minX <= maxX && minY <= maxY)) {
      throw new RangeError(
        `the box of an item is NaN or inverted: minX ${minX}, minY ${minY}, maxX ${maxX}, maxY ${maxY}`,
      );
    }
    this.#edges.push(minX, minY, maxX, maxY);
    this.#waiting.push(item);
  }

  #settle() {
    const isFirst = this.#items.length === 0;
    this.#desk.write(finite(Float64Array.from(this.#edges)));
    this.#desk.ask((core) => (isFirst ? core.update() : core.insert()));
    if (isFirst) this.#items = this.#waiting;
    else this.#desk.take("ids").forEach((id, row) => (this.#items[id] = this.#waiting[row]));
    this.#waiting = [];
    this.#edges = [];
  }
}

Object.defineProperty(RBush.prototype, DISPOSE, { value: RBush.prototype.free, writable: true, configurable: true });

/** What `make` gives for each `size` of a list; one call at least. */
function packed(all, size, make) {
  const made = [];
  for (let start = 0; start < all.length || start === 0; start += size) made.push(make(all.slice(start, start + size)));
  return made;
}

/** A node in rbush's form. */
function node(children, boxes, height) {
  const made = {
    children,
    height,
    leaf: height === 1,
    minX: Infinity,
    minY: Infinity,
    maxX: -Infinity,
    maxY: -Infinity,
  };
  for (const { minX, minY, maxX, maxY } of boxes) {
    made.minX = Math.min(made.minX, minX);
    made.minY = Math.min(made.minY, minY);
    made.maxX = Math.max(made.maxX, maxX);
    made.maxY = Math.max(made.maxY, maxY);
  }
  return made;
}
