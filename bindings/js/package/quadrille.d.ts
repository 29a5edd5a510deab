/**
 * A broad phase for 2D: what is near what among many moving boxes. Every answer equals that of brute force.
 *
 * **Boxes** are four numbers: x0, y0, x1, y1, with x0 <= x1 and y0 <= y1. Edges belong to them: touching is
 * overlapping. Stored boxes are finite; anything else is refused with a `RangeError` that names the row and the value,
 * and what is no number with a `TypeError` that names the place; nothing has changed then. Queries are rounded to the precision of the boxes, as a typed array would do it.
 *
 * **Views.** Arrays of answers are views of the module's memory, not copies. They are good until anything of this
 * package is called again: take `answer.slice()` to keep one. That call itself may be given them. Boxes of a
 * {@link Frame} are yours, and stay.
 */

/** Starts the module, once; later calls give the same. Nothing is fetched. */
export function load(): Promise<Quadrille>;

/**
 * The classes. They are there once the module is, so `load` gives them, and this package exports only their types:
 * `new q.Frame(n)` makes a `Frame`.
 */
export interface Quadrille {
  readonly Frame: FrameConstructor;
  readonly Index: IndexConstructor;
}

type DisposeKey = SymbolConstructor extends { readonly dispose: infer Key extends symbol } ? Key : never;

/** What `using` needs, where the compiler's `lib` knows it: `using frame = new q.Frame(n)` calls `free`. */
export type Disposes = { [Key in DisposeKey]: () => void };

/**
 * How boxes are arranged. There is one structure: others are slower here, and each would make the module larger by a
 * fifth.
 */
export type Structure = "frame-tree";

/** What coordinates are kept as. */
export type Precision = "float32" | "float64";

/** Four numbers per box. Rounded to the precision of the boxes. */
export type BoxesLike =
  Float32Array | Float64Array | Int32Array | Int16Array | Uint32Array | Uint16Array | readonly number[];

/**
 * Layers of boxes: 32 bits, a number for all of them, or one each. A box is on some layers, and its mask says which it
 * collides with: two boxes form a pair if each is on a layer of the other's mask. Boxes without are on all and meet
 * all. Queries see all boxes, or those on at least one of some layers, whatever these want to meet.
 */
export type Layers = number | ArrayLike<number>;

/** Ids with the distance of each. */
export interface Ranked {
  readonly ids: Uint32Array;
  readonly distances: Float64Array;
}

/** The queries that frames and indices answer. */
export interface Boxes<Numbers extends Float32Array | Float64Array> extends Disposes {
  /**
   * Ids of the boxes that overlap a box, or a point if two numbers are given: in no particular order. At most `limit`
   * of them, a whole number or Infinity. Only boxes on one of `layers`, here and below, if they are given.
   */
  search(x0: number, y0: number, x1?: number, y1?: number, limit?: number, layers?: number): Uint32Array;
  /** Is there anything that overlaps a box, or a point? As `search` with a `limit` of 1. */
  collides(x0: number, y0: number, x1?: number, y1?: number, layers?: number): boolean;
  /** {@link search} for many boxes in one call: the answers to box `i` are `ids.subarray(starts[i], starts[i + 1])`. */
  searchMany(boxes: BoxesLike, layers?: number): { readonly starts: Uint32Array; readonly ids: Uint32Array };
  /**
   * The `k` boxes that are nearest to a point, the nearest first, none farther than `maxDistance`. Of equal distances,
   * the lower id.
   */
  nearest(x: number, y: number, k?: number, maxDistance?: number, layers?: number): Ranked;
  /** The boxes no farther than `distance` from a point, in no order of their own. */
  within(x: number, y: number, distance: number, layers?: number): Ranked;
  /**
   * The first box that a point hits as it moves from (x, y) by (dx, dy) per unit of time, until `maxTime`; `null` if
   * there is none. The normal is the side that is hit, outwards; zeros if the point starts inside.
   */
  cast(
    x: number,
    y: number,
    dx: number,
    dy: number,
    maxTime?: number,
    layers?: number,
  ): { readonly id: number; readonly time: number; readonly normal: readonly [number, number] } | null;
  /** Gives boxes other layers: those that they are on, and those that they want to meet; all if none are given. */
  setLayers(ids: ArrayLike<number>, layers?: Layers, mask?: Layers): void;
  /** The layers that a box is on, and those that it collides with. */
  layers(id: number): { readonly layers: number; readonly mask: number };
  /** All overlapping pairs whose {@link Layers} meet, each once: a0, b0, a1, b1, …, with a < b. */
  pairs(): Uint32Array;
  /**
   * All pairs of a box of these and an overlapping box of the others whose {@link Layers} meet, flat as {@link pairs}, the
   * ids of these first. Both have the same precision.
   */
  pairsWith(others: Boxes<Numbers>): Uint32Array;
  /**
   * Pairs that started and stopped overlapping since the last call; at the first, all current pairs start. Sorted, flat
   * as {@link pairs}.
   */
  events(): { readonly began: Uint32Array; readonly ended: Uint32Array };
  /** The bounds of all nodes or cells of the structure, for drawing: four numbers each. */
  nodes(): Numbers;
  /** Gives the memory back; every other call throws from then on. */
  free(): void;
}

