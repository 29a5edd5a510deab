//! `obvhs`: hierarchies for rays in space, of two or eight children a node. Boxes are given a height and rays none.
//! Boxes that move are followed in the ways of its example `physics`, and pairs are found by one query per box, in the
//! order of leaves, which is faster than that of boxes.

use obvhs::BvhBuildParams;
use obvhs::aabb::Aabb as Bounds;
use obvhs::bvh2::Bvh2;
use obvhs::bvh2::builder::build_bvh2;
use obvhs::bvh2::node::Bvh2Node;
use obvhs::bvh2::reinsertion::ReinsertionOptimizer;
use obvhs::cwbvh::CwBvh;
use obvhs::cwbvh::builder::build_cwbvh;
use obvhs::ploc::rebuild::compute_rebuild_path_flags;
use obvhs::ploc::{PlocBuilder, PlocSearchDistance, SortPrecision};
use obvhs::ray::{Ray, RayHit};
use quadrille::Aabb;
use std::time::Duration;

use super::{Cast, Casts, Fat, Frames};
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

/// Each box that has left its fat box is inserted again.
pub struct Reinserted(Moving, Fat);

/// The nodes above boxes that have left their fat boxes are rebuilt.
pub struct Partial {
    moving: Moving,
    fat: Fat,
    leaves: Vec<u32>,
    is_above: Vec<bool>,
}

pub fn refit(boxes: &[Aabb]) -> Refit {
    Refit(Moving::new(boxes), ReinsertionOptimizer::default())
}

pub fn reinserted(boxes: &[Aabb]) -> Reinserted {
    let fat = Fat::new(boxes);
    Reinserted(Moving::new(&fat.boxes), fat)
}

pub fn partial(boxes: &[Aabb]) -> Partial {
    let fat = Fat::new(boxes);
    Partial { moving: Moving::new(&fat.boxes), fat, leaves: Vec::new(), is_above: Vec::new() }
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

    fn resize(&mut self, id: usize, aabb: &Aabb) -> u32 {
        let node = self.tree.primitives_to_nodes[id];
        self.tree.nodes[node as usize].set_aabb(bounds(aabb));
        node
    }

    fn pairs(&self, boxes: &[Aabb], pairs: &mut Tally, is_pair: impl Fn(&Aabb, u32) -> bool) {
        let id = |node: &Bvh2Node| self.tree.primitive_indices[node.first_index as usize];
        for leaf in self.tree.nodes.iter().filter(|node| node.is_leaf()) {
            let a = id(leaf);
            let asked = &boxes[a as usize];
            self.tree.aabb_traverse(bounds(asked), |tree, node| {
                let b = id(&tree.nodes[node as usize]);
                if b > a && is_pair(asked, b) {
                    pairs.pair(a, b);
                }
                true
            });
        }
    }
}

impl Frames for Refit {
    fn frame(&mut self, boxes: &[Aabb], pairs: &mut Tally) {
        let Self(moving, optimizer) = self;
        for (id, aabb) in boxes.iter().enumerate() {
            moving.resize(id, aabb);
        }
        moving.tree.refit_all();
        optimizer.run(&mut moving.tree, 0.01, Some(vec![1.0]));
        moving.pairs(boxes, pairs, |_, _| true);
    }
}

impl Frames for Rebuild {
    fn frame(&mut self, boxes: &[Aabb], pairs: &mut Tally) {
        self.0.build(boxes);
        self.0.pairs(boxes, pairs, |_, _| true);
    }
}

impl Frames for Reinserted {
    fn frame(&mut self, boxes: &[Aabb], pairs: &mut Tally) {
        let Self(moving, fat) = self;
        fat.follow(boxes, |id, aabb| {
            moving.tree.move_primitive(bounds(aabb), id as u32);
        });
        moving.pairs(boxes, pairs, |asked, b| asked.intersects(&boxes[b as usize]));
    }
}

impl Frames for Partial {
    fn frame(&mut self, boxes: &[Aabb], pairs: &mut Tally) {
        let Self { moving, fat, leaves, is_above } = self;
        leaves.clear();
        fat.follow(boxes, |id, aabb| leaves.push(moving.resize(id, aabb)));
        if !leaves.is_empty() {
            let Moving { tree, builder } = moving;
            compute_rebuild_path_flags(tree, leaves.iter(), is_above);
            let is_old = |node: usize| is_above[node];
            builder.partial_rebuild(tree, is_old, PlocSearchDistance::Minimum, SortPrecision::U64, 0);
        }
        moving.pairs(boxes, pairs, |asked, b| asked.intersects(&boxes[b as usize]));
    }
}
