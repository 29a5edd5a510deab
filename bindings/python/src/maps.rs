//! The class `PathMap`.

use numpy::{Element, IntoPyArray, PyArray1, PyArray2, PyArray3, PyArrayMethods, PyReadonlyArray2};
use pyo3::exceptions::{PyMemoryError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyType;
use quadrille_bindings::{
    CellPaths, Flow, MapSize, check_room_for_cells, goals_begun, links_on, paths_between, rule_named,
};
use quadrille_paths::{Cell, CellRect, FlowField, Grid, Link, LinkedPath, PathLimits, Reach, Scratch};

use crate::arrays::{collected, exception, numpy, read_ids, table};
use crate::work::Lock;

/// A map of free and blocked cells that finds shortest paths while it is edited. Cells are (x, y): column, row.
#[pyclass(frozen, module = "pyquadrille._core")]
pub(crate) struct PathMap {
    map: Lock<quadrille_paths::PathMap>,
    size: MapSize,
}

/// The cells of the legs of a path, and which links it takes between them.
pub(crate) type Linked<'py> = (Vec<Bound<'py, PyArray2<i64>>>, Bound<'py, PyArray1<i64>>);

/// How far the goals are from each cell, and the steps towards them.
pub(crate) type Flowing<'py> = (Bound<'py, PyArray2<f64>>, Bound<'py, PyArray3<i8>>);

/// What a pickled map is restored from.
type Remade<'py> = (Bound<'py, PyArray2<bool>>, &'static str);

#[pymethods]
impl PathMap {
    #[new]
    #[pyo3(signature = (free, rule="octile"))]
    fn new(py: Python<'_>, free: &Bound<'_, PyAny>, rule: &str) -> PyResult<Self> {
        let rule = rule_named(rule).map_err(exception)?;
        let (free, [height, width]) = read_map::<bool>(free, "free", "bool")?;
        let rows = free.as_array();
        check_room_for_cells(MapSize { width, height }).map_err(exception)?;
        let map = py.detach(|| {
            let grid = Grid::from_fn(width, height, |cell| rows[[cell.y as usize, cell.x as usize]])?;
            Ok(quadrille_paths::PathMap::new(grid, rule))
        });
        let map = map.map_err(|error: quadrille_paths::GridError| PyValueError::new_err(error.to_string()))?;
        Ok(Self { map: map.into(), size: MapSize { width, height } })
    }

    #[pyo3(signature = (start, goal, *, partial=false, within=f64::INFINITY, corners=None))]
    fn path<'py>(
        &self,
        py: Python<'py>,
        start: &Bound<'py, PyAny>,
        goal: &Bound<'py, PyAny>,
        partial: bool,
        within: f64,
        corners: Option<u64>,
    ) -> PyResult<Option<Bound<'py, PyArray2<i64>>>> {
        let (start, goal) = (self.cell(start, "start")?, self.cell(goal, "goal")?);
        if within != f64::INFINITY || corners.is_some() {
            if partial {
                let limit = match corners {
                    Some(corners) if within == f64::INFINITY => format!("takes {corners} corners"),
                    _ => format!("within {within}"),
                };
                return Err(PyValueError::new_err(format!("a path is partial or {limit}, but not both")));
            }
            let limits = PathLimits { length: within, corners: corners.unwrap_or(u64::MAX) };
            let path = self.ask(py, |map, scratch| map.limited_path(start, goal, limits, scratch))?;
            let path = path.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
            return path.map(|path| cells_array(py, path.cells().iter().copied())).transpose();
        }
        let paths = self.ask(py, |map, scratch| paths_between(map, (&[start], &[goal]), partial, scratch))?;
        let cells = paths.map_err(exception)?.cells;
        (!cells.is_empty()).then(|| cells_array(py, cells.into_iter())).transpose()
    }

    #[expect(clippy::type_complexity, reason = "two arrays")]
    #[pyo3(signature = (starts, goals, *, partial=false))]
    fn paths<'py>(
        &self,
        py: Python<'py>,
        starts: &Bound<'py, PyAny>,
        goals: &Bound<'py, PyAny>,
        partial: bool,
    ) -> PyResult<(Bound<'py, PyArray1<i64>>, Bound<'py, PyArray2<i64>>)> {
        let (starts, goals) = (self.cells(starts, "starts")?, self.cells(goals, "goals")?);
        let paths = self.ask(py, |map, scratch| paths_between(map, (&starts, &goals), partial, scratch))?;
        let CellPaths { starts, cells } = paths.map_err(exception)?;
        let ends: Vec<i64> = starts.into_iter().map(|start| start as i64).collect();
        Ok((ends.into_pyarray(py), cells_array(py, cells.into_iter())?))
    }

    fn distance(&self, py: Python<'_>, start: &Bound<'_, PyAny>, goal: &Bound<'_, PyAny>) -> PyResult<f64> {
        let (start, goal) = (self.cell(start, "start")?, self.cell(goal, "goal")?);
        self.ask(py, |map, scratch| map.path(start, goal, scratch).map_or(f64::INFINITY, |path| path.length().as_f64()))
    }

    fn is_reachable(&self, py: Python<'_>, start: &Bound<'_, PyAny>, goal: &Bound<'_, PyAny>) -> PyResult<bool> {
        let (start, goal) = (self.cell(start, "start")?, self.cell(goal, "goal")?);
        self.ask(py, |map, _| map.is_reachable(start, goal))
    }

    fn would_close(
        &self,
        py: Python<'_>,
        corner: &Bound<'_, PyAny>,
        size: (u32, u32),
        starts: &Bound<'_, PyAny>,
        goal: &Bound<'_, PyAny>,
    ) -> PyResult<Option<usize>> {
        let (corner, starts) = (self.cell(corner, "corner")?, self.cells(starts, "starts")?);
        let (goal, at) = (self.cell(goal, "goal")?, [i64::from(corner.x), i64::from(corner.y)]);
        let rect = self.size.rect(at, size.into()).map_err(exception)?;
        py.detach(|| {
            check_room_for_cells(self.size).map_err(exception)?;
            self.map.write(|map| Ok(map.would_close(rect, &starts, goal)))
        })
    }

    #[pyo3(signature = (cell, *, connected_to=None))]
    fn nearest_free(
        &self,
        py: Python<'_>,
        cell: &Bound<'_, PyAny>,
        connected_to: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Option<(u32, u32)>> {
        let cell = self.cell(cell, "cell")?;
        let other = connected_to.map(|other| self.cell(other, "connected_to")).transpose()?;
        Ok(self.ask(py, |map, _| map.nearest_free(cell, other))?.map(|free| (free.x, free.y)))
    }

    fn nearest<'py>(
        &self,
        py: Python<'py>,
        start: &Bound<'py, PyAny>,
        goals: &Bound<'py, PyAny>,
    ) -> PyResult<Option<(usize, Bound<'py, PyArray2<i64>>)>> {
        let (start, goals) = (self.cell(start, "start")?, self.cells(goals, "goals")?);
        let found = self.ask(py, |map, scratch| map.nearest(start, &goals, scratch))?;
        found.map(|(goal, path)| Ok((goal, cells_array(py, path.cells().iter().copied())?))).transpose()
    }

    fn linked_path<'py>(
        &self,
        py: Python<'py>,
        start: &Bound<'py, PyAny>,
        goal: &Bound<'py, PyAny>,
        links: &Bound<'py, PyAny>,
    ) -> PyResult<Option<Linked<'py>>> {
        let (start, goal) = (self.cell(start, "start")?, self.cell(goal, "goal")?);
        let links = read_links(self.size, links)?;
        let Some(path) = self.ask(py, |map, scratch| map.linked_path(start, goal, &links, scratch))? else {
            return Ok(None);
        };
        legs_of(py, &path).map(Some)
    }

    #[pyo3(signature = (start, budget, *, within=None))]
    fn reach<'py>(
        &self,
        py: Python<'py>,
        start: &Bound<'py, PyAny>,
        budget: f64,
        within: Option<(i64, i64, u32, u32)>,
    ) -> PyResult<Reached<'py>> {
        let (start, within) = (self.cell(start, "start")?, part_of(self.size, within)?);
        let reach = self.ask(py, |map, _| map.reach(start, budget, within))?;
        reach_arrays(py, &reach)
    }

    fn taut_path<'py>(
        &self,
        py: Python<'py>,
        start: &Bound<'py, PyAny>,
        goal: &Bound<'py, PyAny>,
    ) -> PyResult<Option<(Bound<'py, PyArray2<f64>>, f64)>> {
        let (start, goal) = (self.cell(start, "start")?, self.cell(goal, "goal")?);
        let Some(path) = self.ask(py, |map, scratch| map.taut_path(start, goal, scratch))? else { return Ok(None) };
        let points: Vec<f64> = path.points().iter().flatten().copied().collect();
        Ok(Some((points.into_pyarray(py).reshape([path.points().len(), 2])?, path.length())))
    }

    fn set(&self, py: Python<'_>, cells: &Bound<'_, PyAny>, free: bool) -> PyResult<bool> {
        let cells = self.cells(cells, "cells")?;
        self.change(py, |map| {
            let changed = cells.iter().filter(|&&cell| map.set(cell, free)).count();
            changed > 0
        })
    }

    fn edit(&self, py: Python<'_>, x: i64, y: i64, free: &Bound<'_, PyAny>) -> PyResult<bool> {
        let (free, [height, width]) = read_map::<bool>(free, "free", "bool")?;
        let rect = self.size.rect([x, y], [width, height]).map_err(exception)?;
        let rows = free.as_array();
        self.change(py, |map| map.edit(rect, |cell| rows[[(cell.y - rect.y) as usize, (cell.x - rect.x) as usize]]))
    }

    #[pyo3(signature = (goals, *, starts=None))]
    fn flow<'py>(
        &self,
        py: Python<'py>,
        goals: &Bound<'py, PyAny>,
        starts: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Flowing<'py>> {
        let goals = self.cells(goals, "goals")?;
        let starts = match starts {
            Some(starts) => read_ids(starts, "starts")?.0,
            None => vec![0; goals.len()],
        };
        let goals = goals_begun(&goals, &starts).map_err(exception)?;
        let all = self.size.bounds();
        let flow = self.ask(py, |map, _| Flow::of(&FlowField::with_starts(map, &goals, all), self.size))?;
        flow_arrays(py, flow.map_err(exception)?, self.size)
    }

    #[getter]
    fn free<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<bool>>> {
        let all = self.size.bounds();
        let cells = self.size.width as usize * self.size.height as usize;
        let free = self.ask(py, |map, _| collected(cells, all.cells().map(|cell| map.grid().is_free(cell))))?;
        free?.into_pyarray(py).reshape([self.size.height as usize, self.size.width as usize])
    }

    #[getter]
    fn shape(&self) -> (u32, u32) {
        (self.size.height, self.size.width)
    }

    #[getter]
    fn rule(&self, py: Python<'_>) -> PyResult<&'static str> {
        self.ask(py, |map, _| map.rule().name())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyType>, Remade<'py>)> {
        let (py, map) = (slf.py(), slf.get());
        Ok((slf.get_type(), (map.free(py)?, map.rule(py)?)))
    }

    fn __repr__(&self) -> String {
        format!("<pyquadrille.PathMap of {} x {} cells>", self.size.width, self.size.height)
    }
}

