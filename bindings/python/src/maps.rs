//! The class `PathMap`.

use std::sync::RwLock;

use numpy::{IntoPyArray, PyArray1, PyArray2, PyArray3, PyArrayMethods, PyReadonlyArray2};
use pyo3::exceptions::{PyIndexError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyType;
use quadrille_paths::{Cell, CellRect, CostRule, FlowField, Grid, Length, Path, Scratch};

use crate::arrays::{numpy, read_ids};

/// A map of free and blocked cells that finds shortest paths while it is edited. Cells are (x, y): column, row.
#[pyclass(frozen, module = "pyquadrille._core")]
pub(crate) struct PathMap {
    map: RwLock<quadrille_paths::PathMap>,
    width: u32,
    height: u32,
}

/// The rules by name.
const RULES: [(&str, CostRule); 4] = [
    ("octile", CostRule::Octile),
    ("octile-cutting", CostRule::OctileCutting),
    ("octile-one-side", CostRule::OctileOneSide),
    ("manhattan", CostRule::Manhattan),
];

/// What a pickled map is made of again.
type Remade<'py> = (Bound<'py, PyArray2<bool>>, &'static str);

#[pymethods]
impl PathMap {
    #[new]
    #[pyo3(signature = (free, rule="octile"))]
    fn new(py: Python<'_>, free: &Bound<'_, PyAny>, rule: &str) -> PyResult<Self> {
        let Some((_, rule)) = RULES.iter().find(|(name, _)| *name == rule) else {
            return Err(PyValueError::new_err(format!(
                "no rule is named {rule}; there are: {}",
                RULES.map(|r| r.0).join(" ")
            )));
        };
        let free = read_mask(free)?;
        let [height, width] = sides(&free)?;
        let rows = free.as_array();
        let map = py.detach(|| {
            let grid = Grid::from_fn(width, height, |cell| rows[[cell.y as usize, cell.x as usize]])?;
            Ok(quadrille_paths::PathMap::new(grid, *rule))
        });
        let map = map.map_err(|error: quadrille_paths::GridError| PyValueError::new_err(error.to_string()))?;
        Ok(Self { map: map.into(), width, height })
    }

    #[pyo3(signature = (start, goal, *, partial=false))]
    fn path<'py>(
        &self,
        py: Python<'py>,
        start: &Bound<'py, PyAny>,
        goal: &Bound<'py, PyAny>,
        partial: bool,
    ) -> PyResult<Option<Bound<'py, PyArray2<i64>>>> {
        let (start, goal) = (self.cell(start, "start")?, self.cell(goal, "goal")?);
        let path = self.ask(py, |map, scratch| find(map, start, goal, partial, scratch))?;
        path.map(|path| cells_array(py, path.cells().iter().copied())).transpose()
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
        if starts.len() != goals.len() {
            let (n, m) = (starts.len(), goals.len());
            return Err(PyValueError::new_err(format!("there are {n} starts and {m} goals")));
        }
        let (ends, cells) = self.ask(py, |map, scratch| {
            let (mut ends, mut cells) = (vec![0], Vec::new());
            for (&start, &goal) in starts.iter().zip(&goals) {
                let path = find(map, start, goal, partial, scratch);
                path.into_iter().for_each(|path| cells.extend_from_slice(path.cells()));
                ends.push(cells.len() as i64);
            }
            (ends, cells)
        })?;
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

    fn set(&self, py: Python<'_>, cells: &Bound<'_, PyAny>, free: bool) -> PyResult<bool> {
        let cells = self.cells(cells, "cells")?;
        self.change(py, |map| {
            let changed = cells.iter().filter(|&&cell| map.set(cell, free)).count();
            changed > 0
        })
    }

    fn edit(&self, py: Python<'_>, x: i64, y: i64, free: &Bound<'_, PyAny>) -> PyResult<bool> {
        let free = read_mask(free)?;
        let [height, width] = sides(&free)?;
        let is_on_map = (0..=i64::from(self.width) - i64::from(width)).contains(&x)
            && (0..=i64::from(self.height) - i64::from(height)).contains(&y);
        if !is_on_map {
            return Err(PyIndexError::new_err(format!(
                "{width} x {height} cells from ({x}, {y}) on are not all on the map of {} x {} cells",
                self.width, self.height
            )));
        }
        let (x, y, rows) = (x as u32, y as u32, free.as_array());
        self.change(py, |map| {
            map.edit(CellRect::new(x, y, width, height), |cell| rows[[(cell.y - y) as usize, (cell.x - x) as usize]])
        })
    }

    #[expect(clippy::type_complexity, reason = "two arrays")]
    fn flow<'py>(
        &self,
        py: Python<'py>,
        goal: &Bound<'py, PyAny>,
    ) -> PyResult<(Bound<'py, PyArray2<f64>>, Bound<'py, PyArray3<i8>>)> {
        let goal = self.cell(goal, "goal")?;
        let all = CellRect::new(0, 0, self.width, self.height);
        let (lengths, steps) = self.ask(py, |map, _| {
            let field = FlowField::new(map, goal, all);
            let length = |cell| field.length(cell).map_or(f64::INFINITY, Length::as_f64);
            let step = |cell: Cell| {
                let next = field.next(cell).unwrap_or(cell);
                [i64::from(next.x) - i64::from(cell.x), i64::from(next.y) - i64::from(cell.y)].map(|way| way as i8)
            };
            (all.cells().map(length).collect::<Vec<_>>(), all.cells().flat_map(step).collect::<Vec<_>>())
        })?;
        let (height, width) = (self.height as usize, self.width as usize);
        Ok((lengths.into_pyarray(py).reshape([height, width])?, steps.into_pyarray(py).reshape([height, width, 2])?))
    }

    #[getter]
    fn free<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<bool>>> {
        let all = CellRect::new(0, 0, self.width, self.height);
        let free = self.ask(py, |map, _| all.cells().map(|cell| map.grid().is_free(cell)).collect::<Vec<_>>())?;
        free.into_pyarray(py).reshape([self.height as usize, self.width as usize])
    }

    #[getter]
    fn shape(&self) -> (u32, u32) {
        (self.height, self.width)
    }

    #[getter]
    fn rule(&self, py: Python<'_>) -> PyResult<&'static str> {
        let rule = self.ask(py, |map, _| map.rule())?;
        Ok(RULES.iter().find(|(_, named)| *named == rule).map_or("", |(name, _)| name))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyType>, Remade<'py>)> {
        let (py, map) = (slf.py(), slf.get());
        Ok((slf.get_type(), (map.free(py)?, map.rule(py)?)))
    }

    fn __repr__(&self) -> String {
        format!("<pyquadrille.PathMap of {} x {} cells>", self.width, self.height)
    }
}

