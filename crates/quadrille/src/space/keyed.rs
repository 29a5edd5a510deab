//! Boxes under keys that the caller already has.

use alloc::collections::BTreeMap;
use alloc::vec::{self, Vec};
use core::cmp::Ordering;
use core::fmt;

use super::Space;
use super::queries::Things;
use crate::ask::{ByName, Naming, Order, Resolver, View, faces};
use crate::broad_phase::{Events, Exact, Margin, Mobility};
use crate::error::{Corruption, Error};
use crate::geometry::{Aabb, Scalar};
use crate::storage::{Agreement, Handle, Layers};
use crate::structure::{FrameTree, Structure};

/// A [`Space`] in which boxes have your own keys: entities of an ECS, `u64`s from a database.
///
/// In the manual: `docs/cookbook/events.md#triggers-by-key-in-an-ecs`.
///
/// | to | call |
/// |---|---|
/// | add or move, and remove | [`set`](Self::set), [`remove`](Self::remove) |
/// | move everything, once a frame | [`update_all`](Self::update_all) |
/// | look up | [`get`](Self::get), [`contains`](Self::contains), [`iter`](Self::iter) |
/// | find what a rectangle, a circle, a ray meets | [`query`](Self::query) |
/// | find the nearest, the first hit | [`query_first`](Self::query_first) |
/// | find all pairs that overlap | [`pairs`](Self::pairs) |
/// | learn which pairs began and ended | [`step_events`](Self::step_events) |
///
/// It stores only keys and their boxes; your program keeps what a key stands for. Each key has at most one box. Looking
/// up a key takes logarithmic time. Queries do not look up keys and cost the same as in a space.
///
/// **In order of keys.** The lower key of a pair comes first, and the lowest key wins a tie; events, contacts and
/// impacts come in order of keys. So two sets that hold the same boxes agree, whatever their histories. Only the order
/// in which [`query`](Self::query) and [`pairs`](Self::pairs) list what they find depends on the structure and on what
/// happened to it: sort the list where that matters.
///
/// ```
/// use quadrille::{Aabb, At, Keyed};
///
/// let mut near = Keyed::<u64>::default();
/// near.set(4711, Aabb::new([0.0, 0.0], [2.0, 2.0]))?;
/// near.set(42, Aabb::new([1.0, 1.0], [3.0, 3.0]))?;
/// near.set(4711, Aabb::new([9.0, 9.0], [9.5, 9.5]))?;
/// assert_eq!(near.query(At([2.0, 2.0])).collect::<Vec<_>>(), [42]);
/// assert!(near.remove(42).is_some() && near.remove(42).is_none());
/// # Ok::<(), quadrille::Error>(())
/// ```
#[derive(Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "UnvalidatedKeyed<K, I>"))]
#[cfg_attr(
    feature = "serde",
    serde(bound(
        serialize = "K: serde::Serialize, I: serde::Serialize",
        deserialize = "K: Ord + Copy + serde::Deserialize<'de>, I: serde::Deserialize<'de>"
    ))
)]
pub struct Keyed<K, I: Structure = FrameTree> {
    pub(super) space: Space<K, I>,
    /// Derived from the things in the space.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(super) handles: BTreeMap<K, Handle>,
    /// Events of the last step, as handles. Kept to reuse their memory.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(super) events: Events,
}

impl<K: fmt::Debug, I: Structure> fmt::Debug for Keyed<K, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Keyed").field("space", &self.space).finish_non_exhaustive()
    }
}

impl<K, I: Structure> Default for Keyed<K, I> {
    fn default() -> Self {
        Self { space: Space::default(), handles: BTreeMap::new(), events: Events::default() }
    }
}

impl<K: Ord + Copy, I: Structure> Keyed<K, I> {
    /// An empty set over a structure with these options.
    ///
    /// # Errors
    /// Names the option, its value and the rule it breaks.
    pub fn new(options: I::Options) -> Result<Self, Error> {
        Ok(Self { space: Space::new(options)?, handles: BTreeMap::new(), events: Events::default() })
    }

