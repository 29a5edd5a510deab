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
use super::levels::{Levels, MAX_LEVELS};
use crate::geometry::{Aabb, Scalar};
use crate::kernel::{self, Kernel, LANES, Lanes, Task};
use crate::query::Narrowing;
use crate::storage::Boxes;

/// The task of showing a query what may be near enough.
pub(super) struct Descent<'a, S, Q, F> {
    pub(super) tree: &'a FrameTree<S>,
    pub(super) boxes: &'a Boxes<S>,
    pub(super) query: &'a Q,
    /// Nothing has been found, so the way to the first pack is that of the smallest hulls around the origin.
    pub(super) is_first: bool,
    /// A pack that has been looked at.
    pub(super) seen: Option<usize>,
    pub(super) found: &'a mut F,
}

impl<S: Scalar, Q: Narrowing<S>, F: Found<S, Q>> Task for Descent<'_, S, Q, F> {
    type Output = ();

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        let Self { tree, boxes, query, mut is_first, seen, found } = self;
        let (levels, origin, mut most) = (&tree.levels, query.origin(), kernel::reach::<S>(found.square()));
        let mut todo = ArrayVec::<Left, MAX_LEVELS>::new();
        todo.push(left(kernel, levels, (levels.height() - 1, 0), &origin));
        while let Some(rest) = todo.last_mut() {
            let (level, node, keys) = (rest.level, rest.node, &rest.keys);
            let next = if is_first { smallest(&levels.lanes(level, node), keys) } else { keys::least(keys) };
            if !is_first && (next == keys::TAKEN || next > most) {
                todo.pop();
                continue;
            }
            let at = rest.take(next);
            let is_there = levels.get(level, at).is_ordered();
            if !is_there || !levels.are_wanted(level, at, |layers| query.wants(layers)) {
                is_first = false;
            } else if level > 1 {
                todo.push(left(kernel, levels, (level - 1, at), &origin));
            } else if Some(at) != seen {
                let after = keys::least(&rest.keys);
                if after <= most {
                    tree.prefetch(node * LANES + keys::number_of(after));
                }
                found.look_at(kernel, tree, at, boxes, query);
                most = kernel::reach::<S>(found.square());
                is_first = false;
            }
        }
    }
}

/// All of a node.
#[inline(always)]
fn left<S: Scalar, K: Kernel>(kernel: K, levels: &Levels<S>, (level, node): (usize, usize), origin: &Aabb<S>) -> Left {
    let mut squares = [0.0; LANES];
    kernel.near(&levels.lanes(level, node), origin, f64::INFINITY, &mut squares);
    Left { level, node, keys: keys::number(&squares, 0) }
}

/// The key of the smallest hull around the origin, or else of the nearest: where boxes are crowded, the first few are
/// nearest.
#[inline(always)]
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
