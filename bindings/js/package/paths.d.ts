/**
 * Exact shortest paths on maps of cells that change between searches.
 *
 * **Cells** are columns and rows from 0, the top left first. Lists of cells are flat: x0, y0, x1, y1, … Maps are
 * arrays of a byte per cell, row by row. Mistakes are a `RangeError` or `TypeError` that names the value, and nothing
 * has changed then.
 *
 * **Answers are yours**: copies that stay as they are.
 */

import type { Disposes, NumbersLike } from "./quadrille.js";

/** Starts the module, once; later calls return the same. Nothing is fetched. */
export function load(): Promise<Paths>;

/**
 * The classes. They exist once the module is loaded, so `load` returns them, and this package exports only their types.
 */
export interface Paths {
  readonly PathMap: PathMapConstructor;
  readonly FlowField: FlowFieldConstructor;
  readonly PathQueue: PathQueueConstructor;
  readonly PathWatch: PathWatchConstructor;
  readonly TerrainMap: TerrainMapConstructor;
  readonly WeightedPaths: WeightedPathsConstructor;
}

/**
 * Which steps are legal. `"octile"`: eight neighbors, and a diagonal step needs both cells beside it free;
 * `"octile-one-side"` needs one of them, `"octile-cutting"` none. `"manhattan"`: four neighbors. A straight step is 1
 * long, a diagonal one √2.
 */
export type Rule = "octile" | "octile-cutting" | "octile-one-side" | "manhattan";

/**
 * A path with links. Leg `i` is `cells.subarray(starts[i], starts[i + 1])`; link number `links[i]` leads from it to the
 * next.
 */
export interface LinkedPath {
  readonly cells: Int32Array;
  readonly starts: Uint32Array;
  readonly links: Uint32Array;
}

/** Numbers, typed or not; cells are x0, y0, x1, y1, … */
export type Numbers = NumbersLike;

/** A byte per cell, row by row. */
export type Bytes = Uint8Array | Uint8ClampedArray | readonly (number | boolean)[];

/** An object with memory in the module. After `free`, every other call throws. */
export interface Held extends Disposes {
  /** Releases the memory, which otherwise happens some time after the object becomes unreachable. */
  free(): void;
}

