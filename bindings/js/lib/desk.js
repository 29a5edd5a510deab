// A desk in the module: boxes in one structure, with the last answers. Numbers in, views out, refusals thrown.

// Which module that is, one of the large ones or the small one, `pack.mjs` says.
import { Core, memory, Numbers } from "engine";
import { freeLost } from "./dispose.js";
import { checkNumbers, layersGiven, translated } from "./numbers.js";

/** The columns of answers, by number as in `src/desk.rs`; boxes are made of the module's own numbers. */
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

export class Desk {
  core = new Core();

  /** A column of answers in the module's memory, read in place: all of it, where it is now. */
  take(name) {
    const [number, Type = Numbers] = COLUMNS[name];
    return new Type(memory(), this.core.column(number), this.core.filled(number));
  }

  /**
   * Calls the core, and throws if it has refused. If WebAssembly gets no more memory, it stops at once, and the core
   * has become unusable, as has that of another desk that takes part: their memory is given back.
   */
  ask(call, other = this) {
    let answer;
    try {
      answer = call(this.core);
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError)) throw error;
      for (const core of new Set([this.core, other.core])) freeLost(core);
      this.core = other.core = unusable("it ran out of memory: make another");
      throw new RangeError("there is no memory for this many answers: make another object, because this one has become unusable", {
        cause: error,
      });
    }
    if (answer < 0) throw this.#refusal();
    return answer;
  }

  #refusal() {
    return new RangeError(translated(this.core.refusal()));
  }

  /** Writes boxes, four numbers each, where the core reads them, and returns their layers if any are given. */
  write(boxes, layers, mask) {
    checkNumbers(boxes, "boxes");
    if (boxes.length % 4 !== 0) throw new RangeError(`a box is four numbers, but there are ${boxes.length}`);
    const both = layersGiven(layers, mask, boxes.length / 4);
    // A view of the module's memory would be empty once that has grown.
    const own = boxes.buffer === memory() ? boxes.slice() : boxes;
    const place = this.ask((core) => core.room_for(own.length / 4));
    if (place === 0) throw this.#refusal();
    new Numbers(memory(), place, own.length).set(own);
    return both;
  }

  /** Replaces all boxes by these, with these layers if any are given. */
  update(boxes, layers, mask) {
    const both = this.write(boxes, layers, mask);
    this.ask((core) => core.update());
    if (both) this.ask((core) => core.set_all_layers(...both));
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
      // Called when it is passed to another core.
      getPrototypeOf() {
        throw new Error(why);
      },
    },
  );
