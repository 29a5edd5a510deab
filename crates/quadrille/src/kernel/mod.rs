//! Sixteen boxes against one: the only loop that is worth writing for the machine.
//!
//! Boxes stand in columns, sixteen numbers a column, so that a comparison with one edge is a comparison of whole
//! registers. The answer is a bit for each of the sixteen.

use crate::geometry::{Aabb, Scalar};

/// Boxes compared at once. Also the size of a pack and the number of children of a node in structures built on this.
pub(crate) const LANES: usize = 16;

/// Sixteen boxes by columns: lower x, lower y, upper x, upper y.
pub(crate) type Lanes<'a, S> = [&'a [S; LANES]; 4];

/// Bit `k` is set if box `k` of the sixteen shares a point with `bounds`. Touching counts.
#[inline(always)]
pub(crate) fn touching<S: Scalar>(lanes: &Lanes<'_, S>, bounds: &Aabb<S>) -> u32 {
    let [min_x, min_y, max_x, max_y] = lanes;
    let mut mask = 0;
    for k in 0..LANES {
        // `&` instead of `&&`, and no branch anywhere: this is what lets a compiler compare several at once.
        let touches = (min_x[k] <= bounds.max[0])
            & (max_x[k] >= bounds.min[0])
            & (min_y[k] <= bounds.max[1])
            & (max_y[k] >= bounds.min[1]);
        mask |= u32::from(touches) << k;
    }
    mask
}

/// The lowest `count` bits.
#[inline(always)]
pub(crate) fn lowest(count: usize) -> u32 {
    debug_assert!(count <= LANES, "{count}");
    (1 << count) - 1
}
