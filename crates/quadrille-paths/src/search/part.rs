//! Many paths in one part of a map, from cell to cell.
//!
//! Among many walls there are as many corners as cells, and a search from corner to corner pays more for each than a
//! search from cell to cell does (see [`turns`](crate::walks::turns) for the steps that it may leave out). Here the
//! search has a compact copy of the part of the map: bytes for walls, lengths of 32 bits, all of it in the fastest
//! caches. From a goal that many share, one search finds all their paths.
//!
//! Everything around the part is represented by a ring of free cells: a path that leaves the part and returns is then no
//! longer than it really is. So a path that does not touch the ring is a shortest one; for a path that does, only a
//! lower bound on the length is known.

use crate::grid::{Cell, CellRect, CostRule, Direction, Fixed, Grid, Length};
use crate::open_list::OpenList;
use crate::path::Path;
use crate::walks::{Directions, turns};

/// A straight step and a diagonal one. No fraction with a smaller denominator is closer to √2: as long as a path has
/// fewer diagonal steps than this, lengths are equal only if their steps are, and otherwise ordered correctly.
const STRAIGHT: u32 = 13_860;
const DIAGONAL: u32 = 19_601;
/// Lengths from here on are ignored.
const LIMIT: u32 = (STRAIGHT - 1) * DIAGONAL;
/// The number of searches left for a new part, above the bits of a length.
const FIRST: u64 = (u16::MAX as u64) << u32::BITS;
/// The width of a bucket of the open list, as a power of two: about a quarter of a step.
const BUCKET: u32 = 12;
/// A unit, rounded down: lower bounds remain bounds.
const UNIT: u64 = (1 << 32) / STRAIGHT as u64 - 1;

const _: () = assert!(UNIT * DIAGONAL as u64 <= Fixed::of_step(Direction::NorthEast, 1).to_bits());

/// The state of a cell in a search, in one number, so that one comparison shows whether a path to it is shorter than the
/// known one: how many searches are left, so that what earlier ones wrote is greater; the length; the directions in
/// which shortest paths arrive; and those of them already expanded.
#[derive(Clone, Copy, Debug)]
struct Node(u64);

impl Node {
    const NONE: Self = Self(u64::MAX);

    #[inline]
    const fn of(key: u64, arrivals: Directions) -> Self {
        Self(key << 16 | (arrivals as u64) << 8)
    }

    /// The searches left and the length.
    #[inline]
    const fn key(self) -> u64 {
        self.0 >> 16
    }

    #[inline]
    const fn arrivals(self) -> Directions {
        (self.0 >> 8) as Directions
    }

    /// The arrivals not yet expanded.
    #[inline]
    const fn open(self) -> Directions {
        self.arrivals() & !(self.0 as Directions)
    }

    /// Records a path with this key and last direction; returns whether it is a shortest one so far, and the first
    /// with its last direction.
    #[inline]
    fn reach(&mut self, key: u64, direction: usize) -> bool {
        if key < self.key() {
            *self = Self::of(key, 1 << direction);
        } else if key == self.key() && self.arrivals() >> direction & 1 == 0 {
            self.0 |= 1 << (8 + direction);
        } else {
            return false;
        }
        true
    }

    /// With all arrivals expanded.
    #[inline]
    const fn done(self) -> Self {
        Self(self.0 & !0xff | self.arrivals() as u64)
    }
}

/// A part of a map, with a ring around it and a border of walls around that.
#[derive(Debug)]
pub(crate) struct Part {
    /// By walls and direction of the last step, the steps that a shortest path may take; from the start, any.
    steps: Vec<[Directions; 8]>,
    rule: CostRule,
    /// The cell of index 0, which may be before the map's first row or column. The length of rows is a power of two.
    left: i32,
    top: i32,
    row: u32,
    size: [u32; 2],
    /// By index, the walls around a cell; meaningless for a wall itself.
    walls: Vec<u8>,
    nodes: Vec<Node>,
    /// The searches left, above the bits of a length.
    to_come: u64,
    open: OpenList,
    expanded: u64,
}

