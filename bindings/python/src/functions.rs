//! Pairs and more of arrays in one call.

use numpy::{IntoPyArray, PyArray1, PyArray2};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use quadrille::{Aabb, StructureKind};
use quadrille_advise::Operation;
use quadrille_bindings as core;

use crate::arrays::{
    Coordinate, Input, answers_array, each, exception, ids_array, pairs_array, read, read_as, read_threads, read_worth,
};

/// The names of all structures.
pub(crate) fn structures(py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
    PyTuple::new(py, StructureKind::ALL.iter().map(|kind| kind.name()))
}

#[pyfunction]
#[pyo3(signature = (a, b=None, *, threads=1))]
pub(crate) fn pairs<'py>(
    a: &Bound<'py, PyAny>,
    b: Option<&Bound<'py, PyAny>>,
    threads: i64,
) -> PyResult<Bound<'py, PyArray2<i64>>> {
    let (py, threads) = (a.py(), read_threads(threads)?);
    each!(Input, &read(a, "a")?, a => {
        let here = a.rows()?;
        match b {
            None => {
                let found = py.detach(|| core::pairs(here, threads)).map_err(|error| exception(&error))?;
                pairs_array(py, &found)
            }
            Some(b) => {
                let b = read_as_same(a, b)?;
                let there = b.rows()?;
                let found = py.detach(|| core::pairs_between(here, there, threads));
                answers_array(py, &found.map_err(|error| exception(&error))?)
            }
        }
    })
}

/// An array of the same type as another.
fn read_as_same<'py, S: Coordinate>(
    _: &crate::arrays::Array<'py, S>,
    b: &Bound<'py, PyAny>,
) -> PyResult<crate::arrays::Array<'py, S>> {
    read_as(b, "b")
}

#[pyfunction]
#[pyo3(signature = (items, r, *, return_distance=false, threads=1))]
pub(crate) fn within<'py>(
    items: &Bound<'py, PyAny>,
    r: f64,
    return_distance: bool,
    threads: i64,
) -> PyResult<Bound<'py, PyAny>> {
    let (py, threads) = (items.py(), read_threads(threads)?);
    each!(Input, &read(items, "items")?, items => {
        let rows = items.rows()?;
        let (found, distances) = py.detach(|| core::within(rows, r, threads)).map_err(|error| exception(&error))?;
        let found = pairs_array(py, &found)?;
        if return_distance {
            Ok((found, distances.into_pyarray(py)).into_pyobject(py)?.into_any())
        } else {
            Ok(found.into_any())
        }
    })
}

#[pyfunction]
#[pyo3(signature = (boxes, scores, iou=0.5, *, threads=1))]
pub(crate) fn nms<'py>(
    boxes: &Bound<'py, PyAny>,
    scores: &Bound<'py, PyAny>,
    iou: f64,
    threads: i64,
) -> PyResult<Bound<'py, PyArray1<i64>>> {
    let (py, threads) = (boxes.py(), read_threads(threads)?);
    let scores = read_worth(scores, "scores")?;
    each!(Input, &read(boxes, "boxes")?, boxes => {
        let boxes = boxes.boxes("boxes")?;
        let kept = py.detach(|| core::suppress(boxes, &scores, iou, threads)).map_err(|error| exception(&error))?;
        Ok(ids_array(py, &kept))
    })
}

#[pyfunction]
#[pyo3(signature = (boxes, priority, *, threads=1))]
pub(crate) fn declutter<'py>(
    boxes: &Bound<'py, PyAny>,
    priority: &Bound<'py, PyAny>,
    threads: i64,
) -> PyResult<Bound<'py, PyArray1<i64>>> {
    let (py, threads) = (boxes.py(), read_threads(threads)?);
    let priority = read_worth(priority, "priority")?;
    each!(Input, &read(boxes, "boxes")?, boxes => {
        let boxes = boxes.boxes("boxes")?;
        let kept = py.detach(|| core::declutter(boxes, &priority, threads)).map_err(|error| exception(&error))?;
        Ok(ids_array(py, &kept))
    })
}

/// Measures all structures on frames of boxes: names and milliseconds a frame, the fastest first.
#[pyfunction]
#[pyo3(signature = (*frames, operations=None))]
pub(crate) fn advise<'py>(
    py: Python<'py>,
    frames: &Bound<'py, PyTuple>,
    operations: Option<Vec<String>>,
) -> PyResult<Bound<'py, PyDict>> {
    if frames.is_empty() {
        return Err(PyTypeError::new_err("advise needs the boxes of one frame at least"));
    }
    let default: &[Operation] = if frames.len() > 1 {
        &[Operation::Update, Operation::Pairs]
    } else {
        &[Operation::Pairs, Operation::Query, Operation::Nearest]
    };
    let parsed = operations.map(|names| names.iter().map(|name| name.parse()).collect::<Result<Vec<_>, _>>());
    let operations = match parsed.transpose() {
        Ok(operations) => operations.unwrap_or_else(|| default.to_vec()),
        Err(error) => return Err(PyValueError::new_err(format!("operations: {error}"))),
    };
    let frames = frames.iter().map(|frame| wide(&frame)).collect::<PyResult<Vec<_>>>()?;
    let advice = py.detach(|| quadrille_advise::advise(&frames, &operations));
    let advice = advice.map_err(|error| PyValueError::new_err(error.to_string()))?;
    let best_first = PyDict::new(py);
    for row in &advice.rows {
        let name = row.options.kind().name();
        if !best_first.contains(name)? {
            best_first.set_item(name, row.ms.total())?;
        }
    }
    Ok(best_first)
}

/// All of a frame as `float64`, which holds the other two exactly.
fn wide(frame: &Bound<'_, PyAny>) -> PyResult<Vec<Aabb<f64>>> {
    each!(Input, &read(frame, "boxes")?, frame => {
        let rows = frame.rows()?;
        core::check_stored(rows).map_err(|error| exception(&error))?;
        let widen = |[x, y]: [_; 2]| [quadrille::Scalar::to_f64(x), quadrille::Scalar::to_f64(y)];
        Ok(rows.to_boxes().iter().map(|bounds| Aabb::new(widen(bounds.min), widen(bounds.max))).collect())
    })
}
