//! The caller's memory: how it is read, and how answers are written into it.

use std::borrow::Cow;
use std::ffi::{CStr, c_char, c_void};
use std::ops::ControlFlow;
use std::ptr::{copy_nonoverlapping, null_mut};
use std::slice::from_raw_parts;

use quadrille_bindings as core;

use super::types::{Bytes, Cells, Encounter, Encounters, Ids, Pairs, Rows, Visit};
use crate::boxes::Coordinate;
use crate::status::{Fault, Status};

/// A pointer that is not null.
pub(super) fn given<T>(pointer: *const T, name: &str) -> Result<*const T, Fault> {
    if pointer.is_null() {
        return Err(Fault::new(Status::Null, format!("`{name}` is null")));
    }
    if !pointer.is_aligned() {
        return Err(Fault::value(format!("`{name}` is not aligned for its type")));
    }
    Ok(pointer)
}

/// A list from the caller; if it is empty, its pointer is ignored.
///
/// # Safety
/// Unless null, `first` points to `count` values that nothing writes to during the call.
pub(super) unsafe fn list<'a, T>(first: *const T, count: usize, name: &str) -> Result<&'a [T], Fault> {
    if count == 0 {
        return Ok(&[]);
    }
    check_length(count, size_of::<T>(), name)?;
    // SAFETY: not null, aligned, not longer than memory can be; the caller guarantees the rest.
    Ok(unsafe { from_raw_parts(given(first, name)?, count) })
}

fn check_length(count: usize, bytes: usize, name: &str) -> Result<(), Fault> {
    match count.checked_mul(bytes) {
        Some(bytes) if isize::try_from(bytes).is_ok() => Ok(()),
        _ => Err(Fault::value(format!("`{name}` cannot have a length of {count}"))),
    }
}

/// The numbers of 32 bits of which cells or links from the caller consist.
///
/// # Safety
/// As [`list`]; a `T` consists of such numbers.
pub(super) unsafe fn numbers<'a, T>(first: *const T, count: usize, name: &str) -> Result<&'a [u32], Fault> {
    // SAFETY: passed on.
    let all = unsafe { list(first, count, name) }?;
    // SAFETY: the same memory.
    Ok(unsafe { from_raw_parts(all.as_ptr().cast(), size_of_val(all) / size_of::<u32>()) })
}

/// Text from the caller.
///
/// # Safety
/// Unless null, it ends with a zero and nothing writes to it during the call.
pub(super) unsafe fn text<'a>(text: *const c_char, name: &str) -> Result<&'a str, Fault> {
    // SAFETY: not null; the caller guarantees the rest.
    let text = unsafe { CStr::from_ptr(given(text, name)?) };
    text.to_str().map_err(|_| Fault::value(format!("`{name}` is not UTF-8")))
}

/// The caller's memory for one answer.
///
/// # Safety
/// Unless null, `out` points to a value of that type that nothing else reads during the call.
pub(super) unsafe fn out<'a, T>(out: *mut T, name: &str) -> Result<&'a mut T, Fault> {
    given(out, name)?;
    // SAFETY: not null, aligned; the caller guarantees the rest.
    Ok(unsafe { &mut *out })
}

/// The caller's memory for a list of answers of unknown length. It is checked before the work begins, so a rejected
/// call has changed nothing: only what has been checked can be written to.
#[derive(Clone, Copy)]
pub(super) struct Target<T> {
    data: *mut T,
    room: usize,
    count: *mut usize,
}

impl<T: Copy> Target<T> {
    /// # Safety
    /// Unless null, `data` points to memory for `room` values, and `count` to a number.
    pub(super) unsafe fn new(data: *mut T, room: usize, count: *mut usize, name: &str) -> Result<Self, Fault> {
        given(count.cast_const(), "count")?;
        if room > 0 {
            given(data.cast_const(), name)?;
        }
        Ok(Self { data, room, count })
    }

    /// Writes all of `found` if it fits, and its length in any case.
    pub(super) fn write(self, found: &[T]) -> Result<(), Fault> {
        // SAFETY: not null, aligned; the rest was passed on.
        unsafe { self.count.write(found.len()) };
        if found.len() > self.room {
            let told = format!("there are {} answers and room for {}", found.len(), self.room);
            return Err(Fault::new(Status::Room, told));
        }
        if !found.is_empty() {
            // SAFETY: there is room, so not null and aligned; `found` is the library's own memory.
            unsafe { copy_nonoverlapping(found.as_ptr(), self.data, found.len()) };
        }
        Ok(())
    }
}

/// Room for answers in the caller's memory.
pub(super) trait Room {
    /// What the library calls an answer.
    type Item: Copy;

    /// The first, how many fit, and where to write how many there are.
    fn parts(&mut self) -> (*mut Self::Item, usize, *mut usize);
}

macro_rules! rooms {
    ($($room:ident: $item:ty;)*) => {
        $(impl Room for $room {
            type Item = $item;

            fn parts(&mut self) -> (*mut $item, usize, *mut usize) {
                (self.data.cast(), self.room, &raw mut self.count)
            }
        })*
    };
}

// A `Pair` is two contiguous numbers, and a `Cell` has the same as the library's.
rooms! {
    Ids: u32;
    Pairs: [u32; 2];
    Bytes: u8;
    Cells: quadrille_paths::Cell;
    Encounters: Encounter;
}

/// The room that a caller gives.
///
/// # Safety
/// As [`Target::new`] and [`out`].
pub(super) unsafe fn room<R: Room>(room: *mut R, name: &str) -> Result<Target<R::Item>, Fault> {
    // SAFETY: passed on.
    unsafe {
        let (data, room, count) = out(room, name)?.parts();
        Target::new(data, room, count, &format!("{name}->data"))
    }
}

