//! Which scans of which corners have read an edited rectangle.
//!
//! A scan looks along rows and columns from each step of its diagonal. So it has looked at an edited cell, or at one
//! beside it, only if its diagonal reaches a cell in one of the rows of the rectangle, or the rows next to it, from
//! which a walk along that row reaches the rectangle before anything stops it; and likewise for columns. Seen from the
//! rectangle, those cells are one interval in each row and column on either side. They are found by a walk outward,
//! where nothing has changed; then a corner takes a few comparisons with the length of its diagonal, and no access to
//! the map.

use crate::grid::{Cell, CellRect, CostRule, Direction, Grid};
use crate::walks::Walks;

/// From where a rectangle is seen.
#[derive(Debug)]
pub(super) struct Views {
    rule: CostRule,
    rows: Lanes,
    columns: Lanes,
}

/// The rows of a rectangle and those next to it, or its columns.
#[derive(Debug)]
struct Lanes {
    /// The first of them; it may be off the map.
    first: i32,
    /// For each, the intervals from which walks toward higher numbers, and toward lower ones, reach the rectangle.
    intervals: Vec<[(i32, i32); 2]>,
    /// The least and greatest ends of all.
    bounds: [(i32, i32); 2],
}

/// Holds nothing.
const EMPTY: (i32, i32) = (1 << 30, -(1 << 30));

/// A change of column and row by a step of a diagonal, for the quadrants north-east, south-east, south-west,
/// north-west.
pub(super) const DELTAS: [(i32, i32); 4] = [(1, -1), (1, 1), (-1, 1), (-1, -1)];

impl Lanes {
    fn new(first: u32, count: u32, bound: u32, intervals: impl Fn(u32) -> [(i32, i32); 2]) -> Self {
        let lane = |offset: u32| (first + offset).checked_sub(1).filter(|lane| *lane < bound);
        let intervals: Vec<_> = (0..count + 2).map(|offset| lane(offset).map_or([EMPTY; 2], &intervals)).collect();
        let joined = |a: (i32, i32), b: (i32, i32)| (a.0.min(b.0), a.1.max(b.1));
        let bounds = [0, 1].map(|side| intervals.iter().map(|sides| sides[side]).fold(EMPTY, joined));
        Self { first: first as i32 - 1, intervals, bounds }
    }

    fn last(&self) -> i32 {
        self.first + self.intervals.len() as i32 - 1
    }

    /// The first and last step of a diagonal from which a straight walk in direction `toward` reaches the rectangle.
    /// The diagonal starts in lane `lane` at `at`; each step adds `lane_step` and `step`. Only steps from `first` to
    /// `last` count.
    #[inline(always)]
    fn steps(
        &self,
        (lane, lane_step): (i32, i32),
        (at, step): (i32, i32),
        toward: i32,
        (first, last): (i32, i32),
    ) -> Option<[i32; 2]> {
        let to_first = if lane_step > 0 { self.first - lane } else { lane - self.last() };
        let (from, to) = (to_first.max(first), (to_first + self.intervals.len() as i32 - 1).min(last));
        let side = usize::from(toward < 0);
        let is_seen = |number: &i32| {
            let (first, last) = self.intervals[(lane + lane_step * number - self.first) as usize][side];
            (first..=last).contains(&(at + step * number))
        };
        let mut numbers = from..=to;
        let first = numbers.find(is_seen)?;
        Some([first, numbers.rfind(is_seen).unwrap_or(first)])
    }
}

/// The cells that a diagonal must reach so that a walk from there may reach the rectangle, or more than these.
///
/// Columns and rows are [counted along](along) the diagonal, so each of its steps adds one to both.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    columns: (i32, i32),
    rows: (i32, i32),
    /// The least and the greatest difference of row and column, which stays the same along a diagonal.
    skews: (i32, i32),
    /// How many steps change the column, and the row: none if the walk starts where the diagonal does, or if the diagonal
    /// stays in its row.
    most: [i32; 2],
}

/// The targets by rows and by columns together, or more than these: two bands that cross at the rectangle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bands {
    /// The least difference of row and column, and how far the greatest is above it.
    skews: (i32, u32),
    /// The first column of the one and the first row of the other: a diagonal reaches one of them. Their last.
    first: [i32; 2],
    last: [i32; 2],
}

impl Bands {
    pub(super) fn of([rows, columns]: &[Target; 2]) -> Self {
        let least = rows.skews.0.min(columns.skews.0);
        let span = rows.skews.1.max(columns.skews.1).wrapping_sub(least) as u32;
        let is_level = columns.most[1] == 0;
        Self {
            skews: (least, span),
            first: if is_level { [i32::MIN / 2; 2] } else { [columns.columns.0, rows.rows.0] },
            last: [rows.columns.1.max(columns.columns.1), rows.rows.1.max(columns.rows.1)],
        }
    }

    /// Whether a diagonal from a cell may reach them, if this is its last step.
    #[inline(always)]
    pub(super) fn are_met(&self, (x, y): (i32, i32), last: i32) -> bool {
        let is_on_line = (y - x).wrapping_sub(self.skews.0) as u32 <= self.skews.1;
        is_on_line & ((self.first[0] - x).min(self.first[1] - y) <= last) & (x <= self.last[0]) & (y <= self.last[1])
    }
}

