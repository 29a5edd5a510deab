//! Arrow's C data interface: arrays lent by another library or to one, without a copy.
//! <https://arrow.apache.org/docs/format/CDataInterface.html>
//!
//! All `unsafe` code of this package. What a producer says about its memory (that buffers are as long as its lengths
//! and offsets say) cannot be checked and is trusted. All else is checked: types, null pointers, alignment, offsets.
//! `columns.rs` gives columns to numpy, which reads them in place, and `_tables.py` makes arrays of them.
#![expect(unsafe_code, reason = "the border to other libraries' memory")]

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr::null_mut;
use std::slice::from_raw_parts;
use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};

#[repr(C)]
pub(crate) struct Schema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    child_count: i64,
    children: *mut *mut Schema,
    dictionary: *mut Schema,
    release: Option<unsafe extern "C" fn(*mut Schema)>,
    private: *mut c_void,
}

#[repr(C)]
pub(crate) struct Array {
    length: i64,
    null_count: i64,
    offset: i64,
    buffer_count: i64,
    child_count: i64,
    buffers: *mut *const c_void,
    children: *mut *mut Array,
    dictionary: *mut Array,
    release: Option<unsafe extern "C" fn(*mut Array)>,
    private: *mut c_void,
}

#[repr(C)]
struct Stream {
    schema: Option<unsafe extern "C" fn(*mut Stream, *mut Schema) -> c_int>,
    next: Option<unsafe extern "C" fn(*mut Stream, *mut Array) -> c_int>,
    last_error: Option<unsafe extern "C" fn(*mut Stream) -> *const c_char>,
    release: Option<unsafe extern "C" fn(*mut Stream)>,
    private: *mut c_void,
}

/// What a producer provides. Its owner calls `release` once.
trait Lent: Sized {
    const NAME: &'static CStr;
    fn release(&mut self) -> &mut Option<unsafe extern "C" fn(*mut Self)>;
}

macro_rules! lent {
    ($type:ty, $name:literal) => {
        impl Lent for $type {
            const NAME: &'static CStr = $name;
            fn release(&mut self) -> &mut Option<unsafe extern "C" fn(*mut Self)> {
                &mut self.release
            }
        }
        // SAFETY: what is lent may be read and released on any thread.
        unsafe impl Send for $type {}
        // SAFETY: as above; shared, it is only read.
        unsafe impl Sync for $type {}
    };
}

lent!(Schema, c"arrow_schema");
lent!(Array, c"arrow_array");
lent!(Stream, c"arrow_array_stream");

/// Something borrowed that is ours until it is dropped.
#[repr(transparent)]
struct Own<T: Lent>(T);

impl<T: Lent> Own<T> {
    /// An empty one, for a producer to fill.
    fn empty() -> Self {
        // SAFETY: all three consist of numbers, pointers and `Option`s of functions; zeros are valid for each.
        Self(unsafe { std::mem::zeroed() })
    }

    /// Moves it out of a capsule, which is then empty.
    fn take(capsule: &Bound<'_, PyAny>) -> PyResult<Self> {
        let pointer = capsule.cast::<PyCapsule>()?.pointer_checked(Some(T::NAME))?.cast::<T>();
        // SAFETY: a capsule of this name holds such a struct, and the thread with the interpreter may move it out by
        // marking it as released, which is done before another thread can look.
        let mut own = Self(unsafe { pointer.read() });
        if own.0.release().is_none() {
            return Err(PyValueError::new_err("an Arrow capsule was used before: export the array again"));
        }
        // SAFETY: as above.
        *unsafe { (*pointer.as_ptr()).release() } = None;
        Ok(own)
    }
}

impl<T: Lent> Drop for Own<T> {
    fn drop(&mut self) {
        if let Some(release) = *self.0.release() {
            // SAFETY: it has not been released, and is never used again.
            unsafe { release(&mut self.0) }
        }
    }
}

