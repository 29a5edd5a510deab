//! Maps of cells and paths on them, which are watched.

use quadrille_bindings::{self as core, Flow, MapSize, rule_named};
use quadrille_paths::{Cell, FlowField, Grid, Length, LinkedPath, Path, PathMap, PathWatch, Scratch};

use crate::status::{Fault, Status};

/// A map of free and blocked cells, and the paths that were last found on it.
pub(crate) struct Map {
    map: PathMap,
    size: MapSize,
    scratch: Scratch,
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
    pub(crate) fn of(paths: usize) -> Result<Self, Fault> {
        Ok(Self { counts: core::room(paths)?, lengths: core::room(paths)?, ..Self::default() })
    }

    /// The legs of a path, and the links between them.
    pub(crate) fn legs(path: &LinkedPath) -> Result<Self, Fault> {
        let mut found = Self::of(path.legs().len())?;
        for leg in path.legs() {
            found.push(Some((leg, length(leg.length()))))?;
        }
        found.links = path.taken().iter().map(|link| *link as u32).collect();
        Ok(found)
    }

    /// Adds a path with its length, or a missing one.
    pub(crate) fn push(&mut self, path: Option<(&Path, f64)>) -> Result<(), Fault> {
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

impl Map {
    /// Cells row by row; all but 0 are free.
    pub(crate) fn new(free: &[u8], width: u32, height: u32, rule: &str) -> Result<Self, Fault> {
        let rule = rule_named(rule)?;
        let size = MapSize { width, height };
        let grid = Grid::from_fn(width, height, |cell| free[size.bounds().index(cell)] != 0);
        let map = PathMap::new(grid.map_err(|error| Fault::value(error.to_string()))?, rule);
        Ok(Self { map, size, scratch: Scratch::new(), found: Found::default() })
    }

    /// For queries from other modules.
    pub(crate) fn map(&self) -> &PathMap {
        &self.map
    }

    pub(crate) fn size(&self) -> MapSize {
        self.size
    }

    pub(crate) fn version(&self) -> u64 {
        self.map.version()
    }

    pub(crate) fn set(&mut self, cells: &[i64], free: bool) -> Result<(), Fault> {
        for cell in self.size.cells(cells, "cells")? {
            self.map.set(cell, free);
        }
        self.map.maintain();
        Ok(())
    }

    /// The cells of a rectangle, row by row.
    pub(crate) fn edit(&mut self, at: [i64; 2], sides: [u32; 2], free: &[u8]) -> Result<(), Fault> {
        let rect = self.size.rect(at, sides)?;
        self.map.edit(rect, |cell| free[rect.index(cell)] != 0);
        self.map.maintain();
        Ok(())
    }

    /// The cells of a rectangle, row by row: 1 where free.
    pub(crate) fn cells(&self, at: [i64; 2], sides: [u32; 2]) -> Result<Vec<u8>, Fault> {
        let rect = self.size.rect(at, sides)?;
        Ok(rect.cells().map(|cell| u8::from(self.map.grid().is_free(cell))).collect())
    }

    /// From each start to the goal in the same row, no longer than `most`.
    pub(crate) fn paths(&mut self, ends: [&[i64]; 2], partial: bool, most: f64) -> Result<(), Fault> {
        if partial && most != f64::INFINITY {
            return Err(Fault::value(format!("paths are partial or no longer than {most}, but not both")));
        }
        if most.is_nan() || most < 0.0 {
            return Err(Fault::value(format!("a length is zero or more, not {most}")));
        }
        let (starts, goals) = ends_of(self.size, ends)?;
        let ends: Vec<_> = starts.into_iter().zip(goals).collect();
        let Self { map, scratch, .. } = self;
        let mut found = Found::of(ends.len())?;
        let find = |ends: &[(Cell, Cell)]| {
            if partial {
                map.partial_paths(ends, scratch)
            } else if most == f64::INFINITY {
                map.paths(ends, scratch)
            } else {
                ends.iter().map(|&(start, goal)| map.path_within(start, goal, most, scratch)).collect()
            }
        };
        core::visit_paths(map, &ends, find, |path| found.push(path.map(|path| (path, length(path.length())))))?;
        // If searches are hard, landmarks are made for later ones.
        map.maintain();
        self.found = found;
        Ok(())
    }

    /// Finds a shortest path that may take links, five numbers each, and returns its length.
    pub(crate) fn linked_path(&mut self, start: [i64; 2], goal: [i64; 2], links: &[i64]) -> Result<f64, Fault> {
        let (start, goal) = (self.size.cell(start, "start")?, self.size.cell(goal, "goal")?);
        let links = core::links_on(self.size, links)?;
        let path = self.map.linked_path(start, goal, &links, &mut self.scratch);
        self.found = path.as_ref().map_or(Ok(Found::default()), Found::legs)?;
        Ok(path.map_or(f64::INFINITY, |path| length(path.length())))
    }

    /// Finds the shortest any-angle path, and returns its length.
    pub(crate) fn taut_path(&mut self, start: [i64; 2], goal: [i64; 2]) -> Result<f64, Fault> {
        let (start, goal) = (self.size.cell(start, "start")?, self.size.cell(goal, "goal")?);
        let path = self.map.taut_path(start, goal, &mut self.scratch);
        self.found = Found::default();
        let Some(path) = path else { return Ok(f64::INFINITY) };
        self.found.points = path.points().to_vec();
        Ok(path.length())
    }

    /// All cells that can be reached at a cost.
    pub(crate) fn reach(&mut self, from: [i64; 2], budget: f64) -> Result<(), Fault> {
        if budget.is_nan() || budget < 0.0 {
            return Err(Fault::value(format!("a budget is zero or more, not {budget}")));
        }
        let reach = self.map.reach(self.size.cell(from, "from")?, budget, self.size.bounds());
        let mut found = Found::default();
        for (cell, cost) in reach.iter() {
            found.cells.push([cell.x, cell.y]);
            found.costs.push(length(cost));
        }
        self.found = found;
        Ok(())
    }

    /// The position of the first start that a wall would cut off from the goal.
    pub(crate) fn would_close(
        &mut self,
        (at, sides): ([i64; 2], [u32; 2]),
        starts: &[i64],
        goal: [i64; 2],
    ) -> Result<Option<usize>, Fault> {
        let rect = self.size.rect(at, sides)?;
        let (starts, goal) = (self.size.cells(starts, "starts")?, self.size.cell(goal, "goal")?);
        Ok(self.map.would_close(rect, &starts, goal))
    }

    pub(crate) fn nearest_free(&self, cell: [i64; 2], to: Option<[i64; 2]>) -> Result<Option<[u32; 2]>, Fault> {
        let cell = self.size.cell(cell, "cell")?;
        let to = to.map(|to| self.size.cell(to, "connected_to")).transpose()?;
        Ok(self.map.nearest_free(cell, to).map(|free| [free.x, free.y]))
    }

    pub(crate) fn is_reachable(&self, start: [i64; 2], goal: [i64; 2]) -> Result<bool, Fault> {
        Ok(self.map.is_reachable(self.size.cell(start, "start")?, self.size.cell(goal, "goal")?))
    }

    pub(crate) fn flow(&self, goals: &[i64]) -> Result<Flow, Fault> {
        let (goals, all) = (self.size.cells(goals, "goals")?, self.size.bounds());
        Ok(Flow::of(&FlowField::to_nearest(&self.map, &goals, all), self.size)?)
    }

    /// Watches a path, given by all of its cells.
    pub(crate) fn watch(&self, cells: &[i64]) -> Result<PathWatch, Fault> {
        let cells = self.size.cells(cells, "cells")?;
        if cells.is_empty() {
            return Err(Fault::value("a path has at least one cell"));
        }
        let path = Path::of_cells(cells).map_err(|(from, to)| {
            Fault::value(format!("({}, {}) and ({}, {}) are not side by side", from.x, from.y, to.x, to.y))
        })?;
        if let Err(fault) = path.validate(self.map.grid(), self.map.rule()) {
            return Err(Fault::new(Status::Value, format!("the path is invalid on the map: {fault}")));
        }
        Ok(PathWatch::new(&self.map, &path))
    }

    /// The last cell that can be reached, if the path has been broken.
    pub(crate) fn check(&self, watch: &mut PathWatch) -> Option<[u32; 2]> {
        watch.check(&self.map).map(|cell| [cell.x, cell.y])
    }
}

/// Starts and goals.
pub(crate) fn ends_of(size: MapSize, [starts, goals]: [&[i64]; 2]) -> Result<(Vec<Cell>, Vec<Cell>), Fault> {
    Ok((size.cells(starts, "starts")?, size.cells(goals, "goals")?))
}

pub(crate) fn length(length: Length) -> f64 {
    length.as_f64()
}
