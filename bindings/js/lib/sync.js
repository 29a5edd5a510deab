// The same classes, started while this file is loaded.

import text from "boxes/packed";
import { classes } from "./classes.js";
import { begin } from "./module.js";
import { started } from "./started.js";

/** As in `quadrille.js`. */
export const load = started(text, begin, classes);

export const { Frame, Index } = classes;
