/** The same classes, started while the package is loaded: for `require`, and for bundles in one script. */
import type { FrameConstructor, IndexConstructor } from "./float32.js";
import type * as types from "./float32.js";

export * from "./float32.js";
export declare const Frame: FrameConstructor;
export type Frame = types.Frame;
export declare const Index: IndexConstructor;
export type Index = types.Index;
