//! The common part of both classes of maps: a map under a lock, cells and links in, arrays out.

use numpy::{Element, IntoPyArray, PyArray1, PyArray2, PyArray3, PyArrayMethods};
use pyo3::exceptions::{PyMemoryError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use quadrille_bindings::{
    Agent, CellPaths, Error, Flow, MapSize, Reaching, Working, check_amount, check_room_for_cells, goals_begun,
    links_on, path_along,
};
use quadrille_paths::{AgentClass, Cell, CellRect, Link, LinkedPath, Reach};

use crate::arrays::{Arg, collected, column, exception, read_ids, table};
use crate::work::Lock;

/// Rows of cells, x and y.
pub(crate) type Cells<'py> = Bound<'py, PyArray2<i64>>;

/// The cells of the legs of a path, and which links it takes between them.
pub(crate) type Linked<'py> = (Vec<Cells<'py>>, Bound<'py, PyArray1<i64>>);

/// How far the goals are from each cell, and the steps towards them.
pub(crate) type Flowing<'py> = (Bound<'py, PyArray2<f64>>, Bound<'py, PyArray3<i8>>);

/// The cells that can be reached within a budget, and what each costs.
pub(crate) type Reached<'py> = (Cells<'py>, Bound<'py, PyArray1<f64>>);

/// A rectangle: its first cell, its width and its height.
pub(crate) type Rect = (i64, i64, u32, u32);

/// A map under a lock, with working memory for queries that nobody shares.
pub(crate) struct Ground {
    held: Lock<(quadrille_bindings::Ground, Working)>,
    pub(crate) size: MapSize,
}

impl Ground {
    /// Of an array of rows, with classes of agents if it is one of kinds of terrain.
    pub(crate) fn new(
        py: Python<'_>,
        (values, size): (Vec<u8>, MapSize),
        rule: &str,
        classes: Option<&[AgentClass]>,
    ) -> PyResult<Self> {
        let map = py.detach(|| quadrille_bindings::Ground::new(&values, size, rule, classes)).map_err(exception)?;
        Ok(Self { held: (map, Working::default()).into(), size })
    }

    /// Reads the map, beside others.
    pub(crate) fn read<R: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&quadrille_bindings::Ground) -> Result<R, Error> + Send,
    ) -> PyResult<R> {
        py.detach(|| self.look(|map| work(map).map_err(exception)))
    }

    /// The same, already detached.
    pub(crate) fn look<R>(&self, work: impl FnOnce(&quadrille_bindings::Ground) -> PyResult<R>) -> PyResult<R> {
        check_room_for_cells(self.size).map_err(exception)?;
        self.held.read(|(map, _)| work(map))
    }

    /// Searches: on free and blocked cells beside other searches, for agents alone, because data is kept for the next
    /// search.
    pub(crate) fn search<R: Send>(
        &self,
        py: Python<'_>,
        agent: Option<Agent>,
        work: impl FnOnce(&quadrille_bindings::Ground, Option<&Agent>, &mut Working) -> Result<R, Error> + Send,
    ) -> PyResult<R> {
        if agent.is_some() {
            return self.locked(py, |map, working| work(map, agent.as_ref(), working));
        }
        py.detach(|| {
            let answer = self.look(|map| work(map, None, &mut Working::default()).map_err(exception));
            // If searches are hard, landmarks are made for later ones, once nobody else queries.
            self.held.write_if_free(|(map, _)| map.maintain());
            answer
        })
    }

    /// Changes the map while nobody else uses it.
    pub(crate) fn change<R: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut quadrille_bindings::Ground) -> Result<R, Error> + Send,
    ) -> PyResult<R> {
        self.locked(py, |map, _| {
            let answer = work(map);
            map.maintain();
            answer
        })
    }

    fn locked<R: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut quadrille_bindings::Ground, &mut Working) -> Result<R, Error> + Send,
    ) -> PyResult<R> {
        py.detach(|| {
            check_room_for_cells(self.size).map_err(exception)?;
            self.held.write(|(map, working)| work(map, working).map_err(exception))
        })
    }

    pub(crate) fn set(&self, cells: Arg<'_, '_>, value: u8) -> PyResult<bool> {
        let (py, cells) = (cells.py(), self.cells(cells, "cells")?);
        self.change(py, |map| Ok(map.set(&cells, value) > 0))
    }

    /// Sets the rectangle from a cell on.
    pub(crate) fn edit(&self, py: Python<'_>, xy: [i64; 2], (values, sides): (Vec<u8>, MapSize)) -> PyResult<bool> {
        let rect = self.size.rect(xy, [sides.width, sides.height]).map_err(exception)?;
        self.change(py, |map| Ok(map.edit(rect, &values)))
    }

    /// All values, row by row.
    pub(crate) fn values(&self, py: Python<'_>) -> PyResult<Vec<u8>> {
        self.read(py, |map| map.values(self.size.bounds()))
    }

    pub(crate) fn rule(&self, py: Python<'_>) -> PyResult<&'static str> {
        self.read(py, |map| Ok(map.rule()))
    }

    /// In numpy's order: rows and columns.
    pub(crate) const fn shape(&self) -> [usize; 2] {
        [self.size.height as usize, self.size.width as usize]
    }

    /// The cheapest path from each start to the goal in the same row.
    pub(crate) fn paths(
        &self,
        py: Python<'_>,
        agent: Option<Agent>,
        (starts, goals): (&[Cell], &[Cell]),
        partial: bool,
    ) -> PyResult<CellPaths> {
        let reaching = if partial { Reaching::AsNear } else { Reaching::Goal };
        self.search(py, agent, |map, agent, working| map.paths(agent, (starts, goals), reaching, working))
    }

    pub(crate) fn linked_path<'py>(
        &self,
        agent: Option<Agent>,
        start: Arg<'_, 'py>,
        goal: Arg<'_, 'py>,
        links: Arg<'_, 'py>,
    ) -> PyResult<Option<(Linked<'py>, f64)>> {
        let (py, ends) = (links.py(), self.ends(start, goal)?);
        let links = self.links(links)?;
        let found = self.search(py, agent, |map, agent, working| map.linked_path(agent, ends, &links, working))?;
        found.map(|(path, cost)| Ok((linked_arrays(py, &path)?, cost))).transpose()
    }

    pub(crate) fn links(&self, links: Arg<'_, '_>) -> PyResult<Vec<Link>> {
        links_on(self.size, &read_rows(links, "links", 5)?).map_err(exception)
    }

    pub(crate) fn reach<'py>(
        &self,
        agent: Option<Agent>,
        start: Arg<'_, 'py>,
        budget: f64,
        within: Option<Rect>,
    ) -> PyResult<Reached<'py>> {
        let (py, start, within) = (start.py(), self.cell(start, "start")?, self.within(within)?);
        check_amount("budget", budget, budget).map_err(exception)?;
        reach_arrays(py, &self.read(py, |map| map.reach(agent.as_ref(), start, budget, within))?)
    }

    /// A rectangle, or the whole map.
    pub(crate) fn within(&self, within: Option<Rect>) -> PyResult<CellRect> {
        let (x, y, width, height) = within.unwrap_or((0, 0, self.size.width, self.size.height));
        self.size.rect([x, y], [width, height]).map_err(exception)
    }

    /// Goals, which begin with numbers of steps if these are given.
    pub(crate) fn goals(&self, goals: Arg<'_, '_>, starts: Option<Arg<'_, '_>>) -> PyResult<Vec<(Cell, u16)>> {
        let goals = self.cells(goals, "goals")?;
        let starts = match starts {
            Some(starts) => read_ids(starts, "starts")?.0,
            None => vec![0; goals.len()],
        };
        goals_begun(&goals, &starts).map_err(exception)
    }

    /// The field of the whole map toward goals.
    pub(crate) fn field<'py>(
        &self,
        agent: Option<Agent>,
        goals: Arg<'_, 'py>,
        starts: Option<Arg<'_, 'py>>,
    ) -> PyResult<Flowing<'py>> {
        let (py, goals) = (goals.py(), self.goals(goals, starts)?);
        let field = |map: &quadrille_bindings::Ground| map.field(agent.as_ref(), &goals, self.size.bounds());
        self.flow(py, self.read(py, |map| Flow::of(&field(map)?, self.size))?)
    }

    /// The arrays of a flow over the whole map.
    pub(crate) fn flow<'py>(&self, py: Python<'py>, flow: Flow) -> PyResult<Flowing<'py>> {
        let [height, width] = self.shape();
        let steps = flow.steps.into_flattened().into_pyarray(py).reshape([height, width, 2])?;
        Ok((flow.lengths.into_pyarray(py).reshape([height, width])?, steps))
    }

    pub(crate) fn cell(&self, object: Arg<'_, '_>, name: &str) -> PyResult<Cell> {
        self.size.only(&read_ids(object, name)?.0, name).map_err(exception)
    }

    pub(crate) fn cells(&self, object: Arg<'_, '_>, name: &str) -> PyResult<Vec<Cell>> {
        self.size.cells(&read_cells(object, name)?, name).map_err(exception)
    }

    /// The cells of a path on the map, side by side.
    pub(crate) fn path(&self, object: Arg<'_, '_>) -> PyResult<Vec<Cell>> {
        let numbers = read_cells(object, "path")?;
        path_along(&numbers).map_err(exception)?;
        self.size.cells(&numbers, "path").map_err(exception)
    }

    pub(crate) fn ends(&self, start: Arg<'_, '_>, goal: Arg<'_, '_>) -> PyResult<(Cell, Cell)> {
        Ok((self.cell(start, "start")?, self.cell(goal, "goal")?))
    }
}

