//! Terrain, with what is made once for the agents that ask most.

use quadrille_paths::{AStar, AgentClass, Cell, Length, Link, LinkedPath, Path, TerrainMap, TerrainSet, WeightedPaths};

use crate::cells::{MapSize, rule_named};
use crate::error::Error;
use crate::ground::no_class;

/// How much entering a cell of each kind costs, in steps.
pub type Weights = [u32; TerrainSet::KINDS as usize];

/// A map of terrain, and what was made ready for the last class of agents that asked.
#[derive(Clone, Debug)]
pub struct Ground {
    map: TerrainMap,
    astar: AStar,
    ready: Option<(AgentClass, Weights, WeightedPaths)>,
}

impl Ground {
    /// Of kinds row by row, with maps for some classes of agents.
    ///
    /// # Errors
    /// A rule that is not there, too many classes, or a map that is too large.
    pub fn new(kinds: &[u8], size: MapSize, rule: &str, classes: &[AgentClass]) -> Result<Self, Error> {
        let rule = rule_named(rule)?;
        let kind = |cell: Cell| kinds[size.bounds().index(cell)];
        let map = TerrainMap::new((size.width, size.height), kind, rule, classes);
        let map = map.map_err(|error| Error::value(error.to_string()))?;
        Ok(Self { map, astar: AStar::new(), ready: None })
    }

    /// The map.
    #[must_use]
    pub const fn map(&self) -> &TerrainMap {
        &self.map
    }

    /// The map, to be changed.
    pub const fn map_mut(&mut self) -> &mut TerrainMap {
        &mut self.map
    }

    /// A cheapest path and its cost. Many paths of one class that has a map are found with what is made once.
    ///
    /// # Errors
    /// Weights so heavy that costs might not fit.
    pub fn path(
        &mut self,
        agent: AgentClass,
        weights: &Weights,
        ends: (Cell, Cell),
    ) -> Result<Option<(Path, Length)>, Error> {
        match self.ready(agent, weights)? {
            Some((map, paths)) => Ok(paths.path(map, ends.0, ends.1)),
            None => self.map.cheapest_path(agent, weights, ends, &mut self.astar).map_err(told),
        }
    }

    /// A cheapest path that may take links, and its cost.
    ///
    /// # Errors
    /// A class of agents without a map, or weights so heavy that costs might not fit.
    pub fn linked_path(
        &mut self,
        agent: AgentClass,
        weights: &Weights,
        (from, to): (Cell, Cell),
        links: &[Link],
    ) -> Result<Option<(LinkedPath, Length)>, Error> {
        let kinds = (0..TerrainSet::KINDS).filter(|kind| agent.walkable.contains(*kind));
        let bits = kinds.fold(0, |bits, kind| bits | 1 << kind);
        let (map, paths) = self.ready(agent, weights)?.ok_or_else(|| no_class(agent.size, bits))?;
        Ok(paths.linked_path(map, from, to, links))
    }

    /// What is made once for a class of agents, if it has a map.
    fn ready(
        &mut self,
        agent: AgentClass,
        weights: &Weights,
    ) -> Result<Option<(&TerrainMap, &mut WeightedPaths)>, Error> {
        if self.ready.as_ref().is_none_or(|(class, by_kind, _)| (class, by_kind) != (&agent, weights)) {
            let made = WeightedPaths::new(&self.map, agent, weights).map_err(told)?;
            self.ready = made.map(|paths| (agent, *weights, paths));
        }
        Ok(self.ready.as_mut().map(|(_, _, paths)| (&self.map, paths)))
    }
}

fn told(error: quadrille_paths::GridError) -> Error {
    Error::value(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::class_of;

    #[test]
    fn links_are_taken_where_the_ground_is_heavier() {
        let size = MapSize { width: 9, height: 3 };
        let kinds: Vec<u8> = size.bounds().cells().map(|cell| u8::from((3..6).contains(&cell.x))).collect();
        let walker = class_of(1, 0b11);
        let mut ground = Ground::new(&kinds, size, "octile", &[walker]).unwrap();
        let (mut weights, ends) = ([1; 64], (Cell::new(0, 1), Cell::new(8, 1)));
        let ferry = Link { from: Cell::new(2, 1), to: Cell::new(6, 1), steps: 5 };
        for (weight, cost, taken) in [(1, 8, 0), (3, 9, 1)] {
            weights[1] = weight;
            let (path, length) = ground.linked_path(walker, &weights, ends, &[ferry]).unwrap().unwrap();
            assert_eq!((length.straight, path.taken().len()), (cost, taken), "{weight}");
        }
        let error = ground.linked_path(class_of(2, 0b1), &weights, ends, &[ferry]).unwrap_err();
        assert_eq!(error.to_string(), "the terrain has no class of agents of size 2 that walk on 0");
    }
}