    /// Inserts or updates the box of a key, and returns the old box if there was one.
    ///
    /// # Errors
    /// If the box is NaN, infinite or inverted (names the value), or if there are already 2^31 - 1 boxes.
    ///
    /// ```
    /// use quadrille::{Aabb, Keyed};
    ///
    /// let mut near = Keyed::<u64>::default();
    /// assert_eq!(near.set(42, Aabb::new([0.0, 0.0], [1.0, 1.0]))?, None);
    /// let old = near.set(42, Aabb::new([2.0, 0.0], [3.0, 1.0]))?; // a key has one box: it has moved
    /// assert_eq!((old.map(|bounds| bounds.min), near.len()), (Some([0.0, 0.0]), 1));
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    pub fn set(&mut self, key: K, bounds: Aabb<I::Scalar>) -> Result<Option<Aabb<I::Scalar>>, Error> {
        if let Some(&handle) = self.handles.get(&key) {
            return self.space.update(handle, bounds).map(Some);
        }
        self.handles.insert(key, self.space.insert(bounds, key)?);
        Ok(None)
    }

    /// Updates the box of every key and calls [`maintain`](Self::maintain): a whole frame in one call. See
    /// [`Space::update_each`].
    ///
    /// ```
    /// use quadrille::{Aabb, Keyed};
    ///
    /// let mut things = Keyed::<u8>::default();
    /// things.set(7, Aabb::new([0.0, 0.0], [1.0, 1.0]))?;
    /// things.set(9, Aabb::new([5.0, 0.0], [6.0, 1.0]))?;
    /// things.update_all(|key| Aabb::from_center([f32::from(key), 0.0], [1.5, 1.0]))?;
    /// assert_eq!(things.pairs().collect::<Vec<_>>(), [(7, 9)]);
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    ///
    /// # Errors
    /// If a box is NaN, infinite or inverted: names the value. Nothing has changed in that case.
    pub fn update_all(&mut self, mut bounds: impl FnMut(K) -> Aabb<I::Scalar>) -> Result<(), Error> {
        self.space.update_each(|_, key| bounds(*key))
    }

    /// Removes a key with its box and returns the box; `None` if the key has none. Its contacts end in the next
    /// [`step_events`](Self::step_events).
    ///
    /// ```
    /// use quadrille::{Aabb, Keyed};
    ///
    /// let mut near = Keyed::<u64>::default();
    /// near.set(42, Aabb::new([0.0, 0.0], [1.0, 1.0]))?;
    /// assert!(near.remove(42).is_some() && near.remove(42).is_none());
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    pub fn remove(&mut self, key: K) -> Option<Aabb<I::Scalar>> {
        let handle = self.handles.remove(&key)?;
        let bounds = self.space.bounds(handle);
        // Events yet to be reported name the key.
        if self.space.boxes.has_events() {
            self.space.retire(handle);
        } else {
            self.space.remove(handle);
        }
        bounds
    }

    /// The box of a key.
    ///
    /// ```
    /// use quadrille::{Aabb, Keyed};
    ///
    /// let mut near = Keyed::<u64>::default();
    /// near.set(42, Aabb::from_point([3.0, 4.0]))?;
    /// assert_eq!(near.get(42), Some(Aabb::from_point([3.0, 4.0])));
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    #[must_use]
    pub fn get(&self, key: K) -> Option<Aabb<I::Scalar>> {
        self.space.bounds(self.handle(key)?)
    }

    /// The handle of a key in the underlying [`space`](Self::space).
    fn handle(&self, key: K) -> Option<Handle> {
        self.handles.get(&key).copied()
    }

    fn known(&self, key: K) -> Result<Handle, Error> {
        self.handle(key).ok_or_else(Error::unknown_key)
    }

    /// The key of a handle. A removed key can still be looked up until the [`step_events`](Self::step_events) after the
    /// one that reports its last events.
    fn key(&self, handle: Handle) -> Option<K> {
        self.space.get(handle).or_else(|| self.space.retired(handle)).copied()
    }

