/**
 * All that `quadrille` has, with coordinates in `float32`: half the memory, and faster. Boxes and queries are rounded, as
 * in a typed array.
 */
import type * as types from "./quadrille.js";

export type { BoxesLike, Disposes, Layers, NumbersLike, Ranked, Structure } from "./quadrille.js";
export type Boxes = types.Boxes<Float32Array>;
export type Frame = types.Frame<Float32Array>;
export type Index = types.Index<Float32Array>;
export type FrameConstructor = types.FrameConstructor<Float32Array>;
export type IndexConstructor = types.IndexConstructor<Float32Array>;
export type Quadrille = types.Quadrille<Float32Array>;

/** Starts the module, once; later calls return the same. Nothing is fetched. */
export function load(): Promise<Quadrille>;
