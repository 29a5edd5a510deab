//! All pairs in one call, without keeping an index.

use alloc::vec::Vec;
use core::ops::ControlFlow;

use crate::ask::push_all;
use crate::error::Error;
use crate::geometry::{Aabb, Scalar};
use crate::index::Index;
use crate::kernel::{Apart, Overlap};
use crate::structure::{FrameTree, Part};

/// All pairs of overlapping boxes in a slice, each once, as (lower position, higher position). Touching counts.
/// [`FrameTree`] finds the pairs; their order is its own, and always the same.
///
/// In the manual: `docs/cookbook/data.md#all-pairs-of-a-slice-once`.
///
/// Costs about 20 ns per box for 100,000 boxes of `f32`, and 28 bytes of memory per box on top of the boxes and the
/// pairs. To stop early, or to avoid the list of pairs, use [`pairs_visit`](Index::pairs_visit) of an [`Index`].
///
/// ```
/// use quadrille::{Aabb, pairs_of};
///
/// let boxes = [[0.0, 0.0, 2.0, 2.0], [5.0, 5.0, 6.0, 6.0], [1.0, 1.0, 3.0, 3.0]].map(Aabb::from);
/// assert_eq!(pairs_of::<f32>(&boxes)?, [(0, 2)]);
/// # Ok::<(), quadrille::Error>(())
/// ```
///
/// # Errors
/// If a box is NaN, infinite or inverted: names its position and the value.
pub fn pairs_of<S: Scalar>(boxes: &[Aabb<S>]) -> Result<Vec<(u32, u32)>, Error> {
    let mut pairs = Vec::new();
    push_all(&mut pairs, Index::<FrameTree<S>>::from_boxes(boxes)?.pairs());
    Ok(pairs)
}

/// All overlapping pairs of a box in `a` and a box in `b`, each once, as (position in `a`, position in `b`). Touching
/// counts.
///
/// Costs less than [`pairs_of`] both slices together. To stop early, or to avoid the list of pairs, use [`PairsBetween`].
///
/// ```
/// use quadrille::{Aabb, pairs_between};
///
/// let boxes = [[0.0, 0.0, 2.0, 2.0], [1.0, 1.0, 3.0, 3.0]].map(Aabb::from);
/// assert_eq!(pairs_between::<f32>(&boxes, &[[2.5, 0.0, 4.0, 4.0].into()])?, [(1, 0)]);
/// # Ok::<(), quadrille::Error>(())
/// ```
///
/// # Errors
/// If a box is NaN, infinite or inverted: names its position (counted through `a` and on through `b`) and the value.
pub fn pairs_between<S: Scalar>(a: &[Aabb<S>], b: &[Aabb<S>]) -> Result<Vec<(u32, u32)>, Error> {
    let mut pairs = Vec::new();
    let _ = PairsBetween::new(a, b)?.part_visit(Part::WHOLE, |one, other| {
        pairs.push((one, other));
        ControlFlow::<()>::Continue(())
    });
    Ok(pairs)
}

/// The pairs of boxes in a slice that are no farther apart than a distance, in [parts](Part): for your own threads,
/// and for calls that must be able to stop. Otherwise [`Index::pairs_within`] is simpler.
///
/// ```
/// use core::ops::ControlFlow;
/// use quadrille::{Aabb, PairsWithin, Part};
///
/// let boxes = [[0.0, 0.0], [3.0, 4.0], [9.0, 0.0]].map(Aabb::<f32>::from_point);
/// let near = PairsWithin::new(&boxes, 5.0)?;
/// let mut found = Vec::new();
/// for part in Part::all(2) {
///     let _ = near.part_visit(part, |a, b| {
///         found.push((a, b));
///         ControlFlow::<()>::Continue(())
///     });
/// }
/// assert_eq!(found, [(0, 1)]);
/// # Ok::<(), quadrille::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct PairsWithin<S: Scalar> {
    index: Index<FrameTree<S>>,
    near: Apart<S>,
}

impl<S: Scalar> PairsWithin<S> {
    /// Arranges a copy of the boxes. For a negative distance or NaN, there are no pairs.
    ///
    /// # Errors
    /// If a box is NaN, infinite or inverted: names its position and the value.
    pub fn new(boxes: &[Aabb<S>], distance: impl Into<f64>) -> Result<Self, Error> {
        let distance = distance.into();
        let index = Index::from_boxes(boxes)?;
        Ok(Self { index: if distance >= 0.0 { index } else { Index::default() }, near: Apart::up_to(distance) })
    }

