//! The least id below each group and each node above: where boxes rank alike, the lowest ids come first, and a search
//! need not look at each of them.

use alloc::vec::Vec;
use core::ops::Range;

use super::FrameTree;
use super::levels::MAX_LEVELS;
use crate::error::Corruption;
use crate::geometry::Scalar;
use crate::kernel::LANES;
use crate::storage::{NONE, bytes_of, make_room};

/// Slots of a group.
const GROUP: usize = LANES * LANES;

/// The least ids of all groups, of all sixteen groups, and so on up to a single one; [`NONE`] where there are none. Those
/// of packs are compared when they are asked for.
#[derive(Clone, Debug, Default)]
pub(super) struct LeastIds([Vec<u32>; MAX_LEVELS - 2]);

impl LeastIds {
    /// Reads some slots again, and all others if there are more or fewer than before.
    pub(super) fn read(&mut self, order: &[u32], slots: Range<usize>) {
        let (mut below, mut width, mut at) = (order, GROUP, slots);
        for level in &mut self.0 {
            let count = below.len().div_ceil(width);
            make_room(level, count);
            level.resize(count, NONE);
            at = at.start / width..at.end.div_ceil(width);
            for (node, children) in level[at.clone()].iter_mut().zip(below[at.start * width..].chunks(width)) {
                *node = least(children);
            }
            below = level;
            width = LANES;
        }
    }

    /// An id comes to a slot, which may be the first of a new pack.
    pub(super) fn enter(&mut self, slot: usize, id: u32) {
        let mut at = slot / GROUP;
        for level in &mut self.0 {
            if at == level.len() {
                level.push(NONE);
            }
            if level[at] < id {
                return;
            }
            level[at] = id;
            at /= LANES;
        }
    }

    /// An id has left a slot.
    pub(super) fn leave(&mut self, order: &[u32], slot: usize, id: u32) {
        if self.0[0].get(slot / GROUP) == Some(&id) {
            self.read(order, slot..slot + 1);
        }
    }

    pub(super) fn bytes(&self) -> [usize; 2] {
        self.0.iter().map(bytes_of).fold([0; 2], |[used, held], bytes| [used + bytes[0], held + bytes[1]])
    }

    /// They are those of the slots.
    pub(super) fn validate(&self, order: &[u32]) -> Result<(), Corruption> {
        let mut exact = Self::default();
        exact.read(order, 0..order.len());
        Corruption::unless(self.0 == exact.0, || "the least ids of nodes are others".into())
    }
}

impl<S: Scalar> FrameTree<S> {
    /// The least id below a child of a level above the boxes.
    #[inline]
    pub(super) fn least_id(&self, level: usize, at: usize) -> u32 {
        if level == 1 { least(self.pack(at)) } else { self.least_ids.0[level - 2][at] }
    }
}

#[inline]
fn least(ids: &[u32]) -> u32 {
    ids.iter().fold(NONE, |least, &id| least.min(id))
}
