//! Arrow's C data interface: arrays lent by another library or to one, without a copy.
//! <https://arrow.apache.org/docs/format/CDataInterface.html>
//!
//! All `unsafe` code of this package. What a producer says about its memory (that buffers are as long as its lengths
//! and offsets say) cannot be checked and is trusted. The rest is read as arrow-rs reads it, and checked by its types.
//! `columns.rs` gives columns to numpy, which reads them in place, and `_tables.py` makes arrays of them.
#![expect(unsafe_code, reason = "the border to other libraries' memory")]

use std::ffi::{CStr, c_char, c_int, c_void};
use std::panic::AssertUnwindSafe;
use std::ptr::NonNull;
use std::sync::Arc;

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi};
use arrow_buffer::{ArrowNativeType, Buffer, ScalarBuffer};
use arrow_data::ArrayData;
use arrow_schema::{ArrowError, DataType, Field, FieldRef};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};

/// Chunks that come one after the other: arrow-rs has a stream of tables, and columns come in streams too.
#[repr(C)]
struct Stream {
    schema: Option<unsafe extern "C" fn(*mut Stream, *mut FFI_ArrowSchema) -> c_int>,
    next: Option<unsafe extern "C" fn(*mut Stream, *mut FFI_ArrowArray) -> c_int>,
    last_error: Option<unsafe extern "C" fn(*mut Stream) -> *const c_char>,
    release: Option<unsafe extern "C" fn(*mut Stream)>,
    private: *mut c_void,
}

impl Stream {
    const EMPTY: Self =
        Self { schema: None, next: None, last_error: None, release: None, private: std::ptr::null_mut() };

    /// Calls a function of the stream; the error is the stream's own message.
    fn fill(&mut self, call: impl FnOnce(&mut Self) -> Option<c_int>) -> PyResult<()> {
        if call(self) == Some(0) {
            return Ok(());
        }
        // SAFETY: the stream has not been released.
        let text = self.last_error.map(|get| unsafe { get(self) }).filter(|text| !text.is_null());
        // SAFETY: it is valid until the next call.
        let text = text.map_or("without a reason".into(), |text| unsafe { CStr::from_ptr(text) }.to_string_lossy());
        Err(PyValueError::new_err(format!("the Arrow stream failed: {text}")))
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: it has not been released, and is never used again.
            unsafe { release(self) }
        }
    }
}

/// Moves what a capsule holds out of it. The capsule then has the empty one.
fn take<T>(capsule: &Bound<'_, PyAny>, name: &CStr, empty: T, is_empty: fn(&T) -> bool) -> PyResult<T> {
    let pointer = capsule.cast::<PyCapsule>()?.pointer_checked(Some(name))?.cast::<T>();
    // SAFETY: a capsule of this name holds such a struct, and the thread with the interpreter may move it out by leaving
    // a released one, which is done before another thread can look.
    let taken = unsafe { pointer.replace(empty) };
    if is_empty(&taken) {
        return Err(PyValueError::new_err("an Arrow capsule was used before: export the array again"));
    }
    Ok(taken)
}

fn take_schema(capsule: &Bound<'_, PyAny>) -> PyResult<FieldRef> {
    let schema = take(capsule, c"arrow_schema", FFI_ArrowSchema::empty(), |schema| schema.release.is_none())?;
    Field::try_from(&schema).map(Arc::new).map_err(refused)
}

/// The memory of an array, which is given back when nothing reads it any more.
fn read(array: FFI_ArrowArray, field: &Field) -> PyResult<ArrayData> {
    // Without rows, there need not be buffers.
    if array.is_empty() {
        return Ok(ArrayData::new_empty(field.data_type()));
    }
    // SAFETY: what is said about it at the top.
    unsafe { from_ffi(array, &FFI_ArrowSchema::try_from(field.data_type()).map_err(refused)?) }.map_err(refused)
}

#[expect(clippy::needless_pass_by_value, reason = "for `map_err`")]
fn refused(error: ArrowError) -> PyErr {
    PyValueError::new_err(format!("the Arrow array cannot be read: {error}"))
}