/// Lends each chunk of an object with `__arrow_c_stream__` or `__arrow_c_array__`, until one is refused.
pub(crate) fn visit_chunks(
    object: &Bound<'_, PyAny>,
    mut take: impl FnMut(&Chunk<'_>) -> PyResult<()>,
) -> PyResult<()> {
    take_chunks(object, |schema, array| if let Some(array) = array { take(&Chunk::of(schema, &array)) } else { Ok(()) })
}

/// Hands over each chunk with its schema and, behind those of a stream, the schema alone.
fn take_chunks(
    object: &Bound<'_, PyAny>,
    mut take: impl FnMut(&Arc<Own<Schema>>, Option<Own<Array>>) -> PyResult<()>,
) -> PyResult<()> {
    if object.hasattr("__arrow_c_array__")? {
        let capsules = object.call_method0("__arrow_c_array__")?;
        let capsules = capsules.cast::<PyTuple>()?;
        let (schema, array) = (Own::take(&capsules.get_item(0)?)?, Own::take(&capsules.get_item(1)?)?);
        return take(&Arc::new(schema), Some(array));
    }
    let mut stream = Own::<Stream>::take(&object.call_method0("__arrow_c_stream__")?)?;
    let mut schema = Own::<Schema>::empty();
    // SAFETY: the stream has not been released, and the schema is there to be filled.
    fill(&mut stream, |stream| stream.schema.map(|get| unsafe { get(stream, &mut schema.0) }))?;
    let schema = Arc::new(schema);
    loop {
        let mut array = Own::<Array>::empty();
        // SAFETY: as above.
        fill(&mut stream, |stream| stream.next.map(|get| unsafe { get(stream, &mut array.0) }))?;
        if array.0.release.is_none() {
            return take(&schema, None);
        }
        take(&schema, Some(array))?;
    }
}

/// A column of a chunk, or the whole chunk, with what it is in.
pub(crate) struct Held {
    chunk: Chunk<'static>,
    /// The struct that it is a column of.
    table: Option<Chunk<'static>>,
    _owners: Arc<(Arc<Own<Schema>>, Own<Array>)>,
}

impl Held {
    /// The columns of each chunk of a table, and `true`; or each chunk of a single column. Without rows, one chunk.
    pub(crate) fn all(object: &Bound<'_, PyAny>) -> PyResult<(bool, Vec<Vec<Self>>)> {
        let (mut is_table, mut chunks) = (false, Vec::new());
        take_chunks(object, |schema, array| {
            if array.is_none() && !chunks.is_empty() {
                return Ok(());
            }
            let owners = Arc::new((schema.clone(), array.unwrap_or_else(Own::empty)));
            // SAFETY: both live as long as `owners`, behind an `Arc`, so that they do not move; each `Held` has that.
            let whole = unsafe { std::mem::transmute::<Chunk<'_>, Chunk<'static>>(Chunk::of(&owners.0, &owners.1)) };
            is_table = whole.format() == "+s" && whole.extension().is_none();
            let held = |(chunk, table)| Self { chunk, table, _owners: owners.clone() };
            chunks.push(if is_table {
                let columns = whole.columns().map(|column| column.map(|column| held((column, Some(whole)))));
                columns.collect::<Result<_, _>>().map_err(PyValueError::new_err)?
            } else {
                vec![held((whole, None))]
            });
            Ok(())
        })?;
        Ok((is_table, chunks))
    }

    pub(crate) fn chunk(&self) -> &Chunk<'_> {
        &self.chunk
    }

    /// The values that the numbers of this column stand for.
    pub(crate) fn dictionary(&self) -> Option<Self> {
        let chunk = self.chunk;
        // SAFETY: they live as long as what they belong to.
        let (schema, array) = unsafe { (chunk.schema.dictionary.as_ref()?, chunk.array.dictionary.as_ref()?) };
        Some(Self { chunk: Chunk::whole(schema, array), table: None, _owners: self._owners.clone() })
    }

    /// Whether a row has a value.
    pub(crate) fn is_valid(&self, row: usize) -> bool {
        self.chunk.is_valid(row) && self.table.is_none_or(|table| table.is_valid(row))
    }

    /// Where the first number is; each has this many bytes.
    pub(crate) fn address(&self, size: usize) -> usize {
        let first = self.chunk.buffer(1) as usize;
        // Without numbers, there need not be a buffer.
        if first == 0 { size } else { first + self.chunk.first * size }
    }
}

