//! `static_aabb2d_index`: a packed Hilbert R-tree, rebuilt every frame and queried once per box.

use quadrille::Aabb;
use static_aabb2d_index::{Control, StaticAABB2DIndex, StaticAABB2DIndexBuilder};

use super::{Frames, InOrder, Neighbors, OneBuilt, Queries, Sets, ask_for_each, is_wanted};
use crate::tally::Tally;

type Index = StaticAABB2DIndex<f32>;

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
    builder.build().expect("as many as announced")
}

fn visit(index: &Index, asked: &Aabb, stack: &mut Vec<usize>, mut found: impl FnMut(u32)) {
    let [min, max] = [asked.min, asked.max];
    index.visit_query_with_stack(min[0], min[1], max[0], max[1], &mut |id: usize| found(id as u32), stack);
}

impl Frames for Static {
    fn frame(&mut self, boxes: &[Aabb], pairs: &mut Tally) {
        let index = self.0.insert(new(boxes));
        let mut stack = Vec::new();
        ask_for_each(boxes, |a, bounds| {
            visit(index, bounds, &mut stack, |b| pairs.once(a, b));
        });
    }
}

impl Queries for Index {
    fn overlapping(&self, asked: &Aabb, found: &mut Tally) {
        visit(self, asked, &mut Vec::with_capacity(16), |id| found.one(id));
    }
}

/// Adds up the distances to the `k` nearest of a point that are wanted.
fn nearest(index: &Index, [x, y]: [f32; 2], k: usize, is_wanted: impl Fn(u32) -> bool) -> f64 {
    let (mut sum, mut left) = (0.0, k);
    index.visit_neighbors(x, y, &mut |id, squared: f32| {
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
        self.visit_neighbors(x, y, &mut |id, squared: f32| {
            if squared > radius * radius {
                return Control::Break(());
            }
            found.one(id as u32);
            Control::Continue
        });
    }
}

/// Has no join of two indexes.
pub fn sets(_boxes: &[Aabb]) -> Box<dyn Sets> {
    let mut stack = Vec::new();
    Box::new(OneBuilt::new(new, move |index: &Index, asked, found| visit(index, asked, &mut stack, found)))
}
