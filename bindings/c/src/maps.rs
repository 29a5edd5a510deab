//! Maps of cells or of terrain, and paths on them, which are watched.

use quadrille_bindings::{self as core, Agent, Flow, Ground, MapSize, Reaching, Working};
use quadrille_paths::{AgentClass, Cell, LinkedPath, Path, PathMap, PathWatch, Reach};

use crate::growing::{Growing, What};
use crate::status::{Fault, Status};

/// A map, and the paths that were last found on it.
pub(crate) struct Map {
    ground: Ground,
    working: Working,
    pub(crate) found: Found,
}

/// Paths, in one list.
#[derive(Default)]
pub(crate) struct Found {
    /// How many cells each path has; none where there is no path.
    pub(crate) counts: Vec<u32>,
    pub(crate) cells: Vec<[u32; 2]>,
    /// The length or cost of each path; infinite if there is none.
    pub(crate) lengths: Vec<f64>,
    /// The cost of each cell, if requested.
    pub(crate) costs: Vec<f64>,
    /// Which links lead from each path to the next, if they are the legs of one.
    pub(crate) links: Vec<u32>,
    /// Where a taut path turns.
    pub(crate) points: Vec<[f64; 2]>,
}

impl Found {
    /// Room for this many paths.
    fn of(paths: usize) -> Result<Self, Fault> {
        Ok(Self { counts: core::room(paths)?, lengths: core::room(paths)?, ..Self::default() })
    }

    /// The legs of a path, and the links between them.
    fn legs(path: &LinkedPath) -> Result<Self, Fault> {
        let mut found = Self::of(path.legs().len())?;
        for leg in path.legs() {
            found.push(Some((leg, leg.length().as_f64())))?;
        }
        found.links = path.taken().iter().map(|link| *link as u32).collect();
        Ok(found)
    }

    /// Adds a path with its length, or a missing one.
    fn push(&mut self, path: Option<(&Path, f64)>) -> Result<(), Fault> {
        let (cells, length) = path.map_or((&[][..], f64::INFINITY), |(path, length)| (path.cells(), length));
        self.cells
            .try_reserve(cells.len())
            .map_err(|_| Fault::new(Status::Memory, "there is no memory for the paths"))?;
        self.cells.extend(cells.iter().map(|cell| [cell.x, cell.y]));
        self.counts.push(cells.len() as u32);
        self.lengths.push(length);
        Ok(())
    }
}

fn check_budget(budget: f64) -> Result<(), Fault> {
    if budget.is_nan() || budget < 0.0 {
        return Err(Fault::value(format!("a budget is zero or more, not {budget}")));
    }
    Ok(())
}

/// The class of agents that a call is about, on terrain.
fn class(agent: Option<&Agent>) -> Option<AgentClass> {
    agent.map(|agent| agent.class)
}

impl Map {
    /// Values row by row: of terrain, with classes of agents.
    pub(crate) fn new(
        values: &[u8],
        [width, height]: [u32; 2],
        rule: &str,
        classes: Option<&[AgentClass]>,
    ) -> Result<Self, Fault> {
        let ground = Ground::new(values, MapSize { width, height }, rule, classes)?;
        Ok(Self { ground, working: Working::default(), found: Found::default() })
    }

    /// The map of cells, for queries from other modules.
    pub(crate) fn cells(&self) -> Result<&PathMap, Fault> {
        Ok(self.ground.map(None)?)
    }

    pub(crate) fn size(&self) -> MapSize {
        self.ground.size()
    }

    pub(crate) fn version(&self) -> u64 {
        self.ground.version()
    }

    pub(crate) fn set(&mut self, cells: &[i64], value: u8) -> Result<(), Fault> {
        let cells = self.size().cells(cells, "cells")?;
        self.ground.set(&cells, value);
        self.ground.maintain();
        Ok(())
    }

    /// The values of a rectangle, row by row.
    pub(crate) fn edit(&mut self, at: [i64; 2], sides: [u32; 2], values: &[u8]) -> Result<(), Fault> {
        let rect = self.size().rect(at, sides)?;
        self.ground.edit(rect, values);
        self.ground.maintain();
        Ok(())
    }

    /// The values of a rectangle, row by row: 1 where free.
    pub(crate) fn get(&self, at: [i64; 2], sides: [u32; 2]) -> Result<Vec<u8>, Fault> {
        Ok(self.ground.values(self.size().rect(at, sides)?)?)
    }

