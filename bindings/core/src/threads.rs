//! Work divided among threads, with the answers of one, in the same order.

use std::ops::Range;

/// How many threads a call may use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Threads {
    /// The caller's own.
    #[default]
    One,
    /// So many.
    #[cfg(feature = "threads")]
    Some(std::num::NonZeroUsize),
}

/// Fewer rows than this are not worth another thread.
#[cfg(feature = "threads")]
const FEWEST: usize = 256;

impl Threads {
    /// Does `work` for stretches of `0..rows` and returns what it gave, in order.
    ///
    /// `work` comes as a trait object so that it is compiled once, for one thread and for several.
    pub(crate) fn share<R: Send>(self, rows: usize, work: &(dyn Fn(Range<usize>) -> R + Sync)) -> Vec<R> {
        match self {
            #[cfg(feature = "threads")]
            Self::Some(threads) if threads.get() > 1 && rows > FEWEST => pool::share(threads, rows, FEWEST, work),
            _ => vec![work(0..rows)],
        }
    }

    /// How many parts work should be divided into that cannot be divided by rows.
    pub(crate) fn parts(self) -> usize {
        match self {
            #[cfg(feature = "threads")]
            Self::Some(threads) if threads.get() > 1 => 4 * threads.get(),
            _ => 1,
        }
    }

    /// Does `work` for each number below `parts` and returns what it gave, in order.
    pub(crate) fn each<R: Send>(self, parts: usize, work: &(dyn Fn(usize) -> R + Sync)) -> Vec<R> {
        match self {
            #[cfg(feature = "threads")]
            Self::Some(threads) if threads.get() > 1 && parts > 1 => pool::each(threads, parts, work),
            _ => (0..parts).map(work).collect(),
        }
    }
}

#[cfg(feature = "threads")]
mod pool {
    use std::collections::HashMap;
    use std::collections::hash_map::Entry;
    use std::num::NonZeroUsize;
    use std::ops::Range;
    use std::sync::{Arc, Mutex, PoisonError};

    use rayon::ThreadPool;
    use rayon::prelude::*;

    /// Pools by process and number of threads. By process, because a forked child has the pools of its parent without their threads.
    type Pools = HashMap<(u32, NonZeroUsize), Arc<ThreadPool>>;

    static POOLS: Mutex<Option<Pools>> = Mutex::new(None);

    /// A pool of this many threads; `None` if the system has no more threads to give.
    fn pool(threads: NonZeroUsize) -> Option<Arc<ThreadPool>> {
        let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
        match pools.get_or_insert_default().entry((std::process::id(), threads)) {
            Entry::Occupied(pool) => Some(pool.get().clone()),
            Entry::Vacant(place) => {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.get()).build().ok()?;
                Some(place.insert(Arc::new(pool)).clone())
            }
        }
    }

    pub(super) fn share<R: Send>(
        threads: NonZeroUsize,
        rows: usize,
        fewest: usize,
        work: &(dyn Fn(Range<usize>) -> R + Sync),
    ) -> Vec<R> {
        // Several stretches a thread: one that is done early finds something to do.
        let stretch = rows.div_ceil(8 * threads.get()).max(fewest);
        let stretches = rows.div_ceil(stretch);
        each(threads, stretches, &|number| work(number * stretch..rows.min((number + 1) * stretch)))
    }

    pub(super) fn each<R: Send>(threads: NonZeroUsize, parts: usize, work: &(dyn Fn(usize) -> R + Sync)) -> Vec<R> {
        match pool(threads) {
            Some(pool) => pool.install(|| (0..parts).into_par_iter().map(work).collect()),
            None => (0..parts).map(work).collect(),
        }
    }
}
