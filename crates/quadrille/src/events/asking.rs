//! Batched queries for the contacts of some boxes.

use alloc::vec::Vec;
use core::ops::ControlFlow::Continue;

use arrayvec::ArrayVec;

use super::last::{Differences, Walk, pack};
use super::pending::Pending;
use super::scene::{Body, Scene};
use crate::arranged::Arranged;
#[cfg(test)]
use crate::ask::{Ids, View};
use crate::geometry::Aabb;
use crate::kernel;
use crate::storage::Layers;
use crate::structure::{Part, Structure};

/// How many boxes are found before the first of them is looked at.
const ON_THEIR_WAY: usize = 32;

/// A small index of the boxes to query for. Their pairs with each other and with all others are found as between any two
/// sets: side by side, instead of one query after the other in the order of ids.
///
/// No contacts are looked up for that. Those that a box had are found where it *was*: the query is there too, or around both
/// places at once if they overlap. Each hit is compared with what the box was and with what it is.
#[derive(Debug)]
pub(super) struct Asking<I: Structure> {
    index: Option<Arranged<I::Askers>>,
    /// The regions to query, and the layers of what looks for something there, if there are any.
    boxes: Vec<Aabb<I::Scalar>>,
    layers: Vec<Layers>,
    /// For each of the regions, its box and what to look for.
    asks: Vec<Ask>,
    askers: Vec<Asker<I>>,
}

#[derive(Clone, Copy, Debug)]
struct Ask {
    asker: u32,
    /// Are contacts that have begun looked for? Those that have ended?
    begun: bool,
    ended: bool,
}

/// A box that has changed.
#[derive(Debug)]
struct Asker<I: Structure> {
    id: u32,
    /// Its box has been removed: contacts end, even with a box that overlaps the new one under the same id.
    has_gone: bool,
    before: Option<Body<I::Scalar>>,
    now: Option<Body<I::Scalar>>,
}

/// What was found by what, and its box, unless that is looked up.
type Hits<S> = ArrayVec<(Ask, u32, Option<Aabb<S>>), ON_THEIR_WAY>;

impl<I: Structure> Default for Asking<I> {
    fn default() -> Self {
        Self { index: None, boxes: Vec::new(), layers: Vec::new(), asks: Vec::new(), askers: Vec::new() }
    }
}

/// Holds nothing but memory to use again: a clone makes its own.
impl<I: Structure> Clone for Asking<I> {
    fn clone(&self) -> Self {
        Self::default()
    }

    /// Keeps its memory, unless worlds may differ.
    fn clone_from(&mut self, _: &Self) {
        if size_of::<<I::Askers as Structure>::Options>() > 0 {
            self.index = None;
        }
    }
}

impl<I: Structure> Asking<I> {
    /// Finds what began and what ended for the boxes that have changed.
    pub(super) fn ask(&mut self, scene: Scene<'_, I>, pending: &Pending<I::Scalar>, found: &mut Differences) {
        self.clear();
        self.put_all(scene, pending);
        if self.boxes.is_empty() {
            return;
        }
        let mut index = self.index.take().unwrap_or_else(|| empty(scene));
        index.clear();
        index.boxes.set_agreement(scene.all.boxes.agreement());
        index.fill(&self.boxes, &self.layers).expect("boxes that are fewer than ids");
        self.ask_each_other(&index, scene, found);
        self.ask_others(&index, scene, pending, found);
        self.index = Some(index);
    }

    /// Puts in all that have changed.
    fn put_all(&mut self, scene: Scene<'_, I>, pending: &Pending<I::Scalar>) {
        let ids = || pending.changed().map(|(id, _)| id);
        ids().take(ON_THEIR_WAY).for_each(|id| scene.view().boxes.prefetch(id));
        let mut ahead = ids().skip(ON_THEIR_WAY);
        for (id, before) in pending.changed() {
            ahead.next().into_iter().for_each(|id| scene.view().boxes.prefetch(id));
            self.put(Asker { id, has_gone: pending.gone.contains(id), before, now: scene.body(id) }, scene);
        }
    }

    /// Compares those that have changed with each other.
    fn ask_each_other(&self, index: &Arranged<I::Askers>, scene: Scene<'_, I>, found: &mut Differences) {
        let (asks, askers) = (&self.asks, &self.askers);
        let _ = index.view().pairs_visit(Part::WHOLE, |one, other| {
            let [one, other] = [one, other].map(|at| asks[at as usize]);
            let ask = Ask { begun: one.begun & other.begun, ended: one.ended & other.ended, ..one };
            if one.asker != other.asker && (ask.begun | ask.ended) {
                ask.compare(scene, [one.asker, other.asker].map(|asker| &askers[asker as usize]), found);
            }
            Continue::<()>(())
        });
    }