/** Boxes that all move: written into an array, taken over whole by {@link update}. Their ids are their rows. */
export interface Frame<P extends Precision = "float32"> extends Boxes<
  P extends "float64" ? Float64Array : Float32Array
> {
  /** How many boxes there is room for. */
  readonly length: number;
  /**
   * Four numbers per box, to be written. A JavaScript array: it stays valid whatever the module's memory does, until
   * {@link resize}.
   */
  readonly boxes: P extends "float64" ? Float64Array : Float32Array;
  /**
   * Room for another number of boxes. Gives the new {@link boxes}, with what was in the old ones; the old array is
   * yours then.
   */
  resize(n: number): P extends "float64" ? Float64Array : Float32Array;
  /**
   * Takes over the first `count` boxes, all there is room for if none is given: from now on there are these and no
   * others. If no layers are given, boxes keep theirs.
   */
  update(count?: number, layers?: Layers, mask?: Layers): void;
}

export interface FrameConstructor {
  /**
   * Room for `n` boxes, of which there are none until the first {@link Frame.update}.
   * @param options `precision` is "float32" by default
   */
  new <P extends Precision = "float32">(n: number, options?: { precision?: P }): Frame<P>;
  readonly prototype: Frame<Precision>;
}

/** Boxes that come, move and go, one by one or many at a time. Freed ids are given out again, the last freed first. */
export interface Index<P extends Precision = "float64"> extends Boxes<
  P extends "float64" ? Float64Array : Float32Array
> {
  /** How many boxes there are. */
  readonly length: number;
  /** Adds a box, or a point if two numbers are given, and returns its id. */
  insert(x0: number, y0: number, x1?: number, y1?: number, layers?: number, mask?: number): number;
  /** Changes the place and size of a box. */
  move(id: number, x0: number, y0: number, x1?: number, y1?: number): void;
  /** Removes a box. */
  remove(id: number): void;
  /** Adds boxes and gives their ids. */
  insertMany(boxes: BoxesLike, layers?: Layers, mask?: Layers): Uint32Array;
  /** Gives boxes other places and sizes, one for each id. */
  moveMany(ids: ArrayLike<number>, boxes: BoxesLike): void;
  /** Removes boxes, whose ids must all be different. */
  removeMany(ids: ArrayLike<number>): void;
  /**
   * A whole frame: from now on there are exactly these boxes, and their ids are their rows. If no layers are given,
   * boxes that stay keep theirs.
   */
  update(boxes: BoxesLike, layers?: Layers, mask?: Layers): void;
  /** Is there a box with this id? */
  has(id: number): boolean;
  /** The four numbers of a box. */
  get(id: number): P extends "float64" ? Float64Array : Float32Array;
  /** All ids in use, ascending. */
  ids(): Uint32Array;
  /**
   * Does the work that single changes put off. Answers are right without it, and it is done by itself after many
   * changes.
   */
  maintain(): void;
}

export interface IndexConstructor {
  /** @param options `precision` is "float64", JavaScript's own numbers, by default */
  new <P extends Precision = "float64">(structure?: Structure, options?: { precision?: P }): Index<P>;
  readonly prototype: Index<Precision>;
}
