//! numpy arrays in: type, shape and order checked; arrays out.

use std::sync::OnceLock;

use numpy::{
    Element, IntoPyArray, PyArray1, PyArray2, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArray,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyIndexError, PyKeyboardInterrupt, PyMemoryError, PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyList, PyTuple};
use quadrille::{Aabb, Layers, Scalar};
use quadrille_bindings::{Answers, Error, ErrorKind, Rows, Threads, room};

/// An argument.
pub(crate) type Arg<'a, 'py> = &'a Bound<'py, PyAny>;
/// An array of ids or row numbers.
pub(crate) type Ids<'py> = Bound<'py, PyArray1<i64>>;
/// What a call returns: arrays, numbers, or tuples of them.
pub(crate) type Returned<'py> = PyResult<Bound<'py, PyAny>>;

/// A type of coordinates that numpy has.
pub(crate) trait Coordinate: Scalar + Element {
    /// numpy's name of it.
    const DTYPE: &'static str;

    /// A whole number, if this type holds it exactly.
    fn exactly(number: i128) -> Option<Self>;
}

macro_rules! coordinate {
    ($type:ident, $dtype:literal) => {
        impl Coordinate for $type {
            const DTYPE: &'static str = $dtype;

            #[allow(clippy::cast_lossless, reason = "one rule for floats, where the lint applies, and whole numbers")]
            fn exactly(number: i128) -> Option<Self> {
                let nearest = number as Self;
                (nearest as i128 == number).then_some(nearest)
            }
        }
    };
}

coordinate!(f32, "float32");
coordinate!(f64, "float64");
coordinate!(i32, "int32");

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
            Rows::Boxes(_) => Err(PyValueError::new_err(format!("`{name}` has boxes; two columns are needed here"))),
        }
    }

    /// The shape, as numpy writes it.
    pub(crate) fn dimensions(&self) -> PyResult<String> {
        Ok(self.array.getattr("shape")?.to_string())
    }

    /// Whether it was a single row, without a dimension for rows.
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

/// Two arrays of the same type.
pub(crate) enum Two<'py> {
    F32((Array<'py, f32>, Array<'py, f32>)),
    F64((Array<'py, f64>, Array<'py, f64>)),
    I32((Array<'py, i32>, Array<'py, i32>)),
}

/// `each!(Enum, value, one => expression)`: evaluates the expression with `one` as the content, whatever the scalar.
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

/// Rows in their own type. Of other numbers, small whole ones become `int32`, half floats `float32`, and the rest
/// `float64`, all of them exactly. Lists become `float64`.
pub(crate) fn read<'py>(object: &Bound<'py, PyAny>, name: &str) -> PyResult<Input<'py>> {
    if let Some(list) = as_list(object)? {
        return from_list(&list, name).map(Input::F64);
    }
    let array = native(object, name)?;
    match dtype_of(&array)?.as_str() {
        "float32" | "float16" => converted(&array, name).map(Input::F32),
        "int32" | "int8" | "int16" | "uint8" | "uint16" => converted(&array, name).map(Input::I32),
        _ => converted(&array, name).map(Input::F64),
    }
}

/// Two sets of rows in their common type: if they differ, `float64`, which holds all of them exactly.
pub(crate) fn read_two<'py>(
    (a, name_of_a): (Arg<'_, 'py>, &str),
    (b, name_of_b): (Arg<'_, 'py>, &str),
) -> PyResult<Two<'py>> {
    Ok(match (read(a, name_of_a)?, read(b, name_of_b)?) {
        (Input::F32(a), Input::F32(b)) => Two::F32((a, b)),
        (Input::I32(a), Input::I32(b)) => Two::I32((a, b)),
        _ => Two::F64((read_as(a, name_of_a)?, read_as(b, name_of_b)?)),
    })
}

/// Rows in the type of an index. Python's own numbers, in lists, are rounded to it; arrays are converted if that is
/// exact.
pub(crate) fn read_as<'py, S: Coordinate>(object: &Bound<'py, PyAny>, name: &str) -> PyResult<Array<'py, S>> {
    match as_list(object)? {
        Some(list) => from_list(&list, name),
        None => converted(&native(object, name)?, name),
    }
}

