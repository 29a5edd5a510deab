// Checks arguments for values that would become something else on their way into the module.

import { given, known, numbers, present, shown } from "../numbers.js";

/** Cells, one byte each. */
export function bytes(cells, name) {
  // `instanceof` would refuse arrays of another window or context.
  const isTyped = ArrayBuffer.isView(cells) && /^Uint8(Clamped)?Array$/.test(cells[Symbol.toStringTag]);
  if (!isTyped && !Array.isArray(cells)) {
    throw new TypeError(`${name}: a Uint8Array, or an array of numbers or booleans, is needed, not ${shown(cells)}`);
  }
  present(cells, name);
  if (isTyped) return cells;
  const row = cells.findIndex((one) => typeof one !== "boolean" && !(Number.isInteger(one) && one >= 0 && one < 256));
  if (row >= 0) throw new TypeError(`${name}, row ${row}: a cell is a number from 0 to 255, or a boolean, not ${shown(cells[row])}`);
  return Uint8Array.from(cells);
}

export function flag(free) {
  if (typeof free !== "boolean") throw new TypeError(`free is true or false, not ${shown(free)}`);
  return free;
}

export function whole(number, name, most = 2 ** 32 - 1) {
  given(name, number);
  if (!(Number.isInteger(number) && number >= 0 && number <= most)) {
    throw new RangeError(`${name} is a whole number from 0 to ${most}, not ${number}`);
  }
  return number;
}

/** Whole numbers of 32 bits. */
export const wholes = (list, name) => Uint32Array.from(numbers(list, name), (number, at) => whole(number, `${name}[${at}]`));

/** Optional numbers. */
export const optional = (list, name) => (list === undefined ? new Float64Array(0) : numbers(list, name));

/** An agent's size and the bits of the kinds of terrain on which it walks, as the module takes them. */
export function classOf(agent) {
  const { size = 1, walkable } = known(agent, "size, walkable", "agent");
  whole(size, "the size of an agent");
  if (!Array.isArray(walkable)) throw new TypeError("walkable is an array of kinds of terrain");
  const bits = Array.from(walkable, (kind) => 1n << BigInt(whole(kind, "a kind of terrain", 63)));
  return BigUint64Array.of(BigInt(size), bits.reduce((all, bit) => all | bit, 0n));
}
