//! The time that work takes.

#[cfg(unix)]
use rustix::time::{ClockId, Timespec, clock_gettime};
#[cfg(not(unix))]
use web_time::Instant;

/// CPU time of this thread, if the system reports it through a safe interface (on Unix); wall-clock time elsewhere.
/// On a busy machine, wall-clock time mostly measures the other programs.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    #[cfg(unix)]
    start: Timespec,
    #[cfg(not(unix))]
    start: Instant,
}

#[cfg(unix)]
impl Clock {
    /// Starts now.
    #[must_use]
    pub fn start() -> Self {
        Self { start: clock_gettime(ClockId::ThreadCPUTime) }
    }

    /// Milliseconds since the start. Call it on the same thread.
    #[must_use]
    pub fn ms(&self) -> f64 {
        let passed = Self::start().start - self.start;
        passed.tv_sec as f64 * 1e3 + passed.tv_nsec as f64 / 1e6
    }
}

#[cfg(not(unix))]
impl Clock {
    /// Starts now.
    #[must_use]
    pub fn start() -> Self {
        Self { start: Instant::now() }
    }

    /// Milliseconds since the start.
    #[must_use]
    pub fn ms(&self) -> f64 {
        self.start.elapsed().as_secs_f64() * 1e3
    }
}
