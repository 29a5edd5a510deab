//! `kiddo::ImmutableKdTree` over the middle points of boxes.

use std::num::NonZero;

use kiddo::{ImmutableKdTree, SquaredEuclidean};
use quadrille::Aabb;

use super::Neighbors;
use crate::tally::Tally;

pub struct Kiddo(ImmutableKdTree<f32, 2>);

/// The same points as numbers of twice the width.
pub struct Wide(ImmutableKdTree<f64, 2>);

pub fn new(boxes: &[Aabb]) -> Kiddo {
    let points: Vec<[f32; 2]> = boxes.iter().map(Aabb::center).collect();
    Kiddo(ImmutableKdTree::new_from_slice(&points).expect("a tree"))
}

pub fn wide(boxes: &[Aabb]) -> Wide {
    let points: Vec<[f64; 2]> = boxes.iter().map(|aabb| aabb.center().map(f64::from)).collect();
    Wide(ImmutableKdTree::new_from_slice(&points).expect("a tree"))
}

impl Neighbors for Wide {
    fn nearest(&self, point: [f32; 2], k: usize) -> f64 {
        let k = NonZero::new(k).expect("at least one");
        let found = self.0.query(&point.map(f64::from)).nearest_n::<SquaredEuclidean<f64>>(k).execute();
        found.iter().map(|one| one.distance.sqrt()).sum()
    }

    fn within(&self, point: [f32; 2], radius: f32, found: &mut Tally) {
        let (point, radius) = (point.map(f64::from), f64::from(radius));
        let query = self.0.query(&point);
        let within = query.within::<SquaredEuclidean<f64>>(radius * radius).unsorted().execute();
        within.iter().for_each(|one| found.one(one.item));
    }
}

impl Neighbors for Kiddo {
    fn nearest(&self, point: [f32; 2], k: usize) -> f64 {
        let k = NonZero::new(k).expect("at least one");
        let found = self.0.query(&point).nearest_n::<SquaredEuclidean<f32>>(k).execute();
        found.iter().map(|one| f64::from(one.distance).sqrt()).sum()
    }

    fn within(&self, point: [f32; 2], radius: f32, found: &mut Tally) {
        let within = self.0.query(&point).within::<SquaredEuclidean<f32>>(radius * radius).unsorted().execute();
        within.iter().for_each(|one| found.one(one.item));
    }
}
