//! numpy arrays in: type, shape and order checked; arrays out.

use numpy::{
    Element, IntoPyArray, PyArray1, PyArray2, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArray,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use quadrille::Aabb;
use quadrille_bindings::{Answers, Error, ErrorKind, Number, Rows, Threads};

/// A coordinate that numpy knows.
pub(crate) trait Coordinate: Number + Element {
    /// numpy's name of it.
    const DTYPE: &'static str;
}

impl Coordinate for f32 {
    const DTYPE: &'static str = "float32";
}

impl Coordinate for f64 {
    const DTYPE: &'static str = "float64";
}

impl Coordinate for i32 {
    const DTYPE: &'static str = "int32";
}

/// Rows of a contiguous array.
pub(crate) struct Array<'py, S: Coordinate> {
    array: PyReadonlyArrayDyn<'py, S>,
    shape: Shape,
}

#[derive(Clone, Copy, PartialEq)]
enum Shape {
    /// `(2,)` or `(4,)`.
    One(usize),
    /// `(n, 2)` or `(n, 4)`.
    Many(usize),
}

impl<S: Coordinate> Array<'_, S> {
    /// The numbers as rows.
    pub(crate) fn rows(&self) -> PyResult<Rows<'_, S>> {
        let numbers = self.array.as_slice()?;
        Ok(match self.shape {
            Shape::One(2) | Shape::Many(2) => Rows::Points(numbers),
            _ => Rows::Boxes(numbers),
        })
    }

    /// The numbers of boxes, if that is what they are.
    pub(crate) fn boxes(&self, name: &str) -> PyResult<&[S]> {
        match self.rows()? {
            Rows::Boxes(numbers) => Ok(numbers),
            Rows::Points(_) => Err(PyValueError::new_err(format!("`{name}` has points; boxes have four columns"))),
        }
    }

    /// The numbers of points, if that is what they are.
    pub(crate) fn points(&self, name: &str) -> PyResult<&[S]> {
        match self.rows()? {
            Rows::Points(numbers) => Ok(numbers),
            Rows::Boxes([]) => Ok(&[]),
            Rows::Boxes(_) => Err(PyValueError::new_err(format!("`{name}` has boxes; here are two columns needed"))),
        }
    }

    /// Was it one row alone, without a dimension for rows?
    pub(crate) fn is_one(&self) -> bool {
        matches!(self.shape, Shape::One(_))
    }
}

/// An array of one of the three types.
pub(crate) enum Input<'py> {
    F32(Array<'py, f32>),
    F64(Array<'py, f64>),
    I32(Array<'py, i32>),
}

/// `each!(Enum, value, one => expression)`: the expression with `one` as what is inside, whatever the scalar.
macro_rules! each {
    ($enum:ident, $value:expr, $one:ident => $result:expr) => {
        match $value {
            $enum::F32($one) => $result,
            $enum::F64($one) => $result,
            $enum::I32($one) => $result,
        }
    };
}
pub(crate) use each;

/// Rows of whatever type they are.
pub(crate) fn read<'py>(object: &Bound<'py, PyAny>, name: &str) -> PyResult<Input<'py>> {
    let array = match as_list(object)? {
        Some(list) => exactly(&list, "float64", name)?,
        None => native(object, name)?,
    };
    if array.cast::<PyArrayDyn<f32>>().is_ok() {
        return typed(&array, name).map(Input::F32);
    }
    if array.cast::<PyArrayDyn<i32>>().is_ok() {
        return typed(&array, name).map(Input::I32);
    }
    if array.cast::<PyArrayDyn<f64>>().is_ok() {
        return typed(&array, name).map(Input::F64);
    }
    Err(refused(&array, name))
}

/// Rows of the type of an index. Lists are converted, arrays are not.
pub(crate) fn read_as<'py, S: Coordinate>(object: &Bound<'py, PyAny>, name: &str) -> PyResult<Array<'py, S>> {
    let array = match as_list(object)? {
        Some(list) => exactly(&list, S::DTYPE, name)?,
        None => native(object, name)?,
    };
    if array.cast::<PyArrayDyn<S>>().is_err() {
        let found = array.getattr(intern!(array.py(), "dtype"))?;
        return Err(PyTypeError::new_err(format!(
            "`{name}` is {found}, and this keeps {}: convert it with .astype(np.{})",
            S::DTYPE,
            S::DTYPE
        )));
    }
    typed(&array, name)
}

