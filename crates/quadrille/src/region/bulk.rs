//! Many objects at a time: bulk loading from lists and functions, and batch inserts.

use alloc::vec::Vec;

use super::frame::Frame;
use super::objects::Entry;
use super::rule::Rule;
use super::tree::RegionQuadtree;
use crate::error::Error;

impl<T: Copy + Ord, R: Rule> RegionQuadtree<T, R> {
    /// Bulk loads a map with these objects in their cells. Duplicates count once. O(n log n): the objects are sorted in
    /// Morton order, then every leaf is made once.
    ///
    /// # Errors
    /// Returns an error if a side is 0 or greater than 2^29 − 1, if a cell is not on the map (the message names the first), or if
    /// there are more than 2^32 − 1 objects.
    pub fn from_objects(
        width: u32,
        height: u32,
        rule: R,
        objects: impl IntoIterator<Item = ([i32; 2], T)>,
    ) -> Result<Self, Error> {
        let frame = Frame::new(width, height)?;
        let objects = entries(&frame, objects)?.into_iter().collect();
        Self::with_objects(frame, rule, objects)
    }

    /// A map with the objects that `object` returns for each cell. It is called once for every cell, row by row.
    ///
    /// # Errors
    /// Returns the same errors as [`from_objects`](Self::from_objects).
    pub fn from_fn(
        width: u32,
        height: u32,
        rule: R,
        mut object: impl FnMut([i32; 2]) -> Option<T>,
    ) -> Result<Self, Error> {
        let map = Frame::new(width, height)?.map();
        let cells = (0..=map.max[1]).flat_map(|y| (0..=map.max[0]).map(move |x| [x, y]));
        Self::from_objects(width, height, rule, cells.filter_map(|cell| Some((cell, object(cell)?))))
    }

    /// Inserts many objects and returns how many were new. They are sorted in Morton order, and each leaf is updated
    /// once, with everything that is new in it.
    ///
    /// # Errors
    /// Returns an error if a cell is not on the map, or the map would hold more than 2^32 − 1 objects. In that case
    /// nothing has been inserted.
    pub fn insert_all(&mut self, objects: impl IntoIterator<Item = ([i32; 2], T)>) -> Result<usize, Error> {
        let mut entries = entries(&self.shape.frame, objects)?;
        self.check_room(entries.len())?;
        entries.sort_unstable();
        let before = self.len();
        let mut rest = entries.as_slice();
        while let Some(first) = rest.first() {
            let leaf = self.shape.leaf_at(self.shape.frame.quad_of_code(first.code()));
            let end = self.shape.frame.codes(self.shape.leaves.get(leaf).quad).end;
            let (group, others) = rest.split_at(rest.partition_point(|entry| entry.code() < end));
            for &entry in group {
                self.put(leaf, entry);
            }
            self.settle(leaf, first.code());
            rest = others;
        }
        Ok(self.len() - before)
    }
}

pub(super) fn entries<T>(
    frame: &Frame,
    objects: impl IntoIterator<Item = ([i32; 2], T)>,
) -> Result<Vec<Entry<T>>, Error> {
    let entry = |(cell, object)| Ok(Entry::new(frame.codes(frame.checked_quad(cell)?).start, object));
    objects.into_iter().map(entry).collect()
}
