//! Floor 6: a set of things with places, on top of an [`Index`].
//!
//! | file | what it knows |
//! |---|---|
//! | `mod.rs` | things, their boxes and handles |
//! | `handle.rs` | handles that know when they are stale |
//! | `keyed.rs` | the same under keys of the caller |
//! | `collection.rs` | iterators, `Extend`, `retain`, `drain` |
//! | `mutable.rs` | `&mut` access to what questions and pairs find |
//! | `questions.rs` | the resolver: ids to handles and things |
//! | `margin.rs` | fat boxes: room to move without an update of the index |
//! | `events.rs` | which pairs began and ended |
//! | `contacts.rs` | the pairs of the last step |
//! | `gathered.rs` | pairs sorted by who asks |
//! | `restored.rs` | spaces read from a file, before they are validated |

mod collection;
mod contacts;
mod events;
mod gathered;
mod handle;
mod keyed;
mod margin;
mod mutable;
mod questions;
#[cfg(feature = "serde")]
mod restored;

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

pub use collection::{KeyedIter, SpaceIter, SpaceIterMut};
pub use events::{Events, Mobility};
pub use handle::Handle;
pub use keyed::Keyed;
#[cfg(feature = "snapshot")]
pub(crate) use keyed::UnvalidatedKeyed;
pub use margin::Margin;
#[cfg(feature = "serde")]
pub(crate) use restored::Unvalidated;

use crate::error::{Corruption, Error};
use crate::executor::Serial;
use crate::geometry::Aabb;
use crate::index::Index;
use crate::storage::{Agreement, IdSet, Layers};
use crate::structure::{Quadtree, Structure};
use contacts::Contacts;
use handle::Generation;
use margin::FatBoxes;

/// Things of type `T`, each with a box, arranged by the structure `I`; questions give back handles and things.
///
/// A [`Handle`] stays good while its thing is in the space and is found out afterwards.
///
/// **It remembers.** [`step_events`](Self::step_events) reports which pairs began and which ceased to overlap since the last
/// call, at a cost that grows with what moved; things may be [fixed](Self::set_mobility), and a [`Margin`] makes small
/// moves nearly free.
///
/// **Memory:** the index, and 4 bytes a thing besides the thing itself; 16 more once a margin is set (`f32`); once
/// events are asked for, about 28 a pair and 12 a thing, and 4 a thing and 10 to 32 a pair more when many move at once.
///
/// ```
/// use quadrille::{Aabb, Overlaps, Space};
///
/// let mut space = Space::<&str>::default();
/// let cat = space.insert(Aabb::from_center([0.0, 0.0], [0.5, 0.5]), "cat")?;
/// let mouse = space.insert(Aabb::from_center([9.0, 0.0], [0.1, 0.1]), "mouse")?;
///
/// space.update(mouse, Aabb::from_center([0.4, 0.2], [0.1, 0.1]))?;
/// let met: Vec<_> = space.pairs().map(|((_, a), (_, b))| (*a, *b)).collect();
/// assert_eq!(met, [("cat", "mouse")]);
///
/// assert_eq!(space.remove(mouse), Some("mouse"));
/// assert_eq!(space.get(mouse), None, "the handle is stale");
/// assert_eq!(space.query(Overlaps(Aabb::EVERYTHING)).collect::<Vec<_>>(), [(cat, &"cat")]);
/// # Ok::<(), quadrille::Error>(())
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "restored::Unvalidated<T, I>"))]
#[cfg_attr(
    feature = "serde",
    serde(bound(
        serialize = "T: serde::Serialize, I: serde::Serialize",
        deserialize = "T: serde::Deserialize<'de>, I: serde::Deserialize<'de>"
    ))
)]
pub struct Space<T, I: Structure = Quadtree> {
    /// Fat boxes, if a margin is set.
    index: Index<I>,
    /// By id.
    slots: Vec<Slot<T>>,
    fat: FatBoxes<I::Scalar>,
    /// The boxes of a frame as the index will have them: for [`update_all`](Self::update_all), kept for its memory.
    #[cfg_attr(feature = "serde", serde(skip))]
    frame: Vec<Aabb<I::Scalar>>,
    /// What never meets its like.
    fixed: IdSet,
    /// From the first call of `step_events` on.
    contacts: Option<Contacts>,
    /// Contacts that ended by removal since the last step.
    ended: Vec<(Handle, Handle)>,
    /// Things retired since the last step, whose last events are still to come.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::pairs"))]
    leaving: BTreeMap<Handle, T>,
    /// Things whose last events were given out by the last step.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::pairs"))]
    retired: BTreeMap<Handle, T>,
}

/// A place for one thing.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Slot<T> {
    /// Of the thing that is here, or of the next one.
    generation: Generation,
    thing: Option<T>,
}

