//! The search for the first few.
//!
//! A structure that can look at what is near first is shown the query once. All others are probed. A structure walks
//! in its own order, which may begin at the far end from where the query starts. So the search
//! probes first. It asks about the cell of the query's origin, then about growing windows around it, until it has
//! found enough answers. The first window is the size of that cell, or the usual distance between boxes where there is
//! no cell. The worst of the answers found bounds the real search, which is complete by construction, whatever the
//! probes saw. On 10,000 evenly spread boxes in a `Quadtree`, finding the nearest box to a point looks at 12 boxes on
//! average; 8 are in the cells that touch the final circle. The first box hit by a ray takes 35; 11 are in the cells
//! along the way. Without the probes it takes hundreds.

use alloc::vec::Vec;
use core::cell::{Cell, RefCell};
use core::ops::Deref;

use arrayvec::ArrayVec;

use super::{Answers, OnExactBoxes, Order, Resolver, View};
use crate::forward;
use crate::geometry::{Aabb, Scalar};
use crate::question::{Hit, Id, Narrowing, Question, Ranked};
use crate::storage::Layers;
use crate::structure::Structure;

/// How many windows are tried, each four times as wide as the one before. The last reaches 256 cells to every side.
/// More would help only where a query starts far from everything, and there an unbounded search does as well.
const MOST_PROBES: usize = 6;

impl<'a, I: Structure, R: Resolver<I::Scalar>> View<'a, I, R> {
    /// The first answer.
    pub(crate) fn first<Q: Ranked<I::Scalar>>(self, question: &Q) -> Option<Hit<Q::Rank, R::Name, R::Thing>> {
        self.first_id(question).map(|hit| self.hit(hit))
    }

    /// The id of the first answer.
    pub(super) fn first_id<Q: Ranked<I::Scalar>>(self, question: &Q) -> Option<Hit<Q::Rank>> {
        let mut first = ArrayVec::<_, 1>::new();
        self.fill(question, 1, &mut first, |id| id);
        first.pop()
    }

    /// The first `most` answers.
    pub(crate) fn first_into<Q: Ranked<I::Scalar>, N: Id>(
        self,
        question: &Q,
        most: usize,
        hits: &mut Vec<Hit<Q::Rank, N>>,
        name: impl Fn(u32) -> N + Copy,
    ) {
        hits.clear();
        if most < self.boxes.len() {
            self.fill(question, most, hits, name);
        } else {
            hits.extend(self.ranked(question).map(|hit| Hit { id: name(hit.id), rank: hit.rank, thing: () }));
            hits.sort_unstable_by(|one, other| self.resolver.compare_hits(one, other));
        }
    }

    /// Puts the first `most` answers on a shelf that holds some of the answers or none.
    pub(super) fn fill<Q: Ranked<I::Scalar>, N: Id, H: Shelf<Q::Rank, N>>(
        self,
        question: &Q,
        most: usize,
        shelf: &mut H,
        name: impl Fn(u32) -> N + Copy,
    ) {
        if most == 0 || self.boxes.is_empty() || !question.bounds().is_ordered() {
            return;
        }
        let all = Best::new(question, most, shelf, (name, self.resolver), question.bounds());
        if self.structure.narrow(self.boxes, &OnExactBoxes(&all, self.resolver)) {
            return;
        }
        let window = self.probe(question, most, shelf, name);
        let last = shelf.last().filter(|_| shelf.len() == most).map(|last| last.rank);
        let bounds = last.map_or(question.bounds(), |last| question.bounds_up_to(&last));
        if !window.contains(&bounds) {
            self.ids(&Best::new(question, most, shelf, (name, self.resolver), bounds)).for_each(drop);
        }
    }

