//! Spaces and keyed sets as collections: named iterators, `Extend`, and bulk removal.

use alloc::collections::btree_map;
use alloc::vec::{self, Vec};
use core::iter::{Enumerate, FusedIterator};
use core::ops::{Index, IndexMut};
use core::slice;

use super::{Keyed, Slot, Space};
use crate::geometry::Aabb;
use crate::query::Query;
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
#[expect(clippy::cast_possible_truncation, reason = "there are fewer than 2^31 places")]
fn handle_at<T>(id: usize, slot: &Slot<T>) -> Handle {
    slot.handle(id as u32)
}

impl<'a, T> Iterator for SpaceIter<'a, T> {
    type Item = (Handle, &'a T);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let found = self.slots.find_map(|(at, slot)| Some((handle_at(at, slot), slot.thing.as_ref()?)))?;
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
        let found = self.slots.find_map(|(at, slot)| Some((handle_at(at, slot), slot.thing.as_mut()?)))?;
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
        self.view().iter().map(|(id, bounds)| self.entry(id, bounds))
    }

    /// All things whose boxes `query` accepts, with their boxes: see [`query`](Self::query).
    ///
    /// ```
    /// use quadrille::{Aabb, At, Space};
    ///
    /// let mut space = Space::<&str>::default();
    /// let bounds = Aabb::new([0.0, 0.0], [2.0, 1.0]);
    /// let cat = space.insert(bounds, "cat")?;
    /// assert_eq!(space.query_entries(At([1.0, 1.0])).collect::<Vec<_>>(), [(cat, bounds, &"cat")]);
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    pub fn query_entries<Q: Query<I::Scalar>>(&self, query: Q) -> impl Iterator<Item = (Handle, Aabb<I::Scalar>, &T)> {
        let exact = |id| self.boxes.get(id).expect("answers are in use");
        self.view().ids(query).map(move |id| self.entry(id, exact(id)))
    }

    fn entry(&self, id: u32, bounds: Aabb<I::Scalar>) -> (Handle, Aabb<I::Scalar>, &T) {
        let (handle, thing) = self.at(id);
        (handle, bounds, thing)
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
            if slot.thing.as_mut().is_some_and(|thing| !keep(handle, thing)) {
                self.remove(handle);
            }
        }
    }

    /// Removes everything and returns boxes and things in order of ids. Keeps the memory: see [`clear`](Self::clear).
    ///
    /// ```
    /// use quadrille::{Aabb, Space};
    ///
    /// let mut space = Space::<&str>::default();
    /// space.insert(Aabb::new([0.0, 0.0], [1.0, 1.0]), "cat")?;
    /// let things: Vec<&str> = space.drain().map(|(_, thing)| thing).collect();
    /// assert_eq!((things, space.len()), (vec!["cat"], 0));
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    pub fn drain(&mut self) -> vec::IntoIter<(Aabb<I::Scalar>, T)> {
        let boxes: Vec<_> = self.view().iter().map(|(_, bounds)| bounds).collect();
        self.clear_boxes();
        let things = self.slots.iter_mut().filter_map(Slot::take);
        boxes.into_iter().zip(things).collect::<Vec<_>>().into_iter()
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
    fn into_iter(mut self) -> Self::IntoIter {
        self.drain()
    }
}

impl<T, I: Structure> Extend<(Aabb<I::Scalar>, T)> for Space<T, I> {
    /// Inserts boxes with their things.
    ///
    /// # Panics
    /// If a box is NaN, infinite or inverted: [`insert`](Space::insert) returns an error instead.
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
    /// If a box is NaN, infinite or inverted: [`with_items`](Space::with_items) returns an error instead.
    fn from_iter<B: IntoIterator<Item = (Aabb<I::Scalar>, T)>>(items: B) -> Self {
        Self::with_items(I::Options::default(), items).expect("boxes are valid")
    }
}

impl<T, I: Structure> Index<Handle> for Space<T, I> {
    type Output = T;

    /// # Panics
    /// If the handle is stale: see [`get`](Space::get).
    fn index(&self, handle: Handle) -> &T {
        self.get(handle).expect("the handle is good")
    }
}

