// The same classes, started while this file is loaded.

import { initSync } from "made/paths/module";
import text from "made/paths/packed";
import { started } from "../started.js";
import { classes } from "./classes.js";

/** As in `paths.js`. */
export const load = started(text, (module) => initSync({ module }), classes);

export const { PathMap, FlowField, PathQueue, PathWatch, TerrainMap, WeightedPaths } = classes;
