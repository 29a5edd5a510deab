//! Taut paths: the shortest way of a point among walls, in any direction.
//!
//! Walls are closed squares, along whose sides and around whose corners the point may go. Such a way is a chain of
//! straight lines that bends only around corners of walls, as a taut string does. The search is A* over those corners.
//! Nothing is stored: what can be seen from a corner is found by a sweep, row by row, of the cone in which a string
//! that came to it may go on, between straight on and along the wall that it bends around: an angle below a right one.
//! Where walls stand in the cone it splits.
//!
//! The cone is that of D. Harabor and A. Grastien, *An Optimal Any-Angle Pathfinding Algorithm*, ICAPS 2013; it is
//! swept to its end at once, as for the sparse visibility graphs of S. Oh and H. Leong, *Edge N-Level Sparse Visibility
//! Graphs*, SoCS 2017. Cones are compared in whole numbers: all that can be seen is seen, along walls and past two
//! corners in one line too. Cones without an inside are left out, for what lies there is seen straight on from the
//! corner that has narrowed the cone.

use core::cmp::{Ordering, Reverse};
use core::hash::{BuildHasherDefault, Hasher};
use core::ops::Range;
use std::collections::{BinaryHeap, HashMap};

use crate::grid::Grid;
use crate::grid::bitmap::Bitmap;
use crate::grid::cell::Cell;
use crate::grid::cost::CostRule;

/// The shortest path of a point from the center of one cell to that of another, in straight lines.
#[derive(Clone, Debug, PartialEq)]
pub struct TautPath {
    points: Vec<[f64; 2]>,
    length: f64,
}

impl TautPath {
    #[cfg(feature = "serde")]
    pub(crate) const fn new(points: Vec<[f64; 2]>, length: f64) -> Self {
        Self { points, length }
    }

    /// Start, corners of walls, goal. Cell (x, y) is the square from (x, y) to (x + 1, y + 1), and its middle at (x +
    /// ½, y + ½).
    #[must_use]
    pub fn points(&self) -> &[[f64; 2]] {
        &self.points
    }

    /// The length, in cell sides.
    #[must_use]
    pub const fn length(&self) -> f64 {
        self.length
    }
}

/// A place in half cells from the top left: even numbers are corners of cells, odd ones their middles.
type Point = [i32; 2];

/// A change of column for each half cell up or down, as a fraction whose denominator is not negative; (±1, 0) is along
/// the row.
#[derive(Clone, Copy, Debug)]
struct Slope(i64, i64);

impl Slope {
    fn compare(self, other: Self) -> Ordering {
        (self.0 * other.1).cmp(&(other.0 * self.1))
    }

    fn max(self, other: Self) -> Self {
        if self.compare(other).is_lt() { other } else { self }
    }

    fn min(self, other: Self) -> Self {
        if self.compare(other).is_gt() { other } else { self }
    }
}

/// What is seen from a point in the rows above it (-1) or below it (1), between two slopes.
#[derive(Clone, Copy, Debug)]
struct Cone {
    down: i32,
    left: Slope,
    right: Slope,
}

/// A stretch of free cells in one row, and the part of a cone that comes into it.
#[derive(Clone, Copy, Debug)]
struct Strip {
    row: i32,
    /// Its sides, in half cells.
    run: [i32; 2],
    cone: Cone,
}

/// What the search knows of a corner.
#[derive(Clone, Copy, Debug)]
struct Node {
    length: f64,
    parent: Point,
    is_done: bool,
}

/// Hashes points. They are not chosen by anyone who would gain from collisions: the map itself is as large.
#[derive(Clone, Copy, Debug, Default)]
struct PointHasher(u64);

