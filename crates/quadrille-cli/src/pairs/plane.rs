//! Pairs on the plane.

use std::ops::ControlFlow;

use quadrille::{Aabb, Answers, FrameTree, Index, Near, PairsInParts, Part};
use quadrille_shapes::{Nearest, Wanted, reach_of_boxes};

use super::Sets;
use super::by_distance::ByDistance;
use super::ended::{Ended, Visit};
use super::query::{Asked, Query};
use super::shapes::Refined;
use crate::failure::Failure;

/// How many nearest boxes are found at once, and kept until they are passed on.
pub(super) const AT_ONCE: usize = 1 << 16;

/// The boxes of one or two sets, ready for a query.
#[derive(Debug)]
pub(super) struct Plane<'a> {
    query: Query,
    first: &'a [Aabb<f64>],
    second: &'a [Aabb<f64>],
    is_one_set: bool,
    source: Source,
    /// The geometries themselves, if the query needs them.
    pub(super) refined: Option<Refined<'a>>,
}

/// What finds boxes.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "there is only one")]
enum Source {
    /// Overlaps in one set.
    Overlaps(Index<FrameTree<f64>>),
    /// Pairs between two sets, and within a distance.
    Pairs(PairsInParts<f64>),
    /// The nearest in the second set, or in the only one.
    Nearest(Index<FrameTree<f64>>, Wanted),
}

impl<'a> Plane<'a> {
    pub(super) fn new(asked: Asked, sets: Sets<'a>) -> Result<Self, Failure> {
        let query = asked.query;
        let (first, second) = (sets.first.boxes.as_slice(), sets.other().boxes.as_slice());
        let is_one_set = sets.second.is_none();
        let refined = Refined::of(query, asked.is_measured, sets)?;
        let source = match query {
            Query::Within(most) => {
                let most = if refined.is_some() { reach_of_boxes(most) } else { most };
                Source::Pairs(match is_one_set {
                    true => PairsInParts::within(first, most),
                    false => PairsInParts::between_within(first, second, most),
                }?)
            }
            Query::Nearest { count, most } => {
                let wanted = Wanted { count: count as usize, most, has_ties: false, but_itself: is_one_set };
                Source::Nearest(Index::from_boxes(second)?, wanted)
            }
            _ if is_one_set => Source::Overlaps(Index::from_boxes(first)?),
            _ => Source::Pairs(PairsInParts::between(first, second)?),
        };
        Ok(Self { query, first, second, is_one_set, source, refined })
    }

    pub(super) fn visit(&self, visit: Visit<'_>) -> ControlFlow<Ended> {
        match (&self.source, &self.refined) {
            (Source::Nearest(index, wanted), None) => self.visit_nearest(index, *wanted, visit),
            (Source::Nearest(index, wanted), Some(refined)) => {
                Nearest::new(refined.other(), index)
                    .to_each(refined.first(), *wanted, |a, found| found.iter().try_for_each(|(b, _)| visit(a, *b)))
            }
            (source, Some(refined)) => {
                let mut joiner = refined.joiner(self.query.relation());
                source.visit(&mut |a, b| joiner.offer(a, b, visit))?;
                joiner.finish(visit)
            }
            (source, None) if self.query.is_directed() => source.visit(&mut |a, b| self.sift(a, b, visit)),
            (source, None) => source.visit(visit),
        }
    }

    /// The distance of a pair.
    pub(super) fn distance_between(&self, a: u32, b: u32) -> f64 {
        match &self.refined {
            Some(refined) => refined.distance(a, b),
            None => self.first[a as usize].distance(&self.second[b as usize]),
        }
    }

    /// Decides boxes that overlap: within one set, a pair comes once, and one may lie inside the other in either order.
    fn sift(&self, a: u32, b: u32, visit: Visit<'_>) -> ControlFlow<Ended> {
        let (first, second) = (&self.first[a as usize], &self.second[b as usize]);
        if accepts(self.query, first, second) {
            visit(a, b)?;
        }
        if self.is_one_set && accepts(self.query, second, first) {
            visit(b, a)?;
        }
        ControlFlow::Continue(())
    }

    fn visit_nearest(&self, index: &Index<FrameTree<f64>>, wanted: Wanted, visit: Visit<'_>) -> ControlFlow<Ended> {
        let (mut answers, mut rows, count) = (Answers::new(), 0.., wanted.count);
        for boxes in self.first.chunks((AT_ONCE / count.max(1)).max(1)) {
            let asked = boxes.iter().map(|bounds| ByDistance(Near::aabb(*bounds).within(wanted.most)));
            let asked: Vec<_> = asked.collect();
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

impl Source {
    /// Pairs of boxes that overlap, or are within the distance; within one set, the lower number first.
    fn visit(&self, visit: Visit<'_>) -> ControlFlow<Ended> {
        match self {
            Self::Overlaps(index) => index.pairs_visit(visit),
            Self::Pairs(pairs) => pairs.part_visit(Part::WHOLE, visit),
            Self::Nearest(..) => ControlFlow::Continue(()),
        }
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