/// Ids: whole numbers of any type that fits 64 bits. A single number is a list of one; says whether it was one.
pub(crate) fn read_ids(object: &Bound<'_, PyAny>, name: &str) -> PyResult<(Vec<i64>, bool)> {
    let numpy = numpy(object.py())?;
    let array = numpy.call_method1(intern!(object.py(), "asarray"), (object,))?;
    let (dtype, ndim) = (array.getattr("dtype")?, array.getattr("ndim")?.extract::<usize>()?);
    let is_empty = array.getattr("size")?.extract::<usize>()? == 0;
    let kind: String = dtype.getattr("kind")?.extract()?;
    if kind == "b" {
        return Err(PyTypeError::new_err(format!("`{name}` is a mask; ids come from it by np.flatnonzero")));
    }
    if ndim > 1 {
        return Err(PyValueError::new_err(format!("`{name}` has {ndim} dimensions; ids have one")));
    }
    if is_empty {
        return Ok((Vec::new(), false));
    }
    if kind != "i" && kind != "u" {
        return Err(PyTypeError::new_err(format!("`{name}` is {dtype}; it has whole numbers")));
    }
    let largest = array.call_method0("max")?;
    if largest.gt(i64::MAX)? {
        return Err(PyIndexError::new_err(format!("`{name}` has {largest}, which is no id")));
    }
    let array = array.call_method1("astype", ("int64",))?;
    let array = array.call_method1("reshape", (-1,))?.cast_into::<PyArray1<i64>>().map_err(PyErr::from)?;
    Ok((array.readonly().as_array().to_vec(), ndim == 0))
}

/// One number a row, as `float64`.
pub(crate) fn read_worth(object: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<f64>> {
    let array = numpy(object.py())?.call_method1("asarray", (object,))?;
    let kind: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
    let ndim: usize = array.getattr("ndim")?.extract()?;
    if !["f", "i", "u"].contains(&kind.as_str()) || ndim != 1 {
        let (dtype, shape) = (array.getattr("dtype")?, array.getattr("shape")?);
        return Err(PyTypeError::new_err(format!("`{name}` is {dtype} of shape {shape}; it has one number a box")));
    }
    let array = array.call_method1("astype", ("float64",))?.cast_into::<PyArray1<f64>>().map_err(PyErr::from)?;
    Ok(array.readonly().as_array().to_vec())
}

/// `workers` as scipy has it: one, a number, or -1 for all cores; never more than the machine has.
pub(crate) fn read_threads(threads: i64) -> PyResult<Threads> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let asked = match threads {
        -1 => cores,
        1.. => usize::try_from(threads).unwrap_or(usize::MAX).min(cores),
        _ => return Err(PyValueError::new_err(format!("threads is at least 1, or -1 for all, not {threads}"))),
    };
    Ok(std::num::NonZeroUsize::new(asked).filter(|asked| asked.get() > 1).map_or(Threads::One, Threads::Some))
}

/// Pairs as an array of two rows.
pub(crate) fn pairs_array<'py>(py: Python<'py>, pairs: &[(u32, u32)]) -> PyResult<Bound<'py, PyArray2<i64>>> {
    let both = py.detach(|| {
        let mut both = Vec::with_capacity(2 * pairs.len());
        both.extend(pairs.iter().map(|&(a, _)| i64::from(a)));
        both.extend(pairs.iter().map(|&(_, b)| i64::from(b)));
        both
    });
    both.into_pyarray(py).reshape([2, pairs.len()])
}

/// Answers as an array of two rows: which question, which box.
pub(crate) fn answers_array<'py>(py: Python<'py>, answers: &Answers) -> PyResult<Bound<'py, PyArray2<i64>>> {
    let both = py.detach(|| {
        let mut both = Vec::with_capacity(2 * answers.ids.len());
        for (row, &count) in (0_i64..).zip(&answers.counts) {
            both.extend(std::iter::repeat_n(row, count as usize));
        }
        both.extend(answers.ids.iter().map(|&id| i64::from(id)));
        both
    });
    both.into_pyarray(py).reshape([2, answers.ids.len()])
}

/// Ids as an array.
pub(crate) fn ids_array<'py>(py: Python<'py>, ids: &[u32]) -> Bound<'py, PyArray1<i64>> {
    ids.iter().map(|&id| i64::from(id)).collect::<Vec<_>>().into_pyarray(py)
}

/// Boxes as an array of four columns.
pub(crate) fn boxes_array<'py, S: Coordinate>(py: Python<'py>, boxes: &[Aabb<S>]) -> PyResult<Bound<'py, PyArray2<S>>> {
    let numbers: Vec<S> = boxes.iter().flat_map(|&bounds| <[S; 4]>::from(bounds)).collect();
    numbers.into_pyarray(py).reshape([boxes.len(), 4])
}

/// The exception for a mistake.
pub(crate) fn exception(error: &Error) -> PyErr {
    match error.kind() {
        ErrorKind::Value => PyValueError::new_err(error.to_string()),
        ErrorKind::Id => PyIndexError::new_err(error.to_string()),
    }
}

