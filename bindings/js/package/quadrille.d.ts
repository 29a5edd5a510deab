/**
 * A broad phase for 2D: what is near what among many moving boxes. Every answer equals that of brute force.
 *
 * **Boxes** are four numbers: x0, y0, x1, y1, with x0 <= x1 and y0 <= y1. They include their edges, so touching is
 * overlapping. Stored boxes are finite; anything else is a `RangeError` that names the row and the value, and what is
 * not a number is a `TypeError` that names its place; nothing has changed then.
 *
 * **Precision.** Coordinates are `float64`, JavaScript's own numbers. `quadrille/float32` is the same in `float32`, which
 * takes half the memory and is faster; it rounds boxes and queries, as a typed array does.
 *
 * **Views.** Arrays of answers are views of the module's memory, not copies. They are valid until the next call of
 * anything in this package, which may take them as arguments; `answer.slice()` makes a copy. The boxes of a
 * {@link Frame} are yours, and stay valid.
 */

/** Starts the module, once; later calls return the same. Nothing is fetched. */
export function load(): Promise<Quadrille>;

/**
 * The classes. They exist once the module is loaded, so `load` returns them, and this package exports only their types:
 * `new q.Frame(n)` makes a `Frame`.
 */
export interface Quadrille<Numbers extends Float32Array | Float64Array = Float64Array> {
  readonly Frame: FrameConstructor<Numbers>;
  readonly Index: IndexConstructor<Numbers>;
}

type DisposeKey = SymbolConstructor extends { readonly dispose: infer Key extends symbol } ? Key : never;

/** What `using` needs, if the compiler's `lib` has it: `using frame = new q.Frame(n)` calls `free`. */
export type Disposes = { [Key in DisposeKey]: () => void };

/**
 * How boxes are arranged. There is one structure: others are slower here, and each would make the module a fifth
 * larger.
 */
export type Structure = "frame-tree";

/** Numbers, typed or not. */
export type NumbersLike = readonly number[] | (ArrayLike<number> & ArrayBufferView);

/** Four numbers per box. */
export type BoxesLike = NumbersLike;

/**
 * Layers of boxes: 32 bits, a number for all of them, or one each. A box is on some layers, and its mask says which it
 * collides with: two boxes form a pair if each is on a layer of the other's mask. Boxes without layers are on all and
 * collide with all. Queries find all boxes, or those on at least one of some layers, whatever their masks.
 */
export type Layers = number | NumbersLike;

/** Ids with the distance of each. */
export interface Ranked {
  readonly ids: Uint32Array;
  readonly distances: Float64Array;
}

/** The queries of frames and indices. */
export interface Boxes<Numbers extends Float32Array | Float64Array> extends Disposes {
  /**
   * Ids of the boxes that overlap a box, or a point if two numbers are given, in no particular order: at most `limit`
   * of them, a whole number or Infinity. If `layers` are given, here and below, only boxes on one of them.
   */
  search(x0: number, y0: number, x1?: number, y1?: number, limit?: number, layers?: number): Uint32Array;
  /** Is there anything that overlaps a box, or a point? As `search` with a `limit` of 1. */
  collides(x0: number, y0: number, x1?: number, y1?: number, layers?: number): boolean;
  /** {@link search} for many boxes in one call: the answers to box `i` are `ids.subarray(starts[i], starts[i + 1])`. */
  searchMany(boxes: BoxesLike, layers?: number): { readonly starts: Uint32Array; readonly ids: Uint32Array };
  /**
   * The `k` boxes that are nearest to a point, the nearest first, none farther than `maxDistance`. At equal distances,
   * the lower id comes first.
   */
  nearest(x: number, y: number, k?: number, maxDistance?: number, layers?: number): Ranked;
  /** The boxes no farther than `distance` from a point, in no particular order. */
  within(x: number, y: number, distance: number, layers?: number): Ranked;
  /**
   * The first box that a point hits as it moves from (x, y) by (dx, dy) per unit of time, until `maxTime`; `null` if
   * there is none. The normal points outward from the side that is hit; zeros if the point starts inside.
   */
  cast(
    x: number,
    y: number,
    dx: number,
    dy: number,
    maxTime?: number,
    layers?: number,
  ): { readonly id: number; readonly time: number; readonly normal: readonly [number, number] } | null;
  /** Sets the layers of boxes: those that they are on, and those that they collide with; all if none are given. */
  setLayers(ids: NumbersLike, layers?: Layers, mask?: Layers): void;
  /** The layers that a box is on, and those that it collides with. */
  layers(id: number): { readonly layers: number; readonly mask: number };
  /** All overlapping pairs whose {@link Layers} meet, each once: a0, b0, a1, b1, …, with a < b. */
  pairs(): Uint32Array;
  /**
   * All pairs of a box of these and an overlapping box of the others whose {@link Layers} meet, flat as in
   * {@link pairs}, with the ids of these first. Both sets are of the same module.
   */
  pairsWith(others: Boxes<Numbers>): Uint32Array;
  /**
   * The contacts that have begun and those that have ended since the last call; at the first call, all current contacts
   * begin. Both are sorted, and flat as {@link pairs}.
   */
  events(): { readonly began: Uint32Array; readonly ended: Uint32Array };
  /** The bounds of all nodes or cells of the structure, for drawing: four numbers each. */
  nodes(): Numbers;
  /** Releases the memory; every other call throws from then on. */
  free(): void;
}

