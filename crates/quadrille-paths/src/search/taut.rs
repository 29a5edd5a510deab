//! Taut paths: the shortest path of a point among walls, in any direction.
//!
//! Walls are closed squares, along whose sides and around whose corners the point may move. Such a path is a chain of
//! straight lines that bends only around corners of walls, as a taut string does. The search is A* over those corners.
//! What can be seen from a corner is found by sweeping, row by row, the cone in which a string that arrives there may
//! continue, between straight ahead and along the wall around which it bends: less than a right angle. Walls in the
//! cone split it. What is seen from corners that are reached repeatedly is stored.
//!
//! The cone is that of D. Harabor and A. Grastien, *An Optimal Any-Angle Pathfinding Algorithm*, ICAPS 2013; it is
//! swept to its end in one go, as for the sparse visibility graphs of S. Oh and H. Leong, *Edge N-Level Sparse
//! Visibility Graphs*, SoCS 2017. Cones are compared in whole numbers: everything visible is found, also along walls
//! and past two corners in one line. Cones without an interior are left out, because everything there is seen straight
//! ahead from the corner that narrowed the cone.
//!
//! | file | contents |
//! |---|---|
//! | this one | a search from corner to corner |
//! | `sweep` | what is seen from a point |
//! | `ray` | whether one point is seen from another |
//! | `seen` | what was seen from corners, and whether that is still valid |

mod ray;
mod seen;
mod sweep;

use core::cmp::{Ordering, Reverse};
use core::ops::Range;
use std::collections::BinaryHeap;

use crate::grid::{Bitmap, Cell, CellRect, CostRule, Edits, Grid};
use ray::sides_of_line;
use seen::{Known, Places};
use sweep::{Cone, LEFT, Limit, RIGHT, SLACK, Sides, Slope, Sweep, Swept, cone, wall_corners};

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

/// A position in half cells from the top left: even numbers are corners of cells, odd ones their centers.
type Point = [i32; 2];

/// The start, as the parent of corners.
const START: u32 = u32::MAX;

/// The position of no corner, ordered before all corners.
const NOWHERE: Point = [i32::MIN; 2];

/// Factor of a batch: all that leads to paths of up to this many times the current bound is examined at once. Some of
/// that work is wasted, but few sweeps are resumed.
const AHEAD: f64 = 1.1;

/// Sweeps from corners look farther by this factor: what is seen from a corner is stored only if it is complete.
const WHOLE: f64 = 4.0;

/// The state of a corner in the search.
#[derive(Clone, Copy, Debug, Default)]
struct Node {
    /// The search that reached it; 0 for none.
    search: u32,
    parent: u32,
    /// Where it is stored that the parent sees it, or `NOT_STORED`.
    seen: u32,
    is_done: bool,
    length: f64,
}

/// In place of an index of a visible corner that is stored.
const NOT_STORED: u32 = u32::MAX;

/// What is seen from the start or from a corner, as far as it is postponed.
#[derive(Clone, Debug)]
enum Later {
    /// Strips of its sweep.
    Strips(Range<usize>),
    /// Part of what is stored for it, in a bend.
    Seen(Range<usize>, Bend),
}

/// The working memory of searches for taut paths.
#[derive(Clone, Debug, Default)]
pub(crate) struct TautMemory {
    places: Places,
    nodes: Vec<Node>,
    /// The number of the current search.
    search: u32,
    /// Lower bounds of the paths through corners, as bits: nonnegative floats have the same order as their bits. And of
    /// paths through what is postponed, which has its index in `later` instead of a corner's number, and the position
    /// [`NOWHERE`].
    open: BinaryHeap<Reverse<(u64, Point, u32)>>,
    later: Vec<(u32, Later)>,
    swept: Swept,
}

impl TautMemory {
    fn begin(&mut self, edits: &Edits) {
        self.search = self.search.wrapping_add(1);
        if !self.places.begin(edits) || self.search == 0 {
            self.nodes.clear();
            self.search = 1;
        }
        self.open.clear();
        self.later.clear();
        self.swept.later.clear();
    }

    /// The state of each corner in this search, by number.
    fn node(&mut self, number: u32) -> &mut Node {
        if self.nodes.len() <= number as usize {
            self.nodes.resize(self.places.count(), Node::default());
        }
        &mut self.nodes[number as usize]
    }

