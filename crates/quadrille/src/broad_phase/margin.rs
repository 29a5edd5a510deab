//! Fat boxes: room to move without an update of the index.

use alloc::vec::Vec;

use crate::error::Corruption;
use crate::geometry::{Aabb, Scalar};

/// How much larger than a box its *fat* box is: the one that a [`Space`](crate::Space) gives to its index.
///
/// In the manual: `docs/concepts.md#margins`.
///
/// While the box stays within the fat one, an update costs one comparison. Queries are still exact: the space checks
/// the exact boxes before it answers. So margins make updates cheaper, and queries, pairs and events dearer. They can pay
/// in quadtrees and grids, where a box that moves changes lists. In a [`FrameTree`](crate::FrameTree) an update costs two
/// comparisons anyway, and events take longer with margins.
///
/// ```
/// use quadrille::{Aabb, Margin, Space};
///
/// let mut space = Space::<()>::default();
/// space.set_margin(Margin::Absolute(0.5));
/// let thing = space.insert(Aabb::new([0.0, 0.0], [1.0, 1.0]), ())?;
/// let moved = Aabb::new([0.25, 0.0], [1.25, 1.0]);
/// space.update(thing, moved)?; // within the fat box: the index does not change
/// assert_eq!(space.bounds(thing), Some(moved));
/// assert_eq!(space.index().get(thing.id()), Some(Aabb::new([-0.5, -0.5], [1.5, 1.5])));
/// # Ok::<(), quadrille::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Margin<S = f32> {
    /// No fat boxes: every update goes to the index.
    #[default]
    None,
    /// The given amount on every side, in units of the world.
    Absolute(S),
    /// `margin` on every side, plus the displacement of the last update times `steps` in its direction.
    Stretched {
        /// Units of the world, on every side.
        margin: S,
        /// How many more updates like the last one the fat box should last.
        steps: f32,
    },
}

impl<S: Scalar> Margin<S> {
    /// The fat box around `bounds`, which was `old` before. Negative and NaN margins count as none. The fat box ends
    /// where the range of numbers ends.
    pub(super) fn around(&self, bounds: &Aabb<S>, old: &Aabb<S>) -> Aabb<S> {
        let grown = |margin: f64| bounds.with_margin(S::from_f64(margin.max(0.0)));
        let fat = match *self {
            Self::None => *bounds,
            Self::Absolute(margin) => grown(margin.to_f64()),
            Self::Stretched { margin, steps } => {
                let steps = f64::from(steps).max(0.0);
                let ahead =
                    [0, 1].map(|axis| S::from_f64(steps * (bounds.min[axis].to_f64() - old.min[axis].to_f64())));
                grown(margin.to_f64()).union(&grown(margin.to_f64()).with_offset(ahead))
            }
        };
        if fat.is_valid() && fat.contains(bounds) { fat } else { *bounds }
    }
}

/// The margins of single boxes.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(bound = "S: Scalar", from = "ById<S>", into = "ById<S>"))]
struct Own<S> {
    /// As long as the largest id that has had one: boxes with a margin come and go at no cost for others.
    by_id: ById<S>,
    /// How many there are.
    count: usize,
}

type ById<S> = Vec<Option<Margin<S>>>;

impl<S> From<ById<S>> for Own<S> {
    fn from(by_id: ById<S>) -> Self {
        let count = by_id.iter().flatten().count();
        Self { by_id, count }
    }
}

#[cfg(feature = "serde")]
impl<S> From<Own<S>> for ById<S> {
    fn from(own: Own<S>) -> Self {
        own.by_id
    }
}

impl<S: Scalar> Own<S> {
    #[inline]
    fn get(&self, id: u32) -> Option<Margin<S>> {
        self.by_id.get(id as usize).copied().flatten()
    }

    fn set(&mut self, id: u32, margin: Option<Margin<S>>) {
        if margin.is_some() && id as usize >= self.by_id.len() {
            self.by_id.resize(id as usize + 1, None);
        }
        if let Some(place) = self.by_id.get_mut(id as usize) {
            self.count += usize::from(margin.is_some());
            self.count -= usize::from(place.is_some());
            *place = margin;
        }
    }

    fn clear(&mut self) {
        self.by_id.clear();
        self.count = 0;
    }
}

/// The exact boxes, where the index holds fat ones. Empty, and free, until a margin is set.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(bound = "S: Scalar"))]
pub(super) struct FatBoxes<S> {
    /// For boxes without a margin of their own.
    common: Margin<S>,
    own: Own<S>,
    /// By id, free slots included; empty while there is no margin.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::hulls"))]
    exact: Vec<Aabb<S>>,
}

impl<S: Scalar> FatBoxes<S> {
    pub(super) const fn new() -> Self {
        Self { common: Margin::None, own: Own { by_id: Vec::new(), count: 0 }, exact: Vec::new() }
    }

    /// Boxes come and go; the common margin stays.
    pub(super) fn clear(&mut self) {
        self.own.clear();
        self.exact.clear();
    }

    /// `true` if nothing has a margin: after their next update, the boxes in the index are the exact boxes.
    pub(super) fn has_no_margin(&self) -> bool {
        self.common == Margin::None && self.own.count == 0
    }