    /// From each start to the goal in the same row, no longer than `most`.
    pub(crate) fn paths(
        &mut self,
        agent: Option<&Agent>,
        [starts, goals]: [&[i64]; 2],
        partial: bool,
        most: f64,
    ) -> Result<(), Fault> {
        let reaching = match (partial, most) {
            (true, f64::INFINITY) => Reaching::AsNear,
            (true, _) => {
                return Err(Fault::value(format!("paths are partial or no longer than {most}, but not both")));
            }
            (false, f64::INFINITY) => Reaching::Goal,
            (false, _) if most.is_nan() || most < 0.0 => {
                return Err(Fault::value(format!("a length is zero or more, not {most}")));
            }
            (false, _) => Reaching::Within(most),
        };
        let (starts, goals) = (self.size().cells(starts, "starts")?, self.size().cells(goals, "goals")?);
        let mut found = Found::of(starts.len())?;
        self.ground.visit_paths(agent, (&starts, &goals), reaching, &mut self.working, |path| found.push(path))?;
        // If searches are hard, landmarks are made for later ones.
        self.ground.maintain();
        self.found = found;
        Ok(())
    }

    /// Finds a cheapest path that may take links, five numbers each, and returns its length.
    pub(crate) fn linked_path(
        &mut self,
        agent: Option<&Agent>,
        ends: [[i64; 2]; 2],
        links: &[i64],
    ) -> Result<f64, Fault> {
        let (ends, links) = (self.ends(ends)?, core::links_on(self.size(), links)?);
        let found = self.ground.linked_path(agent, ends, &links, &mut self.working)?;
        self.found = found.as_ref().map_or(Ok(Found::default()), |(path, _)| Found::legs(path))?;
        Ok(found.map_or(f64::INFINITY, |(_, length)| length))
    }

    /// Finds a shortest path that may take links to the nearest of some goals, and returns the position of that goal and
    /// the length.
    pub(crate) fn nearest_linked(
        &mut self,
        agent: Option<&Agent>,
        (start, goals): ([i64; 2], &[i64]),
        links: &[i64],
    ) -> Result<Option<(usize, f64)>, Fault> {
        let (start, goals) = (self.size().cell(start, "start")?, self.size().cells(goals, "goals")?);
        let links = core::links_on(self.size(), links)?;
        let found = self.ground.nearest_linked(class(agent), (start, &goals), &links, &mut self.working)?;
        self.found = found.as_ref().map_or(Ok(Found::default()), |(_, path)| Found::legs(path))?;
        Ok(found.map(|(nearest, path)| (nearest, path.length().as_f64())))
    }

    /// The first blocked cell on the line between two.
    pub(crate) fn first_wall(&self, agent: Option<&Agent>, ends: [[i64; 2]; 2]) -> Result<Option<[u32; 2]>, Fault> {
        let ends = self.ends(ends)?;
        Ok(self.ground.first_wall(class(agent), ends)?.map(|wall| [wall.x, wall.y]))
    }

    /// Finds places for a group around a cell.
    pub(crate) fn free_places(
        &mut self,
        agent: Option<&Agent>,
        (cell, to): ([i64; 2], Option<[i64; 2]>),
        count: usize,
        apart: u32,
    ) -> Result<(), Fault> {
        let cell = self.size().cell(cell, "cell")?;
        let to = to.map(|to| self.size().cell(to, "connected_to")).transpose()?;
        let places = self.ground.free_places(class(agent), (cell, to), count, apart)?;
        self.found = Found::default();
        self.found.cells = places.iter().map(|place| [place.x, place.y]).collect();
        Ok(())
    }

    /// Leads a path around obstacles near its start, and returns its length.
    pub(crate) fn detour(
        &mut self,
        agent: Option<&Agent>,
        [path, obstacles]: [&[i64]; 2],
        radius: u32,
    ) -> Result<f64, Fault> {
        core::path_along(path)?;
        let (path, obstacles) = (self.size().cells(path, "path")?, self.size().cells(obstacles, "obstacles")?);
        let found = self.ground.detour(class(agent), (&path, &obstacles), radius, &mut self.working)?;
        self.found = Found::of(1)?;
        let length = found.as_ref().map_or(f64::INFINITY, |path| path.length().as_f64());
        self.found.push(found.as_ref().map(|path| (path, length)))?;
        Ok(length)
    }

    /// Finds the shortest any-angle path, and returns its length.
    pub(crate) fn taut_path(&mut self, agent: Option<&Agent>, ends: [[i64; 2]; 2]) -> Result<f64, Fault> {
        let (start, goal) = self.ends(ends)?;
        let path = self.ground.map(class(agent))?.taut_path(start, goal, &mut self.working.scratch);
        self.found = Found::default();
        let Some(path) = path else { return Ok(f64::INFINITY) };
        self.found.points = path.points().to_vec();
        Ok(path.length())
    }

    /// All cells that can be reached at a cost.
    pub(crate) fn reach(&mut self, agent: Option<&Agent>, from: [i64; 2], budget: f64) -> Result<(), Fault> {
        check_budget(budget)?;
        let from = self.size().cell(from, "from")?;
        self.take(&self.ground.reach(agent, from, budget, self.size().bounds())?);
        Ok(())
    }

    /// Keeps what can be reached.
    fn take(&mut self, reach: &Reach) {
        self.found = Found::default();
        for (cell, cost) in reach.iter() {
            self.found.cells.push([cell.x, cell.y]);
            self.found.costs.push(cost.as_f64());
        }
    }

