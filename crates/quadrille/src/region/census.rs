//! Object counts by cell, from which the counts of any part follow.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use super::leaves::Counts;

/// Occupied cells in Morton order, and how many objects there are before each.
pub(super) struct Census {
    codes: Vec<u64>,
    /// One longer than `codes`: the last number is that of all objects.
    before: Vec<u32>,
}

/// The part of a census that concerns a quad.
#[derive(Clone, Copy)]
pub(super) enum Part<'a> {
    /// As in [`Census`].
    Listed { codes: &'a [u64], before: &'a [u32] },
    /// One object in each cell except this one: what remains when something is removed from a full region. Counted
    /// without looking at the objects, because full regions may be large.
    AllBut(u64),
}

impl Census {
    /// From the codes of the objects' cells, in ascending order.
    pub(super) fn new(objects: impl Iterator<Item = u64>) -> Self {
        let mut census = Self { codes: Vec::new(), before: vec![0] };
        let mut count = 0;
        for code in objects {
            count += 1;
            if census.codes.last() == Some(&code) {
                census.before.pop();
            } else {
                census.codes.push(code);
            }
            census.before.push(count);
        }
        census
    }

    pub(super) fn whole(&self) -> Part<'_> {
        Part::Listed { codes: &self.codes, before: &self.before }
    }
}

impl Part<'_> {
    /// The part that concerns a quad within this part: the span of its codes.
    pub(super) fn within(self, span: &Range<u64>) -> Self {
        match self {
            Self::Listed { codes, before } => {
                let [start, end] = [span.start, span.end].map(|code| codes.partition_point(|&other| other < code));
                Self::Listed { codes: &codes[start..end], before: &before[start..=end] }
            }
            all_but @ Self::AllBut(_) => all_but,
        }
    }

    /// The counts of a quad of this many cells.
    pub(super) fn counts(self, span: &Range<u64>, area: u64) -> Counts {
        match self {
            Self::Listed { codes, before } => {
                Counts { objects: before[codes.len()] - before[0], occupied: codes.len() as u32 }
            }
            Self::AllBut(empty) => {
                let cells = (area - u64::from(span.contains(&empty))) as u32;
                Counts { objects: cells, occupied: cells }
            }
        }
    }
}
