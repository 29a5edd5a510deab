//! The nearest of many by true distance: boxes say which distances must be computed.

use std::collections::BinaryHeap;
use std::ops::ControlFlow;

use quadrille::{Aabb, Answers, Distance, Hit, Index, Near, Structure};

use crate::crowd::{Crowd, along_curve};
use crate::distance::{distance_below, reach_of_boxes};
use crate::geometries::Geometries;
use crate::segment::Place;

/// How many more boxes are asked for than are wanted: usually the last of them is too far away, and the search is over.
const MORE: usize = 3;
/// Room for so many of the nearest is made at once, if as many are wanted.
const ROOM: usize = 64;
/// About how many boxes are asked for at once; all are kept until their distances are computed.
const AT_ONCE: usize = 1 << 18;
/// About how many answers to points are kept until all of a crowd are there: 64 MB. Fewer: neighbors are farther apart.
const OF_CROWD: usize = 1 << 22;

/// Geometries that are asked for the nearest to others.
#[derive(Clone, Copy, Debug)]
pub struct Nearest<'a, I: Structure<Scalar = f64>> {
    all: &'a Geometries,
    boxes: &'a Index<I>,
}

/// Which of the nearest are wanted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wanted {
    /// How many, at most.
    pub count: usize,
    /// How far away, at most.
    pub most: f64,
    /// Whether those that are as near as the last are wanted too.
    pub has_ties: bool,
    /// Whether the one with the same number is not wanted: itself, where one set is asked about its own.
    pub but_itself: bool,
}

impl<'a, I: Structure<Scalar = f64>> Nearest<'a, I> {
    /// Of an index of [`Geometries::boxes`], with the same numbers.
    #[must_use]
    pub fn new(all: &'a Geometries, boxes: &'a Index<I>) -> Self {
        Self { all, boxes }
    }

    /// The nearest to geometry `i` of `a`, and how far away: the nearest first, those at equal distances by number.
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

    /// How many are answered at once, if all that ask are points, and there are at least twice as many as others in
    /// that. Fewer if geometries are large, so that it does not take long until the first is visited.
    fn crowd(&self, a: &Geometries, wanted: Wanted) -> Option<usize> {
        let size = self.all.count_places() / self.all.len().max(1);
        let step = OF_CROWD / wanted.count.min(self.all.len()).saturating_add(size + 1);
        let is_crowd = step.min(a.len()) / 2 >= self.all.len();
        (is_crowd && (0..a.len() as u32).all(|i| a.only_place(i).is_some())).then_some(step)
    }

    /// The nearest to each point of `a`, some of them at once.
    fn to_crowd<B>(
        &self,
        a: &Geometries,
        wanted: Wanted,
        step: usize,
        mut visit: impl FnMut(u32, &[(u32, f64)]) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let (all, mut crowd, mut found) = (a.len() as u32, Crowd::new(self, a, wanted), Vec::new());
        for start in (0..all).step_by(step) {
            let askers = start..all.min(start.saturating_add(step as u32));
            let places: Vec<Place> = askers.clone().filter_map(|i| a.only_place(i)).collect();
            let order = along_curve(&places);
            let mut ranges = vec![0..0; places.len()];
            found.clear();
            for (at, number) in order.iter().enumerate() {
                let next = order.get(at + 1).map(|next| places[*next as usize]);
                let first = found.len();
                found.append(&mut crowd.ask(start + number, places[*number as usize], next));
                ranges[*number as usize] = first..found.len();
            }
            askers.zip(ranges).try_for_each(|(i, range)| visit(i, &found[range]))?;
        }
        ControlFlow::Continue(())
    }

    /// What is asked for the nearest.
    pub(crate) fn all(&self) -> &Geometries {
        self.all
    }

    pub(crate) fn boxes(&self) -> &Index<I> {
        self.boxes
    }

    pub(crate) fn bounds(&self, j: u32) -> Aabb<f64> {
        self.boxes.get(j).unwrap_or(Aabb::EMPTY)
    }

    /// How many of the nearest boxes are looked at first: none if most are to be looked at.
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
        let target = near.target();
        let take = |best: &mut Best, j| {
            best.take(j, |limit| distance_below((a, i, &target), (self.all, j, &self.bounds(j)), limit));
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
        let mut others: Vec<(f64, u32)> = others.map(|j| (target.distance(&self.bounds(j)), j)).collect();
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

/// The boxes that may be no farther from one than `most`.
pub(crate) fn near(bounds: Aabb<f64>, most: f64) -> Near<f64> {
    let near = Near::aabb(bounds);
    if most == f64::INFINITY { near } else { near.within(reach_of_boxes(most)) }
}

/// The best so far.
pub(crate) struct Best {
    /// Bits of distances, which have their order, for none is negative.
    heap: BinaryHeap<(u64, u32)>,
    /// Others that are as far away as the last of them.
    ties: Vec<(u64, u32)>,
    wanted: Wanted,
    but: Option<u32>,
}

impl Best {
    /// None yet, for the geometry of a number.
    pub(crate) fn new(wanted: Wanted, number: u32) -> Self {
        // One more is there until the farthest is taken out.
        let heap = BinaryHeap::with_capacity(wanted.count.min(ROOM) + 1);
        Self { heap, ties: Vec::new(), wanted, but: wanted.but_itself.then_some(number) }
    }

    /// What is farther away is not wanted.
    pub(crate) fn limit(&self) -> f64 {
        let last = self.heap.peek().filter(|_| self.heap.len() >= self.wanted.count);
        last.map_or(self.wanted.most, |(bits, _)| f64::from_bits(*bits).min(self.wanted.most))
    }

    /// The last that would stay: what is farther, or as far with a greater number, is not wanted.
    pub(crate) fn last(&self) -> (f64, u32) {
        let last = self.heap.peek().filter(|_| !self.wanted.has_ties && self.heap.len() >= self.wanted.count);
        last.map_or((self.limit(), u32::MAX), |(bits, number)| (f64::from_bits(*bits), *number))
    }

    /// Takes another, if it is wanted; its distance is asked for with the limit.
    pub(crate) fn take(&mut self, j: u32, distance: impl FnOnce(f64) -> f64) {
        let limit = self.limit();
        if self.but == Some(j) {
            return;
        }
        let distance = distance(limit);
        if distance <= limit {
            self.heap.push((distance.to_bits(), j));
            if self.heap.len() > self.wanted.count {
                self.replace();
            }
        }
    }

    /// Takes the farthest out.
    fn replace(&mut self) {
        let Some(out) = self.heap.pop().filter(|_| self.wanted.has_ties) else { return };
        let last = self.heap.peek().map(|last| last.0);
        self.ties.retain(|tie| Some(tie.0) == last);
        self.ties.extend(Some(out).filter(|out| Some(out.0) == last));
    }

    /// The nearest first, those at equal distances by number.
    pub(crate) fn sorted(self) -> Vec<(u32, f64)> {
        let (mut all, mut ties) = (self.heap.into_sorted_vec(), self.ties);
        // They are farther than all others, or have a greater number.
        ties.sort_unstable();
        all.append(&mut ties);
        all.into_iter().map(|(bits, j)| (j, f64::from_bits(bits))).collect()
    }
}
