//! All pairs in one call, without keeping an index.

mod sieve;

use alloc::vec::Vec;
use core::ops::ControlFlow;

use crate::ask::push_all;
use crate::error::Error;
use crate::geometry::{Aabb, Scalar};
use crate::index::Index;
use crate::kernel::{Apart, Overlap};
use crate::storage::Boxes;
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
/// Returns an error if a box is NaN, infinite or inverted. The message names its position and the value.
pub fn pairs_of<S: Scalar>(boxes: &[Aabb<S>]) -> Result<Vec<(u32, u32)>, Error> {
    let mut pairs = Vec::new();
    push_all(&mut pairs, Index::<FrameTree<S>>::from_boxes(boxes)?.pairs());
    Ok(pairs)
}

/// All overlapping pairs of a box in `a` and a box in `b`, each once, as (position in `a`, position in `b`). Touching
/// counts.
///
/// Costs less than [`pairs_of`] both slices together, and much less if one of them is a small part of the other: see
/// [`PairsInParts`], which also lets you stop early, and avoid the list of pairs.
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
/// Returns an error if a box is NaN, infinite or inverted. The message names the value and its position, counted
/// through `a` and on through `b`.
pub fn pairs_between<S: Scalar>(a: &[Aabb<S>], b: &[Aabb<S>]) -> Result<Vec<(u32, u32)>, Error> {
    let mut pairs = Vec::new();
    let _ = PairsInParts::between(a, b)?.part_visit(Part::WHOLE, |one, other| {
        pairs.push((one, other));
        ControlFlow::<()>::Continue(())
    });
    Ok(pairs)
}

/// The pairs of boxes in one slice, or of a box in one and a box in another, in [parts](Part): for your own threads, and
/// for calls that must be able to stop. Otherwise [`Index::pairs_within`], [`Index::pairs_with`] and
/// [`Index::pairs_with_within`] are simpler.
///
/// Each slice is put into a [`FrameTree`]; two are traversed together. If one has at least eight times as many boxes
/// as the other, those that are certainly near none of the other are left out first, which takes about a tenth of the
/// time of putting them in order. All pairs of one box of the first slice of two are in the same part.
///
/// ```
/// use core::ops::ControlFlow;
/// use quadrille::{Aabb, PairsInParts, Part};
///
/// let ships = [[0.0, 0.0], [9.0, 0.0]].map(Aabb::<f32>::from_point);
/// let ports = [[3.0, 4.0], [9.0, 1.0]].map(Aabb::from_point);
/// let near = PairsInParts::between_within(&ships, &ports, 5.0)?;
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
pub struct PairsInParts<S: Scalar> {
    first: Sifted<S>,
    wanted: Wanted<S>,
}

#[derive(Clone, Debug)]
enum Wanted<S: Scalar> {
    Within(Apart<S>),
    Between(Sifted<S>),
    BetweenWithin(Sifted<S>, Apart<S>),
}

/// The boxes of a slice that may be in a pair.
#[derive(Clone, Debug, Default)]
struct Sifted<S: Scalar> {
    index: Index<FrameTree<S>>,
    /// The positions of these boxes; none if all are there.
    positions: Vec<u32>,
}

impl<S: Scalar> PairsInParts<S> {
    /// The pairs of boxes in a slice that are no farther apart than a distance. If that is negative or NaN, there are
    /// none.
    ///
    /// # Errors
    /// Returns an error if a box is NaN, infinite or inverted. The message names its position and the value.
    pub fn within(boxes: &[Aabb<S>], distance: impl Into<f64>) -> Result<Self, Error> {
        let (distance, first) = (distance.into(), Sifted::all(boxes)?);
        Ok(Self { first, wanted: Wanted::Within(Apart::up_to(distance)) }.if_near(distance))
    }

    /// The pairs of a box in `a` and a box in `b` that overlap. Touching counts.
    ///
    /// # Errors
    /// Returns an error if a box is NaN, infinite or inverted. The message names the value and its position, counted
    /// through `a` and on through `b`.
    pub fn between(a: &[Aabb<S>], b: &[Aabb<S>]) -> Result<Self, Error> {
        let [first, second] = sifted(a, b, 0.0)?;
        Ok(Self { first, wanted: Wanted::Between(second) })
    }

