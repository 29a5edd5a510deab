//! Flow fields: the way to one goal from every cell, for many agents.
//!
//! A flow field is the tree that E. Dijkstra's search (*A note on two problems in connexion with graphs*, 1959) grows from the goal. It
//! stops when all asked cells have been settled, and stores only lengths: the next step is read off them.

use crate::cell::{Cell, CellRect, Direction};
use crate::cost::{CostRule, Length};
use crate::grid::Grid;
use crate::map::PathMap;
use crate::open_list::OpenList;

/// The length of cells that have not been reached.
const UNREACHED: Length = Length::MAX;

/// The lengths of shortest paths to one goal, exact for every cell asked for.
///
/// It is a picture of the map at the time it was made: compare [`version`](Self::version) with the map's.
#[derive(Clone, Debug)]
pub struct FlowField {
    goal: Cell,
    rule: CostRule,
    version: u64,
    grid: Grid,
    /// By cell, row by row, the length of a shortest path: final for asked cells.
    lengths: Vec<Length>,
    asked: CellRect,
}

impl FlowField {
    /// The field towards `goal` for the cells of a rectangle, which may be the whole map; its part off the map is left out.
    /// Empty if the goal is blocked or off the map.
    ///
    /// Costs a visit to every cell that is nearer to the goal than the last asked one, and eight bytes for every
    /// cell of the map.
    #[must_use]
    pub fn new(map: &PathMap, goal: Cell, asked: CellRect) -> Self {
        let grid = map.grid().clone();
        let asked = asked.clamped(grid.width(), grid.height());
        let lengths = vec![UNREACHED; grid.width() as usize * grid.height() as usize];
        let mut field = Self { goal, rule: map.rule(), version: map.version(), grid, lengths, asked };
        if let Some(label) = map.components().label(goal) {
            field.grow(map.components().count_cells(label, asked));
        }
        field
    }

    /// The goal.
    #[must_use]
    pub const fn goal(&self) -> Cell {
        self.goal
    }

    /// The map's version at the time the field was made.
    #[must_use]
    pub const fn version(&self) -> u64 {
        self.version
    }

    /// The length of a shortest path from an asked cell; `None` if there is none, or the cell was not asked for.
    #[must_use]
    pub fn length(&self, cell: Cell) -> Option<Length> {
        self.asked.contains(cell).then(|| self.lengths[self.index(cell)]).filter(|length| *length != UNREACHED)
    }

    /// The next cell on a shortest path from an asked cell, the goal's own next being itself; `None` as for
    /// [`length`](Self::length). Among several, the first clockwise from north.
    ///
    /// It may lie outside the asked cells; [`path`](Self::path) goes on from there.
    #[must_use]
    pub fn next(&self, cell: Cell) -> Option<Cell> {
        self.length(cell)?;
        Some(self.step(cell).unwrap_or(cell))
    }

    /// All cells of a shortest path from an asked cell, both ends included; none if there is no path.
    pub fn path(&self, from: Cell) -> impl Iterator<Item = Cell> {
        core::iter::successors(self.length(from).map(|_| from), |cell| self.step(*cell))
    }

    /// Settles cells in the order of their lengths until `missing` of the asked ones are settled.
    ///
    /// A step is longer than a bucket is wide, so a cell that comes out of the first bucket is final.
    fn grow(&mut self, mut missing: u64) {
        let mut open = OpenList::default();
        open.reset(Length::ZERO);
        let mut is_settled = vec![false; self.lengths.len()];
        let goal = self.index(self.goal);
        self.lengths[goal] = Length::ZERO;
        open.push(Length::ZERO, goal as u32);
        while let Some(item) = open.pop(usize::MAX) {
            if core::mem::replace(&mut is_settled[item as usize], true) {
                continue;
            }
            let cell = Cell::new(item % self.grid.width(), item / self.grid.width());
            missing -= u64::from(self.asked.contains(cell));
            if missing == 0 {
                return;
            }
            self.relax_neighbours(cell, &mut open);
        }
    }

    fn relax_neighbours(&mut self, cell: Cell, open: &mut OpenList) {
        let here = self.lengths[self.index(cell)];
        for next in self.neighbours(cell) {
            let (length, index) = (here + self.rule.distance(cell, next), self.index(next));
            if length < self.lengths[index] {
                self.lengths[index] = length;
                open.push(length, index as u32);
            }
        }
    }

    /// The next cell of a settled one; `None` for the goal.
    fn step(&self, cell: Cell) -> Option<Cell> {
        let length = self.lengths[self.index(cell)];
        let is_nearer = |next: &Cell| {
            let rest = self.lengths[self.index(*next)];
            rest != UNREACHED && rest + self.rule.distance(cell, *next) == length
        };
        self.neighbours(cell).find(is_nearer).filter(|_| cell != self.goal)
    }

    /// The cells one legal step away. Steps are legal both ways or neither.
    fn neighbours(&self, cell: Cell) -> impl Iterator<Item = Cell> + use<> {
        let legal = self.rule.legal_steps(self.grid.walls_around(cell));
        let ways = Direction::ALL.into_iter().filter(move |way| legal >> *way as u8 & 1 == 1);
        ways.filter_map(move |way| cell.step(way))
    }

    fn index(&self, cell: Cell) -> usize {
        cell.y as usize * self.grid.width() as usize + cell.x as usize
    }
}