impl PathMap {
    /// Reads the map. Called detached.
    pub(crate) fn look<R>(&self, work: impl FnOnce(&quadrille_paths::PathMap) -> PyResult<R>) -> PyResult<R> {
        check_room_for_cells(self.size).map_err(exception)?;
        self.map.read(work)
    }

    fn ask<R: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&quadrille_paths::PathMap, &mut Scratch) -> R + Send,
    ) -> PyResult<R> {
        py.detach(|| {
            let answer = self.look(|map| Ok(work(map, &mut Scratch::new())));
            // If searches are hard, landmarks are made for later ones; while others query, later.
            self.map.write_if_free(quadrille_paths::PathMap::maintain);
            answer
        })
    }

    fn change(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut quadrille_paths::PathMap) -> bool + Send,
    ) -> PyResult<bool> {
        py.detach(|| {
            check_room_for_cells(self.size).map_err(exception)?;
            self.map.write(|map| {
                let changed = work(map);
                map.maintain();
                Ok(changed)
            })
        })
    }

    pub(crate) fn cell(&self, object: &Bound<'_, PyAny>, name: &str) -> PyResult<Cell> {
        cell_on(self.size, object, name)
    }

    fn cells(&self, object: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<Cell>> {
        cells_on(self.size, object, name)
    }
}

