//! The search for the first few.
//!
//! A structure that can search the nearest first gets the query once. All others are probed. A structure walks in its
//! own order, which may begin at the far end from where the query starts. So the search probes first. It searches the
//! cell of the query's origin, then growing windows around it, until it has enough answers. The first window is the
//! size of that cell, or the usual distance between boxes if there is no cell. From afar, windows are around the
//! nearest part of the hull of all boxes, if that is known; or else all reach farther, by the distance to most boxes.
//! The worst of the answers found bounds the real search, which is complete by construction, whatever the probes saw.
//! On 10,000 evenly spread boxes in a `Quadtree`, finding the nearest box to a point compares 12 boxes on average; 8 are
//! in the cells that touch the final circle. The first box hit by a ray takes 35; 11 are in the cells along the way.
//! Without the probes it takes hundreds.

use alloc::vec::Vec;
use core::cell::{Cell, RefCell};
use core::cmp::Ordering;
use core::ops::DerefMut;

use arrayvec::ArrayVec;

use super::{Ids, Name, Resolver, View, gap_to};
use crate::forward;
use crate::geometry::{Aabb, Scalar, Sweep, both, sqrt_above};
use crate::query::{Hit, Narrowing, Query, Ranked};
use crate::storage::Layers;
use crate::structure::Structure;

/// More than squares and their differences may be rounded by.
const ROUNDING: f64 = 1e-12;

/// Answers are sorted as they come, each into its place among the others, which are moved. So if the square of how many
/// are wanted is more than this many times the number of boxes, all answers are collected and sorted instead. In a
/// `FrameTree`, both take the same time at five thousand times. More: more is moved. Fewer: more is looked at.
const CROWDED: usize = 4096;

/// How many windows are tried, each four times as wide as the one before. The last reaches 256 cells to every side.
/// More would help only if a query starts far from everything, and there an unbounded search does as well.
const MAX_PROBES: usize = 6;

impl<'a, I: Structure, R: Resolver> View<'a, I, R> {
    /// The first answer.
    pub(crate) fn first<Q: Ranked<I::Scalar>>(self, query: &Q) -> Option<Hit<Q::Rank, R::Name, R::Thing>> {
        let mut first = ArrayVec::<_, 1>::new();
        self.fill(query, 1, &mut first, Ids);
        first.pop().map(|hit| self.hit(hit))
    }

    /// The first `most` answers by name.
    pub(crate) fn first_few<Q: Ranked<I::Scalar>>(self, query: &Q, most: usize, hits: &mut Vec<Hit<Q::Rank, R::Name>>) {
        self.first_into(query, most, hits, self.resolver);
    }

    /// The first `most` answers.
    pub(super) fn first_into<Q: Ranked<I::Scalar>, N: Resolver>(
        self,
        query: &Q,
        most: usize,
        hits: &mut Vec<Hit<Q::Rank, N::Name>>,
        names: N,
    ) {
        hits.clear();
        if most < self.boxes.len() && most.saturating_mul(most) <= CROWDED.saturating_mul(self.boxes.len()) {
            self.fill(query, most, hits, names);
        } else {
            self.visit_ranked(query, |id, rank| hits.push(Hit { id: names.name(id), rank, thing: () }));
            sort(hits);
            hits.truncate(most);
        }
    }

    /// Puts the first `most` answers on an empty shelf.
    pub(super) fn fill<Q: Ranked<I::Scalar>, N: Resolver, H: Shelf<Q::Rank, N::Name>>(
        self,
        query: &Q,
        most: usize,
        shelf: &mut H,
        names: N,
    ) {
        let is_beside = |hull: &Aabb<I::Scalar>| !hull.intersects(&query.bounds());
        if most == 0
            || self.boxes.is_empty()
            || !query.bounds().is_ordered()
            || self.structure.hull().is_some_and(is_beside)
        {
            return;
        }
        let all = Best::new(query, most, shelf, names, query.bounds()).once();
        let has_narrowed = self.structure.narrow(self.boxes, &&all);
        if I::NARROWS || has_narrowed {
            return;
        }
        let window = self.probe(query, most, shelf, names);
        let last = shelf.last().filter(|_| shelf.len() == most).map(|last| last.rank);
        let bounds = last.map_or(query.bounds(), |last| self.bounds_up_to(query, &last));
        if !window.contains(&bounds) {
            let rest = Best::new(query, most, shelf, names, bounds);
            self.ids(&rest).for_each(drop);
        }
    }

