//! Terrain, with data cached for the agents of the last query.

use quadrille_paths::{
    AStar, AgentClass, Cell, FlowField, Length, Link, LinkedPath, Path, TerrainMap, TerrainSet, WeightedPaths,
};

use crate::cells::{MapSize, rule_named};
use crate::error::Error;
use crate::flow::Flow;

/// The cost of entering a cell of each kind, in steps.
pub type Weights = [u32; TerrainSet::KINDS as usize];

/// A map of terrain, with data cached for the agents of the last query.
#[derive(Clone, Debug)]
pub struct Ground {
    map: TerrainMap,
    astar: AStar,
    /// The agents and weights of the last query.
    last: Option<(AgentClass, Weights)>,
    /// Built when they query again.
    ready: Option<WeightedPaths>,
}

impl Ground {
    /// Takes kinds row by row, and the classes of agents that get maps.
    ///
    /// # Errors
    /// An unknown rule, too many classes, or a map that is too large.
    pub fn new(kinds: &[u8], size: MapSize, rule: &str, classes: &[AgentClass]) -> Result<Self, Error> {
        let rule = rule_named(rule)?;
        let kind = |cell: Cell| kinds[size.bounds().index(cell)];
        let map = TerrainMap::new((size.width, size.height), kind, rule, classes);
        let map = map.map_err(|error| Error::value(error.to_string()))?;
        Ok(Self { map, astar: AStar::new(), last: None, ready: None })
    }

    /// The map.
    pub const fn map(&self) -> &TerrainMap {
        &self.map
    }

    /// The map, to be changed.
    pub const fn map_mut(&mut self) -> &mut TerrainMap {
        &mut self.map
    }

    /// A cheapest path and its cost. Repeated queries for one class of agents share cached data.
    ///
    /// # Errors
    /// Weights so heavy that costs might not fit.
    pub fn path(
        &mut self,
        agent: AgentClass,
        weights: &Weights,
        ends: (Cell, Cell),
    ) -> Result<Option<(Path, Length)>, Error> {
        if self.note(agent, weights) {
            let (map, paths) = self.ready(agent, weights)?;
            return Ok(paths.path(map, ends.0, ends.1));
        }
        self.map.cheapest_path(agent, weights, ends, &mut self.astar).map_err(told)
    }

    /// A cheapest path that may take links, and its cost.
    ///
    /// # Errors
    /// Weights so heavy that costs might not fit.
    pub fn linked_path(
        &mut self,
        agent: AgentClass,
        weights: &Weights,
        (from, to): (Cell, Cell),
        links: &[Link],
    ) -> Result<Option<(LinkedPath, Length)>, Error> {
        self.note(agent, weights);
        let (map, paths) = self.ready(agent, weights)?;
        Ok(paths.linked_path(map, from, to, links))
    }

    /// The costs and steps from every cell to the cheapest of some goals.
    ///
    /// # Errors
    /// Weights so heavy that costs might not fit, or no memory.
    pub fn flow(&self, agent: AgentClass, weights: &Weights, goals: &[Cell]) -> Result<Flow, Error> {
        let all = self.map.bounds();
        let field = FlowField::weighted(&self.map, agent, weights, goals, all).map_err(told)?;
        Flow::of(&field, MapSize { width: all.width, height: all.height })
    }

    /// Records the agents of a query, and returns whether the last query was for the same. Data for others is dropped.
    fn note(&mut self, agent: AgentClass, weights: &Weights) -> bool {
        let is_known = self.last == Some((agent, *weights));
        if !is_known {
            (self.last, self.ready) = (Some((agent, *weights)), None);
        }
        is_known
    }

    /// The data cached for the agents of the last query.
    fn ready(&mut self, agent: AgentClass, weights: &Weights) -> Result<(&TerrainMap, &mut WeightedPaths), Error> {
        let paths = match self.ready.take() {
            Some(paths) => paths,
            None => WeightedPaths::new(&self.map, agent, weights).map_err(told)?,
        };
        Ok((&self.map, self.ready.insert(paths)))
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
        // There is no map for agents that walk only on the lightest kind: only the link leads across.
        let (path, length) = ground.linked_path(class_of(1, 0b1), &weights, ends, &[ferry]).unwrap().unwrap();
        assert_eq!((length.straight, path.taken()), (9, &[0][..]));
    }

    #[test]
    fn agents_without_a_map_find_the_same_paths_again_after_an_edit() {
        let size = MapSize { width: 9, height: 3 };
        let mut ground = Ground::new(&[0; 27], size, "octile", &[]).unwrap();
        let (small, large) = (class_of(1, 0b1), class_of(2, 0b1));
        let ends = (Cell::new(0, 1), Cell::new(8, 1));
        let cost = |ground: &mut Ground, agent| {
            let found = ground.path(agent, &[1; 64], ends).unwrap();
            found.map(|(_, length)| length.straight)
        };
        for _ in 0..3 {
            assert_eq!((cost(&mut ground, small), cost(&mut ground, small)), (Some(8), Some(8)));
            assert_eq!(cost(&mut ground, large), None, "it would stand beyond the edge");
        }
        ground.map_mut().fill(quadrille_paths::CellRect::new(4, 0, 1, 3), 1);
        assert_eq!((cost(&mut ground, large), cost(&mut ground, small), cost(&mut ground, small)), (None, None, None));
    }
}
