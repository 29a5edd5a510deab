//! When a node is divided: the caller's rule, and three that everybody needs.

use super::frame::area;
use crate::Aabb;

/// What a rule knows about a node.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Region {
    /// Its cells, at least two.
    pub rect: Aabb<i32>,
    /// Objects in it.
    pub objects: u32,
    /// Cells in it that hold at least one object.
    pub occupied: u32,
    /// `true` if it is a leaf, which "no" would split; `false` if it has children, all of them leaves, which "yes"
    /// would merge. A rule that answers "yes" more reluctantly in the second case has slack.
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

/// Decides which nodes are leaves. Every `Fn(&Region) -> bool` is a rule; a pair of rules stops where either does.
///
/// A rule should be *stable*: where it stops, it would stop in every part of the region as well. The shape of the tree
/// then depends on what the map holds and on nothing else, unless there is slack. Under a rule that is not stable all
/// answers stay right, but the shape depends on what happened before. A single cell is a leaf without being asked
/// about. A rule must not panic: the tree would be left half changed.
pub trait Rule {
    /// `true` if the region is to be one leaf, `false` if it is to be divided.
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

/// At most this many objects in a leaf, or one cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct AtMost {
    /// A leaf with more objects than this splits.
    pub objects: u32,
    /// Leaves are merged only when together they hold this many fewer than `objects`. With 0, an object that comes and
    /// goes at the limit splits and merges each time.
    pub slack: u32,
}

impl Rule for AtMost {
    #[inline]
    fn stops(&self, region: &Region) -> bool {
        let slack = if region.is_leaf { 0 } else { self.slack };
        u64::from(region.objects) + u64::from(slack) <= u64::from(self.objects)
    }
}

/// Regions with at most this many cells on either side are not divided. Alone it makes a uniform grid; it is meant
/// as one of a pair.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SmallestSide(pub u32);

impl Rule for SmallestSide {
    #[inline]
    fn stops(&self, region: &Region) -> bool {
        region.width().max(region.height()) <= self.0
    }
}

/// Occupancy: all cells of a leaf hold something, or none does. It counts cells, not objects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct AllSame;

impl Rule for AllSame {
    #[inline]
    fn stops(&self, region: &Region) -> bool {
        region.occupied == 0 || u64::from(region.occupied) == region.area()
    }
}