/// One cell on a map.
pub(crate) fn cell_on(size: MapSize, object: &Bound<'_, PyAny>, name: &str) -> PyResult<Cell> {
    match size.cells(&read_ids(object, name)?.0, name).map_err(exception)?[..] {
        [cell] => Ok(cell),
        _ => Err(PyValueError::new_err(format!("`{name}` is one cell: x, y"))),
    }
}

/// Cells on a map.
pub(crate) fn cells_on(size: MapSize, object: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<Cell>> {
    size.cells(&read_cells(object, name)?, name).map_err(exception)
}

/// The cells that can be reached within a budget, and what each costs.
pub(crate) type Reached<'py> = (Bound<'py, PyArray2<i64>>, Bound<'py, PyArray1<f64>>);

pub(crate) fn reach_arrays<'py>(py: Python<'py>, reach: &Reach) -> PyResult<Reached<'py>> {
    let costs = collected(reach.iter().count(), reach.iter().map(|(_, cost)| cost.as_f64()))?;
    Ok((cells_array(py, reach.iter().map(|(cell, _)| cell))?, costs.into_pyarray(py)))
}

/// A rectangle of a map, or all of it.
pub(crate) fn part_of(size: MapSize, part: Option<(i64, i64, u32, u32)>) -> PyResult<CellRect> {
    let (x, y, width, height) = part.unwrap_or((0, 0, size.width, size.height));
    size.rect([x, y], [width, height]).map_err(exception)
}

