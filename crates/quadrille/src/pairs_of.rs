//! All pairs in one call, without keeping an index.

use alloc::vec::Vec;

use crate::error::Error;
use crate::geometry::{Aabb, Scalar};
use crate::index::Index;
use crate::structure::FrameTree;

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
    Index::<FrameTree<S>>::from_boxes(boxes)?.pairs().for_each(|pair| pairs.push(pair));
    Ok(pairs)
}

/// All overlapping pairs of a box in `a` and a box in `b`, each once, as (position in `a`, position in `b`). Touching
/// counts.
///
/// Costs as much as [`pairs_of`] both slices together: pairs within a slice are found too, and dropped. If there are
/// very many of those, [`Index::pairs_with`] is faster: it asks one index about each box of the other.
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
#[expect(clippy::cast_possible_truncation, reason = "an index has less than 2^31 boxes")]
pub fn pairs_between<S: Scalar>(a: &[Aabb<S>], b: &[Aabb<S>]) -> Result<Vec<(u32, u32)>, Error> {
    let mut pairs = Vec::new();
    let index = Index::<FrameTree<S>>::from_boxes(&[a, b].concat())?;
    let first = a.len() as u32;
    index
        .pairs()
        .filter(|&(low, high)| low < first && first <= high)
        .for_each(|(low, high)| pairs.push((low, high - first)));
    Ok(pairs)
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::{pairs_between, pairs_of};
    use crate::Aabb;

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
    fn a_bad_box_is_named() {
        let bad = [Aabb::from([0.0_f32, 0.0, 1.0, 1.0]), [0.0, f32::NAN, 1.0, 1.0].into()];
        assert_eq!(pairs_of(&bad).expect_err("NaN").position(), Some(1));
        assert_eq!(pairs_between(&bad[..1], &bad).expect_err("NaN").position(), Some(2));
    }
}
