//! The first answers to a query about what is near.
//!
//! ```text
//! go down to the pack that is likely to hold most of what is wanted        unless it is known how near that must be
//! on the way, and in every other node that is near enough:
//!     how far away are its sixteen hulls?                                          all at once
//!     go down into the nearest that is left, and from there into what is below it
//!     go up once all that is left is too far away
//! ```
//!
//! N. Roussopoulos, S. Kelley and F. Vincent, *Nearest neighbor queries*, 1995.

use core::array;

use arrayvec::ArrayVec;

use super::FrameTree;
use super::found::Found;
use super::keys::{self, Left};
use super::levels::MAX_LEVELS;
use crate::geometry::{Aabb, Scalar};
use crate::kernel::{self, LANES, Lanes};
use crate::query::Narrowing;
use crate::storage::Boxes;

impl<S: Scalar> FrameTree<S> {
    /// Shows a query what may be near enough. `is_first`: nothing has been found, so the way to the first pack is that
    /// of the smallest hulls around the origin. One pack may have been seen before.
    pub(super) fn descend<Q: Narrowing<S>>(
        &self,
        boxes: &Boxes<S>,
        query: &Q,
        (mut is_first, seen): (bool, Option<usize>),
        found: &mut impl Found<S, Q>,
    ) {
        let (origin, mut most) = (query.origin(), kernel::reach::<S>(found.square()));
        let mut todo = ArrayVec::<Left, MAX_LEVELS>::new();
        todo.push(self.left(self.levels.height() - 1, 0, &origin));
        while let Some(left) = todo.last_mut() {
            let (level, node, keys) = (left.level, left.node, &left.keys);
            let next = if is_first { smallest(&self.levels.lanes(level, node), keys) } else { keys::least(keys) };
            if !is_first && (next == keys::TAKEN || next > most) {
                todo.pop();
                continue;
            }
            let at = left.take(next);
            let is_there = self.levels.get(level, at).is_ordered();
            if !is_there || !self.levels.are_wanted(level, at, |layers| query.wants(layers)) {
                is_first = false;
            } else if level > 1 {
                todo.push(self.left(level - 1, at, &origin));
            } else if Some(at) != seen {
                let after = keys::least(&left.keys);
                if after <= most {
                    self.prefetch(node * LANES + keys::number_of(after));
                }
                found.look_at(self, at, boxes, query);
                most = kernel::reach::<S>(found.square());
                is_first = false;
            }
        }
    }

    /// All of a node.
    #[inline]
    fn left(&self, level: usize, node: usize, origin: &Aabb<S>) -> Left {
        let mut squares = [0.0; LANES];
        kernel::near(&self.levels.lanes(level, node), origin, f64::INFINITY, &mut squares);
        Left { level, node, keys: keys::number(&squares, 0) }
    }
}

/// The key of the smallest hull around the origin, or else of the nearest: where boxes are crowded, the first few are
/// nearest.
#[inline]
fn smallest<S: Scalar>(lanes: &Lanes<'_, S>, keys: &[f64; LANES]) -> f64 {
    let next = keys::least(keys);
    if !keys::is_zero(next) {
        return next;
    }
    let [min_x, min_y, max_x, max_y] = *lanes;
    let areas = array::from_fn(|lane| {
        let area = (max_x[lane].to_f64() - min_x[lane].to_f64()) * (max_y[lane].to_f64() - min_y[lane].to_f64());
        if keys::is_zero(keys[lane]) { area } else { f64::MAX }
    });
    keys::zero(keys::number_of(keys::least(&keys::number(&areas, 0))))
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::super::FrameTree;
    use crate::geometry::{Aabb, Scalar};
    use crate::query::Near;
    use crate::{Answers, Hit, Index};

    /// Places on a circle, some on the same one, and a crowd that is as near as none of them.
    fn places() -> Vec<[f64; 2]> {
        let ring =
            [[3, 4], [4, 3], [0, 5], [5, 0], [-3, 4], [-4, 3], [3, -4], [4, -3], [-3, -4], [-4, -3], [0, -5], [-5, 0]];
        let ring = ring.iter().cycle().take(150).map(|place| place.map(f64::from));
        ring.chain((0..700).map(|k| [f64::from(k % 40) - 80.0, f64::from(k / 40) - 8.0])).collect()
    }

    fn what_is_nearest_is_found<S: Scalar>() {
        let points: Vec<[S; 2]> = places().iter().map(|place| place.map(S::from_f64)).collect();
        let boxes: Vec<Aabb<S>> = points.iter().map(|&point| Aabb::from_point(point)).collect();
        let mut index = Index::<FrameTree<S>>::from_boxes(&boxes).expect("points");
        (0..boxes.len() as u32).step_by(7).for_each(|id| assert!(index.remove(id).is_some()));
        let asked: Vec<_> =
            [[0.0, 0.0], [1.0, 0.0], [-60.0, 0.0], [1e6, -1e6]].map(|place| Near::point(place.map(S::from_f64))).into();
        for most in [1, 2, 8, 9, 16, 17, 120] {
            let mut many = Answers::new();
            index.query_first_many(&asked, most, &mut many);
            for (k, near) in asked.iter().enumerate() {
                let mut all: Vec<(f64, u32)> =
                    index.iter().map(|(id, at)| (at.distance_squared(&near.target()), id)).collect();
                all.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
                let mut few = Vec::new();
                index.query_first_few(*near, most, &mut few);
                let told = |hits: &[Hit<crate::Distance<S>>]| -> Vec<_> {
                    hits.iter().map(|hit| (hit.rank.squared(), hit.id)).collect()
                };
                assert_eq!(told(&few), all[..most], "{most} of {k}");
                assert_eq!(told(many.of(k)), all[..most], "{most} of {k}, many at once");
            }
        }
    }

    #[test]
    fn what_is_nearest_is_found_among_many_that_are_as_near() {
        what_is_nearest_is_found::<f32>();
        what_is_nearest_is_found::<f64>();
        what_is_nearest_is_found::<i32>();
    }
}