    /// Searches around the origin of the query until there are enough answers on the shelf, whether or not they are the
    /// first. Returns the window that was searched completely.
    fn probe<Q: Ranked<I::Scalar>, N: Resolver, H: Shelf<Q::Rank, N::Name>>(
        self,
        query: &Q,
        most: usize,
        shelf: &mut H,
        names: N,
    ) -> Aabb<I::Scalar> {
        let origin = query.origin();
        let (mut window, mut margin, mut looked_at) = (origin, None, 0);
        let beside = self.hull_beside(query);
        let (mut hull, mut gap) = (Aabb::EMPTY, None);
        for probes in 1..=MAX_PROBES {
            // A box that answers and touches the window touches what this has in common with the bounds.
            let common = window.intersection(&query.bounds()).unwrap_or(Aabb::EMPTY);
            let probe = Best::new(query, most, shelf, names, common);
            self.ids(&probe).for_each(drop);
            let (cell_size, looked_at_before) = (probe.cell_size(), looked_at);
            looked_at = probe.looked_at();
            // A window that shows no more than the one a quarter as wide seems to hold all there is, unless both are
            // smaller than the usual distance between boxes, as when the cell is the hull of a single small box, or the
            // query is far away.
            let is_exhausted = looked_at > 0
                && looked_at == looked_at_before
                && margin.is_some_and(|margin| margin >= self.spacing())
                && (gap.is_none_or(|gap| gap == 0.0) || window.contains(&hull));
            // The window is always the last one searched: its contents are not searched again.
            if shelf.len() == most || is_exhausted || probes == MAX_PROBES || window.contains(&query.bounds()) {
                break;
            }
            let next = margin.map_or_else(|| cell_size.unwrap_or_else(|| self.spacing()), quadruple);
            let gap = *gap.get_or_insert_with(|| {
                // A world that wraps has no outside.
                hull = if I::AROUND.is_some() { Aabb::EVERYTHING } else { self.sample().0 };
                gap_to(&hull, &origin)
            });
            margin = Some(next);
            window = match beside {
                Some(hull) => origin.nearest_in(hull).with_margin(next),
                None if gap > 0.0 => origin.with_margin(I::Scalar::at_least(gap + next.to_f64())),
                None => origin.with_margin(next),
            };
        }
        window
    }

    /// The hull of all boxes, if the query ranks them by distance from somewhere outside of it.
    fn hull_beside<Q: Ranked<I::Scalar>>(self, query: &Q) -> Option<&'a Aabb<I::Scalar>> {
        self.structure.hull().filter(|hull| query.is_by_distance() && !hull.intersects(&query.origin()))
    }

    /// The bounds of all boxes up to a rank. From afar, a small part of the bounds of a large circle: what is beside the
    /// origin on one axis cannot be as far from it on the other.
    fn bounds_up_to<Q: Ranked<I::Scalar>>(self, query: &Q, last: &Q::Rank) -> Aabb<I::Scalar> {
        let bounds = query.bounds_up_to(last);
        let square = query.square(last).filter(|square| square.is_normal());
        let Some((hull, square)) = self.hull_beside(query).zip(square) else { return bounds };
        let origin = query.origin();
        let gap = |axis: usize| {
            let before = hull.min[axis].to_f64() - origin.max[axis].to_f64();
            before.max(origin.min[axis].to_f64() - hull.max[axis].to_f64()).max(0.0)
        };
        let reaches = both(|axis| {
            let other = 1 - axis;
            let rest = square * (1.0 + ROUNDING) - gap(other) * gap(other) * (1.0 - ROUNDING);
            sqrt_above(rest.max(0.0))
        });
        // They may be longer than the range of integers.
        let part = Aabb::new(
            both(|axis| origin.min[axis].down_by(reaches[axis])),
            both(|axis| origin.max[axis].up_by(reaches[axis])),
        );
        bounds.intersection(&part).unwrap_or(bounds)
    }

    fn spacing(self) -> I::Scalar {
        I::Scalar::at_least(self.sample().1)
    }
}

/// Sorts ranked answers. By itself, so that it is compiled once for all queries and structures.
fn sort<K: PartialOrd, N: Name>(hits: &mut [Hit<K, N>]) {
    hits.sort_unstable_by(compare);
}

fn quadruple<S: Scalar>(margin: S) -> S {
    let double = margin.plus(margin);
    double.plus(double)
}

/// The order of ranked answers.
#[inline]
pub(super) fn compare<K: PartialOrd, N: Name>(one: &Hit<K, N>, other: &Hit<K, N>) -> Ordering {
    let by_rank = one.rank.partial_cmp(&other.rank).unwrap_or(Ordering::Equal);
    by_rank.then_with(|| one.id.id().cmp(&other.id.id()))
}

