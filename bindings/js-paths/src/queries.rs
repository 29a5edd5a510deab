//! The queries of a map.

use quadrille_bindings::{CellPaths, Number, Reaching, path_along, paths_between};
use quadrille_paths::{Cell, GrowingReach, LinkedPath, Path, PathLimits, first_wall, smooth};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::border::{Answer, amount, cell_on, cells_on, flat, given, links, part};
use crate::map::Map;

#[wasm_bindgen]
impl Map {
    /// The cells of a shortest path of at most `length`; also none if the search runs out of work, which
    /// [`is_known`](Self::is_known) tells apart.
    pub fn path(&mut self, x0: f64, y0: f64, x1: f64, y1: f64, length: f64, corners: f64) -> Answer<Option<Vec<i32>>> {
        let (from, to) = self.ends([x0, y0], [x1, y1])?;
        let limits = PathLimits { length: amount("length", length)?, corners: amount("budget", corners)? as u64 };
        let found = self.ask(|map, scratch| map.limited_path(from, to, limits, scratch));
        self.is_known = found.is_ok();
        Ok(found.ok().flatten().map(|path| flat(path.cells())))
    }

    /// Whether the last search for a path was completed.
    pub fn is_known(&self) -> bool {
        self.is_known
    }

    /// The free cell nearest to one, as x, y; if another is given, only cells connected to it count.
    pub fn nearest_free(&mut self, x: f64, y: f64, other: &[f64]) -> Answer<Option<Vec<i32>>> {
        let (cell, other) = (cell_on(self.size, [x, y], "cell")?, self.other(other)?);
        let found = self.ask(|map, _| map.nearest_free(cell, other));
        Ok(found.map(|cell| flat(&[cell])))
    }

    /// The cells of a path as near to the goal as can be reached.
    pub fn partial_path(&mut self, x0: f64, y0: f64, x1: f64, y1: f64) -> Answer<Option<Vec<i32>>> {
        let (from, to) = self.ends([x0, y0], [x1, y1])?;
        Ok(self.ask(|map, scratch| map.partial_path(from, to, scratch).map(|path| flat(path.cells()))))
    }

    /// The cells at which a shortest path turns around walls, with its ends.
    pub fn waypoints(&mut self, x0: f64, y0: f64, x1: f64, y1: f64) -> Answer<Option<Vec<i32>>> {
        let (from, to) = self.ends([x0, y0], [x1, y1])?;
        Ok(self.ask(|map, scratch| map.waypoints(from, to, scratch).map(|found| flat(found.cells()))))
    }

    /// The length of a shortest path, or infinity.
    pub fn distance(&mut self, x0: f64, y0: f64, x1: f64, y1: f64) -> Answer<f64> {
        let (from, to) = self.ends([x0, y0], [x1, y1])?;
        let length = |found: quadrille_paths::Waypoints| found.length().as_f64();
        Ok(self.ask(|map, scratch| map.waypoints(from, to, scratch).map_or(f64::INFINITY, length)))
    }

    /// Whether there is a path.
    pub fn is_reachable(&mut self, x0: f64, y0: f64, x1: f64, y1: f64) -> Answer<bool> {
        let (from, to) = self.ends([x0, y0], [x1, y1])?;
        Ok(self.ask(|map, _| map.is_reachable(from, to)))
    }

    /// Paths between many pairs of cells, four numbers each; where they start is [`starts`](Self::starts).
    pub fn path_many(&mut self, ends: &[f64], partial: bool) -> Answer<Vec<i32>> {
        let cells = cells_on(self.size, ends, "ends")?;
        let starts: Vec<Cell> = cells.iter().copied().step_by(2).collect();
        let goals: Vec<Cell> = cells.into_iter().skip(1).step_by(2).collect();
        let reaching = if partial { Reaching::AsNear } else { Reaching::Goal };
        let paths = self.ask(|map, scratch| paths_between(map, (&starts, &goals), reaching, scratch))?;
        self.starts = starts_of(&paths);
        Ok(flat(&paths.cells))
    }

    /// A shortest path to the nearest of some goals; which of them that is comes first.
    pub fn nearest(&mut self, x: f64, y: f64, goals: &[f64]) -> Answer<Option<Vec<i32>>> {
        let (from, goals) = (cell_on(self.size, [x, y], "from")?, cells_on(self.size, goals, "goals")?);
        let found = self.ask(|map, scratch| map.nearest(from, &goals, scratch));
        Ok(found.map(|(goal, path)| {
            let mut numbers = vec![goal as i32];
            numbers.extend(flat(path.cells()));
            numbers
        }))
    }

