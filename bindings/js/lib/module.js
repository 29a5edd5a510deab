// The WebAssembly module: inside this file, unpacked and started once.

import { Core, initSync } from "made/module";
import packed from "made/packed";

let exports;

/** Starts the module. */
export async function start() {
  exports = initSync({ module: await WebAssembly.compile(await unpack()) });
}

/** The memory that answers are looked at in. It is another buffer after it has grown. */
export const memory = () => exports.memory.buffer;

export { Core };

async function unpack() {
  const text = atob(packed);
  const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).arrayBuffer();
}
