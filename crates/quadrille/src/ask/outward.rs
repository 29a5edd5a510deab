//! All answers in order, lazily.
//!
//! The search walks outward in windows around the query's origin and searches each once. A window yields the
//! answers it is sure of: those up to the greatest rank whose bounds ([`Ranked::bounds_up_to`]) lie within it, because
//! anything with a lesser rank lies there too. Answers yielded before are skipped. Windows double, so that all of them
//! together look at a third more than the last one. A window that holds more than a few times what was yielded so far
//! is dropped for a smaller one, so that nothing dense is sorted needlessly.
//!
//! A query from afar sees nothing until a window holds most of the world. So its first few answers are found by the
//! search for the first few, which searches the nearest first: eight, then thirty-two.
//!
//! A frame tree needs none of that: see `frame_tree/walks/in_order.rs`.

use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use core::cell::Cell;
use core::cmp::Ordering;
use core::iter::FusedIterator;
use core::ops::ControlFlow;

use super::best::compare;
use super::{Ids, Resolver, View, gap_to};
use crate::forward;
use crate::geometry::{Aabb, Scalar};
use crate::query::{Hit, Query, Ranked};
use crate::storage::Layers;
use crate::structure::Structure;

/// From afar, this many answers are looked for at first,
const FIRST: usize = 8;

/// and as long as there are no more than this many, four times as many as were yielded.
const MAX_FIRST: usize = 32;

/// How far the first window reaches beyond the nearest part of the world, in usual distances between boxes. More: a
/// single answer looks at more boxes. Less: more windows.
const FIRST_REACH: f64 = 1.5;

/// A window is too large if it holds more answers than this and more than four times those yielded before, unless it
/// has been shrunk [`MAX_CUTS`] times.
const MAX_AT_ONCE: usize = 64;

/// A window that is too large is shrunk to reach a quarter as far beyond the one before. What is left after this many
/// cuts is a cluster.
const MAX_CUTS: usize = 8;

/// After this many windows the rest is searched at once: the numbers may be too coarse for windows to grow.
const MAX_WINDOWS: usize = 64;

impl<'a, I: Structure, R: Resolver> View<'a, I, R> {
    /// All answers.
    pub(crate) fn in_order<Q: Ranked<I::Scalar>>(
        self,
        query: Q,
    ) -> impl FusedIterator<Item = Hit<Q::Rank, R::Name, R::Thing>> + use<'a, I, R, Q> {
        let (in_order, outward) = match self.structure.as_frame_tree() {
            Some(tree) => (Some(tree.in_order(self.boxes, query)), None),
            None => (None, Some(Outward::new(self, query))),
        };
        let hits = in_order.into_iter().flatten().chain(outward.into_iter().flatten());
        hits.map(move |hit| self.hit(hit))
    }
}

/// The walk.
struct Outward<'a, I: Structure, R: Resolver, Q: Ranked<I::Scalar>> {
    view: View<'a, I, R>,
    query: Q,
    /// Answers that are sure and not yet yielded.
    found: BinaryHeap<Entry<Q::Rank>>,
    last: Option<Hit<Q::Rank>>,
    given_out: usize,
    /// The origin is far outside of the world.
    is_afar: bool,
    /// A hull of a few boxes.
    hull: Aabb<I::Scalar>,
    /// How far the last window reaches to each side. At the start, nothing has been searched.
    reach: f64,
    /// How far the next window will reach, and how much farther the one after that.
    next_reach: f64,
    step: f64,
    windows: usize,
    /// The last window covered all boxes.
    is_complete: bool,
}

impl<'a, I: Structure, R: Resolver, Q: Ranked<I::Scalar>> Outward<'a, I, R, Q> {
    fn new(view: View<'a, I, R>, query: Q) -> Self {
        let (hull, spacing) = view.sample();
        let origin = query.origin();
        let (gap, step) = (gap_to(&hull, &origin), FIRST_REACH * spacing);
        let (is_afar, next_reach) = (gap > 0.0, gap + step);
        let (found, last) = (BinaryHeap::new(), None);
        let is_complete = view.boxes.is_empty() || !query.bounds().is_ordered();
        Self {
            view,
            query,
            found,
            last,
            given_out: 0,
            is_afar,
            hull,
            reach: 0.0,
            next_reach,
            step,
            windows: 0,
            is_complete,
        }
    }

    /// Finds the next few answers.
    fn go_on(&mut self) {
        let most = (4 * self.given_out).max(FIRST);
        if self.is_afar && most <= MAX_FIRST && most < self.view.boxes.len() { self.find(most) } else { self.widen() }
    }

    /// Finds the first `most` answers, some of which have been yielded.
    fn find(&mut self, most: usize) {
        let Self { view, query, given_out, .. } = self;
        let mut first = Vec::new();
        view.first_into(query, most, &mut first, Ids);
        self.is_complete = first.len() < most;
        self.found = first.into_iter().skip(*given_out).map(Entry).collect();
    }