    /// Bytes on the heap.
    pub(crate) fn bytes(&self) -> usize {
        self.places.bytes()
            + self.nodes.capacity() * size_of::<Node>()
            + self.open.capacity() * size_of::<Reverse<(u64, Point, u32)>>()
            + self.later.capacity() * size_of::<(u32, Later)>()
            + self.swept.bytes()
    }
}

/// One search.
pub(crate) struct TautSearch<'a> {
    walls: &'a Bitmap,
    edits: &'a Edits,
    /// Whether it may pass between two walls that touch at a corner.
    is_cutting: bool,
    start: Point,
    goal: Point,
    /// What leads only to paths longer than this, in half cells, is postponed.
    most: f64,
    memory: &'a mut TautMemory,
}

/// The center of a cell.
fn middle(cell: Cell) -> Point {
    [cell.x, cell.y].map(|place| 2 * place as i32 + 1)
}

fn distance(a: Point, b: Point) -> f64 {
    diagonal((a[0] - b[0]).into(), (a[1] - b[1]).into())
}

/// The length of a line. Squares of coordinates are whole numbers that fit, so only the root is rounded.
fn diagonal(width: f64, height: f64) -> f64 {
    (width * width + height * height).sqrt()
}

impl<'a> TautSearch<'a> {
    /// The shortest path between two free cells of one component.
    pub(crate) fn path(
        (grid, edits): (&'a Grid, &'a Edits),
        rule: CostRule,
        (from, to): (Cell, Cell),
        memory: &'a mut TautMemory,
    ) -> Option<TautPath> {
        memory.begin(edits);
        let is_cutting = rule == CostRule::OctileCutting;
        let (start, goal) = (middle(from), middle(to));
        let most = distance(start, goal) * AHEAD;
        let mut search = Self { walls: grid.walls(), edits, is_cutting, start, goal, most, memory };
        let last = if from == to { None } else { Some(search.run()?) };
        Some(search.found(last))
    }

    /// Finds the last corner before the goal, or the start.
    fn run(&mut self) -> Option<u32> {
        if sides_of_line(self.walls, self.start, self.goal) != 0 {
            return Some(START);
        }
        self.sweep(self.start, 0.0, 1.0).around();
        self.open_swept(self.start, 0.0, START);
        while let Some(Reverse((total, corner, number))) = self.memory.open.pop() {
            let total = f64::from_bits(total);
            // More than rounding can take from what is postponed.
            if total + 2.0 * SLACK > self.most {
                self.most = total * AHEAD;
            }
            if corner == NOWHERE {
                self.take_up(number);
            } else if self.go_on(corner, number) {
                return Some(number);
            }
        }
        None
    }