    /// Begins to find what can be reached at a cost.
    pub(crate) fn begin_reach(&self, agent: Option<&Agent>, from: [i64; 2], budget: f64) -> Result<Growing, Fault> {
        check_budget(budget)?;
        let from = self.size().cell(from, "from")?;
        let reach = self.ground.begin_reach(agent, from, budget, self.size().bounds())?;
        Ok(Growing { what: What::Reach(reach), is_of_agents: agent.is_some() })
    }

    /// Goes on for some cells; returns whether it is done.
    pub(crate) fn go_on_reach(&mut self, growing: &mut Growing, cells: usize) -> Result<bool, Fault> {
        let reach = growing.reach(&self.ground, cells)?;
        if let Some(reach) = &reach {
            self.take(reach);
        }
        Ok(reach.is_some())
    }

    /// The position of the first start that would be cut off from the goal if a rectangle got a value.
    pub(crate) fn would_close(
        &mut self,
        agent: Option<&Agent>,
        (at, sides, value): ([i64; 2], [u32; 2], u8),
        starts: &[i64],
        goal: [i64; 2],
    ) -> Result<Option<usize>, Fault> {
        let rect = self.size().rect(at, sides)?;
        let (starts, goal) = (self.size().cells(starts, "starts")?, self.size().cell(goal, "goal")?);
        Ok(self.ground.would_close(class(agent), (rect, value), &starts, goal)?)
    }

    pub(crate) fn nearest_free(
        &self,
        agent: Option<&Agent>,
        cell: [i64; 2],
        to: Option<[i64; 2]>,
    ) -> Result<Option<[u32; 2]>, Fault> {
        let cell = self.size().cell(cell, "cell")?;
        let to = to.map(|to| self.size().cell(to, "connected_to")).transpose()?;
        Ok(self.ground.map(class(agent))?.nearest_free(cell, to).map(|free| [free.x, free.y]))
    }

    pub(crate) fn is_reachable(&self, agent: Option<&Agent>, ends: [[i64; 2]; 2]) -> Result<bool, Fault> {
        let (start, goal) = self.ends(ends)?;
        Ok(self.ground.map(class(agent))?.is_reachable(start, goal))
    }

    /// The field toward some goals, which begin with these numbers of steps.
    pub(crate) fn flow(&self, agent: Option<&Agent>, goals: &[i64], starts: Option<&[u16]>) -> Result<Flow, Fault> {
        let goals = self.goals(goals, starts)?;
        Ok(Flow::of(&self.ground.field(agent, &goals, self.size().bounds())?, self.size())?)
    }

    fn goals(&self, goals: &[i64], starts: Option<&[u16]>) -> Result<Vec<(Cell, u16)>, Fault> {
        let goals = self.size().cells(goals, "goals")?;
        let start = |at: usize| starts.map_or(0, |starts| starts[at]);
        let mut begun = core::room(goals.len())?;
        begun.extend(goals.into_iter().enumerate().map(|(at, goal)| (goal, start(at))));
        Ok(begun)
    }

    /// Begins to make the same.
    pub(crate) fn begin_flow(
        &self,
        agent: Option<&Agent>,
        goals: &[i64],
        starts: Option<&[u16]>,
    ) -> Result<Growing, Fault> {
        let field = self.ground.begin_field(agent, &self.goals(goals, starts)?, self.size().bounds())?;
        Ok(Growing { what: What::Field(field), is_of_agents: agent.is_some() })
    }

    /// Goes on for some cells; returns the flow once it is done.
    pub(crate) fn go_on_flow(&self, growing: &mut Growing, cells: usize) -> Result<Option<Flow>, Fault> {
        let field = growing.field(&self.ground, cells)?;
        Ok(field.map(|field| Flow::of(&field, self.size())).transpose()?)
    }

    /// Watches a path, given by all of its cells.
    pub(crate) fn watch(&self, cells: &[i64]) -> Result<PathWatch, Fault> {
        let (map, cells) = (self.cells()?, self.size().cells(cells, "cells")?);
        if cells.is_empty() {
            return Err(Fault::value("a path has at least one cell"));
        }
        let path = Path::of_cells(cells).map_err(|(from, to)| {
            Fault::value(format!("({}, {}) and ({}, {}) are not side by side", from.x, from.y, to.x, to.y))
        })?;
        if let Err(fault) = path.validate(map.grid(), map.rule()) {
            return Err(Fault::new(Status::Value, format!("the path is invalid on the map: {fault}")));
        }
        Ok(PathWatch::new(map, &path))
    }

    /// The last cell that can be reached, if the path has been broken.
    pub(crate) fn check(&self, watch: &mut PathWatch) -> Result<Option<[u32; 2]>, Fault> {
        Ok(watch.check(self.cells()?).map(|cell| [cell.x, cell.y]))
    }

    fn ends(&self, [start, goal]: [[i64; 2]; 2]) -> Result<(Cell, Cell), Fault> {
        Ok((self.size().cell(start, "start")?, self.size().cell(goal, "goal")?))
    }
}
