/** The same classes, started while the package is loaded: for `require`, and for bundles in one script. */
import type * as types from "./quadrille.js";

export * from "./quadrille.js";
export declare const Frame: types.FrameConstructor;
export type Frame = types.Frame;
export declare const Index: types.IndexConstructor;
export type Index = types.Index;
