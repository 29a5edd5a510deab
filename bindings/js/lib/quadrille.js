// quadrille: what is near what, for many things that move in 2D. Documented in quadrille.d.ts.

import { Flatbush } from "./flatbush.js";
import { Frame } from "./frame.js";
import { Index } from "./single.js";
import { start } from "./module.js";
import { RBush } from "./rbush.js";

let loaded;

/** Starts the module, once, and gives the classes. */
export function load() {
  loaded ??= start().then(() => Object.freeze({ Frame, Index, Flatbush, RBush }));
  return loaded;
}
