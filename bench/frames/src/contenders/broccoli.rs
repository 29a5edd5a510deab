//! `broccoli::Tree`, rebuilt every frame. The elements stay in the order in which the tree of the last frame left them,
//! which is faster than passing them in their original order.

use broccoli::aabb::BBox;
use broccoli::aabb::pin::AabbPin;
use broccoli::{Tree, bbox, rect, unpack};
use quadrille::Aabb;

use super::{Frames, Sets};
use crate::tally::Tally;

pub struct Broccoli(pub Vec<BBox<f32, u32>>);

/// A new list of boxes and a new tree.
pub fn first(boxes: &[Aabb], pairs: &mut Tally) {
    find(&mut list(boxes), pairs);
}

/// The same without the pairs.
pub fn build(boxes: &[Aabb], _pairs: &mut Tally) {
    std::hint::black_box(Tree::new(&mut list(boxes)));
}

pub fn list(boxes: &[Aabb]) -> Vec<BBox<f32, u32>> {
    (0..).zip(boxes).map(|(id, aabb)| bbox(bounds(aabb), id)).collect()
}

fn find(list: &mut [BBox<f32, u32>], pairs: &mut Tally) {
    Tree::new(list).find_colliding_pairs(|a, b| {
        unpack!(a, b);
        pairs.pair(*a, *b);
    });
}

fn bounds(aabb: &Aabb) -> broccoli::axgeom::Rect<f32> {
    rect(aabb.min[0], aabb.max[0], aabb.min[1], aabb.max[1])
}

impl Frames for Broccoli {
    fn frame(&mut self, boxes: &[Aabb], pairs: &mut Tally) {
        for one in &mut self.0 {
            one.rect = bounds(&boxes[one.inner as usize]);
        }
        find(&mut self.0, pairs);
    }
}

/// Two lists. Its own join of two trees, `find_colliding_pairs_with`, reports only boxes inside others; so the tree of
/// the larger set is queried with each box of the other, which is what that join does too. The tree borrows its list, so
/// joining includes building it.
#[derive(Default)]
pub struct Two([Vec<BBox<f32, u32>>; 2]);

impl Sets for Two {
    fn build(&mut self, sets: [&[Aabb]; 2]) {
        self.0 = sets.map(list);
    }

    fn join(&mut self, pairs: &mut Tally) {
        let [one, other] = &mut self.0;
        let is_first_larger = one.len() >= other.len();
        let (large, small) = if is_first_larger { (one, other) } else { (other, one) };
        let mut tree = Tree::new(large);
        for asked in small {
            tree.find_all_intersect_rect(AabbPin::new(asked), |asked, found| {
                let (asked, found) = (asked.inner, found.inner);
                let (a, b) = if is_first_larger { (found, asked) } else { (asked, found) };
                pairs.across(a, b);
            });
        }
    }
}
