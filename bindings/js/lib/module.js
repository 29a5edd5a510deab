// The WebAssembly module, once it has been started.

import { Core, initSync } from "made/boxes/module";

let exports;

/** Starts a compiled module. */
export function begin(module) {
  exports = initSync({ module });
}

/** The memory in which answers are read. After it has grown, it is another buffer. */
export const memory = () => exports.memory.buffer;

export { Core };
