//! Lengths by cell, in memory that is not written before a search reaches it.

use core::ops::{Deref, DerefMut};

use crate::grid::fixed::Fixed;

/// A length for each cell, row by row: none, [`Fixed::MAX`], until one is set.
///
/// Each is stored with its bits inverted, so that none is zero. Zeroed memory comes from the system unwritten; a search
/// of a small part of a large map then pays for that part only.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lengths<M = Vec<u64>>(M);

impl Lengths {
    /// None for each of this many cells.
    pub(crate) fn none(cells: usize) -> Self {
        Self(vec![0; cells])
    }

    /// Sets it to none for each of this many cells, in memory that has been written: for a search that reaches most of
    /// it. It reads before it writes, and the system would provide unwritten memory twice.
    pub(crate) fn renew(&mut self, cells: usize) {
        self.0.clear();
        self.0.resize(cells, 0);
    }

    /// Bytes on the heap.
    pub(crate) fn bytes(&self) -> usize {
        self.0.capacity() * size_of::<u64>()
    }

    /// All of them, borrowed for a tight loop.
    pub(crate) fn lent(&mut self) -> Lengths<&mut [u64]> {
        Lengths(&mut self.0)
    }
}

impl<M: Deref<Target = [u64]>> Lengths<M> {
    /// How many cells there are.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    #[inline]
    pub(crate) fn get(&self, index: usize) -> Fixed {
        Fixed::from_bits(!self.0[index])
    }

    /// All of them, row by row.
    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = Fixed> + Clone {
        self.0.iter().map(|bits| Fixed::from_bits(!bits))
    }
}

impl<M: DerefMut<Target = [u64]>> Lengths<M> {
    #[inline]
    pub(crate) fn set(&mut self, index: usize, length: Fixed) {
        self.0[index] = !length.to_bits();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::cell::Direction;

    #[test]
    fn there_is_none_until_one_is_set() {
        let step = Fixed::of_step(Direction::North, 1);
        let mut lengths = Lengths::none(3);
        lengths.lent().set(1, step);
        lengths.set(2, Fixed::ZERO);
        assert_eq!(lengths.iter().collect::<Vec<_>>(), [Fixed::MAX, step, Fixed::ZERO]);
        lengths.renew(4);
        assert!(lengths.len() == 4 && lengths.iter().all(|length| length == Fixed::MAX));
    }
}
