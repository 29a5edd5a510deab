//! Bulk loading of trees: boxes are sorted along a curve, then divided from the root down.
//!
//! Inserting one by one walks down for every box and splits leaves repeatedly. Here boxes are sorted once along a
//! Morton curve and copied in that order, so every node finds its boxes side by side and reads them once per level.

use alloc::vec::Vec;
use core::ops::Range;

use crate::geometry::{Aabb, Scalar, morton};
use crate::kernel::bits;
use crate::radix::sort_keys;
use crate::storage::Boxes;

/// Levels of a tree that the curve divides.
pub(super) const CURVE_DEPTH: u8 = 16;

/// A box on its way down.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<S> {
    pub(super) bounds: Aabb<S>,
    pub(super) id: u32,
}

/// Boxes by the Morton code of their centers, 16 bits per axis, the code in the upper half of a key and the id in the
/// lower one. Boxes outside `world` go to its border.
pub(super) fn along_curve<S: Scalar>(boxes: &Boxes<S>, world: &Aabb<S>) -> Vec<Entry<S>> {
    let key = |(id, bounds): (u32, Aabb<S>)| morton::encode_in(world, bounds.center()) << 32 | u64::from(id);
    let mut keys: Vec<u64> = boxes.iter().map(key).collect();
    sort_keys(&mut keys, &mut Vec::new());
    keys.into_iter().map(morton::number_of).map(|id| Entry { bounds: *boxes.at(id), id }).collect()
}

/// Copies entries to the end, those for child 0 first, then those for child 1, and so on. An entry goes to every child
/// whose bit is in its mask. Returns where the entries of each child begin, and where the last ones end.
pub(super) fn deal<S: Scalar>(entries: &mut Vec<Entry<S>>, range: Range<usize>, masks: &[u8]) -> [usize; 5] {
    let end = entries.len();
    let mut counts = [0; 4];
    for &mask in masks {
        (0..4).for_each(|k| counts[k] += usize::from(mask >> k & 1));
    }
    let mut starts = [end; 5];
    (0..4).for_each(|k| starts[k + 1] = starts[k] + counts[k]);
    let Some(&some) = entries.get(range.start) else { return starts };
    entries.resize(starts[4], some);
    let (source, target) = entries.split_at_mut(end);
    let mut next = starts;
    for (one, &mask) in source[range].iter().zip(masks) {
        for k in bits(mask.into()) {
            target[next[k] - end] = *one;
            next[k] += 1;
        }
    }
    starts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_dealt_to_every_child_they_touch_in_their_order() {
        let mut entries: Vec<Entry<i32>> = (0..6).map(|id| Entry { bounds: Aabb::EMPTY, id }).collect();
        let starts = deal(&mut entries, 1..6, &[0b0001, 0b1111, 0b1000, 0b0000, 0b1001]);
        assert_eq!(starts, [6, 9, 10, 11, 14]);
        assert!(entries[6..].iter().map(|one| one.id).eq([1, 2, 5, 2, 2, 2, 3, 5]));
        assert_eq!(deal::<f32>(&mut Vec::new(), 0..0, &[]), [0; 5]);
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
