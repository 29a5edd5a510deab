//! Maps of kinds of terrain, on which agents of several classes walk, and cheapest paths on them.

use quadrille_bindings::{MapSize, rule_named};
use quadrille_paths::{AStar, AgentClass, Cell, Path, TerrainMap, TerrainSet, WeightedPaths};

use crate::maps::{Found, ends_of, length};
use crate::status::Fault;

/// How much entering a cell of each kind costs, in steps.
pub(crate) type Weights = [u32; TerrainSet::KINDS as usize];

/// Terrain, what was made ready for the last class of agents, and the paths that were last found.
pub(crate) struct Terrain {
    map: TerrainMap,
    size: MapSize,
    astar: AStar,
    ready: Option<(AgentClass, Weights, WeightedPaths)>,
    pub(crate) found: Found,
}

impl Terrain {
    /// Kinds row by row.
    pub(crate) fn new(
        kinds: &[u8],
        [width, height]: [u32; 2],
        rule: &str,
        classes: &[AgentClass],
    ) -> Result<Self, Fault> {
        let rule = rule_named(rule)?;
        let size = MapSize { width, height };
        let map = TerrainMap::new((width, height), |cell| kinds[size.bounds().index(cell)], rule, classes);
        let map = map.map_err(|error| Fault::value(error.to_string()))?;
        Ok(Self { map, size, astar: AStar::new(), ready: None, found: Found::default() })
    }

    pub(crate) fn version(&self) -> u64 {
        self.map.version()
    }

    pub(crate) fn set(&mut self, cells: &[i64], kind: u8) -> Result<(), Fault> {
        for cell in self.size.cells(cells, "cells")? {
            self.map.set(cell, kind);
        }
        self.map.maintain();
        Ok(())
    }

    /// The kinds of a rectangle, row by row.
    pub(crate) fn edit(&mut self, at: [i64; 2], sides: [u32; 2], kinds: &[u8]) -> Result<(), Fault> {
        let rect = self.size.rect(at, sides)?;
        self.map.edit(rect, |cell| kinds[rect.index(cell)]);
        self.map.maintain();
        Ok(())
    }

    /// A cheapest path from each start to the goal in the same row.
    pub(crate) fn paths(&mut self, agent: AgentClass, weights: &Weights, ends: [&[i64]; 2]) -> Result<(), Fault> {
        let (starts, goals) = ends_of(self.size, ends)?;
        self.make_ready(agent, weights)?;
        let mut found = Found::of(starts.len())?;
        for ends in starts.into_iter().zip(goals) {
            let path = self.path(agent, weights, ends)?;
            found.push(path.as_ref().map(|(path, cost)| (path, *cost)))?;
        }
        self.found = found;
        Ok(())
    }

    /// Many paths of a class that has a map are found with what is made once.
    fn make_ready(&mut self, agent: AgentClass, weights: &Weights) -> Result<(), Fault> {
        if self.ready.as_ref().is_some_and(|(class, by_kind, _)| (class, by_kind) == (&agent, weights)) {
            return Ok(());
        }
        let made = WeightedPaths::new(&self.map, agent, weights).map_err(|error| Fault::value(error.to_string()))?;
        self.ready = made.map(|paths| (agent, *weights, paths));
        Ok(())
    }

    fn path(&mut self, agent: AgentClass, weights: &Weights, ends: (Cell, Cell)) -> Result<Option<(Path, f64)>, Fault> {
        let found = match &mut self.ready {
            Some((_, _, paths)) => paths.path(&self.map, ends.0, ends.1),
            None => {
                let found = self.map.cheapest_path(agent, weights, ends, &mut self.astar);
                found.map_err(|error| Fault::value(error.to_string()))?
            }
        };
        Ok(found.map(|(path, cost)| (path, length(cost))))
    }

    /// The place of the first start whose way to the goal would be closed to a class if a rectangle became terrain of
    /// some kind.
    pub(crate) fn would_close(
        &mut self,
        agent: AgentClass,
        (at, sides, kind): ([i64; 2], [u32; 2], u8),
        starts: &[i64],
        goal: [i64; 2],
    ) -> Result<Option<usize>, Fault> {
        if self.map.paths(agent).is_none() {
            return Err(Fault::value("the terrain has no map for this class of agents: name it when it is made"));
        }
        let rect = self.size.rect(at, sides)?;
        let (starts, goal) = (self.size.cells(starts, "starts")?, self.size.cell(goal, "goal")?);
        Ok(self.map.would_close(agent, (rect, kind), &starts, goal))
    }
}

/// Agents of a size that walk on the kinds whose bits are set.
pub(crate) fn class(size: u32, walkable: u64) -> AgentClass {
    let kinds: Vec<u8> = (0..TerrainSet::KINDS).filter(|kind| walkable >> kind & 1 == 1).collect();
    AgentClass { size, walkable: TerrainSet::of(&kinds) }
}
