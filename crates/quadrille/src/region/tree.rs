//! The region quadtree: its parts, and what changes it.

use core::{fmt, iter};

use super::census::{Census, Part};
use super::frame::{Frame, Quad, area};
use super::leaves::{Counts, LeafChange, LeafId, Record};
use super::objects::{Entry, Objects, in_codes, up_to_two_in_cell_of};
use super::pages::MAX_LEAVES;
use super::rule::{AtMost, Region, Rule};
use super::shape::Shape;
use crate::Aabb;
use crate::error::{Cause, Error};

/// A quadtree over a map of `width × height` cells that hold objects, divided by the caller's [`Rule`].
///
/// In the manual: `docs/structures/region-quadtree.md`.
///
/// Best for finding the leaf of a cell, for maps with large uniform areas, where one leaf holds many cells, and for
/// maps that change while in use. For a noisy map use a bitmap instead, and for objects that are not in cells one of the box
/// structures.
///
/// Cells are whole numbers from (0, 0), x to the right and y down. A rectangle of cells is an
/// [`Aabb<i32>`](crate::Aabb) with closed edges. Sides may have any length up to 2^29 − 1, not only powers of two. An
/// object is any small ordered value: an id, or `()` for a simple mark. A cell may hold many objects, but each of them
/// only once.
///
/// | | cost |
/// |---|---|
/// | leaf of a cell | one read for every three levels of the map: 3 for 1024 × 1024 cells, at most 10 |
/// | smallest node that covers two cells | the same |
/// | leaves in a rectangle, neighbors | the same per leaf |
/// | insert, remove | O(log n); if leaves split or merge, their objects are counted once, but none is moved |
/// | memory | 24 bytes per leaf, 256 for each third level of a divided node; per object 8 bytes and its own, up to twice |
///
/// Everything comes in **Morton order**: children 0 to 3 (northwest, northeast, southwest, southeast), depth first. The
/// same calls give the same tree, ids and order everywhere.
///
/// ```
/// use quadrille::region::{AtMost, RegionQuadtree};
/// use quadrille::Aabb;
///
/// let mut map = RegionQuadtree::new(100, 60, AtMost { objects: 2, slack: 0 })?;
/// for (id, cell) in [[3, 4], [3, 5], [80, 10]].into_iter().enumerate() {
///     map.insert(cell, id)?;
/// }
/// let leaf = map.leaf_at([80, 10]).expect("on the map");
/// assert_eq!(leaf.rect, Aabb::new([50, 0], [99, 29]));
/// assert_eq!(leaf.objects, 1);
/// assert_eq!(map.objects_in(Aabb::new([0, 0], [10, 4])).collect::<Vec<_>>(), [([3, 4], 0)]);
/// # Ok::<(), quadrille::Error>(())
/// ```
#[derive(Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(into = "super::restored::Unvalidated<T, R>"))]
#[cfg_attr(feature = "serde", serde(try_from = "super::restored::Unvalidated<T, R>"))]
#[cfg_attr(
    feature = "serde",
    serde(bound(
        serialize = "T: Copy + Ord + serde::Serialize, R: Rule + Clone + serde::Serialize",
        deserialize = "T: Copy + Ord + serde::Deserialize<'de>, R: Rule + serde::Deserialize<'de>"
    ))
)]
pub struct RegionQuadtree<T = (), R = AtMost> {
    pub(super) shape: Shape,
    pub(super) objects: Objects<T>,
    pub(super) rule: R,
}

/// The most objects there can be, so that a count fits in 32 bits.
const MAX_OBJECTS: usize = u32::MAX as usize;

impl<T: Copy + Ord, R: Rule> RegionQuadtree<T, R> {
    /// An empty map. It is one leaf, unless the rule divides empty regions.
    ///
    /// # Errors
    /// Returns an error if a side is 0 or greater than 2^29 − 1.
    pub fn new(width: u32, height: u32, rule: R) -> Result<Self, Error> {
        Self::from_objects(width, height, rule, [])
    }

    pub(super) fn with_objects(frame: Frame, rule: R, objects: Objects<T>) -> Result<Self, Error> {
        let mut tree = Self { shape: Shape::new(frame), objects, rule };
        tree.check_room(0)?;
        tree.grow(Quad::ROOT);
        tree.shape.shrink_to_fit();
        Ok(tree)
    }

    /// Puts an object into a cell. Returns `false` if it is already there.
    ///
    /// # Errors
    /// Returns an error if the cell is not on the map, or the map is full, with 2^32 − 1 objects.
    pub fn insert(&mut self, cell: [i32; 2], object: T) -> Result<bool, Error> {
        let (leaf, code) = self.locate(cell)?;
        self.check_room(1)?;
        let is_new = self.put(leaf, Entry::new(code, object));
        if is_new {
            self.settle(leaf, code);
        }
        Ok(is_new)
    }

