//! Floor 6: a set of things with boxes, on top of an [`Index`].
//!
//! | file | what it knows |
//! |---|---|
//! | `mod.rs` | things, their boxes and handles |
//! | `handle.rs` | handles that detect staleness |
//! | `keyed.rs` | the same under keys of the caller |
//! | `collection.rs` | iterators, `Extend`, `retain`, `drain` |
//! | `mutable.rs` | `&mut` access to what queries and pairs find |
//! | `questions.rs` | the resolver: ids to handles and things |
//! | `margin.rs` | fat boxes: room to move without an update of the index |
//! | `events.rs` | which pairs began and ended |
//! | `contacts.rs` | the pairs of the last step |
//! | `gathered.rs` | pairs grouped by the id that asks |
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
use crate::structure::{FrameTree, Structure};
use contacts::Contacts;
use handle::Generation;
use margin::FatBoxes;

/// Things of type `T`, each with a box, arranged by the structure `I`. Queries return handles and things.
///
/// In the manual: `docs/cookbook/events.md`.
///
/// | to | call |
/// |---|---|
/// | add and remove | [`insert`](Self::insert), [`remove`](Self::remove) |
/// | move | [`update`](Self::update); everything, once a frame: [`update_each`](Self::update_each) |
/// | look up | [`get`](Self::get), [`get_mut`](Self::get_mut), [`bounds`](Self::bounds) |
/// | find what a rectangle, a circle, a ray meets | [`query`](Self::query) |
/// | find the nearest, the first hit | [`query_first`](Self::query_first) |
/// | find all pairs that overlap | [`pairs`](Self::pairs) |
/// | learn which pairs began and ended | [`step_events`](Self::step_events) |
///
/// A [`Handle`] is valid while its thing is in the space. Afterward every call detects that it is stale.
///
/// **Contacts persist.** [`step_events`](Self::step_events) reports which pairs began and which ceased to overlap since
/// the last call, at a cost that grows with what moved. Things can be [fixed](Self::set_mobility), and a [`Margin`]
/// makes small moves almost free.
///
/// **Memory:** the index, plus 4 bytes per thing besides the thing itself. A margin adds 16 bytes per thing (`f32`).
/// Events add about 28 bytes per pair and 12 per thing, and another 10 to 32 per pair and 4 per thing when many things
/// move at once.
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
pub struct Space<T, I: Structure = FrameTree> {
    /// Fat boxes, if a margin is set.
    index: Index<I>,
    /// By id.
    slots: Vec<Slot<T>>,
    fat: FatBoxes<I::Scalar>,
    /// The boxes of a frame as they go to the index, for [`update_all`](Self::update_all). Kept to reuse its memory.
    #[cfg_attr(feature = "serde", serde(skip))]
    frame: Vec<Aabb<I::Scalar>>,
    /// Things that never meet each other.
    fixed: IdSet,
    /// Present from the first call of `step_events` on.
    contacts: Option<Contacts>,
    /// Contacts that ended by removal since the last step.
    ended: Vec<(Handle, Handle)>,
    /// Things retired since the last step, whose last events are yet to be reported.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::pairs"))]
    leaving: BTreeMap<Handle, T>,
    /// Things whose last events the last step reported.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::pairs"))]
    retired: BTreeMap<Handle, T>,
}

/// A place for one thing.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Slot<T> {
    /// The generation of the thing here, or of the next one.
    generation: Generation,
    thing: Option<T>,
}

impl<T> Slot<T> {
    /// Takes the thing out, if there is one. Its handle is stale from then on.
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

    /// Bulk loads a space, faster than inserting things one by one. Ids are positions.
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

    /// Adds a thing to the space.
    ///
    /// # Errors
    /// If the box is NaN, infinite or inverted (names the value), or if there are already 2^31 - 1 things. The
    /// thing is dropped.
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

    /// Removes a thing from the space and returns it; `None` if the handle is stale. Its contacts end in the next
    /// [`step_events`](Self::step_events).
    pub fn remove(&mut self, handle: Handle) -> Option<T> {
        self.get(handle)?;
        self.end_contacts(handle);
        self.fat.forget(handle.slot);
        self.fixed.remove(handle.slot);
        self.index.remove(handle.slot);
        self.slots[handle.slot as usize].take()
    }