    /// A sweep from a point that is reached at this length. It postpones what leads to paths longer than `times` the
    /// current limit.
    fn sweep(&mut self, from: Point, length: f64, times: f64) -> Sweep<'_> {
        let limit = Some(Limit { length, to: self.goal, most: times * self.most });
        Sweep { walls: self.walls, is_cutting: self.is_cutting, from, limit, swept: &mut self.memory.swept }
    }

    /// Bends around a corner, unless that has been done; returns whether the goal is seen from there.
    fn go_on(&mut self, corner: Point, number: u32) -> bool {
        let node = self.memory.node(number);
        if node.is_done {
            return false;
        }
        node.is_done = true;
        let Node { length, parent, seen, .. } = *node;
        let parent = if parent == START { self.start } else { self.memory.places.point(parent) };
        let came = [corner[0] - parent[0], corner[1] - parent[1]];
        let straight_on = Slope(came[0].into(), came[1].abs().into());
        let bends = wall_corners(self.walls, self.is_cutting, corner)
            .map(|wall| Some(Bend { cone: cone(came, wall?)?, straight_on }));
        // Everything shorter has been examined.
        if bends.iter().flatten().any(|bend| self.is_goal_seen(corner, bend)) {
            return true;
        }
        let mut leads = false;
        for bend in bends.iter().flatten() {
            leads |= self.look(corner, length, number, bend);
        }
        if !leads && seen != NOT_STORED {
            self.memory.places.note_dead_end(seen as usize);
        }
        false
    }

    /// Whether a string that bends around a corner may continue to the goal.
    fn is_goal_seen(&self, corner: Point, bend: &Bend) -> bool {
        let slope = Slope::between(corner, self.goal);
        let is_ahead = bend.is_in_quadrant([self.goal[0] - corner[0], self.goal[1] - corner[1]])
            && bend.order([slope, bend.straight_on]).is_le();
        let sides = if is_ahead { sides_of_line(self.walls, corner, self.goal) } else { 0 };
        sides != 0 && bend.leads_to(slope, sides)
    }

    /// Opens the corners that are seen from one; returns whether there may be any but dead ends.
    fn look(&mut self, corner: Point, length: f64, number: u32, bend: &Bend) -> bool {
        let range = match self.memory.places.known(self.edits, number, bend) {
            Known::Stored(range) => range,
            Known::ToStore => {
                Sweep { limit: None, ..self.sweep(corner, length, WHOLE) }.cone(bend.cone);
                let TautMemory { places, swept, .. } = &mut *self.memory;
                places.store(number, bend, swept)
            }
            Known::No => {
                self.sweep(corner, length, WHOLE).cone(bend.cone);
                let TautMemory { places, swept, .. } = &mut *self.memory;
                if swept.is_cut_short() {
                    self.open_swept(corner, length, number);
                    return true;
                }
                places.store(number, bend, swept)
            }
        };
        self.open_seen((corner, number), length, range, bend)
    }

    /// Opens the stored corners, and postpones those that are too far; returns whether any is no dead end.
    fn open_seen(&mut self, from: (Point, u32), length: f64, range: Range<usize>, bend: &Bend) -> bool {
        let (mut next, mut leads) = (f64::INFINITY, false);
        for index in range.clone() {
            let seen = self.memory.places.seen(index);
            let slope = Slope::between(from.0, seen.point);
            if bend.order([bend.straight_on, slope]).is_lt() {
                break;
            }
            if bend.leads_to(slope, seen.sides) {
                let is_dead_end = self.memory.places.is_dead_end(&seen);
                leads |= !is_dead_end;
                if !leads {
                    self.memory.places.note_beyond(from.1, seen.number);
                }
                let length = length + distance(from.0, seen.point);
                let total = length + distance(seen.point, self.goal);
                let is_dead_end = is_dead_end && !self.memory.places.may_lead_to(seen.number, self.goal);
                if total > self.most && !is_dead_end {
                    next = next.min(total);
                } else {
                    self.open((from.1, index as u32), (length, total), (seen.point, seen.number), is_dead_end);
                }
            }
        }
        if next < f64::INFINITY {
            self.put_off(next, from.1, Later::Seen(range, *bend));
        }
        leads
    }

    /// Postpones what is seen from a corner.
    fn put_off(&mut self, total: f64, number: u32, later: Later) {
        // Ordered before all corners at the same distance.
        self.memory.open.push(Reverse(((total - SLACK).max(0.0).to_bits(), NOWHERE, self.memory.later.len() as u32)));
        self.memory.later.push((number, later));
    }

    /// Resumes what was postponed.
    fn take_up(&mut self, index: u32) {
        let (number, later) = self.memory.later[index as usize].clone();
        let (from, length) = if number == START {
            (self.start, 0.0)
        } else {
            (self.memory.places.point(number), self.memory.node(number).length)
        };
        match later {
            Later::Strips(strips) => {
                self.sweep(from, length, 1.0).go_on(strips);
                self.open_swept(from, length, number);
            }
            Later::Seen(range, bend) => _ = self.open_seen((from, number), length, range, &bend),
        }
    }

    /// Opens all corners that the last sweep has found, and postpones what is beyond it.
    fn open_swept(&mut self, from: Point, length: f64, number: u32) {
        for index in 0..self.memory.swept.corners.len() {
            let (corner, _) = self.memory.swept.corners[index];
            let to = self.memory.places.number(corner);
            let length = length + distance(from, corner);
            let lengths = (length, length + distance(corner, self.goal));
            self.open((number, NOT_STORED), lengths, (corner, to), false);
        }
        if let Some((total, strips)) = self.memory.swept.rest() {
            self.put_off(total, number, Later::Strips(strips));
        }
    }

    /// Opens a corner, if this path to it is the shortest so far and not a dead end.
    fn open(
        &mut self,
        (parent, seen): (u32, u32),
        (length, total): (f64, f64),
        (corner, number): (Point, u32),
        is_dead_end: bool,
    ) {
        let search = self.memory.search;
        let node = self.memory.node(number);
        if node.search == search && node.length <= length {
            return;
        }
        *node = Node { search, parent, seen, is_done: is_dead_end, length };
        if !is_dead_end {
            self.memory.open.push(Reverse((total.to_bits(), corner, number)));
        }
    }

    /// The path whose last corner this is.
    fn found(&self, last: Option<u32>) -> TautPath {
        let corner = |number: u32| Some(number).filter(|number| *number != START);
        let last = last.and_then(corner);
        let corners = core::iter::successors(last, |number| corner(self.memory.nodes[*number as usize].parent));
        let mut points = Vec::with_capacity(16);
        points.push(self.goal);
        points.extend(corners.map(|number| self.memory.places.point(number)));
        points.extend(Some(self.start).filter(|start| *start != self.goal));
        points.reverse();
        let length = points.windows(2).fold(0.0, |sum, pair| sum + distance(pair[0], pair[1])) / 2.0;
        TautPath { points: points.into_iter().map(|point| point.map(|half| f64::from(half) / 2.0)).collect(), length }
    }
}

