//! The open list of a best-first search: buckets a quarter wide, last in, first out.
//!
//! R. Dial, *Algorithm 360: Shortest-path forest with topological ordering*, 1969. Within a bucket the order is not the exact
//! one, so an item may be taken out before its length is final. The search copes by taking it out again when the length
//! improves, and by going on until the bucket of the goal is done; in return, adding and taking cost a few nanoseconds
//! where a binary heap of the same items costs ten times that.

use crate::cost::Length;

/// The end of a bucket's list.
const NONE: u32 = u32::MAX;

/// The length 1 in fixed point, and the length of a diagonal step. Paths have no more than 2^28 steps, so that sums fit, and are
/// off by less than a hundredth.
const ONE: u64 = 1 << 34;
const ROOT: u64 = 24_296_004_000;

/// The width of a bucket as a shift: a quarter. That was measured to be the best width on city and game maps; wider buckets
/// lead to repeated work on noise, narrower ones to walks over empty buckets in mazes.
const BUCKET_SHIFT: u32 = 32;

/// What is open, cheapest bucket first.
#[derive(Clone, Debug, Default)]
pub(crate) struct OpenList {
    /// The length with which bucket 0 begins.
    base: u64,
    /// By bucket, the newest entry.
    newest: Vec<u32>,
    /// Items with the entry before them in their bucket.
    entries: Vec<(u32, u32)>,
    /// No bucket before this one holds an entry.
    current: usize,
}

impl OpenList {
    /// Empties it, for lengths from `base` on.
    pub(crate) fn reset(&mut self, base: Length) {
        self.newest.clear();
        self.entries.clear();
        self.current = 0;
        self.base = fixed(base);
    }

    /// The bucket of a length.
    #[inline]
    pub(crate) fn bucket(&self, length: Length) -> usize {
        (fixed(length).saturating_sub(self.base) >> BUCKET_SHIFT) as usize
    }

    /// Adds an item.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "four billion entries are 32 gigabytes")]
    pub(crate) fn push(&mut self, length: Length, item: u32) {
        let bucket = self.bucket(length);
        if bucket >= self.newest.len() {
            self.newest.resize(bucket + 1, NONE);
        }
        let before = core::mem::replace(&mut self.newest[bucket], self.entries.len() as u32);
        self.entries.push((item, before));
        self.current = self.current.min(bucket);
    }

    /// Takes an item out of the first bucket that has one, if that is not behind bucket `last`.
    #[inline]
    pub(crate) fn pop(&mut self, last: usize) -> Option<u32> {
        while self.current <= last {
            let newest = self.newest.get_mut(self.current)?;
            if let Some((item, before)) = self.entries.get(*newest as usize) {
                *newest = *before;
                return Some(*item);
            }
            self.current += 1;
        }
        None
    }

    /// Bytes on the heap.
    pub(crate) fn bytes(&self) -> usize {
        self.newest.capacity() * size_of::<u32>() + self.entries.capacity() * size_of::<(u32, u32)>()
    }
}

/// A length in fixed point.
#[inline]
fn fixed(length: Length) -> u64 {
    u64::from(length.straight) * ONE + u64::from(length.diagonal) * ROOT
}
