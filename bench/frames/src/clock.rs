//! Two clocks.

use std::time::{Duration, Instant};

use cpu_time::ThreadTime;

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Clock {
    /// Time that passes: what counts on a machine that has nothing else to do.
    Wall,
    /// Time this thread was running: on a shared machine, leaves out what others were given.
    Cpu,
}

impl Clock {
    pub fn time<R>(self, work: impl FnOnce() -> R) -> (Duration, R) {
        match self {
            Self::Wall => {
                let start = Instant::now();
                let result = work();
                (start.elapsed(), result)
            }
            Self::Cpu => {
                let start = ThreadTime::now();
                let result = work();
                (start.elapsed(), result)
            }
        }
    }
}