impl Hasher for PointHasher {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_i32((*byte).into()));
    }

    /// Multiplied by 2^64 over the golden ratio (D. Knuth, *The Art of Computer Programming*, volume 3, 6.4).
    fn write_i32(&mut self, place: i32) {
        self.0 = (self.0.rotate_left(32) ^ u64::from(place as u32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    /// The table takes its places from the lowest bits, the best ones are the highest.
    fn finish(&self) -> u64 {
        self.0.rotate_left(32)
    }
}

/// How many bits of a place are below a cell, and by how much it may be off after all rows of a map: 2^17 roundings.
const FRACTION: i64 = 32;
const ROUNDING: i64 = 1 << 20;

/// The working memory of searches for taut paths.
#[derive(Clone, Debug, Default)]
pub(crate) struct TautMemory {
    nodes: HashMap<Point, Node, BuildHasherDefault<PointHasher>>,
    /// Lower bounds of the paths through corners, as bits: nonnegative floats have the same order as their bits.
    open: BinaryHeap<Reverse<(u64, Point)>>,
    strips: Vec<Strip>,
}

/// One search.
pub(crate) struct TautSearch<'a> {
    walls: &'a Bitmap,
    /// Whether it may pass between two walls that touch by a corner.
    is_cutting: bool,
    goal: Point,
    /// The length of the shortest path known, in half cells, and the point before the goal on it.
    best: (f64, Option<Point>),
    memory: &'a mut TautMemory,
}

/// The middle of a cell.
fn middle(cell: Cell) -> Point {
    [cell.x, cell.y].map(|place| 2 * place as i32 + 1)
}

fn distance(a: Point, b: Point) -> f64 {
    diagonal((a[0] - b[0]).into(), (a[1] - b[1]).into())
}

/// The length of a line. Squares of places on a map are whole numbers that fit, so only the root is rounded.
fn diagonal(width: f64, height: f64) -> f64 {
    (width * width + height * height).sqrt()
}

/// The shortest way from (0, 0) to (x, height + beyond) that crosses the level line at `height` between two places.
fn shortest_through([left, right]: [f64; 2], height: f64, (x, beyond): (f64, f64)) -> f64 {
    let straight = x * height / (height + beyond);
    // Not `clamp`: it may panic with both numbers, and what tells floats weighs nine kilobytes in the module for JavaScript.
    let crossed = straight.max(left).min(right);
    if crossed == straight {
        diagonal(x, height + beyond)
    } else {
        diagonal(crossed, height) + diagonal(x - crossed, beyond)
    }
}

impl<'a> TautSearch<'a> {
    /// The shortest way between two free cells of one component; `most` is an upper bound of its length.
    pub(crate) fn path(
        grid: &'a Grid,
        rule: CostRule,
        (from, to): (Cell, Cell),
        most: f64,
        memory: &'a mut TautMemory,
    ) -> Option<TautPath> {
        memory.nodes.clear();
        memory.open.clear();
        let (start, is_cutting) = (middle(from), rule == CostRule::OctileCutting);
        // The bound is a sum of roots as well, rounded in another order.
        let best = (2.0 * most + 1e-6, None);
        let mut search = Self { walls: grid.walls(), is_cutting, goal: middle(to), best, memory };
        if from != to {
            search.leave(start);
            while let Some(Reverse((total, corner))) = search.memory.open.pop() {
                if f64::from_bits(total) > search.best.0 {
                    break;
                }
                search.go_on(corner);
            }
            search.best.1?;
        }
        Some(search.found(start))
    }

    fn leave(&mut self, start: Point) {
        let row = (start[1] - 1) / 2;
        let run = self.run((start[0] - 1) / 2, row);
        if self.goal[1] == start[1] && (run[0]..run[1]).contains(&self.goal[0]) {
            self.best = (distance(start, self.goal), Some(start));
        }
        for down in [-1, 1] {
            let cone = Cone { down, left: Slope(-1, 0), right: Slope(1, 0) };
            self.sweep(start, 0.0, Strip { row, run, cone });
        }
    }

    /// Bends around a corner, unless that is done or of no use.
    fn go_on(&mut self, corner: Point) {
        let Some(node) = self.memory.nodes.get_mut(&corner).filter(|node| !node.is_done) else { return };
        node.is_done = true;
        let (length, parent) = (node.length, node.parent);
        let came = [corner[0] - parent[0], corner[1] - parent[1]];
        for wall in self.wall_corners(corner).into_iter().flatten() {
            let Some(cone) = cone(came, wall) else { continue };
            let row = if cone.down > 0 { corner[1] / 2 } else { corner[1] / 2 - 1 };
            let is_leaning_right = cone.right.0 > 0;
            let run = self.run(corner[0] / 2 - i32::from(!is_leaning_right), row);
            self.look_along(corner, length, run, cone);
            self.sweep(corner, length, Strip { row, run, cone });
        }
    }

    /// Opens the corners on the line on which a corner itself lies, if its cone reaches so far.
    fn look_along(&mut self, from: Point, length: f64, run: [i32; 2], cone: Cone) {
        let (end, [first, last]) = match (cone.left.1, cone.right.1) {
            (_, 0) => (run[1], [from[0], run[1]]),
            (0, _) => (run[0], [run[0], from[0]]),
            _ => return,
        };
        let behind = if cone.down > 0 { from[1] / 2 - 1 } else { from[1] / 2 };
        self.open(from, length, [end, from[1]]);
        self.open_ends(from, length, (from[1], behind), first / 2..last / 2, [first, last], |_| {});
    }

    /// Opens all corners in a cone, and the goal if it lies there.
    fn sweep(&mut self, from: Point, length: f64, first: Strip) {
        let mut strips = core::mem::take(&mut self.memory.strips);
        strips.push(first);
        while let Some(strip) = strips.pop() {
            self.sweep_strip(from, length, strip, &mut strips);
        }
        self.memory.strips = strips;
    }

    /// Passes over rows that are clear as far as a cone reaches, and like the next one there and a cell farther: they have
    /// no corner. Ends at the row of the goal. `None` if nothing is left of the cone.
    fn pass_over(&self, from: Point, strip: Strip) -> Option<Strip> {
        let Strip { row, run, cone: Cone { down, left, right } } = strip;
        let to_goal = ((self.goal[1] >> 1) - row) * down;
        if left.1 == 0 || right.1 == 0 || to_goal == 0 {
            return Some(strip);
        }
        // Where the cone meets the far side of the row, in fractions of a cell.
        let [low, high] = [left, right].map(|slope| (slope.0 << (FRACTION - 1)) / slope.1);
        let start = i64::from(from[0]) << (FRACTION - 1);
        let rows = i64::from((2 * row + i32::from(down > 0) * 2 - from[1]).abs());
        let mut places = [start + low * rows - ROUNDING, start + high * rows + ROUNDING];
        let cells = [i64::from(run[0] / 2), i64::from(run[1] / 2) - 1];
        // Whether it reaches the sides of the first row, which are those of all rows that are passed.
        let mut is_wide = [false; 2];
        let mut passed = 0;
        while passed != to_goal {
            let next = [places[0] + 2 * low, places[1] + 2 * high];
            let first = places[0].min(next[0]) >> FRACTION;
            let last = places[1].max(next[1]) >> FRACTION;
            let is_wider = [first < cells[0], last > cells[1]];
            let [first, last] = [first.max(cells[0]), last.min(cells[1])];
            let line = (row + down * passed + 1) as usize;
            // Columns of the bitmap are one more.
            let is_like_next = |first: i64, last: i64| {
                let next_line = line.wrapping_add_signed(down as isize);
                self.walls.is_clear_and_like(first as usize + 1, last as usize + 1, line, next_line)
            };
            if passed > 0 && is_wider != is_wide || first > last || !is_like_next(first, last) {
                break;
            }
            (is_wide, places, passed) = (is_wider, next, passed + 1);
        }
        if passed == 0 {
            return Some(strip);
        }
        // What the sides leave of the cone: those of the first or of the last row passed.
        let narrowed = |(left, right): (Slope, Slope), rows: i64| {
            let [first, last] = run.map(|side| Slope((side - from[0]).into(), rows));
            (left.max(first), right.min(last))
        };
        let (left, right) = narrowed(narrowed((left, right), rows), rows + 2 * i64::from(passed - 1));
        if left.compare(right).is_ge() {
            return None;
        }
        let middle =
            (places[0] - 2 * low).max(cells[0] << FRACTION) + (places[1] - 2 * high).min((cells[1] + 1) << FRACTION);
        let row = row + down * passed;
        let run = self.run((middle >> (FRACTION + 1)) as i32, row);
        Some(Strip { row, run, cone: Cone { down, left, right } })
    }

    fn sweep_strip(&mut self, from: Point, length: f64, strip: Strip, strips: &mut Vec<Strip>) {
        let Some(strip) = self.pass_over(from, strip) else { return };
        let Strip { row, run, cone: Cone { down, left, right } } = strip;
        if self.goal[1] == 2 * row + 1 && self.goal[1] != from[1] {
            let slope = Slope((self.goal[0] - from[0]).into(), (self.goal[1] - from[1]).abs().into());
            let is_in_cone = left.compare(slope).is_le() && slope.compare(right).is_le();
            if is_in_cone && (run[0]..run[1]).contains(&self.goal[0]) {
                self.arrive(from, length + distance(from, self.goal));
            }
        }
        // The line on the far side of the row, and what of it is seen.
        let line = 2 * row + i32::from(down > 0) * 2;
        let rows = i64::from((line - from[1]).abs());
        let [first, last] = run.map(|side| Slope((side - from[0]).into(), rows));
        let (left, right) = (left.max(first), right.min(last));
        if left.compare(right).is_ge() {
            return;
        }
        let place = |slope: Slope| slope.0 as f64 * rows as f64 / slope.1 as f64;
        let goal = (f64::from(self.goal[0] - from[0]), f64::from((line - self.goal[1]).abs()));
        if length + shortest_through([place(left), place(right)], rows as f64, goal) > self.best.0 {
            return;
        }
        let column = |slope: Slope| i64::from(from[0]) * slope.1 + slope.0 * rows;
        // The first and the last even places that are seen: sides of cells.
        let first = 2 * div_ceil(column(left), 2 * left.1) as i32;
        let last = 2 * column(right).div_euclid(2 * right.1) as i32;
        let cells = column(left).div_euclid(2 * left.1) as i32..div_ceil(column(right), 2 * right.1) as i32;
        if first <= last {
            self.open(from, length, [first, line]);
            self.open(from, length, [last, line]);
        }
        let row = row + down;
        self.open_ends(from, length, (line, row), cells, [first, last], |run| {
            let [near, far] = run.map(|side| Slope((side - from[0]).into(), rows));
            strips.push(Strip { row, run, cone: Cone { down, left: left.max(near), right: right.min(far) } });
        });
    }

    /// Opens the corners between two places on a line at which stretches of free cells in the row beyond end, and
    /// reports those stretches, as far as they share the inside of a cell with these.
    fn open_ends(
        &mut self,
        from: Point,
        length: f64,
        (line, row): (i32, i32),
        cells: Range<i32>,
        [first, last]: [i32; 2],
        mut report: impl FnMut([i32; 2]),
    ) {
        let mut cell = cells.start;
        while let Some(start) = self.next_free(cell, row).filter(|start| *start < cells.end) {
            let run = self.run(start, row);
            for side in run.into_iter().filter(|side| (first + 1..last).contains(side)) {
                self.open(from, length, [side, line]);
            }
            report(run);
            cell = run[1] / 2;
        }
    }

    /// Notes a path to the goal.
    fn arrive(&mut self, from: Point, length: f64) {
        if length < self.best.0 {
            self.best = (length, Some(from));
        }
    }

    /// Opens a point if it is a corner of a wall around which a string from here may bend, and this way to it is the
    /// shortest so far.
    fn open(&mut self, from: Point, length: f64, corner: Point) {
        let came = [corner[0] - from[0], corner[1] - from[1]];
        if !self.wall_corners(corner).into_iter().flatten().any(|wall| cone(came, wall).is_some()) {
            return;
        }
        let length = length + distance(from, corner);
        let total = length + distance(corner, self.goal);
        if total > self.best.0 || self.memory.nodes.get(&corner).is_some_and(|node| node.length <= length) {
            return;
        }
        self.memory.nodes.insert(corner, Node { length, parent: from, is_done: false });
        self.memory.open.push(Reverse((total.to_bits(), corner)));
    }

    /// The walls that have a corner at this place around which one can go, each as the direction in which it lies: one
    /// if three of the cells around are free; two if they touch by their corners and may be passed between.
    fn wall_corners(&self, [x, y]: Point) -> [Option<Point>; 2] {
        const AROUND: [Point; 4] = [[-1, -1], [1, -1], [-1, 1], [1, 1]];
        let [above, below] = [0, 1].map(|beside| self.walls.three((x / 2 + 1) as usize, (y / 2 + beside) as usize) & 3);
        let first = |wall: usize| [Some(AROUND[wall]), None];
        match below << 2 | above {
            0b0001 => first(0),
            0b0010 => first(1),
            0b0100 => first(2),
            0b1000 => first(3),
            0b1001 if self.is_cutting => [Some(AROUND[0]), Some(AROUND[3])],
            0b0110 if self.is_cutting => [Some(AROUND[1]), Some(AROUND[2])],
            _ => [None; 2],
        }
    }

    /// The first free cell of a row from a column on.
    fn next_free(&self, column: i32, row: i32) -> Option<i32> {
        self.walls.next_clear((column + 1) as usize, (row + 1) as usize).map(|column| column as i32 - 1)
    }

    /// The sides of the stretch of free cells around one.
    fn run(&self, column: i32, row: i32) -> [i32; 2] {
        let (x, line) = ((column + 1) as usize, (row + 1) as usize);
        let (behind, ahead) = (self.walls.behind(x, line) as i32, self.walls.ahead(x, line) as i32);
        [2 * (column - behind + 1), 2 * (column + ahead)]
    }

    /// The path found.
    fn found(&self, start: Point) -> TautPath {
        let parent = |point: &Point| self.memory.nodes.get(point).map(|node| node.parent);
        let last = self.best.1.filter(|last| *last != start);
        let mut points: Vec<Point> = vec![self.goal];
        points.extend(core::iter::successors(last, |point| parent(point).filter(|parent| *parent != start)));
        points.extend(Some(start).filter(|start| *start != self.goal));
        points.reverse();
        let length = points.windows(2).fold(0.0, |sum, pair| sum + distance(pair[0], pair[1])) / 2.0;
        TautPath { points: points.into_iter().map(|point| point.map(|half| f64::from(half) / 2.0)).collect(), length }
    }
}

/// The directions in which a taut string may go on from a corner: between straight on and along the wall. `came` is the
/// direction of the string; `None` if the wall is not beside the string but ahead of it.
fn cone(came: Point, wall: Point) -> Option<Cone> {
    let [dx, dy] = came;
    // Whether the wall lies ahead (1) or behind (-1) by column and by row.
    let [ahead_x, ahead_y] = [(dx * wall[0]).signum(), (dy * wall[1]).signum()];
    let straight_on = Slope(dx.into(), dy.abs().into());
    let (down, along) = match (ahead_x, ahead_y) {
        // Along the wall's side that is level, or its upright one.
        (1, -1) | (0, -1) => (dy.signum(), Slope(wall[0].into(), 0)),
        (-1, 1) => (dy.signum(), Slope(0, 1)),
        (-1, 0) => (wall[1], Slope(0, 1)),
        _ => return None,
    };
    Some(Cone { down, left: straight_on.min(along), right: straight_on.max(along) })
}

/// The quotient of whole numbers, rounded up; the divisor is positive.
const fn div_ceil(a: i64, b: i64) -> i64 {
    -(-a).div_euclid(b)
}
