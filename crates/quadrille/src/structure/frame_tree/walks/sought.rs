//! What the walks to the first answers need of a query.

use super::super::tree::FrameTree;
use crate::geometry::Scalar;
use crate::kernel;
use crate::query::Narrowing;
use crate::storage::{Boxes, Layers, NONE};

/// A query that [narrows](Narrowing), as the walks see it: behind a pointer, so that they are compiled once for all
/// queries. Each call is about a pack; only [`meet`](Self::meet) is about one box.
pub(in super::super) trait Sought<S> {
    /// [`Query::admits_all`](crate::Query::admits_all): layers and ids are not tested then.
    fn admits_all(&self) -> bool;

    /// Are boxes with some of these layers wanted?
    fn wants(&self, layers: Layers) -> bool;

    /// Bits of the boxes in a pack, among some, that are admitted.
    fn admitted(&self, pack: usize, some: u32) -> u32;

    /// Shows the query the box in a slot.
    fn show(&self, slot: usize);

    /// Shows the query the boxes of a pack that may be wanted. Says how near boxes must be after that: the square of a
    /// distance.
    fn look_at(&self, pack: usize) -> Option<f64>;

    /// Shows the query what may be wanted below a child of a level that may rank as high as the last answer. Says how
    /// near boxes must be after that.
    fn look_below(&self, child: (usize, usize)) -> Option<f64>;

    /// The time after which nothing is wanted.
    fn time(&self) -> f64;
}

/// A query about the boxes of a tree.
pub(in super::super) struct Seeking<'a, S, Q> {
    pub(super) tree: &'a FrameTree<S>,
    pub(super) boxes: &'a Boxes<S>,
    pub(super) query: &'a Q,
}

impl<S: Scalar, Q: Narrowing<S>> Sought<S> for Seeking<'_, S, Q> {
    fn admits_all(&self) -> bool {
        self.query.admits_all()
    }

    fn wants(&self, layers: Layers) -> bool {
        self.query.wants(layers)
    }

    fn admitted(&self, pack: usize, some: u32) -> u32 {
        let ids = self.tree.pack(pack);
        let is_admitted = |id: u32| id != NONE && self.query.admits(id, self.boxes.layers(id));
        kernel::bits(some).filter(|&lane| is_admitted(ids[lane])).fold(0, |all, lane| all | 1 << lane)
    }

    fn show(&self, slot: usize) {
        let id = self.tree.order[slot];
        if id != NONE {
            self.query.accepts(id, &self.tree.levels.get(0, slot), self.boxes.layers(id));
        }
    }

    fn look_at(&self, pack: usize) -> Option<f64> {
        self.tree.look_at(pack, self.boxes, self.query);
        self.query.square()
    }

    fn look_below(&self, child: (usize, usize)) -> Option<f64> {
        self.tree.narrow_below(child, self.boxes, self.query);
        self.query.square()
    }

    fn time(&self) -> f64 {
        self.query.time().unwrap_or(f64::INFINITY)
    }
}
