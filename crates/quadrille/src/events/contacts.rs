//! One step: from boxes that have changed to pairs that began and ended.

use alloc::vec::Vec;
use core::ops::ControlFlow::{self, Break, Continue};

use super::asking::Asking;
use super::last::{LastPairs, Pair, Walk, pack, unpack};
use super::pending::Pending;
use super::scene::Scene;
use crate::arranged::Arranged;
use crate::error::Corruption;
use crate::executor::Serial;
use crate::geometry::Aabb;
use crate::kernel::Overlap;
use crate::memory::clone_by_field;
use crate::structure::{Part, Structure};

/// If more than one box in this many has changed, one walk over all pairs replaces a query for each. Measured with
/// 50,000 boxes of `uniform`, the two cost the same at one in 6 in `LooseGrid` and `LooseQuadtree`.
const AT_ONCE: usize = 8;

/// The same in a `FrameTree`, whose walk takes less time: the two cost the same at one in 16 of 10,000 and of 1,000,000
/// boxes, and at one in 20 of 100,000.
const AT_ONCE_IN_FRAME_TREE: usize = 18;

/// A walk over all pairs stops after this many pairs of fixed boxes for each box: then only the moving ones get a query.
const IDLE: usize = 4;

/// Fixed boxes have contacts with moving ones only. If more of them have changed than others are there, each of these gets a
/// query instead: a query among fixed boxes, which may lie in piles, finds all of them. Looking for the moving ones and
/// comparing contacts takes as long as a query for each of this many boxes and contacts.
const LOOKED_AT: usize = 256;

/// The pairs of the last step, and what has changed since.
#[derive(Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(bound = ""))]
pub struct Contacts<I: Structure> {
    pairs: LastPairs,
    pub(super) pending: Pending<I::Scalar>,
    #[cfg_attr(feature = "serde", serde(skip))]
    asking: Asking<I>,
}

clone_by_field!([I: Structure] Contacts<I> { pairs, pending, asking });

impl<I: Structure> Scene<'_, I> {
    /// If more than this many have changed, a walk takes less time than a query for each.
    fn most(self) -> usize {
        let is_frame_tree = self.view().structure.as_frame_tree().is_some();
        self.all.boxes.len() / if is_frame_tree { AT_ONCE_IN_FRAME_TREE } else { AT_ONCE }
    }

    /// Meets all pairs that have a contact, unless most pairs are between fixed boxes, which may lie in piles.
    fn walk(self, walk: &mut Walk<'_>) -> ControlFlow<()> {
        let (fixed, mut idle) = (self.fixed, IDLE * self.all.boxes.len());
        let tree = self.view().structure.as_frame_tree();
        if let Some(tree) = tree.filter(|_| fixed.is_empty()) {
            tree.pairs_by(Overlap, &self.all.boxes, Part::WHOLE).visit_lists(|pairs| walk.meet_all(pairs));
            return Continue(());
        }
        if fixed.is_empty() {
            return self.view().pairs_visit(Part::WHOLE, |a, b| {
                walk.meet(pack(a, b));
                Continue(())
            });
        }
        let mut meet = |a, b| {
            if !(fixed.contains(a) && fixed.contains(b)) {
                walk.meet(pack(a, b));
            } else if idle > 0 {
                idle -= 1;
            } else {
                return Break(());
            }
            Continue(())
        };
        match tree {
            Some(tree) => tree.visit_contacts(&self.all.boxes, meet),
            None => self.view().pairs_visit(Part::WHOLE, &mut meet),
        }
    }

    /// Do most boxes have no contacts with each other, in a structure that cannot tell which?
    fn is_mostly_fixed(self) -> bool {
        2 * self.fixed.len() > self.all.boxes.len() && self.view().structure.as_frame_tree().is_none()
    }
}

impl<I: Structure> Contacts<I> {
    /// The contacts before the first step: everything is new.
    pub(crate) fn before_the_first_step() -> Self {
        Self { pairs: LastPairs::default(), pending: Pending::everything(), asking: Asking::default() }
    }

    /// Notes that an id is about to change in a scene, or to be new in it.
    #[inline]
    pub(super) fn note(&mut self, scene: Scene<'_, I>, id: u32) {
        self.pending.note(id, || scene.most(), || scene.body(id));
    }

    /// Notes that the box of an id is about to go from a scene.
    pub(super) fn note_gone(&mut self, scene: Scene<'_, I>, id: u32) {
        self.note(scene, id);
        if !self.pending.gone.contains(id) {
            self.pending.gone.push(id);
        }
    }

