//! One step: from boxes that have changed to pairs that began and ended.

use core::ops::ControlFlow::{Break, Continue};

use super::graph::{Change, Graph};
use super::pending::Pending;
use super::queries::Exact;
use crate::ask::{ExactBoxes, Ids, View};
use crate::error::Corruption;
use crate::index::Index;
use crate::storage::IdSet;
use crate::structure::Structure;

/// If more than one box in this many has changed, one walk over all pairs replaces a query for each. Measured with
/// 50,000 boxes of `uniform`, the two cost the same at one in 6 in `LooseGrid` and `LooseQuadtree`.
const AT_ONCE: usize = 8;

/// The same in a `FrameTree`, whose walk takes less time. There, the two cost the same at one in 20.
const AT_ONCE_IN_FRAME_TREE: usize = 20;

/// A walk stops after this many pairs of fixed boxes per changed box: about what a query costs.
const IDLE: usize = 16;

/// The pairs of the last step, and what has changed since.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Contacts {
    graph: Graph,
    pending: Pending,
}

/// What a step reads: boxes, and which of them are fixed.
pub(super) struct Scene<'a, I: Structure> {
    /// The fat boxes.
    pub(super) index: &'a Index<I>,
    pub(super) exact: Exact<'a, I::Scalar>,
    pub(super) fixed: &'a IdSet,
}

impl<I: Structure> Clone for Scene<'_, I> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<I: Structure> Copy for Scene<'_, I> {}

/// Is `id`, which has changed, the one that checks the contact of these two? If both have changed, it is the lower id.
fn leads(id: u32, other: u32, has_changed: impl Fn(u32) -> bool) -> bool {
    id < other || !has_changed(other)
}

impl<'a, I: Structure> Scene<'a, I> {
    fn view(self) -> View<'a, I, Ids<Exact<'a, I::Scalar>>> {
        self.index.view_by(Ids(self.exact))
    }

    /// Whether two boxes can have a contact, wherever they are.
    #[inline]
    fn may_meet(self, a: u32, b: u32) -> bool {
        !(self.fixed.contains(a) && self.fixed.contains(b)) && self.index.meet(a, b)
    }

    /// Whether two fat boxes overlap and may meet; `None` if one of them does not exist.
    fn overlap(self, a: u32, b: u32) -> Option<bool> {
        let (first, second) = self.index.get(a).zip(self.index.get(b))?;
        Some(self.may_meet(a, b) && self.index.touch(&first, &second))
    }

    /// Does `id`, which was refitted, ask about its contact with `other`?
    #[inline]
    fn asks(self, pending: &Pending, id: u32, other: u32) -> bool {
        leads(id, other, |other| pending.is_refitted(other)) && self.may_meet(id, other)
    }

    /// If more than one box in this many has changed, a walk takes less time than queries.
    fn at_once(self) -> usize {
        if self.view().structure.as_frame_tree().is_some() { AT_ONCE_IN_FRAME_TREE } else { AT_ONCE }
    }

    /// Lets `graph` meet all pairs of fat boxes that may have a contact. `false` if the walk was given up because most
    /// pairs are between fixed boxes, which may lie in piles.
    fn walk(self, refitted: usize, graph: &mut Graph, changed: &mut impl FnMut(Change, u32, u32)) -> bool {
        graph.begin_walk(self.index.slots());
        let Self { index, fixed, exact } = self;
        let mut idle = 0;
        let walk = index.pairs_visit(|a, b| {
            if fixed.contains(a) && fixed.contains(b) {
                idle += 1;
                if idle > IDLE * refitted {
                    return Break(());
                }
            } else {
                graph.meet(a, b, exact.is_exact(), changed);
            }
            Continue(())
        });
        if walk.is_break() {
            graph.give_up();
        }
        walk.is_continue()
    }
}

impl Contacts {
    /// The contacts before the first step: everything is new.
    pub(super) fn before_the_first_step<I: Structure>(index: &Index<I>) -> Self {
        let mut contacts = Self::default();
        index.iter().for_each(|(id, _)| contacts.note(id, true));
        contacts
    }