/// The arrays of what can be reached.
pub(crate) fn reach_arrays<'py>(py: Python<'py>, reach: &Reach) -> PyResult<Reached<'py>> {
    let costs = collected(reach.iter().count(), reach.iter().map(|(_, cost)| cost.as_f64()))?;
    Ok((cells_array(py, reach.iter().map(|(cell, _)| cell))?, costs.into_pyarray(py)))
}

/// The arrays of a path with links.
pub(crate) fn linked_arrays<'py>(py: Python<'py>, path: &LinkedPath) -> PyResult<Linked<'py>> {
    let legs = path.legs().iter().map(|leg| cells_array(py, leg.cells().iter().copied()));
    let taken: Vec<i64> = path.taken().iter().map(|link| *link as i64).collect();
    Ok((legs.collect::<PyResult<_>>()?, taken.into_pyarray(py)))
}

/// The form of links, for errors.
const LINKS: &str = "links have (n, 5): from x, y, to x, y, steps";

/// The numbers of cells: of one, or two columns, x and y.
pub(crate) fn read_cells(object: Arg<'_, '_>, name: &str) -> PyResult<Vec<i64>> {
    read_rows(object, name, 2)
}

/// The numbers of one row, or of rows, of this many columns.
fn read_rows(object: Arg<'_, '_>, name: &str, columns: usize) -> PyResult<Vec<i64>> {
    let array = table(object, name, false)?;
    let shape: Vec<usize> = array.getattr("shape")?.extract()?;
    let fits = match shape[..] {
        [count] => count == columns || count == 0,
        [_, count] => count == columns,
        _ => false,
    };
    if !fits {
        let (shape, what) = (array.getattr("shape")?, if columns == 2 { "cells have (n, 2): x, y" } else { LINKS });
        return Err(PyValueError::new_err(format!("`{name}` has the shape {shape}; {what}")));
    }
    Ok(read_ids(&array.call_method1("reshape", (-1,))?, name)?.0)
}