/** A map of free and blocked cells that finds shortest paths, and can be edited at any time. */
export interface PathMap extends Held {
  /** Columns. */
  readonly width: number;
  /** Rows. */
  readonly height: number;
  readonly rule: Rule;
  /** A number that grows with every change. */
  readonly version: number;
  /** Bytes in the module's memory. */
  readonly bytes: number;
  /** Frees or blocks a cell. Returns whether that changed anything. */
  set(x: number, y: number, free: boolean): boolean;
  /** Frees or blocks cells. Returns how many changed. Those near each other are updated together. */
  setMany(cells: Numbers, free: boolean): number;
  /** Frees or blocks a rectangle. Returns whether that changed anything. */
  fill(x: number, y: number, width: number, height: number, free: boolean): boolean;
  /** Replaces the cells of the rectangle from (x, y) on, in rows of `width`: free where not 0. */
  edit(x: number, y: number, width: number, free: Bytes): boolean;
  /** All cells, 1 where free: to draw, to store, or for the map of a worker. */
  cells(): Uint8Array;
  /** Moves what searches have found since the last edit to where it is read fastest. Answers are right without it. */
  maintain(): void;
  /**
   * Adds landmarks up to this number, 32 at most, and returns how many there are: for many paths on large maps that
   * hardly change. Without it, the map makes some by itself if paths are hard to find, and drops them if they do not
   * pay.
   */
  addLandmarks(count: number): number;
  /**
   * The cells of a shortest path, both ends included; `null` if there is none.
   * @param options `partial`: if the goal cannot be reached, to the cell nearest to it that can. `within`: `null` if
   * the path is longer than this; nothing farther away is searched
   */
  path(
    x0: number,
    y0: number,
    x1: number,
    y1: number,
    options?: { partial?: boolean; within?: number },
  ): Int32Array | null;
  /**
   * The same for a search that looks at no more than this many corners, besides those that its start sees, about ten
   * thousand per millisecond: `undefined` if that was not enough.
   */
  path(
    x0: number,
    y0: number,
    x1: number,
    y1: number,
    options: { within?: number; corners: number },
  ): Int32Array | null | undefined;
  /**
   * Paths between many pairs of cells, x0, y0, x1, y1 each, in one array: the cells of path `i` are
   * `cells.subarray(starts[i], starts[i + 1])`, empty if there is none. Each is as long as that of `path`, but may be
   * another of equal length: paths share searches if that is less work.
   */
  pathMany(ends: Numbers, options?: { partial?: boolean }): { readonly starts: Uint32Array; readonly cells: Int32Array };
  /** The ends of a shortest path and the cells at which it turns around walls. */
  waypoints(x0: number, y0: number, x1: number, y1: number): Int32Array | null;
  /** The length of a shortest path, Infinity if there is none. */
  distance(x0: number, y0: number, x1: number, y1: number): number;
  /**
   * Whether blocking a rectangle would cut off one of some cells from a goal: the position of the first that can reach
   * it now and could no longer; `null` if there is none. The map does not change.
   */
  wouldClose(
    x: number,
    y: number,
    width: number,
    height: number,
    from: Numbers,
    toX: number,
    toY: number,
  ): number | null;
  /**
   * The free cell nearest to one, measured without walls: where a unit steps out of rubble. `null` if there is none.
   * @param options `connectedTo`: x, y of a cell that can be reached from there
   */
  nearestFree(x: number, y: number, options?: { connectedTo?: Numbers }): [x: number, y: number] | null;
  /** Whether there is a path. Needs no search. */
  isReachable(x0: number, y0: number, x1: number, y1: number): boolean;
  /** A shortest path to the nearest of some goals, and the position of that goal. */
  nearest(x: number, y: number, goals: Numbers): { readonly goal: number; readonly path: Int32Array } | null;
  /**
   * A shortest path that may take links, five numbers each: from x, y, to x, y, and the cost in straight steps. Leg `i`
   * is `cells.subarray(starts[i], starts[i + 1])`; link number `links[i]` leads from it to the next.
   */
  linkedPath(
    x0: number,
    y0: number,
    x1: number,
    y1: number,
    links: Numbers,
  ): LinkedPath | null;
  /** The same to the nearest of some goals, and which of them that is. */
  nearestLinked(x: number, y: number, goals: Numbers, links: Numbers): (LinkedPath & { readonly goal: number }) | null;
  /**
   * The first blocked cell on the straight line between the middles of two cells: what a shot hits. `null` if there is a
   * line of sight. Between two cells that touch at a corner only, it is free if a diagonal step would be legal there.
   */
  firstWall(x0: number, y0: number, x1: number, y1: number): [x: number, y: number] | null;
  /**
   * Up to `count` places for a group: the first is the cell of {@link nearestFree}, and the others can be reached from
   * there, nearest first by path.
   * @param options `apart`: how many columns or rows they are apart at least, such as the size of the units, 1 by
   * default. `connectedTo`: as for {@link nearestFree}
   */
  freePlaces(x: number, y: number, count: number, options?: { apart?: number; connectedTo?: Numbers }): Int32Array;
  /**
   * The rest of a path, from the cell of a unit on, led around cells that are blocked for this query only: where other
   * units are. It changes only near the unit, where it is the shortest one to the last free cell of `path` there, and
   * then goes on as before. `null` if there is no such path: wait, or look farther. If the goal is taken, it ends at
   * the last free cell before.
   * @param options `radius`: how many columns and rows from the unit obstacles count, 16 by default
   */
  detour(path: Numbers, obstacles: Numbers, options?: { radius?: number }): Int32Array | null;
  /**
   * The shortest way in any direction, from the center of one cell to that of another, around corners of walls: x, y, …
   * Cell (x, y) is the square from (x, y) to (x + 1, y + 1).
   */
  tautPath(
    x0: number,
    y0: number,
    x1: number,
    y1: number,
  ): { readonly points: Float64Array; readonly length: number } | null;
  /** The cells of a path that remain if straight lines of any direction replace its steps. Takes almost no time. */
  smooth(path: Numbers): Int32Array;
  /**
   * All cells that can be reached at a cost of at most `budget`.
   * @param options `rect`: x, y, width, height of a rectangle that must not be left. `weights`: by kind of terrain, as
   * for {@link WeightedPaths}
   */
  reach(x: number, y: number, budget: number, options?: { rect?: Numbers; weights?: Numbers }): Reach;
  /** {@link reach}, computed in slices: for a budget per frame. */
  beginReach(x: number, y: number, budget: number, options?: { rect?: Numbers; weights?: Numbers }): GrowingReach;
}

export interface PathMapConstructor {
  /**
   * A map of rows of `width` cells, free where not 0.
   * @param options `rule` is "octile" by default
   */
  new (free: Bytes, width: number, options?: { rule?: Rule }): PathMap;
  readonly prototype: PathMap;
}

