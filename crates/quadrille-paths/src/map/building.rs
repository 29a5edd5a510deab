//! What a wall would cut off, before it is built, and the nearest free cell once it is.

use crate::grid::cell::{Cell, CellRect};
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
        self.components().nearest(label, self.on_map(cell), self.rule())
    }
}
