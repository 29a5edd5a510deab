//! The least id below each group and each node above: if boxes rank alike, the lowest ids come first, and a search
//! need not look at each of them.

use alloc::vec::Vec;
use core::ops::Range;

use super::levels::MAX_LEVELS;
use crate::error::Corruption;
use crate::kernel::LANES;
use crate::memory::clone_by_field;
use crate::storage::{NONE, add_bytes, bytes_of, make_room};

/// Slots of a group.
const GROUP: usize = LANES * LANES;

/// The least ids of all groups, of all sixteen groups, and so on up to a single one; [`NONE`] if there are none. Those
/// of packs are compared on demand. After removals, some are less than need be until boxes are sorted.
#[derive(Debug, Default)]
pub(in super::super) struct LeastIds {
    levels: [Vec<u32>; MAX_LEVELS - 2],
}

clone_by_field!([] LeastIds { levels });

impl LeastIds {
    /// Reads some slots again, and all others if there are more or fewer than before.
    pub(in super::super) fn read(&mut self, order: &[u32], slots: Range<usize>) {
        let (mut below, mut width, mut at) = (order, GROUP, slots);
        for level in &mut self.levels {
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
    pub(in super::super) fn enter(&mut self, slot: usize, id: u32) {
        let mut at = slot / GROUP;
        for level in &mut self.levels {
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

    /// The least id below a child of a level above the boxes.
    #[inline]
    pub(in super::super) fn below(&self, order: &[u32], level: usize, at: usize) -> u32 {
        if level == 1 { least(&order[at * LANES..][..LANES]) } else { self.levels[level - 2][at] }
    }

    pub(in super::super) fn bytes(&self) -> [usize; 2] {
        add_bytes(self.levels.each_ref().map(bytes_of))
    }

    /// None is greater than what is below it.
    #[inline]
    pub(in super::super) fn validate(&self, order: &[u32]) -> Result<(), Corruption> {
        let mut exact = Self::default();
        exact.read(order, 0..order.len());
        let is_sound = self.levels.iter().zip(&exact.levels).all(|(least, exact)| {
            least.len() == exact.len() && least.iter().zip(exact).all(|(least, exact)| least <= exact)
        });
        Corruption::unless(is_sound, || "there are lower ids in a node than it knows".into())
    }
}

#[inline]
fn least(ids: &[u32]) -> u32 {
    ids.iter().fold(NONE, |least, &id| least.min(id))
}

#[cfg(test)]
mod tests {
    use super::LeastIds;
    use crate::random::Random;
    use crate::storage::NONE;

    #[test]
    fn ids_that_come_and_go_are_known_to_every_node() {
        let mut random = Random::new(9);
        let (mut least, mut order) = (LeastIds::default(), alloc::vec![NONE; 9000]);
        least.read(&order, 0..order.len());
        for round in 0..20_000 {
            let slot = random.below(order.len());
            if order[slot] == NONE {
                order[slot] = random.below(1000) as u32;
                least.enter(slot, order[slot]);
            } else {
                order[slot] = NONE;
            }
            if round % 100 == 0 {
                least.validate(&order).expect("none is too great");
            }
        }
    }
}