/// The same, if not null; null means that the kept answers are enough.
///
/// # Safety
/// As [`room`].
pub(super) unsafe fn wanted<R: Room>(room: *mut R, name: &str) -> Result<Wanted<R::Item>, Fault> {
    // SAFETY: passed on.
    if room.is_null() { Ok(Wanted(None)) } else { unsafe { self::room(room, name) }.map(Some).map(Wanted) }
}

/// A list of answers that the caller need not take.
#[derive(Clone, Copy)]
pub(super) struct Wanted<T>(Option<Target<T>>);

impl<T: Copy> Wanted<T> {
    /// As [`Target::write`].
    pub(super) fn write(self, found: &[T]) -> Result<(), Fault> {
        self.0.map_or(Ok(()), |target| target.write(found))
    }

    /// A column of the same length, which needs the list.
    ///
    /// # Safety
    /// Unless null, `data` points to memory for as many values as fit into the list.
    pub(super) unsafe fn beside<U>(self, list: &str, data: *mut U, name: &str) -> Result<Column<U>, Fault> {
        if !data.is_null() && self.0.is_none() {
            return Err(Fault::new(Status::Null, format!("`{name}` is as long as `{list}`, which is null")));
        }
        // SAFETY: passed on.
        unsafe { column(data, name) }
    }
}

/// The caller's memory for a known number of values, checked before the work begins; null if it does not need them.
#[derive(Clone, Copy)]
pub(super) struct Column<T>(*mut T);

/// A column that may be null.
///
/// # Safety
/// Unless null, `data` points to memory for as many values as the call writes.
pub(super) unsafe fn column<T>(data: *mut T, name: &str) -> Result<Column<T>, Fault> {
    if !data.is_null() {
        given(data.cast_const(), name)?;
    }
    Ok(Column(data))
}

/// A column that may be null only if it has no rows.
///
/// # Safety
/// As [`column`].
pub(super) unsafe fn full_column<T>(data: *mut T, has_rows: bool, name: &str) -> Result<Column<T>, Fault> {
    if !has_rows {
        return Ok(Column(null_mut()));
    }
    Ok(Column(given(data.cast_const(), name)?.cast_mut()))
}

impl<T: Copy> Column<T> {
    /// Writes all of `found`.
    pub(super) fn write(self, found: &[T]) {
        if !self.0.is_null() {
            // SAFETY: not null, aligned; the caller guarantees the length.
            unsafe { copy_nonoverlapping(found.as_ptr(), self.0, found.len()) };
        }
    }
}

/// Passes answers to a function of the caller.
///
/// # Safety
/// The function may be called with that context.
pub(super) unsafe fn teller(
    visit: Visit,
    context: *mut c_void,
) -> Result<impl FnMut(u32, u32) -> ControlFlow<()>, Fault> {
    let visit = visit.ok_or_else(|| Fault::new(Status::Null, "`visit` is null"))?;
    // SAFETY: the caller guarantees it.
    Ok(
        move |a, b| {
            if unsafe { visit(context, a, b) } == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        },
    )
}

impl Rows {
    fn check_scalar<S: Coordinate>(&self, name: &str) -> Result<(), Fault> {
        if self.scalar == S::NUMBER {
            return Ok(());
        }
        let told = format!("`{name}` has numbers of type {}, these boxes have {}", self.scalar, S::NUMBER);
        Err(Fault::new(Status::Scalar, told))
    }

    /// All numbers, row after row: in place, if the rows are contiguous.
    ///
    /// # Safety
    /// `first` points to as many rows at such distances, and nothing writes to them during the call.
    pub(super) unsafe fn numbers<'a, S: Coordinate>(self, name: &str) -> Result<Cow<'a, [S]>, Fault> {
        if self.numbers != 2 && self.numbers != 4 {
            return Err(Fault::value(format!("`{name}` has rows of {} numbers, not 2 or 4", self.numbers)));
        }
        self.check_scalar::<S>(name)?;
        let (width, first) = (self.numbers as usize, self.first.cast::<S>());
        let bytes = width * size_of::<S>();
        let stride = if self.stride == 0 { bytes } else { self.stride };
        if stride < bytes || stride % align_of::<S>() != 0 {
            let told =
                format!("`{name}` has a row of {bytes} bytes every {stride} bytes, which is too few or not aligned");
            return Err(Fault::value(told));
        }
        if self.count == 0 {
            return Ok(Cow::Borrowed(&[]));
        }
        check_length(self.count, stride, name)?;
        given(first, name)?;
        if stride == bytes {
            // SAFETY: passed on.
            return unsafe { list(first, self.count * width, name) }.map(Cow::Borrowed);
        }
        let mut all = core::room(self.count * width)?;
        for row in 0..self.count {
            // SAFETY: the caller guarantees that there is a row here, and it is aligned as the first is.
            all.extend_from_slice(unsafe { from_raw_parts(first.byte_add(row * stride), width) });
        }
        Ok(Cow::Owned(all))
    }
}

/// Numbers as rows.
pub(super) fn rows<S>(numbers: &[S], width: u32) -> core::Rows<'_, S> {
    if width == 2 { core::Rows::Points(numbers) } else { core::Rows::Boxes(numbers) }
}

/// Converts ids for the library.
///
/// # Safety
/// As [`list`].
pub(super) unsafe fn read_ids(ids: *const u32, count: usize) -> Result<Vec<i64>, Fault> {
    // SAFETY: passed on.
    let ids = unsafe { list(ids, count, "ids") }?;
    let mut all = core::room(count)?;
    all.extend(ids.iter().map(|&id| i64::from(id)));
    Ok(all)
}
