//! Fixed boxes behind all others.
//!
//! If most boxes are fixed, such as walls, a sort puts them behind those that move. So whole groups hold nothing
//! else: a frame in which none of them is moved need not copy them, and a step of events need not compare them with
//! each other.
//!
//! ```text
//! moving, along the curve   fixed, along the curve                     tail
//! ════════════════════════╪══╪═════════ groups at rest ═════════╪═════╪══════
//! ```

use core::mem::take;

use super::still::GROUP;
use super::tree::FrameTree;
use crate::geometry::Scalar;
use crate::kernel::LANES;
use crate::storage::{Boxes, NONE};

impl<S: Scalar> FrameTree<S> {
    /// Notes whether a box is fixed. One that no longer is leaves those at rest.
    pub(super) fn fix(&mut self, boxes: &Boxes<S>, id: u32, is_fixed: bool) {
        if !self.still.set(id, is_fixed) {
            return;
        }
        self.still.is_known &= !is_fixed;
        if !is_fixed && !self.still.groups.is_empty() {
            let slot = self.slot(boxes, id);
            if self.still.groups.contains(&(slot / GROUP)) {
                self.vacate(boxes, slot);
                self.append(boxes, id);
            }
        }
    }

    /// Puts fixed boxes, which have just been sorted with all others, behind them.
    pub(super) fn put_fixed_last(&mut self) {
        self.still.lose();
        if !self.still.are_most(self.order.len()) {
            return;
        }
        let (mut spare, mut moving) = (take(&mut self.still.spare), 0);
        for at in 0..self.order.len() {
            let id = self.order[at];
            if self.still.is_fixed(id) {
                spare.push(id);
            } else {
                self.order[moving] = id;
                moving += 1;
            }
        }
        self.order[moving..].copy_from_slice(&spare);
        spare.clear();
        self.still.spare = spare;
    }

