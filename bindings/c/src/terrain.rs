//! Maps of kinds of terrain, on which agents of several classes walk, and cheapest paths on them.

use quadrille_bindings::{self as core, Flow, Ground, MapSize, Weights};
use quadrille_paths::AgentClass;

use crate::maps::{Found, ends_of, length};
use crate::status::Fault;

/// Terrain, and the paths that were last found.
pub(crate) struct Terrain {
    ground: Ground,
    size: MapSize,
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
        let size = MapSize { width, height };
        let ground = Ground::new(kinds, size, rule, classes)?;
        Ok(Self { ground, size, found: Found::default() })
    }

    pub(crate) fn version(&self) -> u64 {
        self.ground.map().version()
    }

    pub(crate) fn set(&mut self, cells: &[i64], kind: u8) -> Result<(), Fault> {
        for cell in self.size.cells(cells, "cells")? {
            self.ground.map_mut().set(cell, kind);
        }
        self.ground.map_mut().maintain();
        Ok(())
    }

    /// The kinds of a rectangle, row by row.
    pub(crate) fn edit(&mut self, at: [i64; 2], sides: [u32; 2], kinds: &[u8]) -> Result<(), Fault> {
        let rect = self.size.rect(at, sides)?;
        self.ground.map_mut().edit(rect, |cell| kinds[rect.index(cell)]);
        self.ground.map_mut().maintain();
        Ok(())
    }

    /// A cheapest path from each start to the goal in the same row.
    pub(crate) fn paths(&mut self, agent: AgentClass, weights: &Weights, ends: [&[i64]; 2]) -> Result<(), Fault> {
        let (starts, goals) = ends_of(self.size, ends)?;
        let mut found = Found::of(starts.len())?;
        for ends in starts.into_iter().zip(goals) {
            let path = self.ground.path(agent, weights, ends)?;
            found.push(path.as_ref().map(|(path, cost)| (path, length(*cost))))?;
        }
        self.found = found;
        Ok(())
    }

    pub(crate) const fn size(&self) -> MapSize {
        self.size
    }

    /// The costs and steps from every cell to the cheapest of some goals.
    pub(crate) fn flow(&self, agent: AgentClass, weights: &Weights, goals: &[i64]) -> Result<Flow, Fault> {
        Ok(self.ground.flow(agent, weights, &self.size.cells(goals, "goals")?)?)
    }

    /// Finds a cheapest path that may take links, five numbers each, and returns its cost.
    pub(crate) fn linked_path(
        &mut self,
        agent: AgentClass,
        weights: &Weights,
        [start, goal]: [[i64; 2]; 2],
        links: &[i64],
    ) -> Result<f64, Fault> {
        let ends = (self.size.cell(start, "start")?, self.size.cell(goal, "goal")?);
        let links = core::links_on(self.size, links)?;
        let found = self.ground.linked_path(agent, weights, ends, &links)?;
        self.found = found.as_ref().map_or(Ok(Found::default()), |(path, _)| Found::legs(path))?;
        Ok(found.map_or(f64::INFINITY, |(_, cost)| length(cost)))
    }

    /// The position of the first start that would be cut off from the goal, for a class, if a rectangle became terrain
    /// of some kind.
    pub(crate) fn would_close(
        &mut self,
        agent: AgentClass,
        (at, sides, kind): ([i64; 2], [u32; 2], u8),
        starts: &[i64],
        goal: [i64; 2],
    ) -> Result<Option<usize>, Fault> {
        core::check_class(self.ground.map(), agent)?;
        let rect = self.size.rect(at, sides)?;
        let (starts, goal) = (self.size.cells(starts, "starts")?, self.size.cell(goal, "goal")?);
        Ok(self.ground.map_mut().would_close(agent, (rect, kind), &starts, goal))
    }
}
