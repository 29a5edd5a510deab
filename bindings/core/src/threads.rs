//! Work divided among threads, with the answers of one, in the same order.

/// How many threads a call may use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Threads {
    /// The caller's own.
    #[default]
    One,
    /// This many.
    #[cfg(feature = "threads")]
    Some(std::num::NonZeroUsize),
}

/// Fewer rows than this are not worth another thread.
#[cfg(feature = "threads")]
const MIN_ROWS: usize = 256;

impl Threads {
    /// How many rows one piece of work has, at least one.
    pub(crate) fn chunk(self, rows: usize) -> usize {
        match self {
            // Several chunks per thread, so that one that finishes early finds more work.
            #[cfg(feature = "threads")]
            Self::Some(threads) if threads.get() > 1 => rows.div_ceil(8 * threads.get()).max(MIN_ROWS),
            _ => rows.max(1),
        }
    }

    /// How many there are.
    pub(crate) fn count(self) -> usize {
        match self {
            #[cfg(feature = "threads")]
            Self::Some(threads) => threads.get(),
            Self::One => 1,
        }
    }

    /// The number of parts for work that cannot be divided by rows.
    pub(crate) fn parts(self) -> usize {
        match self.count() {
            1 => 1,
            threads => 4 * threads,
        }
    }
}

#[cfg(feature = "threads")]
pub(crate) use pool::each;

#[cfg(feature = "threads")]
mod pool {
    use std::collections::HashMap;
    use std::num::NonZeroUsize;
    use std::sync::mpsc::{RecvTimeoutError, channel};
    use std::sync::{Arc, Mutex, PoisonError};
    use std::time::Duration;

    use rayon::ThreadPool;
    use rayon::prelude::*;

    /// Pools by process and number of threads. By process, because a forked child has the pools of its parent without
    /// their threads.
    type Pools = HashMap<(u32, NonZeroUsize), Arc<ThreadPool>>;

    static POOLS: Mutex<Option<Pools>> = Mutex::new(None);

    /// A pool of this many running threads; `None` if the system cannot start that many.
    ///
    /// A thread that started late would allocate its thread-locals, and if a call has just used up all memory, the C
    /// library would end the process.
    fn pool(threads: NonZeroUsize) -> Option<Arc<ThreadPool>> {
        let key = (std::process::id(), threads);
        // Held only for moments: a child that is forked meanwhile would wait for it forever.
        let pools = || POOLS.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(pool) = pools().get_or_insert_default().get(&key) {
            return Some(pool.clone());
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.get()).build().ok()?;
        pool.broadcast(|_| ());
        Some(pools().get_or_insert_default().entry(key).or_insert(Arc::new(pool)).clone())
    }

    /// Calls `work` for each number below `parts` and returns the results in order. Meanwhile `look` is called on the
    /// caller's thread, once in every `period`.
    pub(crate) fn each<R: Send>(
        threads: NonZeroUsize,
        parts: usize,
        period: Duration,
        look: Option<&dyn Fn()>,
        work: &(dyn Fn(usize) -> R + Sync),
    ) -> Vec<R> {
        let Some(pool) = pool(threads) else {
            return (0..parts).map(work).inspect(|_| look.unwrap_or(&|| ())()).collect();
        };
        let all = || (0..parts).into_par_iter().map(work).collect();
        let Some(look) = look else { return pool.install(all) };
        let mut found = Vec::new();
        let place = &mut found;
        let (end, ended) = channel::<()>();
        pool.in_place_scope(|scope| {
            scope.spawn(move |_| {
                *place = all();
                // Also sent at the end of a panic.
                drop(end);
            });
            while ended.recv_timeout(period) == Err(RecvTimeoutError::Timeout) {
                look();
            }
        });
        found
    }
}
