//! The region quadtree: its parts, and what changes it.

use core::{fmt, iter};

use super::census::{Census, Part};
use super::frame::{Frame, Quad, area};
use super::leaves::{Counts, LeafChange, LeafId, Record};
use super::objects::{Entry, Objects};
use super::pages::MAX_LEAVES;
use super::rule::{AtMost, Region, Rule};
use super::shape::Shape;
use crate::Aabb;
use crate::error::Error;

/// A quadtree over a map of `width × height` cells that hold objects, divided by the caller's [`Rule`].
///
/// Best at: which leaf is a cell in; maps of areas that are mostly alike, where a leaf stands for many cells; maps
/// that change while they are used. A map of noise is better kept as a bitmap, and things that are not on cells in one
/// of the box structures.
///
/// Cells are whole numbers from (0, 0), x to the right and y down; a rectangle of cells is an
/// [`Aabb<i32>`](crate::Aabb) with closed edges. Any sides up to 2^29 − 1 will do, not only powers of two. An object
/// is any small ordered value: an id, or `()` for a mere mark. A cell may hold many objects, but each only once.
///
/// | | cost |
/// |---|---|
/// | leaf of a cell | one read for each three levels of the map: 3 for 1024 × 1024 cells, at most 10 |
/// | smallest node that covers two cells | the same |
/// | leaves in a rectangle, neighbours | that for each leaf |
/// | insert, remove | O(log n), and where leaves split or merge, their objects are counted once; none is moved |
/// | memory | 24 bytes a leaf, 256 for each third level of a divided node, 8 and the object's own, up to twice, an object |
///
/// Everything comes in **Morton order**: children 0 to 3 (north-west, north-east, south-west, south-east), depth
/// first. The same calls give the same tree, ids and order everywhere.
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

/// The most objects there can be, so that a count fits 32 bits.
const MAX_OBJECTS: usize = u32::MAX as usize;

impl<T: Copy + Ord, R: Rule> RegionQuadtree<T, R> {
    /// An empty map. It is one leaf, unless the rule divides empty regions.
    ///
    /// # Errors
    /// A side is 0 or greater than 2^29 − 1.
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

    /// Puts an object into a cell. `false` if it is there already.
    ///
    /// # Errors
    /// The cell is not on the map; the map is full, with 2^32 − 1 objects.
    pub fn insert(&mut self, cell: [i32; 2], object: T) -> Result<bool, Error> {
        let (leaf, code) = self.locate(cell)?;
        self.check_room(1)?;
        let is_new = self.put(leaf, Entry::new(code, object));
        if is_new {
            self.settle(leaf, code);
        }
        Ok(is_new)
    }

    /// Takes an object out of a cell. `false` if it is not there, or the cell not on the map.
    pub fn remove(&mut self, cell: [i32; 2], object: T) -> bool {
        let Ok((leaf, code)) = self.locate(cell) else { return false };
        let was_there = self.take(leaf, Entry::new(code, object));
        if was_there {
            self.settle(leaf, code);
        }
        was_there
    }

    /// Takes all objects out of a cell, and out of that cell only. Returns how many there were.
    pub fn remove_all(&mut self, cell: [i32; 2]) -> usize {
        let Ok((leaf, code)) = self.locate(cell) else { return 0 };
        let mut count = 0;
        while let Some(&entry) = self.objects.range(code..code + 1).next() {
            self.take(leaf, entry);
            count += 1;
        }
        if count > 0 {
            self.settle(leaf, code);
        }
        count
    }

    /// Moves an object from one cell to another. `false`, and no change, if it is not in the first. Should the second
    /// hold its equal already, the two become one. A node that holds as much as before stays as it is.
    ///
    /// # Errors
    /// The second cell is not on the map.
    pub fn update(&mut self, object: T, from: [i32; 2], to: [i32; 2]) -> Result<bool, Error> {
        let (new_leaf, new_code) = self.locate(to)?;
        let Ok((old_leaf, old_code)) = self.locate(from) else { return Ok(false) };
        let was_there = self.take(old_leaf, Entry::new(old_code, object));
        if was_there {
            self.put(new_leaf, Entry::new(new_code, object));
            self.settle(new_leaf, new_code);
            // By now the old leaf may have ended.
            self.settle(self.locate(from)?.0, old_code);
        }
        Ok(was_there)
    }

    /// Takes all objects out.
    pub fn clear(&mut self) {
        self.objects.clear();
        self.shape.uproot(Quad::ROOT);
        self.grow(Quad::ROOT);
    }

    /// Asks the rule about a leaf again, for rules that depend on more than the map. `false` if the leaf has ended
    /// already.
    pub fn sync(&mut self, leaf: LeafId) -> bool {
        let Some(leaf) = self.leaf(leaf) else { return false };
        if let Ok((leaf, code)) = self.locate(leaf.rect.min) {
            self.settle(leaf, code);
        }
        true
    }

