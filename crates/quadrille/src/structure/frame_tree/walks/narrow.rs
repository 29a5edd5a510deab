//! The first answers to a query that narrows: the nearest hulls are looked at first.
//!
//! ```text
//! look at the pack whose hulls are nearest to the origin          most of what is wanted is there, or close to it
//! from the root down, for each node:
//!     compare its sixteen hulls with the circle or window of the query          all at once
//!     rank those that touch it, and go down into the first that is not too late
//! ```
//!
//! N. Roussopoulos, S. Kelley and F. Vincent, *Nearest neighbor queries*, 1995, on a tree whose nodes are compared with
//! the window at once. Looking at one pack first shrinks the window before any hull is ranked; a window that is small
//! from the start needs no such pack.
//!
//! If hulls rank alike, the one with the [least id](super::super::order::least_ids) below it comes first, and only lower ids than
//! that of the last answer are looked for in any that rank like it: however many boxes coincide, few packs are looked at.

use core::iter;

use arrayvec::ArrayVec;

use super::super::order::levels::MAX_LEVELS;
use super::super::tree::FrameTree;
use super::casting::Casting;
use super::descent::Descent;
use super::found::{Exactly, Roughly};
use super::sought::Seeking;
use crate::geometry::{Aabb, Scalar};
use crate::kernel::{self, Kernel, LANES, Lanes, Task};
use crate::query::Narrowing;
use crate::storage::{Boxes, NONE};

/// A child of a node that is still to be looked at.
struct Child<R> {
    rank: R,
    /// The least id below it.
    least: u32,
    level: usize,
    at: usize,
}

impl<R: PartialOrd> Child<R> {
    fn is_before(&self, other: &Self) -> bool {
        self.rank < other.rank || (self.rank == other.rank && self.least < other.least)
    }
}

/// The children of all nodes on the way down, the next one last.
type Todo<R> = ArrayVec<Child<R>, { MAX_LEVELS * LANES }>;

impl<S: Scalar> FrameTree<S> {
    /// See [`Structure::narrow`](crate::Structure::narrow).
    pub(in super::super) fn narrow_down<Q: Narrowing<S>>(&self, boxes: &Boxes<S>, query: &Q) {
        let Some(top) = self.levels.height().checked_sub(1) else { return };
        let sought = Seeking { tree: self, boxes, query };
        if let Some(slabs) = query.sweep().and_then(|sweep| sweep.slabs()) {
            return S::walk(Casting { tree: self, query: &sought, slabs });
        }
        let origin = query.origin();
        if let Some(mut found) = Roughly::new(query, query.square().unwrap_or(f64::INFINITY)) {
            let descent = Descent { tree: self, origin, query: &sought, seen: None, found: &mut found };
            if S::walk(descent).is_continue() {
                return;
            }
        }
        // If distances alone decide, hulls come in their order even before there are enough answers.
        let limit = query.nearest().map(|_| f64::INFINITY);
        let is_wide = limit.is_none() && query.window().contains(&self.levels.get(top, 0));
        let first = if is_wide { self.pack_at(query) } else { None };
        first.into_iter().for_each(|pack| self.look_at(pack, boxes, query));
        match query.square().or(limit) {
            Some(square) => {
                let found = &mut Exactly { square };
                let _ = S::walk(Descent { tree: self, origin, query: &sought, seen: first, found });
            }
            None => self.narrow_by_rank((top + 1, 0), boxes, query, first),
        }
    }

    /// Looks for what is wanted below a child of a level that may rank as high as the last answer. Skips a pack that has
    /// been seen.
    #[inline(never)]
    pub(in super::super) fn narrow_below<Q: Narrowing<S>>(
        &self,
        (level, at, seen): (usize, usize, Option<usize>),
        boxes: &Boxes<S>,
        query: &Q,
    ) {
        let rank = query.rank(&self.levels.get(level, at));
        if rank.is_some_and(|rank| query.is_wanted(&rank, self.least_id(level, at))) {
            self.narrow_by_rank((level, at), boxes, query, seen);
        }
    }

    /// Goes down from a child of a level by the ranks of hulls. Skips a pack that has been `seen`.
    fn narrow_by_rank<Q: Narrowing<S>>(&self, from: (usize, usize), boxes: &Boxes<S>, query: &Q, seen: Option<usize>) {
        let (mut todo, mut next) = (Todo::new(), Some(from));
        while let Some((level, at)) = next {
            if level > 1 {
                self.list(level - 1, at, query, &mut todo);
            } else if Some(at) != seen {
                self.look_at(at, boxes, query);
            }
            let wanted = iter::from_fn(|| todo.pop()).find(|child| query.is_wanted(&child.rank, child.least));
            next = wanted.map(|child| (child.level, child.at));
        }
    }