    /// `true` if there are no margins, and the boxes in the index are the exact ones.
    #[inline]
    pub(super) fn are_off(&self) -> bool {
        self.is_empty() && self.has_no_margin()
    }

    /// The index holds the exact boxes again.
    pub(super) fn forget_exact(&mut self) {
        self.exact.clear();
    }

    /// `true` if the boxes in the index are the exact boxes.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.exact.is_empty()
    }

    pub(super) fn set_common(&mut self, margin: Margin<S>) {
        self.common = margin;
    }

    pub(super) fn set_own(&mut self, id: u32, margin: Option<Margin<S>>) {
        self.own.set(id, margin);
    }

    /// Keeps the exact boxes from now on. `boxes` are those of all ids, and still the exact ones if this has not begun.
    pub(super) fn begin(&mut self, boxes: impl Iterator<Item = (u32, Aabb<S>)>) {
        if self.exact.is_empty() {
            boxes.for_each(|(id, bounds)| self.remember(id, bounds));
        }
    }

    /// Stores the box of `id` and returns the fat box for the index. `current` is the fat box in the index; it is
    /// returned again if the new box still fits. `others` gives the boxes of all ids, for when the first margin
    /// appears.
    pub(super) fn fit<'a>(
        &mut self,
        id: u32,
        bounds: Aabb<S>,
        current: Option<Aabb<S>>,
        others: impl Iterator<Item = (u32, Aabb<S>)> + 'a,
    ) -> Aabb<S> {
        let margin = self.own.get(id).unwrap_or(self.common);
        if margin == Margin::None && self.exact.is_empty() {
            return bounds;
        }
        self.begin(others);
        let old = current.map_or(bounds, |_| self.exact[id as usize]);
        self.remember(id, bounds);
        match current {
            Some(fat) if margin != Margin::None && fat.contains(&bounds) => fat,
            _ => margin.around(&bounds, &old),
        }
    }

    fn remember(&mut self, id: u32, bounds: Aabb<S>) {
        let slots = self.exact.len().max(id as usize + 1);
        self.exact.resize(slots, Aabb::EMPTY);
        self.exact[id as usize] = bounds;
    }

    /// Forgets the margin of one box.
    pub(super) fn forget(&mut self, id: u32) {
        self.own.set(id, None);
    }

    /// Each box is valid and lies within its fat box.
    pub(super) fn validate(&self, mut fat_boxes: impl Iterator<Item = (u32, Aabb<S>)>) -> Result<(), Corruption> {
        let is_sound = |(id, fat): (u32, Aabb<S>)| match self.exact.get(id as usize) {
            Some(exact) => exact.is_valid() && fat.contains(exact),
            None => self.exact.is_empty(),
        };
        Corruption::unless(fat_boxes.all(is_sound), || "a box sticks out of its fat box".into())
    }

    /// The exact box; `None` if it is the one in the index.
    #[inline]
    pub(super) fn exact(&self, id: u32) -> Option<Aabb<S>> {
        self.exact.get(id as usize).copied()
    }

    /// The exact box where its fat box is seen, perhaps moved by whole worlds. It stays within the fat box even where
    /// moving rounds.
    #[inline]
    pub(super) fn exact_in(&self, id: u32, seen: &Aabb<S>, fat: Option<Aabb<S>>) -> Aabb<S> {
        let Some((exact, fat)) = self.exact(id).zip(fat) else { return *seen };
        let offset = [0, 1].map(|axis| seen.min[axis].minus(fat.min[axis]));
        if fat == *seen { exact } else { exact.with_offset(offset).intersection(seen).unwrap_or(*seen) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fat_boxes_hold_the_box_and_reach_where_it_is_going() {
        let (old, new) = (Aabb::new([0.0_f32, 0.0], [2.0, 1.0]), Aabb::new([1.0, 0.0], [3.0, 1.0]));
        assert_eq!(Margin::None.around(&new, &old), new);
        assert_eq!(Margin::Absolute(0.5).around(&new, &old), Aabb::new([0.5, -0.5], [3.5, 1.5]));
        let stretched = Margin::Stretched { margin: 0.0, steps: 4.0 };
        assert_eq!(stretched.around(&new, &old), Aabb::new([1.0, 0.0], [7.0, 1.0]));
    }

    #[test]
    fn margins_beyond_the_numbers_fall_back_to_the_box() {
        let huge = Aabb::new([f32::MIN, 0.0], [f32::MAX, 1.0]);
        assert_eq!(Margin::Absolute(f32::INFINITY).around(&huge, &huge), huge);
        for bad in [f32::NAN, -1.0, f32::MAX, f32::INFINITY] {
            let fat = Margin::Absolute(bad).around(&huge, &huge);
            assert!(fat.is_valid() && fat.contains(&huge));
        }
        let edge = Aabb::new([i32::MIN, 0], [i32::MAX, 1]);
        assert_eq!(Margin::Absolute(5).around(&edge, &edge), Aabb::new([i32::MIN, -5], [i32::MAX, 6]));
    }
}
