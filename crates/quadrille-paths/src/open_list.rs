//! The open list of a best-first search: a heap of (priority, tie, item), smallest first.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::cost::Length;

/// What is open, cheapest first. An item whose priority falls is pushed again; the search skips what comes late.
#[derive(Clone, Debug, Default)]
pub(crate) struct OpenList {
    heap: BinaryHeap<Reverse<u128>>,
}

impl OpenList {
    pub(crate) fn clear(&mut self) {
        self.heap.clear();
    }

    /// Adds an item: among equal totals the one with less still to go comes first, then the smaller item.
    #[inline]
    pub(crate) fn push(&mut self, total: Length, to_go: Length, item: u32) {
        // The bits of non-negative numbers are ordered as the numbers are.
        let (total, to_go) = (total.as_f64().to_bits(), to_go.straight + to_go.diagonal);
        self.heap.push(Reverse(u128::from(total) << 64 | u128::from(to_go) << 32 | u128::from(item)));
    }

    /// Removes the first item.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "the item is the lowest 32 bits")]
    pub(crate) fn pop(&mut self) -> Option<u32> {
        self.heap.pop().map(|Reverse(entry)| entry as u32)
    }
}