/// A string that bends around a corner.
#[derive(Clone, Copy, Debug)]
struct Bend {
    cone: Cone,
    /// One side of the cone; the other is along the wall.
    straight_on: Slope,
}

impl Bend {
    fn is_straight_left(&self) -> bool {
        self.straight_on.compare(self.cone.left).is_eq()
    }

    /// Which of two directions in its quadrant is nearer to the wall.
    fn order(&self, [a, b]: [Slope; 2]) -> Ordering {
        if self.is_straight_left() { b.compare(a) } else { a.compare(b) }
    }

    /// Whether the string may continue in a direction of its quadrant: straight ahead only if that line is free toward
    /// the wall.
    fn leads_to(&self, slope: Slope, sides: Sides) -> bool {
        let toward_wall = if self.is_straight_left() { RIGHT } else { LEFT };
        match self.order([slope, self.straight_on]) {
            Ordering::Less => true,
            Ordering::Equal => sides & toward_wall != 0,
            Ordering::Greater => false,
        }
    }

    /// Whether a point at this offset from the corner is in the quadrant of the cone.
    const fn is_in_quadrant(&self, [dx, dy]: [i32; 2]) -> bool {
        (dx > 0) == self.cone.is_right() && (dy > 0) == (self.cone.down > 0)
    }

    /// Whether everything to which another string may continue at the same corner is in the cone of this one.
    fn covers(&self, other: &Self) -> bool {
        self.is_straight_left() == other.is_straight_left() && self.order([other.straight_on, self.straight_on]).is_le()
    }

