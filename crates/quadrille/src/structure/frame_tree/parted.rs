//! Groups parted by kind: boxes that meet the same boxes are adjacent.
//!
//! If many boxes, such as bullets, do not meet each other, most comparisons are wasted. So within every sixteen
//! groups of packs, boxes of a kind are put side by side, and nearly all packs hold a single kind: two packs of
//! bullets, or two groups of them, are not even compared. No box leaves its sixteen groups, so the levels above stay as
//! they were.
//!
//! ```text
//! along the curve   b b b e b b b b   b b e b b b b b     four to a pack, bullets and enemies
//! parted            e e b b   b b b b   b b b b   b b b b
//! places            3 10 15 14   13 12 11 9   8 …     1 0
//! ```
//!
//! Every other kind lies backward: so the box after the last of a kind is near it, and the pack that holds both is
//! small. The rarest come first. Where each box lies along the curve is kept, because kinds change: then boxes are put
//! back and parted again.

use super::refit::Packs;
use super::tree::FrameTree;
use crate::error::Corruption;
use crate::geometry::Scalar;
use crate::kernel::LANES;
use crate::storage::{Boxes, NONE, make_room};

/// Slots that are parted together. Fewer: more packs hold several kinds, and each of those meets all others nearby. More:
/// groups of rare kinds are wide, and queries look at more of them.
pub(super) const GROUP: usize = LANES * LANES * LANES;

impl<S: Scalar> FrameTree<S> {
    /// Parts the groups of sorted packs again, because kinds or slots have changed. All slots are in use.
    pub(super) fn part_again(&mut self, boxes: &Boxes<S>) -> Packs {
        self.still.lose();
        let was_parted = !self.places.is_empty();
        let grown = 1.0 + self.sample(boxes)[1];
        self.mix();
        self.part(boxes, self.degradation.sorted() * LANES);
        self.least_ids.read(&self.order, 0..self.used);
        if was_parted || !self.places.is_empty() { Packs::Parted(grown as f32) } else { Packs::Same }
    }

    /// Puts all boxes back in the order of the curve.
    pub(super) fn mix(&mut self) {
        for (ids, places) in self.order.chunks_mut(GROUP).zip(self.places.chunks(GROUP)) {
            let mut along = [NONE; GROUP];
            for (&id, &place) in ids.iter().zip(places) {
                along[usize::from(place) % GROUP] = id;
            }
            ids[..places.len()].copy_from_slice(&along[..places.len()]);
            self.is_numbered = false;
        }
        self.places.clear();
    }

    /// Groups boxes by kind within the first slots, which are still in the order of the curve, if that pays.
    pub(super) fn part(&mut self, boxes: &Boxes<S>, slots: usize) {
        debug_assert!(self.holes == 0 && self.places.is_empty(), "{} holes", self.holes);
        if !boxes.has_layers() {
            return;
        }
        self.kinds.read_all(boxes);
        (self.are_layers_read, self.is_fit) = (false, false);
        let Some((by_id, turns)) = self.kinds.if_parted(boxes) else { return };
        let slots = slots.min(self.used);
        make_room(&mut self.places, slots);
        self.places.resize(slots, 0);
        for (ids, places) in self.order.chunks_mut(GROUP).zip(self.places.chunks_mut(GROUP)) {
            let (mut along, mut kinds) = ([NONE; GROUP], [0; GROUP]);
            for ((along, kind), &id) in along.iter_mut().zip(&mut kinds).zip(&ids[..places.len()]) {
                (*along, *kind) = (id, by_id.get(id as usize).copied().unwrap_or(0));
            }
            let kinds = &kinds[..places.len()];
            let (mut parted, mut from, mut is_forward) = ([0; GROUP + 1], 0, true);
            for &kind in &turns {
                let end = list(kinds, kind, from, &mut parted);
                if !is_forward {
                    parted[from..end].reverse();
                }
                (from, is_forward) = (end, is_forward ^ (end > from));
            }
            places.copy_from_slice(&parted[..places.len()]);
            for (id, &place) in ids.iter_mut().zip(&*places) {
                *id = along[usize::from(place) % GROUP];
            }
            self.is_numbered = false;
        }
    }