    /// The pairs of a box in `a` and a box in `b` that are no farther apart than a distance. If that is negative or NaN,
    /// there are none.
    ///
    /// # Errors
    /// Returns the same errors as [`between`](Self::between).
    pub fn between_within(a: &[Aabb<S>], b: &[Aabb<S>], distance: impl Into<f64>) -> Result<Self, Error> {
        let distance = distance.into();
        let [first, second] = sifted(a, b, if distance >= 0.0 { distance } else { 0.0 })?;
        Ok(Self { first, wanted: Wanted::BetweenWithin(second, Apart::up_to(distance)) }.if_near(distance))
    }

    /// Without boxes if nothing is as near as this.
    fn if_near(self, distance: f64) -> Self {
        if distance >= 0.0 { self } else { Self { first: Sifted::default(), ..self } }
    }

    /// Calls `visit` for each pair of a part until it breaks: in one slice as (lower position, higher position), between
    /// two as (position in the first, position in the second). All parts together have each pair once.
    pub fn part_visit<B>(&self, part: Part, mut visit: impl FnMut(u32, u32) -> ControlFlow<B>) -> ControlFlow<B> {
        let (tree, boxes) = self.first.inside();
        match &self.wanted {
            Wanted::Within(near) => tree.pairs_by(*near, boxes, part).visit(visit),
            Wanted::Between(second) => {
                let pairs = tree.pairs_between(Overlap, boxes, second.inside(), part);
                pairs.visit(|a, b| visit(self.first.position(a), second.position(b)))
            }
            Wanted::BetweenWithin(second, near) => {
                let pairs = tree.pairs_between(*near, boxes, second.inside(), part);
                pairs.visit(|a, b| visit(self.first.position(a), second.position(b)))
            }
        }
    }
}

impl<S: Scalar> Sifted<S> {
    fn all(boxes: &[Aabb<S>]) -> Result<Self, Error> {
        Ok(Self { index: Index::from_boxes(boxes)?, positions: Vec::new() })
    }

    /// Those of `many` that may be no farther than `margin` from one of `few`, or all if finding out does not pay.
    fn near(few: &[Aabb<S>], margin: f64, many: &[Aabb<S>]) -> Result<Self, Error> {
        match sieve::sift(few, margin, many) {
            Some(positions) => {
                let near: Vec<Aabb<S>> = positions.iter().map(|&position| many[position as usize]).collect();
                Ok(Self { positions, ..Self::all(&near)? })
            }
            None => Self::all(many),
        }
    }

    fn inside(&self) -> (&FrameTree<S>, &Boxes<S>) {
        let view = self.index.view();
        (view.structure, view.boxes)
    }

    #[inline]
    fn position(&self, id: u32) -> u32 {
        self.positions.get(id as usize).copied().unwrap_or(id)
    }
}

