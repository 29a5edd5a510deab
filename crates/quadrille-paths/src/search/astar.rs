//! Plain A* over cells: the oracle of the tests and the yardstick of the benchmarks, as fast as an ordinary
//! implementation should be.
//!
//! P. Hart, N. Nilsson and B. Raphael, *A Formal Basis for the Heuristic Determination of Minimum Cost Paths*, 1968.
//! Walls are bits, lengths are whole numbers, arrays by cell are reused from call to call, and the open list has
//! buckets (see [`open_list`](crate::open_list)) instead of the textbooks' heap. A cell that leaves its bucket too early
//! is reopened when a shorter path to it is found, and the search continues until nothing open can be shorter than the
//! path found: so it is exact.

use crate::grid::{Cell, CellRect, CostRule, Direction, Fixed, Grid, Length};
use crate::open_list::{OpenList, bucket_to_goal};
use crate::path::Path;

/// The state of a cell in plain A*: twelve bytes.
#[derive(Clone, Copy, Debug, Default)]
struct Node {
    /// The search that wrote this, times [`ONE_SEARCH`]; whether the cell is closed; the direction of the last step.
    state: u32,
    cost: Length,
}

/// In a node's state: the bits of the direction, and the bit for a closed cell. The bits above count searches.
const ARRIVAL: u32 = 0b0111;
const IS_CLOSED: u32 = 0b1000;
const ONE_SEARCH: u32 = 0b1_0000;

/// Plain A* with its arrays. Exact under every rule; reuse it from query to query.
#[derive(Clone, Debug, Default)]
pub struct AStar {
    nodes: Vec<Node>,
    open: OpenList,
    /// The state, without a direction, of cells that the current search has opened.
    search: u32,
    expanded: u64,
}

impl AStar {
    /// An instance without arrays yet: they grow with the first map.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// How many cells the last search expanded.
    #[must_use]
    pub const fn expanded(&self) -> u64 {
        self.expanded
    }

    /// A shortest path, both ends included; `None` if there is none, or an end is blocked or off the map.
    #[must_use]
    pub fn path(&mut self, grid: &Grid, rule: CostRule, from: Cell, to: Cell) -> Option<Path> {
        let ground = (grid.bounds(), |cell: Cell| grid.is_free(cell), |cell: Cell| grid.walls_around(cell));
        self.cheapest(ground, rule, (from, to), 1, |_| 1).map(|(path, _)| path)
    }

    /// A cheapest path if entering a cell costs `weight(its index)` times what the step costs otherwise, and its
    /// cost; `least` is a lower bound of the weights. Weight times cells must fit 31 bits. The ground is the bounds of a
    /// map, the cells where one can stand, and the walls around one, a bit for each direction.
    pub(crate) fn cheapest(
        &mut self,
        (bounds, is_free, walls_around): (CellRect, impl Fn(Cell) -> bool, impl Fn(Cell) -> u8),
        rule: CostRule,
        (from, to): (Cell, Cell),
        least: u32,
        weight: impl Fn(usize) -> u32,
    ) -> Option<(Path, Length)> {
        self.expanded = 0;
        if !is_free(from) || !is_free(to) {
            return None;
        }
        let estimate = |cell: Cell| rule.distance(cell, to).times(least);
        let index = |cell: Cell| bounds.index(cell) as u32;
        let bucket = |length: Length| bucket_to_goal(Fixed::of(length));
        self.begin(bounds.count());
        let target = index(to);
        self.nodes[index(from) as usize] = Node { state: self.search, cost: Length::ZERO };
        self.open.push_to(bucket(estimate(from)), index(from));
        let (mut best, mut last_bucket) = (if from == to { Length::ZERO } else { Length::MAX }, u64::MAX);
        while let Some((_, item)) = self.open.pop().filter(|(bucket, _)| *bucket <= last_bucket) {
            let node = &mut self.nodes[item as usize];
            let cell = bounds.cell(item);
            if node.state & IS_CLOSED != 0 || node.cost + estimate(cell) >= best {
                continue;
            }
            node.state |= IS_CLOSED;
            self.expanded += 1;
            let cost = node.cost;
            for direction in Direction::of(rule.legal_steps(walls_around(cell))) {
                let (dx, dy) = direction.delta();
                let next = Cell::new(cell.x.wrapping_add_signed(dx), cell.y.wrapping_add_signed(dy));
                let number = index(next);
                let cost = cost + Length::of_step(direction).times(weight(number as usize));
                if !self.reach(number, direction, cost) {
                    continue;
                }
                if number == target {
                    // One bucket past the goal's, in case rounding puts something shorter after it.
                    (best, last_bucket) = (cost, bucket(cost) + 1);
                } else {
                    self.open.push_to(bucket(cost + estimate(next)), number);
                }
            }
        }
        (best != Length::MAX).then(|| (self.trace(bounds, rule, from, to), best))
    }

    /// Records a path to a cell; returns whether it is the cheapest so far.
    #[inline]
    fn reach(&mut self, cell: u32, arrival: Direction, cost: Length) -> bool {
        let node = &mut self.nodes[cell as usize];
        if node.state / ONE_SEARCH == self.search / ONE_SEARCH && node.cost <= cost {
            return false;
        }
        *node = Node { state: self.search | arrival as u32, cost };
        true
    }

    /// Forgets the last search. What it has written about cells is recognized by its number, even on another map.
    fn begin(&mut self, cells: usize) {
        self.search = self.search.wrapping_add(ONE_SEARCH);
        if self.search == 0 || self.nodes.len() < cells {
            self.nodes.clear();
            self.nodes.resize(cells, Node::default());
            self.search = ONE_SEARCH;
        }
        self.open.clear();
    }

    /// The path that the search has found.
    fn trace(&self, bounds: CellRect, rule: CostRule, from: Cell, to: Cell) -> Path {
        let (mut cells, mut length, mut cell) = (vec![to], Length::ZERO, to);
        while cell != from {
            let node = self.nodes[bounds.index(cell)];
            let back = Direction::ALL[(node.state & ARRIVAL) as usize].turned(4);
            let Some(before) = cell.step(back) else { break };
            length = length + rule.distance(before, cell);
            cell = before;
            cells.push(cell);
        }
        cells.reverse();
        Path::new(cells, length)
    }
}
