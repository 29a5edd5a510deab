//! Boxes that jump in a frame in which others drift.
//!
//! A box that has jumped stretches the hull of its pack across the world, so that it meets all others. If many boxes
//! jump, `maintain` sorts everything. If few do, they go to the tail, as single changes would send them there, and wait
//! for the next sweep.

use core::array;
use core::ops::Range;

use super::order::degradation::MAX_GROWTH;
use super::tree::FrameTree;
use crate::geometry::{Aabb, Scalar};
use crate::kernel::LANES;
use crate::storage::Boxes;

/// Strays are looked for in all packs if hulls have grown by this much on average. More: a few strays stay, each of
/// which meets everything. Less: nearly every frame looks for them.
const GROWN: f64 = 0.25;

/// At most this many boxes of a pack stray. More: it takes longer to find out. Fewer: if one more has jumped, all stay.
const FEW: usize = 4;

/// Strays leave at most one pack in this many. More: as many wait in the tail. Fewer: a world in which everything jumps looks
/// for strays in all packs, and is sorted then.
const LEFT: usize = 4;

impl<S: Scalar> FrameTree<S> {
    /// Have hulls grown, on average, as if some boxes had jumped, which can go to the tail?
    pub(super) fn may_have_strays(&self, boxes: &Boxes<S>, grown: f64) -> bool {
        grown >= GROWN && self.can_be_parted(boxes)
    }

    /// Sends boxes that have jumped to the tail, which is sorted, unless so many have that everything is to be sorted. Packs in
    /// a range have just been sorted.
    pub(super) fn send_strays(&mut self, boxes: &Boxes<S>, fresh: &Range<usize>) {
        let (sorted, slots) = (self.sorted_packs(), self.order.len());
        let left = (0..sorted).filter(|pack| !fresh.contains(pack) && self.stands_out(*pack, false));
        if left.count() > sorted / LEFT {
            return;
        }
        for pack in 0..sorted {
            let is_fresh = fresh.contains(&pack);
            if self.stands_out(pack, is_fresh) {
                self.list_strays(boxes, pack);
                if is_fresh {
                    self.degradation.renew(pack, &self.levels.get(1, pack));
                }
            }
        }
        if self.order.len() > slots {
            self.sort_waiting(boxes, sorted * LANES);
            self.refit_some(boxes, sorted..self.levels.packs());
            self.levels.raise();
        }
    }

    /// Does a pack meet many more others than when it was sorted, or, if it has just been, than the one before or after?
    fn stands_out(&self, pack: usize, is_fresh: bool) -> bool {
        let hull = |pack| self.levels.get(1, pack);
        let cost = |pack| self.degradation.cost_of(&hull(pack));
        match is_fresh {
            true => {
                let around = pack.saturating_sub(1)..(pack + 2).min(self.levels.packs());
                cost(pack) > MAX_GROWTH * around.map(cost).fold(f32::INFINITY, f32::min)
            }
            false => self.degradation.is_overgrown(pack, &hull(pack)),
        }
    }

    /// Lists the strays of a pack after all slots.
    fn list_strays(&mut self, boxes: &Boxes<S>, pack: usize) {
        let bounds = array::from_fn(|lane| self.levels.get(0, pack * LANES + lane));
        let mut strays = strays(bounds, &self.levels.get(1, pack), |hull| self.degradation.cost_of(hull));
        // The last first: the place of each goes to the last box of all.
        while let Some(lane) = strays.checked_ilog2() {
            let slot = pack * LANES + lane as usize;
            self.order.push(self.order[slot]);
            self.vacate(boxes, slot);
            strays -= 1 << lane;
        }
    }
}

/// A bit for each box of a pack that has jumped: the few without which its hull costs much less.
fn strays<S: Scalar>(mut pack: [Aabb<S>; LANES], hull: &Aabb<S>, cost: impl Fn(&Aabb<S>) -> f32) -> u32 {
    let mut strays = 0;
    for _ in 0..FEW {
        let mut after = [Aabb::EMPTY; LANES];
        (1..LANES).rev().for_each(|lane| after[lane - 1] = after[lane].union(&pack[lane]));
        let (mut before, mut least, mut outermost) = (Aabb::EMPTY, f32::INFINITY, 0);
        for lane in (0..LANES).filter(|&lane| pack[lane].is_ordered()) {
            let others = cost(&before.union(&after[lane]));
            if others < least {
                (least, outermost) = (others, lane);
            }
            before = before.union(&pack[lane]);
        }
        pack[outermost] = Aabb::EMPTY;
        strays |= 1 << outermost;
        if MAX_GROWTH * least < cost(hull) {
            return strays;
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use crate::Index;
    use crate::geometry::Aabb;
    use crate::random::Random;
    use crate::structure::frame_tree::windows::tests::{hulls, is_nearly_sorted, sorted_pairs, was_sorted};
    use crate::structures::BruteForce;

    /// However many boxes jump in each frame, evenly spread or in clusters, hulls stay small, and answers right. If few
    /// do, no frame sorts everything at once.
    #[test]
    fn boxes_that_jump_do_not_stretch_packs() {
        for (jumping, clusters) in [(1, 0), (6, 0), (6, 9), (24, 0), (24, 9), (100, 0), (3000, 9)] {
            let mut random = Random::new(11);
            let mut place = || {
                let mut some = |below: usize| random.below(below * 8) as f32 / 8.0;
                let corner = [some(400), some(400)];
                let corner = if clusters == 0 { corner } else { corner.map(|at| (at / 400.0 * 3.0).floor() * 1500.0) };
                Aabb::from_center([corner[0] + some(400), corner[1] + some(400)], [2.0; 2])
            };
            let mut boxes: Vec<Aabb> = (0..6000).map(|_| place()).collect();
            let mut index = <Index>::from_boxes(&boxes).expect("valid boxes");
            let mut sorted = 0;
            for frame in 0..60_usize {
                for (id, bounds) in boxes.iter_mut().enumerate() {
                    *bounds = bounds.with_offset([[0.125, -0.125], [-0.125, 0.0]][(id + frame / 16) % 2]);
                }
                for k in 0..jumping {
                    boxes[(frame * jumping + k) * 7919 % 6000] = place();
                }
                let is_in_time = is_nearly_sorted(&index);
                index.update_all(&boxes).expect("valid boxes");
                sorted += usize::from(was_sorted(&index) && !is_in_time);
                let times = hulls(&index) / hulls(&Index::from_boxes(&boxes).expect("valid boxes"));
                assert!(times < 2.0, "{jumping} jump: hulls {times} times as large as after a sort, in frame {frame}");
                index.validate().expect("a sound tree");
                if frame % 16 == 7 {
                    let brute = Index::<BruteForce>::from_boxes(&boxes).expect("valid boxes");
                    assert_eq!(
                        sorted_pairs(index.pairs()),
                        sorted_pairs(brute.pairs()),
                        "{jumping} jump, frame {frame}"
                    );
                }
            }
            assert!(jumping > 24 || sorted <= 2, "{jumping} jump: everything was sorted {sorted} times");
        }
    }
}
