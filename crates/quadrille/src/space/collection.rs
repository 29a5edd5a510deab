//! A space as a collection: named iterators, `Extend`, and bulk removal.

use alloc::vec::{self, Vec};
use core::iter::{Enumerate, FusedIterator};
use core::ops::{Index, IndexMut};
use core::slice;

use super::{Slot, Space, handle};
use crate::geometry::Aabb;
use crate::storage::Handle;
use crate::structure::Structure;

/// An iterator over all handles with their things, in order of ids: see [`Space::iter`].
#[derive(Clone, Debug)]
pub struct SpaceIter<'a, T> {
    slots: Enumerate<slice::Iter<'a, Slot<T>>>,
    left: usize,
}

/// An iterator over all handles with mutable things, in order of ids: see [`Space::iter_mut`].
#[derive(Debug)]
pub struct SpaceIterMut<'a, T> {
    slots: Enumerate<slice::IterMut<'a, Slot<T>>>,
    left: usize,
}

/// The handle of the thing at this slot.
// Casts: there are fewer than 2^31 places.
fn handle_at<T>(id: usize, slot: &Slot<T>) -> Handle {
    handle(slot, id as u32)
}

impl<'a, T> Iterator for SpaceIter<'a, T> {
    type Item = (Handle, &'a T);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let found = self.slots.find_map(|(at, slot)| Some((handle_at(at, slot), slot.1.as_ref()?)))?;
        self.left -= 1;
        Some(found)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<'a, T> Iterator for SpaceIterMut<'a, T> {
    type Item = (Handle, &'a mut T);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let found = self.slots.find_map(|(at, slot)| Some((handle_at(at, slot), slot.1.as_mut()?)))?;
        self.left -= 1;
        Some(found)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<T> ExactSizeIterator for SpaceIter<'_, T> {}
impl<T> FusedIterator for SpaceIter<'_, T> {}
impl<T> ExactSizeIterator for SpaceIterMut<'_, T> {}
impl<T> FusedIterator for SpaceIterMut<'_, T> {}

/// # As a collection
impl<T, I: Structure> Space<T, I> {
    /// All handles with their things, in order of ids.
    ///
    /// ```
    /// use quadrille::{Aabb, Space};
    ///
    /// let mut space = Space::<&str>::default();
    /// let cat = space.insert(Aabb::new([0.0, 0.0], [1.0, 1.0]), "cat")?;
    /// assert_eq!(space.iter().collect::<Vec<_>>(), [(cat, &"cat")]);
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    pub fn iter(&self) -> SpaceIter<'_, T> {
        SpaceIter { slots: self.slots.iter().enumerate(), left: self.len() }
    }

    /// All handles with mutable access to their things, in order of ids.
    pub fn iter_mut(&mut self) -> SpaceIterMut<'_, T> {
        let left = self.len();
        SpaceIterMut { slots: self.slots.iter_mut().enumerate(), left }
    }

    /// All handles with their boxes and things, in order of ids.
    pub fn entries(&self) -> impl Iterator<Item = (Handle, Aabb<I::Scalar>, &T)> {
        self.boxes.iter().map(|(id, bounds)| {
            let (handle, thing) = self.at(id);
            (handle, bounds, thing)
        })
    }

    /// Removes all things except those to [`keep`](Vec::retain).
    ///
    /// ```
    /// use quadrille::{Aabb, Space};
    ///
    /// let mut space = Space::<u32>::default();
    /// for lives in [9, 0, 3] {
    ///     space.insert(Aabb::new([0.0, 0.0], [1.0, 1.0]), lives)?;
    /// }
    /// space.retain(|_, lives| *lives > 0);
    /// assert_eq!(space.len(), 2);
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    pub fn retain(&mut self, mut keep: impl FnMut(Handle, &mut T) -> bool) {
        for at in 0..self.slots.len() {
            let slot = &mut self.slots[at];
            let handle = handle_at(at, slot);
            if slot.1.as_mut().is_some_and(|thing| !keep(handle, thing)) {
                self.remove(handle);
            }
        }
    }
}

impl<'a, T, I: Structure> IntoIterator for &'a Space<T, I> {
    type Item = (Handle, &'a T);
    type IntoIter = SpaceIter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a, T, I: Structure> IntoIterator for &'a mut Space<T, I> {
    type Item = (Handle, &'a mut T);
    type IntoIter = SpaceIterMut<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

impl<T, I: Structure> IntoIterator for Space<T, I> {
    type Item = (Aabb<I::Scalar>, T);
    type IntoIter = vec::IntoIter<(Aabb<I::Scalar>, T)>;

    /// Boxes and things, in order of ids.
    fn into_iter(self) -> Self::IntoIter {
        let boxes: Vec<_> = self.boxes.iter().map(|(_, bounds)| bounds).collect();
        let things = self.slots.into_iter().filter_map(|slot| slot.1);
        boxes.into_iter().zip(things).collect::<Vec<_>>().into_iter()
    }
}

impl<T, I: Structure> Extend<(Aabb<I::Scalar>, T)> for Space<T, I> {
    /// Inserts boxes with their things.
    ///
    /// # Panics
    /// Panics if a box is NaN, infinite or inverted; [`insert`](Space::insert) returns an error instead.
    fn extend<B: IntoIterator<Item = (Aabb<I::Scalar>, T)>>(&mut self, items: B) {
        let items = items.into_iter();
        self.reserve(items.size_hint().0);
        for (bounds, thing) in items {
            self.insert(bounds, thing).expect("boxes are valid");
        }
    }
}

impl<T, I: Structure> FromIterator<(Aabb<I::Scalar>, T)> for Space<T, I> {
    /// A space with default options.
    ///
    /// # Panics
    /// Panics if a box is NaN, infinite or inverted; [`with_items`](Space::with_items) returns an error instead.
    fn from_iter<B: IntoIterator<Item = (Aabb<I::Scalar>, T)>>(items: B) -> Self {
        Self::with_items(I::Options::default(), items).expect("boxes are valid")
    }
}

impl<T, I: Structure> Index<Handle> for Space<T, I> {
    type Output = T;

    /// # Panics
    /// Panics if the handle is stale; [`get`](Space::get) returns `None` instead.
    fn index(&self, handle: Handle) -> &T {
        let Some(thing) = self.get(handle) else { panic!("{}", self.stale(handle)) };
        thing
    }
}

impl<T, I: Structure> IndexMut<Handle> for Space<T, I> {
    /// # Panics
    /// Panics if the handle is stale; [`get_mut`](Space::get_mut) returns `None` instead.
    fn index_mut(&mut self, handle: Handle) -> &mut T {
        assert!(self.contains(handle), "{}", self.stale(handle));
        self.get_mut(handle).expect("it is there")
    }
}
