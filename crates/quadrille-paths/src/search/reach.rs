//! What can be reached: all cells within a budget of a cell.
//!
//! E. Dijkstra's search, outward from one cell (*A note on two problems in connexion with graphs*, 1959), with costs
//! only for the cells that lie within the budget if there are no walls. So time and memory depend on the budget, not on
//! the map.

use crate::grid::{Bitmap, Cell, CellRect, CostRule, Direction, Fixed, Grid, Length, Lengths};
use crate::open_list::OpenList;
use crate::path::Path;
use crate::walks::{Directions, Swept, Walks, most_searched};

/// The cells that can be reached from a cell within a budget, with the cost of each and a path to it.
///
/// ```
/// use quadrille_paths::{Cell, CellRect, CostRule, Grid, PathMap};
///
/// let mut map = PathMap::new(Grid::open(30, 20)?, CostRule::Octile);
/// map.fill(CellRect::new(12, 0, 1, 19), false);
/// let reach = map.reach(Cell::new(10, 10), 3.0, map.grid().bounds());
/// assert_eq!(reach.cost(Cell::new(7, 10)).unwrap().straight, 3);
/// assert_eq!(reach.path(Cell::new(8, 8)).unwrap().length().diagonal, 2);
/// assert_eq!(reach.cost(Cell::new(13, 10)), None, "behind the wall");
/// assert!(reach.iter().all(|(_, cost)| cost.as_f64() <= 3.0));
/// # Ok::<(), quadrille_paths::GridError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Reach {
    from: Cell,
    budget: f64,
    rule: CostRule,
    /// The cells that could be reached without walls.
    bounds: CellRect,
    /// The least cost of each of them, row by row; above the budget it may be found or not.
    costs: Lengths,
    /// The directions of the last steps of cheapest paths to each; under the Manhattan rule a diagonal one stands for the
    /// step along its row.
    arrivals: Vec<Directions>,
}

/// A search for what can be reached, which can stop and go on.
#[derive(Clone, Debug)]
pub(crate) struct ReachSearch {
    pub(crate) reach: Reach,
    /// The cells of its bounds, as they were when it began.
    part: Grid,
    /// By cell, what entering it costs in steps; none if all cost one.
    weights: Vec<u32>,
    /// The columns of these cells, if a sweep may replace the search.
    columns: Option<Bitmap>,
    open: OpenList,
    /// How many cells may be visited before a sweep replaces the search.
    left: usize,
    sweep: Option<Swept>,
}

impl ReachSearch {
    /// Nothing is reached yet. `part` are the cells of the bounds, and `weights` belong to them.
    pub(crate) fn new(mut reach: Reach, part: Grid, weights: Vec<u32>, columns: Option<Bitmap>) -> Self {
        let count = part.count();
        (reach.costs, reach.arrivals) = (Lengths::none(count), vec![0; count]);
        let left = if columns.is_some() { most_searched(count) } else { usize::MAX };
        let mut search = Self { reach, part, weights, columns, open: OpenList::default(), left, sweep: None };
        if let Some(start) = search.start() {
            search.reach.costs.set(start, Fixed::ZERO);
            search.open.push(Fixed::ZERO, start as u32);
        }
        search
    }

    /// Where it starts, if that is free.
    fn start(&self) -> Option<usize> {
        self.reach.index(self.reach.from).filter(|start| self.part.is_free(self.part.cell(*start as u32)))
    }

    /// All that can be reached.
    pub(crate) fn found(mut self) -> Reach {
        self.go_on(usize::MAX);
        self.reach
    }

    /// Goes on for about this many cells; returns whether all is found.
    pub(crate) fn go_on(&mut self, most: usize) -> bool {
        match self.sweep.take() {
            Some(swept) => self.sweep(swept, most),
            None => self.grow(most),
        }
    }

    /// Visits cells one by one, unless there turn out to be many.
    fn grow(&mut self, mut most: usize) -> bool {
        while let Some((bucket, item)) = self.open.pop() {
            let here = self.reach.costs.get(item as usize);
            // If the cell was opened again with a lower cost, it has been expanded since.
            if here.bucket() != bucket {
                continue;
            }
            if most == 0 {
                self.open.push_to(bucket, item);
                return false;
            }
            if self.left == 0 {
                return self.begin_sweep(most);
            }
            (most, self.left) = (most - 1, self.left - 1);
            self.expand(item, here);
        }
        true
    }

