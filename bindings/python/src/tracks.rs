//! Encounters of tracks whose fixes are columns of numbers.

use numpy::{IntoPyArray, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use quadrille_bindings::{Error, Threads};
use quadrille_tracks::{Encounter, Fixes, Limits, Rules, Tracks, Units};

use crate::arrays::collected;
use crate::work::detached;

#[pyfunction]
#[pyo3(signature = (
    id, t, x, y, z=None, *, within, vertical=None, lasting=0.0, gap=0.0, max_gap=None, max_speed=None, units="plane"
))]
#[expect(clippy::too_many_arguments, reason = "named ones, in Python")]
pub(crate) fn encounters<'py>(
    id: &Bound<'py, PyAny>,
    t: &Bound<'py, PyAny>,
    x: &Bound<'py, PyAny>,
    y: &Bound<'py, PyAny>,
    z: Option<&Bound<'py, PyAny>>,
    within: f64,
    vertical: Option<f64>,
    lasting: f64,
    gap: f64,
    max_gap: Option<f64>,
    max_speed: Option<f64>,
    units: &str,
) -> PyResult<Bound<'py, PyDict>> {
    let py = id.py();
    let units: Units = units.parse().map_err(|unknown| PyValueError::new_err(format!("units: {unknown}")))?;
    let (names, track) = numbered(id)?;
    let times = Times::read(t)?;
    let [x, y] = [numbers(x, "x")?, numbers(y, "y")?];
    // Without a limit, heights do not matter.
    let z = z.filter(|_| vertical.is_some()).map(|z| numbers(z, "z")).transpose()?;
    let fixes = Fixes {
        track: &track,
        time: times.seconds.as_slice()?,
        x: x.as_slice()?,
        y: y.as_slice()?,
        z: z.as_ref().map(PyReadonlyArray1::as_slice).transpose()?,
    };
    let (rules, limits) = (Rules { units, max_gap, max_speed }, Limits { within, vertical, lasting, gap });
    let found = detached(py, Threads::One, |call| {
        let pulse = call.pulse();
        let tracks = Tracks::new(&fixes, &rules).map_err(|error| refusal(&error))?;
        tracks.encounters_while(&limits, || pulse.beat().is_ok()).map_err(|error| refusal(&error))
    })?
    .encounters;
    let columns = table(&found, &names, &times)?;
    if vertical.is_some() {
        let apart = found.iter().map(|met| met.closest_vertical.unwrap_or(f64::NAN));
        columns.set_item("closest_vertical", collected(found.len(), apart)?.into_pyarray(py))?;
    }
    Ok(columns)
}

/// Encounters with the names and times of the caller.
fn table<'py>(found: &[Encounter], names: &Bound<'py, PyAny>, times: &Times<'py>) -> PyResult<Bound<'py, PyDict>> {
    let py = names.py();
    let of = |part: fn(&Encounter) -> f64| {
        Ok::<_, PyErr>(collected(found.len(), found.iter().map(part))?.into_pyarray(py).into_any())
    };
    let named = |part: fn(&Encounter) -> u32| {
        let numbers = collected(found.len(), found.iter().map(|met| i64::from(part(met))))?;
        names.call_method1(intern!(py, "take"), (numbers.into_pyarray(py),))
    };
    let columns = PyDict::new(py);
    columns.set_item("a", named(|met| met.a)?)?;
    columns.set_item("b", named(|met| met.b)?)?;
    columns.set_item("start", times.written(of(|met| met.start)?)?)?;
    columns.set_item("end", times.written(of(|met| met.end)?)?)?;
    columns.set_item("closest_time", times.written(of(|met| met.closest_time)?)?)?;
    columns.set_item("closest_distance", of(|met| met.closest_distance)?)?;
    Ok(columns)
}

fn refusal(error: &quadrille_tracks::Error) -> Error {
    if error.is_stopped() {
        Error::stopped()
    } else if error.is_memory() {
        Error::no_memory(error.to_string())
    } else {
        Error::value(error.to_string())
    }
}

/// The different ids, ascending, and for each row which it is.
fn numbered<'py>(id: &Bound<'py, PyAny>) -> PyResult<(Bound<'py, PyAny>, Vec<u32>)> {
    let py = id.py();
    let (names, which) = columns(py)?.call_method1("numbered", (id,))?.extract::<(_, PyReadonlyArray1<'py, u32>)>()?;
    Ok((names, collected(which.len()?, which.as_array().iter().copied())?))
}

/// A column as float64, if that is safe.
fn numbers<'py>(column: &Bound<'py, PyAny>, name: &str) -> PyResult<PyReadonlyArray1<'py, f64>> {
    columns(column.py())?.call_method1("numbers", (column, name))?.extract()
}

/// Columns of any kind are read in Python.
fn columns(py: Python<'_>) -> PyResult<Bound<'_, PyModule>> {
    py.import(intern!(py, "pyquadrille._columns"))
}

/// Times, and whether they came as dates.
struct Times<'py> {
    seconds: PyReadonlyArray1<'py, f64>,
    are_dates: bool,
}

impl<'py> Times<'py> {
    fn read(t: &Bound<'py, PyAny>) -> PyResult<Self> {
        let (seconds, are_dates) = columns(t.py())?.call_method1("times", (t,))?.extract()?;
        Ok(Self { seconds, are_dates })
    }

    /// As they came; dates to the microsecond.
    fn written(&self, seconds: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        if !self.are_dates {
            return Ok(seconds);
        }
        let py = seconds.py();
        let microseconds = seconds.mul(1e6)?.call_method0(intern!(py, "round"))?;
        let microseconds = microseconds.call_method1(intern!(py, "astype"), ("int64",))?;
        microseconds.call_method1(intern!(py, "astype"), ("datetime64[us]",))
    }
}
