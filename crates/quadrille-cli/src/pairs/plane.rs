//! Pairs on the plane.

use std::ops::ControlFlow;

use quadrille::{Aabb, Answers, AnyStructure, Index, Near, PairsInParts, Part, StructureKind};

use quadrille_shapes::reach_of_boxes;

use super::Sets;
use super::query::{Asked, Query};
use super::shapes::Refined;
use crate::failure::Failure;

/// How many nearest boxes are found at once, and kept until they are passed on.
const AT_ONCE: usize = 1 << 16;

/// The boxes of one or two sets, ready for a query.
#[derive(Debug)]
pub(super) struct Plane<'a> {
    pub(super) query: Query,
    first: &'a [Aabb<f64>],
    second: &'a [Aabb<f64>],
    found_by: FoundBy,
    is_one_set: bool,
    is_measured: bool,
    /// The geometries themselves, if they are asked about.
    refined: Option<Box<Refined<'a>>>,
}

/// What finds boxes.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "there is only one")]
enum FoundBy {
    /// An index of the second set, or of the only one: the nearest, and overlaps in one set.
    Index(Index<AnyStructure<f64>>),
    /// Trees of their own: pairs between two sets, and within a distance.
    Pairs(PairsInParts<f64>),
}

impl<'a> Plane<'a> {
    pub(super) fn new(asked: Asked, sets: Sets<'a>, structure: StructureKind) -> Result<Self, Failure> {
        let Asked { query, is_measured, .. } = asked;
        let (first, second) = (sets.first.boxes.as_slice(), sets.other().boxes.as_slice());
        let is_one_set = sets.second.is_none();
        let refined = Refined::of(query, is_measured, sets)?.map(Box::new);
        let found_by = match query {
            Query::Within(most) => {
                let most = if refined.is_some() { reach_of_boxes(most) } else { most };
                FoundBy::Pairs(match is_one_set {
                    true => PairsInParts::within(first, most),
                    false => PairsInParts::between_within(first, second, most),
                }?)
            }
            Query::Nearest { .. } => FoundBy::Index(Index::with_boxes(structure.into(), second)?),
            _ if is_one_set => FoundBy::Index(Index::with_boxes(structure.into(), first)?),
            _ => FoundBy::Pairs(PairsInParts::between(first, second)?),
        };
        Ok(Self { query, first, second, found_by, is_one_set, is_measured, refined })
    }

    pub(super) fn visit<B>(&self, visit: &mut impl FnMut(u32, u32) -> ControlFlow<B>) -> ControlFlow<B> {
        if let Some(refined) = &self.refined {
            return self.visit_refined(refined, visit);
        }
        match (&self.found_by, self.query) {
            (FoundBy::Index(index), Query::Nearest { count, most }) => {
                self.visit_nearest(index, (count as usize, most), visit)
            }
            (_, Query::Within(_)) => self.visit_boxes(visit),
            _ => self.visit_overlaps(visit),
        }
    }

    fn visit_refined<B>(
        &self,
        refined: &Refined<'_>,
        visit: &mut impl FnMut(u32, u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        match (&self.found_by, self.query) {
            (FoundBy::Index(index), Query::Nearest { count, most }) => {
                refined.visit_nearest((count as usize, most), index, visit)
            }
            (_, Query::Within(most)) => self.visit_boxes(&mut |a, b| {
                if refined.are_within(a, b, most) { visit(a, b) } else { ControlFlow::Continue(()) }
            }),
            (_, query) => query.predicate().map_or(ControlFlow::Continue(()), |predicate| {
                refined.visit(predicate, |sift| self.visit_boxes(sift), visit)
            }),
        }
    }

    /// The structure that finds boxes, given the one that was asked for.
    pub(super) fn structure(&self, asked: StructureKind) -> StructureKind {
        match self.found_by {
            FoundBy::Index(_) => asked,
            FoundBy::Pairs(_) => StructureKind::FrameTree,
        }
    }

    /// Whether geometries themselves are compared.
    pub(super) fn is_refined(&self) -> bool {
        self.refined.is_some()
    }

    /// The geometries themselves, if it is asked what they have in common.
    pub(super) fn measured(&self) -> Option<&Refined<'a>> {
        self.refined.as_deref().filter(|_| self.is_measured)
    }

    /// The distance of a pair.
    pub(super) fn distance_between(&self, a: u32, b: u32) -> f64 {
        match &self.refined {
            Some(refined) => refined.distance(a, b),
            None => self.first[a as usize].distance(&self.second[b as usize]),
        }
    }

    fn visit_overlaps<B>(&self, visit: &mut impl FnMut(u32, u32) -> ControlFlow<B>) -> ControlFlow<B> {
        let mut sift = |a: u32, b: u32| {
            let (first, second) = (&self.first[a as usize], &self.second[b as usize]);
            if accepts(self.query, first, second) {
                visit(a, b)?;
            }
            // Within one set, a pair comes once, and one may lie inside the other in either order.
            if self.is_one_set && self.query.is_directed() && accepts(self.query, second, first) {
                visit(b, a)?;
            }
            ControlFlow::Continue(())
        };
        self.visit_boxes(&mut sift)
    }

    /// Pairs of boxes that overlap, or are within the distance; within one set, the lower number first.
    fn visit_boxes<B>(&self, visit: &mut dyn FnMut(u32, u32) -> ControlFlow<B>) -> ControlFlow<B> {
        match &self.found_by {
            FoundBy::Index(index) => index.pairs_visit(visit),
            FoundBy::Pairs(pairs) => pairs.part_visit(Part::WHOLE, visit),
        }
    }

    fn visit_nearest<B>(
        &self,
        index: &Index<AnyStructure<f64>>,
        (count, most): (usize, f64),
        visit: &mut impl FnMut(u32, u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let (mut answers, mut rows) = (Answers::new(), 0..);
        for boxes in self.first.chunks((AT_ONCE / count.max(1)).max(1)) {
            let asked: Vec<_> = boxes.iter().map(|bounds| Near::aabb(*bounds).within(most)).collect();
            // Within one set, a box finds itself, or others at distance 0 in its place.
            index.query_first_many(&asked, count + usize::from(self.is_one_set), &mut answers);
            for (hits, a) in answers.iter().zip(&mut rows) {
                let others = hits.iter().map(|hit| hit.id).filter(|b| !self.is_one_set || *b != a);
                others.take(count).try_for_each(|b| visit(a, b))?;
            }
        }
        ControlFlow::Continue(())
    }
}

/// Whether two boxes that overlap when grown are a pair.
pub(super) fn accepts(query: Query, first: &Aabb<f64>, second: &Aabb<f64>) -> bool {
    match query {
        Query::Inside => second.contains(first),
        Query::Contains => first.contains(second),
        Query::Within(most) => Near::aabb(*first).within(most).distance(second).is_some(),
        Query::Overlap | Query::Nearest { .. } | Query::Shapes(_) => true,
    }
}