    /// Looks around the origin of the question until there are enough answers on the shelf, whether or not they are the
    /// first. Returns the window in which everything has been looked at.
    fn probe<Q: Ranked<I::Scalar>, N: Id, H: Shelf<Q::Rank, N>>(
        self,
        question: &Q,
        most: usize,
        shelf: &mut H,
        name: impl Fn(u32) -> N + Copy,
    ) -> Aabb<I::Scalar> {
        if shelf.len() == most {
            return Aabb::EMPTY;
        }
        let origin = question.origin();
        let (mut window, mut margin, mut looked_at) = (origin, None, 0);
        for probes in 1..=MOST_PROBES {
            let probe = Best::new(question, most, shelf, (name, self.resolver), window);
            self.ids(&probe).for_each(drop);
            let (cell_size, looked_at_before) = (probe.cell_size(), looked_at);
            looked_at = probe.looked_at();
            // A window that shows no more than the one a quarter as wide seems to hold all there is, unless both are
            // smaller than the usual distance between boxes, as they are where the cell is the hull of a single small
            // box.
            let is_exhausted =
                looked_at > 0 && looked_at == looked_at_before && margin.is_some_and(|margin| margin >= self.spacing());
            // The window is always the last one asked about: what lies in it is not asked about again.
            if shelf.len() == most || is_exhausted || probes == MOST_PROBES || window.contains(&question.bounds()) {
                break;
            }
            let next = margin.map_or_else(|| cell_size.unwrap_or_else(|| self.spacing()), quadruple);
            margin = Some(next);
            window = origin.with_margin(next);
        }
        window
    }

    /// The first `most` answers to each of many questions.
    ///
    /// They are asked along a curve, and what the last one found is offered to the next: it is near there too, if it is
    /// an answer, and leaves little to be searched.
    pub(crate) fn first_many<Q: Ranked<I::Scalar>>(
        self,
        questions: &[Q],
        most: usize,
        answers: &mut Answers<Hit<Q::Rank, R::Name>>,
    ) {
        let (mut last, mut hits): (Vec<u32>, Vec<Hit<Q::Rank>>) = (Vec::new(), Vec::new());
        answers.one_by_one(questions, Ranked::origin, |question, names| {
            // In a world that wraps, the way on which a box is nearest may differ.
            if most < self.boxes.len() && I::AROUND.is_none() {
                last.clear();
                last.extend(hits.drain(..).map(|hit| hit.id));
                let best = Best::new(question, most, &mut hits, (|id| id, self.resolver), question.bounds());
                let known = OnExactBoxes(&best, self.resolver);
                for &id in last.iter().filter(|_| question.bounds().is_ordered()) {
                    known.accepts(id, self.boxes.at(id), self.boxes.layers(id));
                }
                self.fill(question, most, &mut hits, |id| id);
            } else {
                self.first_into(question, most, &mut hits, |id| id);
            }
            names.extend(hits.iter().map(|hit| Hit { id: self.resolver.name(hit.id), rank: hit.rank, thing: () }));
        });
    }

    fn spacing(self) -> I::Scalar {
        I::Scalar::at_least(self.sample().1)
    }
}

fn quadruple<S: Scalar>(margin: S) -> S {
    let double = margin.plus(margin);
    double.plus(double)
}

/// Where the best answers are kept, in order.
pub(crate) trait Shelf<R, N>: Deref<Target = [Hit<R, N>]> {
    fn insert(&mut self, place: usize, hit: Hit<R, N>);
    fn remove(&mut self, place: usize);
}

impl<R, N> Shelf<R, N> for Vec<Hit<R, N>> {
    fn insert(&mut self, place: usize, hit: Hit<R, N>) {
        self.insert(place, hit);
    }

    fn remove(&mut self, place: usize) {
        self.remove(place);
    }
}

impl<R, N> Shelf<R, N> for ArrayVec<Hit<R, N>, 1> {
    fn insert(&mut self, place: usize, hit: Hit<R, N>) {
        self.insert(place, hit);
    }

    fn remove(&mut self, place: usize) {
        self.remove(place);
    }
}

/// Collects the `most` best answers to a ranked query while the query is being asked. The more it has found, the
/// less it reaches.
///
/// It accepts nothing: what it finds is on the shelf. A box that is offered more than once (in a world that wraps, or
/// where boxes are listed in several places) is kept once, with its best rank.
pub(crate) struct Best<'a, S: Scalar, Q: Ranked<S>, H, F, O> {
    question: &'a Q,
    most: usize,
    shelf: RefCell<&'a mut H>,
    /// What answers are called, by id.
    name: F,
    /// Which of two ties comes first.
    order: O,
    /// Only this is searched.
    window: Aabb<S>,
    /// The bounds up to a rank that was the last on a full shelf.
    known: Cell<Option<(Q::Rank, Aabb<S>)>>,
    /// The shortest side of any cell reached: how large cells are around here. Border cells may be endless on one axis.
    cell_size: Cell<S>,
    /// Boxes looked at.
    looked_at: Cell<usize>,
}

