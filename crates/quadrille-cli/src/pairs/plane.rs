//! Pairs on the plane.

use std::ops::ControlFlow;

use quadrille::{Aabb, Answers, AnyStructure, BruteForce, Index, Near, StructureKind};

use quadrille_shapes::reach_of_boxes;

use super::Sets;
use super::query::{Asked, Query};
use super::shapes::Refined;
use crate::failure::Failure;

/// This many nearest boxes are found at once; they are kept until they are passed on.
const AT_ONCE: usize = 1 << 16;

/// The boxes of one or two sets, ready for a query.
#[derive(Debug)]
pub(super) struct Plane<'a> {
    pub(super) query: Query,
    first: &'a [Aabb<f64>],
    second: &'a [Aabb<f64>],
    /// What is asked: the second set, the larger one, or the only one.
    asked: Index<AnyStructure<f64>>,
    /// Who asks for pairs between two sets. No structure is needed to ask.
    asking: Option<Index<BruteForce<f64>>>,
    /// Whether the second set asks the first.
    is_swapped: bool,
    is_one_set: bool,
    is_measured: bool,
    /// The geometries themselves, if they are asked about.
    refined: Option<Box<Refined<'a>>>,
}

impl<'a> Plane<'a> {
    pub(super) fn new(asked: Asked, sets: Sets<'a>, structure: StructureKind) -> Result<Self, Failure> {
        let Asked { query, is_measured, .. } = asked;
        let (first, second) = (sets.first.boxes.as_slice(), sets.other().boxes.as_slice());
        let is_one_set = sets.second.is_none();
        // Query for each box of the smaller set, which takes fewer queries; for the nearest, for each box of the first.
        let is_nearest = matches!(query, Query::Nearest { .. });
        let is_swapped = !is_one_set && !is_nearest && first.len() > second.len();
        let (asking, asked) = if is_swapped { (second, first) } else { (first, second) };
        // Within a distance, the pairs of one set are found in a structure of their own.
        let is_arranged = !(is_one_set && matches!(query, Query::Within(_)));
        let structure = if is_arranged { structure } else { StructureKind::BruteForce };
        let index = Index::with_boxes(structure.into(), asked)?;
        let asking = (!is_one_set && !is_nearest).then(|| Index::from_boxes(asking));
        let refined = Refined::of(query, is_measured, sets)?.map(Box::new);
        Ok(Self {
            query,
            refined,
            first,
            second,
            asked: index,
            asking: asking.transpose()?,
            is_swapped,
            is_one_set,
            is_measured,
        })
    }

    pub(super) fn visit<B>(&self, visit: &mut impl FnMut(u32, u32) -> ControlFlow<B>) -> ControlFlow<B> {
        if let Some(refined) = &self.refined {
            return self.visit_refined(refined, visit);
        }
        match self.query {
            Query::Nearest { count, most } => self.visit_nearest(count as usize, most, visit),
            Query::Within(most) => self.visit_within(most, visit),
            Query::Overlap | Query::Inside | Query::Contains | Query::Shapes(_) => self.visit_overlaps(visit),
        }
    }

    fn visit_refined<B>(
        &self,
        refined: &Refined<'_>,
        visit: &mut impl FnMut(u32, u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        match (self.query, self.query.predicate()) {
            (Query::Nearest { count, most }, _) => refined.visit_nearest((count as usize, most), &self.asked, visit),
            (Query::Within(most), _) => self.visit_within(reach_of_boxes(most), &mut |a, b| {
                if refined.are_within(a, b, most) { visit(a, b) } else { ControlFlow::Continue(()) }
            }),
            (_, Some(predicate)) => refined.visit(predicate, |sift| self.visit_boxes(sift), visit),
            (_, None) => ControlFlow::Continue(()),
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

    /// Pairs of boxes that overlap; within one set, the lower number first.
    fn visit_boxes<B>(&self, sift: &mut dyn FnMut(u32, u32) -> ControlFlow<B>) -> ControlFlow<B> {
        match &self.asking {
            None => self.asked.pairs_visit(sift),
            Some(asking) if self.is_swapped => asking.pairs_with_visit(&self.asked, |b, a| sift(a, b)),
            Some(asking) => asking.pairs_with_visit(&self.asked, sift),
        }
    }

    fn visit_within<B>(&self, most: f64, visit: &mut impl FnMut(u32, u32) -> ControlFlow<B>) -> ControlFlow<B> {
        let Some(asking) = &self.asking else {
            return self.asked.pairs_within(most).try_for_each(|(a, b)| visit(a, b));
        };
        asking
            .pairs_with_within(&self.asked, most)
            .try_for_each(|(one, other)| if self.is_swapped { visit(other, one) } else { visit(one, other) })
    }

    fn visit_nearest<B>(
        &self,
        count: usize,
        most: f64,
        visit: &mut impl FnMut(u32, u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let (mut answers, mut rows) = (Answers::new(), 0..);
        for boxes in self.first.chunks((AT_ONCE / count.max(1)).max(1)) {
            let asked: Vec<_> = boxes.iter().map(|bounds| Near::aabb(*bounds).within(most)).collect();
            // Of the only set, a box is its own nearest, or hidden behind others at no distance.
            self.asked.query_first_many(&asked, count + usize::from(self.is_one_set), &mut answers);
            for (hits, a) in answers.iter().zip(&mut rows) {
                let others = hits.iter().map(|hit| hit.id).filter(|b| !self.is_one_set || *b != a);
                others.take(count).try_for_each(|b| visit(a, b))?;
            }
        }
        ControlFlow::Continue(())
    }
}

/// Whether two boxes whose grown ones overlap are a pair.
pub(super) fn accepts(query: Query, first: &Aabb<f64>, second: &Aabb<f64>) -> bool {
    match query {
        Query::Inside => second.contains(first),
        Query::Contains => first.contains(second),
        Query::Within(most) => Near::aabb(*first).within(most).distance(second).is_some(),
        Query::Overlap | Query::Nearest { .. } | Query::Shapes(_) => true,
    }
}
