/**
 * Which tracks came near each other, when, how near and for how long. Between two fixes a track moves straight at
 * constant speed; times at which encounters begin and end are solved for, not sampled. Mistakes are a `RangeError` or
 * `TypeError` that names the value.
 */

import type { Held, Numbers } from "./paths.js";

/** Starts the module, once; later calls return the same. Nothing is fetched. */
export function load(): Promise<Tracks>;

export interface Tracks {
  readonly encounters: Encounters;
  readonly TrackStream: TrackStreamConstructor;
}

/** The name of a track. */
export type Name = number | string;

/** Fixes by columns, in any order. */
export interface Fixes<Id extends Name = Name> {
  /** The track of each fix. */
  readonly id: readonly Id[] | (ArrayLike<Id> & ArrayBufferView);
  /** The time of each fix. */
  readonly t: Numbers;
  readonly x: Numbers;
  readonly y: Numbers;
  /** Heights, which count only with `vertical`. */
  readonly z?: Numbers;
}

export interface Wanted {
  /** The distance; touching it counts. */
  readonly within: number;
  /** The greatest difference in height at the same time. */
  readonly vertical?: number;
  /** The shortest duration, 0 by default. */
  readonly lasting?: number;
  /** Encounters of the same two tracks with no more time than this between them count as one, 0 by default. */
  readonly gap?: number;
  /** A track does not exist between two fixes that are farther apart in time. */
  readonly maxGap?: number;
  /** Fixes that could only be reached faster are left out. */
  readonly maxSpeed?: number;
  /**
   * `"plane"` by default: everything in units of your own. `"degrees"`: x is longitude, y latitude, distances are meters
   * on the WGS 84 ellipsoid, times seconds.
   */
  readonly units?: "plane" | "degrees";
}

/** All encounters as columns, sorted by start. `closestVertical` is there with `vertical`. */
export type Encounters = <Id extends Name>(
  fixes: Fixes<Id>,
  wanted: Wanted,
) => {
  readonly a: Id[];
  readonly b: Id[];
  readonly start: Float64Array;
  readonly end: Float64Array;
  readonly closestTime: Float64Array;
  readonly closestDistance: Float64Array;
  readonly closestVertical?: Float64Array;
};

/** Two tracks have come near each other. */
export interface Begun {
  readonly is: "begun";
  readonly a: Name;
  readonly b: Name;
  readonly start: number;
}

/** An encounter that is over, or what is known of it so far. */
export interface Encounter {
  readonly is: "known";
  readonly a: Name;
  readonly b: Name;
  readonly start: number;
  readonly end: number;
  readonly closestTime: number;
  readonly closestDistance: number;
  readonly closestVertical?: number;
}

/** Finds the same encounters in fixes that come one at a time, in the order of time. */
export interface TrackStream extends Held {
  /**
   * Takes the next fix, and returns what it reveals: encounters that have begun, and those that are over. The second of
   * two fixes reveals what a track did between them.
   */
  push(id: Name, t: number, x: number, y: number, z?: number): (Begun | Encounter)[];
  /** What is known so far of encounters that have begun and may continue; after the last fix, they end. */
  ongoing(): Encounter[];
}

export interface TrackStreamConstructor {
  new (wanted: Wanted): TrackStream;
  readonly prototype: TrackStream;
}