/// Ids: whole numbers of any type that fits 64 bits. A single number becomes a list of one; also returns whether it was
/// one.
pub(crate) fn read_ids(object: &Bound<'_, PyAny>, name: &str) -> PyResult<(Vec<i64>, bool)> {
    let array = column(object, name)?;
    let (dtype, ndim) = (array.getattr("dtype")?, array.getattr("ndim")?.extract::<usize>()?);
    let is_empty = array.getattr("size")?.extract::<usize>()? == 0;
    let kind: String = dtype.getattr("kind")?.extract()?;
    if kind == "b" {
        return Err(PyTypeError::new_err(format!("`{name}` is a mask: np.flatnonzero makes ids of it")));
    }
    if ndim > 1 {
        return Err(PyValueError::new_err(format!("`{name}` has {ndim} dimensions; ids have one")));
    }
    if is_empty {
        return Ok((Vec::new(), false));
    }
    if kind != "i" && kind != "u" {
        return Err(PyTypeError::new_err(format!("`{name}` is {dtype}; whole numbers are needed")));
    }
    let largest = array.call_method0("max")?;
    if largest.gt(i64::MAX)? {
        return Err(PyIndexError::new_err(format!("`{name}` has {largest}, which is not an id")));
    }
    let array = array.call_method1("astype", ("int64",))?;
    let array = array.call_method1("reshape", (-1,))?.cast_into::<PyArray1<i64>>().map_err(PyErr::from)?;
    let array = array.readonly();
    Ok((collected(array.len(), array.as_array().iter().copied())?, ndim == 0))
}

/// The layers of each of this many boxes: those that it is on and those that it collides with. Each may be one number
/// for all boxes; `None` if neither is given.
pub(crate) fn read_layers(
    layers: Option<Arg<'_, '_>>,
    mask: Option<Arg<'_, '_>>,
    boxes: usize,
) -> PyResult<Option<Vec<Layers>>> {
    if layers.is_none() && mask.is_none() {
        return Ok(None);
    }
    let (own, mask) = (read_bits(layers, "layers", boxes)?, read_bits(mask, "mask", boxes)?);
    collected(boxes, own.zip(mask).map(|(own, mask)| Layers::new(own, mask))).map(Some)
}

/// The layers that a query finds; `None` for all boxes.
pub(crate) fn read_seen(layers: Option<&Bound<'_, PyAny>>) -> PyResult<Option<u32>> {
    layers.map(|_| Ok(read_bits(layers, "layers", 1)?.next().unwrap_or_default())).transpose()
}

/// 32 bits for each of this many boxes, or the same for all; all bits if none are given.
fn read_bits(object: Option<Arg<'_, '_>>, name: &str, boxes: usize) -> PyResult<impl Iterator<Item = u32> + use<>> {
    let (bits, is_one) =
        object.map_or_else(|| Ok((vec![i64::from(u32::MAX)], true)), |object| read_ids(object, name))?;
    if !is_one && bits.len() != boxes {
        let told = format!("`{name}` has {} entries for {boxes} boxes", bits.len());
        return Err(PyValueError::new_err(told));
    }
    if let Some((row, wrong)) = bits.iter().enumerate().find(|(_, bits)| u32::try_from(**bits).is_err()) {
        let told = format!("`{name}`, row {row}: layers are 32 bits, 0 to 4294967295, not {wrong}");
        return Err(PyValueError::new_err(told));
    }
    Ok(bits.into_iter().cycle().take(boxes).map(|bits| bits as u32))
}

