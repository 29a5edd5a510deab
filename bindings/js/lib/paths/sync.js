// The same classes, started while this file is loaded, for code that cannot wait, such as `require` and bundles in one
// script.

import { inflateSync } from "fflate";
import { initSync } from "made/paths/module";
import text from "made/paths/packed";
import { unpacked } from "../packed.js";
import { classes } from "./classes.js";

initSync({ module: new WebAssembly.Module(inflateSync(unpacked(text))) });

const loaded = Promise.resolve(classes);

/** As in `paths.js`. */
export const load = () => loaded;

export const { PathMap, FlowField, PathQueue, PathWatch, TerrainMap, WeightedPaths } = classes;