/// Calls a function of a stream; the error is the stream's own message.
fn fill(stream: &mut Own<Stream>, call: impl FnOnce(&mut Stream) -> Option<c_int>) -> PyResult<()> {
    if call(&mut stream.0) == Some(0) {
        return Ok(());
    }
    // SAFETY: the stream has not been released; the text is valid until the next call.
    let text = unsafe { stream.0.last_error.and_then(|get| text(get(&mut stream.0))) };
    Err(PyValueError::new_err(format!("the Arrow stream failed: {}", text.unwrap_or("without a reason"))))
}

/// A zero-terminated text, if there is one.
///
/// # Safety
/// - `pointer` is null or points to such a text, which outlives the lifetime returned.
unsafe fn text<'a>(pointer: *const c_char) -> Option<&'a str> {
    // SAFETY: by the caller.
    (!pointer.is_null()).then(|| unsafe { CStr::from_ptr(pointer) }.to_str().ok()).flatten()
}

/// Numbers for which any bytes are valid.
pub(crate) trait Number: Copy {}
impl Number for u8 {}
impl Number for i32 {}
impl Number for i64 {}
impl Number for f64 {}
impl Number for [u8; 16] {}

/// An array, or a part of one, and its type.
#[derive(Clone, Copy)]
pub(crate) struct Chunk<'a> {
    schema: &'a Schema,
    array: &'a Array,
    /// The first row, and how many there are.
    first: usize,
    count: usize,
}

impl<'a> Chunk<'a> {
    fn of(schema: &'a Own<Schema>, array: &'a Own<Array>) -> Self {
        Self::whole(&schema.0, &array.0)
    }

    fn whole(schema: &'a Schema, array: &'a Array) -> Self {
        let [first, count] = [array.offset, array.length].map(|number| usize::try_from(number).unwrap_or(0));
        Self { schema, array, first, count }
    }

