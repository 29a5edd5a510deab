//! The cell of a quadtree node.

use super::{Aabb, Scalar};

/// The part of the plane that a tree node is responsible for, half-open: `[lo, hi)`.
///
/// Children come from the edges (lo, mid, hi), in Morton order: bit 0 of the child's number is the upper half of x, bit
/// 1 the upper half of y. Siblings share the very same middle value and outer edges are the parent's.
///
/// ```text
///   hi ┌─────┬─────┐      a box goes west  if min <  mid   (it has a point west of the line)
///      │  2  │  3  │                east  if max >= mid   (it reaches the line)
///  mid ├─────┼─────┤      and likewise south and north.
///      │  0  │  1  │
///   lo └─────┴─────┘      Outer edges are never compared, so border cells extend to infinity
///     lo    mid    hi     and a box outside the world still has its place.
/// ```
///
/// Both the listing of boxes and the walk of a query use [`children_touching`](Self::children_touching). A point
/// that the two share is on one definite side of every middle line. So both visit the leaf that holds it, however the
/// middle was rounded.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Cell<S> {
    pub(crate) lo: [S; 2],
    pub(crate) hi: [S; 2],
}

impl<S: Scalar> Cell<S> {
    pub(crate) fn from_world(world: &Aabb<S>) -> Self {
        Self { lo: world.min, hi: world.max }
    }

    #[inline]
    pub(crate) fn to_aabb(self) -> Aabb<S> {
        Aabb { min: self.lo, max: self.hi }
    }

    #[inline]
    pub(crate) fn mid(&self) -> [S; 2] {
        [self.lo[0].midpoint(self.hi[0]), self.lo[1].midpoint(self.hi[1])]
    }

    /// Child `k` (0 to 3, Morton order).
    #[inline]
    pub(crate) fn child(&self, k: usize) -> Self {
        let mid = self.mid();
        let half = |axis: usize, upper: bool| {
            if upper { (mid[axis], self.hi[axis]) } else { (self.lo[axis], mid[axis]) }
        };
        let (x, y) = (half(0, k & 1 != 0), half(1, k & 2 != 0));
        Self { lo: [x.0, y.0], hi: [x.1, y.1] }
    }

    /// Bit k is set if the box has a point in child k.
    ///
    /// An axis whose middle is its lower edge is not divided: all of it is the upper half, and the lower half has no
    /// width and stays empty. Otherwise border cells would have two children starting at the world's edge.
    #[inline]
    pub(crate) fn children_touching(&self, bounds: &Aabb<S>) -> u8 {
        // Children 0 and 2 are west, 1 and 3 east; 0 and 1 south, 2 and 3 north.
        let mid = self.mid();
        let divides = [self.lo[0] < mid[0], self.lo[1] < mid[1]];
        let x = (u8::from((bounds.min[0] < mid[0]) & divides[0]) * 0b0101)
            | (u8::from((bounds.max[0] >= mid[0]) | !divides[0]) * 0b1010);
        let y = (u8::from((bounds.min[1] < mid[1]) & divides[1]) * 0b0011)
            | (u8::from((bounds.max[1] >= mid[1]) | !divides[1]) * 0b1100);
        x & y
    }

    /// The only child that the box [touches](Self::children_touching), if there is just one: what trees test at every
    /// step of a descent.
    #[inline]
    pub(crate) fn child_enclosing(&self, bounds: &Aabb<S>) -> Option<usize> {
        let mid = self.mid();
        let is_lower = |axis: usize| (bounds.min[axis] < mid[axis]) & (self.lo[axis] < mid[axis]);
        let is_upper = |axis: usize| (bounds.max[axis] >= mid[axis]) | (self.lo[axis] >= mid[axis]);
        let is_divided = (is_lower(0) & is_upper(0)) | (is_lower(1) & is_upper(1));
        (!is_divided).then(|| usize::from(is_upper(0)) | usize::from(is_upper(1)) << 1)
    }

    /// The child that holds `point`.
    #[inline]
    pub(crate) fn child_at(&self, point: [S; 2]) -> usize {
        self.children_touching(&Aabb::from_point(point)).trailing_zeros() as usize
    }

