//! Terrain, with what is made once for the agents that ask most.

use quadrille_paths::{AStar, AgentClass, Cell, Length, Path, TerrainMap, TerrainSet, WeightedPaths};

use crate::cells::{MapSize, rule_named};
use crate::error::Error;

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
        let told = |error: quadrille_paths::GridError| Error::value(error.to_string());
        if self.ready.as_ref().is_none_or(|(class, by_kind, _)| (class, by_kind) != (&agent, weights)) {
            let made = WeightedPaths::new(&self.map, agent, weights).map_err(told)?;
            self.ready = made.map(|paths| (agent, *weights, paths));
        }
        match &mut self.ready {
            Some((_, _, paths)) => Ok(paths.path(&self.map, ends.0, ends.1)),
            None => self.map.cheapest_path(agent, weights, ends, &mut self.astar).map_err(told),
        }
    }
}
