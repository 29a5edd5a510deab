// A desk in the module: boxes in one structure, with the last answers. Numbers in, views out, refusals thrown.

import { Core, memory } from "./module.js";
import { layersGiven } from "./numbers.js";

/** What boxes may be made of. */
const PRECISIONS = { float32: Float32Array, float64: Float64Array };

/** The columns of answers, by number as in `src/desk.rs`; boxes are made of the desk's own numbers. */
const COLUMNS = {
  ids: [0, Uint32Array],
  starts: [1, Uint32Array],
  ranks: [2, Float64Array],
  pairs: [3, Uint32Array],
  began: [4, Uint32Array],
  ended: [5, Uint32Array],
  boxes: [6],
  layers: [7, Uint32Array],
};

/** A column of answers in the module's memory, looked at in place. */
class Column {
  #core;
  #number;
  #Type;
  #all;

  constructor(core, number, Type) {
    this.#core = core;
    this.#number = number;
    this.#Type = Type;
    this.forget();
  }

  /** The first `count` numbers. A column moves only when it grows, and views are empty once the memory has grown. */
  take(count) {
    if (count > this.#all.length || this.#all.length === 0) {
      this.#all = new this.#Type(memory(), this.#core.column(this.#number), this.#core.capacity(this.#number));
    }
    return this.#all.subarray(0, count);
  }

  forget() {
    this.#all = new this.#Type(0);
  }
}

export class Desk {
  constructor(precision) {
    if (!Object.hasOwn(PRECISIONS, precision)) {
      throw new RangeError(`precision is "float32" or "float64", not ${String(precision)}`);
    }
    this.Numbers = PRECISIONS[precision];
    this.core = new Core(precision === "float64");
    const column = ([name, [column, Type = this.Numbers]]) => [name, new Column(this.core, column, Type)];
    this.columns = Object.fromEntries(Object.entries(COLUMNS).map(column));
  }

  /** How many answers there are; throws if the core has refused. */
  done(count) {
    if (count >= 0) return count;
    // A column that ran out of memory is elsewhere now.
    for (const column of Object.values(this.columns)) column.forget();
    throw new RangeError(this.core.refusal());
  }

  /**
   * Asks for what may need much memory. Where WebAssembly gets none it stops at once, and the core is of no use any
   * more.
   */
  tried(ask) {
    try {
      return ask(this.core);
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError)) throw error;
      this.core = unusable("it ran out of memory: make another");
      throw new RangeError("there is no memory for this many answers; what asked for them cannot be used any more", {
        cause: error,
      });
    }
  }

  /** Writes boxes, four numbers each, where the core reads them, and gives how many they are. */
  write(boxes) {
    if (!Array.isArray(boxes) && !(ArrayBuffer.isView(boxes) && "length" in boxes)) {
      throw new TypeError("boxes are an array of numbers, typed or not");
    }
    if (boxes.length % 4 !== 0) throw new RangeError(`a box is four numbers, but there are ${boxes.length}`);
    const place = this.core.room_for(boxes.length / 4);
    if (place === 0) this.done(-1);
    new this.Numbers(memory(), place, boxes.length).set(boxes);
    return boxes.length / 4;
  }

  /** All boxes are these now, with these layers if any are given: which have been read before anything changes. */
  update(boxes, layers, mask) {
    const given = layersGiven(layers, mask, boxes?.length / 4);
    this.write(boxes);
    this.done(this.tried((core) => core.update()));
    if (given) this.done(this.tried((core) => core.set_all_layers(...given)));
  }

  free() {
    this.core.free?.();
    this.core = unusable("it has been freed");
  }
}

/** In place of a core that is no more: every call throws. */
const unusable = (why) =>
  new Proxy(
    {},
    {
      get(_, name) {
        if (name === "free") return undefined;
        throw new Error(why);
      },
      // Asked for where it is handed to another core.
      getPrototypeOf() {
        throw new Error(why);
      },
    },
  );
