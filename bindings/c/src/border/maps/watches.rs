//! Calls for watched paths, which edits of their map may break.

use super::super::memory::{numbers, out};
use super::super::types::{Cell, Map, Watch};
use super::super::{call, free, keep, with};
use super::write_cell;
use crate::status::Status;

/// Watches a path on a map, given by all of its cells.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_watch_new(map: Map, cells: *const Cell, count: usize, watch: *mut Watch) -> Status {
    // SAFETY: passed on.
    call(|| unsafe {
        let (cells, watch) = (numbers(cells, count, "cells")?, out(watch, "watch")?);
        keep(with(map, |map| map.watch(cells))?, watch)
    })
}

/// Stops watching the path.
#[unsafe(no_mangle)]
pub extern "C" fn quadrille_watch_free(watch: Watch) -> Status {
    free(watch)
}

/// `is_broken` receives 1 if edits of the map have broken the path, and `last` the last cell that can be reached on it;
/// otherwise `is_broken` receives 0. A broken path stays broken.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_watch_check(watch: Watch, map: Map, is_broken: *mut u8, last: *mut Cell) -> Status {
    // SAFETY: passed on.
    call(|| unsafe {
        let place = (out(is_broken, "is_broken")?, out(last, "last")?);
        with(map, |map| with(watch, |watch| write_cell(watch.check(map.cells()?), place)))
    })
}
