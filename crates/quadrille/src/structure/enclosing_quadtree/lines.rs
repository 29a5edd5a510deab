//! Middle lines with many boxes, divided like the plane around them, but in two.
//!
//! A tiny box on a middle line of a large node cannot sink below it. A few are a list; many are divided: the line is
//! halved repeatedly, and a box lives in the smallest *segment* that encloses it along the line. Boxes of one segment
//! all contain its middle, a point of the line: every two of them are a pair, and no comparison is wasted.
//!
//! ```text
//! vertical line      ┬        a segment, its middle ─ and its two children, one on either side of the middle;
//! of a node          │        ▯ lives in the whole line, ▫ in its upper half
//!                    │ ▫
//!                    ─ ▯
//!                    │
//!                    ┴
//! ```
//!
//! Source: the binary trees of G. Kedem, *The quad-CIF tree: a data structure for hierarchical on-line algorithms*,
//! 1982.

use alloc::vec::Vec;

use crate::error::Corruption;
use crate::geometry::{Aabb, Cell, Scalar};
use crate::storage::{NONE, add_bytes, bytes_of};

/// A line is halved no more than this many times: as often as there are levels of a tree.
const MAX_HALVINGS: u32 = super::super::tree::MAX_DEPTH as u32;

/// A part of a middle line. 28 bytes for `f32` and `i32`.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(bound = "S: Scalar"))]
pub(super) struct Segment<S> {
    /// The lower half; the upper one comes after it. [`NONE`] if there are none.
    first: u32,
    /// [`NONE`] for a whole line.
    parent: u32,
    /// The node of the line, times two, plus one if the line is horizontal.
    pub(super) owner: u32,
    /// The list of boxes that contain its middle, or of all if it is not halved; and how many.
    pub(super) head: u32,
    pub(super) count: u32,
    /// From where to where, along the line. The ends of a whole line reach to infinity, as the edges of a world do.
    lo: S,
    hi: S,
}

impl<S: Scalar> Segment<S> {
    /// A whole line.
    pub(super) fn line(owner: u32, cell: &Cell<S>) -> Self {
        let along = along(owner);
        Self { first: NONE, parent: NONE, owner, head: NONE, count: 0, lo: cell.lo[along], hi: cell.hi[along] }
    }

    /// The half, 0 or 1, that encloses a box; `None` if the box holds the middle.
    #[inline]
    pub(super) fn half(&self, bounds: &Aabb<S>) -> Option<u32> {
        let (along, mid) = (along(self.owner), self.lo.midpoint(self.hi));
        let (lower, upper) = (bounds.min[along] < mid, bounds.max[along] >= mid);
        (lower != upper).then_some(u32::from(upper))
    }

    /// Can it be halved?
    pub(super) fn divides(&self) -> bool {
        let mid = self.lo.midpoint(self.hi);
        self.lo < mid && mid < self.hi
    }
}

/// The axis along a line.
#[inline]
fn along(owner: u32) -> usize {
    usize::from(owner % 2 == 0)
}

/// All segments of a tree, two halves side by side; the lower has an even number.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(bound = "S: Scalar"))]
pub(super) struct Lines<S> {
    segments: Vec<Segment<S>>,
    /// The lower halves of pairs that are free.
    free: Vec<u32>,
}

impl<S: Scalar> Lines<S> {
    pub(super) const fn new() -> Self {
        Self { segments: Vec::new(), free: Vec::new() }
    }

    pub(super) fn clear(&mut self) {
        self.segments.clear();
        self.free.clear();
    }

    #[inline]
    pub(super) fn get(&self, segment: u32) -> &Segment<S> {
        &self.segments[segment as usize]
    }

    #[inline]
    pub(super) fn get_mut(&mut self, segment: u32) -> &mut Segment<S> {
        &mut self.segments[segment as usize]
    }

    /// Stores two segments side by side; returns the first.
    // Casts: a segment needs several boxes, of which there are fewer than 2^31.
    pub(super) fn alloc(&mut self, pair: [Segment<S>; 2]) -> u32 {
        if let Some(first) = self.free.pop() {
            self.segments[first as usize..][..2].copy_from_slice(&pair);
            return first;
        }
        self.segments.extend(pair);
        // Room to free every pair, taken while lines grow: merging allocates nothing.
        self.free.reserve(self.segments.len() / 2);
        (self.segments.len() - 2) as u32
    }

    pub(super) fn free(&mut self, first: u32) {
        self.free.push(first);
    }

    /// Halves a segment, whose list is taken out and returned.
    pub(super) fn halve(&mut self, segment: u32) -> u32 {
        let Segment { owner, lo, hi, head, .. } = *self.get(segment);
        let half = Segment { first: NONE, parent: segment, owner, head: NONE, count: 0, lo, hi };
        let mid = lo.midpoint(hi);
        let first = self.alloc([Segment { hi: mid, ..half }, Segment { lo: mid, ..half }]);
        let whole = self.get_mut(segment);
        (whole.first, whole.head, whole.count) = (first, NONE, 0);
        head
    }

    /// Turns a segment whose halves are empty back into a single one.
    pub(super) fn join(&mut self, segment: u32) {
        let first = core::mem::replace(&mut self.get_mut(segment).first, NONE);
        self.free(first);
    }

