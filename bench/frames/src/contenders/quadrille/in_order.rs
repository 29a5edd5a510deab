//! Neighbors in order, few of which pass a test.

use quadrille::{Filtered, Near, Structure};

use super::super::{InOrder, is_wanted};
use super::Ours;

impl<I: Structure<Scalar = f32>> InOrder for Ours<I> {
    fn nearest_wanted(&self, point: [f32; 2], k: usize) -> f64 {
        let nearest = self.0.query_in_order(Filtered(Near::point(point), is_wanted)).take(k);
        nearest.map(|hit| hit.rank.squared().sqrt()).sum()
    }
}