impl PathMap {
    fn ask<R: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&quadrille_paths::PathMap, &mut Scratch) -> R + Send,
    ) -> PyResult<R> {
        py.detach(|| {
            let map = self.map.read().map_err(|_| broken())?;
            Ok(work(&map, &mut Scratch::new()))
        })
    }

    fn change(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut quadrille_paths::PathMap) -> bool + Send,
    ) -> PyResult<bool> {
        py.detach(|| {
            let mut map = self.map.write().map_err(|_| broken())?;
            let changed = work(&mut map);
            map.maintain();
            Ok(changed)
        })
    }

    /// A cell on the map.
    fn cell(&self, object: &Bound<'_, PyAny>, name: &str) -> PyResult<Cell> {
        match (self.on_map(&read_ids(object, name)?.0, name)?.as_slice(), name) {
            ([cell], _) => Ok(*cell),
            _ => Err(PyValueError::new_err(format!("`{name}` is one cell: x, y"))),
        }
    }

    /// Cells on the map.
    fn cells(&self, object: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<Cell>> {
        let array = numpy(object.py())?.call_method1("asarray", (object,))?;
        let shape: Vec<usize> = array.getattr("shape")?.extract()?;
        if !matches!(shape[..], [2] | [_, 2] | [0]) {
            let shape = array.getattr("shape")?;
            return Err(PyValueError::new_err(format!("`{name}` has the shape {shape}; cells have (n, 2): x, y")));
        }
        let (numbers, _) = read_ids(&array.call_method1("reshape", (-1,))?, name)?;
        self.on_map(&numbers, name)
    }

    fn on_map(&self, numbers: &[i64], name: &str) -> PyResult<Vec<Cell>> {
        if numbers.len() % 2 != 0 {
            return Err(PyValueError::new_err(format!("`{name}` has {} numbers; a cell is x, y", numbers.len())));
        }
        let cell = |(row, xy): (usize, &[i64])| {
            let [x, y] = [xy[0], xy[1]].map(|at| u32::try_from(at).unwrap_or(u32::MAX));
            if x < self.width && y < self.height {
                return Ok(Cell::new(x, y));
            }
            let (width, height) = (self.width, self.height);
            let message = format!(
                "`{name}`, row {row}: cell ({}, {}) is not on the map of {width} x {height} cells",
                xy[0], xy[1]
            );
            Err(PyIndexError::new_err(message))
        };
        numbers.chunks_exact(2).enumerate().map(cell).collect()
    }
}

fn find(map: &quadrille_paths::PathMap, start: Cell, goal: Cell, partial: bool, scratch: &mut Scratch) -> Option<Path> {
    if partial { map.partial_path(start, goal, scratch) } else { map.path(start, goal, scratch) }
}

/// Cells as an array of two columns, x and y.
fn cells_array<'py>(py: Python<'py>, cells: impl Iterator<Item = Cell>) -> PyResult<Bound<'py, PyArray2<i64>>> {
    let numbers: Vec<i64> = cells.flat_map(|cell| [i64::from(cell.x), i64::from(cell.y)]).collect();
    let rows = numbers.len() / 2;
    numbers.into_pyarray(py).reshape([rows, 2])
}

/// Rows of free cells: `bool` of two dimensions.
fn read_mask<'py>(object: &Bound<'py, PyAny>) -> PyResult<PyReadonlyArray2<'py, bool>> {
    let array = numpy(object.py())?.call_method1("asarray", (object,))?;
    let Ok(mask) = array.cast::<PyArray2<bool>>() else {
        let (dtype, shape) = (array.getattr("dtype")?, array.getattr("shape")?);
        let message = format!("`free` is {dtype} of shape {shape}; it is bool of shape (height, width)");
        return Err(PyTypeError::new_err(message));
    };
    mask.try_readonly().map_err(|error| PyValueError::new_err(format!("`free`: {error}")))
}

fn sides(free: &PyReadonlyArray2<'_, bool>) -> PyResult<[u32; 2]> {
    let [height, width] = [free.as_array().nrows(), free.as_array().ncols()];
    let side = |side: usize| {
        let message = format!("a map of {width} x {height} cells is too large");
        u32::try_from(side).map_err(|_| PyValueError::new_err(message))
    };
    Ok([side(height)?, side(width)?])
}

#[cold]
fn broken() -> PyErr {
    PyRuntimeError::new_err("an earlier call failed in the middle of a change: make a new map")
}
