// Shortest paths on maps of cells that change. Documented in paths.d.ts.

import { initSync } from "made/paths/module";
import text from "made/paths/packed";
import { compiled } from "../packed.js";
import { classes } from "./classes.js";

let loaded;

/** Starts the module, once, and gives the classes. */
export function load() {
  loaded ??= compiled(text).then((module) => {
    initSync({ module });
    return classes;
  });
  return loaded;
}
