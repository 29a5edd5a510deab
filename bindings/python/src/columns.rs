//! Columns of Arrow tables, which numpy reads in place, and tables of numpy's arrays for other libraries.

use arrow_schema::{DataType, TimeUnit};
use numpy::{IntoPyArray, PyArray1};
use pyo3::exceptions::{PyAttributeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict, PyTuple};

use crate::arrow::{Chunk, Lending, lend, lending};
use crate::geoarrow::Bytes;

/// A column of a chunk of a table, or of an array.
#[pyclass(frozen, module = "pyquadrille._core")]
pub(crate) struct ArrowColumn(Chunk);

#[pymethods]
impl ArrowColumn {
    fn __len__(&self) -> usize {
        self.0.len()
    }

    #[getter]
    fn name(&self) -> &str {
        self.0.name()
    }

    /// The type, as the interface writes it.
    #[getter]
    fn format(&self) -> String {
        self.0.format()
    }

    /// The values that the numbers stand for, if they do.
    #[getter]
    fn dictionary(&self) -> Option<Self> {
        self.0.dictionary().map(Self)
    }

    /// For numpy, if it is a column of numbers.
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let told = || PyAttributeError::new_err(format!("numpy has no type for Arrow's {}", self.0.format()));
        let (kind, size) = kind_of(self.0.kind()).ok_or_else(told)?;
        let order = if cfg!(target_endian = "little") { '<' } else { '>' };
        let both = [
            ("data", (self.0.address(size), true).into_pyobject(py)?.into_any()),
            ("shape", (self.0.len(),).into_pyobject(py)?.into_any()),
            ("typestr", format!("{order}{kind}").into_pyobject(py)?.into_any()),
            ("version", 3_i32.into_pyobject(py)?.into_any()),
        ];
        both.into_py_dict(py)
    }

    /// The rows without a value.
    fn missing<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        let rows = (0..self.0.len()).filter(|row| !self.0.is_valid(*row)).map(|row| row as i64);
        rows.collect::<Vec<_>>().into_pyarray(py)
    }

    /// The texts of a column of texts, `None` for what is missing.
    fn texts(&self) -> PyResult<Vec<Option<String>>> {
        let bytes = Bytes::of(&self.0).map_err(PyValueError::new_err)?;
        let text = |row: usize| std::str::from_utf8(bytes.of_row(row).ok()?).ok().map(str::to_owned);
        Ok((0..self.0.len()).map(|row| if self.0.is_valid(row) { text(row) } else { None }).collect())
    }
}

/// numpy's type and its size, in bytes.
fn kind_of(kind: &DataType) -> Option<(String, usize)> {
    // Of a dictionary, the numbers of its values.
    let kind = if let DataType::Dictionary(keys, _) = kind { keys } else { kind };
    let size = kind.primitive_width()?;
    let name = match kind {
        DataType::Date64 | DataType::Timestamp(TimeUnit::Millisecond, _) => "M8[ms]".into(),
        DataType::Timestamp(TimeUnit::Second, _) => "M8[s]".into(),
        DataType::Timestamp(TimeUnit::Microsecond, _) => "M8[us]".into(),
        DataType::Timestamp(TimeUnit::Nanosecond, _) => "M8[ns]".into(),
        kind if kind.is_signed_integer() || *kind == DataType::Date32 => format!("i{size}"),
        kind if kind.is_unsigned_integer() => format!("u{size}"),
        kind if kind.is_floating() => format!("f{size}"),
        _ => return None,
    };
    Some((name, size))
}

/// Whether an object with Arrow's interface is a table, and the columns of each of its chunks.
#[pyfunction]
pub(crate) fn arrow_columns(object: &Bound<'_, PyAny>) -> PyResult<(bool, Vec<Vec<ArrowColumn>>)> {
    let chunks = Chunk::all(object)?;
    let is_table = chunks.iter().any(Chunk::is_table);
    let parts = |chunk: Chunk| if is_table { chunk.columns() } else { Ok(vec![chunk]) };
    let columns = |chunk| Ok(parts(chunk)?.into_iter().map(ArrowColumn).collect());
    let columns = chunks.into_iter().map(columns).collect::<Result<_, String>>();
    Ok((is_table, columns.map_err(PyValueError::new_err)?))
}

/// Columns for other libraries, which read them in place.
#[pyclass(frozen, module = "pyquadrille._core")]
pub(crate) struct ArrowTable {
    columns: Vec<Lending>,
    rows: usize,
}

#[pymethods]
impl ArrowTable {
    /// Of names, formats and contiguous buffers, for which `_tables.py` vouches.
    #[new]
    fn new(columns: Vec<(String, String, Vec<Bound<'_, PyAny>>)>, rows: usize) -> PyResult<Self> {
        let address =
            |array: &Bound<'_, PyAny>| array.getattr("__array_interface__")?.get_item("data")?.get_item(0)?.extract();
        let placed =
            |array: Bound<'_, PyAny>| Ok((address(&array)?, array.getattr("nbytes")?.extract()?, array.unbind()));
        let lent = |(name, format, buffers): (String, String, Vec<_>)| {
            lending((&name, &format), rows, buffers.into_iter().map(placed).collect::<PyResult<_>>()?)
        };
        Ok(Self { columns: columns.into_iter().map(lent).collect::<PyResult<_>>()?, rows })
    }

    fn __len__(&self) -> usize {
        self.rows
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        // Consumers cast by themselves.
        let _ = requested_schema;
        lend(py, &self.columns, self.rows)
    }
}
