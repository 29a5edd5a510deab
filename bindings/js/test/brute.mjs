// The answers by plain arithmetic.

/** Do two boxes of flat arrays overlap? */
export const overlap = (a, i, b, j) =>
  a[4 * i] <= b[4 * j + 2] && b[4 * j] <= a[4 * i + 2] && a[4 * i + 1] <= b[4 * j + 3] && b[4 * j + 1] <= a[4 * i + 3];

const all = (boxes) => Array.from({ length: boxes.length / 4 }, (_, id) => id);

/** Ids of the boxes that overlap one. */
export const search = (boxes, box) => all(boxes).filter((id) => overlap(boxes, id, box, 0));

/** Pairs as "a b". */
export function pairs(boxes) {
  const found = [];
  for (const b of all(boxes)) for (let a = 0; a < b; a++) if (overlap(boxes, a, boxes, b)) found.push(`${a} ${b}`);
  return found.sort();
}

export function distance(boxes, id, x, y) {
  const dx = Math.max(boxes[4 * id] - x, x - boxes[4 * id + 2], 0);
  const dy = Math.max(boxes[4 * id + 1] - y, y - boxes[4 * id + 3], 0);
  return Math.sqrt(dx * dx + dy * dy);
}

/** All ids, the nearest first, lower ids first at equal distances. */
export function nearest(boxes, x, y) {
  return all(boxes)
    .map((id) => [distance(boxes, id, x, y), id])
    .sort((a, b) => a[0] - b[0] || a[1] - b[1]);
}

/** The first box that a ray hits: [time, id], or undefined. */
export function cast(boxes, x, y, dx, dy) {
  const hits = all(boxes).flatMap((id) => {
    const [from, to] = [
      [boxes[4 * id], boxes[4 * id + 1]],
      [boxes[4 * id + 2], boxes[4 * id + 3]],
    ];
    let [enter, leave] = [0, Infinity];
    for (const [axis, start, way] of [
      [0, x, dx],
      [1, y, dy],
    ]) {
      if (way === 0 && (start < from[axis] || start > to[axis])) return [];
      if (way === 0) continue;
      const times = [(from[axis] - start) / way, (to[axis] - start) / way].sort((a, b) => a - b);
      [enter, leave] = [Math.max(enter, times[0]), Math.min(leave, times[1])];
    }
    return enter <= leave ? [[enter, id]] : [];
  });
  return hits.sort((a, b) => a[0] - b[0] || a[1] - b[1])[0];
}

/** Flat pairs as sorted texts. */
export function texts(flat) {
  const found = [];
  for (let at = 0; at < flat.length; at += 2) found.push(`${flat[at]} ${flat[at + 1]}`);
  return found.sort();
}
