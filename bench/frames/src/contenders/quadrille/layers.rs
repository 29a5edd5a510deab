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

/// Those on layer 1, and the others, which they meet, each in an index of their own: pairs of two sets.
#[derive(Default)]
struct AsTwoSets {
    indexes: [Index<FrameTree>; 2],
    ids: [Vec<u32>; 2],
}

pub fn as_two_sets(_boxes: &[Aabb]) -> Box<dyn Layered> {
    Box::new(AsTwoSets::default())
}

impl Layered for AtOnce {
    fn update(&mut self, boxes: &[Aabb], layers: &[Layers]) {
        self.0.update_all(boxes).expect("scenes are valid");
        let layers: Vec<_> = (0..).zip(layers.iter().copied()).collect();
        self.0.set_layers_batch(&layers).expect("all ids are in use");
    }

    fn pairs(&self, pairs: &mut Tally) {
        count(&self.0, pairs);
    }
}

impl Layered for OneByOne {
    fn update(&mut self, boxes: &[Aabb], layers: &[Layers]) {
        self.0.update_all(boxes).expect("scenes are valid");
        (0..).zip(layers).for_each(|(id, &layers)| {
            self.0.set_layers(id, layers).expect("scenes are valid");
        });
    }

    fn pairs(&self, pairs: &mut Tally) {
        count(&self.0, pairs);
    }
}

impl Layered for Without {
    fn update(&mut self, boxes: &[Aabb], _layers: &[Layers]) {
        self.0.update_all(boxes).expect("scenes are valid");
    }

    fn pairs(&self, pairs: &mut Tally) {
        count(&self.0, pairs);
    }
}

impl Layered for AsTwoSets {
    fn update(&mut self, boxes: &[Aabb], layers: &[Layers]) {
        self.ids =
            [0, 1].map(|set| (0..).zip(layers).filter(|(_, one)| one.own & 1 == set).map(|(id, _)| id).collect());
        self.indexes = [0, 1].map(|set| {
            let boxes: Vec<Aabb> = self.ids[set].iter().map(|&id| boxes[id as usize]).collect();
            index(&boxes)
        });
    }

    fn pairs(&self, pairs: &mut Tally) {
        let ([few, bullets], [of_few, of_bullets]) = (&self.indexes, &self.ids);
        let _ = few.pairs_with_visit(bullets, |a, b| {
            let (a, b) = (of_few[a as usize], of_bullets[b as usize]);
            pairs.pair(a.min(b), a.max(b));
            Continue::<()>(())
        });
    }
}