/// One number per row, as `float64`.
pub(crate) fn read_worth(object: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<f64>> {
    let array = column(object, name)?;
    let kind: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
    let ndim: usize = array.getattr("ndim")?.extract()?;
    if !["f", "i", "u"].contains(&kind.as_str()) || ndim != 1 {
        let (dtype, shape) = (array.getattr("dtype")?, array.getattr("shape")?);
        return Err(PyTypeError::new_err(format!(
            "`{name}` is {dtype} of shape {shape}; one number per row is needed"
        )));
    }
    let array = array.call_method1("astype", ("float64",))?.cast_into::<PyArray1<f64>>().map_err(PyErr::from)?;
    let array = array.readonly();
    collected(array.len(), array.as_array().iter().copied())
}

/// A distance for all rows, or one for each.
pub(crate) fn read_distances(object: &Bound<'_, PyAny>) -> PyResult<Vec<f64>> {
    // What has a length is not one number, even if numpy would convert it.
    match object.extract::<f64>() {
        Ok(one) if object.len().is_err() => Ok(vec![one]),
        _ => read_worth(object, "r"),
    }
}

/// `workers` as in scipy: one, a number, or -1 for all cores; never more than the machine has.
pub(crate) fn read_threads(threads: i64) -> PyResult<Threads> {
    let asked = match threads {
        1 => return Ok(Threads::One),
        -1 => cores(),
        2.. => usize::try_from(threads).unwrap_or(usize::MAX).min(cores()),
        _ => return Err(PyValueError::new_err(format!("threads is at least 1, or -1 for all, not {threads}"))),
    };
    Ok(std::num::NonZeroUsize::new(asked).filter(|asked| asked.get() > 1).map_or(Threads::One, Threads::Some))
}

/// How many threads the machine runs at once. Counted once: the system may have to open files for it.
fn cores() -> usize {
    static CORES: OnceLock<usize> = OnceLock::new();
    *CORES.get_or_init(|| std::thread::available_parallelism().map_or(1, usize::from))
}

/// Pairs as an array of two rows.
pub(crate) fn pairs_array<'py>(py: Python<'py>, pairs: &[(u32, u32)]) -> PyResult<Bound<'py, PyArray2<i64>>> {
    let both = py.detach(|| {
        let mut both = room(2 * pairs.len())?;
        both.extend(pairs.iter().map(|&(a, _)| i64::from(a)));
        both.extend(pairs.iter().map(|&(_, b)| i64::from(b)));
        Ok(both)
    });
    both.map_err(exception)?.into_pyarray(py).reshape([2, pairs.len()])
}

/// Answers as an array of two rows: which query, which box.
pub(crate) fn answers_array<'py>(py: Python<'py>, answers: &Answers) -> PyResult<Bound<'py, PyArray2<i64>>> {
    let both = py.detach(|| {
        let mut both = room(2 * answers.ids.len())?;
        for (row, &count) in (0_i64..).zip(&answers.counts) {
            both.extend(std::iter::repeat_n(row, count as usize));
        }
        both.extend(answers.ids.iter().map(|&id| i64::from(id)));
        Ok(both)
    });
    both.map_err(exception)?.into_pyarray(py).reshape([2, answers.ids.len()])
}

/// Where the answers to each query begin, and where the last ones end.
pub(crate) fn starts_array<'py>(py: Python<'py>, answers: &Answers) -> PyResult<Bound<'py, PyArray1<i64>>> {
    let ends = answers.counts.iter().scan(0, |end, &count| {
        *end += i64::from(count);
        Some(*end)
    });
    Ok(collected(answers.counts.len() + 1, std::iter::once(0).chain(ends))?.into_pyarray(py))
}

/// Ids as an array.
pub(crate) fn ids_array<'py>(py: Python<'py>, ids: &[u32]) -> PyResult<Bound<'py, PyArray1<i64>>> {
    Ok(collected(ids.len(), ids.iter().map(|&id| i64::from(id)))?.into_pyarray(py))
}

/// Boxes as an array of four columns.
pub(crate) fn boxes_array<'py, S: Coordinate>(py: Python<'py>, boxes: &[Aabb<S>]) -> PyResult<Bound<'py, PyArray2<S>>> {
    let numbers: Vec<S> = collected(4 * boxes.len(), boxes.iter().flat_map(|&bounds| <[S; 4]>::from(bounds)))?;
    numbers.into_pyarray(py).reshape([boxes.len(), 4])
}

/// The exception for a mistake.
#[expect(clippy::needless_pass_by_value, reason = "for `map_err`")]
pub(crate) fn exception(error: Error) -> PyErr {
    match error.kind() {
        ErrorKind::Value => PyValueError::new_err(error.to_string()),
        ErrorKind::Id => PyIndexError::new_err(error.to_string()),
        ErrorKind::Memory => PyMemoryError::new_err(error.to_string()),
        ErrorKind::Stopped => PyKeyboardInterrupt::new_err(error.to_string()),
    }
}

