//! `static_aabb2d_index`: a packed Hilbert R-tree, rebuilt every frame and queried once per box.

use std::cell::RefCell;

use quadrille::Aabb;
use static_aabb2d_index::{Control, StaticAABB2DIndex, StaticAABB2DIndexBuilder};

use super::{Frames, InOrder, Neighbors, Search, is_wanted};
use crate::tally::Tally;

/// With the stack of its walks, which is kept to reuse its memory.
pub struct Index(StaticAABB2DIndex<f32>, RefCell<Vec<usize>>);

#[derive(Default)]
pub struct Static(Option<Index>);

pub fn points(boxes: &[Aabb]) -> Index {
    build(boxes.iter().map(|aabb| Aabb::from_point(aabb.center())))
}

pub fn new(boxes: &[Aabb]) -> Index {
    build(boxes.iter().copied())
}

fn build(boxes: impl ExactSizeIterator<Item = Aabb>) -> Index {
    let mut builder = StaticAABB2DIndexBuilder::new(boxes.len());
    for aabb in boxes {
        builder.add(aabb.min[0], aabb.min[1], aabb.max[0], aabb.max[1]);
    }
    Index(builder.build().expect("as many as announced"), RefCell::default())
}

impl Search for Index {
    fn search(&self, asked: &Aabb, mut found: impl FnMut(u32)) {
        let ([x0, y0], [x1, y1], stack) = (asked.min, asked.max, &mut *self.1.borrow_mut());
        self.0.visit_query_with_stack(x0, y0, x1, y1, &mut |id: usize| found(id as u32), stack);
    }
}

impl Frames for Static {
    fn frame(&mut self, boxes: &[Aabb], pairs: &mut Tally) {
        self.0.insert(new(boxes)).pairs_by_queries(boxes, pairs);
    }
}

/// Adds up the distances to the `k` nearest of a point that are wanted.
fn nearest(index: &Index, [x, y]: [f32; 2], k: usize, is_wanted: impl Fn(u32) -> bool) -> f64 {
    let (mut sum, mut left) = (0.0, k);
    index.0.visit_neighbors(x, y, &mut |id, squared: f32| {
        if is_wanted(id as u32) {
            sum += f64::from(squared).sqrt();
            left -= 1;
        }
        if left == 0 { Control::Break(()) } else { Control::Continue }
    });
    sum
}

impl InOrder for Index {
    fn nearest_wanted(&self, point: [f32; 2], k: usize) -> f64 {
        nearest(self, point, k, is_wanted)
    }
}

impl Neighbors for Index {
    fn nearest(&self, point: [f32; 2], k: usize) -> f64 {
        nearest(self, point, k, |_| true)
    }

    fn within(&self, [x, y]: [f32; 2], radius: f32, found: &mut Tally) {
        self.0.visit_neighbors(x, y, &mut |id, squared: f32| {
            if squared > radius * radius {
                return Control::Break(());
            }
            found.one(id as u32);
            Control::Continue
        });
    }
}
