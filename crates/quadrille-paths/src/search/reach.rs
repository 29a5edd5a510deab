//! What can be reached: all cells within a budget of a cell.
//!
//! E. Dijkstra's search, outward from one cell (*A note on two problems in connexion with graphs*, 1959), with costs
//! only for the cells that lie within the budget if there are no walls. So time and memory depend on the budget, not on
//! the map.

use crate::grid::Grid;
use crate::grid::cell::{Cell, CellRect, Direction};
use crate::grid::cost::{CostRule, Length};
use crate::grid::fixed::Fixed;
use crate::grid::walkable::Walkable;
use crate::open_list::OpenList;
use crate::path::Path;

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
    /// The cells that could be reached without walls.
    bounds: CellRect,
    /// The least cost of each of them, row by row.
    costs: Vec<Fixed>,
    /// The direction of the last step to each.
    arrivals: Vec<Option<Direction>>,
}

impl Reach {
    /// What can be reached from a cell within a budget and a rectangle, where entering a cell costs this many times
    /// what the step costs.
    pub(crate) fn search(
        grid: &impl Walkable,
        rule: CostRule,
        (from, budget, within): (Cell, f64, CellRect),
        weight: impl Fn(Cell) -> u32,
    ) -> Self {
        // No step costs less than one. NaN and negative numbers become 0.
        let steps = budget.min(f64::from(Grid::MAX_SIDE)) as u32;
        let around = CellRect::new(from.x, from.y, 1, 1).widened(steps, steps);
        let bounds = around.common(&within).common(&grid.bounds());
        let is_any = budget >= 0.0 && bounds.contains(from) && grid.is_free(from);
        let bounds = if is_any { bounds } else { CellRect::default() };
        let count = bounds.count();
        let mut reach = Self { from, bounds, costs: vec![Fixed::MAX; count], arrivals: vec![None; count] };
        let Some(start) = reach.index(from) else { return reach };
        let mut open = OpenList::default();
        reach.costs[start] = Fixed::ZERO;
        open.push(Fixed::ZERO, start as u32);
        while let Some((bucket, item)) = open.pop() {
            let here = reach.costs[item as usize];
            // If the cell was opened again with a lower cost, it has been expanded since.
            if here.bucket() != bucket {
                continue;
            }
            let cell = bounds.cell(item);
            for direction in Direction::of(rule.legal_steps(grid.walls_around(cell))) {
                let Some(next) = cell.step(direction) else { continue };
                let Some(index) = reach.index(next) else { continue };
                let cost = here + Fixed::of_step(direction, weight(next));
                if cost < reach.costs[index] && cost.length().as_f64() <= budget {
                    (reach.costs[index], reach.arrivals[index]) = (cost, Some(direction));
                    open.push(cost, index as u32);
                }
            }
        }
        reach
    }

    /// Where it starts.
    #[must_use]
    pub const fn from(&self) -> Cell {
        self.from
    }

    /// The least cost to a cell; `None` if that cannot be reached within the budget.
    #[must_use]
    pub fn cost(&self, cell: Cell) -> Option<Length> {
        let cost = self.costs[self.index(cell)?];
        (cost != Fixed::MAX).then(|| cost.length())
    }

    /// A cheapest path to a cell; `None` as for [`cost`](Self::cost).
    #[must_use]
    pub fn path(&self, cell: Cell) -> Option<Path> {
        self.cost(cell)?;
        let before = |here: &Cell| here.step(self.arrivals[self.index(*here)?]?.turned(4));
        let mut cells: Vec<Cell> = core::iter::successors(Some(cell), before).collect();
        cells.reverse();
        Path::of_cells(cells).ok()
    }

    /// All cells that can be reached, row by row, with the least cost to each.
    pub fn iter(&self) -> impl Iterator<Item = (Cell, Length)> {
        let reached = self.costs.iter().enumerate().filter(|(_, cost)| **cost != Fixed::MAX);
        reached.map(|(index, cost)| (self.bounds.cell(index as u32), cost.length()))
    }

    fn index(&self, cell: Cell) -> Option<usize> {
        self.bounds.contains(cell).then(|| self.bounds.index(cell))
    }
}
