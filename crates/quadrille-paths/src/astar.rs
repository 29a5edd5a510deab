//! Plain A* over the cells: the oracle of the tests and the measure of the benches.
//!
//! P. Hart, N. Nilsson and B. Raphael, *A Formal Basis for the Heuristic Determination of Minimum Cost Paths*, 1968: a
//! binary heap, arrays indexed by cell that are reused from call to call, and the distance without walls as the
//! estimate, which is consistent, so that a cell's first removal from the heap is final.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::cell::{Cell, Direction};
use crate::cost::{CostRule, Length};
use crate::grid::Grid;
use crate::path::Path;

/// What plain A* knows of a cell.
#[derive(Clone, Copy, Debug, Default)]
struct Node {
    /// The search that wrote the rest; another one's is void.
    search: u32,
    is_closed: bool,
    /// The direction of the step that led here.
    arrival: u8,
    cost: Length,
}

/// An open cell: the estimated length of the path through it, the estimated rest, its index. Among equal totals the one
/// with the smaller rest comes first.
type Entry = (u64, u32, u32);

/// An open cell. The bits of two non-negative numbers are ordered as the numbers are.
fn entry(length: Length, to_go: Length, index: u32) -> Reverse<Entry> {
    Reverse(((length + to_go).as_f64().to_bits(), to_go.straight + to_go.diagonal, index))
}

/// Plain A* with its arrays. Exact under every rule; reuse it from query to query.
#[derive(Clone, Debug, Default)]
pub struct AStar {
    nodes: Vec<Node>,
    open: BinaryHeap<Reverse<Entry>>,
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
        self.cheapest(grid, rule, (from, to), 1, |_| 1).map(|(path, _)| path)
    }

    /// A cheapest path where entering a cell costs `weight(cell)` times what the step costs otherwise, and its cost; `least`
    /// is a lower bound of the weights. Weight times cells must fit 32 bits.
    pub(crate) fn cheapest(
        &mut self,
        grid: &Grid,
        rule: CostRule,
        (from, to): (Cell, Cell),
        least: u32,
        weight: impl Fn(Cell) -> u32,
    ) -> Option<(Path, Length)> {
        self.begin(grid);
        if !grid.is_free(from) || !grid.is_free(to) {
            return None;
        }
        let index = |cell: Cell| cell.y * grid.width() + cell.x;
        let estimate = |cell: Cell| rule.distance(cell, to).times(least);
        let (target, search) = (index(to), self.search);
        self.nodes[index(from) as usize] = Node { search, is_closed: false, arrival: 0, cost: Length::ZERO };
        self.open.push(entry(Length::ZERO, estimate(from), index(from)));
        while let Some(Reverse((_, _, item))) = self.open.pop() {
            let node = &mut self.nodes[item as usize];
            if core::mem::replace(&mut node.is_closed, true) {
                continue;
            }
            if item == target {
                let cost = node.cost;
                return Some((self.trace(grid, rule, from, to), cost));
            }
            self.expanded += 1;
            let (cell, cost) = (Cell::new(item % grid.width(), item / grid.width()), node.cost);
            let legal = rule.legal_steps(grid.walls_around(cell));
            for way in Direction::ALL.into_iter().filter(|way| legal >> *way as u8 & 1 == 1) {
                let (dx, dy) = way.delta();
                let next = Cell::new(cell.x.wrapping_add_signed(dx), cell.y.wrapping_add_signed(dy));
                let cost = cost + rule.distance(cell, next).times(weight(next));
                let node = &mut self.nodes[index(next) as usize];
                if node.search != search || cost < node.cost {
                    *node = Node { search, is_closed: false, arrival: way as u8, cost };
                    self.open.push(entry(cost, estimate(next), index(next)));
                }
            }
        }
        None
    }

    fn begin(&mut self, grid: &Grid) {
        let cells = grid.width() as usize * grid.height() as usize;
        self.search = self.search.wrapping_add(1);
        if self.search == 0 || self.nodes.len() != cells {
            self.nodes.clear();
            self.nodes.resize(cells, Node::default());
            self.search = 1;
        }
        self.open.clear();
        self.expanded = 0;
    }

    /// The way the search came to the goal.
    fn trace(&self, grid: &Grid, rule: CostRule, from: Cell, to: Cell) -> Path {
        let (mut cells, mut length, mut cell) = (vec![to], Length::ZERO, to);
        while cell != from {
            let node = self.nodes[(cell.y * grid.width() + cell.x) as usize];
            let back = Direction::ALL[usize::from(node.arrival)].turned(4);
            let Some(before) = cell.step(back) else { break };
            length = length + rule.distance(before, cell);
            cell = before;
            cells.push(cell);
        }
        cells.reverse();
        Path::new(cells, length)
    }
}