/// Where the best answers are kept, in order.
pub(crate) trait Shelf<R, N>: DerefMut<Target = [Hit<R, N>]> {
    fn push(&mut self, hit: Hit<R, N>);
    fn remove(&mut self, slot: usize);
}

impl<R, N> Shelf<R, N> for Vec<Hit<R, N>> {
    #[inline]
    fn push(&mut self, hit: Hit<R, N>) {
        self.push(hit);
    }

    fn remove(&mut self, slot: usize) {
        self.remove(slot);
    }
}

impl<R, N> Shelf<R, N> for ArrayVec<Hit<R, N>, 1> {
    #[inline]
    fn push(&mut self, hit: Hit<R, N>) {
        self.push(hit);
    }

    fn remove(&mut self, slot: usize) {
        self.remove(slot);
    }
}

/// A position among this many is found from the end, one by one; among more, by bisection.
const FEW: usize = 16;

/// Collects the `most` best answers to a ranked query during the search. The more it has found, the less it reaches.
///
/// It accepts nothing: what it finds is on the shelf. A box that is offered more than once (in a world that wraps, or
/// if boxes are listed in several places) is kept once, with its best rank.
pub(crate) struct Best<'a, S: Scalar, Q: Ranked<S>, H, N> {
    query: &'a Q,
    most: usize,
    shelf: RefCell<&'a mut H>,
    names: N,
    /// Only this is searched.
    window: Aabb<S>,
    /// Is each box offered at most once?
    is_once: bool,
    /// The bounds up to a rank that was the last on a full shelf.
    known: Cell<Option<(Q::Rank, Aabb<S>)>>,
    /// The shortest side of any cell reached: how large cells are around here. Border cells may be endless on one axis.
    cell_size: Cell<S>,
    /// Boxes compared.
    looked_at: Cell<usize>,
}

impl<'a, S: Scalar, Q: Ranked<S>, N: Resolver, H: Shelf<Q::Rank, N::Name>> Best<'a, S, Q, H, N> {
    pub(crate) fn new(query: &'a Q, most: usize, shelf: &'a mut H, names: N, window: Aabb<S>) -> Self {
        Self {
            query,
            most,
            shelf: RefCell::new(shelf),
            names,
            window,
            is_once: false,
            known: Cell::new(None),
            cell_size: Cell::new(S::HIGHEST),
            looked_at: Cell::new(0),
        }
    }

    /// Every box is offered at most once, and the shelf is empty.
    pub(super) fn once(self) -> Self {
        Self { is_once: true, ..self }
    }

    /// The shortest side of a cell that was reached; `None` if none was, or all were endless.
    pub(crate) fn cell_size(&self) -> Option<S> {
        Some(self.cell_size.get()).filter(|&size| size < S::HIGHEST)
    }

    /// How many boxes were compared.
    pub(crate) fn looked_at(&self) -> usize {
        self.looked_at.get()
    }

    /// Can a box or cell with this rank be, or hold, anything better than what is on the shelf? Equal ranks can,
    /// because the id may be lower.
    #[inline]
    fn is_in_time(&self, rank: &Q::Rank) -> bool {
        self.is_in_time_for(&self.shelf.borrow(), rank)
    }

    #[inline]
    fn is_in_time_for(&self, shelf: &[Hit<Q::Rank, N::Name>], rank: &Q::Rank) -> bool {
        shelf.len() < self.most || shelf.last().is_some_and(|last| *rank <= last.rank)
    }

    /// Does the first answer come before the second?
    #[inline]
    fn is_before(one: &Hit<Q::Rank, N::Name>, other: &Hit<Q::Rank, N::Name>) -> bool {
        one.rank < other.rank || (one.rank == other.rank && one.id.id() < other.id.id())
    }

    /// The rank above which nothing more is wanted, if there is one.
    #[inline]
    fn last(&self) -> Option<Q::Rank> {
        let shelf = self.shelf.borrow();
        shelf.last().filter(|_| shelf.len() == self.most).map(|last| last.rank)
    }

    /// Puts an answer into its place, if it is good enough.
    #[inline]
    fn offer(&self, id: u32, rank: Q::Rank) {
        let shelf = &mut **self.shelf.borrow_mut();
        if !self.is_in_time_for(shelf, &rank) {
            return;
        }
        let hit = Hit { id: self.names.name(id), rank, thing: () };
        if !self.is_once {
            if let Some(known) = shelf.iter().position(|other| other.id == hit.id) {
                if !Self::is_before(&hit, &shelf[known]) {
                    return;
                }
                shelf.remove(known);
            }
        }
        if shelf.len() < self.most {
            shelf.push(hit);
        } else if !shelf.last().is_some_and(|last| Self::is_before(&hit, last)) {
            return;
        }
        self.put(shelf, hit);
    }