    /// A shortest path that may take links: the cells of its legs, whose starts are [`starts`](Self::starts),
    /// which end with the links taken.
    pub fn linked_path(&mut self, x0: f64, y0: f64, x1: f64, y1: f64, numbers: &[f64]) -> Answer<Option<Vec<i32>>> {
        let (from, to) = self.ends([x0, y0], [x1, y1])?;
        let links = links(self.size, numbers)?;
        let found = self.ask(|map, scratch| map.linked_path(from, to, &links, scratch));
        let Some(found) = found else { return Ok(None) };
        let (cells, starts) = legs(&found)?;
        self.starts = starts;
        Ok(Some(cells))
    }

    /// The same to the nearest of some goals; which of them that is is the last of [`starts`](Self::starts).
    pub fn nearest_linked(&mut self, x: f64, y: f64, goals: &[f64], numbers: &[f64]) -> Answer<Option<Vec<i32>>> {
        let (from, goals) = (cell_on(self.size, [x, y], "from")?, cells_on(self.size, goals, "goals")?);
        let links = links(self.size, numbers)?;
        let found = self.ask(|map, scratch| map.nearest_linked(from, &goals, &links, scratch));
        let Some((goal, path)) = found else { return Ok(None) };
        let (cells, mut starts) = legs(&path)?;
        starts.push(goal as u32);
        self.starts = starts;
        Ok(Some(cells))
    }

    /// The first blocked cell on a straight line.
    pub fn first_wall(&mut self, x0: f64, y0: f64, x1: f64, y1: f64) -> Answer<Option<Vec<i32>>> {
        let (from, to) = self.ends([x0, y0], [x1, y1])?;
        Ok(self.ask(|map, _| first_wall(map.grid(), map.rule(), from, to)).map(|wall| flat(&[wall])))
    }

    /// Free cells around one, some cells apart, that are connected to another if one is given.
    pub fn free_places(&mut self, x: f64, y: f64, count: u32, apart: u32, other: &[f64]) -> Answer<Vec<i32>> {
        let (cell, other) = (cell_on(self.size, [x, y], "cell")?, self.other(other)?);
        Ok(self.ask(|map, _| flat(&map.free_places(cell, count as usize, apart, other))))
    }

    /// The cells of a path led around obstacles near its start.
    pub fn detour(&mut self, cells: &[f64], obstacles: &[f64], radius: u32) -> Answer<Option<Vec<i32>>> {
        path_along(&given(cells))?;
        let (path, obstacles) = (cells_on(self.size, cells, "path")?, cells_on(self.size, obstacles, "obstacles")?);
        Ok(self.around((&path, &obstacles), radius)?.map(|path| flat(path.cells())))
    }

    /// The points of a shortest path in any direction, and then its length.
    pub fn taut_path(&mut self, x0: f64, y0: f64, x1: f64, y1: f64) -> Answer<Option<Vec<f64>>> {
        let (from, to) = self.ends([x0, y0], [x1, y1])?;
        let found = self.ask(|map, scratch| map.taut_path(from, to, scratch));
        Ok(found.map(|path| path.points().iter().flatten().copied().chain([path.length()]).collect()))
    }

    /// A path in straight lines of any direction.
    pub fn smooth(&mut self, cells: &[f64]) -> Answer<Vec<i32>> {
        let path = path_along(&given(cells))?;
        Ok(self.ask(|map, _| flat(&smooth(&path, map.grid(), map.rule()))))
    }

    /// The cells within a budget, on terrain with weights by kind.
    pub fn reach(&mut self, x: f64, y: f64, budget: f64, rect: &[f64], by_kind: &[f64]) -> Answer<Reach> {
        let (from, within, budget) = (cell_on(self.size, [x, y], "from")?, part(rect)?, amount("budget", budget)?);
        if by_kind.is_empty() {
            return Ok(Reach(self.ask(|map, _| map.reach(from, budget, within))));
        }
        let agent = self.agent(by_kind)?;
        Ok(Reach(self.ground.borrow().reach(Some(&agent), from, budget, within)?))
    }