fn sifted<S: Scalar>(a: &[Aabb<S>], b: &[Aabb<S>], margin: f64) -> Result<[Sifted<S>; 2], Error> {
    let first = Sifted::near(b, margin, a)?;
    Ok([first, Sifted::near(a, margin, b).map_err(|error| error.behind(a.len()))?])
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use core::ops::ControlFlow;

    use super::{PairsInParts, Wanted, pairs_between, pairs_of};
    use crate::{Aabb, Part};

    fn boxes(count: u32, seed: u32) -> Vec<Aabb<i32>> {
        let at = |k: u64| i32::try_from((k * 7919 + u64::from(seed)) % 997).expect("small");
        (0..u64::from(count)).map(|k| Aabb::new([at(k), at(k * k)], [at(k) + 30, at(k * k) + 20])).collect()
    }

    fn brute(
        a: &[Aabb<i32>],
        b: &[Aabb<i32>],
        is_one: bool,
        is_pair: impl Fn(&Aabb<i32>, &Aabb<i32>) -> bool,
    ) -> Vec<(u32, u32)> {
        let mut pairs = Vec::new();
        for (i, one) in (0..).zip(a) {
            let others = (0..).zip(b).skip(if is_one { i as usize + 1 } else { 0 });
            pairs.extend(others.filter(|(_, other)| is_pair(one, other)).map(|(j, _)| (i, j)));
        }
        pairs
    }

    #[test]
    fn pairs_are_those_of_brute_force() {
        let (a, b) = (boxes(600, 1), boxes(400, 500));
        let sorted = |mut pairs: Vec<(u32, u32)>| {
            pairs.sort_unstable();
            pairs
        };
        let (within, between) = (brute(&a, &a, true, Aabb::intersects), brute(&a, &b, false, Aabb::intersects));
        assert!(within.len() > 100 && between.len() > 100);
        assert_eq!(sorted(pairs_of(&a).expect("valid")), within);
        assert_eq!(sorted(pairs_between(&a, &b).expect("valid")), between);
        assert_eq!(pairs_between(&a, &[]).expect("valid"), []);
        assert_eq!(pairs_of::<f32>(&[]).expect("valid"), []);
    }

    #[test]
    fn pairs_come_in_parts_and_stop_when_told() {
        let (a, b) = (boxes(600, 3), boxes(700, 40));
        let found = |pairs: &PairsInParts<i32>, parts: usize, most: usize| {
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
        let check = |pairs: &PairsInParts<i32>, expected: Vec<(u32, u32)>| {
            let mut all = found(pairs, 1, usize::MAX);
            assert_eq!(found(pairs, 7, usize::MAX), all);
            assert_eq!(found(pairs, 7, 5), all[..all.len().min(5)]);
            all.sort_unstable();
            assert_eq!(all, expected);
        };
        check(&PairsInParts::between(&a, &b).expect("valid"), brute(&a, &b, false, Aabb::intersects));
        for distance in [0.0, 1.0, 12.5, f64::INFINITY, -1.0, f64::NAN] {
            let is_near = |one: &Aabb<i32>, other: &Aabb<i32>| one.distance(other) <= distance;
            check(&PairsInParts::within(&a, distance).expect("valid"), brute(&a, &a, true, is_near));
            let between = PairsInParts::between_within(&a, &b, distance).expect("valid");
            check(&between, brute(&a, &b, false, is_near));
        }
        assert_eq!(found(&PairsInParts::between(&[], &b).expect("valid"), 2, 1), []);
    }

    /// If one slice is a small part of the other, most boxes are left out; those of pairs are not.
    #[test]
    fn few_among_many_find_their_pairs() {
        let many = boxes(3000, 3);
        for count in [1, 7, 40, 370] {
            let few: Vec<Aabb<i32>> = boxes(count, 40);
            for (a, b) in [(&few, &many), (&many, &few)] {
                let sorted = |pairs: PairsInParts<i32>| {
                    let mut found = Vec::new();
                    for part in Part::all(3) {
                        let _ = pairs.part_visit(part, |a, b| {
                            found.push((a, b));
                            ControlFlow::<()>::Continue(())
                        });
                    }
                    found.sort_unstable();
                    found
                };
                let between = PairsInParts::between(a, b).expect("valid");
                let is_sifted = |pairs: &PairsInParts<i32>| match &pairs.wanted {
                    Wanted::Between(second) => !(pairs.first.positions.is_empty() && second.positions.is_empty()),
                    _ => false,
                };
                assert_eq!(is_sifted(&between), count <= 40, "{count}");
                assert_eq!(sorted(between), brute(a, b, false, Aabb::intersects), "{count}");
                for distance in [0.0, 3.0, 500.0, f64::INFINITY] {
                    let near = |one: &Aabb<i32>, other: &Aabb<i32>| one.distance(other) <= distance;
                    let within = PairsInParts::between_within(a, b, distance).expect("valid");
                    assert_eq!(sorted(within), brute(a, b, false, near), "{count} within {distance}");
                }
            }
        }
    }

    #[test]
    fn a_bad_box_is_named() {
        let bad = [Aabb::from([0.0_f32, 0.0, 1.0, 1.0]), [0.0, f32::NAN, 1.0, 1.0].into()];
        assert_eq!(pairs_of(&bad).expect_err("NaN").position(), Some(1));
        assert_eq!(PairsInParts::within(&bad, 1.0).expect_err("NaN").position(), Some(1));
        assert_eq!(PairsInParts::between(&bad[..1], &bad).expect_err("NaN").position(), Some(2));
        assert_eq!(pairs_between(&bad[..1], &bad).expect_err("NaN").position(), Some(2));
        // Also if one has so many more that some would be left out.
        let long = [&[bad[0]; 20][..], &bad].concat();
        assert_eq!(pairs_between(&bad[..1], &long).expect_err("NaN").position(), Some(22));
        assert_eq!(pairs_between(&long, &bad[..1]).expect_err("NaN").position(), Some(21));
    }
}
