// Objects of the module behind the classes of this package.

import { shown, translated } from "../numbers.js";
import { DISPOSE, freeLost } from "../dispose.js";

/** Holds an object of the module until it is freed. */
export class Held {
  #core;

  constructor(core) {
    guard(core.constructor);
    this.#core = core;
  }

  /** The object of the module behind one of a class. */
  static core(held, Class) {
    if (!(held instanceof Class)) throw new TypeError(`a ${Class.name} is needed, not ${shown(held)}`);
    if (held.#core === null) throw new Error("it has been freed");
    if (held.#core.isLost) throw new Error("it ran out of memory: make another");
    return held.#core;
  }

  free() {
    if (this.#core !== null) freed(this.#core);
    this.#core = null;
  }
}

Object.defineProperty(Held.prototype, DISPOSE, { value: Held.prototype.free, writable: true, configurable: true });

/** Makes an object of the module, from others that are used for that. */
export function tried(make, ...used) {
  try {
    return make();
  } catch (error) {
    throw told(error, used);
  }
}

/** Works with an object of the module, and then frees it. */
export function once(core, work) {
  guard(core.constructor);
  try {
    return work(core);
  } finally {
    freed(core);
  }
}

/** Frees an object of the module, unless it is lost and has been freed. */
function freed(core) {
  if (!core.isLost) core.free();
}

/** Makes every call of a class of the module say so if memory runs out. */
function guard(Class) {
  if (Class.isGuarded) return;
  Class.isGuarded = true;
  for (const [name, { value: call }] of Object.entries(Object.getOwnPropertyDescriptors(Class.prototype))) {
    if (/^(constructor|free|__.*)$/.test(name)) continue;
    Class.prototype[name] = function (...args) {
      try {
        return call.apply(this, args);
      } catch (error) {
        throw told(error, [this, ...args]);
      }
    };
  }
}

/** If WebAssembly gets no more memory, it stops at once, and what it has been working with is lost, and freed. */
function told(error, used) {
  if (!(error instanceof WebAssembly.RuntimeError)) {
    error.message = translated(error.message);
    return error;
  }
  for (const core of used.filter((one) => one?.constructor.isGuarded && !one.isLost)) {
    core.isLost = true;
    freeLost(core);
  }
  return new RangeError("there is no memory for this: make another object, because this one has become unusable", { cause: error });
}
