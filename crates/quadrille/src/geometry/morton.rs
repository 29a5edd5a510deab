//! Morton codes (Z-order): two coordinates interleaved into one number, so that nearby cells get nearby numbers.
//!
//! ```text
//! x  = . . . . a b c d        spread: a gap before every bit
//! y  = . . . . e f g h
//! code = e a f b g c h d      y in the odd bits, x in the even ones
//! ```
//!
//! Sorting by code visits the cells of a quadtree child by child (0, 1, 2, 3), which is what bulk loading needs.
//! Source: G. M. Morton, *A computer oriented geodetic data base and a new technique in file sequencing*, IBM, 1966.
//! The bits are spread by shifts and masks, the well-known doubling scheme: gaps of 16, 8, 4, 2, then 1.

use alloc::vec::Vec;

use super::{Aabb, Scalar, both};
use crate::radix::sort_keys;

/// The Morton code of cell (`x`, `y`).
///
/// ```
/// use quadrille::morton;
///
/// assert_eq!(morton::encode(0b11, 0b01), 0b0111);
/// assert_eq!(morton::decode(0b0111), (0b11, 0b01));
/// ```
#[must_use]
#[inline]
pub const fn encode(x: u32, y: u32) -> u64 {
    spread(x) | (spread(y) << 1)
}

/// The cell with this code.
#[must_use]
#[inline]
pub const fn decode(code: u64) -> (u32, u32) {
    (gather(code), gather(code >> 1))
}

/// The positions of points in the order of a Morton curve through all of them, so that neighbors in the order are mostly
/// neighbors in space. The curve passes 65,536 cells along each axis; of points in one cell, the lower position is first.
///
/// Use it to renumber things once in a while, so that those near each other are near in memory, or to process them so
/// that each finds what the one before it has read still in the cache. The cost is that of a sort.
///
/// ```
/// use quadrille::morton;
///
/// assert_eq!(morton::order(&[[9.0, 9.0], [0.0, 1.0], [8.0, 9.0], [1.0, 1.0]]), [1, 3, 2, 0]);
/// ```
#[must_use]
pub fn order<S: Scalar>(points: &[[S; 2]]) -> Vec<u32> {
    let mut sorted = Vec::new();
    sort((0..).zip(points.iter().copied()), &mut sorted, &mut Vec::new());
    sorted.into_iter().map(number_of).collect()
}

/// Replaces the contents of `sorted` by keys of numbered points, in the order of [`order`]. Numbers ascend. `spare` is
/// memory to keep between calls.
#[doc(hidden)]
pub fn sort<S: Scalar>(
    points: impl Iterator<Item = (u32, [S; 2])> + Clone,
    sorted: &mut Vec<u64>,
    spare: &mut Vec<u64>,
) {
    let world = Aabb::from_points(points.clone().map(|(_, at)| at));
    sorted.clear();
    sorted.extend(points.map(|(number, at)| encode_in(&world, at) << 32 | u64::from(number)));
    sort_keys(sorted, spare);
}

/// The number of the point with a key.
#[doc(hidden)]
#[inline]
#[must_use]
pub fn number_of(key: u64) -> u32 {
    key as u32
}

/// The code of the cell that a point is in, of 65,536 along each axis of a world: below 2^32. Points outside of the world
/// are in the cells at its border.
///
/// ```
/// use quadrille::{Aabb, morton};
///
/// let world = Aabb::new([0.0, 0.0], [2.0, 2.0]);
/// let codes = [[0.1, 0.1], [1.1, 0.1], [0.1, 1.1], [9.0, 9.0]].map(|point| morton::encode_in(&world, point));
/// assert!(codes.is_sorted() && codes[3] == 0xffff_ffff);
/// ```
#[must_use]
#[inline]
pub fn encode_in<S: Scalar>(world: &Aabb<S>, at: [S; 2]) -> u64 {
    let [x, y] = both(|axis| {
        // The difference of halves cannot overflow.
        let [lo, hi, at] = [world.min[axis], world.max[axis], at[axis]].map(|number| number.to_f64() * 0.5);
        // Zero if there is no width to divide by.
        ((at - lo) / (hi - lo) * 65_536.0) as u16
    });
    encode(x.into(), y.into())
}