    /// Removes an object from a cell. Returns `false` if it is not there or the cell is not on the map.
    pub fn remove(&mut self, cell: [i32; 2], object: T) -> bool {
        let Ok((leaf, code)) = self.locate(cell) else { return false };
        let was_there = self.take(leaf, Entry::new(code, object));
        if was_there {
            self.settle(leaf, code);
        }
        was_there
    }

    /// Removes all objects from a cell, and from that cell only. Returns how many there were.
    pub fn remove_all(&mut self, cell: [i32; 2]) -> usize {
        let Ok((leaf, code)) = self.locate(cell) else { return 0 };
        let mut count = 0;
        while let Some(&entry) = in_codes(&self.objects, code..code + 1).next() {
            self.take(leaf, entry);
            count += 1;
        }
        if count > 0 {
            self.settle(leaf, code);
        }
        count
    }

    /// Moves an object from one cell to another. Returns `false`, and changes nothing, if it is not in the first cell.
    /// If the second cell already holds an equal object, the two become one. A node whose counts do not change keeps
    /// its shape.
    ///
    /// # Errors
    /// Returns an error if the second cell is not on the map.
    pub fn update(&mut self, object: T, from: [i32; 2], to: [i32; 2]) -> Result<bool, Error> {
        let (new_leaf, new_code) = self.locate(to)?;
        let Ok((old_leaf, old_code)) = self.locate(from) else { return Ok(false) };
        let was_there = self.take(old_leaf, Entry::new(old_code, object));
        if was_there {
            self.put(new_leaf, Entry::new(new_code, object));
            self.settle(new_leaf, new_code);
            // The old leaf may be gone by now.
            self.settle(self.locate(from)?.0, old_code);
        }
        Ok(was_there)
    }

    /// Removes all objects.
    pub fn clear(&mut self) {
        self.objects.clear();
        self.shape.uproot(Quad::ROOT);
        self.grow(Quad::ROOT);
    }

    /// Applies the rule to a leaf again, for rules that depend on more than the map. Returns `false` if the leaf no
    /// longer exists.
    pub fn sync(&mut self, leaf: LeafId) -> bool {
        let Some(leaf) = self.leaf(leaf) else { return false };
        if let Ok((leaf, code)) = self.locate(leaf.rect.min) {
            self.settle(leaf, code);
        }
        true
    }

    /// Sets another rule. It takes effect with the next change to a leaf, or with [`sync`](Self::sync).
    pub fn set_rule(&mut self, rule: R) {
        self.rule = rule;
    }

    /// From now on, records changes to leaves for [`drain_changes`](Self::drain_changes), starting with all present
    /// leaves as created. Calling it again has no effect.
    pub fn watch(&mut self) {
        if self.shape.changes.is_none() {
            self.shape.changes = Some(self.leaves().map(LeafChange::Created).collect());
        }
    }

