//! Single changes between queries, and never `maintain`.

use std::ops::ControlFlow::Continue;

use quadrille::{Aabb, Overlaps, Structure};

use super::super::Singles;
use super::{Ours, new};
use crate::tally::Tally;

pub fn singles<I: Structure<Scalar = f32> + 'static>(boxes: &[Aabb]) -> Box<dyn Singles> {
    new::<I>(boxes)
}

impl<I: Structure<Scalar = f32>> Singles for Ours<I> {
    fn update(&mut self, place: u32, _old: &Aabb, new: &Aabb) {
        self.0.update(place, *new).expect("scenes are valid");
    }

    fn renew(&mut self, place: u32, _old: &Aabb, new: &Aabb) {
        self.0.remove(place);
        // The last id that was freed is given out first.
        assert_eq!(self.0.insert(*new), Ok(place));
    }

    fn overlapping(&self, asked: &Aabb, found: &mut Tally) {
        let _ = self.0.query_visit(Overlaps(*asked), |id| {
            found.one(id);
            Continue::<()>(())
        });
    }
}
