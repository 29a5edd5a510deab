//! The caller's memory: how it is read, and how answers are written into it.

use std::borrow::Cow;
use std::ffi::{CStr, c_char, c_void};
use std::ops::ControlFlow;
use std::ptr::copy_nonoverlapping;
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
/// Where not null, `first` leads to `count` values that nothing writes to during the call.
pub(super) unsafe fn list<'a, T>(first: *const T, count: usize, name: &str) -> Result<&'a [T], Fault> {
    if count == 0 {
        return Ok(&[]);
    }
    check_length(count, size_of::<T>(), name)?;
    // SAFETY: not null, aligned, not longer than memory can be; the rest the caller holds.
    Ok(unsafe { from_raw_parts(given(first, name)?, count) })
}

fn check_length(count: usize, bytes: usize, name: &str) -> Result<(), Fault> {
    match count.checked_mul(bytes) {
        Some(bytes) if isize::try_from(bytes).is_ok() => Ok(()),
        _ => Err(Fault::value(format!("`{name}` cannot have a length of {count}"))),
    }
}

/// Text from the caller.
///
/// # Safety
/// Where not null, it ends with a zero and nothing writes to it during the call.
pub(super) unsafe fn text<'a>(text: *const c_char, name: &str) -> Result<&'a str, Fault> {
    // SAFETY: not null; the rest the caller holds.
    let text = unsafe { CStr::from_ptr(given(text, name)?) };
    text.to_str().map_err(|_| Fault::value(format!("`{name}` is not UTF-8")))
}

/// Where an answer goes.
///
/// # Safety
/// Where not null, `out` leads to a value of that type that nothing else looks at during the call.
pub(super) unsafe fn out<'a, T>(out: *mut T, name: &str) -> Result<&'a mut T, Fault> {
    given(out, name)?;
    // SAFETY: not null, aligned; the rest the caller holds.
    Ok(unsafe { &mut *out })
}

/// Writes all of `found` into the caller's memory if it fits, and its length in any case.
///
/// # Safety
/// Where not null, `data` leads to memory for `room` values.
pub(super) unsafe fn write<T: Copy>(found: &[T], data: *mut T, room: usize, count: &mut usize) -> Result<(), Fault> {
    *count = found.len();
    if found.len() > room {
        let told = format!("there are {} answers and room for {room}", found.len());
        return Err(Fault::new(Status::Room, told));
    }
    if !found.is_empty() {
        given(data.cast_const(), "data")?;
        // SAFETY: not null, aligned, with room for all; `found` is the library's own memory.
        unsafe { copy_nonoverlapping(found.as_ptr(), data, found.len()) };
    }
    Ok(())
}

/// Room for answers in the caller's memory.
pub(super) trait Room {
    /// What the library calls an answer.
    type Item: Copy;

    /// The first, how many fit, and where to write how many there are.
    fn parts(&mut self) -> (*mut Self::Item, usize, &mut usize);
}

macro_rules! rooms {
    ($($room:ident: $item:ty;)*) => {
        $(impl Room for $room {
            type Item = $item;

            fn parts(&mut self) -> (*mut $item, usize, &mut usize) {
                (self.data.cast(), self.room, &mut self.count)
            }
        })*
    };
}

// A `Pair` and a `Cell` are two contiguous numbers.
rooms! {
    Ids: u32;
    Pairs: [u32; 2];
    Bytes: u8;
    Cells: [u32; 2];
    Encounters: Encounter;
}

/// Writes all of `found` into the room if it fits, and its length in any case.
///
/// # Safety
/// As [`write`] and [`out`].
pub(super) unsafe fn write_all<R: Room>(found: &[R::Item], room: *mut R, name: &str) -> Result<(), Fault> {
    // SAFETY: passed on.
    unsafe {
        let (data, room, count) = out(room, name)?.parts();
        write(found, data, room, count)
    }
}

/// The same, if not null; null means that the kept answers are enough.
///
/// # Safety
/// As [`write_all`].
pub(super) unsafe fn write_if_wanted<R: Room>(found: &[R::Item], room: *mut R, name: &str) -> Result<(), Fault> {
    // SAFETY: passed on.
    if room.is_null() { Ok(()) } else { unsafe { write_all(found, room, name) } }
}

/// Pairs, and a column of the same length.
///
/// # Safety
/// As [`write_if_wanted`]; where not null, `distances` leads to memory for as many values as fit into `pairs`.
pub(super) unsafe fn write_pairs_apart(
    found: &[[u32; 2]],
    apart: &[f64],
    pairs: *mut Pairs,
    distances: *mut f64,
) -> Result<(), Fault> {
    if !distances.is_null() && pairs.is_null() {
        return Err(Fault::new(Status::Null, "`distances` is as long as `pairs`, which is null"));
    }
    // SAFETY: as long as the pairs, which fit; passed on.
    unsafe {
        write_if_wanted(found, pairs, "pairs")?;
        write_each(apart, distances, "distances")
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
    // SAFETY: the caller holds it.
    Ok(
        move |a, b| {
            if unsafe { visit(context, a, b) } == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        },
    )
}

/// A column of the same length as the ids, which [`write_if_wanted`] has found to fit.
///
/// # Safety
/// Where not null, `data` leads to memory for as many values as fit into `ids`.
pub(super) unsafe fn write_beside<T: Copy>(
    found: &[T],
    ids: *const Ids,
    data: *mut T,
    name: &str,
) -> Result<(), Fault> {
    if !data.is_null() && ids.is_null() {
        return Err(Fault::new(Status::Null, format!("`{name}` is as long as `ids`, which is null")));
    }
    // SAFETY: as long as the ids, which fit; passed on.
    unsafe { write_each(found, data, name) }
}

/// Writes a column with one value for each queried row.
///
/// # Safety
/// Where not null, `data` leads to memory for as many values as there were rows.
pub(super) unsafe fn write_each<T: Copy>(found: &[T], data: *mut T, name: &str) -> Result<(), Fault> {
    if data.is_null() {
        return Ok(());
    }
    given(data.cast_const(), name)?;
    // SAFETY: not null, aligned; the caller holds the length.
    unsafe { copy_nonoverlapping(found.as_ptr(), data, found.len()) };
    Ok(())
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
    /// `first` leads to as many rows at such distances, that nothing writes to during the call.
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
            // SAFETY: the row lies where the caller says that rows are, and is aligned as the first is.
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
