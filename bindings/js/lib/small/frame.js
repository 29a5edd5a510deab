// quadrille/frame: what is near what, in a small module that needs no waiting. Documented in frame.d.ts.

import { classes } from "../classes.js";
import { start } from "./core.js";

let loaded;

/** Starts the module while the page goes on, for browsers that do not compile it at once. */
export const load = () => (loaded ??= start().then(() => classes));

export const { Frame, Index } = classes;
