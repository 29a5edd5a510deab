//! An index as a collection: named iterators, `Extend`, and bulk removal.

use alloc::vec::{self, Vec};
use core::iter::{Enumerate, FusedIterator};
use core::slice;

use super::Index;
use crate::geometry::{Aabb, Scalar};
use crate::structure::Structure;

/// An iterator over all ids with their boxes, in order of ids: see [`Index::iter`].
#[derive(Clone, Debug)]
pub struct IndexIter<'a, S> {
    boxes: Enumerate<slice::Iter<'a, Aabb<S>>>,
    left: usize,
}

impl<S: Scalar> Iterator for IndexIter<'_, S> {
    type Item = (u32, Aabb<S>);

    #[inline]
    // Casts: there are fewer than 2^31 places.
    fn next(&mut self) -> Option<Self::Item> {
        let (id, bounds) = self.boxes.find(|(_, bounds)| bounds.is_ordered())?;
        self.left -= 1;
        Some((id as u32, *bounds))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<S: Scalar> ExactSizeIterator for IndexIter<'_, S> {}
impl<S: Scalar> FusedIterator for IndexIter<'_, S> {}

/// # As a collection
impl<I: Structure> Index<I> {
    /// All ids with their boxes, in order of ids.
    pub fn iter(&self) -> IndexIter<'_, I::Scalar> {
        IndexIter { boxes: self.all.boxes.all().iter().enumerate(), left: self.len() }
    }

    /// Removes all boxes except those to [`keep`](Vec::retain).
    pub fn retain(&mut self, mut keep: impl FnMut(u32, Aabb<I::Scalar>) -> bool) {
        let gone: Vec<u32> = self.iter().filter(|&(id, bounds)| !keep(id, bounds)).map(|(id, _)| id).collect();
        for id in gone {
            self.remove(id);
        }
    }
}

impl<I: Structure> IntoIterator for Index<I> {
    type Item = (u32, Aabb<I::Scalar>);
    type IntoIter = vec::IntoIter<(u32, Aabb<I::Scalar>)>;

    /// Ids and boxes, in order of ids.
    fn into_iter(self) -> Self::IntoIter {
        self.iter().collect::<Vec<_>>().into_iter()
    }
}

impl<'a, I: Structure> IntoIterator for &'a Index<I> {
    type Item = (u32, Aabb<I::Scalar>);
    type IntoIter = IndexIter<'a, I::Scalar>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<I: Structure> Extend<Aabb<I::Scalar>> for Index<I> {
    /// Inserts boxes.
    ///
    /// # Panics
    /// Panics if a box is NaN, infinite or inverted; [`insert`](Index::insert) returns an error instead.
    fn extend<B: IntoIterator<Item = Aabb<I::Scalar>>>(&mut self, boxes: B) {
        let boxes = boxes.into_iter();
        self.reserve(boxes.size_hint().0);
        for bounds in boxes {
            self.insert(bounds).expect("boxes are valid");
        }
    }
}

impl<I: Structure> FromIterator<Aabb<I::Scalar>> for Index<I> {
    /// An index with default options; ids are positions.
    ///
    /// # Panics
    /// Panics if a box is NaN, infinite or inverted; [`from_boxes`](Index::from_boxes) returns an error instead.
    fn from_iter<B: IntoIterator<Item = Aabb<I::Scalar>>>(boxes: B) -> Self {
        Self::from_boxes(&boxes.into_iter().collect::<Vec<_>>()).expect("boxes are valid")
    }
}
