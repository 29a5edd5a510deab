// What is wrong with arguments, in the words of the large module; nothing if nothing is.

/** More than any id. */
export const NONE = 0xffffffff;

const EDGES = [
  ["x", 0, 2],
  ["y", 1, 3],
];

/** A box that is no box; as a query, it may be endless. */
export function boxFault(box, row = 0, isEndless = false) {
  for (const [axis, least, most] of EDGES) {
    for (const [side, value] of Object.entries({ min: box[least], max: box[most] })) {
      if (Number.isNaN(value)) return `row ${row}: ${side} ${axis} of the box is NaN`;
      if (!isEndless && !Number.isFinite(value)) return `row ${row}: ${side} ${axis} of the box is not finite: ${value}`;
    }
    const [min, max] = [box[least], box[most]];
    if (min > max) return `row ${row}: the box is inverted: min ${axis} = ${min} is greater than max ${axis} = ${max}`;
  }
}

/** The first of many boxes that is none. */
export function boxesFault(boxes) {
  for (let row = 0; 4 * row < boxes.length; row++) {
    const told = boxFault(boxes.subarray(4 * row, 4 * row + 4), row);
    if (told) return told;
  }
}

export function pointFault(x, y) {
  if (!Number.isFinite(x) || !Number.isFinite(y)) return `row 0: the point (${x}, ${y}) is not finite`;
}

/** An id that no box has. */
export function idFault(id, row, slots) {
  if (!Number.isInteger(id)) return `row ${row}: an id is a whole number, not ${id}`;
  return `row ${row}: no box has the id ${id} (ids in use are below ${slots})`;
}

/** The first id that is given twice. */
export function twiceFault(ids) {
  if (new Set(ids).size === ids.length) return undefined;
  return `the id ${ids.find((id, at) => ids.indexOf(id) < at)} is given twice`;
}
