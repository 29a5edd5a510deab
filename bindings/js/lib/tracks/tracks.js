// Encounters of tracks. Documented in tracks.d.ts.

import { initSync } from "made/tracks/module";
import text from "made/tracks/packed";
import { loader } from "../packed.js";
import { classes } from "./classes.js";

/** Starts the module, once, and returns the classes. */
export const load = loader(text, (module) => initSync({ module }), classes);
