//! Lists of neighbors: the function, and the class that keeps them.

use numpy::IntoPyArray;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use quadrille_bindings::{self as core, Answers, Rows, Seams, Wanted};

use crate::arrays::{
    Array, Coordinate, Input, Two, answers_array, each, exception, ids_array, numpy, read, read_as, read_threads,
    read_two, read_worth, starts_array,
};
use crate::work::{Lock, detached, watched};

#[pyfunction]
#[pyo3(signature = (points, r, other=None, *, r#box=None, pairs=false, return_distance=false, threads=1))]
pub(crate) fn neighbors<'py>(
    points: &Bound<'py, PyAny>,
    r: f64,
    other: Option<&Bound<'py, PyAny>>,
    r#box: Option<&Bound<'py, PyAny>>,
    pairs: bool,
    return_distance: bool,
    threads: i64,
) -> PyResult<Bound<'py, PyAny>> {
    let (py, threads, wraps) = (points.py(), read_threads(threads)?, r#box.is_some());
    let wanted = Wanted { r, seams: read_seams(r#box)?, once: pairs, distances: return_distance };
    let found = match other {
        None => each!(Input, &read(points, "points")?, points => {
            let rows = rows_of(points, "points", wraps)?;
            detached(py, threads, |call| core::neighbors(rows, None, wanted, call))
        }),
        Some(other) => each!(Two, &read_two((points, "points"), (other, "other"))?, two => {
            let (here, there) = (rows_of(&two.0, "points", wraps)?, rows_of(&two.1, "other", wraps)?);
            detached(py, threads, |call| core::neighbors(here, Some(there), wanted, call))
        }),
    };
    arrays_of(py, found?, pairs, return_distance)
}

/// Neighbors of points that move.
#[pyclass(frozen, module = "pyquadrille._core")]
pub(crate) struct NeighborList(Lock<core::NeighborList>);

#[pymethods]
impl NeighborList {
    #[new]
    #[pyo3(signature = (r, skin, *, r#box=None))]
    fn new(r: f64, skin: f64, r#box: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let list = core::NeighborList::new(r, skin, read_seams(r#box)?).map_err(exception)?;
        Ok(Self(list.into()))
    }

    #[pyo3(signature = (points, *, threads=1))]
    fn update(&self, py: Python<'_>, points: &Bound<'_, PyAny>, threads: i64) -> PyResult<bool> {
        let (threads, points) = (read_threads(threads)?, read_as::<f64>(points, "points")?);
        let points = points.points("points")?;
        py.detach(|| self.0.write(|list| watched(threads, |call| list.update(points, call).map_err(exception))))
    }

    #[pyo3(signature = (*, pairs=false, return_distance=false))]
    fn neighbors<'py>(&self, py: Python<'py>, pairs: bool, return_distance: bool) -> PyResult<Bound<'py, PyAny>> {
        let found = py.detach(|| self.0.read(|list| list.neighbors(pairs, return_distance).map_err(exception)))?;
        arrays_of(py, found, pairs, return_distance)
    }
}

/// A box from the origin on, of one size or two, or its edges.
fn read_seams(r#box: Option<&Bound<'_, PyAny>>) -> PyResult<Seams> {
    let Some(r#box) = r#box else { return Ok(Seams::default()) };
    let numbers = read_worth(&numpy(r#box.py())?.call_method1("ravel", (r#box,))?, "box")?;
    let [west, south, east, north] = match numbers[..] {
        [size] => [0.0, 0.0, size, size],
        [width, height] => [0.0, 0.0, width, height],
        [west, south, east, north] => [west, south, east, north],
        _ => {
            let told = format!("`box` is one size, two, or xmin, ymin, xmax, ymax, not {} numbers", numbers.len());
            return Err(PyValueError::new_err(told));
        }
    };
    Seams::new([west, south], [east, north]).map_err(exception)
}

/// Rows, which in a box that wraps are points.
fn rows_of<'a, S: Coordinate>(array: &'a Array<'_, S>, name: &str, wraps: bool) -> PyResult<Rows<'a, S>> {
    if wraps { array.points(name).map(Rows::Points) } else { array.rows() }
}

/// As pairs or as lists, and perhaps distances.
fn arrays_of(py: Python<'_>, found: Answers, pairs: bool, return_distance: bool) -> PyResult<Bound<'_, PyAny>> {
    if pairs {
        let both = answers_array(py, &found)?;
        if !return_distance {
            return Ok(both.into_any());
        }
        return Ok((both, found.distances.into_pyarray(py)).into_pyobject(py)?.into_any());
    }
    let (starts, ids) = (starts_array(py, &found)?, ids_array(py, &found.ids)?);
    if !return_distance {
        return Ok((starts, ids).into_pyobject(py)?.into_any());
    }
    Ok((starts, ids, found.distances.into_pyarray(py)).into_pyobject(py)?.into_any())
}
