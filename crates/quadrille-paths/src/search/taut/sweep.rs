//! What is seen from a point: the corners of walls around which a taut string from there may bend.

use core::cmp::Ordering;
use core::ops::Range;

use super::{Point, diagonal};
use crate::grid::{Bitmap, CellRect};

/// The change of column per half cell up or down, as a fraction whose denominator is not negative; (±1, 0) is along the
/// row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slope(pub(super) i64, pub(super) i64);

impl Slope {
    /// The slope of the line from one point to another.
    pub(super) fn between(from: Point, to: Point) -> Self {
        Self((to[0] - from[0]).into(), (to[1] - from[1]).abs().into())
    }

    pub(super) fn compare(self, other: Self) -> Ordering {
        (self.0 * other.1).cmp(&(other.0 * self.1))
    }

    pub(super) fn max(self, other: Self) -> Self {
        if self.compare(other).is_lt() { other } else { self }
    }

    pub(super) fn min(self, other: Self) -> Self {
        if self.compare(other).is_gt() { other } else { self }
    }
}

/// What is seen from a point in the rows above it (-1) or below it (1), between two slopes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cone {
    pub(super) down: i32,
    pub(super) left: Slope,
    pub(super) right: Slope,
}

/// A run of free cells in one row, and the part of a cone that enters it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Strip {
    row: i32,
    /// Its sides, in half cells.
    run: [i32; 2],
    cone: Cone,
}

/// The line on the far side of a row of cells, and the part of it that is seen.
#[derive(Debug)]
struct Line {
    line: i32,
    /// How far away it is, in half cells.
    rows: i64,
    left: Slope,
    right: Slope,
    cells: Range<i32>,
    /// The first and the last visible sides of cells.
    ends: [i32; 2],
}

/// The fractional bits of a position, and its largest error after all rows of a map: 2^17 roundings.
const FRACTION: i64 = 32;
const ROUNDING: i64 = 1 << 20;

/// More than rounding can add to a length, in half cells.
pub(super) const SLACK: f64 = 1e-6;

/// The sides on which the line to a corner is free: to the left, in columns before its own, and to the right. At least
/// one.
pub(super) type Sides = u8;
pub(super) const LEFT: Sides = 1;
pub(super) const RIGHT: Sides = 2;

/// The limit of a sweep: what leads only to longer paths to a point is postponed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limit {
    /// The length of the path to where the sweep starts.
    pub(super) length: f64,
    pub(super) to: Point,
    pub(super) most: f64,
}

/// The working memory of sweeps, and what the last one has found.
#[derive(Clone, Debug, Default)]
pub(super) struct Swept {
    pub(super) corners: Vec<(Point, Sides)>,
    strips: Vec<Strip>,
    /// The first and last columns and rows of the cells examined.
    columns: [i32; 2],
    rows: [i32; 2],
    /// The strips that the limit has kept this sweep and earlier ones from entering, each with the least length of a
    /// path through it; where those of this one begin, and the least of all.
    pub(super) later: Vec<(f64, Strip)>,
    first_later: usize,
    least_later: f64,
}

/// A sweep from one point.
pub(super) struct Sweep<'a> {
    pub(super) walls: &'a Bitmap,
    /// Whether a string may pass between two walls that touch at a corner.
    pub(super) is_cutting: bool,
    pub(super) from: Point,
    pub(super) limit: Option<Limit>,
    pub(super) swept: &'a mut Swept,
}

impl Swept {
    /// Bytes on the heap.
    pub(super) fn bytes(&self) -> usize {
        self.corners.capacity() * size_of::<(Point, Sides)>()
            + self.strips.capacity() * size_of::<Strip>()
            + self.later.capacity() * size_of::<(f64, Strip)>()
    }

    /// Whether the limit has stopped the last sweep somewhere.
    pub(super) fn is_cut_short(&self) -> bool {
        self.first_later < self.later.len()
    }

    /// Where the last sweep may continue, and the least length of a path through there.
    pub(super) fn rest(&self) -> Option<(f64, Range<usize>)> {
        self.is_cut_short().then_some((self.least_later, self.first_later..self.later.len()))
    }

    /// The cells examined.
    pub(super) fn bounds(&self) -> CellRect {
        let ([left, right], [top, bottom]) = (self.columns, self.rows);
        let [x, y] = [left, top].map(|first| first.max(0) as u32);
        CellRect::new(x, y, (right + 1).max(0) as u32 - x, (bottom + 1).max(0) as u32 - y)
    }
}

