//! Pairs and more of arrays in one call.

use numpy::IntoPyArray;
use pyo3::exceptions::{PyMemoryError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use quadrille::Aabb;
use quadrille::structures::StructureKind;
use quadrille_advise::Operation;
use quadrille_bindings as core;

use crate::arrays::{
    Arg, Ids, Input, Present, Returned, Two, answers_array, each, exception, ids_array, pairs_array, read,
    read_threads, read_two, read_worth,
};
use crate::work::{detached, watched};

/// The names of all structures.
pub(crate) fn structures(py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
    PyTuple::new(py, StructureKind::ALL.iter().map(|kind| kind.name()))
}

#[pyfunction]
#[pyo3(signature = (a, b=None, *, skip_nan=false, threads=1))]
pub(crate) fn pairs<'py>(a: Arg<'_, 'py>, b: Option<Arg<'_, 'py>>, skip_nan: bool, threads: i64) -> Returned<'py> {
    let (py, threads) = (a.py(), read_threads(threads)?);
    let here = Present::of(a, "a", skip_nan)?;
    let Some(b) = b else {
        return each!(Input, &read(&here.array, "a")?, a => {
            let rows = a.rows()?;
            let found = asked(py, threads, |call| core::pairs(rows, call))?;
            here.among_all(pairs_array(py, &found)?.into_any())
        });
    };
    let there = Present::of(b, "b", skip_nan)?;
    each!(Two, &read_two((&here.array, "a"), (&there.array, "b"))?, two => {
        let (a, b) = (two.0.rows()?, two.1.rows()?);
        let found = asked(py, threads, |call| core::pairs_between(a, b, call))?;
        both_among_all(answers_array(py, &found)?.into_any(), &here, &there)
    })
}

/// Within one set, `within(items, r)`, or between two, `within(a, b, r)`.
#[pyfunction]
#[pyo3(signature = (items, b=None, r=None, *, metric="plane", return_distance=false, skip_nan=false, threads=1))]
pub(crate) fn within<'py>(
    items: &Bound<'py, PyAny>,
    b: Option<&Bound<'py, PyAny>>,
    r: Option<f64>,
    metric: &str,
    return_distance: bool,
    skip_nan: bool,
    threads: i64,
) -> PyResult<Bound<'py, PyAny>> {
    let (py, threads) = (items.py(), read_threads(threads)?);
    let (b, r) = set_and_distance(b, r)?;
    let here = Present::of(items, "items", skip_nan)?;
    let is_on_earth = core::Metric::named(metric, "straight").map_err(exception)? != core::Metric::Plane;
    let (found, distances) = match b {
        None => each!(Input, &read(&here.array, "items")?, items => {
            let rows = items.rows()?;
            let (found, distances) = asked(py, threads, |call| match is_on_earth {
                true => core::within_on_earth((rows, "items"), None, r, return_distance, call),
                false => core::within(rows, r, return_distance, call),
            })?;
            (here.among_all(pairs_array(py, &found)?.into_any())?, distances)
        }),
        Some(b) => {
            let there = Present::of(b, "b", skip_nan)?;
            each!(Two, &read_two((&here.array, "a"), (&there.array, "b"))?, two => {
                let (a, b) = (two.0.rows()?, two.1.rows()?);
                let (found, distances) = if is_on_earth {
                    let ask =
                        |call: core::Call<'_>| core::within_on_earth((a, "a"), Some((b, "b")), r, return_distance, call);
                    let (found, distances) = asked(py, threads, ask)?;
                    (pairs_array(py, &found)?, distances)
                } else {
                    let found = asked(py, threads, |call| core::within_between(a, b, r, return_distance, call))?;
                    (answers_array(py, &found)?, found.distances)
                };
                (both_among_all(found.into_any(), &here, &there)?, distances)
            })
        }
    };
    if !return_distance {
        return Ok(found);
    }
    Ok((found, distances.into_pyarray(py)).into_pyobject(py)?.into_any())
}

/// The second set, if there is one, and the distance, which comes second if there is none.
fn set_and_distance<'a, 'py>(
    b: Option<&'a Bound<'py, PyAny>>,
    r: Option<f64>,
) -> PyResult<(Option<&'a Bound<'py, PyAny>>, f64)> {
    if let Some(r) = r {
        return Ok((b, r));
    }
    let r = b.ok_or_else(|| PyTypeError::new_err("within needs a distance: within(items, r) or within(a, b, r)"))?;
    let no_distance = |_| {
        let of = r.get_type().name().map_or_else(|_| "that".into(), |name| name.to_string());
        PyTypeError::new_err(format!("a distance is a number, not {of}: within(items, r) or within(a, b, r)"))
    };
    Ok((None, r.extract().map_err(no_distance)?))
}