/** A {@link Reach} that is computed in slices. */
export interface GrowingReach extends Held {
  /**
   * Visits about this many more cells. Returns what can be reached once that is known, exact for the map as it is then;
   * `null` before and after. If an edit meanwhile changed a cell that may be within the budget, it begins again, with
   * twice its share.
   */
  goOn(map: PathMap | TerrainMap, cells: number): Reach | null;
}

/** The cells within a budget. */
export interface Reach extends Held {
  /** The cells, row by row. */
  cells(): Int32Array;
  /** What each of {@link cells} costs. */
  costs(): Float64Array;
  /** What a cell costs, Infinity if it is not within the budget. */
  cost(x: number, y: number): number;
  /** A cheapest path to a cell. */
  path(x: number, y: number): Int32Array | null;
}

/** The way to the nearest of some goals from every cell, for many agents, as of the last {@link FlowField.repair}. */
export interface FlowField extends Held {
  /** The version of the map that it reflects. */
  readonly version: number;
  /** Updates it after edits. Returns whether anything had changed. For a door, it takes microseconds. */
  repair(map: PathMap | TerrainMap): boolean;
  /** The length of a shortest path from a cell, Infinity if there is none. */
  length(x: number, y: number): number;
  /** The lengths from all cells of the map, row by row: to draw or to upload. Infinity where there is no path. */
  lengths(): Float32Array;
  /**
   * The directions of all cells, row by row: 0 to 7 clockwise from north, which is up, 8 at a goal, 9 where a link is
   * to be taken, -1 where there is no path.
   */
  directions(): Int8Array;
  /** The next cell on the way, or the cell itself at a goal; `null` if there is no path. */
  next(x: number, y: number): [x: number, y: number] | null;
  /** The next cells of many agents; -1, -1 where there is no path. */
  nextMany(cells: Numbers): Int32Array;
  /** The link to take from a cell, `null` if the next cell is beside it. */
  link(x: number, y: number): number | null;
  /** All cells of a shortest path from a cell. */
  path(x: number, y: number): Int32Array | null;
}

/**
 * `rect`: x, y, width, height of the cells that a field covers, all by default. `starts`: the steps with which each goal begins. `weights`
 * by kind of terrain, 1 by default.
 */
export interface AgentFieldOptions {
  readonly agent: Agent;
  readonly rect?: Numbers;
  readonly starts?: Numbers;
  readonly weights?: Numbers;
}

/** The same on the map of a class of agents; or `links`, as for {@link PathMap.linkedPath}, instead of starts and weights. */
export interface FieldOptions extends Omit<AgentFieldOptions, "agent"> {
  readonly links?: Numbers;
}

export interface FlowFieldConstructor {
  /** The field towards the nearest of some goals. */
  new (map: PathMap, goals: Numbers, options?: FieldOptions): FlowField;
  /** The field of agents of any kind, whether or not they have a map of their own. */
  new (terrain: TerrainMap, goals: Numbers, options: AgentFieldOptions): FlowField;
  /** The same, made in slices: for a budget per frame. */
  begin(map: PathMap, goals: Numbers, options?: FieldOptions): GrowingField;
  begin(terrain: TerrainMap, goals: Numbers, options: AgentFieldOptions): GrowingField;
  readonly prototype: FlowField;
}

/** A {@link FlowField} that is made in slices. */
export interface GrowingField extends Held {
  /**
   * Visits about this many more cells, some ten thousand per millisecond with weights, and a hundred thousand without. Returns the
   * field once it is done, exact for the map as it is then; `null` before and after. Edits meanwhile are repaired at the
   * end, as {@link FlowField.repair} does, or it begins again, with twice its share.
   */
  goOn(map: PathMap | TerrainMap, cells: number): FlowField | null;
}

/** An answer of a {@link PathQueue}. */
export interface Answer {
  readonly ticket: number;
  /** `null` if there is no path. */
  readonly path: Int32Array | null;
}

/**
 * Requests for paths on one map, answered within a budget per frame: the most urgent first, then in the order of the
 * requests. Searches continue after edits of cells that they have not looked at, and every request is answered in the
 * end.
 */
export interface PathQueue extends Held {
  /** How many requests are waiting. */
  readonly length: number;
  /** Requests a path, and returns the number of the request. Requests of a higher priority come before all others. */
  push(x0: number, y0: number, x1: number, y1: number, priority?: number): number;
  /** Cancels a request. Returns whether it was still waiting. */
  cancel(ticket: number): boolean;
  /** Answers requests for this many milliseconds; a single step takes some twentieth of one. */
  runFor(map: PathMap, milliseconds: number): Answer[];
  /**
   * The same for a number of corners that searches may look at, some thousands per millisecond: it gives the same
   * answers in the same frames on every machine.
   */
  run(map: PathMap, corners: number): Answer[];
}

