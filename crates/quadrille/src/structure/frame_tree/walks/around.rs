//! The first answers to queries that lie close together.
//!
//! They share the way down: [`Around`] lists all packs in the neighborhood with their hulls by columns, so that each
//! query compares itself with sixteen of them at once.

use arrayvec::ArrayVec;

use super::super::order::levels::{MAX_LEVELS, Sixteen};
use super::super::tree::FrameTree;
use super::sought::Seeking;
use crate::geometry::{Aabb, Scalar};
use crate::kernel::{self, LANES};
use crate::query::Narrowing;
use crate::storage::Boxes;

/// The most packs that queries share: more are too many to be compared with each query.
const MAX_SHARED: usize = 4 * LANES;

/// All packs near a rectangle.
pub(crate) struct Around<S> {
    /// The rectangle.
    area: Aabb<S>,
    /// The square of the distance that counts as near.
    square: f64,
    packs: ArrayVec<u32, MAX_SHARED>,
    /// Their hulls, by columns.
    hulls: [Sixteen<S>; MAX_SHARED / LANES],
}

impl<S: Scalar> Around<S> {
    /// Is everything within a distance of a box listed here, given its square?
    #[inline]
    pub(crate) fn holds(&self, origin: &Aabb<S>, square: f64) -> bool {
        square <= self.square && self.area.contains(origin)
    }

    /// The number of a pack, given its place in the list.
    #[inline(always)]
    pub(super) fn pack(&self, place: usize) -> Option<usize> {
        self.packs.get(place).map(|&pack| pack as usize)
    }

    /// The hulls, sixteen at a time.
    pub(super) fn hulls(&self) -> &[Sixteen<S>] {
        &self.hulls[..self.packs.len().div_ceil(LANES)]
    }

    #[expect(clippy::cast_possible_truncation, reason = "packs are fewer than 2^31")]
    fn add(&mut self, pack: usize, hull: &Aabb<S>) -> Option<()> {
        let place = self.packs.len();
        self.packs.try_push(pack as u32).ok()?;
        self.hulls[place / LANES].set(place % LANES, hull);
        Some(())
    }
}

impl<S: Scalar> FrameTree<S> {
    /// All packs within a distance, given its square, of a rectangle; `None` if there are too many.
    pub(crate) fn around(&self, area: Aabb<S>, square: f64) -> Option<Around<S>> {
        let mut around = Around { area, square, packs: ArrayVec::new(), hulls: [Sixteen::EMPTY; MAX_SHARED / LANES] };
        let mut todo = ArrayVec::<_, { MAX_LEVELS * LANES }>::new();
        todo.push((self.levels.height().checked_sub(1)?, 0));
        while let Some((level, node)) = todo.pop() {
            let near = kernel::near(&self.levels.lanes(level, node), &area, square, &mut [0.0; LANES]);
            for lane in kernel::bits(near & self.levels.present(level, node)) {
                let at = node * LANES + lane;
                let hull = self.levels.get(level, at);
                if !hull.is_ordered() {
                    continue;
                }
                if level > 1 {
                    todo.push((level - 1, at));
                } else {
                    around.add(at, &hull)?;
                }
            }
        }
        Some(around)
    }

    /// Shows a query what may be near enough, given the square of the distance, from packs that hold all of that.
    pub(crate) fn narrow_among<Q: Narrowing<S>>(&self, around: &Around<S>, boxes: &Boxes<S>, query: &Q, square: f64) {
        self.descend(Some(around), query, &Seeking { tree: self, boxes, query }, square);
    }
}
