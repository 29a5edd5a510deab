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
    closed: bool,
    /// The direction of the step that led here.
    arrival: u8,
    length: Length,
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
    pub fn path(&mut self, grid: &Grid, rule: CostRule, from: Cell, to: Cell) -> Option<Path> {
        self.begin(grid);
        if !grid.is_free(from) || !grid.is_free(to) {
            return None;
        }
        let index = |cell: Cell| cell.y * grid.width() + cell.x;
        let (target, search) = (index(to), self.search);
        self.nodes[index(from) as usize] = Node { search, closed: false, arrival: 0, length: Length::ZERO };
        self.open.push(entry(Length::ZERO, rule.distance(from, to), index(from)));
        while let Some(Reverse((_, _, item))) = self.open.pop() {
            let node = &mut self.nodes[item as usize];
            if core::mem::replace(&mut node.closed, true) {
                continue;
            }
            if item == target {
                return Some(self.trace(grid, from, to));
            }
            self.expanded += 1;
            let (cell, length) = (Cell::new(item % grid.width(), item / grid.width()), node.length);
            let legal = rule.legal_steps(grid.walls_around(cell));
            for way in Direction::ALL.into_iter().filter(|way| legal >> *way as u8 & 1 == 1) {
                let (dx, dy) = way.delta();
                let next = Cell::new(cell.x.wrapping_add_signed(dx), cell.y.wrapping_add_signed(dy));
                let length = length + rule.distance(cell, next);
                let node = &mut self.nodes[index(next) as usize];
                if node.search != search || length < node.length {
                    *node = Node { search, closed: false, arrival: way as u8, length };
                    self.open.push(entry(length, rule.distance(next, to), index(next)));
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

    fn trace(&self, grid: &Grid, from: Cell, to: Cell) -> Path {
        let node = |cell: Cell| self.nodes[(cell.y * grid.width() + cell.x) as usize];
        let mut cells = vec![to];
        let mut cell = to;
        while cell != from {
            let back = Direction::ALL[usize::from(node(cell).arrival)].turned(4);
            let Some(before) = cell.step(back) else { break };
            cell = before;
            cells.push(cell);
        }
        cells.reverse();
        Path::new(cells, node(to).length)
    }
}