    /// Sets the layers of a key's box and returns the old ones: see
    /// [`Index::set_layers`](crate::Index::set_layers).
    ///
    /// # Errors
    /// If the key has no box.
    ///
    /// ```
    /// use quadrille::{Aabb, Keyed, Layers};
    ///
    /// let mut near = Keyed::<&str>::default();
    /// near.set("gate", Aabb::new([0.0, 0.0], [1.0, 1.0]))?;
    /// near.set("guest", Aabb::from_point([0.5, 0.5]))?;
    /// near.set_layers("guest", Layers::new(2, 0))?; // on layer 2, collides with nothing
    /// assert_eq!(near.pairs_count(), 0);
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    pub fn set_layers(&mut self, key: K, layers: Layers) -> Result<Layers, Error> {
        self.space.set_layers(self.known(key)?, layers)
    }

    /// Sets the layers of many keys' boxes: see [`Index::set_layers_batch`](crate::Index::set_layers_batch). All or
    /// nothing: if one key is rejected, nothing changes.
    ///
    /// # Errors
    /// If a key has no box: names its position.
    pub fn set_layers_batch(&mut self, changes: &[(K, Layers)]) -> Result<(), Error> {
        let known = |(position, &(key, layers))| match self.known(key) {
            Ok(handle) => Ok((handle, layers)),
            Err(error) => Err(Error::at(error, position)),
        };
        let changes: Vec<_> = changes.iter().enumerate().map(known).collect::<Result<_, _>>()?;
        self.space.set_layers_batch(&changes)
    }

    /// The layers of a key's box; `None` if the key has no box.
    #[must_use]
    pub fn layers(&self, key: K) -> Option<Layers> {
        self.space.layers(self.handle(key)?)
    }

    /// Sets when the layers of two boxes meet: see [`Space::set_agreement`].
    pub fn set_agreement(&mut self, agreement: Agreement) {
        self.space.set_agreement(agreement);
    }

    /// Sets how large fat boxes are: see [`Space::set_margin`].
    ///
    /// ```
    /// use quadrille::{Aabb, Keyed, Margin};
    ///
    /// let mut near = Keyed::<u32>::default();
    /// near.set_margin(Margin::Absolute(0.5)); // five to ten frames of motion
    /// near.set(1, Aabb::from_point([0.0, 0.0]))?;
    /// near.set(1, Aabb::from_point([0.25, 0.0]))?; // one comparison
    /// assert_eq!(near.get(1), Some(Aabb::from_point([0.25, 0.0])));
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    pub fn set_margin(&mut self, margin: Margin<I::Scalar>) {
        self.space.set_margin(margin);
    }

    /// Sets the margin of a single key's box; `None` goes back to the common margin. See [`Space::set_margin_of`].
    ///
    /// # Errors
    /// If the key has no box.
    pub fn set_margin_of(&mut self, key: K, margin: Option<Margin<I::Scalar>>) -> Result<(), Error> {
        self.space.set_margin_of(self.known(key)?, margin)
    }

    /// Sets whether the box of a key can meet fixed boxes: see [`Space::set_mobility`].
    ///
    /// # Errors
    /// If the key has no box.
    pub fn set_mobility(&mut self, key: K, mobility: Mobility) -> Result<(), Error> {
        self.space.set_mobility(self.known(key)?, mobility)
    }

    /// Whether the box of a key can meet fixed boxes; `None` if the key has no box.
    #[must_use]
    pub fn mobility(&self, key: K) -> Option<Mobility> {
        self.space.mobility(self.handle(key)?)
    }

    /// `true` if the key has a box.
    ///
    /// ```
    /// use quadrille::{Aabb, Keyed};
    ///
    /// let mut near = Keyed::<u32>::default();
    /// near.set(1, Aabb::from_point([0.0, 0.0]))?;
    /// assert!(near.contains(1) && !near.contains(2));
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    #[must_use]
    pub fn contains(&self, key: K) -> bool {
        self.handles.contains_key(&key)
    }

