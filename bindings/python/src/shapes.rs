//! Joins of geometries by their true shapes. `_shapes.py` makes lists of well-known binary of what is given.

use numpy::{IntoPyArray, PyArray1, PyArray2};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};
use quadrille::{FrameTree, Index};
use quadrille_bindings::{Call, Error, Threads};
use quadrille_shapes::{Fault, Geometries, Nearest, Predicate, Wanted, join_while, join_within_while};

use crate::arrays::{collected, pairs_array};
use crate::work::detached;

/// Geometries, and the row of each; empty ones and `None` have none.
struct Rows {
    shapes: Geometries,
    rows: Vec<u32>,
}

impl Rows {
    fn read(list: &Bound<'_, PyList>, name: &str) -> PyResult<Self> {
        let mut all = Self { shapes: Geometries::new(), rows: Vec::new() };
        for (row, item) in (0_u32..).zip(list) {
            if item.is_none() {
                continue;
            }
            let bytes = item
                .cast::<PyBytes>()
                .map_err(|_| PyTypeError::new_err(format!("{name}: row {row} is no geometry: {item}")))?;
            let is_one = all.shapes.push_wkb(bytes.as_bytes());
            if is_one.map_err(|what| PyValueError::new_err(format!("{name}: row {row} {what}")))? {
                all.rows.push(row);
            }
        }
        Ok(all)
    }

    fn row(&self, number: u32) -> u32 {
        self.rows[number as usize]
    }
}

fn refusal(fault: Fault) -> Error {
    match fault {
        Fault::Stopped => Error::stopped(),
        Fault::Memory | Fault::TooMany => Error::no_memory(fault.to_string()),
        other => Error::value(other.to_string()),
    }
}

/// Pairs of rows in order: those for which the predicate holds, or no farther apart than a distance.
#[pyfunction]
#[pyo3(signature = (a, b, predicate, distance=None))]
pub(crate) fn join_wkb<'py>(
    a: &Bound<'py, PyList>,
    b: &Bound<'py, PyList>,
    predicate: &str,
    distance: Option<f64>,
) -> PyResult<Bound<'py, PyArray2<i64>>> {
    let py = a.py();
    let asked = match distance {
        Some(_) => None,
        None => {
            Some(predicate.parse::<Predicate>().map_err(|what| PyValueError::new_err(format!("predicate: {what}")))?)
        }
    };
    let (a, b) = (Rows::read(a, "a")?, Rows::read(b, "b")?);
    let pairs = detached(py, Threads::One, |call: Call<'_>| {
        let pulse = call.pulse();
        let may_go_on = &mut || pulse.beat().is_ok();
        let found = match asked {
            Some(predicate) => join_while(&a.shapes, &b.shapes, predicate, may_go_on),
            None => join_within_while(&a.shapes, &b.shapes, distance.unwrap_or(f64::NAN), may_go_on),
        };
        let mut pairs = found.map_err(refusal)?;
        pairs.iter_mut().for_each(|pair| *pair = (a.row(pair.0), b.row(pair.1)));
        pairs.sort_unstable();
        Ok(pairs)
    })?;
    pairs_array(py, &pairs)
}

type Found<'py> = (Bound<'py, PyArray2<i64>>, Bound<'py, PyArray1<f64>>);

/// Of each row of `a`, the rows of `b` that are nearest, and how far away: `count` of them, or (`None`) all that no
/// other is nearer than. `exclusive`: what is equal is not wanted.
#[pyfunction]
pub(crate) fn nearest_wkb<'py>(
    a: &Bound<'py, PyList>,
    b: &Bound<'py, PyList>,
    count: Option<usize>,
    most: f64,
    exclusive: bool,
) -> PyResult<Found<'py>> {
    let py = a.py();
    let (a, b) = (Rows::read(a, "a")?, Rows::read(b, "b")?);
    let found = detached(py, Threads::One, |call: Call<'_>| {
        let pulse = call.pulse();
        let index = Index::<FrameTree<f64>>::from_boxes(&b.shapes.boxes())
            .map_err(|error| Error::no_memory(error.to_string()))?;
        let search = Search { a: &a.shapes, b: &b.shapes, nearest: Nearest::new(&b.shapes, &index), most, exclusive };
        let mut found = Vec::new();
        for i in 0..a.shapes.len() as u32 {
            pulse.beat()?;
            let others = search.of(i, count).map_err(refusal)?;
            found.extend(others.into_iter().map(|(j, distance)| ((a.row(i), b.row(j)), distance)));
        }
        Ok(found)
    })?;
    let pairs = collected(found.len(), found.iter().map(|(pair, _)| *pair))?;
    let distances = collected(found.len(), found.iter().map(|(_, distance)| *distance))?;
    Ok((pairs_array(py, &pairs)?, distances.into_pyarray(py)))
}

/// What is searched for the nearest.
struct Search<'a> {
    a: &'a Geometries,
    b: &'a Geometries,
    nearest: Nearest<'a, FrameTree<f64>>,
    most: f64,
    exclusive: bool,
}

impl Search<'_> {
    fn of(&self, i: u32, count: Option<usize>) -> Result<Vec<(u32, f64)>, Fault> {
        let to = |count, most| self.nearest.to(self.a, i, Wanted { count, most, but: None });
        let mut equal = Vec::new();
        if self.exclusive {
            for (j, _) in to(usize::MAX, 0.0) {
                if Predicate::Equals.holds(self.a, i, self.b, j)? {
                    equal.push(j);
                }
            }
        }
        let mut found = to(count.unwrap_or(1).saturating_add(equal.len()), self.most);
        found.retain(|(j, _)| !equal.contains(j));
        match (count, found.first()) {
            (None, Some(&(_, least))) => found = to(usize::MAX, least),
            (count, _) => found.truncate(count.unwrap_or(1)),
        }
        found.retain(|(j, _)| !equal.contains(j));
        Ok(found)
    }
}
