//! Sorting along a Hilbert curve, and by whole numbers.

use alloc::vec::Vec;
use core::ops::Range;

use quadrille::Aabb;
use quadrille::internals::sort_by_bits;

/// Sorts by some bits, with memory to use again. Compiled once for all that is sorted.
#[inline(never)]
pub(crate) fn sort(keys: &mut Vec<u64>, spare: &mut Vec<u64>, bits: Range<u32>) {
    sort_by_bits(keys, spare, bits, |&key| key);
}

/// Sorts ids by where the centers of their boxes are on the curve in `world`. In the upper halves is anything, before and
/// after.
pub(crate) fn sort_ids(ids: &mut Vec<u64>, spare: &mut Vec<u64>, boxes: &[Aabb<f32>], world: &Aabb<f32>) {
    for four in ids.chunks_mut(4) {
        let mut centers = [[0.0; 2]; 4];
        for (center, id) in centers.iter_mut().zip(&*four) {
            *center = boxes[*id as u32 as usize].center();
        }
        for (id, key) in four.iter_mut().zip(keys(world, centers)) {
            *id = u64::from(key) << 32 | u64::from(*id as u32);
        }
    }
    sort(ids, spare, 32..64);
}

/// Where on the curve four points are that lie in `world`.
fn keys(world: &Aabb<f32>, points: [[f32; 2]; 4]) -> [u32; 4] {
    let [mut x, mut y] = [0, 1].map(|axis| {
        let low = world.min[axis];
        let scale = (65_536.0 / (f64::from(world.max[axis]) - f64::from(low))) as f32;
        // Zero where there is no width to divide by.
        points.map(|point| (((point[axis] - low) * scale) as u32).min(65_535))
    });
    let mut keys = [0; 4];
    for bit in (0..16).rev() {
        for lane in 0..4 {
            let [right, upper] = [x, y].map(|place| place[lane] >> bit & 1);
            keys[lane] = keys[lane] << 2 | (3 * right) ^ upper;
            // Masks instead of branches, which would be guessed wrong.
            let turns = upper.wrapping_sub(1);
            let change = turns & (x[lane] ^ y[lane] ^ right.wrapping_neg());
            (x[lane], y[lane]) = (x[lane] ^ change, y[lane] ^ change);
        }
    }
    keys
}