/// An array of this length, if there is memory for it.
pub(crate) fn collected<T>(many: usize, all: impl Iterator<Item = T>) -> PyResult<Vec<T>> {
    let mut list = room(many).map_err(exception)?;
    list.extend(all);
    Ok(list)
}

/// An array without the rows that are NaN throughout, as the bounds of empty geometries are.
pub(crate) struct Present<'py> {
    pub(crate) array: Bound<'py, PyAny>,
    /// The number of each row among all; `None` if none was left out.
    rows: Option<Bound<'py, PyAny>>,
}

impl<'py> Present<'py> {
    /// All rows, or those that are there; `name` is what errors call them.
    pub(crate) fn of(object: &Bound<'py, PyAny>, name: &str, skip_nan: bool) -> PyResult<Self> {
        if !skip_nan {
            return Ok(Self { array: object.clone(), rows: None });
        }
        let array = table(object, name, true)?;
        let Some(is_nan) = nan_rows(&array)? else { return Ok(Self { array, rows: None }) };
        let rows = numpy(object.py())?.call_method1("flatnonzero", (is_nan.call_method0("__invert__")?,))?;
        Ok(Self { array: array.get_item(&rows)?, rows: Some(rows) })
    }

    /// Whether rows were left out.
    pub(crate) fn is_part(&self) -> bool {
        self.rows.is_some()
    }

    /// Numbers of rows that are there as numbers among all rows.
    pub(crate) fn among_all(&self, numbers: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        match &self.rows {
            Some(rows) => rows.call_method1("take", (numbers,)),
            None => Ok(numbers),
        }
    }
}

/// Which rows of an array are NaN throughout; `None` if there are no such rows.
pub(crate) fn nan_rows<'py>(array: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let numpy = numpy(array.py())?;
    if kind_of(array)? != "f" || array.getattr("ndim")?.extract::<usize>()? != 2 {
        return Ok(None);
    }
    let is_nan = numpy.call_method1("isnan", (array,))?.call_method1("all", (1,))?;
    Ok(is_nan.call_method0("any")?.is_truthy()?.then_some(is_nan))
}

pub(crate) fn numpy(py: Python<'_>) -> PyResult<Bound<'_, PyModule>> {
    py.import(intern!(py, "numpy"))
}

/// An array of rows; of tables, with the columns in the order of their names. Missing values of Arrow are errors, or
/// NaN.
pub(crate) fn table<'py>(object: &Bound<'py, PyAny>, name: &str, has_nan: bool) -> PyResult<Bound<'py, PyAny>> {
    let py = object.py();
    if is_plain(object) {
        return numpy(py)?.call_method1(intern!(py, "asarray"), (object,));
    }
    py.import(intern!(py, "pyquadrille._tables"))?.call_method1(intern!(py, "array_of"), (object, name, has_nan))
}

/// One column as an array.
pub(crate) fn column<'py>(object: &Bound<'py, PyAny>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    let py = object.py();
    if is_plain(object) {
        return numpy(py)?.call_method1(intern!(py, "asarray"), (object,));
    }
    py.import(intern!(py, "pyquadrille._tables"))?.call_method1(intern!(py, "column_of"), (object, name))
}

/// Whether it is one of numpy's arrays. One with a mask is not: what it hides is no value.
fn is_array(object: &Bound<'_, PyAny>) -> bool {
    object.is_instance_of::<PyUntypedArray>() && !object.hasattr(intern!(object.py(), "mask")).unwrap_or(false)
}

/// Whether only numpy can tell what it is.
fn is_plain(object: &Bound<'_, PyAny>) -> bool {
    is_array(object)
        || object.is_instance_of::<PyList>()
        || object.is_instance_of::<PyTuple>()
        || object.is_instance_of::<PyInt>()
}

/// The array made from a list or tuple; `None` for anything else.
fn as_list<'py>(object: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    if !object.is_instance_of::<PyList>() && !object.is_instance_of::<PyTuple>() {
        return Ok(None);
    }
    numpy(object.py())?.call_method1("asarray", (object,)).map(Some)
}

