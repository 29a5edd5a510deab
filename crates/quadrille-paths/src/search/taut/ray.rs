//! Whether one point is seen from another.

use super::Point;
use super::sweep::{LEFT, RIGHT, Sides};
use crate::grid::Bitmap;

/// The sides on which the line between two points is free, as a sweep from either would find; none if it is not free.
///
/// It may pass corners of walls, but not between two of them on opposite sides, wherever on the line they are: the rest
/// of the cone would have no interior. It must not run along a side of cells, so at least one end is the center of a
/// cell.
pub(super) fn sides_of_line(walls: &Bitmap, from: Point, to: Point) -> Sides {
    let [dx, dy] = [0, 1].map(|axis| i64::from(to[axis] - from[axis]));
    // Columns and lines of the bitmap are one more than those of cells.
    let is_clear =
        |first: i64, last: i64, row: i32| walls.is_clear(first as usize + 1, last as usize + 1, (row + 1) as usize);
    if dy == 0 {
        let [left, right] = [from[0].min(to[0]), from[0].max(to[0])].map(|place| i64::from(place >> 1));
        return if is_clear(left, right, from[1] >> 1) { LEFT | RIGHT } else { 0 };
    }
    let (height, down) = (dy.abs(), if dy > 0 { 1 } else { -1 });
    // Where the line enters a row: a column and a fraction, with denominator 2 * height. A row is two half cells high.
    let unit = 2 * height;
    let place = |column: i64, part: i64| (column + part.div_euclid(unit), part.rem_euclid(unit));
    let (mut column, mut part) = place((from[0] >> 1).into(), i64::from(from[0] & 1) * height);
    let mut row = if down > 0 { from[1] >> 1 } else { (from[1] - 1) >> 1 };
    let last_row = if down > 0 { (to[1] - 1) >> 1 } else { to[1] >> 1 };
    // From the center of a cell to the edge of its row it is half as far.
    let by_half = place(0, dx);
    let by_row = place(0, 2 * dx);
    let mut step = if from[1] & 1 == 1 { by_half } else { by_row };
    // What corners of walls leave of the sides where the line crosses a corner of cells into the next row.
    let sides_at = |column: i64, row: i32| {
        let is_free = |column: i64| is_clear(column, column, row) && is_clear(column, column, row + down);
        let side = |is_free: bool, side: Sides| if is_free { side } else { 0 };
        side(is_free(column - 1), LEFT) | side(is_free(column), RIGHT)
    };
    let mut sides = LEFT | RIGHT;
    loop {
        if row == last_row && to[1] & 1 == 1 {
            step = by_half;
        }
        let mut next = (column + step.0, part + step.1);
        if next.1 >= unit {
            next = (next.0 + 1, next.1 - unit);
        }
        // A line that only touches the side of a cell is not inside it.
        let (first, last) =
            if dx < 0 { (next.0, column - i64::from(part == 0)) } else { (column, next.0 - i64::from(next.1 == 0)) };
        if !is_clear(first, last, row) {
            return 0;
        }
        if row == last_row {
            return sides;
        }
        (column, part) = next;
        if part == 0 {
            sides &= sides_at(column, row);
            if sides == 0 {
                return 0;
            }
        }
        (row, step) = (row + down, by_row);
    }
}
