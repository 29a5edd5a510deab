//! Handles that detect staleness.

use alloc::vec::Vec;
use core::fmt;
use core::num::NonZeroU32;

/// Names one box and its payload in a [`Space`](crate::Space). 8 bytes; so is `Option<Handle>`.
///
/// In the manual: `docs/concepts.md#ids-and-handles`.
///
/// A handle can outlive what it names. Once that is removed, the handle is *stale*, and every call detects it, even if
/// something new has taken the slot. (A slot would have to be reused 2^32 - 1 times before an old handle matched
/// again.)
///
/// A handle is good for the space that gave it. It does not say which one that was: another space may take it for one
/// of its own and answer with another thing. If you hold several spaces, wrap the handles of each in a type of its own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Handle {
    /// The slot, which is also the id in the underlying index.
    pub(crate) slot: u32,
    /// How many things have had the slot, counting from 1.
    pub(crate) generation: Generation,
}

/// Sorts handles by their slots: as numbers, of which a sort is compiled anyway.
pub(crate) fn sort_by_slot(handles: &mut Vec<Handle>) {
    let mut numbers: Vec<u64> = handles.drain(..).map(|handle| handle.to_bits().rotate_left(32)).collect();
    numbers.sort_unstable();
    handles.extend(numbers.into_iter().filter_map(|number| Handle::from_bits(number.rotate_right(32))));
}

impl Handle {
    /// The id of the box in the underlying [`Index`](crate::Index). Ids are dense, so you can use them to index your
    /// own tables. The next box in the same slot has the same id.
    #[must_use]
    pub const fn id(self) -> u32 {
        self.slot
    }

    /// The handle as a number, for fields of 64 bits, such as the user data of an engine or of a foreign interface.
    /// Never zero. The [id](Self::id) is in the lower half.
    ///
    /// ```
    /// use quadrille::{Aabb, Handle, Space};
    ///
    /// let mut space = Space::<&str>::default();
    /// let cat = space.insert(Aabb::new([0.0, 0.0], [1.0, 1.0]), "cat")?;
    /// let user_data: u64 = cat.to_bits();
    /// assert_eq!(Handle::from_bits(user_data), Some(cat));
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    #[must_use]
    pub const fn to_bits(self) -> u64 {
        (self.generation.get() as u64) << 32 | self.slot as u64
    }

    /// The handle with these [bits](Self::to_bits); `None` if no handle has them. A handle from numbers that no space
    /// has given is stale, like any other from elsewhere.
    #[must_use]
    pub const fn from_bits(bits: u64) -> Option<Self> {
        match NonZeroU32::new((bits >> 32) as u32) {
            Some(generation) => Some(Self { slot: bits as u32, generation: Generation(generation) }),
            None => None,
        }
    }
}

impl fmt::Debug for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Handle({}v{})", self.slot, self.generation.get())
    }
}

/// Counts the uses of a slot.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Generation(NonZeroU32);

impl Generation {
    pub(crate) const FIRST: Self = Self(NonZeroU32::MIN);

    pub(crate) const fn get(self) -> u32 {
        self.0.get()
    }

    /// The next generation; the first comes after the last.
    pub(crate) const fn next(self) -> Self {
        match self.0.checked_add(1) {
            Some(next) => Self(next),
            None => Self::FIRST,
        }
    }
}

const _: () = assert!(size_of::<Option<Handle>>() == size_of::<Handle>() && size_of::<Handle>() == 8);
