//! `parry2d::partitioning::Bvh`, used as the broad phase of Rapier uses it: leaves are updated without their ancestors, one refit brings
//! those to date and puts nodes in depth-first order, and a few subtrees are rebuilt in every frame. No margin: pairs must be exact.

use parry2d::bounding_volume::Aabb as Bounds;
use parry2d::math::Vector;
use parry2d::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};
use quadrille::Aabb;

use super::{Churn, Frames, Questions};
use crate::tally::Tally;

struct Parry {
    bvh: Bvh,
    workspace: BvhWorkspace,
}

struct Refit(Parry);
struct Rebuild(Parry);

fn bounds(aabb: &Aabb) -> Bounds {
    Bounds::new(Vector::from(aabb.min), Vector::from(aabb.max))
}

fn new(boxes: &[Aabb]) -> Parry {
    let leaves: Vec<Bounds> = boxes.iter().map(bounds).collect();
    Parry { bvh: Bvh::from_leaves(BvhBuildStrategy::default(), &leaves), workspace: BvhWorkspace::default() }
}

pub fn refit(boxes: &[Aabb]) -> Box<dyn Frames> {
    Box::new(Refit(new(boxes)))
}

pub fn rebuild(boxes: &[Aabb]) -> Box<dyn Frames> {
    Box::new(Rebuild(new(boxes)))
}

pub fn questions(boxes: &[Aabb]) -> Box<dyn Questions> {
    Box::new(new(boxes))
}

pub fn churn(boxes: &[Aabb]) -> Box<dyn Churn> {
    Box::new(new(boxes))
}

impl Parry {
    fn update(&mut self, boxes: &[Aabb]) {
        for (id, aabb) in (0..).zip(boxes) {
            self.bvh.insert_or_update_partially(bounds(aabb), id, 0.0);
        }
    }

    fn pairs(&mut self, pairs: &mut Tally) {
        self.bvh.traverse_bvtt_single_tree::<false>(&mut self.workspace, &mut |a, b| pairs.pair(a, b));
    }
}

impl Frames for Refit {
    fn frame(&mut self, boxes: &[Aabb], pairs: &mut Tally) {
        self.0.update(boxes);
        self.0.bvh.refit(&mut self.0.workspace);
        self.0.bvh.optimize_incremental(&mut self.0.workspace);
        self.0.pairs(pairs);
    }
}

impl Frames for Rebuild {
    fn frame(&mut self, boxes: &[Aabb], pairs: &mut Tally) {
        self.0.update(boxes);
        self.0.bvh.rebuild(&mut self.0.workspace, BvhBuildStrategy::default());
        self.0.pairs(pairs);
    }
}

impl Questions for Parry {
    fn overlapping(&self, asked: &Aabb, found: &mut Tally) {
        self.bvh.intersect_aabb(&bounds(asked)).for_each(|id| found.one(id));
    }
}

impl Churn for Parry {
    fn replace(&mut self, place: u32, _old: &Aabb, new: &Aabb) {
        self.bvh.remove(place);
        self.bvh.insert(bounds(new), place);
    }

    fn pairs(&mut self, _boxes: &[Aabb], pairs: &mut Tally) {
        self.bvh.refit(&mut self.workspace);
        self.bvh.optimize_incremental(&mut self.workspace);
        Parry::pairs(self, pairs);
    }
}
