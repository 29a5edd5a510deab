//! The walk down the hulls, from the root to the packs that a query reaches.

use core::mem::take;
use core::ops::Range;

use arrayvec::ArrayVec;

use super::super::order::levels::{Levels, MAX_LEVELS};
use crate::geometry::{Aabb, Scalar};
use crate::kernel::{Apart, Kernel, LANES, Lanes, Task};
use crate::query::Query;
use crate::storage::Layers;

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

/// PacksReached of one node.
pub(in super::super) type Reached = ArrayVec<Touched, LANES>;

/// What boxes and hulls are compared with, sixteen at once.
#[derive(Clone, Copy, Debug)]
enum Shape<S: Scalar> {
    Bounds(Bounds<S>),
    Rectangle(Rectangle<S>),
    Circle(Circle<S>),
}

impl<S: Scalar> Shape<S> {
    #[inline]
    fn of<Q: Query<S>>(query: &Q) -> Self {
        let shape = query.circle().and_then(|near| {
            if near.is_touching() {
                return Some(Self::Rectangle(Rectangle(near.target())));
            }
            Some(Self::Circle(Circle(near.target(), near.apart()?)))
        });
        shape.unwrap_or_else(|| Self::Bounds(Bounds(query.bounds())))
    }
}

/// One of the [shapes](Shape): the walk is compiled for each.
trait Compare<S: Scalar> {
    /// Does it say all about hulls that the query would say?
    const IS_ALL: bool;

    /// Bits of those that are answers if the query [admits](Query::admits) them, and of those that may be answers.
    fn compare<K: Kernel>(&self, kernel: K, lanes: &Lanes<'_, S>) -> [u32; 2];

    /// Bits of hulls in which everything is an answer that the query [admits](Query::admits), as far as is known. A
    /// hull that is turned inside out is as far away as its farthest point.
    fn covered<K: Kernel>(&self, kernel: K, lanes: Lanes<'_, S>) -> u32;
}

/// The bounds of the query.
#[derive(Clone, Copy, Debug)]
struct Bounds<S>(Aabb<S>);

impl<S: Scalar> Compare<S> for Bounds<S> {
    const IS_ALL: bool = false;

    #[inline(always)]
    fn compare<K: Kernel>(&self, kernel: K, lanes: &Lanes<'_, S>) -> [u32; 2] {
        [0, kernel.touching(lanes, &self.0)]
    }

    #[inline(always)]
    fn covered<K: Kernel>(&self, _: K, _: Lanes<'_, S>) -> u32 {
        0
    }
}

/// The query is a rectangle.
#[derive(Clone, Copy, Debug)]
struct Rectangle<S>(Aabb<S>);

impl<S: Scalar> Compare<S> for Rectangle<S> {
    const IS_ALL: bool = true;

    #[inline(always)]
    fn compare<K: Kernel>(&self, kernel: K, lanes: &Lanes<'_, S>) -> [u32; 2] {
        [kernel.touching(lanes, &self.0); 2]
    }

    #[inline(always)]
    fn covered<K: Kernel>(&self, kernel: K, [min_x, min_y, max_x, max_y]: Lanes<'_, S>) -> u32 {
        kernel.touching(&[max_x, max_y, min_x, min_y], &self.0)
    }
}

/// The query is a circle: what it is around, and how near boxes must be.
#[derive(Clone, Copy, Debug)]
struct Circle<S: Scalar>(Aabb<S>, Apart<S>);

impl<S: Scalar> Compare<S> for Circle<S> {
    const IS_ALL: bool = true;

    #[inline(always)]
    fn compare<K: Kernel>(&self, kernel: K, lanes: &Lanes<'_, S>) -> [u32; 2] {
        kernel.compare(&self.1, lanes, &self.0)
    }

    #[inline(always)]
    fn covered<K: Kernel>(&self, kernel: K, [min_x, min_y, max_x, max_y]: Lanes<'_, S>) -> u32 {
        let [sure, _] = kernel.compare(&self.1, &[max_x, max_y, min_x, min_y], &self.0);
        sure
    }
}

/// If a query touches this many hulls of a node, whether it covers them is not computed: it seldom covers one.
const FEW: u32 = 4;

/// What a walk needs of the query to test hulls. Behind a pointer, so that the walk is compiled once for all
/// queries: most of what it decides follows from the [shape](Shape).
pub(in super::super) trait Prune<S> {
    /// [`Query::wants`].
    fn wants(&self, layers: Layers) -> bool;

    /// Does the query [reach](Query::reaches) a hull, and if so, does it [cover](Query::covers) it?
    fn reaches(&self, hull: &Aabb<S>) -> Option<bool>;
}

impl<S: Scalar, Q: Query<S>> Prune<S> for Q {
    fn wants(&self, layers: Layers) -> bool {
        Query::wants(self, layers)
    }

    fn reaches(&self, hull: &Aabb<S>) -> Option<bool> {
        Query::reaches(self, hull).then(|| self.covers(hull))
    }
}

/// All packs whose hull a query reaches, in order; runs of packs if it covers a hull above them.
pub(in super::super) struct Walk<'a, S: Scalar> {
    shape: Shape<S>,
    down: Down<'a, S>,
}

impl<'a, S: Scalar> Walk<'a, S> {
    #[inline]
    pub(in super::super) fn new<Q: Query<S>>(levels: &'a Levels<S>, query: &Q) -> Self {
        let (are_all_wanted, is_new) = (query.admits_all(), levels.height() > 0);
        Self { shape: Shape::of(query), down: Down { levels, stack: ArrayVec::new(), are_all_wanted, is_new } }
    }
}

/// The way down.
struct Down<'a, S: Scalar> {
    levels: &'a Levels<S>,
    /// Nodes on the way down; none at first, and none at the end.
    stack: ArrayVec<Todo, MAX_LEVELS>,
    /// Does the query accept all layers?
    are_all_wanted: bool,
    /// Is the root still to be entered?
    is_new: bool,
}

