//! Bulk loading of trees: boxes along a curve, then divided from the root down.
//!
//! Inserting one by one walks down for every box and splits leaves over and over. Here boxes are sorted once along a Morton curve
//! and copied in that order, so that every node finds its boxes side by side, and goes through them once a level.

use alloc::vec::Vec;

use crate::geometry::{Aabb, Scalar, morton};
use crate::storage::Boxes;

/// Levels of a tree that the curve divides.
pub(super) const CURVE_DEPTH: u8 = 16;

/// A box on its way down.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<S> {
    pub(super) bounds: Aabb<S>,
    pub(super) id: u32,
}

/// Boxes by the Morton code of their centres, 16 bits an axis; what is outside `world` is sorted to its border.
pub(super) fn along_curve<S: Scalar>(boxes: &Boxes<S>, world: &Aabb<S>) -> Vec<Entry<S>> {
    let mut keys: Vec<u64> = boxes.iter().map(|(id, bounds)| key(&bounds, id, world)).collect();
    sort(&mut keys);
    keys.into_iter().map(id_of).map(|id| Entry { bounds: *boxes.at(id), id }).collect()
}

/// The code above, the id below.
#[inline]
fn key<S: Scalar>(bounds: &Aabb<S>, id: u32, world: &Aabb<S>) -> u64 {
    let center = bounds.center();
    let [x, y] = [0, 1].map(|axis| {
        let [lo, hi, at] = [world.min[axis], world.max[axis], center[axis]].map(S::to_f64);
        // Saturates.
        ((at - lo) / (hi - lo) * 65_536.0) as u16
    });
    morton::encode(x.into(), y.into()) << 32 | u64::from(id)
}

#[inline]
#[expect(clippy::cast_possible_truncation, reason = "the lower half is meant")]
fn id_of(key: u64) -> u32 {
    key as u32
}

/// Sorts by the upper halves, which are in the order of the lower ones so far: by counting, from the lowest of three digits of
/// 11 bits. Few numbers are sorted by comparing, for a digit costs as much as sorting some hundred numbers.
fn sort(keys: &mut Vec<u64>) {
    const DIGIT: usize = 1 << 11;
    const FEW: usize = 512;
    if keys.len() < FEW {
        return keys.sort_unstable();
    }
    let mut spare = alloc::vec![0; keys.len()];
    for shift in [32, 43, 54] {
        let digit = |key: u64| (key >> shift) as usize % DIGIT;
        let mut next = [0_u32; DIGIT];
        keys.iter().for_each(|&key| next[digit(key)] += 1);
        let mut sum = 0;
        next.iter_mut().for_each(|next| sum += core::mem::replace(next, sum));
        for &key in keys.iter() {
            let place = &mut next[digit(key)];
            spare[*place as usize] = key;
            *place += 1;
        }
        core::mem::swap(keys, &mut spare);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counting_sorts_as_comparing_does() {
        let mut state = 1_u64;
        for n in [0, 1, 2, 511, 512, 513, 5000] {
            let mut keys: Vec<u64> = (0..n)
                .map(|id| {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    state >> (id % 3 * 9) >> 32 << 32 | id
                })
                .collect();
            let mut expected = keys.clone();
            expected.sort_unstable();
            sort(&mut keys);
            assert_eq!(keys, expected, "{n} keys");
        }
    }

    #[test]
    fn boxes_stand_along_the_curve_wherever_they_are() {
        let mut boxes = Boxes::<f32>::new();
        for [x, y] in [[9.0, 9.0], [1.0, 9.0], [9.0, 1.0], [1.0, 1.0], [-1e30, -1e30], [1e30, 1e30]] {
            boxes.insert(Aabb::from_point([x, y])).expect("room");
        }
        let ids: Vec<u32> = along_curve(&boxes, &Aabb::new([0.0; 2], [10.0; 2])).iter().map(|one| one.id).collect();
        assert_eq!(ids, [4, 3, 2, 1, 0, 5]);
    }
}
