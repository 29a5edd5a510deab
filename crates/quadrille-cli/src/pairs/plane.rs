//! Pairs on the plane.

use std::ops::ControlFlow;

use quadrille::{Aabb, AnyStructure, BruteForce, Index, Near, StructureKind};

use super::Sets;
use super::question::Question;
use crate::failure::Failure;

/// The boxes of one or two sets, ready for a question.
#[derive(Debug)]
pub(super) struct Plane<'a> {
    pub(super) question: Question,
    first: &'a [Aabb<f64>],
    second: &'a [Aabb<f64>],
    /// What is asked: the second set, the larger one, or the only one; for distances, of grown boxes.
    asked: Index<AnyStructure<f64>>,
    /// Who asks for pairs between two sets. No structure is needed to ask.
    asking: Option<Index<BruteForce<f64>>>,
    /// Whether the second set asks the first.
    is_swapped: bool,
    is_one_set: bool,
}

impl<'a> Plane<'a> {
    pub(super) fn new(question: Question, sets: Sets<'a>, structure: StructureKind) -> Result<Self, Failure> {
        let (first, second) = (sets.first.boxes.as_slice(), sets.other().boxes.as_slice());
        let is_one_set = sets.second.is_none();
        // Query for each box of the smaller set, which takes fewer queries; for the nearest, for each box of the first.
        let is_nearest = matches!(question, Question::Nearest { .. });
        let is_swapped = !is_one_set && !is_nearest && first.len() > second.len();
        let (asking, asked) = if is_swapped { (second, first) } else { (first, second) };
        let margin = question.margin();
        let index = Index::with_boxes(structure.into(), &grown(asked, margin)?)?;
        let asking =
            (!is_one_set && !is_nearest).then(|| Index::from_boxes(&grown(asking, margin)?).map_err(Failure::from));
        Ok(Self { question, first, second, asked: index, asking: asking.transpose()?, is_swapped, is_one_set })
    }

    pub(super) fn visit<B>(&self, visit: &mut impl FnMut(u32, u32) -> ControlFlow<B>) -> ControlFlow<B> {
        if let Question::Nearest { count, most } = self.question {
            return self.visit_nearest(count as usize, most, visit);
        }
        let mut sift = |a: u32, b: u32| {
            let (first, second) = (&self.first[a as usize], &self.second[b as usize]);
            if accepts(self.question, first, second) {
                visit(a, b)?;
            }
            // Within one set, a pair comes once, and one may lie inside the other in either order.
            if self.is_one_set && self.question.is_directed() && accepts(self.question, second, first) {
                visit(b, a)?;
            }
            ControlFlow::Continue(())
        };
        match &self.asking {
            None => self.asked.pairs_visit(sift),
            Some(asking) if self.is_swapped => asking.pairs_with_visit(&self.asked, |b, a| sift(a, b)),
            Some(asking) => asking.pairs_with_visit(&self.asked, sift),
        }
    }

    fn visit_nearest<B>(
        &self,
        count: usize,
        most: f64,
        visit: &mut impl FnMut(u32, u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mut hits = Vec::new();
        for (a, bounds) in (0..).zip(self.first) {
            let near = if most.is_finite() { Near::aabb(*bounds).within(most) } else { Near::aabb(*bounds) };
            // Of the only set, a box is its own nearest, or hidden behind others at no distance.
            self.asked.query_first_into(near, count + usize::from(self.is_one_set), &mut hits);
            let others = hits.iter().map(|hit| hit.id).filter(|b| !self.is_one_set || *b != a);
            others.take(count).try_for_each(|b| visit(a, b))?;
        }
        ControlFlow::Continue(())
    }
}

/// Whether two boxes whose grown ones overlap are a pair.
pub(super) fn accepts(question: Question, first: &Aabb<f64>, second: &Aabb<f64>) -> bool {
    match question {
        Question::Inside => second.contains(first),
        Question::Contains => first.contains(second),
        Question::Within(most) => squared_distance(first, second) <= most * most,
        Question::Overlap | Question::Nearest { .. } => true,
    }
}

/// The boxes grown to every side by at least `margin`.
fn grown(boxes: &[Aabb<f64>], margin: f64) -> Result<std::borrow::Cow<'_, [Aabb<f64>]>, Failure> {
    if margin == 0.0 {
        return Ok(boxes.into());
    }
    let mut grown = Vec::new();
    grown.try_reserve_exact(boxes.len()).map_err(|_| Failure::Bad("not enough memory for grown boxes".into()))?;
    grown.extend(boxes.iter().map(|bounds| quadrille_scale::grown(bounds, margin)));
    Ok(grown.into())
}

/// The distance between the nearest points of two boxes; zero if they overlap.
pub(super) fn distance(a: &Aabb<f64>, b: &Aabb<f64>) -> f64 {
    let [x, y] = gaps(a, b);
    x.hypot(y)
}

/// Squares of distances are compared, as everywhere in quadrille.
fn squared_distance(a: &Aabb<f64>, b: &Aabb<f64>) -> f64 {
    let [x, y] = gaps(a, b);
    x * x + y * y
}

fn gaps(a: &Aabb<f64>, b: &Aabb<f64>) -> [f64; 2] {
    [0, 1].map(|axis| (a.min[axis] - b.max[axis]).max(b.min[axis] - a.max[axis]).max(0.0))
}
