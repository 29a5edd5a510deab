//! Whole frames of boxes that have layers.

use std::ops::ControlFlow::Continue;

use quadrille::{Aabb, FrameTree, Index, Layers};

use super::super::Layered;
use super::{each_pair, index};
use crate::tally::Tally;

/// One tree, and how the layers of its boxes are set.
pub struct OneTree {
    tree: Index<FrameTree>,
    set: fn(&mut Index<FrameTree>, &[Layers]),
}

/// All layers are set at once.
pub fn at_once(boxes: &[Aabb]) -> OneTree {
    let set = |tree: &mut Index<FrameTree>, layers: &[Layers]| {
        let layers: Vec<_> = (0..).zip(layers.iter().copied()).collect();
        tree.set_layers_batch(&layers).expect("all ids are in use");
    };
    OneTree { tree: index(boxes), set }
}

/// The layers of each box are set in a call of their own.
pub fn one_by_one(boxes: &[Aabb]) -> OneTree {
    let set = |tree: &mut Index<FrameTree>, layers: &[Layers]| {
        for (id, &layers) in (0..).zip(layers) {
            tree.set_layers(id, layers).expect("scenes are valid");
        }
    };
    OneTree { tree: index(boxes), set }
}

/// Layers are ignored: the time of pairs without them.
pub fn without(boxes: &[Aabb]) -> OneTree {
    OneTree { tree: index(boxes), set: |_, _| () }
}

impl Layered for OneTree {
    fn update(&mut self, boxes: &[Aabb], layers: &[Layers]) {
        self.tree.update_all(boxes).expect("scenes are valid");
        (self.set)(&mut self.tree, layers);
    }

    fn pairs(&self, pairs: &mut Tally) {
        each_pair(&self.tree, |a, b| pairs.pair(a, b));
    }
}

/// Those on layer 1, and the others, which they meet, each in an index of their own: pairs of two sets.
#[derive(Default)]
pub struct AsTwoSets {
    indexes: [Index<FrameTree>; 2],
    ids: [Vec<u32>; 2],
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
