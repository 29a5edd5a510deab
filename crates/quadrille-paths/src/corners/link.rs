//! Links from corner to corner.

use super::quadrant;
use crate::grid::cell::Direction;
use crate::walks::turns::Directions;

/// A corner that can be reached from another: its number, and in the upper four bits the direction of the last step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Link(u32);

impl Link {
    /// Leaves 28 bits for numbers: 2^28 corners, whose links alone would take gigabytes.
    const SHIFT: u32 = 28;
    /// The largest number. No corner has it: a map has fewer corners than cells.
    pub(crate) const LAST_CORNER: u32 = (1 << Self::SHIFT) - 1;

    pub(crate) const fn new(corner: u32, arrival: Direction) -> Self {
        Self(corner | (arrival as u32) << Self::SHIFT)
    }

    /// The same to another corner.
    pub(super) const fn to(self, corner: u32) -> Self {
        Self(self.0 & !Self::LAST_CORNER | corner)
    }

    /// The corner's number.
    #[inline]
    pub(crate) const fn corner(self) -> u32 {
        self.0 & Self::LAST_CORNER
    }

    /// The direction of the last step to it, as a bit.
    #[inline]
    pub(crate) const fn arrival(self) -> Directions {
        1 << (self.0 >> Self::SHIFT)
    }
}

/// The directions out of one corner, for a search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exits<'a> {
    pub(super) links: &'a [Link],
    pub(super) links_up_to: UpTo<'a>,
    pub(super) diagonals: &'a [u16; 4],
}

/// Where the links of each direction end: as stored, or as just scanned.
#[derive(Clone, Copy, Debug)]
pub(super) enum UpTo<'a> {
    Stored(&'a [u16; 8]),
    Found(&'a [u32; 8]),
}

impl UpTo<'_> {
    #[inline]
    fn get(self, direction: usize) -> usize {
        match self {
            Self::Stored(counts) => counts[direction].into(),
            Self::Found(counts) => counts[direction] as usize,
        }
    }
}

impl<'a> Exits<'a> {
    /// The corners that can be reached in a direction.
    #[inline]
    pub(crate) fn links(&self, direction: Direction) -> &'a [Link] {
        let direction = direction as usize;
        let start = if direction == 0 { 0 } else { self.links_up_to.get(direction - 1) };
        &self.links[start..self.links_up_to.get(direction)]
    }

    /// How many steps along a diagonal are legal, as far as that matters.
    #[inline]
    pub(crate) fn diagonal(&self, direction: Direction) -> u32 {
        self.diagonals[quadrant(direction)].into()
    }
}