    /// A pack near the origin of the query. The way down takes a hull that touches the origin, or else the nearest one;
    /// of several that touch it, the smallest: if boxes are crowded, the first few are nearest. `None` if nothing
    /// that is wanted is there.
    fn pack_at<Q: Narrowing<S>>(&self, query: &Q) -> Option<usize> {
        let origin = query.origin();
        (1..self.levels.height()).rev().try_fold(0, |node, level| {
            let lanes = self.levels.lanes(level, node);
            let touching = S::walk(InReach { lanes, around: origin, square: None });
            let hull = |lane: usize| self.levels.get(level, node * LANES + lane);
            let area = |lane: &usize| hull(*lane).area();
            let touching = kernel::bits(touching & self.levels.present(level, node));
            let smallest = touching.min_by(|one, other| area(one).total_cmp(&area(other)));
            let child = node * LANES + smallest.or_else(|| self.nearest(level, node, query))?;
            self.levels.are_wanted(level, child, |layers| query.wants(layers)).then_some(child)
        })
    }

    /// The child of a node above the packs that ranks lowest.
    fn nearest<Q: Narrowing<S>>(&self, level: usize, node: usize, query: &Q) -> Option<usize> {
        let mut nearest = None;
        for lane in kernel::bits(self.levels.present(level, node)) {
            let hull = self.levels.get(level, node * LANES + lane);
            let rank = if hull.is_ordered() { query.rank(&hull) } else { None };
            if let Some(rank) = rank.filter(|rank| nearest.is_none_or(|(least, _)| *rank < least)) {
                nearest = Some((rank, lane));
            }
        }
        nearest.map(|(_, lane)| lane)
    }

    /// Prefetches a pack that is likely to be looked at soon.
    #[inline]
    pub(in super::super) fn prefetch(&self, pack: usize) {
        self.levels.prefetch(pack);
        kernel::prefetch(&self.order, pack * LANES);
    }

    /// Adds the children of a node above the packs that may hold something in time, the first one last.
    fn list<Q: Narrowing<S>>(&self, level: usize, node: usize, query: &Q, todo: &mut Todo<Q::Rank>) {
        let others = todo.len();
        let near = near(self.levels.lanes(level, node), query);
        for lane in kernel::bits(near & self.levels.present(level, node)) {
            let at = node * LANES + lane;
            let hull = self.levels.get(level, at);
            if !hull.is_ordered() || !self.levels.are_wanted(level, at, |layers| query.wants(layers)) {
                continue;
            }
            let Some(rank) = query.rank(&hull) else { continue };
            if level == 1 {
                self.prefetch(at);
            }
            let mut place = todo.len();
            todo.push(Child { rank, least: self.least_id(level, at), level, at });
            while place > others && todo[place - 1].is_before(&todo[place]) {
                todo.swap(place - 1, place);
                place -= 1;
            }
        }
    }

    /// Offers the boxes of a pack that may be in time.
    pub(in super::super) fn look_at<Q: Narrowing<S>>(&self, pack: usize, boxes: &Boxes<S>, query: &Q) {
        let (ids, node) = (self.pack(pack), &self.levels.level(0)[pack]);
        for lane in kernel::bits(near(node.lanes(), query)) {
            let id = ids[lane];
            if id != NONE {
                query.accepts(id, &node.get(lane), boxes.layers(id));
            }
        }
    }
}

/// Which of sixteen may be, or hold, something in time: those in a circle if there is one, or else in the window.
fn near<S: Scalar, Q: Narrowing<S>>(lanes: Lanes<'_, S>, query: &Q) -> u32 {
    let square = query.square();
    S::walk(InReach { lanes, square, around: if square.is_some() { query.origin() } else { query.window() } })
}

/// The task of finding which of sixteen boxes are no farther from a box than the root of a square. Without one, those that
/// touch it.
#[derive(Debug)]
pub struct InReach<'a, S> {
    lanes: Lanes<'a, S>,
    around: Aabb<S>,
    square: Option<f64>,
}

impl<S: Scalar> Task for InReach<'_, S> {
    type Output = u32;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> u32 {
        match self.square {
            Some(square) => kernel.near(&self.lanes, &self.around, square, &mut [0.0; LANES]),
            None => kernel.touching(&self.lanes, &self.around),
        }
    }
}