/**
 * Boxes that all move: you write them into an array, and {@link update} takes over all of them. Their ids are their
 * rows.
 */
export interface Frame<Numbers extends Float32Array | Float64Array = Float64Array> extends Boxes<Numbers> {
  /** How many boxes there is room for. */
  readonly length: number;
  /**
   * Four numbers per box, to be written. A JavaScript array: it stays valid whatever the module's memory does, until
   * {@link resize}.
   */
  readonly boxes: Numbers;
  /**
   * Makes room for another number of boxes. Returns the new {@link boxes}, with what was in the old ones; the old array
   * is yours then.
   */
  resize(n: number): Numbers;
  /**
   * Takes over the first `count` boxes, by default all that there is room for: from now on there are exactly these. If
   * no layers are given, boxes keep theirs.
   */
  update(count?: number, layers?: Layers, mask?: Layers): void;
}

export interface FrameConstructor<Numbers extends Float32Array | Float64Array = Float64Array> {
  /** Makes room for `n` boxes; there are none until the first {@link Frame.update}. */
  new (n: number): Frame<Numbers>;
  readonly prototype: Frame<Numbers>;
}

/** Boxes that come, move and go, one by one or many at a time. Freed ids are reused, the last freed first. */
export interface Index<Numbers extends Float32Array | Float64Array = Float64Array> extends Boxes<Numbers> {
  /** How many boxes there are. */
  readonly length: number;
  /** Adds a box, or a point if two numbers are given, and returns its id. */
  insert(x0: number, y0: number, x1?: number, y1?: number, layers?: number, mask?: number): number;
  /** Changes the place and size of a box. */
  move(id: number, x0: number, y0: number, x1?: number, y1?: number): void;
  /** Removes a box. */
  remove(id: number): void;
  /** Adds boxes and returns their ids. */
  insertMany(boxes: BoxesLike, layers?: Layers, mask?: Layers): Uint32Array;
  /** Changes the places and sizes of boxes, one for each id. */
  moveMany(ids: NumbersLike, boxes: BoxesLike): void;
  /** Removes boxes, whose ids must all be different. */
  removeMany(ids: NumbersLike): void;
  /**
   * A whole frame: from now on there are exactly these boxes, and their ids are their rows. If no layers are given,
   * boxes that stay keep theirs.
   */
  update(boxes: BoxesLike, layers?: Layers, mask?: Layers): void;
  /** Is there a box with this id? */
  has(id: number): boolean;
  /** The four numbers of a box. */
  get(id: number): Numbers;
  /** All ids in use, ascending. */
  ids(): Uint32Array;
  /**
   * Does the work that single changes postpone. Answers are right without it, and it is done automatically after many
   * changes.
   */
  maintain(): void;
}

export interface IndexConstructor<Numbers extends Float32Array | Float64Array = Float64Array> {
  new (structure?: Structure): Index<Numbers>;
  readonly prototype: Index<Numbers>;
}