    /// How many rows there are.
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// The type, as the interface writes it: `+l`, `g`, `z`.
    pub(crate) fn format(&self) -> &'a str {
        // SAFETY: a schema that is not released has a format, which lives as long as the schema.
        unsafe { text(self.schema.format) }.unwrap_or_default()
    }

    pub(crate) fn name(&self) -> &'a str {
        // SAFETY: as above.
        unsafe { text(self.schema.name) }.unwrap_or_default()
    }

    /// The name of the extension type, such as `geoarrow.point`.
    pub(crate) fn extension(&self) -> Option<&'a str> {
        self.metadata(b"ARROW:extension:name")
    }

    /// The extension type's metadata for the column, as JSON.
    pub(crate) fn extension_metadata(&self) -> Option<&'a str> {
        self.metadata(b"ARROW:extension:metadata")
    }

    /// The text under a key of the column's metadata.
    fn metadata(&self, wanted: &[u8]) -> Option<&'a str> {
        let mut next = self.schema.metadata.cast::<u8>();
        if next.is_null() {
            return None;
        }
        let mut take = |count: usize| {
            // SAFETY: metadata begin with a number of pairs, and each text follows its length; they are read in that
            // order.
            let bytes = unsafe { from_raw_parts(next, count) };
            // SAFETY: as above.
            next = unsafe { next.add(count) };
            bytes
        };
        let number = |bytes: &[u8]| bytes.first_chunk().map_or(0, |bytes| i32::from_ne_bytes(*bytes).max(0) as usize);
        for _ in 0..number(take(4)) {
            let [key, value] = [(); 2].map(|()| {
                let length = number(take(4));
                take(length)
            });
            if key == wanted {
                return std::str::from_utf8(value).ok();
            }
        }
        None
    }

    /// Its children, each whole: [cut](Self::rows_of) the rows of a struct out of them.
    pub(crate) fn children(&self) -> impl Iterator<Item = Chunk<'a>> + use<'a> {
        let (schema, array) = (self.schema, self.array);
        let count = usize::try_from(schema.child_count.min(array.child_count)).unwrap_or(0);
        (0..count).map(move |number| {
            // SAFETY: there are this many children, which live as long as their parents.
            let (schema, array) = unsafe { (&**schema.children.add(number), &**array.children.add(number)) };
            Chunk::whole(schema, array)
        })
    }

    /// The columns of a struct.
    fn columns(&self) -> impl Iterator<Item = Result<Chunk<'a>, String>> + use<'a> {
        let (whole, is_empty) = (*self, self.count == 0);
        let empty = (0..if is_empty { self.schema.child_count } else { 0 }).map(move |number| {
            // SAFETY: there are this many, which live as long as their parent.
            let schema = unsafe { &**whole.schema.children.add(number as usize) };
            Ok(Chunk { schema, first: 0, ..whole })
        });
        let some = if is_empty { 0 } else { usize::MAX };
        empty.chain(self.children().take(some).map(move |child| whole.rows_of(child, 1)))
    }

    /// The part of a child that belongs to the rows of this struct, or of this list of `width` each.
    pub(crate) fn rows_of(&self, child: Chunk<'a>, width: usize) -> Result<Chunk<'a>, String> {
        let (first, count) = (self.first.saturating_mul(width), self.count.saturating_mul(width));
        if first.saturating_add(count) > child.count {
            return Err(format!("has an Arrow array of {} rows where {count} are expected", child.count));
        }
        Ok(Chunk { first: child.first + first, count, ..child })
    }

    /// Whether a row has a value.
    pub(crate) fn is_valid(&self, row: usize) -> bool {
        let bits = self.buffer(0).cast::<u8>();
        let at = self.first + row;
        // SAFETY: a bitmap has a bit for each row.
        self.array.null_count == 0 || bits.is_null() || unsafe { *bits.add(at / 8) } >> (at % 8) & 1 == 1
    }

    /// The numbers of the rows, and `more` after them.
    pub(crate) fn numbers<T: Number>(&self, buffer: usize, more: usize) -> Result<&'a [T], String> {
        Ok(&self.raw(buffer, self.first + self.count + more)?[self.first..])
    }

    /// The first numbers of a buffer, regardless of the rows.
    pub(crate) fn raw<T: Number>(&self, buffer: usize, count: usize) -> Result<&'a [T], String> {
        let first = self.buffer(buffer).cast::<T>();
        if first.is_null() || count == 0 {
            return if count == 0 { Ok(&[]) } else { Err("has an Arrow array without a buffer".into()) };
        }
        if !first.is_aligned() {
            return Err("has an Arrow buffer that begins between two numbers".into());
        }
        // SAFETY: by its producer's declaration, the buffer has this many numbers and lives as long as the array.
        Ok(unsafe { from_raw_parts(first, count) })
    }

    /// How many buffers there are.
    pub(crate) fn buffers(&self) -> usize {
        usize::try_from(self.array.buffer_count).unwrap_or(0)
    }

    fn buffer(&self, number: usize) -> *const c_void {
        if number >= self.buffers() || self.array.buffers.is_null() {
            return std::ptr::null();
        }
        // SAFETY: there are this many.
        unsafe { *self.array.buffers.add(number) }
    }
}

/// What is lent to another library, until it releases it.
struct Kept<T: Lent> {
    texts: [CString; 2],
    buffers: Vec<*const c_void>,
    children: Vec<*mut T>,
    /// What the buffers are in.
    _owners: Vec<Py<PyAny>>,
}

