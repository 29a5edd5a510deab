//! Our own structures.

use std::ops::ControlFlow::Continue;

use quadrille::{Aabb, Index, Near, Overlaps, Structure};

use super::{Churn, Frames, Neighbours, Questions};
use crate::tally::Tally;

struct Ours<I: Structure>(Index<I>);

fn new<I: Structure<Scalar = f32>>(boxes: &[Aabb]) -> Box<Ours<I>> {
    Box::new(Ours(Index::from_boxes(boxes).expect("scenes are valid")))
}

pub fn frames<I: Structure<Scalar = f32> + 'static>(boxes: &[Aabb]) -> Box<dyn Frames> {
    new::<I>(boxes)
}

pub fn questions<I: Structure<Scalar = f32> + 'static>(boxes: &[Aabb]) -> Box<dyn Questions> {
    new::<I>(boxes)
}

pub fn neighbours<I: Structure<Scalar = f32> + 'static>(boxes: &[Aabb]) -> Box<dyn Neighbours> {
    let points: Vec<Aabb> = boxes.iter().map(|bounds| Aabb::from_point(bounds.center())).collect();
    new::<I>(&points)
}

pub fn churn<I: Structure<Scalar = f32> + 'static>(boxes: &[Aabb]) -> Box<dyn Churn> {
    new::<I>(boxes)
}

impl<I: Structure<Scalar = f32>> Frames for Ours<I> {
    fn frame(&mut self, boxes: &[Aabb], pairs: &mut Tally) {
        self.0.update_all(boxes).expect("scenes are valid");
        let _ = self.0.pairs_visit(|a, b| {
            pairs.pair(a, b);
            Continue::<()>(())
        });
    }
}

impl<I: Structure<Scalar = f32>> Questions for Ours<I> {
    fn overlapping(&self, asked: &Aabb, found: &mut Tally) {
        let _ = self.0.query_visit(Overlaps(*asked), |id| {
            found.one(id);
            Continue::<()>(())
        });
    }
}

impl<I: Structure<Scalar = f32>> Neighbours for Ours<I> {
    fn nearest(&self, point: [f32; 2], k: usize) -> f64 {
        let mut hits = Vec::with_capacity(k);
        self.0.query_first_into(Near::point(point), k, &mut hits);
        hits.iter().map(|hit| hit.rank.squared().sqrt()).sum()
    }

    fn within(&self, point: [f32; 2], radius: f32, found: &mut Tally) {
        let _ = self.0.query_visit(Near::point(point).within(radius), |id| {
            found.one(id);
            Continue::<()>(())
        });
    }
}

impl<I: Structure<Scalar = f32>> Churn for Ours<I> {
    fn replace(&mut self, place: u32, _old: &Aabb, new: &Aabb) {
        self.0.remove(place);
        // The last id that was freed is given out first.
        assert_eq!(self.0.insert(*new), Ok(place));
    }

    fn pairs(&mut self, _boxes: &[Aabb], pairs: &mut Tally) {
        self.0.maintain();
        let _ = self.0.pairs_visit(|a, b| {
            pairs.pair(a, b);
            Continue::<()>(())
        });
    }
}
