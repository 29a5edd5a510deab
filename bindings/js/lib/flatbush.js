// flatbush's class over an index of quadrille: https://github.com/mourner/flatbush, whose methods and file format
// (version 3) these are.

import { Boxes } from "./boxes.js";
import { Desk } from "./desk.js";
import { DISPOSE, finite, list } from "./shims.js";

/** What coordinates may be kept as, in the order of flatbush's file format. */
const TYPES = [
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
];
const MAGIC = 0xfb;
const VERSION = 3;
/** Bytes before the boxes: magic, version and type, node size (2), number of items (4). */
const HEADER = 8;
/** More nodes than this have numbers of four bytes, fewer of two. */
const FEW_NODES = 16384;

export class Flatbush {
  #boxes;
  #added = 0;
  #desk = null;
  #asked = null;
  #file = null;
  #Buffer;

  static from(data, byteOffset = 0) {
    if (byteOffset % 8 !== 0) throw new Error("byteOffset must be 8-byte aligned.");
    if (!data || data.byteLength === undefined || "buffer" in data) {
      throw new Error("Data must be an instance of ArrayBuffer or SharedArrayBuffer.");
    }
    const { nodeSize, Type, boxes, order } = read(data, byteOffset);
    const index = made(order.length, nodeSize, Type, data.constructor);
    // Boxes stand in the order of the tree in the file.
    for (let place = 0; place < order.length; place++) {
      index.#boxes.set(boxes.subarray(4 * place, 4 * place + 4), 4 * order[place]);
    }
    index.#count(order.length);
    index.finish();
    index.#file = { data, byteOffset };
    index.byteOffset = byteOffset;
    return index;
  }

  constructor(numItems, nodeSize = 16, ArrayType = Float64Array, ArrayBufferType = ArrayBuffer) {
    if (numItems === undefined) throw new Error("Missing required argument: numItems.");
    if (isNaN(numItems) || numItems <= 0) throw new Error(`Unexpected numItems value: ${numItems}.`);
    if (!TYPES.includes(ArrayType)) throw new Error(`Unexpected typed array class: ${ArrayType}.`);
    this.numItems = +numItems;
    this.nodeSize = Math.min(Math.max(+nodeSize, 2), 65535);
    this.byteOffset = 0;
    this.ArrayType = ArrayType;
    this.minX = this.minY = Infinity;
    this.maxX = this.maxY = -Infinity;
    this.#boxes = new ArrayType(4 * this.numItems);
    this.#Buffer = ArrayBufferType;
  }

  add(minX, minY, maxX = minX, maxY = minY) {
    const place = 4 * this.#added;
    this.#boxes[place] = minX;
    this.#boxes[place + 1] = minY;
    this.#boxes[place + 2] = maxX;
    this.#boxes[place + 3] = maxY;
    if (minX < this.minX) this.minX = minX;
    if (minY < this.minY) this.minY = minY;
    if (maxX > this.maxX) this.maxX = maxX;
    if (maxY > this.maxY) this.maxY = maxY;
    return this.#added++;
  }

