// What is wrong with arguments, in the words of the large module; nothing if nothing is.

/** More than any id. */
export const NONE = 0xffffffff;

/** A box that is no box; as a query, it may be endless. */
export function boxFault(box, row = 0, isEndless = false) {
  const axes = [
    ["x", box[0], box[2]],
    ["y", box[1], box[3]],
  ];
  const bad = axes.find(([, min, max]) => !(min <= max)) ?? axes.find(([, ...ends]) => !isEndless && !ends.every(Number.isFinite));
  if (!bad) return undefined;
  if (box.every(Number.isNaN)) return `row ${row}: the box is NaN throughout, as the bounds of an empty geometry are`;
  const [axis, min, max] = bad;
  if (min > max) return `row ${row}: the box is inverted: min ${axis} = ${min} is greater than max ${axis} = ${max}`;
  const ends = Object.entries({ min, max });
  const [side, value] = ends.find(([, end]) => Number.isNaN(end)) ?? ends.find(([, end]) => !Number.isFinite(end));
  return `row ${row}: ${side} ${axis} of the box is ${Number.isNaN(value) ? "NaN" : `not finite: ${value}`}`;
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
  return `row ${row}: no box has the id ${id} (ids in use are below ${slots})`;
}

/** The first id that is given twice. */
export function twiceFault(ids) {
  if (new Set(ids).size === ids.length) return undefined;
  return `the id ${ids.find((id, at) => ids.indexOf(id) < at)} is given twice`;
}
