//! The nearest boxes found so far.

use alloc::collections::BinaryHeap;
use core::arch::wasm32::{f64x2_extract_lane, f64x2_splat, f64x2_sqrt};

use crate::pack::LANE;

#[derive(Debug, Default)]
pub(crate) struct Near {
    most: usize,
    limit: f64,
    /// Boxes and hulls with greater [keys](crate::pack::Pack::keys) are too far away.
    pub(crate) reach: u32,
    /// The bits of squares of distances, and ids: the farthest, of several the one with the highest id, first.
    found: BinaryHeap<(u64, u32)>,
}

impl Near {
    /// From now on, the `most` nearest are wanted, up to the square of a distance.
    pub(crate) fn begin(&mut self, most: usize, limit: f64) {
        (self.most, self.limit, self.reach) = (most, limit, reach(limit));
    }

    /// Keeps a box if it is among the nearest.
    #[inline]
    pub(crate) fn offer(&mut self, square: f64, id: u32) {
        let hit = (square.to_bits(), id);
        if square > self.limit {
            return;
        }
        if self.found.len() < self.most {
            self.found.push(hit);
            if self.found.len() < self.most {
                return;
            }
        } else if let Some(mut last) = self.found.peek_mut().filter(|last| hit < **last) {
            *last = hit;
        }
        let last = self.found.peek();
        self.reach = last.map_or(0, |&(square, _)| reach(f64::from_bits(square)));
    }

    /// Gives the farthest away: its id and its distance.
    pub(crate) fn pop(&mut self) -> Option<(u32, f64)> {
        self.found.pop().map(|(square, id)| (id, root(f64::from_bits(square))))
    }
}

/// The greatest key of what may be no farther away than the root of a square: wider than rounding may add.
fn reach(square: f64) -> u32 {
    ((square * (1.0 + 1e-6)) as f32 + f32::MIN_POSITIVE).to_bits() | LANE
}

/// `core` has no root.
fn root(square: f64) -> f64 {
    f64x2_extract_lane::<0>(f64x2_sqrt(f64x2_splat(square)))
}
