//! Pairs that are no farther apart than a distance.
//!
//! Two boxes that are that near overlap when each is grown by half of it, or one by all of it. So grown copies go into
//! a frame tree, which finds the pairs of all boxes faster than one query for each; the boxes themselves decide. In a
//! world that wraps, each box asks: a grown one may be larger than the world.

use alloc::vec::{self, Vec};
use core::mem::take;
use core::ops::ControlFlow;

use super::{Order, Resolver, View};
use crate::geometry::{Aabb, Reach, Scalar};
use crate::query::{Filtered, Near, OnLayers};
use crate::storage::{Boxes, Layers};
use crate::structure::{FrameTree, Part, Structure};

impl<'a, I: Structure, R: Resolver<I::Scalar>> View<'a, I, R> {
    /// The pairs in this set, as (lower id, higher id).
    pub(crate) fn pairs_within(self, distance: f64) -> impl Iterator<Item = (R::Item, R::Item)> + use<'a, I, R> {
        let wraps = I::AROUND.is_some();
        let asked = wraps.then(|| self.iter().flat_map(move |(a, bounds)| self.above(a, bounds, distance)));
        let joined = (!wraps).then(|| {
            let grown = Grown::new(self, distance, half_of(distance));
            let parts = grown.parts();
            Joined::new(Within { view: self, reach: Reach::up_to(distance), grown }, parts)
        });
        let ids = asked.into_iter().flatten().chain(joined.into_iter().flatten());
        ids.map(move |pair| self.resolver.order().pair(pair))
            .map(move |(a, b)| (self.resolver.item(a), self.resolver.item(b)))
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

    /// The pairs of a box here and one in another set. A frame tree there is walked together with one of boxes here, or
    /// else each box here asks.
    pub(crate) fn pairs_with_within<'b, J: Structure<Scalar = I::Scalar>, O: Resolver<I::Scalar>>(
        self,
        other: View<'b, J, O>,
        distance: f64,
    ) -> impl Iterator<Item = (R::Item, O::Item)> + use<'a, 'b, I, R, J, O> {
        let tree = other.structure.as_frame_tree().filter(|_| I::AROUND.is_none());
        let joined = tree.map(|tree| {
            let grown = Grown::new(self, distance, distance);
            let parts = grown.parts();
            Joined::new(Between { one: self, other, tree, reach: Reach::up_to(distance), grown }, parts)
        });
        let asked = tree.is_none().then(|| {
            self.iter().flat_map(move |(a, bounds)| {
                let found = other.ids(self.near(bounds, self.boxes.layers(a), distance));
                found.map(move |b| (a, b))
            })
        });
        let ids = joined.into_iter().flatten().chain(asked.into_iter().flatten());
        ids.map(move |(a, b)| (self.resolver.item(a), other.resolver.item(b)))
    }
}

/// By how much two boxes are grown that must overlap then if they are no farther apart than `distance`. Half of the
/// least number there is would be nothing.
pub(crate) fn half_of(distance: f64) -> f64 {
    0.5 * distance + f64::from_bits(u64::from(distance > 0.0))
}

/// How many groups of packs are joined at once: their pairs are kept until they are yielded. More: more memory. Fewer:
/// less is done at once.
const GROUPS: usize = 16;

/// Boxes grown by a margin, in a frame tree.
struct Grown<S> {
    boxes: Boxes<S>,
    tree: FrameTree<S>,
}

impl<S: Scalar> Grown<S> {
    /// Empty if nothing is within the distance.
    fn new<I: Structure<Scalar = S>, R: Resolver<S>>(view: View<'_, I, R>, distance: f64, margin: f64) -> Self {
        let mut tree = FrameTree::new(()).expect("there are no options");
        if distance >= 0.0 {
            let boxes = view.boxes.map(|id, seen| view.resolver.exact(id, &seen).grown(margin));
            tree.build(&boxes);
            Self { boxes, tree }
        } else {
            Self { boxes: Boxes::new(), tree }
        }
    }

    /// How many parts a walk is worth dividing into.
    fn parts(&self) -> usize {
        self.boxes.places().div_ceil(GROUPS * 256)
    }
}

/// What can be joined part by part.
trait Walk {
    /// Visits the pairs of a part.
    fn visit(&self, part: Part, found: impl FnMut(u32, u32));
}

/// The pairs within a set.
struct Within<'a, I: Structure, R> {
    view: View<'a, I, R>,
    reach: Reach<I::Scalar>,
    grown: Grown<I::Scalar>,
}

impl<I: Structure, R: Resolver<I::Scalar>> Walk for Within<'_, I, R> {
    #[inline]
    fn visit(&self, part: Part, mut found: impl FnMut(u32, u32)) {
        let bounds = |id| self.view.resolver.exact(id, self.view.boxes.at(id));
        let _: ControlFlow<()> = self.grown.tree.visit_pairs(&self.grown.boxes, part, |a, b| {
            if self.reach.holds(&bounds(a), &bounds(b)) {
                found(a, b);
            }
            ControlFlow::Continue(())
        });
    }
}

/// The pairs between two sets, of which the second is a frame tree.
struct Between<'a, 'b, I: Structure, R, J: Structure<Scalar = I::Scalar>, O> {
    one: View<'a, I, R>,
    other: View<'b, J, O>,
    tree: &'b FrameTree<I::Scalar>,
    reach: Reach<I::Scalar>,
    /// The boxes of the first set.
    grown: Grown<I::Scalar>,
}

impl<I: Structure, R: Resolver<I::Scalar>, J: Structure<Scalar = I::Scalar>, O: Resolver<I::Scalar>> Walk
    for Between<'_, '_, I, R, J, O>
{
    #[inline]
    fn visit(&self, part: Part, mut found: impl FnMut(u32, u32)) {
        let Self { one, other, tree, reach, grown } = self;
        let is_near = |a, b| {
            let bounds = one.resolver.exact(a, one.boxes.at(a));
            reach.holds(&bounds, &other.resolver.exact(b, other.boxes.at(b)))
        };
        let _: ControlFlow<()> = grown.tree.pairs_between(&grown.boxes, (tree, other.boxes), part).visit(|a, b| {
            if is_near(a, b) {
                found(a, b);
            }
            ControlFlow::Continue(())
        });
    }
}

/// The pairs of a walk, part by part.
struct Joined<W> {
    walk: W,
    parts: usize,
    next: usize,
    found: vec::IntoIter<(u32, u32)>,
}

impl<W: Walk> Joined<W> {
    fn new(walk: W, parts: usize) -> Self {
        Self { walk, parts, next: 0, found: Vec::new().into_iter() }
    }
}

impl<W: Walk> Iterator for Joined<W> {
    type Item = (u32, u32);

    fn next(&mut self) -> Option<(u32, u32)> {
        loop {
            if let Some(pair) = self.found.next() {
                return Some(pair);
            }
            if self.next == self.parts {
                return None;
            }
            let mut found = take(&mut self.found).collect::<Vec<_>>();
            self.walk.visit(Part::new(self.next, self.parts), |a, b| found.push((a, b)));
            self.next += 1;
            self.found = found.into_iter();
        }
    }

    /// Nothing needs to be kept by a loop that does not stop.
    fn fold<B, F: FnMut(B, (u32, u32)) -> B>(self, init: B, mut add: F) -> B {
        let mut sum = Some(self.found.fold(init, &mut add));
        for number in self.next..self.parts {
            self.walk.visit(Part::new(number, self.parts), |a, b| {
                sum = sum.take().map(|before| add(before, (a, b)));
            });
        }
        sum.expect("put back each time")
    }
}