    /// Finds the groups that hold fixed boxes only, unless they are known.
    pub(super) fn find_still(&mut self) {
        if self.still.is_known {
            return;
        }
        self.still.lose();
        self.still.is_known = true;
        if self.still.count < GROUP {
            return;
        }
        let end = self.used.min(self.degradation.sorted() * LANES) / GROUP;
        let at_rest = (0..end).rev().take_while(|&group| self.still.is_at_rest(&self.order, group));
        let groups = at_rest.last().unwrap_or(end)..end;
        self.still.held = self.order[groups.start * GROUP..end * GROUP].iter().filter(|&&id| id != NONE).count();
        self.still.groups = groups;
    }
}

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeSet;
    use alloc::vec::Vec;

    use super::GROUP;
    use crate::geometry::Aabb;
    use crate::random::Random;
    use crate::{BoxOptions, Events, FrameTree, Index, Layers, Mobility, Overlaps};

    fn somewhere(random: &mut Random) -> Aabb {
        let min = [(); 2].map(|()| random.below(300) as f32);
        Aabb::new(min, min.map(|edge| edge + 4.0))
    }

    /// Pairs that overlap and meet, and of which at least one is not fixed, by brute force.
    fn expected(index: &Index<FrameTree>) -> BTreeSet<(u32, u32)> {
        let all: Vec<_> = index.iter().collect();
        let moving = |id| index.mobility(id) == Some(Mobility::Moving);
        let layers = |id| index.layers(id).expect("in use");
        let movers = all.iter().filter(|&&(id, _)| moving(id));
        let pairs = movers.flat_map(|&(a, one)| all.iter().map(move |&(b, other)| (a, one, b, other)));
        let meeting = pairs.filter(|&(a, one, b, other)| {
            a != b && one.intersects(&other) && layers(a).meets(layers(b), index.agreement())
        });
        meeting.map(|(a, _, b, _)| (a.min(b), a.max(b))).collect()
    }

    fn at_rest(index: &Index<FrameTree>) -> usize {
        index.view().structure.still.groups().len()
    }

    /// Walls are built, moved, torn down and set free among boxes that move, in whole frames and one by one.
    #[test]
    fn events_are_right_however_fixed_boxes_come_and_go() {
        let mut most = 0;
        for seed in 0..4 {
            let mut random = Random::new(seed);
            let boxes: Vec<Aabb> = (0..1700).map(|_| somewhere(&mut random)).collect();
            let mut index = <Index>::from_boxes(&boxes).expect("valid boxes");
            for id in 300..1700 {
                index.set_mobility(id, Mobility::Fixed).expect("in use");
            }
            let (mut last, mut events) = (BTreeSet::new(), Events::default());
            for turn in 0..30 {
                let ids: Vec<u32> = index.iter().map(|(id, _)| id).collect();
                let pick = |random: &mut Random| ids[random.below(ids.len())];
                match random.below(8) {
                    0 | 1 => {
                        let moves_walls = random.below(4) == 0;
                        let mut frame = index.view().boxes.all().to_vec();
                        for (id, bounds) in (0..).zip(&mut frame).filter(|&(id, _)| moves_walls || id < 300) {
                            *bounds = bounds.with_offset([(id % 3) as f32, 1.0]);
                        }
                        index.update_all(&frame).expect("valid boxes");
                    }
                    2 | 3 => {
                        for _ in 0..[5, 400][random.below(2)] {
                            let bounds = somewhere(&mut random);
                            index.update(pick(&mut random), bounds).expect("in use");
                        }
                        index.maintain();
                    }
                    4 => {
                        for _ in 0..[3, 150][random.below(2)] {
                            index.remove(pick(&mut random));
                        }
                    }
                    5 => {
                        for _ in 0..90 {
                            let bounds = somewhere(&mut random);
                            let mobility = [Mobility::Moving, Mobility::Fixed][random.below(2)];
                            let options = BoxOptions::new().with_mobility(mobility);
                            index.insert_with(bounds, options).expect("there is room");
                        }
                    }
                    6 => {
                        for _ in 0..[2, 200][random.below(2)] {
                            let mobility = [Mobility::Moving, Mobility::Fixed, Mobility::Fixed][random.below(3)];
                            index.set_mobility(pick(&mut random), mobility).expect("in use");
                        }
                    }
                    _ if seed % 2 == 1 => {
                        for _ in 0..50 {
                            let layers = Layers::new(1 << random.below(2), [1, 2, 3][random.below(3)]);
                            index.set_layers(pick(&mut random), layers).expect("in use");
                        }
                    }
                    _ => index.maintain(),
                }
                index.validate().expect("a sound tree");
                most = most.max(at_rest(&index));
                let now = expected(&index);
                index.step_events(&mut events);
                let begun: Vec<_> = now.difference(&last).copied().collect();
                // A removed box and a new one under its id begin and end alike.
                let both: BTreeSet<_> = events.begin.iter().filter(|pair| events.end.contains(pair)).copied().collect();
                assert!(events.begin.iter().filter(|pair| !both.contains(pair)).eq(&begun), "seed {seed}, turn {turn}");
                let ended: Vec<_> = last.difference(&now).copied().collect();
                assert!(events.end.iter().filter(|pair| !both.contains(pair)).eq(&ended), "seed {seed}, turn {turn}");
                index.validate().expect("sound events");
                last = now;
            }
        }
        assert!(most > 2, "{most} groups at rest");
    }

    /// Frames in which no wall moves copy none; one that is set free leaves those at rest.
    #[test]
    fn walls_are_at_rest_until_one_moves() {
        let mut random = Random::new(9);
        let boxes: Vec<Aabb> = (0..4000).map(|_| somewhere(&mut random)).collect();
        let mut index = <Index>::from_boxes(&boxes).expect("valid boxes");
        for id in 500..4000 {
            index.set_mobility(id, Mobility::Fixed).expect("in use");
        }
        assert_eq!(at_rest(&index), 0);
        index.maintain();
        assert_eq!(at_rest(&index), 4000 / GROUP - 2);
        let all: Vec<_> = index.pairs().collect();
        assert_eq!(all.len(), index.pairs_count());
        assert!(index.pairs_count() > 500, "pairs do not tell fixed boxes from others");
        let groups = index.view().structure.still.groups();
        let freed = index.view().structure.order[groups.start * GROUP + 7];
        index.set_mobility(freed, Mobility::Moving).expect("in use");
        index.validate().expect("a sound tree");
        assert_eq!(index.view().structure.still.groups(), groups);
    }

    /// What is restored finds out which groups are at rest, and how many boxes they hold. The original knows the same, also
    /// after some have gone, so that both sort everything in the same frame.
    #[cfg(feature = "snapshot")]
    #[test]
    fn what_is_restored_is_sorted_when_the_original_is() {
        let mut random = Random::new(3);
        let boxes: Vec<Aabb> = (0..4000).map(|_| somewhere(&mut random)).collect();
        let mut index = <Index>::from_boxes(&boxes).expect("valid boxes");
        // The second time, a few too few to sort everything once more.
        for walls in [1000..4000, 0..820] {
            walls.for_each(|id| index.set_mobility(id, Mobility::Fixed).expect("in use"));
            index.maintain();
        }
        let first = index.view().structure.still.groups().start * GROUP;
        let gone = index.view().structure.order[first..][..240].to_vec();
        gone.into_iter().for_each(|id| assert!(index.remove(id).is_some()));
        let before = index.view().structure.order.clone();
        let mut restored = <Index>::from_bytes(&index.to_bytes().expect("ours")).expect("just written");
        [&mut index, &mut restored].into_iter().for_each(Index::maintain);
        assert!(restored.view().structure.order != before, "nothing has been sorted");
        assert!(index.pairs().eq(restored.pairs()));
    }

    /// In a parted tree, walls lie among others of their kind. That they do right after a sort is no reason for the next.
    #[test]
    fn walls_that_are_parted_are_not_sorted_in_every_frame() {
        let mut random = Random::new(4);
        let mut boxes = || -> Vec<Aabb> { (0..5100).map(|_| somewhere(&mut random)).collect() };
        let mut index = <Index>::from_boxes(&boxes()).expect("valid boxes");
        let layers = |id| if id < 100 { Layers::new(2, 1) } else { Layers::new(1, 2) };
        index.set_layers_batch(&(0..5100).map(|id| (id, layers(id))).collect::<Vec<_>>()).expect("in use");
        (200..5100).for_each(|id| index.set_mobility(id, Mobility::Fixed).expect("in use"));
        index.update_all(&boxes()).expect("valid boxes");
        assert!(!index.view().structure.places.is_empty() && at_rest(&index) > 0);
        (0..9).for_each(|_| index.maintain());
        assert_eq!(index.view().structure.sweep.age, 9, "frames since the last sort");
    }

    /// Boxes that have just become fixed, which no one has looked for yet, move in a whole frame all the same.
    #[test]
    fn boxes_that_have_just_become_fixed_move_with_the_next_frame() {
        for count in [255, 256, 600, 4000] {
            let mut random = Random::new(count);
            let boxes: Vec<Aabb> = (0..count).map(|_| somewhere(&mut random)).collect();
            let mut index = <Index>::from_boxes(&boxes).expect("valid boxes");
            for id in 0..count as u32 {
                index.set_mobility(id, Mobility::Fixed).expect("in use");
            }
            let moved: Vec<Aabb> = boxes.iter().map(|bounds| bounds.with_offset([1000.0, 0.0])).collect();
            index.update_all(&moved).expect("valid boxes");
            index.validate().expect("a sound tree");
            assert_eq!(index.query_count(Overlaps(Aabb::new([1000.0, 0.0], [1304.0, 304.0]))), moved.len());
        }
    }
}
