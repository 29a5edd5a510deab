//! The nearest so far, of those whose distances have been computed.

use std::collections::BinaryHeap;

/// Memory for up to this many of the nearest is reserved at the start.
const ROOM: usize = 64;

/// How many of the nearest to find, and how far away they may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wanted {
    /// At most this many.
    pub count: usize,
    /// At most this far away.
    pub most: f64,
    /// Whether to add all others exactly as near as the last one.
    pub has_ties: bool,
    /// Whether to leave out the geometry with the same number: when a set is compared with itself, that is the geometry
    /// itself.
    pub but_itself: bool,
}

impl Wanted {
    /// The distance of the last one found, if enough were found. `found` is sorted by distance.
    pub(crate) fn last_of(&self, found: &[(u32, f64)]) -> Option<f64> {
        Some(found.get(self.count.checked_sub(1)?)?.1)
    }
}

/// The best so far.
pub(crate) struct Best {
    /// Bits of distances, which sort like the distances because none is negative.
    heap: BinaryHeap<(u64, u32)>,
    /// Others at the same distance as the last one.
    ties: Vec<(u64, u32)>,
    wanted: Wanted,
    but: Option<u32>,
}

impl Best {
    /// None yet, for the geometry of a number.
    pub(crate) fn new(wanted: Wanted, number: u32) -> Self {
        // Holds one more until the farthest is removed.
        let heap = BinaryHeap::with_capacity(wanted.count.min(ROOM) + 1);
        Self { heap, ties: Vec::new(), wanted, but: wanted.but_itself.then_some(number) }
    }

    /// Anything farther away is no answer.
    pub(crate) fn limit(&self) -> f64 {
        let last = self.heap.peek().filter(|_| self.heap.len() >= self.wanted.count);
        last.map_or(self.wanted.most, |(bits, _)| f64::from_bits(*bits).min(self.wanted.most))
    }

    /// The last one that would stay: anything farther, or equally far with a greater number, is no answer.
    pub(crate) fn last(&self) -> (f64, u32) {
        let last = self.heap.peek().filter(|_| !self.wanted.has_ties && self.heap.len() >= self.wanted.count);
        last.map_or((self.limit(), u32::MAX), |(bits, number)| (f64::from_bits(*bits), *number))
    }

    /// Adds a candidate if it is near enough; `distance` gets the limit.
    pub(crate) fn take(&mut self, j: u32, distance: impl FnOnce(f64) -> f64) {
        let limit = self.limit();
        if self.but == Some(j) {
            return;
        }
        let distance = distance(limit);
        if distance <= limit {
            self.heap.push((distance.to_bits(), j));
            if self.heap.len() > self.wanted.count {
                self.replace();
            }
        }
    }

    /// Removes the farthest.
    fn replace(&mut self) {
        let Some(out) = self.heap.pop().filter(|_| self.wanted.has_ties) else { return };
        let last = self.heap.peek().map(|last| last.0);
        // All of them are as far away as the last one was.
        if self.ties.first().is_some_and(|tie| Some(tie.0) != last) {
            self.ties.clear();
        }
        self.ties.extend(Some(out).filter(|out| Some(out.0) == last));
    }

    /// The nearest first, those at equal distances by number.
    pub(crate) fn sorted(self) -> Vec<(u32, f64)> {
        let (mut all, mut ties) = (self.heap.into_sorted_vec(), self.ties);
        // They are farther than all others, or have greater numbers.
        ties.sort_unstable();
        all.append(&mut ties);
        all.into_iter().map(|(bits, j)| (j, f64::from_bits(bits))).collect()
    }
}
