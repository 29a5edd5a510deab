//! Calls about queues of requests for paths.

use super::memory::{out, write_each};
use super::types::{Answered, Cell, Map, Queue};
use super::{ALL_MAPS, ALL_QUEUES, MAP, QUEUE, answer, call};
use crate::maps::Map as MapOf;
use crate::queue::Queue as QueueOf;
use crate::status::{Fault, Status};

/// Makes a queue of requests for paths.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_queue_new(queue: *mut Queue) -> Status {
    call(|| {
        // SAFETY: passed on.
        unsafe { out(queue, "queue") }?.bits = ALL_QUEUES.add(QUEUE, QueueOf::default())?;
        Ok(())
    })
}

/// Frees a queue, and forgets its requests.
#[unsafe(no_mangle)]
pub extern "C" fn quadrille_queue_free(queue: Queue) -> Status {
    call(|| ALL_QUEUES.free(QUEUE, queue.bits))
}

/// Requests a path; `request` takes the number of the request. Higher priorities are answered first, equal ones in the
/// order of the requests. Cells that are not on the map cannot be reached.
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
    unsafe { answer(request, "request", || ALL_QUEUES.with(QUEUE, queue.bits, |queue| queue.push(ends, priority))) }
}

/// Withdraws a request. `was_waiting` takes 1, or 0 if it had been answered or never existed; it may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_queue_cancel(queue: Queue, request: u64, was_waiting: *mut u8) -> Status {
    call(|| {
        let found = ALL_QUEUES.with(QUEUE, queue.bits, |queue| Ok(queue.cancel(request)))?;
        // SAFETY: one value; passed on.
        unsafe { write_each(&[u8::from(found)], was_waiting, "was_waiting") }
    })
}

/// How many requests are waiting.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_queue_waiting(queue: Queue, count: *mut usize) -> Status {
    // SAFETY: passed on.
    unsafe { answer(count, "count", || ALL_QUEUES.with(QUEUE, queue.bits, |queue| Ok(queue.waiting()))) }
}

/// Answers requests until none is left, or until this many corners of walls have been examined, which is the same on
/// every machine. A search that did not fit continues in the next call, unless an edit of the map has come too near.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_queue_run(queue: Queue, map: Map, corners: u64, answered: *mut Answered) -> Status {
    // SAFETY: passed on.
    unsafe {
        run(queue, map, answered, |queue, map| {
            queue.run(map.map(), corners);
            Ok(())
        })
    }
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
    unsafe { run(queue, map, answered, |queue, map| queue.run_for(map.map(), seconds)) }
}

/// # Safety
/// As [`out`].
unsafe fn run(
    queue: Queue,
    map: Map,
    answered: *mut Answered,
    work: impl FnOnce(&mut QueueOf, &MapOf) -> Result<(), Fault>,
) -> Status {
    let ask = |queue: &mut QueueOf, map: &MapOf| {
        work(queue, map)?;
        Ok(Answered {
            requests: queue.numbers.as_ptr(),
            counts: queue.counts.as_ptr(),
            count: queue.numbers.len(),
            cells: queue.cells.as_ptr().cast(),
            cell_count: queue.cells.len(),
        })
    };
    // SAFETY: passed on.
    unsafe {
        answer(answered, "answered", || {
            ALL_MAPS.with(MAP, map.bits, |map| ALL_QUEUES.with(QUEUE, queue.bits, |queue| ask(queue, map)))
        })
    }
}
