//! What a step did, and how long it took.

use std::time::Duration;

use web_time::Instant;

/// What one step did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepReport {
    /// Pairs of overlapping bounding squares.
    pub pairs: usize,
    /// Pairs of overlapping discs among them.
    pub contacts: usize,
    /// How long it took. The only thing here that differs from run to run.
    pub timings: Timings,
}

/// Time spent in each phase of a step, on the wall's clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timings {
    /// Agents fly and meet the walls.
    pub movement: Duration,
    /// The index learns the new boxes and maintains itself.
    pub index: Duration,
    /// All overlapping pairs are found and sorted.
    pub pairs: Duration,
    /// Overlapping discs bounce.
    pub respond: Duration,
}

impl Timings {
    /// The whole step.
    #[must_use]
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
