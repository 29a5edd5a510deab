// quadrille finds what is near what among many things that move in 2D. Documented in quadrille.d.ts.

import text from "boxes/packed";
import { classes } from "./classes.js";
import { begin } from "./module.js";
import { loader } from "./packed.js";

/** Starts the module, once, and returns the classes. */
export const load = loader(text, begin, classes);
