//! Encounters of tracks whose fixes are columns of numbers.

use numpy::{IntoPyArray, PyReadonlyArray1};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict};
use quadrille_tracks::{Encounter, Fixes, Limits, Rules, Units};

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
    let units = match units {
        "plane" => Units::Plane,
        "degrees" => Units::Degrees,
        _ => return Err(PyValueError::new_err(format!("units: \"{units}\" is neither \"plane\" nor \"degrees\""))),
    };
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
    let found = py.detach(|| quadrille_tracks::encounters(&fixes, &rules, &limits));
    let found = found.map_err(|error| PyValueError::new_err(error.to_string()))?.encounters;
    let of = |part: fn(&Encounter) -> f64| found.iter().map(part).collect::<Vec<_>>().into_pyarray(py).into_any();
    let named = |part: fn(&Encounter) -> u32| {
        let numbers: Vec<_> = found.iter().map(|met| i64::from(part(met))).collect();
        names.call_method1(intern!(py, "take"), (numbers.into_pyarray(py),))
    };
    let columns = PyDict::new(py);
    columns.set_item("a", named(|met| met.a)?)?;
    columns.set_item("b", named(|met| met.b)?)?;
    columns.set_item("start", times.written(of(|met| met.start))?)?;
    columns.set_item("end", times.written(of(|met| met.end))?)?;
    columns.set_item("closest_time", times.written(of(|met| met.closest_time))?)?;
    columns.set_item("closest_distance", of(|met| met.closest_distance))?;
    if vertical.is_some() {
        columns.set_item("closest_vertical", of(|met| met.closest_vertical.unwrap_or(f64::NAN)))?;
    }
    Ok(columns)
}

/// The different ids, ascending, and for each row which it is.
fn numbered<'py>(id: &Bound<'py, PyAny>) -> PyResult<(Bound<'py, PyAny>, Vec<u32>)> {
    let py = id.py();
    let options = [("return_inverse", true)].into_py_dict(py)?;
    let (names, which) = py
        .import(intern!(py, "numpy"))?
        .call_method(intern!(py, "unique"), (id,), Some(&options))?
        .extract::<(Bound<'py, PyAny>, Bound<'py, PyAny>)>()?;
    let which = which.call_method1(intern!(py, "astype"), ("uint32",))?;
    let which: PyReadonlyArray1<'py, u32> = which.extract().map_err(|_| one_dimension("id"))?;
    Ok((names, which.as_array().to_vec()))
}

/// A column as float64, if that is safe.
fn numbers<'py>(column: &Bound<'py, PyAny>, name: &str) -> PyResult<PyReadonlyArray1<'py, f64>> {
    let py = column.py();
    let numpy = py.import(intern!(py, "numpy"))?;
    let array = numpy.call_method1(intern!(py, "asarray"), (column,))?;
    let safely = [("casting", "safe")].into_py_dict(py)?;
    let array = array
        .call_method(intern!(py, "astype"), ("float64",), Some(&safely))
        .map_err(|error| PyTypeError::new_err(format!("`{name}`: {}", error.value(py))))?;
    let array = numpy.call_method1(intern!(py, "ascontiguousarray"), (array,))?;
    array.extract().map_err(|_| one_dimension(name))
}

fn one_dimension(name: &str) -> PyErr {
    PyValueError::new_err(format!("`{name}` must have one dimension: a value for each fix"))
}

/// Times, and whether they came as dates.
struct Times<'py> {
    seconds: PyReadonlyArray1<'py, f64>,
    are_dates: bool,
}

impl<'py> Times<'py> {
    fn read(t: &Bound<'py, PyAny>) -> PyResult<Self> {
        let py = t.py();
        let array = py.import(intern!(py, "numpy"))?.call_method1(intern!(py, "asarray"), (t,))?;
        let kind: String = array.getattr(intern!(py, "dtype"))?.getattr(intern!(py, "kind"))?.extract()?;
        if kind != "M" {
            return Ok(Self { seconds: numbers(&array, "t")?, are_dates: false });
        }
        let nanoseconds = array.call_method1(intern!(py, "astype"), ("datetime64[ns]",))?;
        let nat = py.import(intern!(py, "numpy"))?.call_method1(intern!(py, "isnat"), (&nanoseconds,))?;
        if nat.call_method0(intern!(py, "any"))?.extract()? {
            return Err(PyValueError::new_err("`t` has a date that is none (NaT)"));
        }
        let seconds = nanoseconds.call_method1(intern!(py, "astype"), ("int64",))?.div(1e9)?;
        Ok(Self { seconds: numbers(&seconds, "t")?, are_dates: true })
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
