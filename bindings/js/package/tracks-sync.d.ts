/** The same, started while the package is loaded: for `require`, and for bundles in one script. */
import type * as types from "./tracks.js";

export * from "./tracks.js";
export declare const encounters: types.Encounters;
export declare const TrackStream: types.TrackStreamConstructor;
export type TrackStream = types.TrackStream;
