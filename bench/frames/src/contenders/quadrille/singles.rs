//! Single changes between queries, and never `maintain`.

use quadrille::{Aabb, Structure};

use super::super::Singles;
use super::Ours;

impl<I: Structure<Scalar = f32>> Singles for Ours<I> {
    fn update(&mut self, place: u32, _old: &Aabb, new: &Aabb) {
        self.0.update(place, *new).expect("scenes are valid");
    }

    fn renew(&mut self, place: u32, _old: &Aabb, new: &Aabb) {
        self.0.remove(place);
        // The last id that was freed is given out first.
        assert_eq!(self.0.insert(*new), Ok(place));
    }
}
