//! The open list of a best-first search: buckets a quarter wide, last in, first out.
//!
//! R. Dial, *Algorithm 360: Shortest-path forest with topological ordering*, 1969. Within a bucket the order is not the exact
//! one, so an item may be taken out before its length is final. The search copes by taking it out again when the length
//! improves, and by going on until the bucket of the goal is done; in return, adding and taking cost a few nanoseconds
//! where a binary heap of the same items costs ten times that.

use crate::grid::fixed::Fixed;

/// The end of a bucket's list.
const NONE: u32 = u32::MAX;

/// The width of a bucket of a search for a goal, as a power of two. A quarter was measured to be the best width on city and game maps; wider buckets
/// lead to repeated work on noise, narrower ones to walks over empty buckets in mazes.
pub(crate) const BUCKET: i32 = -2;

/// What is open, cheapest bucket first.
#[derive(Clone, Debug, Default)]
pub(crate) struct OpenList {
    /// The length with which bucket 0 begins.
    base: Fixed,
    /// By bucket, the newest entry.
    newest: Vec<u32>,
    /// Items with the entry before them in their bucket.
    entries: Vec<(u32, u32)>,
    /// No bucket before this one holds an entry.
    current: usize,
}

impl OpenList {
    /// Empties it, for lengths from `base` on.
    pub(crate) fn reset(&mut self, base: Fixed) {
        self.newest.clear();
        self.entries.clear();
        self.current = 0;
        self.base = base;
    }

    /// The bucket of a length.
    #[inline]
    pub(crate) fn bucket(&self, length: Fixed) -> usize {
        length.above(self.base, BUCKET) as usize
    }

    /// Adds an item.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "four billion entries are 32 gigabytes")]
    pub(crate) fn push(&mut self, length: Fixed, item: u32) {
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

    /// Everything that was added since it was emptied last, taken out or not.
    pub(crate) fn added(&self) -> impl Iterator<Item = u32> {
        self.entries.iter().map(|(item, _)| *item)
    }

    /// Bytes on the heap.
    pub(crate) fn bytes(&self) -> usize {
        self.newest.capacity() * size_of::<u32>() + self.entries.capacity() * size_of::<(u32, u32)>()
    }
}
