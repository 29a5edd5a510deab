//! What can be reached: all cells within a budget of a cell.
//!
//! E. Dijkstra's search, outward from one cell (*A note on two problems in connexion with graphs*, 1959), with costs
//! only for the cells that lie within the budget if there are no walls. So time and memory depend on the budget, not on
//! the map.

use crate::grid::Grid;
use crate::grid::cell::{Cell, CellRect, Direction};
use crate::grid::cost::{CostRule, Length};
use crate::grid::fixed::Fixed;
use crate::grid::lengths::Lengths;
use crate::grid::walkable::Walkable;
use crate::open_list::OpenList;
use crate::path::Path;
use crate::walks::jump::Walks;
use crate::walks::sweep::{Swept, most_searched};
use crate::walks::turns::Directions;

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

impl Reach {
    /// What can be reached from a cell within a budget and a rectangle, if entering a cell costs this many times
    /// what the step costs.
    pub(crate) fn search(
        grid: &impl Walkable,
        rule: CostRule,
        (from, budget, within): (Cell, f64, CellRect),
        weight: impl Fn(Cell) -> u32,
    ) -> Self {
        let mut reach = Self::empty(grid, rule, (from, budget, within));
        reach.grow(grid, weight, usize::MAX);
        reach
    }

    /// The same if all steps of the same length cost the same. If many cells can be reached, a sweep finds them, as
    /// for a flow field.
    pub(crate) fn of_map(walks: Walks<'_>, grid: &Grid, (from, budget, within): (Cell, f64, CellRect)) -> Self {
        let mut reach = Self::empty(grid, walks.rule, (from, budget, within));
        if reach.grow(grid, |_| 1, most_searched(reach.bounds.count())) {
            return reach;
        }
        let (bounds, part) = (reach.bounds, grid.part(reach.bounds));
        let columns = walks.columns.part((bounds.y, bounds.x), bounds.height, bounds.width);
        let walks = Walks { rule: walks.rule, rows: part.walls(), columns: &columns };
        reach.costs.renew(bounds.count());
        let mut swept = Swept::new(reach.costs);
        swept.begin(bounds.index(from), Fixed::ZERO);
        swept.go_on(&part, walks, &(), usize::MAX);
        Self { from, budget, rule: reach.rule, bounds, costs: swept.lengths, arrivals: swept.arrivals }
    }

    /// Nothing is reached yet.
    fn empty(grid: &impl Walkable, rule: CostRule, (from, budget, within): (Cell, f64, CellRect)) -> Self {
        // No step costs less than one. NaN and negative numbers become 0.
        let steps = budget.min(f64::from(Grid::MAX_SIDE)) as u32;
        let around = CellRect::new(from.x, from.y, 1, 1).widened(steps, steps);
        let bounds = around.common(&within).common(&grid.bounds());
        let is_any = budget >= 0.0 && bounds.contains(from) && grid.is_free(from);
        let bounds = if is_any { bounds } else { CellRect::default() };
        let count = bounds.count();
        Self { from, budget, rule, bounds, costs: Lengths::none(count), arrivals: vec![0; count] }
    }

    /// Finds what can be reached, or stops after this many cells; returns whether all is found.
    fn grow(&mut self, grid: &impl Walkable, weight: impl Fn(Cell) -> u32, mut most: usize) -> bool {
        let Some(start) = self.index(self.from) else { return true };
        let mut open = OpenList::default();
        self.costs.set(start, Fixed::ZERO);
        open.push(Fixed::ZERO, start as u32);
        while let Some((bucket, item)) = open.pop() {
            let here = self.costs.get(item as usize);
            // If the cell was opened again with a lower cost, it has been expanded since.
            if here.bucket() != bucket {
                continue;
            }
            if most == 0 {
                return false;
            }
            most -= 1;
            let cell = self.bounds.cell(item);
            for direction in Direction::of(self.rule.legal_steps(grid.walls_around(cell))) {
                let Some(next) = cell.step(direction) else { continue };
                let Some(index) = self.index(next) else { continue };
                let cost = here + Fixed::of_step(direction, weight(next));
                if cost < self.costs.get(index) && self.is_affordable(cost) {
                    self.costs.set(index, cost);
                    self.arrivals[index] = 1 << direction as u8;
                    open.push(cost, index as u32);
                }
            }
        }
        true
    }

    #[inline]
    fn is_affordable(&self, cost: Fixed) -> bool {
        // The whole part is off by less than one.
        cost.bucket() + 1 < self.budget as u64 || cost.length().as_f64() <= self.budget
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
        (cost != Fixed::MAX && self.is_affordable(cost)).then(|| cost.length())
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
        let reached = reached.filter(|(_, cost)| *cost != Fixed::MAX && self.is_affordable(*cost));
        reached.map(|(index, cost)| (self.bounds.cell(index as u32), cost.length()))
    }

    fn index(&self, cell: Cell) -> Option<usize> {
        self.bounds.contains(cell).then(|| self.bounds.index(cell))
    }
}