impl<T> Slot<T> {
    /// Takes the thing out, if there is one: its handle is stale from then on.
    fn take(&mut self) -> Option<T> {
        let thing = self.thing.take()?;
        self.generation = self.generation.next();
        Some(thing)
    }
}

impl<T, I: Structure> Default for Space<T, I> {
    /// An empty space with the structure's default options, which follow the data.
    fn default() -> Self {
        Self::over(Index::default(), Vec::new())
    }
}

/// # Life
impl<T, I: Structure> Space<T, I> {
    /// An empty space.
    ///
    /// # Errors
    /// Names the option, its value and the rule it breaks.
    pub fn new(options: I::Options) -> Result<Self, Error> {
        Ok(Self::over(Index::new(options)?, Vec::new()))
    }

    fn over(index: Index<I>, slots: Vec<Slot<T>>) -> Self {
        Self {
            index,
            slots,
            fat: FatBoxes::new(),
            frame: Vec::new(),
            fixed: IdSet::new(),
            contacts: None,
            ended: Vec::new(),
            leaving: BTreeMap::new(),
            retired: BTreeMap::new(),
        }
    }

    /// A space of many things at once, faster than inserting one by one. Ids are positions.
    ///
    /// # Errors
    /// If an option breaks a rule, or a box is NaN, infinite or inverted: names its position and the value.
    pub fn with_items(
        options: I::Options,
        items: impl IntoIterator<Item = (Aabb<I::Scalar>, T)>,
    ) -> Result<Self, Error> {
        let (boxes, slots): (Vec<_>, _) = items
            .into_iter()
            .map(|(bounds, thing)| (bounds, Slot { generation: Generation::FIRST, thing: Some(thing) }))
            .unzip();
        Ok(Self::over(Index::with_boxes(options, &boxes)?, slots))
    }

    /// Puts a thing into the space.
    ///
    /// # Errors
    /// If the box is NaN, infinite or inverted (names the value), or if there are 2^31 things already. The thing is
    /// dropped.
    pub fn insert(&mut self, bounds: Aabb<I::Scalar>, thing: T) -> Result<Handle, Error> {
        let bounds = self.index.admit(bounds)?;
        let slot = self.index.insert_admitted(bounds)?;
        if slot as usize == self.slots.len() {
            self.slots.push(Slot { generation: Generation::FIRST, thing: None });
        }
        let place = &mut self.slots[slot as usize];
        place.thing = Some(thing);
        let handle = Handle { slot, generation: place.generation };
        let fat = self.fit(slot, bounds, None);
        if fat != bounds {
            self.index.update_admitted(slot, fat)?;
        }
        self.note(slot, true);
        Ok(handle)
    }

    /// Takes a thing out of the space; `None` if the handle is stale. Its contacts end in the next
    /// [`step_events`](Self::step_events).
    pub fn remove(&mut self, handle: Handle) -> Option<T> {
        self.get(handle)?;
        self.end_contacts(handle);
        self.fat.forget(handle.slot);
        self.fixed.remove(handle.slot);
        self.index.remove(handle.slot);
        self.slots[handle.slot as usize].take()
    }

    /// Gives a thing a new box and returns what it was.
    ///
    /// # Errors
    /// If the box is NaN, infinite or inverted (names the value), or if the handle is stale.
    pub fn update(&mut self, handle: Handle, bounds: Aabb<I::Scalar>) -> Result<Aabb<I::Scalar>, Error> {
        let bounds = self.index.admit(bounds)?;
        let Some(old) = self.bounds(handle) else { return Err(self.stale(handle)) };
        let current = self.index.get(handle.slot);
        let fat = self.fit(handle.slot, bounds, current);
        let is_refitted = current != Some(fat);
        if is_refitted {
            self.index.update_admitted(handle.slot, fat)?;
        }
        self.note(handle.slot, is_refitted);
        Ok(old)
    }

    /// The fat box for a thing whose box is `bounds` now; the box itself if there is no room for a fat one.
    fn fit(&mut self, id: u32, bounds: Aabb<I::Scalar>, current: Option<Aabb<I::Scalar>>) -> Aabb<I::Scalar> {
        let fat = self.fat.fit(id, bounds, current, self.index.iter());
        if current == Some(fat) { fat } else { self.index.admit_around(&bounds, fat).unwrap_or(bounds) }
    }

    /// Gives many things new boxes. All or none: nothing has changed if one of them is refused.
    ///
    /// # Errors
    /// If a box is NaN, infinite or inverted (names its position and the value), or if a handle is stale.
    pub fn update_batch(&mut self, updates: &[(Handle, Aabb<I::Scalar>)]) -> Result<(), Error> {
        for (position, (handle, bounds)) in updates.iter().enumerate() {
            bounds.check().map_err(|error| Error::at(error, position))?;
            self.index.admit(*bounds)?;
            if !self.contains(*handle) {
                return Err(self.stale(*handle));
            }
        }
        updates.iter().try_for_each(|&(handle, bounds)| self.update(handle, bounds).map(|_| ()))
    }

