//! The objects of the whole map, in one ordered set.
//!
//! They are ordered by the Morton code of their cell's quad, so the objects of any node are adjacent in it. A node
//! therefore needs no list of its own: it is a span of codes. The leaf stores a count, and neither a split nor a merge
//! moves an object.

use alloc::collections::{BTreeSet, btree_set};
use core::iter::FusedIterator;
use core::ops::Range;

use super::frame::{Frame, Quad, Window};
use crate::Aabb;

/// An object in its cell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Entry<T> {
    /// Twice the cell's code, plus one.
    key: u64,
    pub(super) object: T,
}

impl<T> Entry<T> {
    pub(super) fn new(code: u64, object: T) -> Self {
        Self { key: 2 * code + 1, object }
    }

    pub(super) fn code(&self) -> u64 {
        self.key / 2
    }

    /// Before all objects of the cell and after all of earlier cells, whatever object it is made with: its key is even.
    fn before(code: u64, object: T) -> Self {
        Self { key: 2 * code, object }
    }
}

/// See the [module](self).
pub(super) type Objects<T> = BTreeSet<Entry<T>>;

/// The objects of a span of codes.
pub(super) fn in_codes<T: Copy + Ord>(objects: &Objects<T>, codes: Range<u64>) -> btree_set::Range<'_, Entry<T>> {
    // Any object will do to make the bounds. If there is none, the span is empty too.
    match objects.first() {
        Some(any) => objects.range(Entry::before(codes.start, any.object)..Entry::before(codes.end, any.object)),
        None => objects.range(..),
    }
}

/// How many objects are in this object's cell, at most two: enough to know whether one is alone. With one bound
/// instead of two, searching the set takes half the time.
pub(super) fn up_to_two_in_cell_of<T: Copy + Ord>(objects: &Objects<T>, entry: Entry<T>) -> usize {
    let from_here = objects.range(Entry::before(entry.code(), entry.object)..);
    from_here.take(2).take_while(|other| other.key == entry.key).count()
}

/// The objects in a rectangle, in Morton order of their cells and in their own order within a cell.
///
/// Runs through the ordered set and skips the spans of codes outside the rectangle: the range query of R.
/// Bayer, *The universal B-tree for multidimensional indexing*, 1997.
#[derive(Clone, Debug)]
pub(super) struct ObjectsIn<'a, T> {
    objects: &'a Objects<T>,
    frame: &'a Frame,
    /// The rest of the set, and where the answers are.
    rest: Option<(btree_set::Range<'a, Entry<T>>, Window)>,
}

impl<'a, T: Copy + Ord> ObjectsIn<'a, T> {
    pub(super) fn new(objects: &'a Objects<T>, frame: &'a Frame, rect: Aabb<i32>) -> Self {
        let range = |window: Window| in_codes(objects, Self::codes(frame, window.first, window.last));
        Self { objects, frame, rest: frame.window(rect).map(|window| (range(window), window)) }
    }

    fn codes(frame: &Frame, first: Quad, last: Quad) -> Range<u64> {
        frame.codes(first).start..frame.codes(last).end
    }
}

impl<T: Copy + Ord> Iterator for ObjectsIn<'_, T> {
    type Item = ([i32; 2], T);

    fn next(&mut self) -> Option<Self::Item> {
        let (entries, window) = self.rest.as_mut()?;
        loop {
            let entry = entries.next()?;
            let quad = self.frame.quad_of_code(entry.code());
            let cell = self.frame.first_cell(quad);
            if window.rect.contains_point(cell) {
                return Some((cell, entry.object));
            }
            let next = self.frame.next(quad, window)?;
            *entries = in_codes(self.objects, Self::codes(self.frame, next, window.last));
        }
    }
}

impl<T: Copy + Ord> FusedIterator for ObjectsIn<'_, T> {}
