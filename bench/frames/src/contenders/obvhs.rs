//! `obvhs`: hierarchies for rays in space, of two or eight children a node. Boxes are given a height and rays none.

use obvhs::BvhBuildParams;
use obvhs::aabb::Aabb as Bounds;
use obvhs::bvh2::Bvh2;
use obvhs::bvh2::builder::build_bvh2;
use obvhs::cwbvh::CwBvh;
use obvhs::cwbvh::builder::build_cwbvh;
use obvhs::ray::{Ray, RayHit};
use quadrille::Aabb;
use std::time::Duration;

use super::{Cast, Casts};

/// A hierarchy and the boxes in its order.
pub struct Tree<T> {
    tree: T,
    boxes: Vec<Bounds>,
}

fn in_space(boxes: &[Aabb]) -> Vec<Bounds> {
    let corner = |[x, y]: [f32; 2], z: f32| [x, y, z].into();
    boxes.iter().map(|aabb| Bounds::new(corner(aabb.min, -1.0), corner(aabb.max, 1.0))).collect()
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
