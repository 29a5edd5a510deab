//! Calls for queues of path requests.

use quadrille_bindings::{self as core, Requests};
use quadrille_paths::PathMap;

use super::memory::{column, out};
use super::types::{Answered, Cell, Map, Queue};
use super::{answer, call, free, keep, with};
use crate::maps::counts_of;
use crate::status::Status;

/// Requests, and those that were last answered.
#[derive(Default)]
pub(super) struct QueueOf {
    requests: Requests,
    answered: core::Answered,
    /// How many cells the path of each has.
    counts: Vec<u32>,
}

/// Makes a queue of requests for paths.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_queue_new(queue: *mut Queue) -> Status {
    // SAFETY: passed on.
    call(|| keep(QueueOf::default(), unsafe { out(queue, "queue") }?))
}

/// Frees a queue and drops its requests.
#[unsafe(no_mangle)]
pub extern "C" fn quadrille_queue_free(queue: Queue) -> Status {
    free(queue)
}

/// Requests a path; `request` receives the number of the request. Higher priorities are answered first, equal ones in
/// the order of the requests. Cells off the map cannot be reached.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_queue_push(
    queue: Queue,
    start: Cell,
    goal: Cell,
    priority: i32,
    request: *mut u64,
) -> Status {
    let ends = [start.xy(), goal.xy()];
    // SAFETY: passed on.
    unsafe { answer(queue, request, "request", |queue| Ok(queue.requests.push(ends, ["start", "goal"], priority)?)) }
}

/// Cancels a request. `was_waiting` receives 1, or 0 if it had been answered or never existed; it may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_queue_cancel(queue: Queue, request: u64, was_waiting: *mut u8) -> Status {
    call(|| {
        // SAFETY: one value; passed on.
        let was_waiting = unsafe { column(was_waiting, "was_waiting") }?;
        was_waiting.write(&[with(queue, |queue| Ok(queue.requests.cancel(request).into()))?]);
        Ok(())
    })
}

/// How many requests are waiting.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_queue_waiting(queue: Queue, count: *mut usize) -> Status {
    // SAFETY: passed on.
    unsafe { answer(queue, count, "count", |queue| Ok(queue.requests.waiting())) }
}

/// Answers requests until none is left, or until this many corners of walls have been examined, which is the same on
/// every machine. A search that did not fit continues in the next call, unless an edit of the map has affected it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_queue_run(queue: Queue, map: Map, corners: u64, answered: *mut Answered) -> Status {
    // SAFETY: passed on.
    unsafe { run(queue, map, answered, |requests, map| requests.run(map, corners)) }
}

/// The same, until this much time has passed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_queue_run_for(
    queue: Queue,
    map: Map,
    seconds: f64,
    answered: *mut Answered,
) -> Status {
    // SAFETY: passed on.
    unsafe { run(queue, map, answered, |requests, map| requests.run_for(map, seconds)) }
}

/// # Safety
/// As [`out`].
unsafe fn run(
    queue: Queue,
    map: Map,
    answered: *mut Answered,
    work: impl FnOnce(&mut Requests, &PathMap) -> Result<core::Answered, core::Error>,
) -> Status {
    let ask = |queue: &mut QueueOf, map: &PathMap| {
        queue.answered = work(&mut queue.requests, map)?;
        let core::Answered { numbers, paths } = &queue.answered;
        queue.counts = counts_of(paths);
        Ok(Answered {
            requests: numbers.as_ptr(),
            counts: queue.counts.as_ptr(),
            count: numbers.len(),
            cells: paths.cells.as_ptr().cast(),
            cell_count: paths.cells.len(),
        })
    };
    // SAFETY: passed on.
    unsafe { answer(map, answered, "answered", |map| with(queue, |queue| ask(queue, map.cells()?))) }
}
