//! Lists that grow while there is memory, and the answers of a batch, kept until they can be visited in order.

use std::ops::Range;

use quadrille::internals::is_free;

/// Bytes left when a list has grown: comparing two geometries allocates, and without memory would end the process.
const SPARE: usize = 1 << 22;
/// About how many answers of a batch are kept: 64 MB. Fewer: more searches begin without what a neighbor has found.
pub(crate) const MAX_KEPT: usize = 1 << 22;

/// Makes room for more, and returns whether there is memory for that and for the work on the next ones.
pub(crate) fn has_room<T>(all: &mut Vec<T>, more: usize) -> bool {
    all.capacity() - all.len() >= more || grow(all, more)
}

#[cold]
fn grow<T>(all: &mut Vec<T>, more: usize) -> bool {
    all.try_reserve(more).is_ok() && is_free(SPARE)
}

/// The nearest to some numbers of a batch, in one list. Those of the others are searched for when they are visited:
/// ties can be more than memory holds.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    answers: Vec<(u32, f64)>,
    ranges: Vec<Option<Range<usize>>>,
}

impl Kept {
    /// Forgets all, before a batch of this many.
    pub(crate) fn begin(&mut self, many: usize) {
        self.answers.clear();
        self.ranges.clear();
        self.ranges.resize(many, None);
    }

    /// Keeps the answers to a number of the batch; returns whether more should be kept.
    pub(crate) fn keep(&mut self, number: u32, found: &[(u32, f64)]) -> bool {
        let start = self.answers.len();
        if start >= MAX_KEPT || !has_room(&mut self.answers, found.len()) {
            return false;
        }
        self.answers.extend_from_slice(found);
        self.ranges[number as usize] = Some(start..self.answers.len());
        true
    }

    /// The answers to a number of the batch, if they have been kept.
    pub(crate) fn get(&self, number: u32) -> Option<&[(u32, f64)]> {
        self.ranges[number as usize].clone().map(|range| &self.answers[range])
    }
}