    /// How many keys have boxes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.handles.len()
    }

    /// `true` if no key has a box.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.handles.is_empty()
    }

    /// Removes all keys and keeps the memory.
    pub fn clear(&mut self) {
        if self.space.boxes.has_events() {
            self.retain(|_, _| false);
        }
        self.handles.clear();
        self.space.clear();
    }

    /// Reserves memory for `additional` more keys.
    pub fn reserve(&mut self, additional: usize) {
        self.space.reserve(additional);
    }

    /// Does deferred work: see [`Index::maintain`](crate::Index::maintain).
    pub fn maintain(&mut self) {
        self.space.maintain();
    }

    /// The underlying space, for everything else you can ask. Its things are the keys.
    #[must_use]
    pub fn space(&self) -> &Space<K, I> {
        &self.space
    }

    /// Finds the pairs of keys that began and ceased to overlap since the last call, including those that ended because
    /// a key was removed: see [`Space::step_events`]. Both lists come in order of keys, the lower key of a pair first.
    ///
    /// From the first call on, keys that are removed are kept until the call after next: a program that has no more use
    /// for events should drop the set and fill another, or go on calling.
    ///
    /// ```
    /// use quadrille::{Aabb, Events, Keyed};
    ///
    /// let mut near = Keyed::<&str>::default();
    /// near.set("door", Aabb::new([0.0, 0.0], [1.0, 1.0]))?;
    /// near.set("player", Aabb::from_point([5.0, 5.0]))?;
    /// let mut events = Events::default();
    /// near.step_events(&mut events);
    /// near.set("player", Aabb::from_point([0.5, 0.5]))?;
    /// near.step_events(&mut events);
    /// assert_eq!(events.begin, [("door", "player")]);
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    pub fn step_events(&mut self, events: &mut Events<K>) {
        let mut handles = core::mem::take(&mut self.events);
        self.space.step_events(&mut handles);
        for (from, to) in [(&handles.begin, &mut events.begin), (&handles.end, &mut events.end)] {
            to.clear();
            to.extend(self.pairs_of_keys(from.iter().copied()));
            to.sort_unstable();
        }
        self.events = handles;
    }

    /// The pairs that overlap now and also did at the previous step, as of the last [`step_events`](Self::step_events):
    /// see [`Space::staying`]. In order of keys; allocates a list.
    ///
    /// ```
    /// use quadrille::{Aabb, Events, Keyed};
    ///
    /// let mut keyed = Keyed::<u64>::default();
    /// keyed.set(7, Aabb::new([0.0, 0.0], [1.0, 1.0]))?;
    /// keyed.set(3, Aabb::new([0.5, 0.0], [1.5, 1.0]))?;
    /// let mut events = Events::default();
    /// keyed.step_events(&mut events);
    /// assert_eq!(keyed.staying().count(), 0, "the pair has only just begun");
    /// keyed.step_events(&mut events);
    /// assert_eq!(keyed.staying().collect::<Vec<_>>(), [(3, 7)]);
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    pub fn staying(&self) -> impl Iterator<Item = (K, K)> {
        self.in_order(self.space.staying())
    }

    /// The pairs that overlap, as of the last [`step_events`](Self::step_events): see [`Space::contacts`]. In order of
    /// keys; allocates a list.
    ///
    /// ```
    /// use quadrille::{Aabb, Events, Keyed};
    ///
    /// let mut near = Keyed::<u32>::default();
    /// near.set(1, Aabb::new([0.0, 0.0], [2.0, 2.0]))?;
    /// near.set(2, Aabb::new([1.0, 1.0], [3.0, 3.0]))?;
    /// near.step_events(&mut Events::default());
    /// assert_eq!(near.contacts().collect::<Vec<_>>(), [(1, 2)]);
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    pub fn contacts(&self) -> impl Iterator<Item = (K, K)> {
        self.in_order(self.space.contacts())
    }

    /// Pairs of handles as pairs of keys, the lower one first.
    fn pairs_of_keys(&self, pairs: impl Iterator<Item = (Handle, Handle)>) -> impl Iterator<Item = (K, K)> {
        pairs.filter_map(|(a, b)| self.key(a).zip(self.key(b))).map(|(a, b)| (a.min(b), a.max(b)))
    }

    fn in_order(&self, pairs: impl Iterator<Item = (Handle, Handle)>) -> vec::IntoIter<(K, K)> {
        let mut pairs: Vec<_> = self.pairs_of_keys(pairs).collect();
        pairs.sort_unstable();
        pairs.into_iter()
    }

    /// Checks the underlying space, and that it agrees with the keys.
    ///
    /// # Errors
    /// Says which parts contradict each other. This is always a bug in this library: please report it.
    pub fn validate(&self) -> Result<(), Corruption> {
        self.space.validate()?;
        let is_sound =
            self.len() == self.space.len() && self.space.iter().all(|(at, &key)| self.handle(key) == Some(at));
        Corruption::unless(is_sound, || "the keys and the space differ".into())
    }
}