    fn expand(&mut self, item: u32, here: Fixed) {
        let costs = &mut self.reach.costs;
        for (direction, next) in self.part.steps(self.part.cell(item), item, self.reach.rule) {
            let index = next as usize;
            let cost = here + Fixed::of_step(direction, self.weights.get(index).copied().unwrap_or(1));
            if cost < costs.get(index) && is_affordable(cost, self.reach.budget) {
                costs.set(index, cost);
                self.reach.arrivals[index] = 1 << direction as u8;
                self.open.push(cost, next);
            }
        }
    }

    /// Begins again with a sweep, as for a flow field.
    fn begin_sweep(&mut self, most: usize) -> bool {
        let Some(start) = self.start() else { return true };
        self.open.clear();
        let mut costs = core::mem::take(&mut self.reach.costs);
        costs.renew(self.part.count());
        let mut swept = Swept::new(costs);
        swept.begin(start, Fixed::ZERO);
        self.sweep(swept, most)
    }

    fn sweep(&mut self, mut swept: Swept, most: usize) -> bool {
        let Some(columns) = &self.columns else { return true };
        let walks = Walks { rule: self.reach.rule, rows: self.part.walls(), columns };
        if !swept.go_on(&self.part, walks, &(), most) {
            self.sweep = Some(swept);
            return false;
        }
        (self.reach.costs, self.reach.arrivals) = (swept.lengths, swept.arrivals);
        true
    }
}

/// Whether a cost is within a budget.
#[inline]
fn is_affordable(cost: Fixed, budget: f64) -> bool {
    // The whole part is off by less than one.
    cost.bucket() + 1 < budget as u64 || cost.length().as_f64() <= budget
}

impl Reach {
    /// Nothing is reached yet of a map with these bounds.
    pub(crate) fn none(rule: CostRule, (from, budget, within): (Cell, f64, CellRect), map: CellRect) -> Self {
        // No step costs less than one. NaN and negative numbers become 0.
        let steps = budget.min(f64::from(Grid::MAX_SIDE)) as u32;
        let around = CellRect::one(from).widened(steps, steps);
        let bounds = around.common(&within).common(&map);
        let bounds = if budget >= 0.0 && bounds.contains(from) { bounds } else { CellRect::default() };
        Self { from, budget, rule, bounds, costs: Lengths::default(), arrivals: Vec::new() }
    }

    /// The cells that could be reached without walls.
    pub(crate) const fn bounds(&self) -> CellRect {
        self.bounds
    }

    /// Where it starts.
    #[must_use]
    pub const fn from(&self) -> Cell {
        self.from
    }

    /// The least cost to a cell; `None` if that cannot be reached within the budget.
    #[must_use]
    pub fn cost(&self, cell: Cell) -> Option<Length> {
        let cost = self.costs.get(self.index(cell)?);
        (cost != Fixed::MAX && is_affordable(cost, self.budget)).then(|| cost.length())
    }

    /// A cheapest path to a cell; `None` as for [`cost`](Self::cost).
    #[must_use]
    pub fn path(&self, cell: Cell) -> Option<Path> {
        self.cost(cell)?;
        let mut cells: Vec<Cell> = core::iter::successors(Some(cell), |here| self.before(*here)).collect();
        cells.reverse();
        Path::of_cells(cells).ok()
    }

    /// The cell before one on a cheapest path to it; `None` for the first.
    fn before(&self, cell: Cell) -> Option<Cell> {
        let last = Direction::of(self.arrivals[self.index(cell)?]).next()?;
        let is_along_row = self.rule == CostRule::Manhattan && last.is_diagonal();
        let last = if is_along_row { Direction::toward(last.delta().0, 0) } else { last };
        cell.step(last.turned(4))
    }

    /// All cells that can be reached, row by row, with the least cost to each.
    pub fn iter(&self) -> impl Iterator<Item = (Cell, Length)> {
        let reached = self.costs.iter().enumerate();
        let reached = reached.filter(|(_, cost)| *cost != Fixed::MAX && is_affordable(*cost, self.budget));
        reached.map(|(index, cost)| (self.bounds.cell(index as u32), cost.length()))
    }

    fn index(&self, cell: Cell) -> Option<usize> {
        self.bounds.contains(cell).then(|| self.bounds.index(cell))
    }
}
