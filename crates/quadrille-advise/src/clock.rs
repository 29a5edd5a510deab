//! The time that work takes.

/// Processor time of this thread. On a machine that is busy with other things, time on the wall is mostly theirs.
#[cfg(unix)]
pub(crate) struct Clock(rustix::time::Timespec);

#[cfg(unix)]
impl Clock {
    pub(crate) fn start() -> Self {
        Self(now())
    }

    /// Milliseconds since the start.
    pub(crate) fn ms(&self) -> f64 {
        let passed = now() - self.0;
        passed.tv_sec as f64 * 1e3 + passed.tv_nsec as f64 / 1e6
    }
}

#[cfg(unix)]
fn now() -> rustix::time::Timespec {
    rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime)
}

/// Time on the wall, where the system does not tell any other in a safe way.
#[cfg(not(unix))]
pub(crate) struct Clock(std::time::Instant);

#[cfg(not(unix))]
impl Clock {
    pub(crate) fn start() -> Self {
        Self(std::time::Instant::now())
    }

    /// Milliseconds since the start.
    pub(crate) fn ms(&self) -> f64 {
        self.0.elapsed().as_secs_f64() * 1e3
    }
}
