//! The first answers to a question that narrows: the nearest hulls are looked at first.
//!
//! ```text
//! look at the pack whose hulls hold the origin          most of what is wanted is there, or close to it
//! from the root down, for each node:
//!     compare its sixteen hulls with the window of the question          all at once
//!     rank those that touch it, and go down into the first that is not too late
//! ```
//!
//! N. Roussopoulos, S. Kelley and F. Vincent, *Nearest neighbor queries*, 1995, on a tree whose nodes are compared with
//! the window at once. The first pack makes the window small before any hull is ranked.

use arrayvec::ArrayVec;

use super::FrameTree;
use super::levels::MAX_LEVELS;
use crate::geometry::Scalar;
use crate::kernel::{self, LANES};
use crate::question::Narrowing;
use crate::storage::{Boxes, NONE};

/// The children of a node that are still to be looked at, with their ranks, the first one last.
type Todo<R> = ArrayVec<(R, u32), LANES>;

impl<S: Scalar> FrameTree<S> {
    /// See [`Structure::narrow`](crate::Structure::narrow).
    pub(super) fn narrow_down<Q: Narrowing<S>>(&self, boxes: &Boxes<S>, question: &Q) {
        let Some(top) = self.levels.height().checked_sub(1) else { return };
        let first = self.pack_at(question);
        first.into_iter().for_each(|pack| self.look_at(pack, boxes, question));
        let mut stack = ArrayVec::<Todo<Q::Rank>, MAX_LEVELS>::new();
        stack.push(self.children(top, 0, question));
        while let Some(todo) = stack.last_mut() {
            // All others in this node are later still.
            let Some((_, child)) = todo.pop().filter(|(rank, _)| question.is_in_time(rank)) else {
                stack.pop();
                continue;
            };
            let level = top + 1 - stack.len();
            if level > 1 {
                stack.push(self.children(level - 1, child as usize, question));
            } else if Some(child as usize) != first {
                self.look_at(child as usize, boxes, question);
            }
        }
    }

    /// A pack whose hull touches the origin of the question, if there is one on the first path down.
    fn pack_at<Q: Narrowing<S>>(&self, question: &Q) -> Option<usize> {
        let origin = question.origin();
        (1..self.levels.height()).rev().try_fold(0, |node, level| {
            let touching = kernel::touching(&self.levels.lanes(level, node), &origin);
            let touching = touching & self.levels.present(level, node);
            (touching != 0).then(|| node * LANES + touching.trailing_zeros() as usize)
        })
    }

    /// The children of a node above the packs that may hold something in time, the first one last.
    #[expect(clippy::cast_possible_truncation, reason = "there are fewer nodes than boxes, and those are below 2^31")]
    fn children<Q: Narrowing<S>>(&self, level: usize, node: usize, question: &Q) -> Todo<Q::Rank> {
        let mut todo = Todo::new();
        let touching = kernel::touching(&self.levels.lanes(level, node), &question.window());
        for lane in kernel::bits(touching & self.levels.present(level, node)) {
            let child = node * LANES + lane;
            let hull = self.levels.get(level, child);
            if hull.is_ordered() && self.levels.are_wanted(level, child, |layers| question.wants(layers)) {
                todo.extend(question.rank(&hull).map(|rank| (rank, child as u32)));
            }
        }
        todo.sort_unstable_by(|(one, _), (other, _)| other.partial_cmp(one).unwrap_or(core::cmp::Ordering::Equal));
        todo
    }

    /// Offers the boxes of a pack that touch the window.
    fn look_at<Q: Narrowing<S>>(&self, pack: usize, boxes: &Boxes<S>, question: &Q) {
        let (ids, node) = (self.pack(pack), &self.levels.level(0)[pack]);
        for lane in kernel::bits(kernel::touching(&node.lanes(), &question.window())) {
            let id = ids[lane];
            if id != NONE {
                question.accepts(id, &node.get(lane), boxes.layers(id));
            }
        }
    }
}