    /// Gives all things new boxes, and does [`maintain`](Self::maintain): a whole frame in one call, for those who keep
    /// boxes by [`Handle::id`]. What stands at an id that is free is skipped, whatever it is. The same as updating
    /// one after the other; as fast as [`Index::update_all`], and with margins about as fast.
    ///
    /// # Errors
    /// If the box of a thing is NaN, infinite or inverted (names its position and the value), if a thing is given no
    /// box, or if there are more boxes than ids. Nothing has changed then.
    pub fn update_all(&mut self, boxes: &[Aabb<I::Scalar>]) -> Result<(), Error> {
        let places = self.index.places();
        if boxes.len() > places {
            return Err(Error::unknown_id(u32::try_from(places).unwrap_or(u32::MAX), places));
        }
        self.index.check_last(boxes.len())?;
        let mut frame = core::mem::take(&mut self.frame);
        frame.clear();
        for (id, &bounds) in (0..).zip(boxes) {
            frame.push(match self.index.get(id) {
                Some(_) => self.index.admit(bounds).map_err(|error| Error::at(error, id as usize))?,
                None => Aabb::EMPTY,
            });
        }
        self.refit_frame(&mut frame);
        // In a world that wraps a fat box lies where its thing is, and would be moved home on its own.
        if I::AROUND.is_some() {
            for (id, &bounds) in (0..).zip(&frame).filter(|(_, bounds)| bounds.is_ordered()) {
                self.index.update_admitted(id, bounds)?;
            }
            self.index.maintain();
        } else {
            self.index.take_all(&frame, &Serial);
        }
        self.frame = frame;
        Ok(())
    }

    /// Makes of the boxes of all things those that the index is to have, and notes what changes.
    fn refit_frame(&mut self, frame: &mut [Aabb<I::Scalar>]) {
        let has_margin = !self.fat.has_no_margin();
        for (id, bounds) in (0..).zip(frame).filter(|(_, bounds)| bounds.is_ordered()) {
            let (old, current) = (self.exact(id), self.index.get(id));
            let exact = *bounds;
            if has_margin {
                *bounds = self.fit(id, exact, current);
            }
            let is_refitted = current != Some(*bounds);
            if is_refitted || old != Some(exact) {
                self.note(id, is_refitted);
            }
        }
        if !has_margin {
            self.fat.forget_exact();
        }
    }

    /// Gives a thing layers, and returns what they were: see [`Index::set_layers`]. Contacts begin and end accordingly
    /// in the next [`step_events`](Self::step_events).
    ///
    /// # Errors
    /// If the handle is stale.
    pub fn set_layers(&mut self, handle: Handle, layers: Layers) -> Result<Layers, Error> {
        if !self.contains(handle) {
            return Err(self.stale(handle));
        }
        self.note(handle.slot, true);
        self.index.set_layers(handle.slot, layers)
    }

    /// Gives many things layers: see [`set_layers`](Self::set_layers). The structure is rebuilt at most once. All or
    /// none: nothing has changed if one of the handles is refused.
    ///
    /// # Errors
    /// If a handle is stale.
    pub fn set_layers_batch(&mut self, changes: &[(Handle, Layers)]) -> Result<(), Error> {
        if let Some((handle, _)) = changes.iter().find(|(handle, _)| !self.contains(*handle)) {
            return Err(self.stale(*handle));
        }
        changes.iter().for_each(|(handle, _)| self.note(handle.slot, true));
        let changes: Vec<_> = changes.iter().map(|&(handle, layers)| (handle.slot, layers)).collect();
        self.index.set_layers_batch(&changes)
    }

    /// The layers of a thing, [`Layers::ALL`] unless it has been given others; `None` if the handle is stale.
    #[must_use]
    pub fn layers(&self, handle: Handle) -> Option<Layers> {
        self.index.layers(handle.slot).filter(|_| self.contains(handle))
    }

    /// Says when the layers of two things meet. By default, if [both](Agreement::Both) want to.
    pub fn set_agreement(&mut self, agreement: Agreement) {
        self.index.set_agreement(agreement);
        let ids: Vec<u32> = self.index.iter().map(|(id, _)| id).collect();
        ids.into_iter().for_each(|id| self.note(id, true));
    }

    /// How large the fat boxes of things without a margin of their own are from their next update on.
    pub fn set_margin(&mut self, margin: Margin<I::Scalar>) {
        self.fat.set_common(margin);
    }

