// quadrille: what is near what, for many things that move in 2D. Documented in quadrille.d.ts.

import { Flatbush } from "./flatbush.js";
import { Frame } from "./frame.js";
import { Index } from "./single.js";
import { begin } from "./module.js";
import { packed } from "./packed.js";
import { RBush } from "./rbush.js";

let loaded;

/** Starts the module, once, and gives the classes. */
export function load() {
  loaded ??= compiled().then((module) => {
    begin(module);
    return Object.freeze({ Frame, Index, Flatbush, RBush });
  });
  return loaded;
}

async function compiled() {
  const stream = new Blob([packed()]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
}