    /// Does this frame by itself change too many for each to matter?
    pub(super) fn would_be_many(&self, scene: Scene<'_, I>, frame: &[Aabb<I::Scalar>]) -> bool {
        scene.all.boxes.change_more_than(scene.most(), frame)
    }

    /// Finds what began and what ended.
    pub(crate) fn step(&mut self, scene: Scene<'_, I>) {
        let Self { pairs, pending, asking } = self;
        let (changed, all) = (pending.changed().count(), scene.all.boxes.len());
        let are_few_moving = all < scene.fixed.len() + changed && all + pairs.len() <= LOOKED_AT * changed;
        if pending.is_many || are_few_moving {
            let is_used = |&id: &u32| scene.all.boxes.get(id).is_some();
            let gone = Some(&pending.gone).filter(|gone| gone.as_slice().iter().any(is_used));
            pairs.walk(gone, |walk| {
                if are_few_moving || scene.is_mostly_fixed() || scene.walk(walk).is_break() {
                    walk.restart();
                    asking.walk(scene, walk);
                }
            });
        } else {
            pairs.note(|differences| asking.ask(scene, pending, differences));
        }
        pending.clear();
    }

    /// What began and what ended in the last step, both in order.
    pub(super) fn last(&self) -> [impl Iterator<Item = (u32, u32)>; 2] {
        self.pairs.last().map(|pairs| pairs.iter().map(|&pair| unpack(pair)))
    }

    /// The pairs that touch, as (lower id, higher id), in order; with or without those that began in the last step.
    pub(super) fn touching(&self, with_new: bool) -> impl Iterator<Item = (u32, u32)> + use<I> {
        self.pairs.list(&self.pending.gone, with_new).into_iter().map(unpack)
    }
}

/// # Checking
impl<I: Structure> Contacts<I> {
    /// Contacts are those of all boxes as they were at the last step, as far as that is known.
    pub(super) fn validate(&self, scene: Scene<'_, I>) -> Result<(), Corruption> {
        self.pending.validate()?;
        let listed = self.pairs.validate()?;
        let is_known = |id| scene.all.boxes.get(id).is_some() || self.pending.gone.contains(id);
        let are_known = listed.iter().map(|&pair| unpack(pair)).all(|(a, b)| a < b && is_known(a) && is_known(b));
        Corruption::unless(are_known, || "a contact of a box that never was".into())?;
        if self.pending.is_many {
            return Ok(());
        }
        let were = self.contacts_before(scene, listed.len() + 1)?;
        Corruption::unless(were == listed, || alloc::format!("{} contacts are not {}", listed.len(), were.len()))
    }

    /// The contacts as of the last step, in order, found again; no more than `most`.
    fn contacts_before(&self, scene: Scene<'_, I>, most: usize) -> Result<Vec<Pair>, Corruption> {
        let unchanged = scene.all.boxes.iter().map(|(id, _)| id).filter(|&id| !self.pending.has_changed(id));
        let bodies = unchanged.map(|id| (id, scene.body(id))).chain(self.pending.changed());
        let bodies: Vec<_> = bodies.filter_map(|(id, body)| Some((id, body?))).collect();
        let boxes: Vec<_> = bodies.iter().map(|(_, body)| body.bounds).collect();
        let index = Arranged::<I>::with_boxes(scene.all.structure.options(), &boxes, &Serial)
            .map_err(|error| Corruption::new(alloc::format!("a box before it changed: {error}")))?;
        // Asked of each moving box. So the cost grows with the number of contacts, even on a pile of fixed boxes.
        let (bodies, index) = (&bodies, &index);
        let moving = (0..).zip(bodies).filter(|(_, (_, body))| !body.is_fixed);
        let met = moving.flat_map(|(at, &(a, one))| {
            let others = index.view().neighbors(Some(at));
            let others = others.filter(move |&other| at < other || bodies[other as usize].1.is_fixed);
            let others = others.map(|other| bodies[other as usize]);
            others.filter(move |&(_, other)| scene.meet(&Some(one), &Some(other))).map(move |(b, _)| pack(a, b))
        });
        let mut met: Vec<Pair> = met.take(most).collect();
        met.sort_unstable();
        Ok(met)
    }
}

#[cfg(test)]
mod tests {
    use crate::{Aabb, Events, Index, Layers, Mobility};

    /// A chain: box `k` touches the one before and the one after.
    fn chain(boxes: u16) -> alloc::vec::Vec<Aabb> {
        (0..boxes).map(|k| Aabb::new([f32::from(k), 0.0], [f32::from(k) + 1.0, 1.0])).collect()
    }

