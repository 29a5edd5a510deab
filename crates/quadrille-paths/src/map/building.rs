//! What a wall would cut off, before it is built, the nearest free cell once it is, and free cells for a group.

use crate::grid::{Cell, CellRect, Grid, Length};
use crate::map::PathMap;

impl PathMap {
    /// Whether blocking the part of a rectangle that lies on the map would cut one of some cells off from a goal:
    /// returns the index in `from` of the first cell that can reach the goal now but could not then. A cell that would
    /// itself be blocked counts.
    ///
    /// Costs as much as building the wall and tearing it down again, without the work at corners: microseconds for a
    /// tower; for a wall that cuts off a part of the map, as much as visiting all of that part. The map, its version
    /// and its record of edits stay the same; it is borrowed mutably because it works on the labels of its components.
    ///
    /// ```
    /// use quadrille_paths::{Cell, CellRect, CostRule, Grid, PathMap};
    ///
    /// let mut map = PathMap::new(Grid::open(30, 20)?, CostRule::Octile);
    /// map.fill(CellRect::new(12, 2, 1, 18), false);
    /// let (spawns, castle) = ([Cell::new(20, 3), Cell::new(3, 3)], Cell::new(29, 10));
    /// assert_eq!(map.would_close(CellRect::new(11, 1, 2, 1), &spawns, castle), None, "one row is left");
    /// assert_eq!(map.would_close(CellRect::new(11, 0, 2, 2), &spawns, castle), Some(1));
    /// assert!(map.is_reachable(spawns[1], castle), "nothing was built");
    /// # Ok::<(), quadrille_paths::GridError>(())
    /// ```
    #[must_use]
    pub fn would_close(&mut self, rect: CellRect, from: &[Cell], to: Cell) -> Option<usize> {
        self.would_close_by(rect, &mut |_| false, from, to)
    }

    /// The same for an edit that frees those cells of a rectangle for which `is_free` is true, and blocks the others.
    pub(crate) fn would_close_by(
        &mut self,
        rect: CellRect,
        is_free: &mut dyn FnMut(Cell) -> bool,
        from: &[Cell],
        to: Cell,
    ) -> Option<usize> {
        let open: Vec<usize> = (0..from.len()).filter(|place| self.is_reachable(from[*place], to)).collect();
        let changed = self.cells.changed(rect, is_free);
        self.cells.flip(&changed);
        let closed = open.into_iter().find(|place| !self.is_reachable(from[*place], to));
        self.cells.flip(&changed);
        closed
    }

    /// The free cell nearest to `cell`, measured without walls; among equals the uppermost, then the leftmost. If
    /// `connected_to` is given, the nearest free cell from which that can be reached. `None` if there is no such cell.
    ///
    /// Use it to move a unit out of rubble, or to place one whose cell is blocked. The answer is the cell itself if
    /// it qualifies; a cell off the map counts as the nearest one on its edge. Visits the rows that are no farther from
    /// the cell than the answer.
    ///
    /// ```
    /// use quadrille_paths::{Cell, CellRect, CostRule, Grid, PathMap};
    ///
    /// let mut map = PathMap::new(Grid::open(30, 20)?, CostRule::Octile);
    /// map.fill(CellRect::new(8, 0, 5, 20), false);
    /// let (unit, home) = (Cell::new(9, 7), Cell::new(25, 7));
    /// assert_eq!(map.nearest_free(unit, None), Some(Cell::new(7, 7)));
    /// assert_eq!(map.nearest_free(unit, Some(home)), Some(Cell::new(13, 7)));
    /// # Ok::<(), quadrille_paths::GridError>(())
    /// ```
    #[must_use]
    pub fn nearest_free(&self, cell: Cell, connected_to: Option<Cell>) -> Option<Cell> {
        let label = match connected_to {
            Some(other) => Some(self.components().label(other)?),
            None => None,
        };
        self.components().nearest(label, self.grid().bounds().nearest(cell), self.rule())
    }

    /// Up to `count` places for a group around a cell, nearest first by the length of the path from the first, among
    /// equals the uppermost, then the leftmost. The first is the [`nearest_free`](Self::nearest_free) cell; all others
    /// can be reached from there, so none lies behind a wall.
    ///
    /// No two of them are less than `apart` columns and rows apart: the size of the units, on the map of their class, or
    /// more for gaps; 0 counts as 1. Each place is the nearest that the places before it leave. There are fewer only if
    /// no more fit into what can be reached.
    ///
    /// Visits all cells that are about as near as the last place.
    ///
    /// ```
    /// use quadrille_paths::{Cell, CellRect, CostRule, Grid, PathMap};
    ///
    /// let mut map = PathMap::new(Grid::open(30, 20)?, CostRule::Octile);
    /// map.fill(CellRect::new(12, 0, 1, 20), false);
    /// let clicked = Cell::new(11, 10);
    /// let places = map.free_places(clicked, 25, 2, None);
    /// assert_eq!((places.len(), places[0]), (25, clicked));
    /// assert!(places.iter().all(|place| place.x < 12), "nobody is sent to the other side of the wall");
    /// # Ok::<(), quadrille_paths::GridError>(())
    /// ```
    #[must_use]
    pub fn free_places(&self, around: Cell, count: usize, apart: u32, connected_to: Option<Cell>) -> Vec<Cell> {
        let Some(first) = self.nearest_free(around, connected_to) else { return Vec::new() };
        let (mut radius, mut visited) = (f64::from(apart.max(1)) * (count as f64).sqrt() + 2.0, 0);
        loop {
            let mut reached: Vec<(Length, Cell)> =
                self.reach(first, radius, self.grid().bounds()).iter().map(|(cell, length)| (length, cell)).collect();
            reached.sort_unstable_by_key(|(length, cell)| (*length, cell.y, cell.x));
            let places = spread(self.grid(), reached.iter().map(|(_, cell)| *cell), count, apart.max(1));
            if places.len() == count || reached.len() == visited {
                return places;
            }
            (radius, visited) = (2.0 * radius, reached.len());
        }
    }
}

/// The first of some free cells that are far enough apart from those before.
fn spread(grid: &Grid, cells: impl Iterator<Item = Cell>, count: usize, apart: u32) -> Vec<Cell> {
    if apart == 1 {
        return cells.take(count).collect();
    }
    let mut far = grid.clone();
    let is_chosen = |cell: &Cell| {
        let is_far = far.is_free(*cell);
        if is_far {
            far.fill(CellRect::one(*cell).widened(apart - 1, apart - 1), false);
        }
        is_far
    };
    cells.filter(is_chosen).take(count).collect()
}