    /// Each slot of a parted group has a place of its own.
    pub(super) fn validate_places(&self) -> Result<(), Corruption> {
        let is_whole = |places: &[u16]| {
            let mut is_taken = [false; GROUP];
            places.iter().for_each(|place| is_taken[usize::from(*place) % GROUP] = true);
            is_taken[..places.len()].iter().all(|is_taken| *is_taken)
        };
        let is_sound = self.places.len() <= self.used && self.places.chunks(GROUP).all(is_whole);
        Corruption::unless(is_sound, || "boxes of a kind have no places along the curve".into())
    }
}

/// Lists the places of one kind, in order, from number `end` on, and returns where they end. Each place is written, and
/// kept if it is of that kind: a branch could not be predicted.
fn list(kinds: &[u8], kind: u8, mut end: usize, places: &mut [u16; GROUP + 1]) -> usize {
    for (place, &is_of) in kinds.iter().enumerate() {
        places[end.min(GROUP)] = place as u16;
        end += usize::from(is_of == kind);
    }
    end
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::GROUP;
    use crate::geometry::Aabb;
    use crate::kernel::LANES;
    use crate::random::Random;
    use crate::storage::{Boxes, Layers};
    use crate::structure::{FrameTree, Structure};

    const BULLET: Layers = Layers { own: 1, mask: 2 };
    const ENEMY: Layers = Layers { own: 2, mask: 1 };

    fn somewhere(count: usize) -> Boxes<f32> {
        let (mut boxes, mut random) = (Boxes::new(), Random::new(7));
        for _ in 0..count {
            let min = [(); 2].map(|()| random.below(900) as f32);
            boxes.insert(Aabb::new(min, min.map(|edge| edge + 3.0))).expect("there is room");
        }
        boxes
    }

    fn ids(tree: &FrameTree) -> Vec<u32> {
        tree.listed().map(|(_, id)| id).collect()
    }

    /// If bullets do not meet each other, packs hold either bullets or others, except one of those parted together.
    /// Once all meet again, boxes lie where they would without layers.
    #[test]
    fn packs_hold_one_kind_as_long_as_kinds_do_not_meet() {
        const COUNT: usize = 2 * GROUP + 1007;
        let mut boxes = somewhere(COUNT);
        let mut plain = FrameTree::<f32>::new(()).expect("no options");
        plain.build(&boxes);
        let mut tree = plain.clone();
        for turn in 0..3 {
            let layers: Vec<Layers> = (0..COUNT).map(|id| if id % 9 == turn { ENEMY } else { BULLET }).collect();
            boxes.set_first_layers(&layers);
            tree.maintain(&boxes);
            tree.validate(&boxes).expect("a sound tree");
            assert!(tree.levels.fit(), "turn {turn}");
            assert_eq!(tree.places.len(), COUNT);
            let of = |pack: usize| tree.pack(pack).map(|id| boxes.layers(id));
            let mixed = (0..COUNT / LANES).filter(|&pack| of(pack) != [of(pack)[0]; LANES]).count();
            assert!(mixed <= COUNT / GROUP + 1, "{mixed} packs hold both, turn {turn}");
            let mut put_back = tree.clone();
            put_back.mix();
            assert_eq!(ids(&put_back), ids(&plain), "turn {turn}");
        }
        boxes.set_first_layers(&[Layers::ALL; COUNT]);
        tree.maintain(&boxes);
        assert_eq!(ids(&tree), ids(&plain));
        tree.validate(&boxes).expect("a sound tree");
    }

    /// If three kinds meet all but their own, packs of one kind would be so wide that nothing is gained.
    #[test]
    fn boxes_stay_where_they_are_if_parting_gains_nothing() {
        let mut boxes = somewhere(2000);
        let layers: Vec<Layers> = (0..2000).map(|id| 1 << (id % 3)).map(|own| Layers { own, mask: !own }).collect();
        boxes.set_first_layers(&layers);
        let mut tree = FrameTree::<f32>::new(()).expect("no options");
        tree.build(&boxes);
        assert!(tree.places.is_empty());
    }

    /// A free place has no kind: it does not change how many kinds are distinguished.
    #[test]
    fn a_free_place_takes_the_place_of_no_kind() {
        let mut boxes = somewhere(900);
        let layers: Vec<Layers> = (0..900).map(|id| Layers { own: 1 << (id % 8), mask: 1 }).collect();
        boxes.set_first_layers(&layers);
        assert!(boxes.remove(77).is_some());
        let mut tree = FrameTree::<f32>::new(()).expect("no options");
        tree.build(&boxes);
        assert!(tree.kinds.are_known(boxes.agreement()));
        tree.validate(&boxes).expect("a sound tree");
    }

    /// What is restored goes on as the original does.
    #[cfg(feature = "snapshot")]
    #[test]
    fn what_is_restored_is_parted_alike() {
        use crate::Index;

        let boxes: Vec<Aabb> = somewhere(3000).iter().map(|(_, bounds)| bounds).collect();
        let layers =
            |turn: usize| -> Vec<Layers> { (0..3000).map(|id| if id % 8 == turn { ENEMY } else { BULLET }).collect() };
        let by_id = |turn: usize| -> Vec<(u32, Layers)> { (0..).zip(layers(turn)).collect() };
        let mut index = Index::<FrameTree>::from_boxes(&boxes).expect("valid boxes");
        index.set_layers_batch(&by_id(1)).expect("as many layers");
        let bytes = index.to_bytes().expect("ours");
        let mut restored = Index::<FrameTree>::from_bytes(&bytes).expect("just written");
        for turn in 1..4 {
            assert!(index.pairs().eq(restored.pairs()), "turn {turn}");
            for index in [&mut index, &mut restored] {
                index.set_layers_batch(&by_id(turn)).expect("as many layers");
                index.update_all(&boxes).expect("valid boxes");
            }
        }
        // A forged snapshot, in which two boxes have the same place.
        let mut tree = FrameTree::<f32>::new(()).expect("no options");
        let mut boxes = somewhere(300);
        boxes.set_first_layers(&layers(1)[..300]);
        tree.build(&boxes);
        tree.places[0] = tree.places[1];
        assert!(tree.validate(&boxes).is_err());
    }

    /// Sorting costs more beside the pairs if few kinds meet: bullets come and go, and not every frame sorts everything.
    #[test]
    fn bullets_that_come_and_go_are_not_sorted_in_every_frame() {
        let sorted = |bullet: Layers| {
            let (mut boxes, mut random, mut tree) =
                (somewhere(8000), Random::new(5), FrameTree::new(()).expect("none"));
            (0..8000).for_each(|id| boxes.set_layers(id, if id < 200 { ENEMY } else { bullet }));
            tree.build(&boxes);
            let mut sorted = 0;
            for frame in 0..40 {
                for id in (0..130).map(|k| 200 + (frame * 130 + k) % 7800) {
                    tree.remove(&boxes, id);
                    boxes.remove(id);
                    let min = [(); 2].map(|()| random.below(900) as f32);
                    let new = boxes.insert(Aabb::new(min, min.map(|edge| edge + 3.0))).expect("there is room");
                    boxes.set_layers(new, bullet);
                    tree.insert(&boxes, new);
                }
                tree.maintain(&boxes);
                tree.validate(&boxes).expect("a sound tree");
                sorted += u32::from(tree.sweep.age == 0);
            }
            sorted
        };
        let [few, many] = [BULLET, Layers { own: 1, mask: 3 }].map(sorted);
        assert!(few < many, "{few} of 40 frames, and {many} if all meet");
    }
}