impl Sweep<'_> {
    /// Sweeps all around the center of a cell.
    pub(super) fn around(&mut self) {
        self.begin();
        let from = self.from;
        let row = (from[1] - 1) / 2;
        let run = self.run((from[0] - 1) / 2, row);
        for down in [-1, 1] {
            let cone = Cone { down, left: Slope(-1, 0), right: Slope(1, 0) };
            self.sweep(Strip { row, run, cone });
        }
    }

    /// Continues with strips that were postponed.
    pub(super) fn go_on(&mut self, strips: Range<usize>) {
        self.begin();
        for index in strips {
            let (total, strip) = self.swept.later[index];
            if self.limit.is_some_and(|limit| total > limit.most) {
                self.put_off(total, strip);
            } else {
                self.sweep(strip);
            }
        }
    }

    /// Sweeps a cone from a corner.
    pub(super) fn cone(&mut self, cone: Cone) {
        self.begin();
        let from = self.from;
        let row = if cone.down > 0 { from[1] / 2 } else { from[1] / 2 - 1 };
        let run = self.run(from[0] / 2 - i32::from(!cone.is_right()), row);
        self.look_along(run, cone);
        self.sweep(Strip { row, run, cone });
    }

    fn begin(&mut self) {
        self.swept.corners.clear();
        (self.swept.first_later, self.swept.least_later) = (self.swept.later.len(), f64::INFINITY);
        let [column, row] = self.from.map(|place| place / 2);
        (self.swept.columns, self.swept.rows) = ([column; 2], [row; 2]);
    }

    /// Scans the line on which the corner itself lies, if its cone includes it.
    fn look_along(&mut self, run: [i32; 2], cone: Cone) {
        let from = self.from;
        let (end, [first, last]) = match (cone.left.1, cone.right.1) {
            (_, 0) => (run[1], [from[0], run[1]]),
            (0, _) => (run[0], [run[0], from[0]]),
            _ => return,
        };
        let behind = if cone.down > 0 { from[1] / 2 - 1 } else { from[1] / 2 };
        self.report([end, from[1]], || LEFT | RIGHT);
        self.report_ends((from[1], behind), first / 2..last / 2, [first, last], |_, _| {});
    }

    fn sweep(&mut self, first: Strip) {
        self.swept.strips.push(first);
        while let Some(strip) = self.swept.strips.pop() {
            self.sweep_strip(strip);
        }
    }

    fn sweep_strip(&mut self, mut strip: Strip) {
        self.pass_over(&mut strip);
        let Some(line) = self.far_line(&strip) else { return };
        let Strip { row, cone: Cone { down, .. }, .. } = strip;
        let Line { line, rows, left, right, cells, ends: [first, last] } = line;
        if let Some(limit) = self.limit {
            let total = self.least_through(limit, &cells, line, rows);
            if total > limit.most {
                return self.put_off(total, strip);
            }
        }
        let from = self.from;
        if first <= last {
            // Only the outermost positions can lie on a side of the cone.
            for place in [first, last] {
                self.report([place, line], || {
                    let slope = Slope((place - from[0]).into(), rows);
                    let side = |is_inside: bool, side: Sides| if is_inside { side } else { 0 };
                    side(left.compare(slope).is_lt(), LEFT) | side(slope.compare(right).is_lt(), RIGHT)
                });
            }
        }
        let row = row + down;
        self.report_ends((line, row), cells, [first, last], |strips, run| {
            let [left, right] = narrowed(from, [left, right], run, rows);
            strips.push(Strip { row, run, cone: Cone { down, left, right } });
        });
    }

    /// The line on the far side of the row of a strip, and the part of it that is seen, if any.
    fn far_line(&mut self, strip: &Strip) -> Option<Line> {
        let from = self.from;
        let Strip { row, run, cone: Cone { down, left, right } } = *strip;
        let line = 2 * row + i32::from(down > 0) * 2;
        let rows = i64::from((line - from[1]).abs());
        let [left, right] = narrowed(from, [left, right], run, rows);
        let seen_rows = &mut self.swept.rows;
        *seen_rows = [seen_rows[0].min(row), seen_rows[1].max(row)];
        if left.compare(right).is_ge() {
            // The cone is cut off at a side of the row.
            let sides = run.map(|side| side / 2);
            self.note_columns(&(sides[0]..sides[1]));
            return None;
        }
        // The cell, and whether a side of the cone meets its side.
        let whole = |slope: Slope| {
            let (place, unit) = (i64::from(from[0]) * slope.1 + slope.0 * rows, 2 * slope.1);
            let cell = place.div_euclid(unit);
            (cell as i32, cell * unit == place)
        };
        let [(first, is_first_even), (last, is_last_even)] = [left, right].map(whole);
        // The first and the last even positions that are seen: sides of cells.
        let ends = [2 * (first + i32::from(!is_first_even)), 2 * last];
        let cells = first..last + i32::from(!is_last_even);
        self.note_columns(&cells);
        Some(Line { line, rows, left, right, cells, ends })
    }

    /// The least length of a path through the visible cells of a row.
    fn least_through(&self, Limit { length, to, .. }: Limit, cells: &Range<i32>, line: i32, rows: i64) -> f64 {
        let place = |cell: i32| f64::from(2 * cell - self.from[0]);
        let to = (f64::from(to[0] - self.from[0]), f64::from((line - to[1]).abs()));
        length + shortest_through([place(cells.start), place(cells.end)], rows as f64, to)
    }

    /// Postpones a strip.
    fn put_off(&mut self, total: f64, strip: Strip) {
        self.swept.later.push((total, strip));
        self.swept.least_later = self.swept.least_later.min(total);
    }

    /// Records that the cells between two columns are examined.
    fn note_columns(&mut self, cells: &Range<i32>) {
        let columns = &mut self.swept.columns;
        *columns = [columns[0].min(cells.start), columns[1].max(cells.end - 1)];
    }

    /// Skips rows that are clear as far as a cone reaches and equal to the next one there, up to one cell farther: they
    /// have no corner.
    fn pass_over(&self, strip: &mut Strip) {
        let from = self.from;
        let Strip { row, run, cone: Cone { down, left, right } } = *strip;
        if left.1 == 0 || right.1 == 0 {
            return;
        }
        // Where the cone meets the far side of the row, in fractions of a cell.
        let [low, high] = [left, right].map(|slope| (slope.0 << (FRACTION - 1)) / slope.1);
        let start = i64::from(from[0]) << (FRACTION - 1);
        let rows = i64::from((2 * row + i32::from(down > 0) * 2 - from[1]).abs());
        let mut places = [start + low * rows - ROUNDING, start + high * rows + ROUNDING];
        let cells = [i64::from(run[0] / 2), i64::from(run[1] / 2) - 1];
        // Whether it reaches the sides of the first row, which are those of all skipped rows.
        let mut is_wide = [false; 2];
        let mut passed = 0;
        loop {
            let next = [places[0] + 2 * low, places[1] + 2 * high];
            let first = places[0].min(next[0]) >> FRACTION;
            let last = places[1].max(next[1]) >> FRACTION;
            let is_wider = [first < cells[0], last > cells[1]];
            let [first, last] = [first.max(cells[0]), last.min(cells[1])];
            if passed > 0 && is_wider != is_wide
                || first > last
                || !self.is_like_next([first, last], row + down * passed, down)
            {
                break;
            }
            (is_wide, places, passed) = (is_wider, next, passed + 1);
        }
        if passed > 0 {
            let middle = (places[0] - 2 * low).max(cells[0] << FRACTION)
                + (places[1] - 2 * high).min((cells[1] + 1) << FRACTION);
            *strip = self.after(strip, passed, rows, (middle >> (FRACTION + 1)) as i32);
        }
    }

    /// What is left of a strip whose first line is `rows` away after some rows like it; there it contains a column.
    fn after(&self, strip: &Strip, passed: i32, rows: i64, column: i32) -> Strip {
        let Strip { row, run, cone: Cone { down, left, right } } = *strip;
        // The part of the cone between the sides of the first and of the last row skipped.
        let last_row = rows + 2 * i64::from(passed - 1);
        let [left, right] = narrowed(self.from, narrowed(self.from, [left, right], run, rows), run, last_row);
        let row = row + down * passed;
        let is_empty = left.compare(right).is_ge();
        Strip { row, run: if is_empty { run } else { self.run(column, row) }, cone: Cone { down, left, right } }
    }

    /// Whether cells of a row are free and equal to those of the next row, up to one cell farther.
    fn is_like_next(&self, [first, last]: [i64; 2], row: i32, down: i32) -> bool {
        // Columns and lines of the bitmap are one more than those of cells.
        let line = (row + 1) as usize;
        let next = line.wrapping_add_signed(down as isize);
        self.walls.is_clear_and_like(first as usize + 1, last as usize + 1, line, next)
    }

    /// Reports the corners between two positions on a line at which runs of free cells in the row beyond end, and those
    /// runs, as far as a cone can enter them.
    fn report_ends(
        &mut self,
        (line, row): (i32, i32),
        cells: Range<i32>,
        [first, last]: [i32; 2],
        mut report: impl FnMut(&mut Vec<Strip>, [i32; 2]),
    ) {
        let mut cell = cells.start;
        while let Some(start) = self.next_free(cell, row).filter(|start| *start < cells.end) {
            let run = self.run(start, row);
            for side in run.into_iter().filter(|side| (first + 1..last).contains(side)) {
                self.report([side, line], || LEFT | RIGHT);
            }
            report(&mut self.swept.strips, run);
            cell = run[1] / 2;
        }
    }

    /// Reports a point if it is a corner of a wall around which a string from here may bend.
    fn report(&mut self, corner: Point, sides: impl FnOnce() -> Sides) {
        let came = [corner[0] - self.from[0], corner[1] - self.from[1]];
        let walls = wall_corners(self.walls, self.is_cutting, corner);
        if walls.into_iter().flatten().any(|wall| cone(came, wall).is_some()) {
            self.swept.corners.push((corner, sides()));
        }
    }

    /// The first free cell of a row from a column on.
    fn next_free(&self, column: i32, row: i32) -> Option<i32> {
        self.walls.next_clear((column + 1) as usize, (row + 1) as usize).map(|column| column as i32 - 1)
    }

    /// The sides of the run of free cells around one.
    fn run(&self, column: i32, row: i32) -> [i32; 2] {
        let (x, line) = ((column + 1) as usize, (row + 1) as usize);
        let (behind, ahead) = (self.walls.behind(x, line) as i32, self.walls.ahead(x, line) as i32);
        [2 * (column - behind + 1), 2 * (column + ahead)]
    }
}

