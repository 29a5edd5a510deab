// Encounters of tracks, all at once or fix by fix.

import { Wanted } from "made/tracks/module";
import { given, known, numbers, present, shown } from "../numbers.js";
import { Held, once } from "../paths/held.js";

/** How many numbers an encounter is. */
const COLUMNS = 7;
const UNITS = ["plane", "degrees"];

export function encounters({ id, t, x, y, z } = {}, options = {}) {
  const hasHeights = options?.vertical !== undefined;
  const columns = [numbers(t, "t"), numbers(x, "x"), numbers(y, "y"), hasHeights ? numbers(z, "z") : new Float64Array(0)];
  const { names, track } = numbered(id);
  const found = once(wanted(options), (asked) => asked.encounters(track, ...columns));
  const column = (at) => Float64Array.from({ length: found.length / COLUMNS }, (_, row) => found[row * COLUMNS + at]);
  const named = (at) => Array.from(column(at), (number) => names[number]);
  return {
    a: named(0),
    b: named(1),
    start: column(2),
    end: column(3),
    closestTime: column(4),
    closestDistance: column(5),
    ...(hasHeights && { closestVertical: column(6) }),
  };
}

export class TrackStream extends Held {
  #hasHeights;
  /** By number, the names of tracks, and the reverse. */
  #names = [];
  #numbers = new Map();

  constructor(options = {}) {
    super(once(wanted(options), (asked) => asked.stream()));
    this.#hasHeights = options.vertical !== undefined;
  }

  push(id, t, x, y, z = NaN) {
    given("t, x, y, z", t, x, y, z);
    checkName(id, "id");
    const isNew = !this.#numbers.has(id);
    const number = isNew ? this.#names.length : this.#numbers.get(id);
    const found = stream(this).push(number, t, x, y, this.#hasHeights ? z : 0);
    // A rejected fix has changed nothing.
    if (isNew) {
      this.#names.push(id);
      this.#numbers.set(id, number);
    }
    return this.#told(found);
  }

  ongoing() {
    return this.#told(stream(this).ongoing());
  }

  #told(found) {
    return Array.from({ length: found.length / COLUMNS }, (_, row) => {
      const [a, b, start, end, closestTime, closestDistance, closestVertical] = found.subarray(row * COLUMNS, (row + 1) * COLUMNS);
      const begun = { a: this.#names[a], b: this.#names[b], start };
      if (Number.isNaN(end)) return { is: "begun", ...begun };
      return { is: "known", ...begun, end, closestTime, closestDistance, ...(this.#hasHeights && { closestVertical }) };
    });
  }
}

const stream = (held) => Held.core(held, TrackStream);

/** Limits and rules, checked for values that would become something else on their way into the module. */
function wanted(options) {
  const names = "within, vertical, lasting, gap, maxGap, maxSpeed, units";
  const { within, vertical, lasting = 0, gap = 0, maxGap, maxSpeed, units = "plane" } = known(options, names);
  given("within, lasting, gap", within, lasting, gap);
  for (const [name, limit] of Object.entries({ vertical, maxGap, maxSpeed })) if (limit !== undefined) given(name, limit);
  if (!UNITS.includes(units)) throw new RangeError(`units are "plane" or "degrees", not ${shown(units)}`);
  return new Wanted(within, vertical, lasting, gap, maxGap, maxSpeed, units === "degrees");
}

function checkName(id, what) {
  if (typeof id !== "string" && !(typeof id === "number" && !Number.isNaN(id))) {
    throw new TypeError(`${what}: a track is named by a number or a string, not ${shown(id)}`);
  }
}

/** The different ids in order, numbers first, and for each row which it is. */
function numbered(ids) {
  present(ids, "id", "an array of numbers or strings");
  for (let row = 0; row < ids.length; row++) checkName(ids[row], `id[${row}]`);
  const order = (a, b) => (typeof a === typeof b ? (a < b ? -1 : 1) : typeof a === "number" ? -1 : 1);
  const names = [...new Set(ids)].sort(order);
  const places = new Map(names.map((name, place) => [name, place]));
  return { names, track: Uint32Array.from(ids, (id) => places.get(id)) };
}

export const classes = Object.freeze({ encounters, TrackStream });
