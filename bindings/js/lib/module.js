// The WebAssembly module, once it has been started: what frames and indices are made of.

import { Core, initSync } from "boxes/module";

let exports;

/** Starts a compiled module. */
export function begin(module) {
  exports = initSync({ module });
}

/** The memory in which answers are read. After it has grown, it is another buffer. */
export const memory = () => exports.memory.buffer;

/** What boxes are made of: `pack.mjs` says. */
export const Numbers = NUMBERS;

export { AllBoxes as Boxes } from "./more.js";
export { Core };