/// Cells as an array of two columns, x and y.
pub(crate) fn cells_array(py: Python<'_>, cells: impl Iterator<Item = Cell>) -> PyResult<Cells<'_>> {
    let mut numbers = Vec::new();
    for cell in cells {
        numbers.try_reserve(2).map_err(|_| PyMemoryError::new_err("there is no memory for all cells"))?;
        numbers.extend([i64::from(cell.x), i64::from(cell.y)]);
    }
    let rows = numbers.len() / 2;
    numbers.into_pyarray(py).reshape([rows, 2])
}

/// A value for each cell of a map or of a rectangle, row by row.
pub(crate) fn read_values<T: Element>(object: Arg<'_, '_>, name: &str, kind: &str) -> PyResult<(Vec<u8>, MapSize)> {
    let array = column(object, name)?;
    if array.cast::<PyArray2<T>>().is_err() {
        let (dtype, shape) = (array.getattr("dtype")?, array.getattr("shape")?);
        let message = format!("`{name}` is {dtype} of shape {shape}; it is {kind} of shape (height, width)");
        return Err(PyTypeError::new_err(message));
    }
    // As bytes: those of numpy's bool may be any, which Rust's may not.
    let rows = array.call_method1("view", ("uint8",))?.cast_into::<PyArray2<u8>>()?;
    let rows = rows.try_readonly().map_err(|error| PyValueError::new_err(format!("`{name}`: {error}")))?;
    let rows = rows.as_array();
    let side = |side: usize| {
        let message = format!("a map of {} x {} cells is too large", rows.ncols(), rows.nrows());
        u32::try_from(side).map_err(|_| PyValueError::new_err(message))
    };
    let size = MapSize { width: side(rows.ncols())?, height: side(rows.nrows())? };
    check_room_for_cells(size).map_err(exception)?;
    Ok((collected(rows.len(), rows.iter().copied())?, size))
}