    /// Sets another rule. Nothing changes before the next change to a leaf, or [`sync`](Self::sync).
    pub fn set_rule(&mut self, rule: R) {
        self.rule = rule;
    }

    /// From now on, changes to leaves are written down for [`drain_changes`](Self::drain_changes), beginning with all
    /// present leaves as created. Has no effect the second time.
    pub fn watch(&mut self) {
        if self.shape.changes.is_none() {
            self.shape.changes = Some(self.leaves().map(LeafChange::Created).collect());
        }
    }

    /// What happened to the leaves since the last call, in order; nothing unless [watched](Self::watch).
    ///
    /// Of each split or merge first the leaves removed, then those created, each in Morton order. However many levels
    /// a split or merge goes through, leaves that would live only in between do not occur. Created less removed is the
    /// number of leaves, whenever all changes have been drained.
    ///
    /// A list and not a callback, so that its reader finds the tree consistent and may change it.
    pub fn drain_changes(&mut self) -> impl Iterator<Item = LeafChange> + '_ {
        self.shape.changes.iter_mut().flat_map(|changes| changes.drain(..))
    }

    /// The leaf and the Morton code of a cell.
    pub(super) fn locate(&self, cell: [i32; 2]) -> Result<(u32, u64), Error> {
        let quad = self.shape.frame.checked_quad(cell)?;
        Ok((self.shape.leaf_at(quad), self.shape.frame.codes(quad).start))
    }

    pub(super) fn check_room(&self, more: usize) -> Result<(), Error> {
        if self.len().saturating_add(more) <= MAX_OBJECTS { Ok(()) } else { Err(Error::full(MAX_OBJECTS)) }
    }

    /// Adds an object and counts it, without a look at the rule. `false` if it is there already.
    pub(super) fn put(&mut self, leaf: u32, entry: Entry<T>) -> bool {
        let is_new = self.objects.insert(entry);
        if is_new {
            let is_alone = self.objects.up_to_two_in_cell_of(entry) == 1;
            let counts = self.shape.leaves.counts_mut(leaf);
            counts.objects += 1;
            counts.occupied += u32::from(is_alone);
        }
        is_new
    }

    /// Takes an object out and counts it, without a look at the rule. `false` if it is not there.
    fn take(&mut self, leaf: u32, entry: Entry<T>) -> bool {
        let was_there = self.objects.remove(&entry);
        if was_there {
            let was_alone = self.objects.up_to_two_in_cell_of(entry) == 0;
            let counts = self.shape.leaves.counts_mut(leaf);
            counts.objects -= 1;
            counts.occupied -= u32::from(was_alone);
        }
        was_there
    }

    /// Gives a leaf that changed at the cell of this code the shape that the rule wants: splits it if the rule does
    /// not stop there; else merges it with its siblings, if all are leaves and the rule stops at their parent, and so
    /// on upwards.
    pub(super) fn settle(&mut self, leaf: u32, code: u64) {
        let Record { quad, counts, .. } = *self.shape.leaves.get(leaf);
        let rect = self.shape.frame.cells(quad);
        if !self.stops(rect, counts, true) {
            self.shape.uproot(quad);
            let is_full_but_one = counts.objects == counts.occupied && u64::from(counts.occupied) + 1 == area(rect);
            if is_full_but_one && self.objects.range(code..code + 1).next().is_none() {
                self.grow_part(quad, Part::AllBut(code));
            } else {
                self.grow(quad);
            }
        } else if let Some((quad, counts)) = self.merged(quad, counts) {
            self.shape.uproot(quad);
            self.shape.plant(quad, counts);
        }
    }

    /// The highest ancestor that should be a leaf in the place of this one and its siblings, and what it counts.
    fn merged(&self, quad: Quad, counts: Counts) -> Option<(Quad, Counts)> {
        let parent = |&(quad, counts): &_| {
            let (parent, counts) = self.shape.with_siblings(quad, counts)?;
            self.stops(self.shape.frame.cells(parent), counts, false).then_some((parent, counts))
        };
        iter::successors(Some((quad, counts)), parent).skip(1).last()
    }

    /// Plants the leaves of a quad that has none. The objects are counted by cell once; as they come in Morton order,
    /// each child's share is a slice of that, found by bisection.
    fn grow(&mut self, quad: Quad) {
        let codes = self.shape.frame.codes(quad);
        let census = Census::new(self.objects.range(codes).map(Entry::code));
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

    /// The rule, and the two things it is not asked about: a single cell, and the end of the numbers for leaves.
    fn stops(&self, rect: Aabb<i32>, Counts { objects, occupied }: Counts, is_leaf: bool) -> bool {
        rect.min == rect.max
            || self.shape.leaves.len() >= MAX_LEAVES
            || self.rule.stops(&Region { rect, objects, occupied, is_leaf })
    }
}

impl<T, R> fmt::Debug for RegionQuadtree<T, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [width, height] = self.shape.frame.size();
        write!(f, "RegionQuadtree({width} x {height}, {} leaves)", self.shape.leaves.len())
    }
}
