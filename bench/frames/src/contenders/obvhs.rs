//! `obvhs`: hierarchies for rays in space, of two or eight children a node. Boxes are given a height and rays none.
//! Pairs are found by one query per box, in the
//! order of leaves, which is faster than that of boxes.

use obvhs::BvhBuildParams;
use obvhs::aabb::Aabb as Bounds;
use obvhs::bvh2::Bvh2;
use obvhs::bvh2::builder::build_bvh2;
use obvhs::bvh2::node::Bvh2Node;
use obvhs::bvh2::reinsertion::ReinsertionOptimizer;
use obvhs::cwbvh::CwBvh;
use obvhs::cwbvh::builder::build_cwbvh;
use obvhs::ploc::{PlocBuilder, PlocSearchDistance, SortPrecision};
use obvhs::ray::{Ray, RayHit};
use quadrille::Aabb;
use std::time::Duration;

use super::{Cast, Casts, Frames};
use crate::tally::Tally;

/// A hierarchy and the boxes in its order.
pub struct Tree<T> {
    tree: T,
    boxes: Vec<Bounds>,
}

fn in_space(boxes: &[Aabb]) -> Vec<Bounds> {
    boxes.iter().map(bounds).collect()
}

fn bounds(aabb: &Aabb) -> Bounds {
    let corner = |[x, y]: [f32; 2], z: f32| [x, y, z].into();
    Bounds::new(corner(aabb.min, -1.0), corner(aabb.max, 1.0))
}

fn in_order(boxes: &[Bounds], order: &[u32]) -> Vec<Bounds> {
    order.iter().map(|&place| boxes[place as usize]).collect()
}

/// Two children a node.
pub fn two(boxes: &[Aabb]) -> Tree<Bvh2> {
    let boxes = in_space(boxes);
    let tree = build_bvh2(&boxes, BvhBuildParams::slow_build(), &mut Duration::default());
    Tree { boxes: in_order(&boxes, &tree.primitive_indices), tree }
}

/// Eight children a node.
pub fn eight(boxes: &[Aabb]) -> Tree<CwBvh> {
    let boxes = in_space(boxes);
    let tree = build_cwbvh(&boxes, BvhBuildParams::slow_build(), &mut Duration::default());
    Tree { boxes: in_order(&boxes, &tree.primitive_indices), tree }
}

fn ray(cast: &Cast) -> Ray {
    let (from, way, end) = match *cast {
        Cast::Ray { origin, direction } => (origin, direction, f32::INFINITY),
        // What is hit at its very end is hit.
        Cast::Segment { from, to } => (from, [to[0] - from[0], to[1] - from[1]], 1.0_f32.next_up()),
        Cast::Swept { .. } => unreachable!("the task leaves it out"),
    };
    Ray::new([from[0], from[1], 0.0].into(), [way[0], way[1], 0.0].into(), 0.0, end)
}

/// When a box is hit. Less than nothing: the ray starts inside.
#[inline(always)]
fn time(boxes: &[Bounds]) -> impl Fn(&Ray, usize) -> f32 {
    |ray, place| boxes[place].intersect_ray(ray).max(0.0)
}

impl Casts for Tree<Bvh2> {
    fn first(&self, cast: &Cast) -> Option<f64> {
        let mut hit = RayHit::none();
        self.tree.ray_traverse(ray(cast), &mut hit, time(&self.boxes)).then(|| f64::from(hit.t))
    }
}

impl Casts for Tree<CwBvh> {
    fn first(&self, cast: &Cast) -> Option<f64> {
        let mut hit = RayHit::none();
        self.tree.ray_traverse(ray(cast), &mut hit, time(&self.boxes)).then(|| f64::from(hit.t))
    }
}

/// Boxes that move.
pub struct Moving {
    tree: Bvh2,
    builder: PlocBuilder,
}

/// Refitted; one node in a hundred is moved to a better place, as its documentation advises.
pub struct Refit(pub Moving, ReinsertionOptimizer);

/// Built again in every frame.
pub struct Rebuild(pub Moving);

pub fn refit(boxes: &[Aabb]) -> Refit {
    Refit(Moving::new(boxes), ReinsertionOptimizer::default())
}

impl Moving {
    pub fn new(boxes: &[Aabb]) -> Self {
        let mut moving = Self { tree: Bvh2::default(), builder: PlocBuilder::new() };
        moving.build(boxes);
        moving.tree.init_primitives_to_nodes_if_uninit();
        moving.tree.init_parents_if_uninit();
        moving
    }

    fn build(&mut self, boxes: &[Aabb]) {
        let (boxes, ids) = (in_space(boxes), (0..boxes.len() as u32).collect());
        let Self { tree, builder } = self;
        builder.build_with_bvh(tree, PlocSearchDistance::Minimum, &boxes, ids, SortPrecision::U64, 0);
    }

    fn pairs(&self, boxes: &[Aabb], pairs: &mut Tally) {
        let id = |node: &Bvh2Node| self.tree.primitive_indices[node.first_index as usize];
        for leaf in self.tree.nodes.iter().filter(|node| node.is_leaf()) {
            let a = id(leaf);
            self.tree.aabb_traverse(bounds(&boxes[a as usize]), |tree, node| {
                pairs.once(a, id(&tree.nodes[node as usize]));
                true
            });
        }
    }
}

impl Frames for Refit {
    fn frame(&mut self, boxes: &[Aabb], pairs: &mut Tally) {
        let Self(moving, optimizer) = self;
        for (&node, aabb) in moving.tree.primitives_to_nodes.iter().zip(boxes) {
            moving.tree.nodes[node as usize].set_aabb(bounds(aabb));
        }
        moving.tree.refit_all();
        optimizer.run(&mut moving.tree, 0.01, Some(vec![1.0]));
        moving.pairs(boxes, pairs);
    }
}

impl Frames for Rebuild {
    fn frame(&mut self, boxes: &[Aabb], pairs: &mut Tally) {
        self.0.build(boxes);
        self.0.pairs(boxes, pairs);
    }
}
