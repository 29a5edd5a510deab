//! Maps of cells or of terrain, and what was last found on them.

use quadrille_bindings::{self as core, Agent, CellPaths, Ground, Reaching, Working};
use quadrille_paths::{Cell, LinkedPath, PathMap, PathWatch, Reach};

use crate::status::Fault;

/// A map, and the paths that were last found on it.
pub(crate) struct Map {
    pub(crate) ground: Ground,
    pub(crate) working: Working,
    pub(crate) found: Found,
}

/// Paths, in one list.
#[derive(Default)]
pub(crate) struct Found {
    pub(crate) paths: CellPaths,
    /// How many cells each path has; none where there is no path.
    pub(crate) counts: Vec<u32>,
    /// The cost of each cell, if requested.
    pub(crate) costs: Vec<f64>,
    /// Which links lead from each path to the next, if they are the legs of one.
    pub(crate) links: Vec<u32>,
    /// Where a taut path turns.
    pub(crate) points: Vec<[f64; 2]>,
}

impl From<CellPaths> for Found {
    fn from(paths: CellPaths) -> Self {
        Self { counts: counts_of(&paths), paths, ..Self::default() }
    }
}

impl From<Vec<Cell>> for Found {
    fn from(cells: Vec<Cell>) -> Self {
        Self { paths: CellPaths { cells, ..CellPaths::default() }, ..Self::default() }
    }
}

impl From<&Reach> for Found {
    fn from(reach: &Reach) -> Self {
        let (cells, costs): (Vec<Cell>, _) = reach.iter().map(|(cell, cost)| (cell, cost.as_f64())).unzip();
        Self { costs, ..Self::from(cells) }
    }
}

impl Found {
    /// The legs of a path, and the links between them.
    pub(crate) fn legs(path: Option<&LinkedPath>) -> Result<Self, Fault> {
        let Some(path) = path else { return Ok(Self::default()) };
        let links = path.taken().iter().map(|link| *link as u32).collect();
        Ok(Self { links, ..CellPaths::legs(path)?.into() })
    }
}

/// How many cells each path has.
pub(crate) fn counts_of(paths: &CellPaths) -> Vec<u32> {
    paths.starts.windows(2).map(|ends| (ends[1] - ends[0]) as u32).collect()
}

impl From<Ground> for Map {
    fn from(ground: Ground) -> Self {
        Self { ground, working: Working::default(), found: Found::default() }
    }
}

impl Map {
    /// The map of cells, for what is about no agents.
    pub(crate) fn cells(&self) -> Result<&PathMap, Fault> {
        Ok(self.ground.map(None)?)
    }

    /// One cell on the map.
    pub(crate) fn cell(&self, xy: [u32; 2], name: &str) -> Result<Cell, Fault> {
        Ok(self.ground.size().cell(xy, name)?)
    }

    /// Some, two numbers each.
    pub(crate) fn cells_of(&self, numbers: &[u32], name: &str) -> Result<Vec<Cell>, Fault> {
        Ok(self.ground.size().cells(numbers, name)?)
    }

    pub(crate) fn ends(&self, [start, goal]: [[u32; 2]; 2]) -> Result<(Cell, Cell), Fault> {
        Ok((self.cell(start, "start")?, self.cell(goal, "goal")?))
    }

    /// A cell that another should be connected to, if one is named.
    pub(crate) fn other(&self, to: Option<[u32; 2]>) -> Result<Option<Cell>, Fault> {
        to.map(|to| self.cell(to, "connected_to")).transpose()
    }

    /// Finds paths from each start to the goal in the same row, no longer than `most`.
    pub(crate) fn paths(
        &mut self,
        agent: Option<&Agent>,
        [starts, goals]: [&[u32]; 2],
        partial: bool,
        most: f64,
    ) -> Result<(), Fault> {
        let reaching = match (partial, most) {
            (true, f64::INFINITY) => Reaching::AsNear,
            (true, _) => {
                return Err(Fault::value(format!("paths are partial or no longer than {most}, but not both")));
            }
            (false, f64::INFINITY) => Reaching::Goal,
            (false, _) => Reaching::Within(most),
        };
        core::check_amount("length", most, most)?;
        let (starts, goals) = (self.cells_of(starts, "starts")?, self.cells_of(goals, "goals")?);
        let found = self.ground.paths(agent, (&starts, &goals), reaching, &mut self.working)?;
        // If searches are hard, landmarks are made for later ones.
        self.ground.maintain();
        self.found = found.into();
        Ok(())
    }

    /// Goals that begin with these numbers of steps.
    pub(crate) fn goals(&self, goals: &[u32], starts: Option<&[u16]>) -> Result<Vec<(Cell, u16)>, Fault> {
        let goals = self.cells_of(goals, "goals")?;
        let start = |at: usize| starts.map_or(0, |starts| starts[at]);
        let mut begun = core::room(goals.len())?;
        begun.extend(goals.into_iter().enumerate().map(|(at, goal)| (goal, start(at))));
        Ok(begun)
    }

    /// Watches a path, given by all of its cells.
    pub(crate) fn watch(&self, cells: &[u32]) -> Result<PathWatch, Fault> {
        let map = self.cells()?;
        self.cells_of(cells, "cells")?;
        if cells.is_empty() {
            return Err(Fault::value("a path has at least one cell"));
        }
        Ok(PathWatch::new(map, &core::path_on(map, cells)?))
    }
}
