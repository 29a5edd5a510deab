//! Single changes between queries, and never `maintain`.

use quadrille::{Aabb, Structure};

use super::super::{Churn, Queries, Singles};
use super::Ours;
use crate::tally::Tally;

impl<I: Structure<Scalar = f32>> Singles for Ours<I> {
    fn update(&mut self, place: u32, _old: &Aabb, new: &Aabb) {
        self.0.update(place, *new).expect("scenes are valid");
    }

    fn renew(&mut self, place: u32, old: &Aabb, new: &Aabb) {
        self.replace(place, old, new);
    }

    fn overlapping(&self, asked: &Aabb, found: &mut Tally) {
        Queries::overlapping(self, asked, found);
    }
}