faces! {
    impl [K: Ord + Copy, I: Structure] Keyed<K, I>;
    item K; name K; thing ();
    one key: K => |keyed| keyed.handle(key).map(Handle::id);
    other [L: Ord + Copy, J: Structure<Scalar = I::Scalar>] Keyed<L, J>; item L; name L;
    par [K: Send + Sync];
}

impl<K: Ord + Copy, I: Structure> Keyed<K, I> {
    fn view(&self) -> View<'_, I, Keys<'_, K, I::Scalar>> {
        self.space.index().view_by(Keys(self.space.things()))
    }
}

/// Exact boxes, and keys.
#[derive(Clone, Copy)]
struct Keys<'a, K, S: Copy>(Things<'a, K, S>);

impl<K: Ord + Copy, S: Scalar> Order for Keys<'_, K, S> {
    const IS_BY_ID: bool = false;

    #[inline]
    fn compare(self, a: u32, b: u32) -> Ordering {
        self.0.thing(a).cmp(self.0.thing(b))
    }
}

impl<'a, K: Ord + Copy, S: Scalar> Resolver<S> for Keys<'a, K, S> {
    type Exact = Exact<'a, S>;
    type Order = Self;
    type Item = K;
    type Name = K;
    type Thing = ();

    #[inline]
    fn exact_boxes(self) -> Exact<'a, S> {
        self.0.exact_boxes()
    }

    #[inline]
    fn order(self) -> Self {
        self
    }

    fn naming(self) -> impl Naming<Name = K> {
        ByName(move |id| self.name(id), |_| None)
    }

    #[inline]
    fn item(self, id: u32) -> K {
        *self.0.thing(id)
    }

    #[inline]
    fn name(self, id: u32) -> K {
        *self.0.thing(id)
    }

    #[inline]
    fn thing(self, _id: u32) {}
}

/// The one field of a [`Keyed`] that is stored.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
#[serde(rename = "Keyed", bound = "K: serde::Deserialize<'de>, I: serde::Deserialize<'de>")]
pub(crate) struct UnvalidatedKeyed<K, I: Structure> {
    space: super::Unvalidated<K, I>,
}

#[cfg(feature = "serde")]
impl<K: Ord + Copy, I: Structure> TryFrom<UnvalidatedKeyed<K, I>> for Keyed<K, I> {
    type Error = Corruption;

    fn try_from(UnvalidatedKeyed { space }: UnvalidatedKeyed<K, I>) -> Result<Self, Corruption> {
        let space = Space::try_from(space)?;
        let handles: BTreeMap<K, Handle> = space.iter().map(|(handle, &key)| (key, handle)).collect();
        Corruption::unless(handles.len() == space.len(), || "a key has several boxes".into())?;
        Ok(Self { space, handles, events: Events::default() })
    }
}