    #[inline]
    pub(super) fn halves(&self, segment: u32) -> Option<[u32; 2]> {
        let first = self.get(segment).first;
        (first != NONE).then(|| [first, first + 1])
    }

    /// How often the line was halved to make this segment.
    fn halvings(&self, segment: u32) -> u32 {
        let mut count = 0;
        let mut at = self.get(segment).parent;
        while at != NONE {
            (at, count) = (self.get(at).parent, count + 1);
        }
        count
    }

    pub(super) fn may_halve(&self, segment: u32) -> bool {
        let one = self.get(segment);
        one.first == NONE && one.divides() && self.halvings(segment) < MAX_HALVINGS
    }

    /// The smallest segment, from this one downward, that encloses a box along the line.
    #[inline]
    pub(super) fn enclosing(&self, mut segment: u32, bounds: &Aabb<S>) -> u32 {
        while let Some(halves) = self.halves(segment) {
            let Some(half) = self.get(segment).half(bounds) else { break };
            segment = halves[half as usize];
        }
        segment
    }

    /// A segment and all segments below it that touch a box along the line, from the middle outward.
    #[inline]
    pub(super) fn touching(&self, segment: u32, bounds: &Aabb<S>) -> Touching<'_, S> {
        let along = along(self.get(segment).owner);
        Touching { lines: self, top: segment, next: segment, range: [bounds.min[along], bounds.max[along]] }
    }

    pub(super) fn bytes(&self) -> [usize; 2] {
        add_bytes([bytes_of(&self.segments), bytes_of(&self.free)])
    }

    /// Checks a line and notes which segments it has. Follows no number that it has not checked.
    pub(super) fn trace(&self, line: u32, whole: &Segment<S>, seen: &mut [bool]) -> Result<(), Corruption> {
        let mut level = alloc::vec![(line, *whole)];
        for halvings in 0..=MAX_HALVINGS {
            let mut next = Vec::new();
            for (segment, expected) in level {
                let is_new = seen.get_mut(segment as usize).is_some_and(|seen| !core::mem::replace(seen, true));
                Corruption::unless(is_new, || alloc::format!("segment {segment} does not exist or is met twice"))?;
                let one = *self.get(segment);
                let is_right = one.parent == expected.parent
                    && one.owner == expected.owner
                    && (one.lo, one.hi) == (expected.lo, expected.hi)
                    && (one.first == NONE || (one.divides() && one.first % 2 == 0 && halvings < MAX_HALVINGS));
                Corruption::unless(is_right, || alloc::format!("segment {segment} is {one:?} and not {expected:?}"))?;
                if one.first != NONE {
                    let mid = one.lo.midpoint(one.hi);
                    let half = Segment { parent: segment, ..one };
                    next.push((one.first, Segment { hi: mid, ..half }));
                    next.push((one.first + 1, Segment { lo: mid, ..half }));
                }
            }
            level = next;
        }
        Ok(())
    }

    /// Every pair of segments that is not seen is free, once.
    pub(super) fn validate_free(&self, mut seen: Vec<bool>) -> Result<(), Corruption> {
        let whole = self.segments.len() % 2 == 0;
        let mut free = |at: u32| seen.get_mut(at as usize).is_some_and(|seen| !core::mem::replace(seen, true));
        let are_free = whole && self.free.iter().all(|&first| first % 2 == 0 && free(first) && free(first + 1));
        Corruption::unless(are_free && seen.iter().all(|&seen| seen), || {
            "segments of lines are neither used nor free".into()
        })
    }

    /// No segment is seen yet.
    pub(super) fn none_seen(&self) -> Vec<bool> {
        alloc::vec![false; self.segments.len()]
    }
}

/// Iterator over segments, a whole before its halves.
#[derive(Clone, Debug)]
pub(super) struct Touching<'a, S> {
    lines: &'a Lines<S>,
    top: u32,
    /// [`NONE`] when there are no more.
    next: u32,
    range: [S; 2],
}

impl<S: Scalar> Touching<'_, S> {
    /// The segment after this one, skipping its halves.
    fn beyond(&self, mut segment: u32) -> u32 {
        while segment != self.top {
            let parent = self.lines.get(segment).parent;
            let is_lower = segment % 2 == 0;
            if is_lower && self.touches_upper(parent) {
                return segment + 1;
            }
            segment = parent;
        }
        NONE
    }

    fn touches_upper(&self, segment: u32) -> bool {
        let one = self.lines.get(segment);
        self.range[1] >= one.lo.midpoint(one.hi)
    }

    fn touches_lower(&self, segment: u32) -> bool {
        let one = self.lines.get(segment);
        self.range[0] < one.lo.midpoint(one.hi)
    }
}

impl<S: Scalar> Iterator for Touching<'_, S> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        let segment = self.next;
        if segment == NONE {
            return None;
        }
        self.next = match self.lines.halves(segment) {
            Some([lower, _]) if self.touches_lower(segment) => lower,
            Some([_, upper]) if self.touches_upper(segment) => upper,
            _ => self.beyond(segment),
        };
        Some(segment)
    }
}