    /// The same in slices.
    pub fn begin_reach(&self, x: f64, y: f64, budget: f64, rect: &[f64], by_kind: &[f64]) -> Answer<SlowReach> {
        let (from, within, budget) = (cell_on(self.size, [x, y], "from")?, part(rect)?, amount("budget", budget)?);
        let is_weighted = !by_kind.is_empty();
        let reach = match is_weighted {
            false => self.look(|map| map.begin_reach(from, budget, within)),
            true => self.ground.borrow().begin_reach(Some(&self.agent(by_kind)?), from, budget, within)?,
        };
        Ok(SlowReach { reach, is_weighted })
    }

    /// The cells of a cheapest path of its agents, whether or not they have a map, and then its cost.
    pub fn cheapest_path(&mut self, x0: f64, y0: f64, x1: f64, y1: f64, by_kind: &[f64]) -> Answer<Option<Vec<f64>>> {
        let ((from, to), agent) = (self.ends([x0, y0], [x1, y1])?, self.agent(by_kind)?);
        let found = self.cheapest(&agent, (from, to))?;
        let cells = found.cells.iter().flat_map(|cell| [f64::from(cell.x), f64::from(cell.y)]);
        Ok((!found.cells.is_empty()).then(|| cells.chain(found.lengths).collect()))
    }
}

impl Map {
    pub(crate) fn ends(&self, from: [f64; 2], to: [f64; 2]) -> Answer<(Cell, Cell)> {
        Ok((cell_on(self.size, from, "from")?, cell_on(self.size, to, "to")?))
    }

    /// A cell that another should be connected to, if one is named.
    fn other(&self, numbers: &[f64]) -> Answer<Option<Cell>> {
        let is_named = !numbers.is_empty();
        Ok(is_named.then(|| self.size.only(&given(numbers), "connectedTo")).transpose()?)
    }
}

/// The cells of the legs of a path, and where they start, which ends with the links taken.
pub(crate) fn legs(path: &LinkedPath) -> Answer<(Vec<i32>, Vec<u32>)> {
    let legs = CellPaths::legs(path)?;
    let mut starts = starts_of(&legs);
    starts.extend(path.taken().iter().map(|link| *link as u32));
    Ok((flat(&legs.cells), starts))
}

/// Where paths start among the numbers of their cells.
pub(crate) fn starts_of(paths: &CellPaths) -> Vec<u32> {
    paths.starts.iter().map(|start| 2 * *start as u32).collect()
}

/// The cells within a budget, found in slices.
#[wasm_bindgen]
#[derive(Debug)]
pub struct SlowReach {
    reach: GrowingReach,
    is_weighted: bool,
}

#[wasm_bindgen]
impl SlowReach {
    /// Goes on for some cells; returns what can be reached once that is known.
    pub fn go_on(&mut self, map: &Map, cells: u32) -> Answer<Option<Reach>> {
        let (ground, cells) = (map.ground.borrow(), cells as usize);
        let reach = match ground.map(map.class) {
            Ok(map) if !self.is_weighted => self.reach.go_on(map, cells),
            _ => self.reach.go_on_weighted(ground.terrain()?, cells),
        };
        Ok(reach.map(Reach))
    }
}

/// The cells within a budget.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Reach(quadrille_paths::Reach);

#[wasm_bindgen]
impl Reach {
    /// The cells, row by row.
    pub fn cells(&self) -> Vec<i32> {
        flat(&self.0.iter().map(|(cell, _)| cell).collect::<Vec<_>>())
    }

    /// What each of them costs.
    pub fn costs(&self) -> Vec<f64> {
        self.0.iter().map(|(_, cost)| cost.as_f64()).collect()
    }

    /// What a cell costs, or infinity.
    pub fn cost(&self, x: f64, y: f64) -> f64 {
        self.0.cost(near(x, y)).map_or(f64::INFINITY, quadrille_paths::Length::as_f64)
    }

    /// A cheapest path to a cell.
    pub fn path(&self, x: f64, y: f64) -> Option<Vec<i32>> {
        self.0.path(near(x, y)).as_ref().map(Path::cells).map(flat)
    }
}

/// A cell that may be off the map, where nothing is reached.
fn near(x: f64, y: f64) -> Cell {
    Cell::new(x.to_u32().unwrap_or(u32::MAX), y.to_u32().unwrap_or(u32::MAX))
}
