/**
 * Which tracks came near each other, when, how near and for how long. Between two fixes a track moves straight at constant
 * speed; times at which encounters begin and end are solved for, not sampled. What is wrong is refused with a
 * `RangeError` or `TypeError` that names the value.
 */

import type { Held, Numbers } from "./paths.js";

/** Starts the module, once; later calls give the same. Nothing is fetched. */
export function load(): Promise<Tracks>;

export interface Tracks {
  readonly encounters: Encounters;
  readonly TrackStream: TrackStreamConstructor;
}

/** What a track is called. */
export type Name = number | string;

/** Fixes by columns, in any order. */
export interface Fixes<Id extends Name = Name> {
  /** Whose fix it is. */
  readonly id: ArrayLike<Id>;
  /** When. */
  readonly t: Numbers;
  readonly x: Numbers;
  readonly y: Numbers;
  /** Heights, which count with `vertical` only. */
  readonly z?: Numbers;
}

export interface Wanted {
  /** The distance; touching it counts. */
  readonly within: number;
  /** How far apart heights may be at the same time. */
  readonly vertical?: number;
  /** How long it must last, 0 by default. */
  readonly lasting?: number;
  /** Encounters of the same two with no more than this between them are one, 0 by default. */
  readonly gap?: number;
  /** A track is nowhere between two fixes that are farther apart in time. */
  readonly maxGap?: number;
  /** Fixes that could only be reached faster take no part. */
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

/** An encounter that is over, or as far as it is known. */
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

/** Finds the same encounters in fixes that come one at a time, in order of time. */
export interface TrackStream extends Held {
  /**
   * Takes the next fix, and gives what it reveals: encounters that have begun, and those that are over. What a track did
   * between two fixes is known with the second.
   */
  push(id: Name, t: number, x: number, y: number, z?: number): (Begun | Encounter)[];
  /** The encounters that have begun and may go on, as far as they are known; after the last fix, those that end. */
  ongoing(): Encounter[];
}

export interface TrackStreamConstructor {
  new (wanted: Wanted): TrackStream;
  readonly prototype: TrackStream;
}