/// What is left of a level on the way down: a node, its children still to visit, and those that are known to be covered.
struct Todo {
    node: u32,
    children: u32,
    covered: u32,
}

impl<S: Scalar> Down<'_, S> {
    #[inline(always)]
    fn enter<K: Kernel, C: Compare<S>>(&mut self, kernel: K, shape: &C, level: usize, node: usize) {
        let lanes = self.levels.lanes(level, node);
        let [_, touching] = shape.compare(kernel, &lanes);
        let children = touching & self.levels.present(level, node);
        let covered = if children.count_ones() > FEW { shape.covered(kernel, lanes) } else { 0 };
        self.stack.push(Todo { node: node as u32, children, covered });
    }

    /// Does the query reach a child of a level, and if so, does it cover its hull?
    #[inline(always)]
    fn reaches<C: Compare<S>>(
        &self,
        query: &dyn Prune<S>,
        (level, child): (usize, usize),
        is_covered: bool,
    ) -> Option<bool> {
        if !self.are_all_wanted && !self.levels.are_wanted(level, child, |layers| query.wants(layers)) {
            return None;
        }
        if C::IS_ALL {
            return Some(is_covered);
        }
        let hull = self.levels.get(level, child);
        if hull.is_ordered() { query.reaches(&hull) } else { None }
    }

    /// Does the query reach everything below? Unknown if layers are kept: it may skip some hulls.
    #[inline(always)]
    fn are_all_reached(&self, level: usize, is_covered: bool) -> bool {
        is_covered && (self.are_all_wanted || !self.levels.has_unions(level))
    }

    /// The next packs: some whose hull the query reaches, with the boxes in them that may be answers; or all below a
    /// hull that it covers.
    #[inline(always)]
    fn advance<K: Kernel, C: Compare<S>>(
        &mut self,
        kernel: K,
        shape: &C,
        query: &dyn Prune<S>,
        reached: &mut Reached,
    ) -> Option<Range<usize>> {
        if take(&mut self.is_new) {
            self.enter(kernel, shape, self.levels.height() - 1, 0);
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
                    let Some(is_covered) = self.reaches::<C>(query, (1, pack), covered >> lane & 1 != 0) else {
                        continue;
                    };
                    let [sure, lanes] =
                        if is_covered { [ALL; 2] } else { shape.compare(kernel, &self.levels.lanes(0, pack)) };
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
            match self.reaches::<C>(query, (level, child), covered >> lane & 1 != 0) {
                Some(is_covered) if self.are_all_reached(level, is_covered) => {
                    return Some(self.levels.packs_below(level, child));
                }
                Some(_) => self.enter(kernel, shape, level - 1, child),
                None => {}
            }
        }
    }
}

/// The task of going on to the next packs; `false` at the end. What is done with them is compiled once, into the caller's
/// loop, so that its sums stay in registers.
///
/// Behind a pointer: a call is handed on twice, and copying it each time takes as long as comparing a pack.
#[expect(missing_debug_implementations, reason = "a call, which nobody keeps")]
pub struct Advance<'a, 't, S: Scalar> {
    pub(super) walk: &'a mut Walk<'t, S>,
    pub(super) query: &'a dyn Prune<S>,
    /// Packs that are touched,
    pub(super) reached: &'a mut Reached,
    /// or else packs that are covered.
    pub(super) covered: Range<usize>,
}

impl<S: Scalar> Task for &mut Advance<'_, '_, S> {
    type Output = bool;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> bool {
        let Advance { walk: Walk { shape, down }, query, reached, covered } = self;
        let all = match shape {
            Shape::Bounds(shape) => down.advance(kernel, shape, *query, reached),
            Shape::Rectangle(shape) => down.advance(kernel, shape, *query, reached),
            Shape::Circle(shape) => down.advance(kernel, shape, *query, reached),
        };
        reached.reverse();
        let Some(all) = all else { return false };
        *covered = all;
        true
    }
}
