// Boxes that all move: the caller writes them into an array, and update takes over all of them.

import { Boxes, Numbers } from "engine";
import { Desk } from "./desk.js";
import { given } from "./numbers.js";

/** More do not fit into WebAssembly's four gigabytes. */
const MOST = 1 << 26;

export class Frame extends Boxes {
  #desk;
  #length;
  #boxes;

  constructor(n) {
    check(n);
    const desk = new Desk();
    super(desk);
    this.#desk = desk;
    this.#length = n;
    this.#boxes = new Numbers(4 * n);
  }

  get length() {
    return this.#length;
  }

  get boxes() {
    return this.#boxes;
  }

  resize(n) {
    check(n);
    // Throws if it has been freed.
    this.#desk.core.size();
    const old = this.#boxes;
    this.#boxes = new Numbers(4 * n);
    // An array whose buffer has been transferred away is empty.
    if (old.length > 0) this.#boxes.set(old.subarray(0, 4 * n));
    this.#length = n;
    return this.#boxes;
  }

  update(count = this.#length, layers = undefined, mask = undefined) {
    given("count", count);
    if (!(Number.isInteger(count) && count >= 0 && count <= this.#length)) {
      throw new RangeError(`a frame with room for ${this.#length} boxes cannot have ${count}`);
    }
    if (this.#boxes.length !== 4 * this.#length) {
      throw new TypeError("the buffer of the frame's boxes has been transferred away: call resize for another");
    }
    this.#desk.update(count === this.#length ? this.#boxes : this.#boxes.subarray(0, 4 * count), layers, mask);
  }
}

function check(n) {
  given("n", n);
  if (!(Number.isInteger(n) && n >= 0 && n <= MOST)) {
    throw new RangeError(`a frame has room for 0 to ${MOST} boxes, not ${n}`);
  }
}
