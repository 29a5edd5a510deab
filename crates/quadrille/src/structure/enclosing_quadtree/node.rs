//! A node, its two middle lines, and where a box is listed.

use super::lines::Lines;
use crate::geometry::{Aabb, Cell, Scalar};
use crate::storage::{Boxes, Homes, Layers, NONE};
use crate::structure::tree::TreeNode;

/// A node with boxes of its own, and perhaps children. 48 bytes for `f32` and `i32`.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(bound = "S: Scalar"))]
pub(super) struct LineNode<S> {
    /// The first of four children; [`NONE`] for a leaf.
    pub(super) first: u32,
    /// Boxes in both lists.
    pub(super) count: u32,
    /// Branch: the boxes on the vertical middle line, and those on the horizontal one only, as lists or, with [`LINE`],
    /// as two whole lines in [`Lines`]. Leaf: all boxes, and none.
    pub(super) heads: [u32; 2],
    /// Branch: how far the boxes of the first list reach on x, and those of the second on y. The middle line is always
    /// within. Grows immediately; larger than needed until the next `maintain`.
    pub(super) reach: Aabb<S>,
    /// A walk from the root computes it anyway; it is stored for access that starts at a box.
    pub(super) cell: Cell<S>,
}

const _: () = assert!(size_of::<LineNode<f32>>() == 48);

/// The list, 0 or 1, in a branch for a box that touches several children.
#[inline]
pub(super) fn list_across(touched: u8) -> usize {
    const WEST: u8 = 0b0101;
    const EAST: u8 = 0b1010;
    usize::from(touched & WEST == 0 || touched & EAST == 0)
}

/// Marks a head or a home that is a segment of a line; [`NONE`] has it too.
const LINE: u32 = 1 << 31;

/// Where a box is listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Home {
    /// In one of the two lists of a node.
    List { node: u32, list: usize },
    /// In a segment of a divided line.
    Segment(u32),
}

impl Home {
    /// As it is stored: twice the node and the list, or the segment with [`LINE`].
    #[inline]
    pub(super) fn code(self) -> u32 {
        match self {
            Self::List { node, list } => 2 * node + u32::from(list == 1),
            Self::Segment(segment) => LINE | segment,
        }
    }

    #[inline]
    pub(super) fn decode(code: u32) -> Self {
        if code & LINE == 0 {
            Self::List { node: code / 2, list: code as usize % 2 }
        } else {
            Self::Segment(code & !LINE)
        }
    }
}

impl<S: Scalar> LineNode<S> {
    pub(super) fn leaf(cell: Cell<S>) -> Self {
        Self { first: NONE, count: 0, heads: [NONE; 2], reach: Aabb::from_point(cell.mid()), cell }
    }

    /// The heads of a branch whose lines are divided, the second line directly after the first.
    pub(super) const fn divided(first: u32) -> [u32; 2] {
        [LINE | first, LINE | (first + 1)]
    }

    /// The two lines, if they are divided.
    #[inline]
    pub(super) fn lines(&self) -> Option<[u32; 2]> {
        let [vertical, horizontal] = self.heads;
        (vertical & LINE != 0 && vertical != NONE).then_some([vertical & !LINE, horizontal & !LINE])
    }

    /// The heads of both lists; [`NONE`] if the lines are divided.
    #[inline]
    pub(super) fn undivided_heads(&self) -> [u32; 2] {
        if self.lines().is_none() { self.heads } else { [NONE; 2] }
    }

    #[inline]
    pub(super) fn is_near(&self, list: usize, bounds: &Aabb<S>) -> bool {
        (self.reach.min[list] <= bounds.max[list]) & (bounds.min[list] <= self.reach.max[list])
    }

    /// The divided lines on which something may intersect `bounds`.
    #[inline]
    pub(super) fn lines_near(&self, bounds: &Aabb<S>) -> impl Iterator<Item = u32> + Clone + use<S> {
        let near = |lines: [u32; 2]| [0, 1].map(|list| self.is_near(list, bounds).then_some(lines[list]));
        self.lines().map(near).into_iter().flatten().flatten()
    }

    /// `true` if a box in this list of the node certainly belongs there. Boxes at the world's edge may belong even if
    /// this is `false`.
    #[inline]
    pub(super) fn keeps(&self, list: usize, bounds: &Aabb<S>) -> bool {
        let touched = self.cell.children_touching(bounds);
        self.cell.encloses(bounds)
            && (self.first == NONE || (!touched.is_power_of_two() && list_across(touched) == list))
    }

    #[inline]
    pub(super) fn widen(&mut self, list: usize, bounds: &Aabb<S>) {
        let reach = &mut self.reach;
        reach.min[list] = reach.min[list].lesser(bounds.min[list]);
        reach.max[list] = reach.max[list].greater(bounds.max[list]);
    }

    /// The heads of the lists in which something may intersect `bounds`; [`NONE`] for the others.
    #[inline]
    pub(super) fn heads_near(&self, bounds: &Aabb<S>) -> [u32; 2] {
        let plain = self.undivided_heads();
        [0, 1].map(|list| if self.is_near(list, bounds) | (self.first == NONE) { plain[list] } else { NONE })
    }
}

impl<S: Scalar> TreeNode for LineNode<S> {
    #[inline]
    fn children(&self) -> Option<u32> {
        (self.first != NONE).then_some(self.first)
    }
}

/// All boxes listed at a node.
#[inline]
pub(super) fn listed<'a, S: Scalar>(
    lines: &'a Lines<S>,
    homes: &'a Homes,
    node: &LineNode<S>,
) -> impl Iterator<Item = u32> + Clone + use<'a, S> {
    let whole = node.lines().into_iter().flatten();
    let segments = whole.flat_map(|line| lines.touching(line, &Aabb::EVERYTHING));
    let heads = node.undivided_heads().into_iter().chain(segments.map(|segment| lines.get(segment).head));
    heads.flat_map(|head| homes.list(head))
}

/// The union of the layers of the boxes listed at a node.
pub(super) fn listed_layers<S: Scalar>(
    (lines, homes): (&Lines<S>, &Homes),
    boxes: &Boxes<S>,
    node: &LineNode<S>,
) -> Layers {
    listed(lines, homes, node).fold(Layers::NONE, |union, id| union.union(boxes.layers(id)))
}