/// An array, or a part of one, and its type.
#[derive(Clone)]
pub(crate) struct Chunk {
    field: FieldRef,
    data: ArrayData,
    /// The struct that it is a column of.
    table: Option<ArrayData>,
}

impl Chunk {
    /// Each chunk of an object with `__arrow_c_stream__` or `__arrow_c_array__`; without rows, one chunk.
    pub(crate) fn all(object: &Bound<'_, PyAny>) -> PyResult<Vec<Self>> {
        if object.hasattr("__arrow_c_array__")? {
            let capsules = object.call_method0("__arrow_c_array__")?;
            let capsules = capsules.cast::<PyTuple>()?;
            let field = take_schema(&capsules.get_item(0)?)?;
            let capsule = capsules.get_item(1)?;
            let array = take(&capsule, c"arrow_array", FFI_ArrowArray::empty(), FFI_ArrowArray::is_released)?;
            return Ok(vec![Self { data: read(array, &field)?, field, table: None }]);
        }
        let capsule = object.call_method0("__arrow_c_stream__")?;
        let mut stream = take(&capsule, c"arrow_array_stream", Stream::EMPTY, |stream| stream.release.is_none())?;
        let mut schema = FFI_ArrowSchema::empty();
        // SAFETY: the stream has not been released, and the schema is there to be filled.
        stream.fill(|stream| stream.schema.map(|get| unsafe { get(stream, &raw mut schema) }))?;
        let field: FieldRef = Arc::new(Field::try_from(&schema).map_err(refused)?);
        let mut chunks = Vec::new();
        loop {
            let mut array = FFI_ArrowArray::empty();
            // SAFETY: as above.
            stream.fill(|stream| stream.next.map(|get| unsafe { get(stream, &raw mut array) }))?;
            let is_last = array.is_released();
            if !is_last || chunks.is_empty() {
                chunks.push(Self { data: read(array, &field)?, field: field.clone(), table: None });
            }
            if is_last {
                return Ok(chunks);
            }
        }
    }

    /// How many rows there are.
    pub(crate) fn len(&self) -> usize {
        self.data.len()
    }

    pub(crate) fn kind(&self) -> &DataType {
        self.data.data_type()
    }

    /// The type, as the interface writes it: `+l`, `g`, `z`.
    pub(crate) fn format(&self) -> String {
        FFI_ArrowSchema::try_from(self.kind()).map_or_else(|_| String::new(), |schema| schema.format().into())
    }

    pub(crate) fn name(&self) -> &str {
        self.field.name()
    }

    /// The name of the extension type, such as `geoarrow.point`.
    pub(crate) fn extension(&self) -> Option<&str> {
        self.field.extension_type_name()
    }

    /// The extension type's metadata for the column, as JSON.
    pub(crate) fn extension_metadata(&self) -> Option<&str> {
        self.field.extension_type_metadata()
    }

    /// Whether it is a table: a struct that no extension gives a meaning.
    pub(crate) fn is_table(&self) -> bool {
        matches!(self.kind(), DataType::Struct(_)) && self.extension().is_none()
    }

    /// The columns of a struct.
    pub(crate) fn columns(&self) -> Result<Vec<Self>, String> {
        let DataType::Struct(fields) = self.kind() else { return Ok(Vec::new()) };
        let column = |(field, child): (&FieldRef, &ArrayData)| {
            let table = Some(self.data.clone());
            Ok(Self { field: field.clone(), data: self.rows_of(child, 1)?, table })
        };
        fields.iter().zip(self.data.child_data()).map(column).collect()
    }

    /// What the lists of a column are of: all of it, or for lists of this many each, that of these rows.
    pub(crate) fn items(&self) -> Result<Option<(Self, Option<usize>)>, String> {
        let (field, width) = match self.kind() {
            DataType::List(field) | DataType::LargeList(field) => (field, None),
            DataType::FixedSizeList(field, width) => (field, Some(usize::try_from(*width).unwrap_or(0))),
            _ => return Ok(None),
        };
        let child = &self.data.child_data()[0];
        let data = width.map_or_else(|| Ok(child.clone()), |width| self.rows_of(child, width))?;
        Ok(Some((Self { field: field.clone(), data, table: None }, width)))
    }