    /// Calls `visit` for each pair of a part, as (lower position, higher position), until it breaks. All parts together
    /// have each pair once.
    pub fn part_visit<B>(&self, part: Part, visit: impl FnMut(u32, u32) -> ControlFlow<B>) -> ControlFlow<B> {
        let view = self.index.view();
        view.structure.pairs_by(self.near, view.boxes, part).visit(visit)
    }
}

/// The pairs of a box in one slice and a box in another, in [parts](Part): for your own threads, and for calls that must
/// be able to stop. Otherwise [`Index::pairs_with`] is simpler.
///
/// Both slices are put into a [`FrameTree`] each, which are walked at once. All pairs of one box of the first slice are
/// in the same part.
///
/// ```
/// use core::ops::ControlFlow;
/// use quadrille::{Aabb, PairsBetween, Part};
///
/// let ships = [[0.0, 0.0], [9.0, 0.0]].map(Aabb::<f32>::from_point);
/// let ports = [[3.0, 4.0], [9.0, 1.0]].map(Aabb::from_point);
/// let near = PairsBetween::within(&ships, &ports, 5.0)?;
/// let mut found = Vec::new();
/// for part in Part::all(2) {
///     let _ = near.part_visit(part, |ship, port| {
///         found.push((ship, port));
///         ControlFlow::<()>::Continue(())
///     });
/// }
/// found.sort_unstable();
/// assert_eq!(found, [(0, 0), (1, 1)]);
/// # Ok::<(), quadrille::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct PairsBetween<S: Scalar> {
    one: Index<FrameTree<S>>,
    other: Index<FrameTree<S>>,
    /// `None`: they overlap.
    near: Option<Apart<S>>,
}

impl<S: Scalar> PairsBetween<S> {
    /// Arranges copies of the boxes for the pairs that overlap. Touching counts.
    ///
    /// # Errors
    /// If a box is NaN, infinite or inverted: names its position (counted through `a` and on through `b`) and the value.
    pub fn new(a: &[Aabb<S>], b: &[Aabb<S>]) -> Result<Self, Error> {
        let behind = |error: Error| {
            let position = error.position().map_or(0, |position| a.len() + position);
            Error::at(error, position)
        };
        Ok(Self { one: Index::from_boxes(a)?, other: Index::from_boxes(b).map_err(behind)?, near: None })
    }

