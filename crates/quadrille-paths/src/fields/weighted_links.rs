//! Cheapest paths on weighted terrain through links.

use crate::fields::weighted::{WeightedGrid, WeightedPaths};
use crate::grid::cell::Cell;
use crate::grid::connected::ConnectedGrid;
use crate::grid::cost::Length;
use crate::map::links::{Ground, Link, LinkSearch, LinkedPath};
use crate::map::terrain::TerrainMap;
use crate::path::Path;

impl WeightedPaths {
    /// A cheapest path that may take links, and its cost; `None` if there is none, or an end is blocked or off the map.
    ///
    /// The cost of a link is counted in straight steps over ground of weight 1. Like
    /// [`PathMap::linked_path`](crate::PathMap::linked_path), meant for some dozens of links.
    ///
    /// ```
    /// use quadrille_paths::{AgentClass, Cell, CostRule, Link, TerrainMap, TerrainSet, WeightedPaths};
    ///
    /// let walker = AgentClass { size: 1, walkable: TerrainSet::of(&[0, 1]) };
    /// let swamp = |cell: Cell| u8::from((10..20).contains(&cell.x));
    /// let map = TerrainMap::new((30, 9), swamp, CostRule::Octile, &[walker])?;
    /// let mut weights = [1; TerrainSet::KINDS as usize];
    /// weights[1] = 4;
    /// let mut paths = WeightedPaths::new(&map, walker, &weights)?;
    /// let ferry = Link { from: Cell::new(9, 4), to: Cell::new(20, 4), steps: 15 };
    /// let (path, cost) = paths.linked_path(&map, Cell::new(4, 4), Cell::new(25, 4), &[ferry]).unwrap();
    /// assert_eq!((path.taken(), cost.straight), (&[0][..], 5 + 15 + 5));
    /// # Ok::<(), quadrille_paths::GridError>(())
    /// ```
    pub fn linked_path(
        &mut self,
        map: &TerrainMap,
        from: Cell,
        to: Cell,
        links: &[Link],
    ) -> Option<(LinkedPath, Length)> {
        let (cells, costs) = self.ready(map)?;
        LinkSearch { ground: &mut Heavy { cells, costs }, links, from, goals: &[to] }
            .path()
            .map(|(_, path, cost)| (path, cost))
    }
}

/// Terrain with weights.
struct Heavy<'a> {
    cells: &'a ConnectedGrid,
    costs: &'a mut WeightedGrid,
}

impl Ground for Heavy<'_> {
    fn is_free(&self, cell: Cell) -> bool {
        self.cells.grid().is_free(cell)
    }

    fn least(&self, from: Cell, to: Cell) -> Option<Length> {
        let is_reachable = self.cells.is_reachable(from, to);
        is_reachable.then(|| self.cells.rule().distance(from, to).times(self.costs.least))
    }

    fn cost(&mut self, from: Cell, to: Cell) -> Option<Length> {
        self.costs.path(self.cells, from, to).map(|(_, cost)| cost)
    }

    fn walk(&mut self, from: Cell, to: Cell) -> Option<Path> {
        self.costs.path(self.cells, from, to).map(|(path, _)| path)
    }
}
