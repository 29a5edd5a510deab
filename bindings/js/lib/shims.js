// What the classes of other packages share.

/** Where JavaScript has no `using` yet, compilers look for this name. */
export const DISPOSE = Symbol.dispose ?? Symbol.for("Symbol.dispose");

/** Answers as an array of the caller's own. */
export function list(view) {
  const all = new Array(view.length);
  for (let place = 0; place < view.length; place++) all[place] = view[place];
  return all;
}

/**
 * Boxes with the greatest numbers in place of infinite edges: quadrille stores only finite ones, and the answers are
 * the same.
 */
export function finite(boxes) {
  if (!boxes.some((edge) => Math.abs(edge) === Infinity)) return boxes;
  return Float64Array.from(boxes, (edge) => Math.min(Math.max(edge, -Number.MAX_VALUE), Number.MAX_VALUE));
}
