//! Calls for points, lines and polygons.

use std::ffi::c_char;
use std::ptr::null_mut;

use quadrille_bindings as core;

use super::memory::{list, out, text, wanted};
use super::types::{Pair, Pairs, Shapes, Wkb};
use super::{answer, call, free, keep, with};
use crate::status::{Fault, Status};

/// Shapes, and the last answers about them.
#[derive(Default)]
pub(super) struct ShapesOf {
    all: core::Shapes,
    pairs: Vec<[u32; 2]>,
    distances: Vec<f64>,
}

/// Reads geometries, one for each row.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_shapes_new(rows: *const Wkb, count: usize, shapes: *mut Shapes) -> Status {
    // SAFETY: passed on.
    call(|| unsafe {
        let (rows, shapes) = (list(rows, count, "rows")?, out(shapes, "shapes")?);
        let mut made = ShapesOf::default();
        for row in rows {
            let wkb = if row.bytes.is_null() { None } else { Some(list(row.bytes, row.count, "bytes")?) };
            made.all.push(wkb)?;
        }
        keep(made, shapes)
    })
}

/// Frees shapes and the answers that they keep.
#[unsafe(no_mangle)]
pub extern "C" fn quadrille_shapes_free(shapes: Shapes) -> Status {
    free(shapes)
}

/// A call that finds pairs of a row of some shapes and one of others, which may be the same, and how far apart they are.
///
/// # Safety
/// As [`wanted`] and [`Wanted::beside`](super::memory::Wanted::beside).
unsafe fn join(
    [shapes, others]: [Shapes; 2],
    pairs: *mut Pairs,
    distances: *mut f64,
    find: impl FnOnce(&core::Shapes, &core::Shapes) -> Result<core::Apart, Fault>,
) -> Result<(), Fault> {
    // SAFETY: passed on.
    let pairs = unsafe { wanted(pairs, "pairs") }?;
    // SAFETY: passed on.
    let distances = unsafe { pairs.beside("pairs", distances, "distances") }?;
    with(shapes, |here| {
        let (found, apart) = if others.bits == shapes.bits {
            find(&here.all, &here.all)?
        } else {
            with(others, |others| find(&here.all, &others.all))?
        };
        let mut kept = core::room(found.len())?;
        kept.extend(found.into_iter().map(<[u32; 2]>::from));
        (here.pairs, here.distances) = (kept, apart);
        pairs.write(&here.pairs)?;
        distances.write(&here.distances);
        Ok(())
    })
}

/// Pairs at distance 0: the two lists that are kept have the same length.
fn at_no_distance(pairs: Result<Vec<(u32, u32)>, core::Error>) -> Result<core::Apart, Fault> {
    let pairs = pairs?;
    let mut distances = core::room(pairs.len())?;
    distances.resize(pairs.len(), 0.0);
    Ok((pairs, distances))
}

/// All pairs of a row of these and a row of the others, which may be the same, for which a predicate holds, in order:
/// "intersects", "contains", "within", "touches", "crosses", "overlaps", "covers", "covered_by", "equals", "disjoint",
/// "contains_properly", as the OGC defines them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_shapes_join(
    shapes: Shapes,
    others: Shapes,
    predicate: *const c_char,
    pairs: *mut Pairs,
) -> Status {
    // SAFETY: passed on.
    call(|| unsafe {
        let predicate = text(predicate, "predicate")?;
        let find = |a: &core::Shapes, b: &core::Shapes| at_no_distance(a.join(b, predicate, core::Call::default()));
        join([shapes, others], pairs, null_mut(), find)
    })
}

/// All pairs of a row of these and a row of the others, which may be the same, that are no farther apart than
/// `distance`, in order.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_shapes_join_within(
    shapes: Shapes,
    others: Shapes,
    distance: f64,
    pairs: *mut Pairs,
) -> Status {
    let find = |a: &core::Shapes, b: &core::Shapes| {
        at_no_distance(a.join_within(b, distance, core::Metric::Plane, core::Call::default()))
    };
    // SAFETY: passed on.
    call(|| unsafe { join([shapes, others], pairs, null_mut(), find) })
}

/// For each row of these, the `most` nearest rows of the others, nearest first, none farther than `distance`, which may
/// be infinite. If `most` is 0, it finds the nearest and all at exactly the same distance. `exclusive`, if not 0,
/// leaves out equal geometries, which include the row itself if the others are the same. `distances` is as long as
/// `pairs`; each may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_shapes_nearest(
    shapes: Shapes,
    others: Shapes,
    most: usize,
    distance: f64,
    exclusive: u8,
    pairs: *mut Pairs,
    distances: *mut f64,
) -> Status {
    let find = |a: &core::Shapes, b: &core::Shapes| {
        let wanted = ((most != 0).then_some(most), distance);
        Ok(a.nearest(b, wanted, exclusive != 0, core::Metric::Plane, core::Call::default())?)
    };
    // SAFETY: passed on.
    call(|| unsafe { join([shapes, others], pairs, distances, find) })
}

/// The distance between a row of these and a row of the others, which may be the same; infinite if one has no geometry.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_shapes_distance(
    shapes: Shapes,
    row: u32,
    others: Shapes,
    other_row: u32,
    distance: *mut f64,
) -> Status {
    let ask = |here: &mut ShapesOf| {
        if others.bits == shapes.bits {
            return Ok(here.all.distance(row, &here.all, other_row)?);
        }
        with(others, |others| Ok(here.all.distance(row, &others.all, other_row)?))
    };
    // SAFETY: passed on.
    unsafe { answer(shapes, distance, "distance", ask) }
}

/// The answers that the shapes keep until the next call with them other than this one: pairs and, after
/// `quadrille_shapes_nearest`, their distances.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_shapes_kept(
    shapes: Shapes,
    pairs: *mut *const Pair,
    distances: *mut *const f64,
    count: *mut usize,
) -> Status {
    call(|| {
        // SAFETY: passed on.
        let (pairs, distances, count) =
            unsafe { (out(pairs, "pairs")?, out(distances, "distances")?, out(count, "count")?) };
        with(shapes, |here| {
            (*pairs, *distances, *count) = (here.pairs.as_ptr().cast(), here.distances.as_ptr(), here.pairs.len());
            Ok(())
        })
    })
}