/// Puts a zero before every bit.
const fn spread(value: u32) -> u64 {
    let mut bits = value as u64;
    bits = (bits | (bits << 16)) & 0x0000_ffff_0000_ffff;
    bits = (bits | (bits << 8)) & 0x00ff_00ff_00ff_00ff;
    bits = (bits | (bits << 4)) & 0x0f0f_0f0f_0f0f_0f0f;
    bits = (bits | (bits << 2)) & 0x3333_3333_3333_3333;
    (bits | (bits << 1)) & 0x5555_5555_5555_5555
}

/// Keeps the even bits and packs them: the inverse of [`spread`].
const fn gather(code: u64) -> u32 {
    let mut bits = code & 0x5555_5555_5555_5555;
    bits = (bits | (bits >> 1)) & 0x3333_3333_3333_3333;
    bits = (bits | (bits >> 2)) & 0x0f0f_0f0f_0f0f_0f0f;
    bits = (bits | (bits >> 4)) & 0x00ff_00ff_00ff_00ff;
    bits = (bits | (bits >> 8)) & 0x0000_ffff_0000_ffff;
    (bits | (bits >> 16)) as u32
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::{decode, encode, encode_in, order};
    use crate::geometry::Aabb;

    #[test]
    fn codes_go_there_and_back() {
        for (x, y) in [(0, 0), (1, 0), (0, 1), (u32::MAX, 0), (0, u32::MAX), (u32::MAX, u32::MAX), (0xdead, 0xbeef)] {
            assert_eq!(decode(encode(x, y)), (x, y));
        }
        assert_eq!(encode(u32::MAX, 0), 0x5555_5555_5555_5555);
    }

    #[test]
    fn points_are_in_the_order_of_their_cells_and_no_two_in_one_place() {
        let mut random = fastrand::Rng::with_seed(3);
        let points: Vec<[i32; 2]> = (0..500).map(|_| [0, 1].map(|_| random.i32(-9..9) * 1_000_000)).collect();
        let (order, world) = (order(&points), Aabb::from_points(points.iter().copied()));
        let keys: Vec<_> = order.iter().map(|&at| (encode_in(&world, points[at as usize]), at)).collect();
        assert!(keys.is_sorted() && keys.windows(2).all(|two| two[0] < two[1]) && keys.len() == 500);
        let ends = [[-9_000_000, -9_000_000], [8_000_000, 8_000_000], [i32::MAX, i32::MIN]];
        assert_eq!(super::order(&[[f64::MAX; 2], [f64::MAX, 0.0], [0.0; 2], [f64::MIN; 2]]), [3, 2, 1, 0]);
        let codes = ends.map(|at| encode_in(&Aabb::new(ends[0], ends[1]), at));
        assert_eq!(codes, [0, encode(0xffff, 0xffff), encode(0xffff, 0)]);
    }

    #[test]
    fn points_without_an_order_keep_their_own() {
        assert!(order::<f32>(&[]).is_empty());
        assert_eq!(order(&[[2.5; 2]; 3]), [0, 1, 2]);
        assert_eq!(order(&[[f64::NAN, 0.0], [f64::INFINITY, 0.0], [f64::MAX, 0.0], [f64::MIN, 0.0]]).len(), 4);
    }

    #[test]
    fn code_order_is_the_order_of_quadtree_children() {
        let codes = [(0, 0), (1, 0), (0, 1), (1, 1), (2, 0)].map(|(x, y)| encode(x, y));
        assert_eq!(codes, [0, 1, 2, 3, 4]);
    }
}