    /// Puts an answer among those on the shelf, in place of the last one.
    #[inline]
    fn put(&self, shelf: &mut [Hit<Q::Rank, N::Name>], hit: Hit<Q::Rank, N::Name>) {
        let mut slot = shelf.len() - 1;
        if slot > FEW {
            let last = slot;
            slot = shelf[..last].partition_point(|other| Self::is_before(other, &hit));
            shelf.copy_within(slot..last, slot + 1);
        }
        // One by one: calling a function that copies a few answers costs more than copying them.
        while slot > 0 && Self::is_before(&hit, &shelf[slot - 1]) {
            shelf[slot] = shelf[slot - 1];
            slot -= 1;
        }
        shelf[slot] = hit;
    }
}

impl<S: Scalar, Q: Ranked<S>, N: Resolver, H: Shelf<Q::Rank, N::Name>> Query<S> for &Best<'_, S, Q, H, N> {
    fn bounds(&self) -> Aabb<S> {
        self.window
    }

    forward!(Query<S>, |best| best.query, except bounds, reaches, covers, accepts);

    fn reaches(&self, cell: &Aabb<S>) -> bool {
        let is_reached = self.query.reaches(cell) && self.query.rank(cell).is_some_and(|rank| self.is_in_time(&rank));
        if is_reached {
            let sides = cell.size().into_iter().filter(|&side| side > S::ZERO);
            self.cell_size.set(sides.fold(self.cell_size.get(), S::lesser));
        }
        is_reached
    }

    #[inline]
    fn accepts(&self, id: u32, bounds: &Aabb<S>, layers: Layers) -> bool {
        self.looked_at.set(self.looked_at.get() + 1);
        if let Some(rank) = self.query.answer(id, bounds, layers) {
            self.offer(id, rank);
        }
        false
    }
}

impl<S: Scalar, Q: Ranked<S>, N: Resolver, H: Shelf<Q::Rank, N::Name>> Narrowing<S> for &Best<'_, S, Q, H, N> {
    type Rank = Q::Rank;

    #[inline]
    fn rank(&self, hull: &Aabb<S>) -> Option<Q::Rank> {
        self.query.rank(hull).filter(|rank| Best::is_in_time(self, rank))
    }

    #[inline]
    fn is_wanted(&self, rank: &Q::Rank, least: u32) -> bool {
        let shelf = self.shelf.borrow();
        let last = shelf.last().filter(|last| shelf.len() == self.most && *rank == last.rank);
        match last {
            Some(last) => least < last.id.id(),
            None => self.is_in_time_for(&shelf, rank),
        }
    }

    fn origin(&self) -> Aabb<S> {
        self.query.origin()
    }

    fn window(&self) -> Aabb<S> {
        let shelf = self.shelf.borrow();
        let Some(last) = shelf.last().filter(|_| shelf.len() == self.most) else { return self.window };
        if let Some((_, bounds)) = self.known.get().filter(|(rank, _)| *rank == last.rank) {
            return bounds;
        }
        let bounds = self.query.bounds_up_to(&last.rank);
        self.known.set(Some((last.rank, bounds)));
        bounds
    }

    #[inline]
    fn square(&self) -> Option<f64> {
        self.last().and_then(|last| self.query.square(&last))
    }

    #[inline]
    fn sweep(&self) -> Option<Sweep<S>> {
        self.query.sweep()
    }

    #[inline]
    fn time(&self) -> Option<f64> {
        self.last().and_then(|last| self.query.time(&last))
    }

    #[inline]
    fn nearest(&self) -> Option<usize> {
        let is_by_distance = self.query.is_by_distance() && self.query.covers(&Aabb::EVERYTHING);
        (is_by_distance && self.is_once).then_some(self.most)
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use crate::{Aabb, Index, Near};

    /// Up to this many are sorted as they come, more at the end: the answers are the same.
    #[test]
    fn most_of_many_are_the_first_of_all_in_order() {
        let boxes: Vec<Aabb> = (0..5000_u16).map(|k| Aabb::from_point([k % 71, k / 71].map(f32::from))).collect();
        let index = <Index>::from_boxes(&boxes).expect("valid boxes");
        let query = Near::point([20.0, 30.0]);
        let all: Vec<_> = index.query_in_order(query).map(|hit| hit.id).collect();
        let mut hits = Vec::new();
        for most in [1, 16, 17, 4525, 4526, 4999, 5000, 5001] {
            index.query_first_few(query, most, &mut hits);
            assert!(hits.iter().map(|hit| hit.id).eq(all.iter().copied().take(most)), "{most}");
        }
    }
}