    /// The part of a child that belongs to the rows of this struct, or of this list of `width` each.
    fn rows_of(&self, child: &ArrayData, width: usize) -> Result<ArrayData, String> {
        let (first, count) = (self.data.offset().saturating_mul(width), self.len().saturating_mul(width));
        // In arrow-rs, those of a part of a struct have been cut out already.
        if child.len() == count {
            return Ok(child.clone());
        }
        if first.saturating_add(count) > child.len() {
            return Err(format!("has an Arrow array of {} rows where {count} are expected", child.len()));
        }
        Ok(child.slice(first, count))
    }

    /// The values that the numbers of this column stand for.
    pub(crate) fn dictionary(&self) -> Option<Self> {
        let DataType::Dictionary(_, values) = self.kind() else { return None };
        let field = Field::new("", (**values).clone(), true);
        Some(Self { field: field.into(), data: self.data.child_data()[0].clone(), table: None })
    }

    /// Whether a row has a value.
    pub(crate) fn is_valid(&self, row: usize) -> bool {
        self.data.is_valid(row) && self.table.as_ref().is_none_or(|table| table.is_valid(row))
    }

    /// Where the first number is; each has this many bytes.
    pub(crate) fn address(&self, size: usize) -> usize {
        self.data.buffers().first().map_or(size, |numbers| numbers.as_ptr().addr() + self.data.offset() * size)
    }

    /// The numbers of the rows in the first buffer, and `more` after them.
    pub(crate) fn numbers<T: ArrowNativeType>(&self, more: usize) -> ScalarBuffer<T> {
        ScalarBuffer::new(self.data.buffers()[0].clone(), self.data.offset(), self.len() + more)
    }

    /// What the numbers of the first buffer point to.
    pub(crate) fn bytes(&self) -> &[Buffer] {
        self.data.buffers().get(1..).unwrap_or_default()
    }
}

/// A column to lend: its type, and its memory, which stays as long as it is lent.
pub(crate) type Lending = (FieldRef, ArrayData);

/// A column of a format, as the interface writes it, in buffers whose addresses and lengths in bytes are true.
pub(crate) fn lending(
    (name, format): (&str, &str),
    rows: usize,
    buffers: Vec<(usize, usize, Py<PyAny>)>,
) -> PyResult<Lending> {
    let schema = FFI_ArrowSchema::try_new(format, Vec::new(), None).map_err(refused)?;
    let field = Field::new(name, DataType::try_from(&schema).map_err(refused)?, false);
    let buffer = |(address, bytes, owner): (usize, usize, Py<PyAny>)| {
        let first = NonNull::new(address as *mut u8).filter(|_| bytes > 0);
        // SAFETY: the owner, an array of numpy's, has this many bytes there, and lives as long as the buffer.
        let lent = |first| unsafe { Buffer::from_custom_allocation(first, bytes, Arc::new(AssertUnwindSafe(owner))) };
        first.map_or_else(Buffer::default, lent)
    };
    let data = ArrayData::builder(field.data_type().clone()).len(rows);
    let data = data.buffers(buffers.into_iter().map(buffer).collect()).build().map_err(refused)?;
    Ok((field.into(), data))
}

/// The capsules of a table of some columns of this many rows.
pub(crate) fn lend<'py>(py: Python<'py>, columns: &[Lending], rows: usize) -> PyResult<Bound<'py, PyTuple>> {
    let (fields, children): (Vec<_>, _) = columns.iter().cloned().unzip();
    let table = ArrayData::builder(DataType::Struct(fields.into())).len(rows).child_data(children);
    let table = table.build().map_err(refused)?;
    let schema = FFI_ArrowSchema::try_from(table.data_type()).map_err(refused)?;
    let schema = PyCapsule::new_with_value(py, schema, c"arrow_schema")?;
    PyTuple::new(py, [schema, PyCapsule::new_with_value(py, FFI_ArrowArray::new(&table), c"arrow_array")?])
}