    /// Compares those that have changed with the others. Hits are scattered in memory: they are prefetched while the next
    /// ones are looked for.
    fn ask_others(
        &self,
        index: &Arranged<I::Askers>,
        scene: Scene<'_, I>,
        pending: &Pending<I::Scalar>,
        found: &mut Differences,
    ) {
        let (asks, askers) = (&self.asks, &self.askers);
        let mut found_by = Hits::<I::Scalar>::new();
        let mut compare = |found_by: &mut Hits<I::Scalar>| {
            for (ask, id, bounds) in found_by.drain(..) {
                let body = bounds.map_or_else(|| scene.body(id), |bounds| Some(scene.body_in(id, bounds)));
                let other = Asker { id, has_gone: false, before: body, now: body };
                ask.compare(scene, [&askers[ask.asker as usize], &other], found);
            }
        };
        let _ = index.view().pairs_with_boxes(scene.view(), |ask, id, bounds| {
            if !pending.has_changed(id) {
                let ask = asks[ask as usize];
                if bounds.is_none() {
                    scene.view().boxes.prefetch(id);
                }
                kernel::prefetch(askers, ask.asker as usize);
                found_by.push((ask, id, bounds));
                if found_by.is_full() {
                    compare(&mut found_by);
                }
            }
            Continue::<()>(())
        });
        compare(&mut found_by);
    }

    /// Meets all pairs that have a contact, by a query for each box that is not fixed.
    pub(super) fn walk(&mut self, scene: Scene<'_, I>, walk: &mut Walk<'_>) {
        self.clear();
        let ids = scene.all.boxes.iter().filter(|&(id, _)| !scene.fixed.contains(id));
        for (asker, bounds) in ids {
            self.boxes.push(bounds);
            self.asks.push(Ask { asker, begun: true, ended: true });
        }
        let index = self.index.get_or_insert_with(|| empty(scene));
        if index.boxes.has_layers() {
            index.clear();
        }
        index.boxes.set_agreement(scene.all.boxes.agreement());
        index.set_all(&self.boxes).expect("boxes that are fewer than ids");
        let asks = &self.asks;
        let mut meet = |a, b| {
            if scene.all.boxes.meet(a, b) {
                walk.meet(pack(a, b));
            }
            Continue::<()>(())
        };
        let _ = index
            .view()
            .pairs_visit(Part::WHOLE, |one, other| meet(asks[one as usize].asker, asks[other as usize].asker));
        let _ = index.view().pairs_with_visit(scene.view(), Part::WHOLE, |one, other| {
            if scene.fixed.contains(other) { meet(asks[one as usize].asker, other) } else { Continue(()) }
        });
    }

    /// How many boxes have been queried for.
    #[cfg(test)]
    pub(super) fn asked(&self) -> usize {
        self.askers.len()
    }

    /// How large the regions are that have been queried.
    #[cfg(test)]
    pub(super) fn area(&self) -> f64 {
        self.boxes.iter().map(Aabb::area).sum()
    }

    /// How many pairs of a region and a box of a set there are.
    #[cfg(test)]
    pub(super) fn found(&self, all: View<'_, I, Ids>) -> usize {
        self.index.iter().flat_map(|index| index.view().id_pairs_with(all, Part::WHOLE)).count()
    }

    fn clear(&mut self) {
        self.boxes.clear();
        self.layers.clear();
        self.asks.clear();
        self.askers.clear();
    }

    /// Adds a box to query for, and where.
    fn put(&mut self, asker: Asker<I>, scene: Scene<'_, I>) {
        let Asker { before, now, .. } = asker;
        let number = self.askers.len() as u32;
        self.askers.push(asker);
        let of = |body: Option<Body<_>>| body.map_or(Layers::NONE, |body| body.layers);
        let mut ask = |bounds, begun, ended| {
            self.boxes.push(bounds);
            self.asks.push(Ask { asker: number, begun, ended });
            if scene.view().boxes.has_layers() {
                let layers = [(before, ended), (now, begun)].map(|(body, is_asked)| of(body.filter(|_| is_asked)));
                self.layers.push(layers[0].union(layers[1]));
            }
        };
        let [before, now] = [before, now].map(|body| body.map(|body| body.bounds));
        // Around a thin box that turns there may be many others that it touches neither before nor after.
        let both = before.zip(now).filter(|(before, now)| {
            before.intersects(now) && before.union(now).area() <= 2.0 * (before.area() + now.area())
        });
        if let Some(around) = both.and_then(|(before, now)| scene.all.structure.admit(before.union(&now)).ok()) {
            return ask(around, true, true);
        }
        before.into_iter().for_each(|bounds| ask(bounds, false, true));
        now.into_iter().for_each(|bounds| ask(bounds, true, false));
    }
}

impl Ask {
    /// Compares two that overlap, or did, with what they were.
    #[inline]
    fn compare<I: Structure>(self, scene: Scene<'_, I>, [one, other]: [&Asker<I>; 2], found: &mut Differences) {
        let (did, do_now) = (scene.meet(&one.before, &other.before), scene.meet(&one.now, &other.now));
        let are_others = one.has_gone | other.has_gone;
        if self.ended && did && (!do_now || are_others) {
            found.ended.push(pack(one.id, other.id));
        }
        if self.begun && do_now && (!did || are_others) {
            found.begun.push(pack(one.id, other.id));
        }
    }
}

/// An empty index in the same world.
fn empty<I: Structure>(scene: Scene<'_, I>) -> Arranged<I::Askers> {
    Arranged::new(scene.view().structure.askers()).expect("options in use are valid")
}