impl<'a, S: Scalar, Q: Ranked<S>, N: Id, H: Shelf<Q::Rank, N>, F: Fn(u32) -> N, O: Order> Best<'a, S, Q, H, F, O> {
    pub(crate) fn new(question: &'a Q, most: usize, shelf: &'a mut H, (name, order): (F, O), window: Aabb<S>) -> Self {
        Self {
            question,
            most,
            shelf: RefCell::new(shelf),
            name,
            order,
            window,
            known: Cell::new(None),
            cell_size: Cell::new(S::HIGHEST),
            looked_at: Cell::new(0),
        }
    }

    /// The shortest side of a cell that was reached; `None` if none was, or all were endless.
    pub(crate) fn cell_size(&self) -> Option<S> {
        Some(self.cell_size.get()).filter(|&size| size < S::HIGHEST)
    }

    /// How many boxes were looked at.
    pub(crate) fn looked_at(&self) -> usize {
        self.looked_at.get()
    }

    /// Can a cell with this rank hold anything better than what is on the shelf? Equal ranks may, for the id may be
    /// lower.
    fn is_in_time(&self, rank: &Q::Rank) -> bool {
        let shelf = self.shelf.borrow();
        shelf.len() < self.most || shelf.last().is_some_and(|last| *rank <= last.rank)
    }

    fn offer(&self, hit: Hit<Q::Rank, N>) {
        let shelf = &mut **self.shelf.borrow_mut();
        let Err(place) = shelf.binary_search_by(|other| self.order.compare_hits(other, &hit)) else { return };
        if place == self.most || shelf[..place].iter().any(|better| better.id.id() == hit.id.id()) {
            return;
        }
        let worse = shelf[place..].iter().position(|other| other.id.id() == hit.id.id()).map(|after| place + after);
        let is_full = shelf.len() == self.most;
        worse.or(is_full.then(|| shelf.len() - 1)).into_iter().for_each(|place| shelf.remove(place));
        shelf.insert(place, hit);
    }
}

impl<S: Scalar, Q: Ranked<S>, N: Id, H: Shelf<Q::Rank, N>, F: Fn(u32) -> N, O: Order> Question<S>
    for &Best<'_, S, Q, H, F, O>
{
    fn bounds(&self) -> Aabb<S> {
        self.window
    }

    forward!(Question<S>, |best| best.question, except bounds, reaches, covers, admits, accepts);

    fn reaches(&self, cell: &Aabb<S>) -> bool {
        let is_reached =
            self.question.reaches(cell) && self.question.rank(cell).is_some_and(|rank| self.is_in_time(&rank));
        if is_reached {
            let sides = cell.size().into_iter().filter(|&side| side > S::ZERO);
            self.cell_size.set(sides.fold(self.cell_size.get(), S::lesser));
        }
        is_reached
    }

    fn accepts(&self, id: u32, bounds: &Aabb<S>, layers: Layers) -> bool {
        self.looked_at.set(self.looked_at.get() + 1);
        if self.question.accepts(id, bounds, layers) {
            let rank = self.question.rank(bounds);
            rank.into_iter().for_each(|rank| self.offer(Hit { id: (self.name)(id), rank, thing: () }));
        }
        false
    }
}

impl<S: Scalar, Q: Ranked<S>, N: Id, H: Shelf<Q::Rank, N>, F: Fn(u32) -> N, O: Order> Narrowing<S>
    for &Best<'_, S, Q, H, F, O>
{
    type Rank = Q::Rank;

    #[inline]
    fn rank(&self, hull: &Aabb<S>) -> Option<Q::Rank> {
        self.question.rank(hull).filter(|rank| Best::is_in_time(self, rank))
    }

    #[inline]
    fn is_in_time(&self, rank: &Q::Rank) -> bool {
        Best::is_in_time(self, rank)
    }

    fn origin(&self) -> Aabb<S> {
        self.question.origin()
    }

    fn window(&self) -> Aabb<S> {
        let shelf = self.shelf.borrow();
        let Some(last) = shelf.last().filter(|_| shelf.len() == self.most) else { return self.window };
        if let Some((_, bounds)) = self.known.get().filter(|(rank, _)| *rank == last.rank) {
            return bounds;
        }
        let bounds = self.question.bounds_up_to(&last.rank);
        self.known.set(Some((last.rank, bounds)));
        bounds
    }
}
