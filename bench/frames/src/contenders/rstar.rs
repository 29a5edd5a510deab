//! `rstar::RTree`: bulk loaded in every frame and queried for each box; for churn, updated in place.

use std::ops::ControlFlow::Continue;

use quadrille::Aabb;
use rstar::primitives::{GeomWithData, Rectangle};
use rstar::{AABB, RTree};

use super::{Churn, Frames, Neighbors, Questions, ask_for_each};
use crate::tally::Tally;

type Entry = GeomWithData<Rectangle<[f32; 2]>, u32>;
type Point = GeomWithData<[f32; 2], u32>;

/// The tree of the last frame, kept only to be counted.
struct Rebuilt(RTree<Entry>);
struct Boxes(RTree<Entry>);
struct Points(RTree<Point>);

pub fn frames(_boxes: &[Aabb]) -> Box<dyn Frames> {
    Box::new(Rebuilt(RTree::new()))
}

/// Loaded without being asked.
struct Loaded;

pub fn build(_boxes: &[Aabb]) -> Box<dyn Frames> {
    Box::new(Loaded)
}

impl Frames for Loaded {
    fn frame(&mut self, boxes: &[Aabb], _pairs: &mut Tally) {
        std::hint::black_box(load(boxes));
    }
}

pub fn questions(boxes: &[Aabb]) -> Box<dyn Questions> {
    Box::new(Boxes(load(boxes)))
}

pub fn churn(boxes: &[Aabb]) -> Box<dyn Churn> {
    Box::new(Boxes(load(boxes)))
}

pub fn neighbors(boxes: &[Aabb]) -> Box<dyn Neighbors> {
    let points = (0..).zip(boxes).map(|(id, aabb)| Point::new(aabb.center(), id));
    Box::new(Points(RTree::bulk_load(points.collect())))
}

fn entry(id: u32, aabb: &Aabb) -> Entry {
    Entry::new(Rectangle::from_corners(aabb.min, aabb.max), id)
}

fn load(boxes: &[Aabb]) -> RTree<Entry> {
    RTree::bulk_load((0..).zip(boxes).map(|(id, aabb)| entry(id, aabb)).collect())
}

fn visit(tree: &RTree<Entry>, asked: &Aabb, mut found: impl FnMut(u32)) {
    let envelope = AABB::from_corners(asked.min, asked.max);
    let _ = tree.locate_in_envelope_intersecting_int(envelope, |one| {
        found(one.data);
        Continue::<()>(())
    });
}

fn pairs_of(tree: &RTree<Entry>, boxes: &[Aabb], pairs: &mut Tally) {
    ask_for_each(boxes, |a, bounds| {
        visit(tree, bounds, |b| {
            if b > a {
                pairs.pair(a, b);
            }
        });
    });
}

impl Frames for Rebuilt {
    fn frame(&mut self, boxes: &[Aabb], pairs: &mut Tally) {
        self.0 = load(boxes);
        pairs_of(&self.0, boxes, pairs);
    }
}

impl Questions for Boxes {
    fn overlapping(&self, asked: &Aabb, found: &mut Tally) {
        visit(&self.0, asked, |id| found.one(id));
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

impl Churn for Boxes {
    fn replace(&mut self, place: u32, old: &Aabb, new: &Aabb) {
        assert!(self.0.remove(&entry(place, old)).is_some());
        self.0.insert(entry(place, new));
    }

    fn pairs(&mut self, boxes: &[Aabb], pairs: &mut Tally) {
        pairs_of(&self.0, boxes, pairs);
    }
}
