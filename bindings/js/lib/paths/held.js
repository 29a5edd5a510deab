// Objects of the module behind the classes of this package.

import { shown } from "../numbers.js";
import { DISPOSE } from "../dispose.js";

/** Holds an object of the module until it is freed. */
export class Held {
  #core;

  constructor(core) {
    this.#core = core;
  }

  /** The object of the module behind one of a class. */
  static core(held, Class) {
    if (!(held instanceof Class)) throw new TypeError(`a ${Class.name} is needed, not ${shown(held)}`);
    if (held.#core === null) throw new Error("it has been freed");
    return held.#core;
  }

  free() {
    this.#core?.free();
    this.#core = null;
  }
}

Object.defineProperty(Held.prototype, DISPOSE, { value: Held.prototype.free, writable: true, configurable: true });

/** Makes what may need much memory. If WebAssembly gets none, it stops at once. */
export function tried(make) {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof WebAssembly.RuntimeError)) throw error;
    throw new RangeError("there is no memory for this: make another object, because this one has become unusable", { cause: error });
  }
}
