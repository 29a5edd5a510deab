//! The classes `PathQueue` and `PathWatch`.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use quadrille_bindings::{Answered, Requests, path_on};
use quadrille_paths::Scratch;

use crate::arrays::{Arg, exception};
use crate::ground::{Cells, cells_array, read_cells};
use crate::maps::PathMap;
use crate::work::Lock;

/// Requests for paths, answered within a budget.
#[pyclass(frozen, module = "pyquadrille._core")]
pub(crate) struct PathQueue(Lock<Requests>);

/// What callers call the ends of a path.
const NAMES: [&str; 2] = ["start", "goal"];

/// The number of a request, and its path if there is one.
type Reply<'py> = (u64, Option<Cells<'py>>);

#[pymethods]
impl PathQueue {
    #[new]
    fn new() -> Self {
        Self(Lock::from(Requests::default()))
    }

    #[pyo3(signature = (start, goal, *, priority=0))]
    fn push(&self, py: Python<'_>, start: Arg<'_, '_>, goal: Arg<'_, '_>, priority: i32) -> PyResult<u64> {
        let (from, to) = (one_cell(start, NAMES[0])?, one_cell(goal, NAMES[1])?);
        let push = |requests: &mut Requests| requests.push([from, to], NAMES, priority).map_err(exception);
        py.detach(|| self.0.write(push))
    }

    fn cancel(&self, py: Python<'_>, ticket: u64) -> PyResult<bool> {
        py.detach(|| self.0.write(|requests| Ok(requests.cancel(ticket))))
    }

    fn run<'py>(&self, py: Python<'py>, map: &PathMap, budget: u64) -> PyResult<Vec<Reply<'py>>> {
        let answered =
            py.detach(|| map.look(|map| self.0.write(|requests| requests.run(map, budget).map_err(exception))))?;
        replies(py, &answered)
    }

    fn run_for<'py>(&self, py: Python<'py>, map: &PathMap, seconds: f64) -> PyResult<Vec<Reply<'py>>> {
        let run = |requests: &mut Requests, map: &_| requests.run_for(map, seconds).map_err(exception);
        let answered = py.detach(|| map.look(|map| self.0.write(|requests| run(requests, map))))?;
        replies(py, &answered)
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        py.detach(|| self.0.read(|requests| Ok(requests.waiting())))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<pyquadrille.PathQueue of {} requests>", self.__len__(py)?))
    }
}

fn replies<'py>(py: Python<'py>, answered: &Answered) -> PyResult<Vec<Reply<'py>>> {
    let Answered { numbers, paths } = answered;
    let reply = |(number, ends): (&u64, &[usize])| {
        let cells = &paths.cells[ends[0]..ends[1]];
        let path = (!cells.is_empty()).then(|| cells_array(py, cells.iter().copied())).transpose()?;
        Ok((*number, path))
    };
    numbers.iter().zip(paths.starts.windows(2)).map(reply).collect()
}

/// A path that is watched while its map changes.
#[pyclass(frozen, module = "pyquadrille._core")]
pub(crate) struct PathWatch(Lock<quadrille_paths::PathWatch>);

#[pymethods]
impl PathWatch {
    #[new]
    fn new(py: Python<'_>, map: &PathMap, path: Arg<'_, '_>) -> PyResult<Self> {
        let cells = read_cells(path, "path")?;
        let watched = |map: &_| Ok(quadrille_paths::PathWatch::new(map, &path_on(map, &cells).map_err(exception)?));
        Ok(Self(Lock::from(py.detach(|| map.look(watched))?)))
    }

    fn check(&self, py: Python<'_>, map: &PathMap) -> PyResult<Option<(u32, u32)>> {
        let check = |map: &_| self.0.write(|watch| Ok(watch.check(map)));
        Ok(py.detach(|| map.look(check))?.map(|cell| (cell.x, cell.y)))
    }

    fn shorter<'py>(&self, py: Python<'py>, map: &PathMap, cell: Arg<'_, 'py>) -> PyResult<Option<Cells<'py>>> {
        let cell = map.0.cell(cell, "cell")?;
        let shorter = |map: &_| self.0.write(|watch| Ok(watch.shorter(map, cell, &mut Scratch::new())));
        let path = py.detach(|| map.look(shorter))?;
        path.map(|path| cells_array(py, path.cells().iter().copied())).transpose()
    }
}

/// A cell of a map that is not known yet.
fn one_cell(object: Arg<'_, '_>, name: &str) -> PyResult<[i64; 2]> {
    let numbers = read_cells(object, name)?;
    <[i64; 2]>::try_from(numbers).map_err(|_| PyValueError::new_err(format!("`{name}` is one cell: x, y")))
}
