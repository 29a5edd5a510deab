//! The open list of every search: a queue of what to examine next, nearest bucket first; within a bucket, last in,
//! first out.
//!
//! R. Dial, *Algorithm 360: Shortest-path forest with topological ordering*, 1969. Within a bucket items are not
//! ordered, so one may be taken out before its length is final. Searches take it out again when the length improves,
//! and continue until the bucket of the goal is done; in return, adding and taking cost a few nanoseconds, a tenth of
//! what a binary heap of the same items takes.
//!
//! Dial's buckets form a ring as long as the longest step. Here the ring is bounded, because a step may cost millions:
//! items beyond it wait in a heap, as in E. Denardo and B. Fox, *Shortest-Route Methods: 1. Reaching, Pruning, and
//! Buckets*, 1979. So neither memory nor time grows with the weight of a step.

use core::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::grid::Fixed;

/// The most buckets in the ring; a power of two.
const MAX_RING: u64 = 1 << 10;

/// The width of a bucket of a search for one goal, as a power of two. A quarter was measured to be the best width on
/// city and game maps; wider buckets repeat work on noise, narrower ones waste time on empty buckets in mazes.
const WIDTH_TO_GOAL: i32 = -2;

/// The bucket of a length in a search for one goal.
#[inline]
pub(crate) const fn bucket_to_goal(length: Fixed) -> u64 {
    length.above(Fixed::ZERO, WIDTH_TO_GOAL)
}

/// Items by bucket.
#[derive(Clone, Debug, Default)]
pub(crate) struct OpenList {
    /// Bucket number `n` is at `n` modulo their count, a power of two: open ones are close together.
    ring: Vec<Vec<u32>>,
    /// No open item is in a bucket before this one; none in the ring is in bucket `end` or after it.
    current: u64,
    end: u64,
    /// How many items are in the ring.
    count: usize,
    /// Items that were too far ahead for the ring.
    far: BinaryHeap<Reverse<(u64, u32)>>,
}

impl OpenList {
    /// Adds an item to the bucket of its length, which is as wide as a straight step.
    #[inline]
    pub(crate) fn push(&mut self, length: Fixed, item: u32) {
        self.push_to(length.bucket(), item);
    }

    /// Adds an item to the bucket of a number.
    #[inline]
    pub(crate) fn push_to(&mut self, bucket: u64, item: u32) {
        if self.count == 0 {
            self.current = self.far.peek().map_or(bucket, |Reverse((first, _))| *first);
            self.end = self.current;
        }
        let (first, end) = (self.current.min(bucket), self.end.max(bucket + 1));
        if end - first > self.ring.len() as u64 {
            if end - first <= MAX_RING {
                self.widen((end - first) as usize);
            } else if bucket >= self.current {
                return self.far.push(Reverse((bucket, item)));
            } else {
                return self.begin_before(bucket, item);
            }
        }
        (self.current, self.end) = (first, end);
        self.put(bucket, item);
    }

    #[inline]
    fn put(&mut self, bucket: u64, item: u32) {
        let slot = self.slot(bucket);
        self.ring[slot].push(item);
        self.count += 1;
    }

    /// Makes the ring reach this bucket.
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

    /// Moves everything out of the ring, which then begins with a much earlier item.
    #[cold]
    fn begin_before(&mut self, bucket: u64, item: u32) {
        for bucket in self.current..self.end {
            let slot = self.slot(bucket);
            self.far.extend(self.ring[slot].drain(..).map(|item| Reverse((bucket, item))));
        }
        (self.current, self.end, self.count) = (bucket, bucket + 1, 0);
        self.put(bucket, item);
    }

    /// An item of the first bucket, with the bucket's number.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<(u64, u32)> {
        #[cfg(test)]
        work::note();
        if self.count == 0 {
            self.current = self.far.peek()?.0.0;
            self.end = self.current;
        }
        loop {
            let slot = self.slot(self.current);
            if let Some(item) = self.ring[slot].pop() {
                self.count -= 1;
                return Some((self.current, item));
            }
            if self.far.peek().is_some_and(|Reverse((bucket, _))| *bucket == self.current) {
                self.fetch();
            } else {
                self.current += 1;
            }
        }
    }

    /// Moves an item whose bucket has become the first one into the ring.
    #[cold]
    fn fetch(&mut self) {
        self.end = self.end.max(self.current + 1);
        if let Some(Reverse((bucket, item))) = self.far.pop() {
            self.put(bucket, item);
        }
    }

    #[inline]
    fn slot(&self, bucket: u64) -> usize {
        (bucket & (self.ring.len() as u64 - 1)) as usize
    }

    /// Empties it.
    pub(crate) fn clear(&mut self) {
        self.ring.iter_mut().for_each(Vec::clear);
        self.far.clear();
        self.count = 0;
    }

    /// Bytes on the heap.
    pub(crate) fn bytes(&self) -> usize {
        let items: usize = self.ring.iter().map(Vec::capacity).sum();
        self.ring.capacity() * size_of::<Vec<u32>>()
            + items * size_of::<u32>()
            + self.far.capacity() * size_of::<Reverse<(u64, u32)>>()
    }
}

/// How much searches have done, for tests: each takes what it examines out of an open list. What is examined without one
/// is counted as well.
#[cfg(test)]
pub(crate) mod work {
    use core::cell::Cell;

    thread_local!(static ITEMS: Cell<u64> = const { Cell::new(0) });

    /// Counts an item.
    pub(crate) fn note() {
        ITEMS.set(ITEMS.get() + 1);
    }

    /// How many items this thread examines meanwhile.
    pub(crate) fn of(search: impl FnOnce()) -> u64 {
        let before = ITEMS.get();
        search();
        ITEMS.get() - before
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_bucket_comes_first_however_far_apart_they_are() {
        for spread in [3, 40, MAX_RING - 1, MAX_RING, 3 * MAX_RING, 1 << 40] {
            let (mut open, mut expected) = (OpenList::default(), Vec::new());
            let mut random = 7_u64;
            let mut next = |below: u64| {
                random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
                (random >> 20) % below
            };
            let mut popped = 0;
            for step in 0..30_000 {
                if next(5) < 3 && step < 20_000 {
                    // Mostly after what was taken out last, sometimes before it.
                    let bucket = if next(9) == 0 { next(spread) } else { popped + next(spread) };
                    open.push_to(bucket, step);
                    expected.push((bucket, step));
                } else if let Some((bucket, item)) = open.pop() {
                    assert_eq!(expected.iter().map(|open| open.0).min(), Some(bucket), "{spread} {step}");
                    let place = expected.iter().position(|open| *open == (bucket, item)).unwrap();
                    expected.swap_remove(place);
                    popped = bucket;
                }
            }
            assert!(expected.is_empty() && open.pop().is_none() && open.bytes() < 1 << 20, "{} bytes", open.bytes());
        }
    }
}