    /// `true` if every descent past this cell leads the box into it: the box compares with each line on the way just as
    /// the cell's edges do. A box that reaches an outer edge of the world may belong here even if this is `false`.
    #[inline]
    pub(crate) fn encloses(&self, bounds: &Aabb<S>) -> bool {
        (self.lo[0] <= bounds.min[0])
            & (self.lo[1] <= bounds.min[1])
            & (bounds.max[0] < self.hi[0])
            & (bounds.max[1] < self.hi[1])
    }

    /// `false` once neither axis can be divided any further: the middle is an edge.
    #[inline]
    pub(crate) fn divides(&self) -> bool {
        let mid = self.mid();
        (0..2).any(|axis| self.lo[axis] < mid[axis] && mid[axis] < self.hi[axis])
    }

    /// **The once-only rule.** A box listed in several leaves is reported only by the leaf that holds the lower corner
    /// of the intersection of box and query. `a` and `b` are the lower corners of the two. The upper edge needs no
    /// test: a leaf that lists the box and is visited by the query starts before both end.
    #[inline]
    pub(crate) fn starts_before(&self, a: [S; 2], b: [S; 2]) -> bool {
        (a[0].greater(b[0]) >= self.lo[0]) & (a[1].greater(b[1]) >= self.lo[1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORLD: Cell<i32> = Cell { lo: [0, 0], hi: [8, 8] };

    #[test]
    fn siblings_share_the_middle_and_keep_the_outer_edges() {
        let odd = Cell { lo: [-3.3_f32, 0.1], hi: [7.7, 0.3] };
        let mid = odd.mid();
        assert_eq!(odd.child(0), Cell { lo: odd.lo, hi: mid });
        assert_eq!(odd.child(3), Cell { lo: mid, hi: odd.hi });
        assert_eq!(odd.child(1), Cell { lo: [mid[0], odd.lo[1]], hi: [odd.hi[0], mid[1]] });
        assert_eq!(odd.child(2), Cell { lo: [odd.lo[0], mid[1]], hi: [mid[0], odd.hi[1]] });
    }

    #[test]
    fn a_box_touches_the_children_that_hold_its_points() {
        let touching = |min, max| WORLD.children_touching(&Aabb::new(min, max));
        assert_eq!(touching([0, 0], [3, 3]), 0b0001);
        assert_eq!(touching([0, 0], [4, 3]), 0b0011, "reaching the line is being on it");
        assert_eq!(touching([4, 4], [4, 4]), 0b1000, "the line belongs to the upper child");
        assert_eq!(touching([-9, -9], [99, 99]), 0b1111);
        assert_eq!(touching([100, -100], [101, -99]), 0b0010, "outside the world is in a border cell");
        let thin = Cell { lo: [0, 0], hi: [1, 8] };
        assert_eq!(thin.children_touching(&Aabb::new([-9, -9], [9, 9])), 0b1010, "x is not divided");
        for (point, child) in [([3, 3], 0), ([4, 3], 1), ([3, 4], 2), ([4, 4], 3)] {
            assert_eq!(WORLD.child_at(point), child);
            assert_eq!(WORLD.children_touching(&Aabb::from_point(point)), 1 << child);
        }
        for cell in [WORLD, thin, Cell { lo: [5, 5], hi: [5, 5] }] {
            for [x, y] in (-1..10).flat_map(|x| (-1..10).map(move |y| [x, y])) {
                for max in (x..10).flat_map(|x| (y..10).map(move |y| [x, y])) {
                    let bounds = Aabb::new([x, y], max);
                    let touched = cell.children_touching(&bounds);
                    let only = touched.is_power_of_two().then(|| touched.trailing_zeros() as usize);
                    assert_eq!(cell.child_enclosing(&bounds), only, "{bounds:?} in {cell:?}");
                }
            }
        }
    }

    #[test]
    fn a_cell_stops_dividing_at_the_resolution_of_its_numbers() {
        assert!(!Cell { lo: [5, 5], hi: [6, 6] }.divides());
        assert!(Cell { lo: [5, 5], hi: [6, 7] }.divides(), "one axis is enough");
        assert!(!Cell { lo: [1.0_f32, 1.0], hi: [1.0_f32.next_up(), 1.0] }.divides());
        assert!(Cell { lo: [i32::MIN; 2], hi: [i32::MAX; 2] }.divides());
        assert!(Cell { lo: [f32::MIN; 2], hi: [f32::MAX; 2] }.divides());
    }
}
