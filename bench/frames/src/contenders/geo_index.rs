//! `geo_index::rtree`: a packed Hilbert R-tree in one buffer, for rectangles that stay; and the first frame.

use geo_index::rtree::sort::HilbertSort;
use geo_index::rtree::{RTree, RTreeBuilder, RTreeIndex};
use quadrille::Aabb;

use super::{Frames, OneBuilt, Queries, Sets, ask_for_each};
use crate::tally::Tally;

/// Rebuilt every frame and queried once per box.
struct First;

/// The same without asking.
struct Build;

pub fn queries(boxes: &[Aabb]) -> Box<dyn Queries> {
    Box::new(new(boxes))
}

pub fn first(_boxes: &[Aabb]) -> Box<dyn Frames> {
    Box::new(First)
}

pub fn build(_boxes: &[Aabb]) -> Box<dyn Frames> {
    Box::new(Build)
}

fn new(boxes: &[Aabb]) -> RTree<f32> {
    let mut builder = RTreeBuilder::<f32>::new(boxes.len() as u32);
    for aabb in boxes {
        builder.add(aabb.min[0], aabb.min[1], aabb.max[0], aabb.max[1]);
    }
    builder.finish::<HilbertSort>()
}

/// Two trees, walked at once.
struct Two(Option<[RTree<f32>; 2]>);

pub fn sets(_boxes: &[Aabb]) -> Box<dyn Sets> {
    Box::new(Two(None))
}

/// One tree, asked for each box of the larger set.
pub fn sets_one_by_one(_boxes: &[Aabb]) -> Box<dyn Sets> {
    Box::new(OneBuilt::new(new, |tree: &RTree<f32>, asked, found| {
        tree.search(asked.min[0], asked.min[1], asked.max[0], asked.max[1]).into_iter().for_each(found);
    }))
}

impl Sets for Two {
    fn build(&mut self, sets: [&[Aabb]; 2]) {
        self.0 = Some(sets.map(new));
    }

    fn join(&mut self, pairs: &mut Tally) {
        let [one, other] = self.0.as_ref().expect("built before");
        one.intersection_candidates_with_other_tree(other).for_each(|(a, b)| pairs.across(a, b));
    }
}

impl Frames for First {
    fn frame(&mut self, boxes: &[Aabb], pairs: &mut Tally) {
        let tree = new(boxes);
        ask_for_each(boxes, |a, asked| {
            let found = tree.search(asked.min[0], asked.min[1], asked.max[0], asked.max[1]);
            found.into_iter().filter(|&b| b > a).for_each(|b| pairs.pair(a, b));
        });
    }
}

impl Frames for Build {
    fn frame(&mut self, boxes: &[Aabb], _pairs: &mut Tally) {
        std::hint::black_box(new(boxes));
    }
}

impl Queries for RTree<f32> {
    fn overlapping(&self, asked: &Aabb, found: &mut Tally) {
        self.search(asked.min[0], asked.min[1], asked.max[0], asked.max[1]).into_iter().for_each(|id| found.one(id));
    }
}