/// The part of a cone between the sides of a run of cells at this height.
#[inline]
fn narrowed(from: Point, [left, right]: [Slope; 2], run: [i32; 2], rows: i64) -> [Slope; 2] {
    let [first, last] = run.map(|side| Slope((side - from[0]).into(), rows));
    [left.max(first), right.min(last)]
}

impl Cone {
    /// Whether it leads to columns after that of its origin, not before.
    pub(super) const fn is_right(self) -> bool {
        self.right.0 > 0
    }
}

/// The walls with a corner at this position around which a path can turn, each as the direction in which it lies: one
/// if three of the cells around are free; two if they touch at their corners and the gap may be passed.
#[inline]
pub(super) fn wall_corners(walls: &Bitmap, is_cutting: bool, [x, y]: Point) -> [Option<Point>; 2] {
    const AROUND: [Point; 4] = [[-1, -1], [1, -1], [-1, 1], [1, 1]];
    let [above, below] = [0, 1].map(|beside| walls.three((x / 2 + 1) as usize, (y / 2 + beside) as usize) & 3);
    let first = |wall: usize| [Some(AROUND[wall]), None];
    match below << 2 | above {
        0b0001 => first(0),
        0b0010 => first(1),
        0b0100 => first(2),
        0b1000 => first(3),
        0b1001 if is_cutting => [Some(AROUND[0]), Some(AROUND[3])],
        0b0110 if is_cutting => [Some(AROUND[1]), Some(AROUND[2])],
        _ => [None; 2],
    }
}