impl<T, I: Structure> IndexMut<Handle> for Space<T, I> {
    /// # Panics
    /// If the handle is stale: see [`get_mut`](Space::get_mut).
    fn index_mut(&mut self, handle: Handle) -> &mut T {
        self.get_mut(handle).expect("the handle is good")
    }
}

/// An iterator over all keys with their boxes, in order of keys: see [`Keyed::iter`].
#[derive(Clone, Debug)]
pub struct KeyedIter<'a, K, I: Structure> {
    space: &'a Space<K, I>,
    handles: btree_map::Iter<'a, K, Handle>,
}

impl<K: Copy, I: Structure> Iterator for KeyedIter<'_, K, I> {
    type Item = (K, Aabb<I::Scalar>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let (&key, &handle) = self.handles.next()?;
        self.space.bounds(handle).map(|bounds| (key, bounds))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.handles.size_hint()
    }
}

impl<K: Copy, I: Structure> ExactSizeIterator for KeyedIter<'_, K, I> {}
impl<K: Copy, I: Structure> FusedIterator for KeyedIter<'_, K, I> {}

/// # As a collection
impl<K: Ord + Copy, I: Structure> Keyed<K, I> {
    /// All keys with their boxes, in order of keys.
    pub fn iter(&self) -> KeyedIter<'_, K, I> {
        KeyedIter { space: &self.space, handles: self.handles.iter() }
    }

    /// Removes all keys except those to [`keep`](Vec::retain).
    pub fn retain(&mut self, mut keep: impl FnMut(K, Aabb<I::Scalar>) -> bool) {
        let gone: Vec<K> = self.iter().filter(|&(key, bounds)| !keep(key, bounds)).map(|(key, _)| key).collect();
        for key in gone {
            self.remove(key);
        }
    }

    /// Removes all keys and returns them with their boxes, in order of keys. Keeps the memory: see
    /// [`clear`](Self::clear).
    pub fn drain(&mut self) -> vec::IntoIter<(K, Aabb<I::Scalar>)> {
        let all: Vec<_> = self.iter().collect();
        self.clear();
        all.into_iter()
    }
}

impl<K: Ord + Copy, I: Structure> IntoIterator for Keyed<K, I> {
    type Item = (K, Aabb<I::Scalar>);
    type IntoIter = vec::IntoIter<(K, Aabb<I::Scalar>)>;

    /// Keys and boxes, in order of keys.
    fn into_iter(mut self) -> Self::IntoIter {
        self.drain()
    }
}

impl<'a, K: Ord + Copy, I: Structure> IntoIterator for &'a Keyed<K, I> {
    type Item = (K, Aabb<I::Scalar>);
    type IntoIter = KeyedIter<'a, K, I>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<K: Ord + Copy, I: Structure> Extend<(K, Aabb<I::Scalar>)> for Keyed<K, I> {
    /// Sets the boxes of keys.
    ///
    /// # Panics
    /// If a box is NaN, infinite or inverted: [`set`](Keyed::set) returns an error instead.
    fn extend<B: IntoIterator<Item = (K, Aabb<I::Scalar>)>>(&mut self, items: B) {
        for (key, bounds) in items {
            self.set(key, bounds).expect("boxes are valid");
        }
    }
}

impl<K: Ord + Copy, I: Structure> FromIterator<(K, Aabb<I::Scalar>)> for Keyed<K, I> {
    /// A keyed set with default options. If a key has several boxes, the last one counts.
    ///
    /// # Panics
    /// If a box is NaN, infinite or inverted: [`set`](Keyed::set) returns an error instead.
    fn from_iter<B: IntoIterator<Item = (K, Aabb<I::Scalar>)>>(items: B) -> Self {
        let items: alloc::collections::BTreeMap<_, _> = items.into_iter().collect();
        let space: Space<K, I> = items.into_iter().map(|(key, bounds)| (bounds, key)).collect();
        let handles = space.iter().map(|(handle, &key)| (key, handle)).collect();
        Self { space, handles, ..Self::default() }
    }
}
