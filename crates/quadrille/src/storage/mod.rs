//! Floor 1: the few containers that every structure is built from. All of them are plain vectors of small numbers: they
//! grow to the largest need and then stay, so a steady frame allocates nothing.
//!
//! | file | contents |
//! |---|---|
//! | `boxes.rs` | boxes by id, and the free ids |
//! | `handle.rs` | handles that detect staleness |
//! | `layers.rs` | layers and masks by id |
//! | `lists/` | lists of ids, a block at a time |
//! | `heads.rs` | the list of each grid cell |
//! | `homes.rs` | lists in which every box has one home |
//! | `blocks.rs` | tree nodes, four siblings a block |
//! | `unions.rs` | the layers in each node or cell |
//! | `id_set.rs` | a set of ids |
//! | `marked.rs` | a list of ids that knows its members |
//! | `bit_pyramid.rs` | a sparse set of numbers, fast to walk |

mod bit_pyramid;
mod blocks;
mod boxes;
mod handle;
mod heads;
mod homes;
mod id_set;
mod layers;
mod lists;
mod marked;
mod unions;

pub(crate) use bit_pyramid::BitPyramid;
pub(crate) use blocks::Blocks;
pub use boxes::Boxes;
pub(crate) use boxes::MOST_BOXES;
pub use handle::Handle;
pub(crate) use handle::{Generation, sort_by_slot};
pub(crate) use heads::{Heads, Occupied};
pub(crate) use homes::Homes;
pub(crate) use id_set::IdSet;
pub use layers::{Agreement, Layers};
pub(crate) use lists::Lists;
pub(crate) use marked::Marked;
pub(crate) use unions::Unions;

/// The number that is no id, no node and no entry.
pub(crate) const NONE: u32 = u32::MAX;

/// Each element of a list together with the rest of the list after it. Pairs within a list are built from this.
#[inline]
pub(crate) fn tails<L: Iterator + Clone>(mut list: L) -> impl Iterator<Item = (L::Item, L)> {
    core::iter::from_fn(move || list.next().map(|first| (first, list.clone())))
}

/// Reserves room for `len` elements in total: exactly that at first, and an eighth more when a vector grows. Doubling
/// would hold up to twice what is needed. Not inlined: most have room.
#[inline(never)]
pub(crate) fn make_room<T>(vec: &mut alloc::vec::Vec<T>, len: usize) {
    if len > vec.capacity() {
        let spare = if vec.capacity() == 0 { 0 } else { len / 8 };
        vec.reserve_exact(len + spare - vec.len());
    }
}

/// The bytes that the elements of a vector use, and the bytes that it has reserved.
pub(crate) fn bytes_of<T>(vec: &alloc::vec::Vec<T>) -> [usize; 2] {
    [vec.len() * size_of::<T>(), vec.capacity() * size_of::<T>()]
}

/// A list without what is left at its end of those that have gone: so equal ones are written alike.
#[cfg(feature = "serde")]
fn used<T: Copy + PartialEq>(all: &[T], gone: T) -> &[T] {
    &all[..all.iter().rposition(|&one| one != gone).map_or(0, |last| last + 1)]
}

/// Adds up pairs of (used, reserved) bytes.
pub(crate) fn add_bytes(parts: impl IntoIterator<Item = [usize; 2]>) -> [usize; 2] {
    parts.into_iter().fold([0, 0], |[used, reserved], part| [used + part[0], reserved + part[1]])
}