export interface PathQueueConstructor {
  new (): PathQueue;
  readonly prototype: PathQueue;
}

/** A path that an agent walks, watched while the map changes. */
export interface PathWatch extends Held {
  /**
   * The last cell that can be reached if edits have broken the path, `null` while it is whole. It costs next to nothing
   * while nothing near the path has changed.
   */
  check(map: PathMap): [x: number, y: number] | null;
  /**
   * A path from (x, y), a cell of the watched path, to its end that is shorter than the rest of it, if edits have made
   * one possible; watch that instead. Also `null` if the path is broken. Searches only where an edit may matter.
   */
  shorter(map: PathMap, x: number, y: number): Int32Array | null;
}

export interface PathWatchConstructor {
  /** @param path the cells of a path on the current map */
  new (map: PathMap, path: Numbers): PathWatch;
  /**
   * @param path a path of {@link PathMap.linkedPath}; it also breaks when an end of a link is blocked
   * @param options the links that it was found with
   */
  new (map: PathMap, path: LinkedPath, options: { links: Numbers }): PathWatch;
  readonly prototype: PathWatch;
}

/** Agents of one size, `size` x `size` cells, and of one ability: the kinds of terrain on which they walk. */
export interface Agent {
  /** 1 by default. An agent is where its top left cell is. */
  readonly size?: number;
  /** Kinds from 0 to 63. */
  readonly walkable: readonly number[];
}

/** A map of kinds of terrain, for agents of several sizes and abilities. Kinds from 64 on are walls for all. */
export interface TerrainMap extends Held {
  readonly width: number;
  readonly height: number;
  readonly version: number;
  /** Changes the kind of a cell. Returns whether that changed anything. */
  set(x: number, y: number, kind: number): boolean;
  /** Changes the kind of cells. Returns how many changed. */
  setMany(cells: Numbers, kind: number): number;
  /** Changes the kind of a rectangle. Returns whether that changed anything. */
  fill(x: number, y: number, width: number, height: number, kind: number): boolean;
  /** Replaces the kinds of the rectangle from (x, y) on, in rows of `width`. */
  edit(x: number, y: number, width: number, kinds: Bytes): boolean;
  /** All kinds, row by row. */
  cells(): Uint8Array;
  /** Gives a class of agents a map of its own, unless it has one. */
  addClass(agent: Agent): void;
  /**
   * A cheapest path of any agent, of a class or not, and its cost: for agents that are too rare for a map of their own.
   * It searches cell by cell.
   * @param options `weights`: by kind of terrain, as for {@link WeightedPaths}
   */
  path(
    agent: Agent,
    x0: number,
    y0: number,
    x1: number,
    y1: number,
    options?: { weights?: Numbers },
  ): { readonly cells: Int32Array; readonly cost: number } | null;
  /** As {@link PathMap.wouldClose}, for a class of agents, if the rectangle became terrain of this kind. */
  wouldClose(
    agent: Agent,
    x: number,
    y: number,
    width: number,
    height: number,
    kind: number,
    from: Numbers,
    toX: number,
    toY: number,
  ): number | null;
  /** The map of one of the classes of agents. It follows the terrain, and is edited there only. */
  paths(agent: Agent): PathMap;
}

export interface TerrainMapConstructor {
  /** A map of rows of `width` kinds, for these classes of agents. Each has a map of its own. */
  new (kinds: Bytes, width: number, options: { classes: readonly Agent[]; rule?: Rule }): TerrainMap;
  readonly prototype: TerrainMap;
}

/** Cheapest paths on terrain, kept up to date with it: entering a cell costs its kind's weight times the step. */
export interface WeightedPaths extends Held {
  path(
    x0: number,
    y0: number,
    x1: number,
    y1: number,
  ): { readonly cells: Int32Array; readonly cost: number } | null;
  /** A cheapest path that may take links, as {@link PathMap.linkedPath}. */
  linkedPath(
    x0: number,
    y0: number,
    x1: number,
    y1: number,
    links: Numbers,
  ): (LinkedPath & { readonly cost: number }) | null;
}

export interface WeightedPathsConstructor {
  /**
   * @param map of a class of agents, from {@link TerrainMap.paths}
   * @param weights by kind, whole numbers from 1 on; kinds without one weigh 1. What counts is the heaviest kind under
   * an agent
   */
  new (map: PathMap, weights: Numbers): WeightedPaths;
  /** For agents of any kind, whether or not they have a map of their own. */
  new (terrain: TerrainMap, weights: Numbers, options: { agent: Agent }): WeightedPaths;
  readonly prototype: WeightedPaths;
}