/// A range of columns or rows, counted in the direction of a step: if that leads to lower numbers, they are negative.
#[inline(always)]
pub(super) fn along(step: i32, (first, last): (i32, i32)) -> (i32, i32) {
    if step > 0 { (first, last) } else { (-last, -first) }
}

/// Whether up to so many steps lead from some columns to others; or rows.
#[inline(always)]
fn is_in_reach(from: (i32, i32), to: (i32, i32), steps: i32) -> bool {
    (from.0 <= to.1) & (to.0 - from.1 <= steps)
}

impl Target {
    /// The columns from which a diagonal that starts in some rows may reach it, if this is its last step.
    pub(super) fn columns_from(&self, rows: (i32, i32), last: i32) -> (i32, i32) {
        let [across, down] = self.most.map(|most| most.min(last));
        if !is_in_reach(rows, self.rows, down) {
            return EMPTY;
        }
        // If the row changes, it must be right when the column is.
        let (first, last) = if down == 0 { (0, across) } else { (self.rows.0 - rows.1, self.rows.1 - rows.0) };
        (self.columns.0 - last.min(across), self.columns.1 - first.max(0))
    }

    /// Whether a diagonal that starts in some columns and rows may reach it, if this is its last step.
    #[inline(always)]
    pub(super) fn is_reached(&self, columns: (i32, i32), rows: (i32, i32), last: i32) -> bool {
        let [across, down] = self.most.map(|most| most.min(last));
        // Together, because nobody could predict which one says no.
        let is_near = is_in_reach(rows, self.rows, down) & is_in_reach(columns, self.columns, across);
        is_near && rows.1 - columns.0 >= self.skews.0 && rows.0 - columns.1 <= self.skews.1
    }
}

impl Views {
    /// Looks around a rectangle in which cells have changed.
    pub(super) fn of(walks: &Walks<'_>, grid: &Grid, rect: CellRect) -> Self {
        // How far back from a cell a walk to it may begin, the cell before the rectangle included. The part of a
        // Manhattan diagonal along a row is stopped only by a wall.
        let back = |cell: Cell, direction: Direction| {
            let is_diagonal = walks.rule == CostRule::Manhattan && direction.delta().1 == 0;
            let beyond =
                |next| if is_diagonal { walks.free_steps(next, direction) } else { walks.unstopped(next, direction) };
            let next = cell.step(direction).filter(|next| grid.is_free(*next));
            next.map_or(0, |next| 1 + beyond(next)) as i32
        };
        let (left, top) = (rect.x as i32, rect.y as i32);
        let (right, bottom) = (left + rect.width as i32 - 1, top + rect.height as i32 - 1);
        let row = |y: u32| {
            let west = back(Cell::new(left as u32, y), Direction::West);
            let east = back(Cell::new(right as u32, y), Direction::East);
            [(left - west, right + 1), (left - 1, right + east)]
        };
        let column = |x: u32| {
            let north = back(Cell::new(x, top as u32), Direction::North);
            let south = back(Cell::new(x, bottom as u32), Direction::South);
            [(top - north, bottom + 1), (top - 1, bottom + south)]
        };
        Self {
            rule: walks.rule,
            rows: Lanes::new(rect.y, rect.height, grid.height(), row),
            columns: Lanes::new(rect.x, rect.width, grid.width(), column),
        }
    }

    /// The first and last steps of its diagonal from which scans in a quadrant of a corner along rows may have looked at
    /// the rectangle or beside it, and those along columns; `None` if there are none.
    #[inline]
    pub(super) fn steps(&self, cell: Cell, quadrant: usize, [rows, columns]: [(i32, i32); 2]) -> [Option<[u16; 2]>; 2] {
        let (x, y, (dx, dy)) = (cell.x as i32, cell.y as i32, DELTAS[quadrant]);
        let both = if self.rule == CostRule::Manhattan {
            // Along the row of the corner itself there is only one walk, the one from which all others start.
            let row = self.rows.steps((y, 1), (x, 0), dx, (0, 0)).map(|_| [0, i32::from(u16::MAX)]);
            [row, self.columns.steps((x, dx), (y, 0), dy, (0, columns.1))]
        } else {
            [self.rows.steps((y, dy), (x, dx), dx, rows), self.columns.steps((x, dx), (y, dy), dy, columns)]
        };
        both.map(|steps| Some(steps?.map(|step| u16::try_from(step).unwrap_or(u16::MAX))))
    }

    /// What a diagonal in a quadrant must reach, by rows and by columns.
    pub(super) fn targets(&self, quadrant: usize) -> [Target; 2] {
        let (dx, dy) = DELTAS[quadrant];
        let side = |step: i32| usize::from(step < 0);
        let is_level = self.rule == CostRule::Manhattan;
        let target = |columns, rows, across: bool| {
            let (columns, rows) = (along(dx, columns), along(dy, rows));
            let skews = if is_level { (i32::MIN, i32::MAX) } else { (rows.0 - columns.1, rows.1 - columns.0) };
            let most = [across || !is_level, !is_level].map(|counts| if counts { i32::MAX } else { 0 });
            Target { columns, rows, skews, most }
        };
        [
            target(self.rows.bounds[side(dx)], (self.rows.first, self.rows.last()), false),
            target((self.columns.first, self.columns.last()), self.columns.bounds[side(dy)], true),
        ]
    }
}
