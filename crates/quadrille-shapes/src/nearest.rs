//! The nearest of many by true distance: boxes decide which distances are computed.

use std::ops::ControlFlow;

use quadrille::{Aabb, Answers, Distance, Hit, Index, Near, Structure, morton};

use crate::best::{Best, Wanted};
use crate::crowd::Crowd;
use crate::distance::{distance_below, near, reach_of_boxes};
use crate::geometries::Geometries;
use crate::kept::{Kept, MOST};
use crate::segment::Point;

/// How many more boxes than wanted answers are requested: usually the last of them is too far away, which ends the
/// search.
const MORE: usize = 3;
/// About how many boxes are requested at a time; all are kept until their distances are computed.
const AT_ONCE: usize = 1 << 18;

/// Geometries prepared for nearest queries.
#[derive(Clone, Copy, Debug)]
pub struct Nearest<'a, I: Structure<Scalar = f64>> {
    all: &'a Geometries,
    boxes: &'a Index<I>,
}

impl<'a, I: Structure<Scalar = f64>> Nearest<'a, I> {
    /// `boxes` is an index of [`Geometries::boxes`] under the same numbers.
    #[must_use]
    pub fn new(all: &'a Geometries, boxes: &'a Index<I>) -> Self {
        Self { all, boxes }
    }

    /// The nearest to geometry `i` of `a`, with their distances: the nearest first, equal distances by number.
    ///
    /// # Panics
    /// If there is no such number.
    #[must_use]
    pub fn to(&self, a: &Geometries, i: u32, wanted: Wanted) -> Vec<(u32, f64)> {
        let (near, count) = (near(a.bounds(i), wanted.most), self.boxes_for(wanted));
        let mut first = Vec::new();
        self.boxes.query_first_few(near, count, &mut first);
        self.best(a, i, wanted, near, (&first, first.len() < count))
    }

    /// The nearest to each geometry of `a`, in order.
    pub fn to_each<B>(
        &self,
        a: &Geometries,
        wanted: Wanted,
        mut visit: impl FnMut(u32, &[(u32, f64)]) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let (all, count) = (a.len() as u32, self.boxes_for(wanted));
        if let Some(step) = self.crowd(a, wanted) {
            return self.to_crowd(a, wanted, step, visit);
        }
        let step = (AT_ONCE / count.max(1)).max(1);
        let mut answers = Answers::new();
        for start in (0..all).step_by(step) {
            let end = all.min(start.saturating_add(step as u32));
            let queries: Vec<_> = (start..end).map(|i| near(a.bounds(i), wanted.most)).collect();
            self.boxes.query_first_many(&queries, count, &mut answers);
            for ((i, near), first) in (start..end).zip(&queries).zip(answers.iter()) {
                visit(i, &self.best(a, i, wanted, *near, (first, first.len() < count)))?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The size of a batch, if all queries are points, and a batch has at least twice as many as there are others.
    /// Smaller if geometries are large, so that the first answer comes soon.
    fn crowd(&self, a: &Geometries, wanted: Wanted) -> Option<usize> {
        let size = self.all.count_vertices() / self.all.len().max(1);
        let step = MOST / wanted.count.min(self.all.len()).saturating_add(size + 1);
        let is_crowd = step.min(a.len()) / 2 >= self.all.len();
        (is_crowd && (0..a.len() as u32).all(|i| a.only_point(i).is_some())).then_some(step)
    }

    /// The nearest to each point of `a`, batch by batch.
    fn to_crowd<B>(
        &self,
        a: &Geometries,
        wanted: Wanted,
        step: usize,
        mut visit: impl FnMut(u32, &[(u32, f64)]) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let (all, mut crowd, mut kept) = (a.len() as u32, Crowd::new(self.all, self.boxes, wanted), Kept::default());
        for start in (0..all).step_by(step) {
            let askers = start..all.min(start.saturating_add(step as u32));
            let points: Vec<Point> = askers.clone().filter_map(|i| a.only_point(i)).collect();
            let order = morton::order(&points);
            kept.begin(points.len());
            for (at, number) in order.iter().enumerate() {
                let next = order.get(at + 1).map(|next| points[*next as usize]);
                let search = |i| self.to(a, i, wanted);
                let found = crowd.ask((start + number, points[*number as usize]), next, search);
                if !kept.keep(*number, &found) {
                    break;
                }
            }
            askers.zip(0..).try_for_each(|(i, number)| match kept.get(number) {
                Some(found) => visit(i, found),
                None => visit(i, &self.to(a, i, wanted)),
            })?;
        }
        ControlFlow::Continue(())
    }

    /// How many of the nearest boxes to examine first: none if most will be examined anyway.
    fn boxes_for(&self, wanted: Wanted) -> usize {
        let count = wanted.count.saturating_add(MORE + usize::from(wanted.but_itself));
        if count < self.boxes.len() { count } else { 0 }
    }

    /// The best, given the first boxes, and whether there are no others.
    fn best(
        &self,
        a: &Geometries,
        i: u32,
        wanted: Wanted,
        near: Near<f64>,
        (first, are_all): (&[Hit<Distance<f64>>], bool),
    ) -> Vec<(u32, f64)> {
        if wanted.count == 0 {
            return Vec::new();
        }
        let mut best = Best::new(wanted, i);
        let (target, asked) = (near.target(), |j: u32| self.boxes.get(j).unwrap_or(Aabb::EMPTY));
        let take = |best: &mut Best, j| {
            best.take(j, |limit| distance_below((a, i, &target), (self.all, j, &asked(j)), limit));
        };
        for hit in first {
            if hit.rank.to_f64() > reach_of_boxes(best.limit()) {
                return best.sorted();
            }
            take(&mut best, hit.id);
        }
        if are_all {
            return best.sorted();
        }
        let mut seen: Vec<u32> = first.iter().map(|hit| hit.id).collect();
        seen.sort_unstable();
        let others = self.boxes.query(near.within(reach_of_boxes(best.limit())));
        let others = others.filter(|j| seen.binary_search(j).is_err());
        let mut others: Vec<(f64, u32)> = others.map(|j| (target.distance(&asked(j)), j)).collect();
        others.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for (least, j) in others {
            if least > reach_of_boxes(best.limit()) {
                break;
            }
            take(&mut best, j);
        }
        best.sorted()
    }
}
