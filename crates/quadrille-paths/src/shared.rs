//! Numbers that all threads may write.

use core::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// A number from 1 that nothing else has: each that is made, and each clone, gets the next.
#[derive(Debug)]
pub(crate) struct Unique(u64);

impl Unique {
    pub(crate) const fn number(&self) -> u64 {
        self.0
    }
}

impl Default for Unique {
    fn default() -> Self {
        static LAST: AtomicU64 = AtomicU64::new(0);
        Self(LAST.fetch_add(1, Ordering::Relaxed) + 1)
    }
}

impl Clone for Unique {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// A count of what happens on any thread, in any order.
#[derive(Debug, Default)]
pub(crate) struct Count(AtomicUsize);

impl Count {
    #[inline]
    pub(crate) fn add(&self, number: usize) {
        self.0.fetch_add(number, Ordering::Relaxed);
    }

    pub(crate) fn get(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

impl Clone for Count {
    fn clone(&self) -> Self {
        Self(self.get().into())
    }
}
