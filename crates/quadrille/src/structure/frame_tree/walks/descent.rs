//! The first answers to a query about what is near.
//!
//! ```text
//! open the root
//! until all that is left is too far away:
//!     take the nearest hull that is left in all open nodes
//!     if it is that of a pack: look at its boxes; fewer hulls are near enough after that
//!     else open it: how far away are its sixteen hulls?                            all at once
//! ```
//!
//! If many hulls are as near as the last of the answers, as when boxes coincide, only lower ids are wanted of them:
//! `narrow.rs` goes down to those.
//!
//! So a pack is looked at only if it is no farther away than the last of the answers. If each node were finished before
//! the next, half of the packs would be examined needlessly if boxes are crowded.
//!
//! G. Hjaltason and H. Samet, *Distance browsing in spatial databases*, 1999. Difference: [no heap](Open).

use core::ops::ControlFlow;

use super::super::order::levels::Sixteen;
use super::super::tree::FrameTree;
use super::found::Found;
use super::keys::{Open, Taken};
use super::sought::Sought;
use crate::geometry::{Aabb, Scalar};
use crate::kernel::{self, Kernel, LANES, Task};

/// The task of showing a query what may be near enough. Breaks off if that is too much.
#[expect(missing_debug_implementations, reason = "a call, which nobody keeps")]
pub struct Descent<'a, 't, S, F> {
    pub(super) tree: &'t FrameTree<S>,
    pub(super) origin: Aabb<S>,
    pub(super) query: &'a dyn Sought<S>,
    pub(super) found: &'a mut F,
}

impl<S: Scalar, F: Found<S>> Task for Descent<'_, '_, S, F> {
    type Output = ControlFlow<()>;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> ControlFlow<()> {
        let Self { tree, origin, query, found } = self;
        let (levels, mut most) = (&tree.levels, kernel::reach::<S>(found.square()));
        let (mut open, are_all_wanted) = (Open::new(), query.admits_all());
        let enter = |open: &mut Open, node: &Sixteen<S>, number: (usize, usize)| {
            let mut squares = [0.0; LANES];
            kernel.near(&node.lanes(), &origin, f64::INFINITY, &mut squares);
            open.push(number, &squares);
        };
        let top = levels.height() - 1;
        enter(&mut open, &levels.level(top)[0], (top, 0));
        while let Some(Taken { key, level, at, next, after }) = open.take(most) {
            let is_wanted = are_all_wanted || levels.are_wanted(level, at, |layers| query.wants(layers));
            if !is_wanted || !levels.get(level, at).is_ordered() {
                continue;
            }
            if F::IS_EXACT && kernel::reach::<S>(key) >= found.square() {
                // About as far away as the last of the answers: perhaps only lower ids are wanted of it.
                found.limit(query.look_below((level, at)));
                most = kernel::reach::<S>(found.square());
            } else if level > 1 {
                enter(&mut open, &levels.level(level - 1)[at], (level - 1, at));
            } else {
                if after <= most {
                    tree.prefetch(next);
                }
                found.look_at(kernel, (tree, at), &origin, query)?;
                most = kernel::reach::<S>(found.square());
            }
        }
        found.finish(query);
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::super::super::FrameTree;
    use crate::geometry::{Aabb, Scalar};
    use crate::query::Near;
    use crate::{Answers, Hit, Index};

    /// Points on a circle, several in each place, and a crowd elsewhere.
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
