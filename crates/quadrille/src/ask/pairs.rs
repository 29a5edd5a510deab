//! Pairs within a set and between two sets: overlapping pairs, and pairs that touch while both move.
//!
//! Between two sets, the agreement of the set whose method is called decides which layers meet.

use alloc::vec::Vec;
use core::ops::ControlFlow;

use super::{Resolver, View};
use crate::error::Error;
use crate::geometry::{Aabb, BoundsError, Contact, Scalar, Sweep};
use crate::kernel::Overlap;
use crate::query::partners;
use crate::storage::Boxes;
use crate::structure::{FrameTree, Part, Structure};

/// A query costs more than a box of a walk costs, the more so the larger the other set is, since its memory is farther away. Both
/// take the same time if the square of the number of boxes is this many times the number of groups of the other set, which is so
/// from 10,000 boxes to a million.
const ASKED: f64 = 50.0;

/// Two boxes that touch while both move.
///
/// In the manual: `docs/cookbook/moving.md#bullets-nothing-is-too-fast`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Impact<S: Scalar = f32, N = u32> {
    /// The lower id.
    pub a: N,
    /// The higher id.
    pub b: N,
    /// When they first touch, and on which side of `b`.
    pub contact: Contact<S>,
}

impl<'a, I: Structure, R: Resolver> View<'a, I, R> {
    /// Pairs of ids, the lower one first.
    #[inline]
    pub(crate) fn id_pairs(self, part: Part) -> impl Iterator<Item = (u32, u32)> + use<'a, I, R> {
        self.structure.search_pairs(self.boxes, part)
    }

    #[inline]
    pub(crate) fn pairs(self) -> impl Iterator<Item = (R::Item, R::Item)> + use<'a, I, R> {
        self.id_pairs(Part::WHOLE).map(move |(a, b)| (self.resolver.item(a), self.resolver.item(b)))
    }

    #[inline]
    pub(crate) fn pairs_visit<B>(
        self,
        part: Part,
        mut visit: impl FnMut(R::Item, R::Item) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.structure.visit_pairs(self.boxes, part, |a, b| visit(self.resolver.item(a), self.resolver.item(b)))
    }

    /// The ids in another set that form a pair with a box here.
    fn partners_in<'b, J: Structure<Scalar = I::Scalar>, O: Resolver>(
        self,
        other: View<'b, J, O>,
        (id, bounds): (u32, Aabb<I::Scalar>),
    ) -> impl Iterator<Item = u32> + use<'b, I, R, J, O> {
        other.ids(partners(self.boxes, bounds, self.boxes.layers(id)))
    }

    /// Are there two frame trees, and boxes here so few and so far apart that a query for each meets fewer groups there than all
    /// of them at once?
    pub(super) fn are_few_in<J: Structure<Scalar = I::Scalar>, O: Resolver>(self, other: View<'_, J, O>) -> bool {
        let trees = self.structure.as_frame_tree().zip(other.structure.as_frame_tree());
        let count = self.boxes.slots() as f64;
        trees.is_some_and(|(one, two)| count * count < ASKED * one.groups_reached(two))
    }

    /// Pairs of ids here and in another set, or a part of them. Two frame trees are walked at once, unless boxes here are few;
    /// otherwise each box here is queried in the other set.
    pub(crate) fn id_pairs_with<J: Structure<Scalar = I::Scalar>, O: Resolver>(
        self,
        other: View<'a, J, O>,
        part: Part,
    ) -> impl Iterator<Item = (u32, u32)> + use<'a, I, R, J, O> {
        let walked = self.trees_to_walk(other);
        let walked = walked.map(|[one, two]| one.pairs_between(Overlap, self.boxes, (two, other.boxes), part));
        let asked = walked.is_none().then(|| self.id_pairs_asked(other, part));
        walked.into_iter().flatten().chain(asked.into_iter().flatten())
    }

    /// The frame trees that are walked at once, if there are two and boxes here are not few.
    fn trees_to_walk<J: Structure<Scalar = I::Scalar>, O: Resolver>(
        self,
        other: View<'a, J, O>,
    ) -> Option<[&'a FrameTree<I::Scalar>; 2]> {
        let trees = self.structure.as_frame_tree().zip(other.structure.as_frame_tree());
        trees.filter(|_| !self.are_few_in(other)).map(<[_; 2]>::from)
    }

    /// The same, by a query for each box here.
    fn id_pairs_asked<J: Structure<Scalar = I::Scalar>, O: Resolver>(
        self,
        other: View<'a, J, O>,
        part: Part,
    ) -> impl Iterator<Item = (u32, u32)> + use<'a, I, R, J, O> {
        let asking = part.of(self.boxes.iter(), self.boxes.len());
        asking.flat_map(move |asking| self.partners_in(other, asking).map(move |b| (asking.0, b)))
    }

    pub(crate) fn pairs_with<J: Structure<Scalar = I::Scalar>, O: Resolver>(
        self,
        other: View<'a, J, O>,
    ) -> impl Iterator<Item = (R::Item, O::Item)> + use<'a, I, R, J, O> {
        let pairs = self.id_pairs_with(other, Part::WHOLE);
        pairs.map(move |(a, b)| (self.resolver.item(a), other.resolver.item(b)))
    }

    /// The pairs of a part, in the same order.
    pub(crate) fn pairs_with_visit<J: Structure<Scalar = I::Scalar>, O: Resolver, B>(
        self,
        other: View<'a, J, O>,
        part: Part,
        mut visit: impl FnMut(R::Item, O::Item) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mut visit = |a, b| visit(self.resolver.item(a), other.resolver.item(b));
        match self.trees_to_walk(other) {
            Some([one, two]) => one.pairs_between(Overlap, self.boxes, (two, other.boxes), part).visit(visit),
            None => self.id_pairs_asked(other, part).try_for_each(|(a, b)| visit(a, b)),
        }
    }

    /// The pairs of ids, with the box there if it need not be looked up.
    pub(crate) fn pairs_with_boxes<J: Structure<Scalar = I::Scalar>, O: Resolver, B>(
        self,
        other: View<'a, J, O>,
        mut visit: impl FnMut(u32, u32, Option<Aabb<I::Scalar>>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        match self.trees_to_walk(other) {
            Some([one, two]) => one
                .pairs_between(Overlap, self.boxes, (two, other.boxes), Part::WHOLE)
                .visit_boxes(|a, b, bounds| visit(a, b, Some(bounds))),
            None => self.id_pairs_asked(other, Part::WHOLE).try_for_each(|(a, b)| visit(a, b, None)),
        }
    }

    /// The pairs that touch while each box moves along its own motion.
    pub(crate) fn impacts(
        self,
        motion: impl Fn(R::Name) -> [I::Scalar; 2],
        impacts: &mut Vec<Impact<I::Scalar, R::Name>>,
    ) -> Result<(), Error> {
        impacts.clear();
        let found = self.impacts_by_id(&|id| motion(self.resolver.name(id)))?;
        let name = |Impact { a, b, contact }| Impact { a: self.resolver.name(a), b: self.resolver.name(b), contact };
        impacts.extend(found.into_iter().map(name));
        Ok(())
    }

    /// The same by their ids, in order. Behind a pointer, the motion is compiled once for all that moves.
    fn impacts_by_id(self, motion: &dyn Fn(u32) -> [I::Scalar; 2]) -> Result<Vec<Impact<I::Scalar>>, Error> {
        let (mut ids, mut swept) = (Vec::new(), Boxes::new());
        for (id, bounds) in self.boxes.iter() {
            let at = |what| move |error: BoundsError| Error::at(error.of(what), id as usize);
            let motion = Aabb::from_point(motion(id)).check().map_err(at("motion"))?.min;
            let path = bounds.union(&bounds.with_offset(motion)).check().map_err(at("path"))?;
            swept.insert(self.structure.admit(path).map_err(|error| Error::at(error, id as usize))?)?;
            ids.push(id);
        }
        let mut structure = I::new(self.structure.options())?;
        structure.build(&swept);
        let mut found = Vec::new();
        for (a, b) in structure.search_pairs(&swept, Part::WHOLE) {
            let (a, b) = (ids[a as usize], ids[b as usize]);
            if let Some(first) = self.boxes.get(a).filter(|_| self.boxes.meet(a, b)) {
                let contact = self.rank(&Sweep::relative(first, motion(a), motion(b)), b);
                found.extend(contact.map(|contact| Impact { a, b, contact }));
            }
        }
        sort(&mut found);
        Ok(found)
    }
}

