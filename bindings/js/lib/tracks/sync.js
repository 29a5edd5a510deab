// The same classes, started while this file is loaded.

import { initSync } from "made/tracks/module";
import text from "made/tracks/packed";
import { started } from "../started.js";
import { classes } from "./classes.js";

/** As in `tracks.js`. */
export const load = started(text, (module) => initSync({ module }), classes);

export const { encounters, TrackStream } = classes;
