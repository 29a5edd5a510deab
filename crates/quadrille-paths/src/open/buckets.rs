//! The open list of searches whose lengths are [`Fixed`]: buckets as wide as a straight step, last in, first out.
//!
//! R. Dial, *Algorithm 360: Shortest-path forest with topological ordering*, 1969.

use crate::grid::fixed::Fixed;

/// Cells by length, in buckets as wide as a straight step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Buckets {
    /// The bucket of a number `n` is at `n` modulo their count, a power of two: all that are open lie close together.
    ring: Vec<Vec<u32>>,
    /// No open cell is in a bucket before this one, nor in `end` or behind it.
    current: u64,
    end: u64,
    count: usize,
}

impl Buckets {
    /// Adds a cell.
    #[inline]
    pub(crate) fn push(&mut self, length: Fixed, item: u32) {
        let bucket = length.bucket();
        if self.count == 0 {
            (self.current, self.end) = (bucket, bucket);
        }
        let (first, end) = (self.current.min(bucket), self.end.max(bucket + 1));
        if end - first > self.ring.len() as u64 {
            self.widen((end - first) as usize);
        }
        (self.current, self.end) = (first, end);
        let slot = self.slot(bucket);
        self.ring[slot].push(item);
        self.count += 1;
    }

    /// Makes the ring hold this number of buckets.
    #[cold]
    fn widen(&mut self, buckets: usize) {
        let mut old = core::mem::take(&mut self.ring);
        let mask = (old.len() as u64).wrapping_sub(1);
        self.ring.resize(buckets.next_power_of_two().max(4), Vec::new());
        for bucket in self.current..self.end {
            let slot = self.slot(bucket);
            self.ring[slot] = core::mem::take(&mut old[(bucket & mask) as usize]);
        }
    }

    /// A cell of the first bucket, with the bucket's number.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<(u64, u32)> {
        if self.count == 0 {
            return None;
        }
        loop {
            let slot = self.slot(self.current);
            if let Some(item) = self.ring[slot].pop() {
                self.count -= 1;
                return Some((self.current, item));
            }
            self.current += 1;
        }
    }

    #[inline]
    fn slot(&self, bucket: u64) -> usize {
        (bucket & (self.ring.len() as u64 - 1)) as usize
    }

    /// Empties it.
    pub(crate) fn clear(&mut self) {
        self.ring.iter_mut().for_each(Vec::clear);
        self.count = 0;
    }
}
