//! The walk down the hulls, from the root to the packs that a query reaches.

use core::mem::take;
use core::ops::Range;

use arrayvec::ArrayVec;

use super::super::order::levels::{Levels, MAX_LEVELS};
use crate::geometry::{Aabb, Scalar};
use crate::kernel::{Apart, Kernel, LANES, Lanes};
use crate::query::Query;

/// A pack that a query reaches.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Touched {
    pub(in super::super) pack: u32,
    /// Its boxes that may be answers.
    pub(in super::super) lanes: u32,
    /// Those of them that are, if the query [admits](Query::admits) them; [`ALL`] if it covers the hull.
    pub(in super::super) sure: u32,
}

/// The boxes of a pack.
pub(in super::super) const ALL: u32 = (1 << LANES) - 1;

/// Packs of one node.
pub(in super::super) type Reached = ArrayVec<Touched, LANES>;

/// What boxes and hulls are compared with, sixteen at once.
#[derive(Clone, Copy, Debug)]
enum Shape<S: Scalar> {
    /// The bounds of the query.
    Bounds(Aabb<S>),
    /// The query is a rectangle.
    Rectangle(Aabb<S>),
    /// The query is a circle: what it is around, and how near boxes must be.
    Circle(Aabb<S>, Apart<S>),
}

impl<S: Scalar> Shape<S> {
    #[inline]
    fn of<Q: Query<S>>(query: &Q) -> Self {
        let shape = query.circle().and_then(|near| {
            if near.is_touching() {
                return Some(Self::Rectangle(near.target()));
            }
            Some(Self::Circle(near.target(), near.apart()?))
        });
        shape.unwrap_or_else(|| Self::Bounds(query.bounds()))
    }

    /// Bits of those that are answers if the query [admits](Query::admits) them, and of those that may be answers.
    ///
    /// Inlined into what is compiled for a kernel. WebAssembly has one kernel, and a copy per query weighs more than calls.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    #[cfg_attr(target_family = "wasm", inline(never))]
    fn compare<K: Kernel>(&self, kernel: K, lanes: &Lanes<'_, S>) -> [u32; 2] {
        match self {
            Self::Bounds(bounds) => [0, kernel.touching(lanes, bounds)],
            Self::Rectangle(bounds) => [kernel.touching(lanes, bounds); 2],
            Self::Circle(target, apart) => kernel.compare(apart, lanes, target),
        }
    }

    /// Bits of hulls in which everything is an answer that the query [admits](Query::admits), as far as is known. A
    /// hull that is turned inside out is as far away as its farthest point.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    #[cfg_attr(target_family = "wasm", inline(never))]
    fn covered<K: Kernel>(&self, kernel: K, [min_x, min_y, max_x, max_y]: Lanes<'_, S>) -> u32 {
        match self {
            Self::Bounds(_) => 0,
            Self::Rectangle(bounds) => kernel.touching(&[max_x, max_y, min_x, min_y], bounds),
            Self::Circle(target, apart) => {
                let [sure, _] = kernel.compare(apart, &[max_x, max_y, min_x, min_y], target);
                sure
            }
        }
    }
}

/// If a query touches this many hulls of a node, whether it covers them is not computed: it seldom covers one.
const FEW: u32 = 4;

/// All packs whose hull a query reaches, in order; runs of packs where it covers a hull above them.
pub(in super::super) struct Walk<'a, S: Scalar, Q> {
    levels: &'a Levels<S>,
    shape: Shape<S>,
    query: Q,
    /// Nodes on the way down; none at first, and none at the end.
    stack: ArrayVec<Todo, MAX_LEVELS>,
    /// Is the root still to be entered?
    is_new: bool,
}

/// What is left of a level on the way down: a node, its children still to visit, and those that are known to be covered.
struct Todo {
    node: u32,
    children: u32,
    covered: u32,
}

impl<'a, S: Scalar, Q: Query<S>> Walk<'a, S, Q> {
    pub(in super::super) fn new(levels: &'a Levels<S>, query: Q) -> Self {
        Self { levels, shape: Shape::of(&query), query, stack: ArrayVec::new(), is_new: levels.height() > 0 }
    }

    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "there are fewer nodes than boxes, and those are below 2^31")]
    fn enter<K: Kernel>(&mut self, kernel: K, level: usize, node: usize) {
        let lanes = self.levels.lanes(level, node);
        let [_, touching] = self.shape.compare(kernel, &lanes);
        let children = touching & self.levels.present(level, node);
        let covered = if children.count_ones() > FEW { self.shape.covered(kernel, lanes) } else { 0 };
        self.stack.push(Todo { node: node as u32, children, covered });
    }

    /// Does the query reach a child of a level, and if so, does it cover its hull?
    #[inline(always)]
    fn reaches(&self, level: usize, child: usize, is_covered: bool) -> Option<bool> {
        if !self.levels.are_wanted(level, child, |layers| self.query.wants(layers)) {
            return None;
        }
        if let Shape::Bounds(_) = self.shape {
            let hull = self.levels.get(level, child);
            return (hull.is_ordered() && self.query.reaches(&hull)).then(|| self.query.covers(&hull));
        }
        Some(is_covered)
    }

    /// Does the query reach everything below? Unknown where layers are kept: it may not want some hulls.
    #[inline(always)]
    fn are_all_reached(&self, level: usize, is_covered: bool) -> bool {
        is_covered && !self.levels.has_unions(level)
    }

    /// The next packs: some whose hull the query reaches, with the boxes in them that may be answers; or all below a
    /// hull that it covers.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "packs are fewer than 2^31")]
    pub(in super::super) fn advance<K: Kernel>(&mut self, kernel: K, reached: &mut Reached) -> Option<Range<usize>> {
        if take(&mut self.is_new) {
            self.enter(kernel, self.levels.height() - 1, 0);
        }
        loop {
            let level = self.levels.height() - self.stack.len();
            let Todo { node, children, covered } = self.stack.last_mut()?;
            let (first, mut left, covered) = (*node as usize * LANES, *children, *covered);
            if level == 1 {
                self.stack.pop();
                while left != 0 {
                    let lane = left.trailing_zeros() as usize % LANES;
                    left &= left - 1;
                    let pack = first + lane;
                    let Some(is_covered) = self.reaches(1, pack, covered >> lane & 1 != 0) else { continue };
                    let [sure, lanes] =
                        if is_covered { [ALL; 2] } else { self.shape.compare(kernel, &self.levels.lanes(0, pack)) };
                    if lanes != 0 {
                        reached.push(Touched { pack: pack as u32, lanes, sure });
                    }
                }
                if !reached.is_empty() {
                    return Some(0..0);
                }
                continue;
            }
            if left == 0 {
                self.stack.pop();
                continue;
            }
            let lane = left.trailing_zeros() as usize % LANES;
            *children &= *children - 1;
            let child = first + lane;
            match self.reaches(level, child, covered >> lane & 1 != 0) {
                Some(is_covered) if self.are_all_reached(level, is_covered) => {
                    return Some(self.levels.packs_below(level, child));
                }
                Some(_) => self.enter(kernel, level - 1, child),
                None => {}
            }
        }
    }
}