/// Rows of two sets, as an array of two rows, numbered among all.
fn both_among_all<'py>(found: Bound<'py, PyAny>, a: &Present<'py>, b: &Present<'py>) -> Returned<'py> {
    if !a.is_part() && !b.is_part() {
        return Ok(found);
    }
    let rows = (a.among_all(found.get_item(0)?)?, b.among_all(found.get_item(1)?)?);
    crate::arrays::numpy(found.py())?.call_method1("stack", (rows,))
}

/// What `work` finds, detached.
fn asked<R: Send>(
    py: Python<'_>,
    threads: core::Threads,
    work: impl FnOnce(core::Call<'_>) -> Result<R, core::Error> + Send,
) -> PyResult<R> {
    detached(py, threads, work).map_err(|error| advised(py, error))
}

/// An error that names the way around it, if there is one.
pub(crate) fn advised(py: Python<'_>, error: PyErr) -> PyErr {
    let message = error.value(py).to_string();
    if !message.contains("NaN throughout") {
        return error;
    }
    PyValueError::new_err(format!("{message}; skip_nan=True leaves such rows out"))
}

#[pyfunction]
#[pyo3(signature = (boxes, scores, iou=0.5, *, threads=1))]
pub(crate) fn nms<'py>(boxes: Arg<'_, 'py>, scores: Arg<'_, 'py>, iou: f64, threads: i64) -> PyResult<Ids<'py>> {
    best(boxes, &read_worth(scores, "scores")?, Some(iou), threads)
}

#[pyfunction]
#[pyo3(signature = (boxes, priority, *, threads=1))]
pub(crate) fn declutter<'py>(boxes: Arg<'_, 'py>, priority: Arg<'_, 'py>, threads: i64) -> PyResult<Ids<'py>> {
    best(boxes, &read_worth(priority, "priority")?, None, threads)
}

/// The boxes that remain: non-maximum suppression, or decluttering without `iou`.
fn best<'py>(boxes: Arg<'_, 'py>, worth: &[f64], iou: Option<f64>, threads: i64) -> PyResult<Ids<'py>> {
    let (py, threads) = (boxes.py(), read_threads(threads)?);
    each!(Input, &read(boxes, "boxes")?, boxes => {
        let boxes = boxes.boxes("boxes")?;
        ids_array(py, &detached(py, threads, |call| match iou {
            Some(iou) => core::suppress(boxes, worth, iou, call),
            None => core::declutter(boxes, worth, call),
        })?)
    })
}

/// Bytes per box in the structures that are measured together, with room to spare.
const BYTES_OF_A_BOX: usize = 1024;

/// Measures all structures on frames of boxes: names and milliseconds a frame, the fastest first.
#[pyfunction]
#[pyo3(signature = (*frames, operations=None))]
pub(crate) fn advise<'py>(
    py: Python<'py>,
    frames: &Bound<'py, PyTuple>,
    operations: Option<Vec<String>>,
) -> PyResult<Bound<'py, PyDict>> {
    if frames.is_empty() {
        return Err(PyTypeError::new_err("advise needs the boxes of at least one frame"));
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
    let boxes: usize = frames.iter().map(Vec::len).sum();
    if !core::is_free(boxes.saturating_mul(BYTES_OF_A_BOX)) {
        return Err(PyMemoryError::new_err(format!("there is no memory to measure structures of {boxes} boxes")));
    }
    let advice = py.detach(|| watched(core::Threads::One, |call| timed(&frames, &operations, &call.pulse())))?;
    let best_first = PyDict::new(py);
    for row in &advice.rows {
        let name = row.options.kind().name();
        if !best_first.contains(name)? {
            best_first.set_item(name, row.ms.total())?;
        }
    }
    Ok(best_first)
}

/// The times of all structures, turn by turn.
fn timed(
    frames: &[Vec<Aabb<f64>>],
    operations: &[Operation],
    pulse: &core::Pulse<'_>,
) -> PyResult<quadrille_advise::Advice<f64>> {
    let wrong = |error: quadrille_advise::Error| PyValueError::new_err(error.to_string());
    let mut search = quadrille_advise::Search::new(frames, operations).map_err(wrong)?;
    loop {
        if let Some(advice) = search.turn().map_err(wrong)? {
            return Ok(advice);
        }
        pulse.beat().map_err(exception)?;
    }
}

/// All of a frame as `float64`, which holds the other two exactly.
fn wide(frame: Arg<'_, '_>) -> PyResult<Vec<Aabb<f64>>> {
    each!(Input, &read(frame, "boxes")?, frame => {
        let rows = frame.rows()?;
        core::check_stored(rows).and_then(|()| rows.to_wide()).map_err(exception)
    })
}