impl<T: Lent> Kept<T> {
    fn new(texts: [CString; 2], buffers: Vec<*const c_void>, children: Vec<T>, owners: Vec<Py<PyAny>>) -> *mut Self {
        let children = children.into_iter().map(|child| Box::into_raw(Box::new(child))).collect();
        Box::into_raw(Box::new(Self { texts, buffers, children, _owners: owners }))
    }

    /// Releases it, and what has not been taken out of it.
    ///
    /// # Safety
    /// - `lent` was made with what `private` returns, from [`Kept::new`], and has not been released.
    unsafe fn release(lent: *mut T, private: *mut c_void) {
        // SAFETY: by the caller.
        unsafe {
            *(*lent).release() = None;
            let kept = Box::from_raw(private.cast::<Self>());
            kept.children.iter().for_each(|child| drop(Own(*Box::from_raw(*child))));
        }
    }
}

unsafe extern "C" fn release_schema(schema: *mut Schema) {
    // SAFETY: it was made by `lent_schema`, and is released once.
    unsafe { Kept::release(schema, (*schema).private) }
}

unsafe extern "C" fn release_array(array: *mut Array) {
    // SAFETY: it was made by `lent_array`, and is released once.
    unsafe { Kept::release(array, (*array).private) }
}

fn lent_schema(format: &CStr, name: &CStr, children: Vec<Schema>) -> Schema {
    let kept = Kept::new([format.into(), name.into()], Vec::new(), children, Vec::new());
    // SAFETY: `kept` has just been made, and stays where it is until it is released.
    let kept_here = unsafe { &mut *kept };
    Schema {
        format: kept_here.texts[0].as_ptr(),
        name: kept_here.texts[1].as_ptr(),
        metadata: std::ptr::null(),
        flags: 0,
        child_count: kept_here.children.len() as i64,
        children: kept_here.children.as_mut_ptr(),
        dictionary: null_mut(),
        release: Some(release_schema),
        private: kept.cast(),
    }
}

/// An array without nulls, which the first buffer would mark.
fn lent_array(length: usize, buffers: Vec<*const c_void>, children: Vec<Array>, owners: Vec<Py<PyAny>>) -> Array {
    let kept = Kept::new(Default::default(), buffers, children, owners);
    // SAFETY: as above.
    let kept_here = unsafe { &mut *kept };
    Array {
        length: length as i64,
        null_count: 0,
        offset: 0,
        buffer_count: kept_here.buffers.len() as i64,
        child_count: kept_here.children.len() as i64,
        buffers: kept_here.buffers.as_mut_ptr(),
        children: kept_here.children.as_mut_ptr(),
        dictionary: null_mut(),
        release: Some(release_array),
        private: kept.cast(),
    }
}

/// A column to lend: its name, its format, and where its buffers are and in which arrays.
pub(crate) type Lending = (CString, CString, Vec<(usize, Py<PyAny>)>);

/// The capsules of a table of some columns of this many rows.
pub(crate) fn lend<'py>(py: Python<'py>, columns: &[Lending], rows: usize) -> PyResult<Bound<'py, PyTuple>> {
    let schemas = columns.iter().map(|(name, format, _)| lent_schema(format, name, Vec::new())).collect();
    let arrays = columns.iter().map(|(_, _, arrays)| {
        let addresses = arrays.iter().map(|(address, _)| *address as *const c_void);
        let buffers = std::iter::once(std::ptr::null()).chain(addresses).collect();
        lent_array(rows, buffers, Vec::new(), arrays.iter().map(|(_, array)| array.clone_ref(py)).collect())
    });
    let arrays = arrays.collect();
    let schema = Own(lent_schema(c"+s", c"", schemas));
    let array = Own(lent_array(rows, vec![std::ptr::null()], arrays, Vec::new()));
    let schema = PyCapsule::new_with_value(py, schema, Schema::NAME)?;
    PyTuple::new(py, [schema, PyCapsule::new_with_value(py, array, Array::NAME)?])
}