    /// Moves or resizes a thing's box and returns the old one.
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

    /// The fat box for a thing whose box is now `bounds`; `bounds` itself if there is no room for a fat one.
    fn fit(&mut self, id: u32, bounds: Aabb<I::Scalar>, current: Option<Aabb<I::Scalar>>) -> Aabb<I::Scalar> {
        let fat = self.fat.fit(id, bounds, current, self.index.iter());
        if current == Some(fat) { fat } else { self.index.admit_around(&bounds, fat).unwrap_or(bounds) }
    }

    /// Updates the boxes of many things. All or nothing: if one update is rejected, nothing changes.
    ///
    /// # Errors
    /// If a box is NaN, infinite or inverted (names its position and the value), or if a handle is stale.
    pub fn update_batch(&mut self, updates: &[(Handle, Aabb<I::Scalar>)]) -> Result<(), Error> {
        for (position, (handle, bounds)) in updates.iter().enumerate() {
            self.index.admit(*bounds).map_err(|error| Error::at(error, position))?;
            if !self.contains(*handle) {
                return Err(self.stale(*handle));
            }
        }
        updates.iter().try_for_each(|&(handle, bounds)| self.update(handle, bounds).map(|_| ()))
    }

    /// Replaces the boxes of all things and calls [`maintain`](Self::maintain): a whole frame in one call, for programs
    /// that keep boxes by [`Handle::id`]. Entries at free ids are skipped, whatever they contain. The result is the
    /// same as updating one by one. As fast as [`Index::update_all`], and about as fast with margins.
    ///
    /// # Errors
    /// If the box of a thing is NaN, infinite or inverted (names its position and the value), if a thing gets no box,
    /// or if there are more boxes than ids. Nothing has changed in that case.
    pub fn update_all(&mut self, boxes: &[Aabb<I::Scalar>]) -> Result<(), Error> {
        let places = self.index.places();
        if boxes.len() > places {
            return Err(Error::unknown_id(u32::try_from(places).unwrap_or(u32::MAX), places));
        }
        self.index.check_last(boxes.len())?;
        self.take_frame(|_, frame| frame.extend_from_slice(boxes))
    }

    /// Moves every thing and calls [`maintain`](Self::maintain): a whole frame in one call. `step` may change the thing
    /// and returns its new box. As fast as [`update_all`](Self::update_all).
    ///
    /// ```
    /// use quadrille::{Aabb, Space};
    ///
    /// let mut balls = Space::<f32>::default();
    /// for x in [0.0, 5.0] {
    ///     balls.insert(Aabb::from_center([x, 0.0], [1.0, 1.0]), x)?;
    /// }
    /// balls.update_each(|_, x| {
    ///     *x /= 4.0;
    ///     Aabb::from_center([*x, 0.0], [1.0, 1.0])
    /// })?;
    /// assert_eq!(balls.pairs_count(), 1);
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    ///
    /// # Errors
    /// If a box is NaN, infinite or inverted: names the [id](Handle::id) and the value. No box has changed in that case.
    pub fn update_each(&mut self, mut step: impl FnMut(Handle, &mut T) -> Aabb<I::Scalar>) -> Result<(), Error> {
        let places = self.index.places();
        self.take_frame(|slots, frame| {
            let bounds = |(id, slot): (u32, &mut Slot<T>)| match &mut slot.thing {
                Some(thing) => step(Handle { slot: id, generation: slot.generation }, thing),
                None => Aabb::EMPTY,
            };
            frame.extend((0..).zip(slots).take(places).map(bounds));
        })
    }

