//! The results of a step, and the time it took.

use std::time::Duration;

use web_time::Instant;

/// What one step did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepReport {
    /// Pairs of overlapping bounding squares.
    pub pairs: usize,
    /// Pairs of overlapping discs among them.
    pub contacts: usize,
    /// How long it took: the only value here that differs from run to run.
    pub timings: Timings,
}

/// Wall-clock time spent in each phase of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timings {
    /// Moving the agents and bouncing them off the walls.
    pub movement: Duration,
    /// Updating the index with the new boxes, and its maintenance.
    pub index: Duration,
    /// Finding and sorting all overlapping pairs.
    pub pairs: Duration,
    /// Bouncing overlapping discs.
    pub respond: Duration,
}

impl Timings {
    /// The whole step.
    pub fn total(&self) -> Duration {
        self.movement + self.index + self.pairs + self.respond
    }
}

/// How long `work` takes.
pub(crate) fn timed(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}