/// The numbers of a list. Python's own floats are rounded to the type, as numpy does; whole numbers must fit.
fn from_list<'py, S: Coordinate>(list: &Bound<'py, PyAny>, name: &str) -> PyResult<Array<'py, S>> {
    if kind_of(list)? != "f" {
        return converted(list, name);
    }
    let rounded = list.call_method1("astype", (S::DTYPE,))?;
    if S::DTYPE == "int32" {
        let differ = list.call_method1("__ne__", (&rounded,))?;
        if differ.call_method0("any")?.is_truthy()? {
            let first: usize = differ.call_method0("argmax")?.extract()?;
            let number = list.call_method0("ravel")?.get_item(first)?;
            return Err(PyValueError::new_err(format!(
                "`{name}`, row {}: int32 cannot hold {number}",
                row_of(list, first)?
            )));
        }
    }
    typed(&rounded, name)
}

/// The numbers of an array in another type, exactly.
fn converted<'py, S: Coordinate>(array: &Bound<'py, PyAny>, name: &str) -> PyResult<Array<'py, S>> {
    if array.cast::<PyArrayDyn<S>>().is_ok() {
        return typed(array, name);
    }
    let dtype = dtype_of(array)?;
    match (kind_of(array)?.as_str(), dtype.as_str()) {
        ("u", "uint64") => whole::<S, u64>(&array.call_method1("astype", ("uint64",))?, name),
        ("i" | "u", _) => whole::<S, i64>(&array.call_method1("astype", ("int64",))?, name),
        ("f", _) if numpy(array.py())?.call_method1("can_cast", (&dtype, S::DTYPE))?.extract()? => {
            typed(&array.call_method1("astype", (S::DTYPE,))?, name)
        }
        ("f", "float64" | "float32" | "float16") => Err(PyTypeError::new_err(format!(
            "`{name}` is {dtype}, and this keeps {}: convert it with .astype(np.{})",
            S::DTYPE,
            S::DTYPE
        ))),
        _ => Err(refused(array, name)),
    }
}

/// Whole numbers in another type.
fn whole<'py, S: Coordinate, W: Element + Copy + Into<i128>>(
    array: Arg<'_, 'py>,
    name: &str,
) -> PyResult<Array<'py, S>> {
    let wide = array.cast::<PyArrayDyn<W>>().map_err(PyErr::from)?.readonly();
    let mut numbers = room(wide.len()).map_err(exception)?;
    for (at, &number) in wide.as_array().iter().enumerate() {
        let number: i128 = number.into();
        let exact = S::exactly(number).ok_or_else(|| match row_of(array, at) {
            Ok(row) => PyValueError::new_err(format!("`{name}`, row {row}: {} cannot hold {number}", S::DTYPE)),
            Err(error) => error,
        });
        numbers.push(exact?);
    }
    let numbers = numbers.into_pyarray(array.py()).call_method1("reshape", (array.getattr("shape")?,))?;
    typed(&numbers, name)
}

/// The row of the number at a position, counted row by row.
fn row_of(array: &Bound<'_, PyAny>, at: usize) -> PyResult<usize> {
    let shape: Vec<usize> = array.getattr("shape")?.extract()?;
    Ok(if shape.len() > 1 { at / shape[1..].iter().product::<usize>().max(1) } else { 0 })
}

fn dtype_of(array: &Bound<'_, PyAny>) -> PyResult<String> {
    array.getattr(intern!(array.py(), "dtype"))?.str()?.extract()
}

fn kind_of(array: &Bound<'_, PyAny>) -> PyResult<String> {
    let py = array.py();
    array.getattr(intern!(py, "dtype"))?.getattr(intern!(py, "kind"))?.extract()
}

/// An array whose bytes are in this machine's order.
fn native<'py>(object: &Bound<'py, PyAny>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    let py = object.py();
    let array = if is_array(object) { object.clone() } else { table(object, name, false)? };
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
        // Always a copy: numpy would return a contiguous array as it is, even if it is not aligned.
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
    let message = format!("`{name}` is {dtype}; boxes are made of real numbers: convert it with .astype(np.float64)");
    PyTypeError::new_err(message)
}