  finish() {
    if (this.#added !== this.numItems) {
      throw new Error(`Added ${this.#added} items when expected ${this.numItems}.`);
    }
    const desk = new Desk("float64");
    try {
      desk.write(finite(this.#boxes));
      desk.ask((core) => core.update());
    } catch (error) {
      desk.free();
      throw error;
    }
    this.#desk = desk;
    this.#asked = new Boxes(desk);
  }

  search(minX, minY, maxX, maxY, filterFn) {
    const found = this.#found(minX, minY, maxX, maxY);
    return filterFn === undefined ? list(found) : list(found).filter(this.#test(filterFn));
  }

  collides(minX, minY, maxX, maxY, filterFn) {
    if (filterFn === undefined) return this.#found(minX, minY, maxX, maxY, 1).length > 0;
    return list(this.#found(minX, minY, maxX, maxY)).some(this.#test(filterFn));
  }

  neighbors(x, y, maxResults = Infinity, maxDistance = Infinity, filterFn) {
    const asked = this.#ready();
    if (!(maxResults >= 1) || !(maxDistance >= 0)) return [];
    // As flatbush does, whatever stands for a number is taken for it.
    const near = (k) => list(asked.nearest(+x, +y, Math.floor(k), +maxDistance).ids);
    if (filterFn === undefined) return near(maxResults);
    // Twice as many again until enough of them pass. Those that were near before come first again.
    const passed = [];
    for (let tested = 0, k = Math.floor(Math.min(maxResults, this.numItems)); ; k *= 2) {
      const all = near(k);
      for (; tested < all.length; tested++) {
        if (filterFn(all[tested]) && passed.push(all[tested]) >= maxResults) return passed;
      }
      if (all.length < k) return passed;
    }
  }

  /** A file of flatbush's, which flatbush itself can read. */
  get data() {
    return this.#written().data;
  }

  get _boxes() {
    return this.#views().boxes;
  }

  get _indices() {
    return this.#views().indices;
  }

  free() {
    this.#desk?.free();
  }

  #found(minX, minY, maxX, maxY, limit) {
    return this.#ready().search(+minX, +minY, +maxX, +maxY, limit);
  }

  #ready() {
    if (this.#asked === null) throw new Error("Data not yet indexed - call index.finish().");
    return this.#asked;
  }

  /** flatbush's test of an item, which is shown its box, as a test of an id. */
  #test(filterFn) {
    return (id) => filterFn(id, ...this.#boxes.subarray(4 * id, 4 * id + 4));
  }

  /** Counts boxes that have been put in place without `add`, and takes their bounds. */
  #count(items) {
    this.#added = items;
    for (let place = 0; place < 4 * items; place += 4) {
      this.minX = Math.min(this.minX, this.#boxes[place]);
      this.minY = Math.min(this.minY, this.#boxes[place + 1]);
      this.maxX = Math.max(this.maxX, this.#boxes[place + 2]);
      this.maxY = Math.max(this.maxY, this.#boxes[place + 3]);
    }
  }

  #written() {
    this.#file ??= { data: write(this.#boxes, this.#order(), this.nodeSize, this.#Buffer), byteOffset: 0 };
    return this.#file;
  }

  #views() {
    const { data, byteOffset } = this.#written();
    return views(data, byteOffset, this.ArrayType, levels(this.numItems, this.nodeSize));
  }

  /** All items such that neighbors are near each other; as they came where one node holds them all. */
  #order() {
    const asked = this.#ready();
    const isOneNode = this.numItems <= this.nodeSize;
    return isOneNode
      ? Uint32Array.from(this.#boxes.subarray(0, this.numItems), (_, id) => id)
      : asked.search(-Infinity, -Infinity, Infinity, Infinity);
  }
}

/** Outside of the class: a bundler gives a class that names itself another name, which the engine's messages show. */
const made = (...options) => new Flatbush(...options);

/** How many nodes there are up to the end of each level, items first. */
function levels(items, nodeSize) {
  const ends = [items];
  let nodes = items;
  do {
    nodes = Math.ceil(nodes / nodeSize);
    ends.push(ends.at(-1) + nodes);
  } while (nodes !== 1);
  return ends;
}

/** Boxes and numbers of all nodes in a file. */
function views(data, byteOffset, Type, ends) {
  const nodes = ends.at(-1);
  const Numbers = nodes < FEW_NODES ? Uint16Array : Uint32Array;
  const boxes = new Type(data, byteOffset + HEADER, 4 * nodes);
  return { boxes, indices: new Numbers(data, byteOffset + HEADER + boxes.byteLength, nodes) };
}

function read(data, byteOffset) {
  const header = new DataView(data, byteOffset, HEADER);
  if (header.getUint8(0) !== MAGIC) throw new Error("Data does not appear to be in a Flatbush format.");
  const version = header.getUint8(1) >> 4;
  if (version !== VERSION) throw new Error(`Got v${version} data when expected v${VERSION}.`);
  const Type = TYPES[header.getUint8(1) & 15];
  if (!Type) throw new Error("Unrecognized array type.");
  const nodeSize = header.getUint16(2, true);
  const items = header.getUint32(4, true);
  if (nodeSize < 2 || items === 0) throw new Error(`Data has ${items} items in nodes of ${nodeSize}.`);
  const { boxes, indices } = views(data, byteOffset, Type, levels(items, nodeSize));
  const order = indices.subarray(0, items);
  if (new Set(order).size !== items || order.some((id) => id >= items)) {
    throw new Error("Data does not have each item once.");
  }
  return { nodeSize, Type, boxes, order };
}

/** A file: items in this order, and above them a node for each `nodeSize` that follow each other. */
function write(items, order, nodeSize, Buffer) {
  const Type = items.constructor;
  const ends = levels(order.length, nodeSize);
  const nodes = ends.at(-1);
  const data = new Buffer(HEADER + nodes * (4 * Type.BYTES_PER_ELEMENT + (nodes < FEW_NODES ? 2 : 4)));
  const header = new DataView(data);
  header.setUint8(0, MAGIC);
  header.setUint8(1, (VERSION << 4) + TYPES.indexOf(Type));
  header.setUint16(2, nodeSize, true);
  header.setUint32(4, order.length, true);
  const { boxes, indices } = views(data, 0, Type, ends);
  indices.set(order);
  order.forEach((id, place) => boxes.set(items.subarray(4 * id, 4 * id + 4), 4 * place));
  for (let level = 1, child = 0, node = ends[0]; level < ends.length; level++) {
    for (; child < ends[level - 1]; node++) {
      const end = Math.min(child + nodeSize, ends[level - 1]);
      indices[node] = 4 * child;
      boxes.set(hull(boxes.subarray(4 * child, 4 * end)), 4 * node);
      child = end;
    }
  }
  return data;
}

function hull(boxes) {
  const all = [Infinity, Infinity, -Infinity, -Infinity];
  for (let place = 0; place < boxes.length; place += 4) {
    all[0] = Math.min(all[0], boxes[place]);
    all[1] = Math.min(all[1], boxes[place + 1]);
    all[2] = Math.max(all[2], boxes[place + 2]);
    all[3] = Math.max(all[3], boxes[place + 3]);
  }
  return all;
}

Object.defineProperty(Flatbush.prototype, DISPOSE, {
  value: Flatbush.prototype.free,
  writable: true,
  configurable: true,
});