    /// Whether a part of a rectangle of cells may be on the cone's side of the line straight ahead from a corner.
    fn may_lead_into(&self, from: Point, cells: CellRect) -> bool {
        let places = |first: u32, count: u32| [2 * i64::from(first), 2 * (i64::from(first) + i64::from(count))];
        let columns = places(cells.x, cells.width).map(|place| place - i64::from(from[0]));
        let rows = places(cells.y, cells.height).map(|place| (place - i64::from(from[1])) * i64::from(self.cone.down));
        let Slope(across, along) = self.straight_on;
        rows.into_iter().any(|row| {
            let [first, last] = columns.map(|column| column * along - across * row.max(0));
            if self.is_straight_left() { last >= 0 } else { first <= 0 }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::seen::MaxSeen;
    use super::*;

    #[test]
    fn what_is_stored_changes_no_path_whatever_is_edited_and_whichever_map_is_next() {
        let (mut memory, mut forgotten, mut stored, mut bends) = (TautMemory::default(), 0, 0, 0);
        memory.places.max_seen = MaxSeen(8_000);
        for (seed, rule) in
            (0..12).flat_map(|seed| [CostRule::Octile, CostRule::OctileCutting].map(|rule| (seed, rule)))
        {
            let random = |step: u32, what: u32, below: u32| {
                let mixed = (step * 0x9e37 + what * 0x85eb + seed * 0xc2b3).wrapping_mul(0x27d4_eb2f);
                ((mixed ^ mixed >> 15).wrapping_mul(0x2c1b_3c6d) >> 13) % below
            };
            // Walls as in rooms, or noise.
            let (width, height) = (70 + seed * 5, 40);
            let is_free = |cell: Cell| match seed % 3 {
                0 => (cell.x % 11 != 7 || cell.y % 11 == 3) && (cell.y % 13 != 9 || cell.x % 11 == 2),
                1 => random(cell.x, cell.y, 9) > 0,
                _ => random(cell.x / 4, cell.y / 3, 4) > 0,
            };
            let mut grid = Grid::from_fn(width, height, is_free).unwrap();
            let mut edits = Edits::new(width, height);
            for step in 0..160 {
                if random(step, 1, 3) == 0 {
                    let rect =
                        CellRect::new(random(step, 2, width), random(step, 3, height), 1 + step % 3, 1 + step % 2);
                    let rect = rect.clamped(width, height);
                    rect.cells().for_each(|cell| grid.set(cell, !grid.is_free(cell)));
                    edits.note(rect);
                }
                if step == 100 {
                    // A copy is another map, whose edits may differ.
                    edits = edits.clone();
                    grid.set(Cell::new(width / 2, height / 2), step % 2 == 0);
                    edits.note(CellRect::new(width / 2, height / 2, 1, 1));
                }
                let end = |what: u32| Cell::new(random(step % 40, what, width), random(step % 40, what + 1, height));
                let ends = (end(4), end(6));
                if !grid.is_free(ends.0) || !grid.is_free(ends.1) {
                    continue;
                }
                let before = memory.places.count();
                let fresh = TautSearch::path((&grid, &edits), rule, ends, &mut TautMemory::default());
                let known = TautSearch::path((&grid, &edits), rule, ends, &mut memory);
                assert_eq!(fresh, known, "{rule:?} {seed} {step} {ends:?}");
                bends += fresh.map_or(0, |path| path.points().len());
                forgotten += usize::from(memory.places.count() < before);
                stored = memory.places.stored().max(stored);
            }
        }
        assert!(forgotten > 30 && stored > 500 && bends > 3_000, "{forgotten} {stored} {bends}");
    }

    #[test]
    fn what_is_stored_outlasts_any_number_of_edits_elsewhere() {
        let rule = CostRule::Octile;
        let is_wall =
            |cell: Cell| cell.x < 60 && (cell.x % 11 == 7 && cell.y % 11 != 3 || cell.y % 13 == 9 && cell.x % 11 != 2);
        let mut grid = Grid::from_fn(200, 60, |cell| cell.x != 60 && !is_wall(cell)).unwrap();
        let (mut edits, mut memory) = (Edits::new(200, 60), TautMemory::default());
        let ask = |grid: &Grid, edits: &Edits, memory: &mut TautMemory| {
            for end in 0..30_u32 {
                let ends = (Cell::new(end * 7 % 59, end * 11 % 60), Cell::new(end * 13 % 59, end * 17 % 60));
                if grid.is_free(ends.0) && grid.is_free(ends.1) {
                    let fresh = TautSearch::path((grid, edits), rule, ends, &mut TautMemory::default());
                    assert_eq!(TautSearch::path((grid, edits), rule, ends, memory), fresh, "{ends:?}");
                }
            }
            memory.places.stored()
        };
        (0..3).for_each(|_| _ = ask(&grid, &edits, &mut memory));
        let stored = ask(&grid, &edits, &mut memory);
        assert!(stored > 100, "{stored}");
        let mut flip = |x: u32, count: u32, memory: &mut TautMemory| {
            for edit in 0..count {
                let cell = Cell::new(x + edit * 31 % 40, edit * 7 % 60);
                grid.set(cell, !grid.is_free(cell));
                edits.note(CellRect::new(cell.x, cell.y, 1, 1));
            }
            ask(&grid, &edits, memory)
        };
        for count in [255, 256, 257, 1_000] {
            assert_eq!(flip(110, count, &mut memory), stored, "{count}");
        }
        assert_ne!(flip(10, 299, &mut memory), stored);
    }
}
