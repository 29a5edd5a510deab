//! Whole frames of boxes that have layers.

use std::ops::ControlFlow::Continue;

use quadrille::{Aabb, FrameTree, Index, Layers};

use super::super::Layered;
use crate::tally::Tally;

/// All boxes and their layers at once.
struct AtOnce(Index<FrameTree>);

/// The layers of each box are set by themselves.
struct OneByOne(Index<FrameTree>);

/// Layers are ignored: how long pairs take without.
struct Without(Index<FrameTree>);

fn index(boxes: &[Aabb]) -> Index<FrameTree> {
    Index::from_boxes(boxes).expect("scenes are valid")
}

pub fn at_once(boxes: &[Aabb]) -> Box<dyn Layered> {
    Box::new(AtOnce(index(boxes)))
}

pub fn one_by_one(boxes: &[Aabb]) -> Box<dyn Layered> {
    Box::new(OneByOne(index(boxes)))
}

pub fn without(boxes: &[Aabb]) -> Box<dyn Layered> {
    Box::new(Without(index(boxes)))
}

fn count(index: &Index<FrameTree>, pairs: &mut Tally) {
    let _ = index.pairs_visit(|a, b| {
        pairs.pair(a, b);
        Continue::<()>(())
    });
}

impl Layered for AtOnce {
    fn frame(&mut self, boxes: &[Aabb], layers: &[Layers], pairs: &mut Tally) {
        self.0.update_all_with_layers(boxes, layers).expect("scenes are valid");
        count(&self.0, pairs);
    }
}

impl Layered for OneByOne {
    fn frame(&mut self, boxes: &[Aabb], layers: &[Layers], pairs: &mut Tally) {
        self.0.update_all(boxes).expect("scenes are valid");
        (0..).zip(layers).for_each(|(id, &layers)| {
            self.0.set_layers(id, layers).expect("scenes are valid");
        });
        count(&self.0, pairs);
    }
}

impl Layered for Without {
    fn frame(&mut self, boxes: &[Aabb], _layers: &[Layers], pairs: &mut Tally) {
        self.0.update_all(boxes).expect("scenes are valid");
        count(&self.0, pairs);
    }
}
