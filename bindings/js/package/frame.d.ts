/**
 * The same for whole frames and single changes, in a small module that starts at once: `Frame` and `Index` are as in
 * `quadrille/float32`, but without `searchMany`, `within`, `cast`, `pairsWith` and `nodes`. Answers are the same; pairs
 * and what `search` finds come in another order.
 *
 * The module is compiled when the first of them is made. Browsers from before mid-2023 refuse that on a page, as an
 * error says then: wait for {@link load} there, or make boxes in a worker.
 */
import type * as types from "./quadrille.js";

export type { BoxesLike, Layers, NumbersLike, Ranked } from "./quadrille.js";

/** What the large module has besides. */
type Missing = "searchMany" | "within" | "cast" | "pairsWith" | "nodes";

/** Boxes that all move: written into an array, taken over whole by `update`. Their ids are their rows. */
export interface Frame extends Omit<types.Frame<Float32Array>, Missing> {}
export declare const Frame: {
  /** Room for `n` boxes, of which there are none until the first `update`. */
  new (n: number): Frame;
  readonly prototype: Frame;
};

/** Boxes that come, move and go, one by one or many at a time. Freed ids are given out again, the last freed first. */
export interface Index extends Omit<types.Index<Float32Array>, Missing> {}
export declare const Index: {
  new (structure?: types.Structure): Index;
  readonly prototype: Index;
};

/** Starts the module while the page goes on, once: needed only where it cannot be compiled at once. */
export function load(): Promise<{ readonly Frame: typeof Frame; readonly Index: typeof Index }>;
