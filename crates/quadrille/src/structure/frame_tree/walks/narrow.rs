//! The first answers to a query that narrows: the nearest hulls are looked at first.
//!
//! ```text
//! from the root down, for each node:
//!     compare its sixteen hulls with the circle or window of the query          all at once
//!     rank those that touch it, and go down into the first that is not too late
//! ```
//!
//! N. Roussopoulos, S. Kelley and F. Vincent, *Nearest neighbor queries*, 1995, on a tree whose nodes are compared with
//! the window at once.
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
        // If distances alone decide, hulls come in their order even before there are enough answers.
        let Some(square) = query.square().or(query.nearest().map(|_| f64::INFINITY)) else {
            return self.narrow_by_rank((top + 1, 0), boxes, query);
        };
        let (origin, query) = (query.origin(), &sought);
        if let Some(found) = &mut Roughly::new(sought.query, square) {
            if S::walk(Descent { tree: self, origin, query, found }).is_continue() {
                return;
            }
        }
        let found = &mut Exactly { square };
        let _ = S::walk(Descent { tree: self, origin, query, found });
    }

    /// Looks for what is wanted below a child of a level that may rank as high as the last answer.
    #[inline(never)]
    pub(in super::super) fn narrow_below<Q: Narrowing<S>>(
        &self,
        (level, at): (usize, usize),
        boxes: &Boxes<S>,
        query: &Q,
    ) {
        // A mover that covers everything may hit an empty hull, below which there may be no ids either.
        let rank = Some(self.levels.get(level, at)).filter(Aabb::is_ordered).and_then(|hull| query.rank(&hull));
        if rank.is_some_and(|rank| query.is_wanted(&rank, self.least_id(level, at))) {
            self.narrow_by_rank((level, at), boxes, query);
        }
    }

    /// Goes down from a child of a level by the ranks of hulls.
    fn narrow_by_rank<Q: Narrowing<S>>(&self, from: (usize, usize), boxes: &Boxes<S>, query: &Q) {
        let (mut todo, mut next) = (Todo::new(), Some(from));
        while let Some((level, at)) = next {
            if level > 1 {
                self.list(level - 1, at, query, &mut todo);
            } else {
                self.look_at(at, boxes, query);
            }
            let wanted = iter::from_fn(|| todo.pop()).find(|child| query.is_wanted(&child.rank, child.least));
            next = wanted.map(|child| (child.level, child.at));
        }
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
