//! `rstar::RTree`: bulk loaded in every frame and queried for each box; for single changes, updated in place.

use std::ops::ControlFlow::Continue;

use quadrille::Aabb;
use rstar::primitives::{GeomWithData, Rectangle};
use rstar::{AABB, RTree};

use super::{Apart, Frames, InOrder, Neighbors, Search, Singles, are_near, is_wanted};
use crate::tally::Tally;

type Entry = GeomWithData<Rectangle<[f32; 2]>, u32>;
type Point = GeomWithData<[f32; 2], u32>;

/// The tree of the last frame, kept only to be counted.
#[derive(Default)]
pub struct Rebuilt(RTree<Entry>);
pub struct Points(RTree<Point>);

pub fn points(boxes: &[Aabb]) -> Points {
    let points = (0..).zip(boxes).map(|(id, aabb)| Point::new(aabb.center(), id));
    Points(RTree::bulk_load(points.collect()))
}

fn entry(id: u32, aabb: &Aabb) -> Entry {
    Entry::new(Rectangle::from_corners(aabb.min, aabb.max), id)
}

pub fn load(boxes: &[Aabb]) -> RTree<Entry> {
    RTree::bulk_load((0..).zip(boxes).map(|(id, aabb)| entry(id, aabb)).collect())
}

impl Search for RTree<Entry> {
    fn search(&self, asked: &Aabb, mut found: impl FnMut(u32)) {
        let envelope = AABB::from_corners(asked.min, asked.max);
        let _ = self.locate_in_envelope_intersecting_int(envelope, |one| {
            found(one.data);
            Continue::<()>(())
        });
    }
}

impl Frames for Rebuilt {
    fn frame(&mut self, boxes: &[Aabb], pairs: &mut Tally) {
        self.0 = load(boxes);
        self.0.pairs_by_queries(boxes, pairs);
    }
}

impl Neighbors for Points {
    fn nearest(&self, point: [f32; 2], k: usize) -> f64 {
        let nearest = self.0.nearest_neighbor_iter_with_distance_2(point).take(k);
        nearest.map(|(_, squared)| f64::from(squared).sqrt()).sum()
    }

    fn within(&self, point: [f32; 2], radius: f32, found: &mut Tally) {
        self.0.locate_within_distance(point, radius * radius).for_each(|one| found.one(one.data));
    }
}

impl InOrder for Points {
    fn nearest_wanted(&self, point: [f32; 2], k: usize) -> f64 {
        let in_order = self.0.nearest_neighbor_iter_with_distance_2(point);
        let nearest = in_order.filter(|(one, _)| is_wanted(one.data)).take(k);
        nearest.map(|(_, squared)| f64::from(squared).sqrt()).sum()
    }
}

/// Two trees, walked at once.
pub fn join([one, other]: &[RTree<Entry>; 2], pairs: &mut Tally) {
    one.intersection_candidates_with_other_tree(other).for_each(|(a, b)| pairs.across(a.data, b.data));
}

/// A tree, queried with the surroundings of each box.
pub struct Asked;

/// Boxes within a distance of one, from a tree of these boxes.
fn near(tree: &RTree<Entry>, boxes: &[Aabb], asked: &Aabb, distance: f32, mut found: impl FnMut(u32)) {
    tree.search(&asked.with_margin(distance * 1.0001), |id| {
        if are_near(asked, &boxes[id as usize], distance) {
            found(id);
        }
    });
}

impl Apart for Asked {
    fn within(&mut self, boxes: &[Aabb], distance: f32, pairs: &mut Tally) {
        let tree = load(boxes);
        for (a, asked) in (0..).zip(boxes) {
            near(&tree, boxes, asked, distance, |b| pairs.once(a, b));
        }
    }

    fn across(&mut self, [one, other]: [&[Aabb]; 2], distance: f32, pairs: &mut Tally) {
        let tree = load(other);
        for (a, asked) in (0..).zip(one) {
            near(&tree, other, asked, distance, |b| pairs.across(a, b));
        }
    }
}

impl Singles for RTree<Entry> {
    fn renew(&mut self, place: u32, old: &Aabb, new: &Aabb) {
        assert!(self.remove(&entry(place, old)).is_some());
        self.insert(entry(place, new));
    }
}
