//! When a node is divided: the caller's rule, and three common ones.

use super::frame::area;
use crate::Aabb;

/// What a rule is given about a node.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Region {
    /// Its cells, at least two.
    pub rect: Aabb<i32>,
    /// Objects in it.
    pub objects: u32,
    /// Cells in it that hold at least one object.
    pub occupied: u32,
    /// `true` if it is a leaf, which splits if the rule answers "no"; `false` if it has children, all of them leaves,
    /// which merge if the rule answers "yes". A rule that answers "yes" more reluctantly in the second case has slack.
    pub is_leaf: bool,
}

impl Region {
    /// Cells from west to east.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.rect.max[0].abs_diff(self.rect.min[0]) + 1
    }

    /// Cells from north to south.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.rect.max[1].abs_diff(self.rect.min[1]) + 1
    }

    /// Width times height.
    #[must_use]
    pub fn area(&self) -> u64 {
        area(self.rect)
    }
}

/// Decides which nodes are leaves. Every `Fn(&Region) -> bool` is a rule. A pair of rules stops wherever either does.
///
/// A rule should be *stable*: where it stops, it would stop in every part of the region as well. Then the shape of the
/// tree depends only on the contents of the map, unless there is slack. Under an unstable rule all answers are still
/// exact, but the shape depends on the history. A single cell is always a leaf, whatever the rule. A rule must not
/// panic: that would leave the tree half changed.
///
/// ```
/// use quadrille::Aabb;
/// use quadrille::region::{Region, RegionQuadtree};
///
/// let rule = |region: &Region| region.objects <= 1 || region.area() <= 4;
/// let map = RegionQuadtree::from_objects(8, 8, rule, [([0, 0], 'a'), ([1, 1], 'b')])?;
/// assert_eq!(map.leaf_at([1, 0]).expect("on the map").rect, Aabb::new([0, 0], [1, 1]));
/// # Ok::<(), quadrille::Error>(())
/// ```
pub trait Rule {
    /// `true` to make the region one leaf, `false` to divide it.
    fn stops(&self, region: &Region) -> bool;
}

impl<F: Fn(&Region) -> bool> Rule for F {
    #[inline]
    fn stops(&self, region: &Region) -> bool {
        self(region)
    }
}

impl<A: Rule, B: Rule> Rule for (A, B) {
    #[inline]
    fn stops(&self, region: &Region) -> bool {
        self.0.stops(region) || self.1.stops(region)
    }
}

/// At most this many objects in a leaf, or a single cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct AtMost {
    /// A leaf with more objects than this splits.
    pub objects: u32,
    /// Leaves merge only if together they hold at least this many fewer objects than `objects`. With 0, an object that
    /// comes and goes at the limit splits and merges each time.
    pub slack: u32,
}

impl Rule for AtMost {
    #[inline]
    fn stops(&self, region: &Region) -> bool {
        let slack = if region.is_leaf { 0 } else { self.slack };
        u64::from(region.objects) + u64::from(slack) <= u64::from(self.objects)
    }
}

/// Regions with at most this many cells on either side are not divided. Alone it makes a uniform grid; it is meant as
/// one rule of a pair.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SmallestSide(pub u32);

impl Rule for SmallestSide {
    #[inline]
    fn stops(&self, region: &Region) -> bool {
        region.width().max(region.height()) <= self.0
    }
}

/// Occupancy: either all cells of a leaf are occupied, or none. It counts cells, not objects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct AllSame;

impl Rule for AllSame {
    #[inline]
    fn stops(&self, region: &Region) -> bool {
        region.occupied == 0 || u64::from(region.occupied) == region.area()
    }
}
