//! Cheapest paths on weighted terrain through links.

use crate::fields::weighted::WeightedPaths;
use crate::grid::cell::Cell;
use crate::grid::cost::Length;
use crate::map::PathMap;
use crate::map::links::{Ground, Link, LinkSearch, LinkedPath};
use crate::map::terrain::TerrainMap;
use crate::path::Path;

impl WeightedPaths {
    /// A cheapest path that may take links, and its cost; `None` if there is none, or an end is blocked or off the map.
    ///
    /// The cost of a link is counted in straight steps over ground of weight 1. Like [`PathMap::linked_path`], meant for
    /// some dozens of links.
    ///
    /// ```
    /// use quadrille_paths::{AgentClass, Cell, CostRule, Link, TerrainMap, TerrainSet, WeightedPaths};
    ///
    /// let walker = AgentClass { size: 1, walkable: TerrainSet::of(&[0, 1]) };
    /// let swamp = |cell: Cell| u8::from((10..20).contains(&cell.x));
    /// let map = TerrainMap::new((30, 9), swamp, CostRule::Octile, &[walker])?;
    /// let mut weights = [1; TerrainSet::KINDS as usize];
    /// weights[1] = 4;
    /// let mut paths = WeightedPaths::new(&map, walker, &weights)?.unwrap();
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
        let ground = &mut Heavy { least: self.least(map), paths: self, map };
        LinkSearch { ground, links, from, goals: &[to] }.path().map(|(_, path, cost)| (path, cost))
    }
}

/// Terrain with weights.
struct Heavy<'a> {
    paths: &'a mut WeightedPaths,
    map: &'a TerrainMap,
    /// The map of the agents' class, and the smallest weight on it.
    least: Option<(&'a PathMap, u32)>,
}

impl Ground for Heavy<'_> {
    fn is_free(&self, cell: Cell) -> bool {
        self.least.is_some_and(|(map, _)| map.grid().is_free(cell))
    }

    fn least(&self, from: Cell, to: Cell) -> Option<Length> {
        let (map, weight) = self.least.filter(|(map, _)| map.is_reachable(from, to))?;
        Some(map.rule().distance(from, to).times(weight))
    }

    fn cost(&mut self, from: Cell, to: Cell) -> Option<Length> {
        self.paths.path(self.map, from, to).map(|(_, cost)| cost)
    }

    fn walk(&mut self, from: Cell, to: Cell) -> Option<Path> {
        self.paths.path(self.map, from, to).map(|(path, _)| path)
    }
}
