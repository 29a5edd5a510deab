//! Handles that know when they are stale.

use core::fmt;
use core::num::NonZeroU32;

/// Names one box and its payload in a [`Space`](super::Space). 8 bytes, and so is `Option<Handle>`.
///
/// A handle outlives what it names: once that is removed, the handle is *stale*, and every call finds that out, even if
/// the place has been taken by something new. (A place would have to be reused 2^32 - 1 times for an old handle to fit
/// again.) Handles of one space mean nothing in another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Handle {
    /// The place, which is also the id in the index below.
    pub(super) slot: u32,
    /// How many things have had the place, counting from 1.
    pub(super) generation: Generation,
}

impl Handle {
    /// The id by which the [`Index`](crate::Index) below knows the box, and under which tables of your own may be kept:
    /// ids are dense. The next box in the same place has the same id.
    #[must_use]
    pub const fn id(self) -> u32 {
        self.slot
    }
}

impl fmt::Debug for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Handle({}v{})", self.slot, self.generation.get())
    }
}

/// Counts the uses of a place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Generation(NonZeroU32);

impl Generation {
    pub(super) const FIRST: Self = Self(NonZeroU32::MIN);

    pub(super) const fn get(self) -> u32 {
        self.0.get()
    }

    /// The one after; after the last comes the first.
    pub(super) const fn next(self) -> Self {
        match self.0.checked_add(1) {
            Some(next) => Self(next),
            None => Self::FIRST,
        }
    }
}

const _: () = assert!(size_of::<Option<Handle>>() == size_of::<Handle>() && size_of::<Handle>() == 8);
