//! Joins of geometries by their true shapes. `_shapes.py` makes lists of well-known binary of what is not Arrow.

use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};
use quadrille_bindings::{Call, Metric, Shapes as Rows, Threads};
use quadrille_shapes::globe::Edges;

use crate::arrays::{exception, pairs_array};
use crate::arrow::Chunk;
use crate::geoarrow::{self, Column};
use crate::work::detached;

/// Geometries by rows.
#[pyclass(frozen, module = "pyquadrille._core")]
pub(crate) struct Shapes {
    rows: Rows,
    /// The column's own metadata, as JSON: GeoArrow's.
    #[pyo3(get)]
    metadata: Option<String>,
}

#[pymethods]
impl Shapes {
    /// From a list of well-known binary and `None`, or from an object with Arrow's interface; `name` is what errors
    /// call it.
    #[new]
    fn new(source: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let mut all = Self { rows: Rows::new(), metadata: None };
        match source.cast::<PyList>() {
            Ok(list) => read(&mut all.rows, list, name)?,
            Err(_) => Chunk::all(source)?.iter().try_for_each(|chunk| read_chunk(&mut all, chunk, name))?,
        }
        Ok(all)
    }

    fn __len__(&self) -> usize {
        self.rows.len()
    }

    /// The boxes of all rows; those of rows without a geometry are NaN.
    fn bounds<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let all = self.rows.bounds().map_err(exception)?;
        all.into_pyarray(py).reshape([self.rows.len(), 4])
    }

    /// For each row, the box of degrees that holds everything within `most` meters of it; NaN without a geometry.
    fn reaches<'py>(&self, py: Python<'py>, most: f64, edges: &str) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let edges: Edges = edges.parse().map_err(|what| PyValueError::new_err(format!("edges: {what}")))?;
        let all = self.rows.reaches(most, edges).map_err(exception)?;
        all.into_pyarray(py).reshape([self.rows.len(), 4])
    }
}

fn read(all: &mut Rows, list: &Bound<'_, PyList>, name: &str) -> PyResult<()> {
    for (row, item) in list.iter().enumerate() {
        let bytes = if item.is_none() {
            None
        } else {
            let told = || PyTypeError::new_err(format!("{name}: row {row} is not a geometry: {item}"));
            Some(item.cast::<PyBytes>().map_err(|_| told())?)
        };
        let wkb = bytes.map(PyBytesMethods::as_bytes);
        all.push(wkb).map_err(|error| exception(error.of(name)))?;
    }
    Ok(())
}

fn read_chunk(all: &mut Shapes, chunk: &Chunk, name: &str) -> PyResult<()> {
    let strange = |what| PyValueError::new_err(format!("{name} {what}"));
    let chunk = geoarrow::geometries(chunk).map_err(strange)?;
    all.metadata = chunk.extension_metadata().map(str::to_owned);
    let column = Column::of(&chunk).map_err(strange)?.ok_or_else(|| {
        let (format, extension) = (chunk.format(), chunk.extension().unwrap_or("none"));
        let read = "which is not supported: give WKB or GeoArrow's own encodings";
        PyTypeError::new_err(format!("{name} is Arrow of format {format}, type {extension}, {read}"))
    })?;
    (0..chunk.len()).try_for_each(|row| {
        let pushed =
            all.rows.push_with(|shapes| if chunk.is_valid(row) { column.push(row, shapes) } else { Ok(false) });
        pushed.map_err(|error| exception(error.of(name)))
    })
}

type Found<'py> = (Bound<'py, PyArray2<i64>>, Bound<'py, PyArray1<f64>>);

/// Pairs of rows in order: those for which the predicate holds, or no farther apart than a distance; and, if measured,
/// the area or length that the two of each have in common. Metric and edges are those of the distance.
#[pyfunction]
#[pyo3(signature = (a, b, predicate, distance=None, is_measured=false, metric=("plane", "straight")))]
pub(crate) fn join_shapes<'py>(
    py: Python<'py>,
    a: &Shapes,
    b: &Shapes,
    predicate: &str,
    distance: Option<f64>,
    is_measured: bool,
    metric: (&str, &str),
) -> PyResult<Found<'py>> {
    let metric = Metric::named(metric.0, metric.1).map_err(exception)?;
    let pairs = detached(py, Threads::One, |call: Call<'_>| match distance {
        Some(distance) => a.rows.join_within(&b.rows, distance, metric, call),
        None => a.rows.join(&b.rows, predicate, call),
    })?;
    let measured = if is_measured { &pairs[..] } else { &[] };
    let measures = detached(py, Threads::One, |call: Call<'_>| a.rows.measures(&b.rows, measured, call))?;
    Ok((pairs_array(py, &pairs)?, measures.into_pyarray(py)))
}

/// For each row of `a`, the nearest rows of `b`, and how far away they are: `count` of them, or (`None`) all at the
/// least distance. `exclusive` leaves out equal geometries.
#[pyfunction]
#[pyo3(signature = (a, b, count, most, exclusive, metric=("plane", "straight")))]
pub(crate) fn nearest_shapes<'py>(
    py: Python<'py>,
    a: &Shapes,
    b: &Shapes,
    count: Option<usize>,
    most: f64,
    exclusive: bool,
    metric: (&str, &str),
) -> PyResult<Found<'py>> {
    let metric = Metric::named(metric.0, metric.1).map_err(exception)?;
    let (pairs, distances) =
        detached(py, Threads::One, |call: Call<'_>| a.rows.nearest(&b.rows, (count, most), exclusive, metric, call))?;
    Ok((pairs_array(py, &pairs)?, distances.into_pyarray(py)))
}
