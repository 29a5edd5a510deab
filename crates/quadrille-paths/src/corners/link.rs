//! A corner, its links to others, and what a scan of the map out of it finds.

use crate::grid::Direction;
use crate::walks::{Directions, Turns, exits};

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

/// A set of quadrants, one bit each: north-east, south-east, south-west, north-west. Each includes the straight
/// direction clockwise of it.
pub(super) type Quadrants = u8;

/// All quadrants of a corner.
pub(super) const ALL: Quadrants = 0b1111;

/// The quadrant of a direction.
pub(super) const fn quadrant(direction: Direction) -> usize {
    (direction as usize + 7) % 8 / 2
}

/// The quadrants of some directions.
pub(super) const fn quadrants(directions: Directions) -> Quadrants {
    // Each quadrant has two directions, of which the second of the last is the first of all.
    let pairs = directions.rotate_right(1);
    let any = (pairs | pairs >> 1) & 0b0101_0101;
    let two = (any | any >> 1) & 0b0011_0011;
    (two | two >> 2) & ALL
}

/// One corner: 32 bytes, two per cache line, because searches are memory-bound.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Corner {
    /// Where its links are stored, and by direction how many there are in this one and those before it; the last is
    /// the total.
    pub(super) first_link: u32,
    pub(super) links_up_to: [u16; 8],
    /// By quadrant, how many steps along the diagonal are legal.
    pub(super) diagonals: [u16; 4],
    /// Quadrants whose links may be out of date.
    pub(super) stale: Quadrants,
    pub(super) walls: u8,
    /// The directions that a shortest path may take, after any last step: what is scanned.
    pub(super) exits: Directions,
}

const _: () = assert!(size_of::<Corner>() == 32);

impl Corner {
    /// Sets the walls around it.
    pub(super) fn surround(&mut self, turns: &Turns, walls: u8) {
        (self.walls, self.exits) = (walls, exits(turns, walls));
    }

    /// Which steps of the diagonal in a quadrant are scanned from along its rows, the first to the last, and which along
    /// its columns; from the corner itself, only in the straight direction that the quadrant includes. The illegal step
    /// after the diagonal was examined as well.
    #[inline(always)]
    pub(super) fn scanned(&self, quadrant: usize) -> [(i32, i32); 2] {
        let exits = self.exits.rotate_right(2 * quadrant as u32 + 1);
        let (diagonal, straight) = (i32::from(exits & 1), i32::from(exits >> 1 & 1));
        let last = diagonal * (i32::from(self.diagonals[quadrant]) + 1);
        let [own, other] = [(1 - straight, last), (1, last)];
        if quadrant % 2 == 0 { [own, other] } else { [other, own] }
    }

    /// How many links are stored.
    pub(super) fn count(&self) -> usize {
        self.links_up_to[7].into()
    }

    /// Those of its links that lead in a direction.
    pub(super) fn toward<'a>(&self, links: &'a [Link], direction: usize) -> &'a [Link] {
        let start = if direction == 0 { 0 } else { self.links_up_to[direction - 1] };
        &links[start.into()..self.links_up_to[direction].into()]
    }

    /// Itself with its links, for a search.
    #[inline]
    pub(super) fn exits<'a>(&'a self, links: &'a [Link]) -> Exits<'a> {
        Exits { links, links_up_to: UpTo::Stored(&self.links_up_to), diagonals: &self.diagonals }
    }
}

/// What a scan in some directions out of a corner finds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Found {
    pub(super) links: Vec<Link>,
    pub(super) links_up_to: [u32; 8],
    pub(super) diagonals: [u16; 4],
    /// The stale quadrants that were scanned again; of the other quadrants it has what is stored.
    pub(super) renewed: Quadrants,
}

impl Found {
    /// With room for some more links than this many.
    pub(super) fn for_links(count: usize) -> Self {
        Self { links: Vec::with_capacity(count + count / 4 + 4), ..Self::default() }
    }

    /// For a search.
    pub(crate) fn exits(&self) -> Exits<'_> {
        Exits { links: &self.links, links_up_to: UpTo::Found(&self.links_up_to), diagonals: &self.diagonals }
    }

    /// Records how many steps of a diagonal are legal.
    pub(super) fn note(&mut self, direction: Direction, diagonal: u16) {
        if direction.is_diagonal() {
            self.diagonals[quadrant(direction)] = diagonal;
        }
    }

    /// Bytes on the heap.
    pub(crate) fn bytes(&self) -> usize {
        self.links.capacity() * size_of::<Link>()
    }
}

/// The directions out of one corner, for a search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exits<'a> {
    links: &'a [Link],
    links_up_to: UpTo<'a>,
    diagonals: &'a [u16; 4],
}

/// Where the links of each direction end: as stored, or as just scanned.
#[derive(Clone, Copy, Debug)]
enum UpTo<'a> {
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
