//! Questions whose answers have an order, and the search for the first few.

use core::cell::{Cell, RefCell};
use core::cmp::Ordering;
use core::fmt::Debug;
use core::ops::Deref;

use alloc::vec::Vec;
use arrayvec::ArrayVec;

use super::Question;
use crate::geometry::{Aabb, Scalar};
use crate::storage::Layers;

/// A question whose answers have an order: the nearest first, the first hit first.
///
/// [`Index::query_first`](crate::Index::query_first) and its kin answer it for every structure, by branch and bound: whatever
/// cannot beat what has been found is not looked at.
pub trait Ranked<S: Scalar>: Question<S> {
    /// What answers are ordered by, the least first. Never NaN or otherwise without order.
    type Rank: Copy + PartialOrd + Debug;

    /// The rank of an accepted box, or a bound for a cell that is reached. Every accepted box must have a point in the
    /// [bounds](Question::bounds) such that each cell which holds that point has a rank not greater than the box has. `None` only for
    /// what is not accepted or reached.
    fn rank(&self, bounds: &Aabb<S>) -> Option<Self::Rank>;

    /// Where the least ranks are.
    fn origin(&self) -> Aabb<S>;

    /// Every accepted box with a rank up to `last` intersects this, and has a point [as above](Self::rank) here.
    fn bounds_up_to(&self, last: &Self::Rank) -> Aabb<S>;
}

impl<S: Scalar, Q: Ranked<S>> Ranked<S> for &Q {
    type Rank = Q::Rank;

    #[inline]
    fn rank(&self, bounds: &Aabb<S>) -> Option<Q::Rank> {
        (**self).rank(bounds)
    }

    fn origin(&self) -> Aabb<S> {
        (**self).origin()
    }

    fn bounds_up_to(&self, last: &Q::Rank) -> Aabb<S> {
        (**self).bounds_up_to(last)
    }
}

/// An answer together with its rank.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit<R, N = u32> {
    /// The box: its id, or its handle or key in a space.
    pub id: N,
    /// Its distance, its first contact, …
    pub rank: R,
}

impl<R: PartialOrd, N: Ord> Hit<R, N> {
    /// The order of answers: by rank, and by id where ranks are equal.
    #[inline]
    pub(crate) fn order(&self, other: &Self) -> Ordering {
        self.rank.partial_cmp(&other.rank).unwrap_or(Ordering::Equal).then_with(|| self.id.cmp(&other.id))
    }
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

/// Collects the `most` best answers to a ranked question while it is being asked; reaches less the more it has found.
///
/// It accepts nothing: what it finds is on the shelf. A box that is offered again, as it is in a world that wraps around, or where
/// boxes are listed in several places, stands there once, with its best rank.
pub(crate) struct Best<'a, S, Q, H, F> {
    question: &'a Q,
    most: usize,
    shelf: RefCell<&'a mut H>,
    /// What answers are called, by id.
    name: F,
    /// Only this is searched.
    window: Aabb<S>,
    /// The shortest side of a cell that was reached: what cells are like hereabouts. Border cells may be endless on one axis.
    cell_size: Cell<S>,
    /// Boxes looked at.
    looked_at: Cell<usize>,
}

impl<'a, S: Scalar, Q: Ranked<S>, N: Ord + Copy, H: Shelf<Q::Rank, N>, F: Fn(u32) -> N> Best<'a, S, Q, H, F> {
    pub(crate) fn new(question: &'a Q, most: usize, shelf: &'a mut H, name: F, window: Aabb<S>) -> Self {
        Self {
            question,
            most,
            shelf: RefCell::new(shelf),
            name,
            window,
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

    /// Can a cell with this rank hold anything better than what is on the shelf? Equal ranks may, for the id may be lower.
    fn is_in_time(&self, rank: &Q::Rank) -> bool {
        let shelf = self.shelf.borrow();
        shelf.len() < self.most || shelf.last().is_some_and(|last| *rank <= last.rank)
    }

    fn offer(&self, hit: Hit<Q::Rank, N>) {
        let shelf = &mut **self.shelf.borrow_mut();
        let Err(place) = shelf.binary_search_by(|other| other.order(&hit)) else { return };
        if place == self.most || shelf[..place].iter().any(|better| better.id == hit.id) {
            return;
        }
        let worse = shelf[place..].iter().position(|other| other.id == hit.id).map(|after| place + after);
        let is_full = shelf.len() == self.most;
        worse.or(is_full.then(|| shelf.len() - 1)).into_iter().for_each(|place| shelf.remove(place));
        shelf.insert(place, hit);
    }
}

impl<S: Scalar, Q: Ranked<S>, N: Ord + Copy, H: Shelf<Q::Rank, N>, F: Fn(u32) -> N> Question<S>
    for &Best<'_, S, Q, H, F>
{
    fn bounds(&self) -> Aabb<S> {
        self.window
    }

    fn extent(&self) -> Aabb<S> {
        self.question.extent()
    }

    fn reaches(&self, cell: &Aabb<S>) -> bool {
        let is_reached =
            self.question.reaches(cell) && self.question.rank(cell).is_some_and(|rank| self.is_in_time(&rank));
        if is_reached {
            let sides = cell.size().into_iter().filter(|&side| side > S::ZERO);
            self.cell_size.set(sides.fold(self.cell_size.get(), S::lesser));
        }
        is_reached
    }

    fn wants(&self, layers: Layers) -> bool {
        self.question.wants(layers)
    }

    fn accepts(&self, id: u32, bounds: &Aabb<S>, layers: Layers) -> bool {
        self.looked_at.set(self.looked_at.get() + 1);
        if self.question.accepts(id, bounds, layers) {
            let rank = self.question.rank(bounds);
            rank.into_iter().for_each(|rank| self.offer(Hit { id: (self.name)(id), rank }));
        }
        false
    }
}
