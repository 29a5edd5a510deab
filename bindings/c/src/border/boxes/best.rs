//! The best of what overlaps. Nothing is kept.

use quadrille_bindings as core;

use super::super::call;
use super::super::memory::{list, room};
use super::super::types::{Ids, Rows};
use super::scalar::by_scalar;
use crate::boxes::Coordinate;
use crate::status::{Fault, Status};

/// [`core::suppress`] or [`core::declutter`], applied to boxes and their scores.
///
/// # Safety
/// As [`Rows::numbers`] and [`list`].
unsafe fn best<S: Coordinate>(given: Rows, worth: *const f64, iou: Option<f64>) -> Result<Vec<u32>, Fault> {
    if given.numbers != 4 {
        return Err(Fault::value(format!("`rows` has rows of {} numbers, not 4", given.numbers)));
    }
    // SAFETY: passed on.
    let (boxes, worth) = unsafe { (given.numbers::<S>("rows")?, list(worth, given.count, "worth")?) };
    Ok(match iou {
        Some(iou) => core::suppress(&boxes, worth, iou, core::Call::default()),
        None => core::declutter(&boxes, worth, core::Call::default()),
    }?)
}

/// # Safety
/// As [`best`] and [`room`].
unsafe fn write_best(rows: Rows, worth: *const f64, iou: Option<f64>, ids: *mut Ids) -> Status {
    // SAFETY: passed on.
    call(|| unsafe {
        let ids = room(ids, "ids")?;
        ids.write(&by_scalar!(rows.scalar, S => best::<S>(rows, worth, iou))?)
    })
}

/// Non-maximum suppression: the rows that remain if, from the highest score down, each box removes all whose
/// intersection over union with it is more than `iou`. The best comes first; of equal scores, the lower row. There are
/// no more than there are rows; nothing is kept.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_suppress(rows: Rows, scores: *const f64, iou: f64, ids: *mut Ids) -> Status {
    // SAFETY: passed on.
    unsafe { write_best(rows, scores, Some(iou), ids) }
}

/// The rows that remain if, from the highest priority down, each box removes all that touch it: labels that do not
/// cover each other. The most important comes first; of equal priorities, the lower row. Nothing is kept.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_declutter(rows: Rows, priorities: *const f64, ids: *mut Ids) -> Status {
    // SAFETY: passed on.
    unsafe { write_best(rows, priorities, None, ids) }
}