pub(crate) fn numpy(py: Python<'_>) -> PyResult<Bound<'_, PyModule>> {
    py.import(intern!(py, "numpy"))
}

/// The array made from a list or tuple; `None` for anything else.
fn as_list<'py>(object: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    if !object.is_instance_of::<PyList>() && !object.is_instance_of::<PyTuple>() {
        return Ok(None);
    }
    numpy(object.py())?.call_method1("asarray", (object,)).map(Some)
}

/// The numbers of a list in another type. Python's own floats are rounded to it, as numpy does; whole numbers must fit.
fn exactly<'py>(list: &Bound<'py, PyAny>, dtype: &str, name: &str) -> PyResult<Bound<'py, PyAny>> {
    let kind: String = list.getattr("dtype")?.getattr("kind")?.extract()?;
    let is_empty = list.getattr("size")?.extract::<usize>()? == 0;
    if !["f", "i", "u"].contains(&kind.as_str()) {
        return Err(refused(list, name));
    }
    let converted = list.call_method1("astype", (dtype,))?;
    // There and back: numbers beyond 2**53 would be rounded before they are compared.
    let back = converted.call_method1("astype", (list.getattr("dtype")?,))?;
    let must_fit = !is_empty && (kind != "f" || dtype == "int32");
    if must_fit && !numpy(list.py())?.call_method1("array_equal", (back, list))?.extract::<bool>()? {
        return Err(PyValueError::new_err(format!("`{name}` has numbers that {dtype} cannot hold")));
    }
    Ok(converted)
}

/// An array whose bytes are in this machine's order.
fn native<'py>(object: &Bound<'py, PyAny>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    let py = object.py();
    let array = match object.cast::<PyUntypedArray>() {
        Ok(array) => array.clone().into_any(),
        Err(_) => numpy(py)?.call_method1(intern!(py, "asarray"), (object,))?,
    };
    let dtype = array.getattr(intern!(py, "dtype"))?;
    if dtype.getattr(intern!(py, "isnative"))?.extract::<bool>()? {
        return Ok(array);
    }
    let kind: String = dtype.getattr("kind")?.extract()?;
    if !["f", "i", "u"].contains(&kind.as_str()) {
        return Err(refused(&array, name));
    }
    array.call_method1("astype", (dtype.call_method1("newbyteorder", ("=",))?,))
}

/// Checks the shape; copies what is strided or not aligned.
fn typed<'py, S: Coordinate>(array: &Bound<'py, PyAny>, name: &str) -> PyResult<Array<'py, S>> {
    let py = array.py();
    let untyped = array.cast::<PyUntypedArray>().map_err(PyErr::from)?;
    let shape = match untyped.shape() {
        [0] => Shape::Many(4),
        [columns @ (2 | 4)] => Shape::One(*columns),
        [_, columns @ (2 | 4)] => Shape::Many(*columns),
        _ => {
            let shape = array.getattr("shape")?;
            return Err(PyValueError::new_err(format!(
                "`{name}` has the shape {shape}; boxes have (n, 4): xmin, ymin, xmax, ymax, and points (n, 2): x, y"
            )));
        }
    };
    let flags = array.getattr(intern!(py, "flags"))?;
    let is_aligned: bool = flags.getattr(intern!(py, "aligned"))?.extract()?;
    let array = if untyped.is_c_contiguous() && is_aligned {
        array.clone()
    } else {
        // A copy in any case: what is contiguous but not aligned would be returned as it is.
        array.call_method1("copy", ("C",))?
    };
    let array = array.cast_into::<PyArrayDyn<S>>().map_err(PyErr::from)?;
    let array = array.try_readonly().map_err(|error| PyValueError::new_err(format!("`{name}`: {error}")))?;
    Ok(Array { array, shape })
}

#[cold]
fn refused(array: &Bound<'_, PyAny>, name: &str) -> PyErr {
    let dtype = array.getattr("dtype").and_then(|dtype| dtype.str()?.extract::<String>());
    let dtype = dtype.unwrap_or_else(|_| "of an unknown type".into());
    let advice = match dtype.as_str() {
        "float16" => "convert it with .astype(np.float32), which holds all of them",
        "int8" | "int16" | "uint8" | "uint16" => "convert it with .astype(np.int32), which holds all of them",
        "int64" | "uint32" | "uint64" => {
            "convert it with .astype(np.int32) or, for numbers up to 2**53, .astype(np.float64)"
        }
        _ => "convert it with .astype(np.float64)",
    };
    PyTypeError::new_err(format!("`{name}` is {dtype}; float32, float64 and int32 are kept exactly: {advice}"))
}
