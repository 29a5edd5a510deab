// All classes for paths.

import { PathQueue, PathWatch } from "./agents.js";
import { FlowField } from "./field.js";
import { PathMap } from "./map.js";
import { TerrainMap, WeightedPaths } from "./terrain.js";

export const classes = Object.freeze({ PathMap, FlowField, PathQueue, PathWatch, TerrainMap, WeightedPaths });