    /// The same for the pairs that are no farther apart than a distance. If that is negative or NaN, there are none.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn within(a: &[Aabb<S>], b: &[Aabb<S>], distance: impl Into<f64>) -> Result<Self, Error> {
        let (distance, Self { one, other, .. }) = (distance.into(), Self::new(a, b)?);
        let one = if distance >= 0.0 { one } else { Index::default() };
        Ok(Self { one, other, near: Some(Apart::up_to(distance)) })
    }

    /// Calls `visit` for each pair of a part, as (position in the first, position in the second), until it breaks. All
    /// parts together have each pair once.
    pub fn part_visit<B>(&self, part: Part, visit: impl FnMut(u32, u32) -> ControlFlow<B>) -> ControlFlow<B> {
        let (one, other) = (self.one.view(), self.other.view());
        let there = (other.structure, other.boxes);
        match self.near {
            None => one.structure.pairs_between(Overlap, one.boxes, there, part).visit(visit),
            Some(near) => one.structure.pairs_between(near, one.boxes, there, part).visit(visit),
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use core::ops::ControlFlow;

    use super::{PairsBetween, PairsWithin, pairs_between, pairs_of};
    use crate::{Aabb, Part};

    fn boxes(count: u32, seed: u32) -> Vec<Aabb<i32>> {
        let at = |k: u32| i32::try_from((k * 7919 + seed) % 997).expect("small");
        (0..count).map(|k| Aabb::new([at(k), at(k * k)], [at(k) + 30, at(k * k) + 20])).collect()
    }

    #[test]
    fn pairs_are_those_of_brute_force() {
        let (a, b) = (boxes(600, 1), boxes(400, 500));
        let brute = |a: &[Aabb<i32>], b: &[Aabb<i32>], is_one: bool| {
            let mut pairs = Vec::new();
            for (i, one) in (0..).zip(a) {
                let others = (0..).zip(b).skip(if is_one { i as usize + 1 } else { 0 });
                pairs.extend(others.filter(|(_, other)| one.intersects(other)).map(|(j, _)| (i, j)));
            }
            pairs
        };
        let sorted = |mut pairs: Vec<(u32, u32)>| {
            pairs.sort_unstable();
            pairs
        };
        let (within, between) = (brute(&a, &a, true), brute(&a, &b, false));
        assert!(within.len() > 100 && between.len() > 100);
        assert_eq!(sorted(pairs_of(&a).expect("valid")), within);
        assert_eq!(sorted(pairs_between(&a, &b).expect("valid")), between);
        assert_eq!(pairs_between(&a, &[]).expect("valid"), []);
        assert_eq!(pairs_of::<f32>(&[]).expect("valid"), []);
    }

    #[test]
    fn near_pairs_come_in_parts_and_stop_when_told() {
        let boxes = boxes(600, 3);
        let found = |distance: f64, parts: usize, most: usize| {
            let (near, mut found) = (PairsWithin::new(&boxes, distance).expect("valid"), Vec::new());
            for part in Part::all(parts) {
                let walk = near.part_visit(part, |a, b| {
                    found.push((a, b));
                    if found.len() == most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                });
                if walk.is_break() {
                    break;
                }
            }
            found
        };
        for distance in [0.0, 1.0, 12.5, f64::INFINITY, -1.0, f64::NAN] {
            let mut all = found(distance, 1, usize::MAX);
            let mut brute = Vec::new();
            for (a, one) in (0_u32..).zip(&boxes) {
                let others = (0..).zip(&boxes).skip(a as usize + 1);
                brute.extend(others.filter(|(_, other)| one.distance(other) <= distance).map(|(b, _)| (a, b)));
            }
            assert_eq!(found(distance, 7, usize::MAX), all, "{distance}");
            assert_eq!(found(distance, 7, 5), all[..all.len().min(5)], "{distance}");
            all.sort_unstable();
            assert_eq!(all, brute, "{distance}");
        }
    }

    #[test]
    fn pairs_of_two_slices_come_in_parts_and_stop_when_told() {
        let (a, b) = (boxes(600, 3), boxes(700, 40));
        let found = |pairs: &PairsBetween<i32>, parts: usize, most: usize| {
            let mut found = Vec::new();
            for part in Part::all(parts) {
                let walk = pairs.part_visit(part, |a, b| {
                    found.push((a, b));
                    if found.len() == most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                });
                if walk.is_break() {
                    break;
                }
            }
            found
        };
        let check = |pairs: &PairsBetween<i32>, is_pair: &dyn Fn(&Aabb<i32>, &Aabb<i32>) -> bool| {
            let mut all = found(pairs, 1, usize::MAX);
            assert_eq!(found(pairs, 7, usize::MAX), all);
            assert_eq!(found(pairs, 7, 5), all[..all.len().min(5)]);
            let mut brute = Vec::new();
            for (i, one) in (0..).zip(&a) {
                brute.extend((0..).zip(&b).filter(|(_, other)| is_pair(one, other)).map(|(j, _)| (i, j)));
            }
            all.sort_unstable();
            assert_eq!(all, brute);
        };
        check(&PairsBetween::new(&a, &b).expect("valid"), &Aabb::intersects);
        for distance in [0.0, 1.0, 12.5, f64::INFINITY, -1.0, f64::NAN] {
            let pairs = PairsBetween::within(&a, &b, distance).expect("valid");
            check(&pairs, &|one, other| one.distance(other) <= distance);
        }
        assert_eq!(found(&PairsBetween::new(&[], &b).expect("valid"), 2, 1), []);
    }

    #[test]
    fn a_bad_box_is_named() {
        let bad = [Aabb::from([0.0_f32, 0.0, 1.0, 1.0]), [0.0, f32::NAN, 1.0, 1.0].into()];
        assert_eq!(pairs_of(&bad).expect_err("NaN").position(), Some(1));
        assert_eq!(PairsWithin::new(&bad, 1.0).expect_err("NaN").position(), Some(1));
        assert_eq!(PairsBetween::new(&bad[..1], &bad).expect_err("NaN").position(), Some(2));
        assert_eq!(pairs_between(&bad[..1], &bad).expect_err("NaN").position(), Some(2));
    }
}