    #[test]
    fn one_that_leaves_after_a_walk_asks_alone() {
        for count in [100, 10_000] {
            let mut all = <Index>::from_boxes(&chain(count)).expect("valid boxes");
            let mut events = Events::default();
            all.step_events(&mut events);
            assert_eq!(events.begin.len(), usize::from(count) - 1);
            assert!(all.remove(50).is_some());
            all.step_events(&mut events);
            assert_eq!(events.end, [(49, 50), (50, 51)]);
            let contacts = all.motion.contacts();
            assert_eq!(contacts.asking.asked(), 1, "of {count} boxes");
            assert_eq!(contacts.pairs.len(), usize::from(count) - 1, "the list of the walk is as it was");
        }
    }

    #[test]
    fn a_beam_that_turns_asks_where_it_was_and_where_it_is_but_not_between() {
        let beam = |half: [f32; 2]| Aabb::from_center([500.0, 0.5], half);
        let mut boxes = chain(1000);
        boxes.push(beam([400.0, 0.1]));
        let mut all = <Index>::from_boxes(&boxes).expect("valid boxes");
        let mut events = Events::default();
        all.step_events(&mut events);
        assert!(all.update(1000, beam([0.1, 400.0])).is_ok());
        all.step_events(&mut events);
        assert_eq!((events.begin.len(), events.end.len()), (0, 800));
        let area = all.motion.contacts().asking.area();
        assert!(area < 400.0, "{area}");
    }

    #[test]
    fn what_moves_in_a_pile_finds_only_what_it_meets() {
        const BULLET: Layers = Layers::new(1, 2);
        let mut all = <Index>::from_boxes(&[Aabb::new([0.0, 0.0], [1.0, 1.0]); 600]).expect("valid boxes");
        all.set_layers_batch(&(0..600).map(|id| (id, BULLET)).collect::<alloc::vec::Vec<_>>()).expect("in use");
        let mut events = Events::default();
        all.step_events(&mut events);
        let moved = Aabb::new([0.0, 0.0], [1.0, 2.0]);
        for (layers, begun) in [(BULLET, 0), (Layers::new(2, 1), 580)] {
            (0..20).for_each(|id| assert!(all.set_layers(id, layers).is_ok() && all.update(id, moved).is_ok()));
            all.step_events(&mut events);
            assert_eq!(events.begin.len(), 20 * begun);
            let found = all.motion.contacts().asking.found(all.view());
            assert!(found <= 20 * 600 * usize::from(begun > 0), "{found}");
        }
    }

    #[test]
    fn fixed_boxes_that_are_updated_in_a_pile_do_not_find_each_other() {
        let mut all = <Index>::from_boxes(&[Aabb::new([0.0, 0.0], [1.0, 1.0]); 600]).expect("valid boxes");
        assert_eq!(all.insert(Aabb::new([2.0, 0.0], [3.0, 1.0])).ok(), Some(600));
        (0..600).for_each(|id| all.set_mobility(id, Mobility::Fixed).expect("in use"));
        let mut events = Events::default();
        all.step_events(&mut events);
        for (east, [begun, ended]) in [(2.0, [20, 0]), (2.5, [0, 0]), (1.5, [0, 20])] {
            (0..20).for_each(|id| assert!(all.update(id, Aabb::new([0.0, 0.0], [east, 1.0])).is_ok()));
            all.step_events(&mut events);
            assert_eq!([events.begin.len(), events.end.len()], [begun, ended]);
            assert_eq!(all.validate().map(|_| ()), Ok(()));
            let found = all.motion.contacts().asking.found(all.view());
            assert!(found <= 21, "{found}");
        }
    }

    #[test]
    fn one_that_leaves_in_a_frame_in_which_all_move_puts_nothing_aside() {
        for count in [100, 10_000] {
            let mut boxes = chain(count);
            let mut all = <Index>::from_boxes(&boxes).expect("valid boxes");
            let mut events = Events::default();
            all.step_events(&mut events);
            boxes.iter_mut().for_each(|bounds| *bounds = bounds.with_offset([0.0, 1.0]));
            all.update_all(&boxes).expect("valid boxes");
            assert!(all.remove(50).is_some());
            all.step_events(&mut events);
            assert!(events.begin.is_empty() && events.end == [(49, 50), (50, 51)]);
            let contacts = all.motion.contacts();
            assert!(contacts.pairs.put_aside() < 20, "{} of {count}", contacts.pairs.put_aside());
        }
    }
}