/// The legs of a path, and which links it takes between them.
pub(crate) fn legs_of<'py>(py: Python<'py>, path: &LinkedPath) -> PyResult<Linked<'py>> {
    let legs = path.legs().iter().map(|leg| cells_array(py, leg.cells().iter().copied()));
    let taken: Vec<i64> = path.taken().iter().map(|link| *link as i64).collect();
    Ok((legs.collect::<PyResult<_>>()?, taken.into_pyarray(py)))
}

/// Links on a map.
pub(crate) fn read_links(size: MapSize, links: &Bound<'_, PyAny>) -> PyResult<Vec<Link>> {
    links_on(size, &read_rows(links, "links", 5)?).map_err(exception)
}

/// What links look like.
const LINKS: &str = "links have (n, 5): from x, y, to x, y, steps";

/// The numbers of cells: of one, or two columns, x and y.
pub(crate) fn read_cells(object: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<i64>> {
    read_rows(object, name, 2)
}

/// The numbers of one row, or of rows, of this many columns.
fn read_rows(object: &Bound<'_, PyAny>, name: &str, columns: usize) -> PyResult<Vec<i64>> {
    let array = table(object, name)?;
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
pub(crate) fn cells_array<'py>(
    py: Python<'py>,
    cells: impl Iterator<Item = Cell>,
) -> PyResult<Bound<'py, PyArray2<i64>>> {
    let mut numbers = Vec::new();
    for cell in cells {
        numbers.try_reserve(2).map_err(|_| PyMemoryError::new_err("there is no memory for all cells"))?;
        numbers.extend([i64::from(cell.x), i64::from(cell.y)]);
    }
    let rows = numbers.len() / 2;
    numbers.into_pyarray(py).reshape([rows, 2])
}

/// A value for each cell of a map or of a rectangle, row by row, and how many rows and columns there are.
pub(crate) fn read_map<'py, T: Element>(
    object: &Bound<'py, PyAny>,
    name: &str,
    kind: &str,
) -> PyResult<(PyReadonlyArray2<'py, T>, [u32; 2])> {
    let array = numpy(object.py())?.call_method1("asarray", (object,))?;
    let Ok(rows) = array.cast::<PyArray2<T>>() else {
        let (dtype, shape) = (array.getattr("dtype")?, array.getattr("shape")?);
        let message = format!("`{name}` is {dtype} of shape {shape}; it is {kind} of shape (height, width)");
        return Err(PyTypeError::new_err(message));
    };
    let rows = rows.try_readonly().map_err(|error| PyValueError::new_err(format!("`{name}`: {error}")))?;
    let [height, width] = [rows.as_array().nrows(), rows.as_array().ncols()];
    let side = |side: usize| {
        let message = format!("a map of {width} x {height} cells is too large");
        u32::try_from(side).map_err(|_| PyValueError::new_err(message))
    };
    let sides = [side(height)?, side(width)?];
    Ok((rows, sides))
}

/// The arrays of a map's flow.
pub(crate) fn flow_arrays(py: Python<'_>, flow: Flow, size: MapSize) -> PyResult<Flowing<'_>> {
    let (height, width) = (size.height as usize, size.width as usize);
    let steps = flow.steps.into_flattened().into_pyarray(py).reshape([height, width, 2])?;
    Ok((flow.lengths.into_pyarray(py).reshape([height, width])?, steps))
}