    /// What happened to the leaves since the last call, in order; nothing unless [watched](Self::watch).
    ///
    /// Each split or merge first reports the removed leaves, then the created ones, each in Morton order. If a split or
    /// merge spans several levels, leaves that would exist only in between do not appear. Once all changes are drained,
    /// created minus removed is the number of leaves. A leaf that stays is not reported, even if what is in it changes.
    ///
    /// This is a list and not a callback, so the reader sees a consistent tree and may change it.
    ///
    /// ```
    /// use quadrille::region::{AllSame, LeafChange, RegionQuadtree};
    ///
    /// let mut map = RegionQuadtree::new(4, 4, AllSame)?;
    /// map.watch();
    /// map.insert([0, 0], ())?;
    /// let (mut created, mut removed) = (0, 0);
    /// for change in map.drain_changes() {
    ///     match change {
    ///         LeafChange::Created(_) => created += 1,
    ///         LeafChange::Removed(_) => removed += 1,
    ///     }
    /// }
    /// assert_eq!((created - removed, map.leaf_count()), (7, 7));
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    pub fn drain_changes(&mut self) -> impl Iterator<Item = LeafChange> + '_ {
        self.shape.changes.iter_mut().flat_map(|changes| changes.drain(..))
    }

    /// The leaf and the Morton code of a cell.
    pub(super) fn locate(&self, cell: [i32; 2]) -> Result<(u32, u64), Error> {
        let quad = self.shape.frame.checked_quad(cell)?;
        Ok((self.shape.leaf_at(quad), self.shape.frame.codes(quad).start))
    }

    pub(super) fn check_room(&self, more: usize) -> Result<(), Error> {
        if self.len().saturating_add(more) <= MAX_OBJECTS {
            Ok(())
        } else {
            Err(Cause::Full { most: MAX_OBJECTS }.into())
        }
    }

    /// Adds an object and counts it, without calling the rule. `false` if it is already there.
    pub(super) fn put(&mut self, leaf: u32, entry: Entry<T>) -> bool {
        let is_new = self.objects.insert(entry);
        if is_new {
            let is_alone = up_to_two_in_cell_of(&self.objects, entry) == 1;
            let counts = self.shape.leaves.counts_mut(leaf);
            counts.objects += 1;
            counts.occupied += u32::from(is_alone);
        }
        is_new
    }

    /// Removes an object and counts it, without calling the rule. `false` if it is not there.
    fn take(&mut self, leaf: u32, entry: Entry<T>) -> bool {
        let was_there = self.objects.remove(&entry);
        if was_there {
            let was_alone = up_to_two_in_cell_of(&self.objects, entry) == 0;
            let counts = self.shape.leaves.counts_mut(leaf);
            counts.objects -= 1;
            counts.occupied -= u32::from(was_alone);
        }
        was_there
    }

    /// Gives a leaf that changed at the cell of this code the shape that the rule requires. Splits it if the rule does
    /// not stop there. Otherwise merges it with its siblings if all are leaves and the rule stops at their parent, and
    /// so on upward.
    pub(super) fn settle(&mut self, leaf: u32, code: u64) {
        let Record { quad, counts, .. } = *self.shape.leaves.get(leaf);
        let rect = self.shape.frame.cells(quad);
        if !self.stops(rect, counts, true) {
            self.shape.uproot(quad);
            let is_full_but_one = counts.objects == counts.occupied && u64::from(counts.occupied) + 1 == area(rect);
            if is_full_but_one && in_codes(&self.objects, code..code + 1).next().is_none() {
                self.grow_part(quad, Part::AllBut(code));
            } else {
                self.grow(quad);
            }
        } else if let Some((quad, counts)) = self.merged(quad, counts) {
            self.shape.uproot(quad);
            self.shape.plant(quad, counts);
        }
    }

    /// The highest ancestor that should be a leaf in place of this one and its siblings, and its counts.
    fn merged(&self, quad: Quad, counts: Counts) -> Option<(Quad, Counts)> {
        let parent = |&(quad, counts): &_| {
            let (parent, counts) = self.shape.with_siblings(quad, counts)?;
            self.stops(self.shape.frame.cells(parent), counts, false).then_some((parent, counts))
        };
        iter::successors(Some((quad, counts)), parent).skip(1).last()
    }

    /// Plants the leaves of a quad that has none. The objects are counted by cell once. Because they come in Morton
    /// order, each child's share is a slice, found by bisection.
    fn grow(&mut self, quad: Quad) {
        let codes = self.shape.frame.codes(quad);
        let census = Census::new(in_codes(&self.objects, codes).map(Entry::code));
        self.grow_part(quad, census.whole());
    }

    fn grow_part(&mut self, quad: Quad, part: Part<'_>) {
        let frame = &self.shape.frame;
        let Some(rect) = frame.rect(quad) else { return };
        let codes = frame.codes(quad);
        let part = part.within(&codes);
        let counts = part.counts(&codes, area(rect));
        if self.stops(rect, counts, true) {
            self.shape.plant(quad, counts);
        } else {
            quad.children().into_iter().for_each(|child| self.grow_part(child, part));
        }
    }

    /// The rule, and the two cases in which it is not called: a single cell, and a leaf that has no numbers for others.
    fn stops(&self, rect: Aabb<i32>, Counts { objects, occupied }: Counts, is_leaf: bool) -> bool {
        rect.min == rect.max
            || is_leaf && self.shape.leaves.len() >= MAX_LEAVES
            || self.rule.stops(&Region { rect, objects, occupied, is_leaf })
    }
}

impl<T, R> fmt::Debug for RegionQuadtree<T, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [width, height] = self.shape.frame.size();
        write!(f, "RegionQuadtree({width} x {height}, {} leaves)", self.shape.leaves.len())
    }
}

#[cfg(test)]
mod tests {
    use super::{AtMost, MAX_LEAVES, RegionQuadtree};

    #[test]
    fn at_the_limit_nothing_divides_or_merges() {
        let mut map = RegionQuadtree::new(64, 64, AtMost { objects: 1, slack: 0 }).expect("a map");
        for cell in (0..4096).map(|number| [number % 64, number / 64]) {
            map.insert(cell, 0).expect("a cell of the map");
        }
        let full = map.leaf_count();
        assert!((MAX_LEAVES..MAX_LEAVES + 128).contains(&full), "{full}");
        map.insert([0, 0], 1).expect("a cell of the map");
        map.validate().expect("a sound map");
        assert_eq!(map.leaf_count(), full);
    }
}
