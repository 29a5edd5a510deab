//! Two clocks.

use std::time::{Duration, Instant};

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
                let start = thread_time();
                let result = work();
                (thread_time() - start, result)
            }
        }
    }
}

fn thread_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is to a value of ours.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}
