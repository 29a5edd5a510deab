/** The same classes, started while the package is loaded: for `require`, and for bundles in one script. */
import type { FlatbushConstructor, FrameConstructor, IndexConstructor, RBushConstructor } from "./quadrille.js";
import type * as types from "./quadrille.js";

export * from "./quadrille.js";
export declare const Frame: FrameConstructor;
export type Frame<P extends types.Precision = "float32"> = types.Frame<P>;
export declare const Index: IndexConstructor;
export type Index<P extends types.Precision = "float64"> = types.Index<P>;
export declare const Flatbush: FlatbushConstructor;
export type Flatbush = types.Flatbush;
export declare const RBush: RBushConstructor;
export type RBush<T = types.BBox> = types.RBush<T>;