/// The directions in which a taut string may continue from a corner: between straight ahead and along the wall. `came`
/// is the direction of the string; `None` if the wall is not beside the string but ahead of it.
pub(super) fn cone(came: Point, wall: Point) -> Option<Cone> {
    let [dx, dy] = came;
    // Whether the wall lies ahead (1) or behind (-1) by column and by row.
    let [ahead_x, ahead_y] = [(dx * wall[0]).signum(), (dy * wall[1]).signum()];
    let straight_on = Slope(dx.into(), dy.abs().into());
    let (down, along) = match (ahead_x, ahead_y) {
        // Along the wall's horizontal side, or its vertical one.
        (1, -1) | (0, -1) => (dy.signum(), Slope(wall[0].into(), 0)),
        (-1, 1) => (dy.signum(), Slope(0, 1)),
        (-1, 0) => (wall[1], Slope(0, 1)),
        _ => return None,
    };
    Some(Cone { down, left: straight_on.min(along), right: straight_on.max(along) })
}

/// The shortest path from (0, 0) to (x, height + beyond) that crosses the horizontal line at `height` between two
/// positions.
fn shortest_through([left, right]: [f64; 2], height: f64, (x, beyond): (f64, f64)) -> f64 {
    let straight = x * height / (height + beyond);
    // Not `clamp`: it may panic with a message that has both numbers, and formatting floats adds nine kilobytes to the
    // JavaScript module.
    let crossed = straight.max(left).min(right);
    if crossed == straight {
        diagonal(x, height + beyond)
    } else {
        diagonal(crossed, height) + diagonal(x - crossed, beyond)
    }
}