/// Sorts impacts by their time. By itself, so that it is compiled once for all structures.
fn sort<S: Scalar>(impacts: &mut [Impact<S>]) {
    impacts.sort_unstable_by(|one, other| {
        let by_time = one.contact.partial_cmp(&other.contact).unwrap_or(core::cmp::Ordering::Equal);
        by_time.then_with(|| (one.a, one.b).cmp(&(other.a, other.b)))
    });
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use crate::structures::BruteForce;
    use crate::{Aabb, FrameTree, Index};

    /// Few boxes far apart ask one by one, since their packs would meet everything. Many, or few beside each other, do not.
    #[test]
    fn few_boxes_far_apart_do_not_meet_all_groups_at_once() {
        let field = |side: u16, step: f32| -> Vec<Aabb> {
            let places = (0..side * side).map(|k| [k % side, k / side].map(|at| f32::from(at) * step));
            places.map(|min| Aabb::from_size(min, [0.75, 0.75])).collect()
        };
        let all = Index::<FrameTree>::from_boxes(&field(100, 1.0)).expect("valid boxes");
        for (side, step, are_few) in [(3, 40.0, true), (3, 1.5, false), (20, 4.5, false)] {
            let boxes = field(side, step);
            let some = Index::<FrameTree>::from_boxes(&boxes).expect("valid boxes");
            assert_eq!(some.view().are_few_in(all.view()), are_few, "{side}, {step}");
            let brute = Index::<BruteForce>::from_boxes(&boxes).expect("valid boxes");
            let sorted = |mut pairs: Vec<(u32, u32)>| {
                pairs.sort_unstable();
                pairs
            };
            assert_eq!(sorted(some.pairs_with(&all).collect()), sorted(brute.pairs_with(&all).collect()));
            let within = sorted(brute.pairs_with_within(&all, 1.0).collect());
            assert_eq!(sorted(some.pairs_with_within(&all, 1.0).collect()), within);
        }
    }
}
