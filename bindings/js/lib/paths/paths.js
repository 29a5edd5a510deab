// Shortest paths on maps of cells that change. Documented in paths.d.ts.

import { initSync } from "made/paths/module";
import text from "made/paths/packed";
import { loader } from "../packed.js";
import { classes } from "./classes.js";

/** Starts the module, once, and returns the classes. */
export const load = loader(text, (module) => initSync({ module }), classes);
