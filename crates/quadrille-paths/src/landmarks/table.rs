//! What both kinds of landmarks store: a row of rounded lengths for each cell or corner.

use crate::grid::Fixed;

/// No length: unreachable, or unknown.
pub(super) const NONE: u16 = u16::MAX;

/// Lengths to up to `N` landmarks in whole units, rounded down.
#[derive(Clone, Debug, Default)]
pub(super) struct Table<const N: usize> {
    /// A unit is two to this power: the longest length from the first landmark then fits 16 bits.
    pub(super) shift: u32,
    /// By number of the cell or corner; empty without landmarks.
    pub(super) rows: Vec<[u16; N]>,
    /// How many landmarks there are.
    pub(super) count: usize,
}

impl<const N: usize> Table<N> {
    /// Adds a landmark, of which there must be fewer than `N`, given all lengths; [`Fixed::MAX`] without a path.
    /// `spare_bits` leave room for later landmarks with longer lengths: what does not fit saturates, which weakens
    /// bounds.
    pub(super) fn add(&mut self, lengths: impl ExactSizeIterator<Item = Fixed> + Clone, spare_bits: u32) {
        if self.count == 0 {
            let longest = lengths.clone().filter(|length| *length != Fixed::MAX).max().unwrap_or(Fixed::ZERO);
            self.shift = (longest.bits() + spare_bits).saturating_sub(u16::BITS);
        }
        self.rows.resize(lengths.len(), [NONE; N]);
        for (row, length) in self.rows.iter_mut().zip(lengths) {
            row[self.count] = if length == Fixed::MAX { NONE } else { length.in_units(self.shift).min(NONE - 1) };
        }
        self.count += 1;
    }

    #[inline]
    pub(super) fn row(&self, number: usize) -> Option<&[u16; N]> {
        self.rows.get(number)
    }

    /// Removes all landmarks, and keeps the memory.
    pub(super) fn clear(&mut self) {
        self.count = 0;
        self.rows.clear();
    }

    /// Bytes on the heap.
    pub(super) fn bytes(&self) -> usize {
        self.rows.capacity() * size_of::<[u16; N]>()
    }
}