    /// Records that a box has changed, and whether its fat box has.
    #[inline]
    pub(super) fn note(&mut self, id: u32, is_refitted: bool) {
        self.pending.note(id, is_refitted);
    }

    /// Ends all contacts of a box that is about to go.
    pub(super) fn forget(&mut self, id: u32, ended: impl FnMut(u32, u32)) {
        self.pending.forget(id);
        self.graph.forget(id, ended);
    }

    /// Finds what began and what ended.
    pub(super) fn step<I: Structure>(&mut self, scene: Scene<'_, I>, mut changed: impl FnMut(Change, u32, u32)) {
        self.graph.begin_step();
        self.refit_all(scene, &mut changed);
        self.retouch_all(scene, &mut changed);
        self.pending.clear();
    }

    /// Finds which fat boxes overlap now: those that changed against all others.
    fn refit_all<I: Structure>(&mut self, scene: Scene<'_, I>, changed: &mut impl FnMut(Change, u32, u32)) {
        let Self { graph, pending } = self;
        let refitted = pending.refitted().count();
        if refitted > scene.index.len() / scene.at_once() && scene.walk(refitted, graph, changed) {
            graph.settle(scene.exact.is_exact(), changed);
        } else {
            for id in pending.refitted() {
                let others = scene.index.neighbors(id).filter(|&other| scene.asks(pending, id, other));
                refit(graph, scene, pending, id, others, changed);
            }
        }
    }

    /// Finds which contacts touch now, among those of boxes that have moved.
    fn retouch_all<I: Structure>(&mut self, scene: Scene<'_, I>, changed: &mut impl FnMut(Change, u32, u32)) {
        let Self { graph, pending } = self;
        let touch = |a, b| scene.view().touch(a, b);
        if scene.exact.is_exact() && graph.all_touch() {
            // Fat boxes are the exact ones.
        } else if pending.moved().count() > scene.index.len() / AT_ONCE {
            graph.retouch_all(|id| pending.has_moved(id), touch, changed);
        } else {
            for id in pending.moved() {
                graph.retouch(id, |other| leads(id, other, |other| pending.has_moved(other)), touch, changed);
            }
        }
    }

    /// The pairs that touch: see [`Graph::touching`].
    pub(super) fn touching(&self, with_new: bool) -> impl Iterator<Item = (u32, u32)> {
        self.graph.touching(with_new)
    }

    pub(super) fn validate<I: Structure>(&self, scene: Scene<'_, I>) -> Result<(), Corruption> {
        self.pending.validate()?;
        let (fixed, pending) = (scene.fixed, &self.pending);
        // Asked of each moving box that waits for no refit. So the cost grows with the number of contacts, even on a
        // pile of fixed boxes.
        let asking = scene.index.iter().filter(|&(id, _)| !fixed.contains(id) && !pending.is_refitted(id));
        let pairs = asking.flat_map(|(a, _)| {
            let others = scene.index.neighbors(a).filter(move |&b| a < b || (a > b && fixed.contains(b)));
            others.filter(|&b| !pending.is_refitted(b)).map(move |b| (a, b))
        });
        self.graph.validate(pending, pairs, |a, b| scene.overlap(a, b), |a, b| scene.view().touch(a, b))
    }
}

/// Gives `id` contacts with exactly `others`, limited to those about which it [asks](Scene::asks).
#[inline]
fn refit<I: Structure>(
    graph: &mut Graph,
    scene: Scene<'_, I>,
    pending: &Pending,
    id: u32,
    others: impl Iterator<Item = u32>,
    changed: &mut impl FnMut(Change, u32, u32),
) {
    let Some(fat) = scene.index.get(id) else { return };
    let overlaps = |other| {
        scene.may_meet(id, other) && scene.index.get(other).is_some_and(|other| scene.index.touch(&fat, &other))
    };
    let leads = |other| leads(id, other, |other| pending.is_refitted(other));
    graph.refit(id, leads, overlaps, others, scene.exact.is_exact(), changed);
}
