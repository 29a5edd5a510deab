//! The nearest of many by true distance: boxes say which distances must be computed.

use std::collections::BinaryHeap;

use quadrille::{Hit, Index, Near, Structure};

use crate::distance::{distance_below, reach_of_boxes};
use crate::geometries::Geometries;

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
    /// The number of one that is not wanted: itself, where one set is asked about its own.
    pub but: Option<u32>,
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
        let near = Near::aabb(a.bounds(i));
        let mut best = Best { heap: BinaryHeap::new(), wanted };
        // The nearest boxes first: the farthest of their shapes limits the search, unless all are wanted.
        let mut first: Vec<Hit<_>> = Vec::new();
        if wanted.count < self.boxes.len() {
            self.boxes.query_first_few(near, wanted.count + usize::from(wanted.but.is_some()), &mut first);
        }
        let mut first: Vec<u32> = first.into_iter().map(|hit| hit.id).collect();
        first.iter().for_each(|j| best.take(*j, |limit| distance_below(a, i, self.all, *j, limit)));
        first.sort_unstable();

        let circle = near.within(reach_of_boxes(best.limit()));
        let others = self.boxes.query(circle).filter(|j| first.binary_search(j).is_err());
        let from_box = |j: u32| self.boxes.get(j).map_or(0.0, |bounds| near.target().distance(&bounds));
        let mut others: Vec<(f64, u32)> = others.map(|j| (from_box(j), j)).collect();
        others.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for (least, j) in others {
            if least > reach_of_boxes(best.limit()) {
                break;
            }
            best.take(j, |limit| distance_below(a, i, self.all, j, limit));
        }
        best.heap.into_sorted_vec().into_iter().map(|(bits, j)| (j, f64::from_bits(bits))).collect()
    }
}

/// The best so far.
struct Best {
    /// Bits of distances, which have their order, for none is negative.
    heap: BinaryHeap<(u64, u32)>,
    wanted: Wanted,
}

impl Best {
    /// What is farther away is not wanted.
    fn limit(&self) -> f64 {
        let last = self.heap.peek().filter(|_| self.heap.len() >= self.wanted.count);
        last.map_or(self.wanted.most, |(bits, _)| f64::from_bits(*bits).min(self.wanted.most))
    }

    fn take(&mut self, j: u32, distance: impl FnOnce(f64) -> f64) {
        let limit = self.limit();
        if self.wanted.but == Some(j) || self.wanted.count == 0 {
            return;
        }
        let distance = distance(limit);
        if distance <= limit {
            self.heap.push((distance.to_bits(), j));
            if self.heap.len() > self.wanted.count {
                self.heap.pop();
            }
        }
    }
}