    /// Gives one thing a margin of its own, from its next update on; `None` takes it away again.
    ///
    /// # Errors
    /// If the handle is stale.
    pub fn set_margin_of(&mut self, handle: Handle, margin: Option<Margin<I::Scalar>>) -> Result<(), Error> {
        if !self.contains(handle) {
            return Err(self.stale(handle));
        }
        self.fat.set_own(handle.slot, margin);
        Ok(())
    }

    /// Takes everything out and keeps the memory. All handles are stale then; all contacts end in the next
    /// [`step_events`](Self::step_events).
    pub fn clear(&mut self) {
        self.clear_boxes();
        self.slots.iter_mut().for_each(|slot| drop(slot.take()));
    }

    /// All but the things themselves.
    fn clear_boxes(&mut self) {
        if self.contacts.is_some() {
            let handles: Vec<Handle> = self.iter().map(|(handle, _)| handle).collect();
            handles.into_iter().for_each(|handle| self.end_contacts(handle));
        }
        self.index.clear();
        self.fat.clear();
        self.fixed.clear();
    }

    /// Makes room for `additional` more things.
    pub fn reserve(&mut self, additional: usize) {
        self.index.reserve(additional);
        self.slots.reserve((self.len() + additional).saturating_sub(self.slots.len()));
    }

    /// Does deferred work: see [`Index::maintain`].
    pub fn maintain(&mut self) {
        self.index.maintain();
    }
}

/// # Looking up
impl<T, I: Structure> Space<T, I> {
    /// How many things there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.index.len()
    }

    /// `true` if there is nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.index.is_empty()
    }

    /// `true` unless the handle is stale.
    #[must_use]
    pub fn contains(&self, handle: Handle) -> bool {
        let slot = self.slots.get(handle.slot as usize);
        slot.is_some_and(|slot| slot.generation == handle.generation && slot.thing.is_some())
    }

    /// The thing, or `None` if the handle is stale.
    #[must_use]
    pub fn get(&self, handle: Handle) -> Option<&T> {
        self.slots.get(handle.slot as usize).filter(|_| self.contains(handle))?.thing.as_ref()
    }

    /// The box of a thing, or `None` if the handle is stale.
    #[must_use]
    pub fn bounds(&self, handle: Handle) -> Option<Aabb<I::Scalar>> {
        if !self.contains(handle) {
            return None;
        }
        self.exact(handle.slot)
    }

    /// The index below: boxes by id, nodes, figures. Its boxes are fat ones if a margin is set.
    #[must_use]
    pub fn index(&self) -> &Index<I> {
        &self.index
    }

    #[cold]
    fn stale(&self, handle: Handle) -> Error {
        let current = self.slots.get(handle.slot as usize).map_or(0, |slot| slot.generation.get());
        Error::stale_handle(handle.slot, handle.generation.get(), current)
    }

    /// The box of an id itself.
    fn exact(&self, id: u32) -> Option<Aabb<I::Scalar>> {
        self.index.get(id).map(|fat| self.fat.exact(id).unwrap_or(fat))
    }

    /// What is known to be at an id that the index has given.
    fn at(&self, id: u32) -> (Handle, &T) {
        let slot = &self.slots[id as usize];
        let thing = slot.thing.as_ref().expect("the index knows only ids of things that are in the space");
        (Handle { slot: id, generation: slot.generation }, thing)
    }
}

/// # Looking inside
impl<T, I: Structure> Space<T, I> {
    /// Checks the index below, and that it and the things agree.
    ///
    /// Costs what there are nodes and boxes; with events also what there are pairs of overlapping fat boxes, about
    /// twice as much a pair as collecting all [`pairs`](Self::pairs).
    ///
    /// # Errors
    /// Says what contradicts what. Always a bug of this library: please report it.
    pub fn validate(&self) -> Result<(), Corruption> {
        self.index.validate()?;
        self.validate_things()
    }

    /// Checks that the things agree with an index that is sound.
    fn validate_things(&self) -> Result<(), Corruption> {
        let ids = self.index.iter().map(|(id, _)| id);
        Corruption::unless(ids.eq(self.iter().map(|(handle, _)| handle.id())), || {
            "the index and the space hold different ids".into()
        })?;
        Corruption::unless(self.index.places() <= self.slots.len(), || "there are fewer things than ids".into())?;
        self.fat.validate(self.index.iter())?;
        let is_admitted = |id| self.exact(id).is_some_and(|bounds| self.index.admit(bounds) == Ok(bounds));
        let mut ids = self.index.iter().map(|(id, _)| id);
        Corruption::unless(ids.all(is_admitted), || "a box is out of its world".into())?;
        self.fixed.validate()?;
        let is_in_use = |&id: &u32| self.index.get(id).is_some();
        Corruption::unless(self.fixed.as_slice().iter().all(is_in_use), || "something fixed is gone".into())?;
        self.validate_contacts()
    }
}
