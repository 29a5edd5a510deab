//! Pairs that are no farther apart than a distance.
//!
//! Two boxes that are that near overlap when each is grown by half of it. So grown copies go into a frame tree, which
//! finds the pairs of all boxes faster than one question for each, whatever the structure; the boxes themselves decide.
//! In a world that wraps, each box asks: a grown one may be larger than the world.

use alloc::vec::{self, Vec};
use core::ops::ControlFlow;

use super::{Resolver, View};
use crate::geometry::{Aabb, Reach, gaps};
use crate::question::{Filtered, Near, OnLayers};
use crate::storage::{Boxes, Layers};
use crate::structure::{FrameTree, Part, Structure};

impl<'a, I: Structure, R: Resolver<I::Scalar>> View<'a, I, R> {
    /// The pairs in this set, as (lower id, higher id).
    pub(crate) fn pairs_within(self, distance: f64) -> impl Iterator<Item = (R::Item, R::Item)> + use<'a, I, R> {
        let wraps = I::AROUND.is_some();
        let asked = wraps.then(|| self.iter().flat_map(move |(a, bounds)| self.above(a, bounds, distance)));
        let joined = (!wraps).then(|| Joined::new(self, distance));
        let ids = asked.into_iter().flatten().chain(joined.into_iter().flatten());
        ids.map(move |pair| self.resolver.pair(pair)).map(move |(a, b)| (self.resolver.item(a), self.resolver.item(b)))
    }

    /// The pairs of a box and those near it that have higher ids.
    fn above(self, a: u32, bounds: Aabb<I::Scalar>, distance: f64) -> impl Iterator<Item = (u32, u32)> + use<'a, I, R> {
        let near = Filtered(self.near(bounds, self.boxes.layers(a), distance), move |b| a < b);
        self.ids(near).map(move |b| (a, b))
    }

    /// What forms a pair with a box of these layers.
    fn near(self, bounds: Aabb<I::Scalar>, layers: Layers, distance: f64) -> OnLayers<Near<I::Scalar>> {
        OnLayers::with_agreement(Near::aabb(bounds).within(distance), layers, self.boxes.agreement())
    }

    /// The pairs of a box here and one in another set.
    pub(crate) fn pairs_with_within<'b, J: Structure<Scalar = I::Scalar>, O: Resolver<I::Scalar>>(
        self,
        other: View<'b, J, O>,
        distance: f64,
    ) -> impl Iterator<Item = (R::Item, O::Item)> + use<'a, 'b, I, R, J, O> {
        self.iter().flat_map(move |(a, bounds)| {
            let found = other.ids(self.near(bounds, self.boxes.layers(a), distance));
            found.map(move |b| (self.resolver.item(a), other.resolver.item(b)))
        })
    }
}

/// How many groups of packs are joined at once: their pairs are kept until they are yielded. More: more memory. Fewer:
/// less is done at once.
const GROUPS: usize = 16;

/// The walk: part by part.
struct Joined<'a, I: Structure, R> {
    view: View<'a, I, R>,
    reach: Reach<I::Scalar>,
    grown: Boxes<I::Scalar>,
    tree: FrameTree<I::Scalar>,
    parts: usize,
    next: usize,
    found: vec::IntoIter<(u32, u32)>,
}

impl<'a, I: Structure, R: Resolver<I::Scalar>> Joined<'a, I, R> {
    fn new(view: View<'a, I, R>, distance: f64) -> Self {
        // Half of the least number there is would be nothing.
        let half = 0.5 * distance + f64::from_bits(u64::from(distance > 0.0));
        let grown = view.boxes.map(|id, seen| view.resolver.exact(id, &seen).grown(half));
        let mut tree = FrameTree::new(()).expect("there are no options");
        let is_asked = distance >= 0.0;
        if is_asked {
            tree.build(&grown);
        }
        let parts = if is_asked { grown.places().div_ceil(GROUPS * 256) } else { 0 };
        Self { view, reach: Reach::up_to(distance), grown, tree, parts, next: 0, found: Vec::new().into_iter() }
    }

    fn is_near(&self, a: u32, b: u32) -> bool {
        let bounds = |id| self.view.resolver.exact(id, self.view.boxes.at(id));
        self.reach.holds(gaps(&bounds(a), &bounds(b)))
    }

    fn find(&mut self) {
        let mut found = core::mem::take(&mut self.found).collect::<Vec<_>>();
        let part = Part::new(self.next, self.parts);
        let _: ControlFlow<()> = self.tree.visit_pairs(&self.grown, part, |a, b| {
            if self.is_near(a, b) {
                found.push((a, b));
            }
            ControlFlow::Continue(())
        });
        self.next += 1;
        self.found = found.into_iter();
    }
}

impl<I: Structure, R: Resolver<I::Scalar>> Iterator for Joined<'_, I, R> {
    type Item = (u32, u32);

    fn next(&mut self) -> Option<(u32, u32)> {
        loop {
            if let Some(pair) = self.found.next() {
                return Some(pair);
            }
            if self.next == self.parts {
                return None;
            }
            self.find();
        }
    }
}