impl Part {
    /// The part of a map that a rectangle covers.
    pub(crate) fn new(grid: &Grid, rule: CostRule, rect: CellRect) -> Self {
        let (left, top) = (rect.x as i32 - 2, rect.y as i32 - 2);
        let (width, height) = (rect.width + 4, rect.height + 4);
        let row = width.next_power_of_two().trailing_zeros();
        let mut blocked = vec![1; (height as usize) << row];
        let ring = rect.widened(1, 1).clamped(grid.width(), grid.height());
        for cell in ring.cells() {
            let index = (cell.y as i32 - top) << row | (cell.x as i32 - left);
            blocked[index as usize] = u8::from(rect.contains(cell) && !grid.is_free(cell));
        }
        // Many cells at a time: what is around the border does not matter.
        let mut walls = vec![u8::MAX; blocked.len()];
        for (y, walls) in walls.chunks_exact_mut(1 << row).enumerate().skip(1).take(rect.height as usize + 2) {
            let [north, here, south] = [y - 1, y, y + 1].map(|y| &blocked[y << row..][..1 << row]);
            let rows = north.windows(3).zip(here.windows(3)).zip(south.windows(3));
            for (walls, ((north, here), south)) in walls[1..].iter_mut().zip(rows) {
                let around = [north[1], north[2], here[2], south[2], south[1], south[0], here[0], north[0]];
                let ring = around.iter().rev().fold(0, |ring, wall| ring << 1 | wall);
                *walls = ring | 0_u8.wrapping_sub(here[1]);
            }
        }
        let steps = turns(rule).iter().enumerate().map(|(walls, turns)| {
            let legal = rule.legal_steps(walls as u8);
            // The turns of the Manhattan rule do not describe single steps.
            turns.map(|directions| if rule == CostRule::Manhattan { legal } else { legal & directions })
        });
        Self {
            steps: steps.collect(),
            rule,
            left,
            top,
            row,
            size: [width, height],
            nodes: vec![Node::NONE; walls.len()],
            walls,
            to_come: FIRST,
            open: OpenList::default(),
            expanded: 0,
        }
    }

    /// How many cells the last search expanded.
    pub(crate) const fn expanded(&self) -> u64 {
        self.expanded
    }

    /// A path between two free cells, if it is known to be a shortest one, and found by expanding at most this many
    /// cells.
    pub(crate) fn path(&mut self, from: Cell, to: Cell, most: u64) -> Option<Path> {
        self.expanded = 0;
        let (start, goal) = (self.index(from)?, self.index(to)?);
        if self.run(start, Some(goal), most) { self.trace(goal).map(Path::reversed) } else { None }
    }

    /// Computes the distance of all cells from a goal.
    pub(crate) fn look_from(&mut self, goal: Cell) {
        if let Some(goal) = self.index(goal) {
            self.run(goal, None, u64::MAX);
        }
    }

    /// A path to the goal that was last [searched from](Self::look_from), if it is known to be a shortest one.
    pub(crate) fn path_to_goal(&self, from: Cell) -> Option<Path> {
        self.trace(self.index(from)?)
    }

    /// A lower bound on the length of a path to that goal.
    #[inline]
    pub(crate) fn bound(&self, cell: Cell) -> Fixed {
        let length = self.index(cell).map_or(0, |index| self.length(index).unwrap_or(0).min(LIMIT));
        Fixed::from_bits(u64::from(length) * UNIT)
    }

    /// The index of a cell of the rectangle or its ring.
    #[inline]
    fn index(&self, cell: Cell) -> Option<u32> {
        let (x, y) = (cell.x as i32 - self.left, cell.y as i32 - self.top);
        let is_inside = (1..self.size[0] as i32 - 1).contains(&x) && (1..self.size[1] as i32 - 1).contains(&y);
        is_inside.then_some((y as u32) << self.row | x as u32)
    }

