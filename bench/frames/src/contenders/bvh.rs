//! `bvh`: a hierarchy of two children a node, in two dimensions. The refit is ours, over its nodes, which are public.
//! Pairs by one query per box, in the order of leaves.

use bvh::aabb::{Aabb as Bounds, Bounded};
use bvh::bounding_hierarchy::BHShape;
use bvh::bvh::{Bvh, BvhNode};
use quadrille::Aabb;

use super::Frames;
use crate::tally::Tally;

struct Shape {
    bounds: Bounds<f32, 2>,
    id: u32,
    node: usize,
}

impl Bounded<f32, 2> for Shape {
    fn aabb(&self) -> Bounds<f32, 2> {
        self.bounds
    }
}

impl BHShape<f32, 2> for Shape {
    fn set_bh_node_index(&mut self, node: usize) {
        self.node = node;
    }

    fn bh_node_index(&self) -> usize {
        self.node
    }
}

fn bounds(aabb: &Aabb) -> Bounds<f32, 2> {
    Bounds::with_bounds(aabb.min.into(), aabb.max.into())
}

pub struct Tree {
    tree: Bvh<f32, 2>,
    shapes: Vec<Shape>,
}

pub struct Refit(pub Tree);
pub struct Rebuild(pub Tree);

impl Tree {
    pub fn new(boxes: &[Aabb]) -> Self {
        let shape = |(id, aabb)| Shape { bounds: bounds(aabb), id, node: 0 };
        let mut shapes: Vec<Shape> = (0..).zip(boxes).map(shape).collect();
        Self { tree: Bvh::build(&mut shapes), shapes }
    }

    fn update(&mut self, boxes: &[Aabb]) {
        for (shape, aabb) in self.shapes.iter_mut().zip(boxes) {
            shape.bounds = bounds(aabb);
        }
    }

    fn pairs(&self, boxes: &[Aabb], pairs: &mut Tally) {
        for place in self.tree.nodes.iter().filter_map(BvhNode::shape_index) {
            let (a, bounds) = (place as u32, bounds(&boxes[place]));
            let found = self.tree.traverse_iterator(&bounds, &self.shapes).map(|shape| shape.id);
            found.for_each(|b| pairs.once(a, b));
        }
    }
}

impl Frames for Refit {
    fn frame(&mut self, boxes: &[Aabb], pairs: &mut Tally) {
        self.0.update(boxes);
        let Tree { tree, shapes } = &mut self.0;
        // Building puts every node before its children.
        for at in (0..tree.nodes.len()).rev() {
            if let BvhNode::Node { child_l_index, child_r_index, .. } = tree.nodes[at] {
                let hull = |child: usize| tree.nodes[child].get_node_aabb(shapes);
                let (left, right) = (hull(child_l_index), hull(child_r_index));
                *tree.nodes[at].child_l_aabb_mut() = left;
                *tree.nodes[at].child_r_aabb_mut() = right;
            }
        }
        self.0.pairs(boxes, pairs);
    }
}

impl Frames for Rebuild {
    fn frame(&mut self, boxes: &[Aabb], pairs: &mut Tally) {
        self.0.update(boxes);
        self.0.tree = Bvh::build(&mut self.0.shapes);
        self.0.pairs(boxes, pairs);
    }
}