    /// Finds what the next window is sure of.
    fn widen(&mut self) {
        for cut in 0..=MAX_CUTS {
            let window = self.query.origin().with_margin(I::Scalar::at_least(self.next_reach));
            let is_last =
                self.windows == MAX_WINDOWS || window.contains(&self.hull) || window.contains(&self.query.bounds());
            let most = if is_last || cut == MAX_CUTS { usize::MAX } else { MAX_AT_ONCE + 4 * self.given_out };
            if self.collect((!is_last).then_some(window), most) {
                self.reach = self.next_reach;
                self.step *= 2.0;
                self.next_reach += self.step;
                self.windows += 1;
                self.is_complete = is_last;
                return;
            }
            self.step = (self.next_reach - self.reach) / 4.0;
            self.next_reach = self.reach + self.step;
        }
    }

    /// Collects the answers that a window is sure of (or all answers) and that have not been yielded; `false` if there
    /// are more than `most`.
    fn collect(&mut self, window: Option<Aabb<I::Scalar>>, most: usize) -> bool {
        let Self { view, query, last, .. } = self;
        let none = || Cell::new(None);
        let asked = Sure { query: &*query, window, inside: none(), outside: none(), accepted: none() };
        let mut found: Vec<_> = core::mem::take(&mut self.found).into_vec();
        let add = |id| {
            // In a world that wraps, the box may be nearer along another path than the one on which it was found.
            let rank = if I::AROUND.is_some() { view.rank(query, id) } else { asked.accepted.get() };
            let hit = rank.map(|rank| Hit::new(id, rank));
            found.extend(hit.filter(|hit| last.is_none_or(|last| compare(&last, hit).is_lt())).map(Entry));
            if found.len() > most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let is_all = view.structure.visit(view.boxes, &asked, add).is_continue();
        if !is_all {
            found.clear();
        }
        self.found = found.into();
        is_all
    }
}

impl<I: Structure, R: Resolver, Q: Ranked<I::Scalar>> Iterator for Outward<'_, I, R, Q> {
    type Item = Hit<Q::Rank>;

    fn next(&mut self) -> Option<Hit<Q::Rank>> {
        loop {
            if let Some(Entry(hit)) = self.found.pop() {
                self.last = Some(hit);
                self.given_out += 1;
                return Some(hit);
            }
            if self.is_complete {
                return None;
            }
            self.go_on();
        }
    }
}

impl<I: Structure, R: Resolver, Q: Ranked<I::Scalar>> FusedIterator for Outward<'_, I, R, Q> {}

/// A hit in a heap that gives out the first one.
struct Entry<K>(Hit<K>);

impl<K: PartialOrd> Ord for Entry<K> {
    fn cmp(&self, other: &Self) -> Ordering {
        compare(&other.0, &self.0)
    }
}

impl<K: PartialOrd> PartialOrd for Entry<K> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<K: PartialOrd> PartialEq for Entry<K> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<K: PartialOrd> Eq for Entry<K> {}

/// A query restricted to the answers that a window is sure of.
struct Sure<'a, S, Q, K> {
    query: &'a Q,
    window: Option<Aabb<S>>,
    /// The greatest rank known to be sure, and the least known not to be: bounds are computed for few.
    inside: Cell<Option<K>>,
    outside: Cell<Option<K>>,
    /// The rank of the box accepted last. A walk hands it over at once.
    accepted: Cell<Option<K>>,
}

impl<S: Scalar, Q: Ranked<S>> Sure<'_, S, Q, Q::Rank> {
    fn holds(&self, rank: &Q::Rank) -> bool {
        let Some(window) = self.window else { return true };
        if self.inside.get().is_some_and(|inside| *rank <= inside) {
            return true;
        }
        if self.outside.get().is_some_and(|outside| *rank >= outside) {
            return false;
        }
        let is_inside = window.contains(&self.query.bounds_up_to(rank));
        let known = if is_inside { &self.inside } else { &self.outside };
        known.set(Some(*rank));
        is_inside
    }
}

impl<S: Scalar, Q: Ranked<S>> Query<S> for &Sure<'_, S, Q, Q::Rank> {
    fn bounds(&self) -> Aabb<S> {
        let bounds = self.query.bounds();
        self.window.map_or(bounds, |window| window.intersection(&bounds).unwrap_or(Aabb::EMPTY))
    }

    forward!(Query<S>, |sure| sure.query, except bounds, covers, admits, accepts);

    fn accepts(&self, id: u32, bounds: &Aabb<S>, layers: Layers) -> bool {
        if !self.query.accepts(id, bounds, layers) {
            return false;
        }
        let rank = self.query.rank(bounds).filter(|rank| self.holds(rank));
        self.accepted.set(rank);
        rank.is_some()
    }
}