    #[inline]
    const fn place(&self, index: u32) -> [u32; 2] {
        [index & ((1 << self.row) - 1), index >> self.row]
    }

    fn length(&self, index: u32) -> Option<u32> {
        let key = self.nodes[index as usize].key();
        (key >> u32::BITS == self.to_come >> u32::BITS).then_some(key as u32)
    }

    /// The length between two cells without walls.
    #[inline]
    fn distance(&self, from: [u32; 2], to: [u32; 2]) -> u32 {
        let (dx, dy) = (from[0].abs_diff(to[0]), from[1].abs_diff(to[1]));
        if self.rule == CostRule::Manhattan {
            STRAIGHT * (dx + dy)
        } else {
            STRAIGHT * dx.abs_diff(dy) + DIAGONAL * dx.min(dy)
        }
    }

    /// Searches from one cell to another, or everywhere; returns false if more than `most` cells would have to be
    /// expanded.
    fn run(&mut self, start: u32, goal: Option<u32>, most: u64) -> bool {
        self.to_come -= 1 << u32::BITS;
        if self.to_come == 0 {
            self.nodes.fill(Node::NONE);
            self.to_come = FIRST;
        }
        self.expanded = 0;
        self.open.clear();
        let offsets = offsets(self.row);
        let target = goal.map(|goal| self.place(goal));
        self.nodes[start as usize] = Node::of(self.to_come, 0);
        self.open.push_to(0, start);
        let mut last = u64::MAX;
        while let Some((_, item)) = self.open.pop().filter(|(bucket, _)| *bucket <= last) {
            if self.expanded > most {
                return false;
            }
            let (walls, node) = (usize::from(self.walls[item as usize]), self.nodes[item as usize]);
            let (key, first) = (node.key(), if item == start { self.rule.legal_steps(walls as u8) } else { 0 });
            let steps = &self.steps[walls];
            let directions = Direction::places(node.open()).fold(first, |all, arrival| all | steps[arrival]);
            self.nodes[item as usize] = node.done();
            self.expanded += u64::from(directions != 0);
            for direction in Direction::places(directions) {
                let next = item.wrapping_add_signed(offsets[direction] as i32);
                let step = if direction % 2 == 0 { STRAIGHT } else { DIAGONAL };
                let total = key + u64::from(step);
                if !self.nodes[next as usize].reach(total, direction) {
                    continue;
                }
                let sum = total as u32 + target.map_or(0, |target| self.distance(self.place(next), target));
                if sum < LIMIT {
                    let bucket = u64::from(sum >> BUCKET);
                    if Some(next) == goal {
                        last = bucket;
                    } else {
                        self.open.push_to(bucket, next);
                    }
                }
            }
        }
        true
    }

    /// The path from a cell back to where the last search started, if it does not touch the ring.
    fn trace(&self, from: u32) -> Option<Path> {
        let length = self.length(from).filter(|length| *length < LIMIT)?;
        let (offsets, mut cells, mut steps, mut here) = (offsets(self.row), Vec::new(), Length::ZERO, from);
        cells.reserve_exact((length / STRAIGHT) as usize + 1);
        loop {
            let [x, y] = self.place(here);
            if [x, y].into_iter().zip(self.size).any(|(at, size)| at < 2 || at >= size - 2) {
                return None;
            }
            cells.push(Cell::new((x as i32 + self.left) as u32, (y as i32 + self.top) as u32));
            let arrivals = self.nodes[here as usize].arrivals();
            if arrivals == 0 {
                return Some(Path::new(cells, steps));
            }
            let direction = arrivals.trailing_zeros() as usize;
            steps = steps + Length::of_step(Direction::ALL[direction]);
            here = here.wrapping_add_signed(-offsets[direction] as i32);
        }
    }
}

/// The index offset of the neighbor in each direction; the length of rows is two to this power.
fn offsets(row: u32) -> [isize; 8] {
    Direction::ALL.map(|direction| {
        let (dx, dy) = direction.delta();
        (dy as isize * (1 << row)) + dx as isize
    })
}
