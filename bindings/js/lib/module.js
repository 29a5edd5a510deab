// The WebAssembly module, once it has been started.

import { Core, initSync } from "made/boxes/module";

let exports;

/** Starts a compiled module. */
export function begin(module) {
  exports = initSync({ module });
}

/** The memory that answers are looked at in. It is another buffer after it has grown. */
export const memory = () => exports.memory.buffer;

export { Core };
