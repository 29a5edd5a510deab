// Encounters of tracks. Documented in tracks.d.ts.

import { initSync } from "made/tracks/module";
import text from "made/tracks/packed";
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
