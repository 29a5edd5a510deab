//! Wall-clock time.

use std::time::{Duration, Instant};

/// How long some work took, and its result.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let start = Instant::now();
    let result = work();
    (start.elapsed(), result)
}

/// Milliseconds, to the microsecond.
pub(crate) fn ms(time: Duration) -> f64 {
    time.as_micros() as f64 / 1e3
}

/// Microseconds, to the nanosecond.
pub(crate) fn us(time: Duration) -> f64 {
    time.as_nanos() as f64 / 1e3
}
