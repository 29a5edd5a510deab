//! Maps of cells and paths on them, which are watched.

use quadrille_bindings::{self as core, CellPaths, MapSize, paths_between, rule_named};
use quadrille_paths::{Cell, FlowField, Grid, Length, Path, PathMap, PathWatch, Scratch};

use crate::status::{Fault, Status};

/// A map of free and blocked cells, and the paths that were last found on it.
pub(crate) struct Map {
    map: PathMap,
    size: MapSize,
    scratch: Scratch,
    pub(crate) found: Found,
}

/// Paths, one after the other.
#[derive(Default)]
pub(crate) struct Found {
    /// How many cells each path has; none where there is no path.
    pub(crate) counts: Vec<u32>,
    pub(crate) cells: Vec<[u32; 2]>,
    /// How long each path is; infinite where there is none.
    pub(crate) lengths: Vec<f64>,
}

/// How far away the goals are from each cell of a map, row by row, and the step towards them.
pub(crate) struct Flow {
    pub(crate) lengths: Vec<f64>,
    pub(crate) steps: Vec<[i8; 2]>,
}

impl Map {
    /// Cells row by row; all but 0 are free.
    pub(crate) fn new(free: &[u8], width: u32, height: u32, rule: &str) -> Result<Self, Fault> {
        let rule = rule_named(rule)?;
        let grid = Grid::from_fn(width, height, |cell| free[cell.y as usize * width as usize + cell.x as usize] != 0);
        let grid = grid.map_err(|error| Fault::value(error.to_string()))?;
        let (map, size) = (PathMap::new(grid, rule), MapSize { width, height });
        Ok(Self { map, size, scratch: Scratch::new(), found: Found::default() })
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
    pub(crate) fn edit(&mut self, at: [i64; 2], [width, height]: [u32; 2], free: &[u8]) -> Result<(), Fault> {
        let rect = self.size.rect(at, [width, height])?;
        let place = |cell: Cell| (cell.y - rect.y) as usize * width as usize + (cell.x - rect.x) as usize;
        self.map.edit(rect, |cell| free[place(cell)] != 0);
        self.map.maintain();
        Ok(())
    }

    /// From each start to the goal in the same row.
    pub(crate) fn paths(&mut self, starts: &[i64], goals: &[i64], partial: bool) -> Result<(), Fault> {
        let (starts, goals) = (self.size.cells(starts, "starts")?, self.size.cells(goals, "goals")?);
        let CellPaths { starts, cells } = paths_between(&self.map, (&starts, &goals), partial, &mut self.scratch)?;
        let paths = starts.windows(2).map(|ends| &cells[ends[0]..ends[1]]);
        let mut found =
            Found { counts: core::room(starts.len())?, lengths: core::room(starts.len())?, ..Found::default() };
        for path in paths {
            found.counts.push(path.len() as u32);
            let whole = Path::of_cells(path.to_vec()).ok().filter(|path| !path.cells().is_empty());
            found.lengths.push(whole.map_or(f64::INFINITY, |path| length(path.length())));
        }
        found.cells = core::room(cells.len())?;
        found.cells.extend(cells.iter().map(|cell| [cell.x, cell.y]));
        self.found = found;
        Ok(())
    }

    pub(crate) fn is_reachable(&self, start: [i64; 2], goal: [i64; 2]) -> Result<bool, Fault> {
        Ok(self.map.is_reachable(self.size.cell(start, "start")?, self.size.cell(goal, "goal")?))
    }

    pub(crate) fn flow(&self, goals: &[i64]) -> Result<Flow, Fault> {
        let (goals, all) = (self.size.cells(goals, "goals")?, self.size.bounds());
        let field = FlowField::to_nearest(&self.map, &goals, all);
        let cells = self.size.width as usize * self.size.height as usize;
        let (mut lengths, mut steps) = (core::room(cells)?, core::room(cells)?);
        for cell in all.cells() {
            lengths.push(field.length(cell).map_or(f64::INFINITY, length));
            let next = field.next(cell).unwrap_or(cell);
            let step = |from: u32, to: u32| (i64::from(to) - i64::from(from)) as i8;
            steps.push([step(cell.x, next.x), step(cell.y, next.y)]);
        }
        Ok(Flow { lengths, steps })
    }

    /// Watches a path, given by all of its cells.
    pub(crate) fn watch(&self, cells: &[i64]) -> Result<PathWatch, Fault> {
        let cells = self.size.cells(cells, "cells")?;
        if cells.is_empty() {
            return Err(Fault::value("a path has one cell at least"));
        }
        let path = Path::of_cells(cells).map_err(|(from, to)| {
            Fault::value(format!("({}, {}) and ({}, {}) are not side by side", from.x, from.y, to.x, to.y))
        })?;
        if let Err(fault) = path.validate(self.map.grid(), self.map.rule()) {
            return Err(Fault::new(Status::Value, format!("the path is none on the map as it is: {fault}")));
        }
        Ok(PathWatch::new(&self.map, &path))
    }

    /// The last cell that can be reached, if the path has been broken.
    pub(crate) fn check(&self, watch: &mut PathWatch) -> Option<[u32; 2]> {
        watch.check(&self.map).map(|cell| [cell.x, cell.y])
    }
}

fn length(length: Length) -> f64 {
    length.as_f64()
}