    /// Replaces the boxes of all things by those that `fill` puts into a frame, by id.
    fn take_frame(&mut self, fill: impl FnOnce(&mut [Slot<T>], &mut Vec<Aabb<I::Scalar>>)) -> Result<(), Error> {
        let mut frame = core::mem::take(&mut self.frame);
        frame.clear();
        fill(&mut self.slots, &mut frame);
        for (id, bounds) in (0..).zip(&mut frame) {
            *bounds = match self.index.get(id) {
                Some(_) => self.index.admit(*bounds).map_err(|error| Error::at(error, id as usize))?,
                None => Aabb::EMPTY,
            };
        }
        self.refit_frame(&mut frame);
        // In a world that wraps, a fat box lies where its thing is, and alone would be moved home.
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

    /// Turns the boxes of all things into the boxes for the index, and notes what changes.
    fn refit_frame(&mut self, frame: &mut [Aabb<I::Scalar>]) {
        let has_margin = !self.fat.has_no_margin();
        if has_margin {
            // Before the first box changes: the index takes the frame only when it is complete.
            self.fat.begin(self.index.iter());
        }
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

    /// Sets the layers of a thing and returns the old ones: see [`Index::set_layers`]. Contacts begin and end
    /// accordingly in the next [`step_events`](Self::step_events).
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

    /// Sets the layers of many things: see [`set_layers`](Self::set_layers). Rebuilds the structure at most once. All
    /// or nothing: if one handle is rejected, nothing changes.
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

    /// The layers of a thing, [`Layers::ALL`] unless set; `None` if the handle is stale.
    #[must_use]
    pub fn layers(&self, handle: Handle) -> Option<Layers> {
        self.index.layers(handle.slot).filter(|_| self.contains(handle))
    }

    /// Sets when the layers of two things meet. The default: when [both](Agreement::Both) agree.
    pub fn set_agreement(&mut self, agreement: Agreement) {
        self.index.set_agreement(agreement);
        let ids: Vec<u32> = self.index.iter().map(|(id, _)| id).collect();
        ids.into_iter().for_each(|id| self.note(id, true));
    }

    /// Sets how large the fat boxes are, for all things without a margin of their own. Takes effect with each thing's
    /// next update.
    pub fn set_margin(&mut self, margin: Margin<I::Scalar>) {
        self.fat.set_common(margin);
    }

    /// Sets the margin of a single thing, from its next update on. `None` goes back to the common margin.
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

    /// Removes everything and keeps the memory. All handles become stale, and all contacts end in the next
    /// [`step_events`](Self::step_events).
    pub fn clear(&mut self) {
        self.clear_boxes();
        self.slots.iter_mut().for_each(|slot| drop(slot.take()));
    }

    /// Clears everything except the things themselves.
    fn clear_boxes(&mut self) {
        if self.contacts.is_some() {
            let handles: Vec<Handle> = self.iter().map(|(handle, _)| handle).collect();
            handles.into_iter().for_each(|handle| self.end_contacts(handle));
        }
        self.index.clear();
        self.fat.clear();
        self.fixed.clear();
    }

    /// Reserves memory for `additional` more things.
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

    /// The underlying index: boxes by id, nodes, stats. If a margin is set, its boxes are the fat ones.
    #[must_use]
    pub fn index(&self) -> &Index<I> {
        &self.index
    }

    #[cold]
    fn stale(&self, handle: Handle) -> Error {
        let current = self.slots.get(handle.slot as usize).map_or(0, |slot| slot.generation.get());
        Error::stale_handle(handle.slot, handle.generation.get(), current)
    }

    /// The exact box of an id.
    fn exact(&self, id: u32) -> Option<Aabb<I::Scalar>> {
        self.index.get(id).map(|fat| self.fat.exact(id).unwrap_or(fat))
    }

    /// The handle and the thing at an id that the index returned.
    fn at(&self, id: u32) -> (Handle, &T) {
        let slot = &self.slots[id as usize];
        let thing = slot.thing.as_ref().expect("the index knows only ids of things that are in the space");
        (Handle { slot: id, generation: slot.generation }, thing)
    }
}

/// # Looking inside
impl<T, I: Structure> Space<T, I> {
    /// Checks the underlying index, and that it agrees with the things.
    ///
    /// The cost grows with the number of nodes and boxes. With events it also grows with the number of overlapping fat
    /// boxes: about twice as much per pair as collecting all [`pairs`](Self::pairs).
    ///
    /// # Errors
    /// Says which parts contradict each other. This is always a bug in this library: please report it.
    pub fn validate(&self) -> Result<(), Corruption> {
        self.index.validate()?;
        self.validate_things()
    }

    /// Checks that the things agree with a sound index.
    fn validate_things(&self) -> Result<(), Corruption> {
        let ids = self.index.iter().map(|(id, _)| id);
        let things = (0..).zip(&self.slots).filter(|(_, slot)| slot.thing.is_some()).map(|(id, _)| id);
        Corruption::unless(ids.eq(things), || "the index and the space hold different ids".into())?;
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
