/** The same classes, started while the package is loaded: for `require`, and for bundles in one script. */
import type * as types from "./paths.js";

export * from "./paths.js";
export declare const PathMap: types.PathMapConstructor;
export type PathMap = types.PathMap;
export declare const FlowField: types.FlowFieldConstructor;
export type FlowField = types.FlowField;
export declare const PathQueue: types.PathQueueConstructor;
export type PathQueue = types.PathQueue;
export declare const PathWatch: types.PathWatchConstructor;
export type PathWatch = types.PathWatch;
export declare const TerrainMap: types.TerrainMapConstructor;
export type TerrainMap = types.TerrainMap;
export declare const WeightedPaths: types.WeightedPathsConstructor;
export type WeightedPaths = types.WeightedPaths;
