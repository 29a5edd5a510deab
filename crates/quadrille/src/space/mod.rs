//! Floor 8: a set of things with boxes, on top of an [`Index`].
//!
//! | file | contents |
//! |---|---|
//! | `mod.rs` | things, their boxes and handles |
//! | `collection.rs` | iterators, `Extend`, `retain` |
//! | `mutable.rs` | `&mut` access to what queries and pairs find |
//! | `queries.rs` | the resolver: ids to handles and things |
//! | `events.rs` | which pairs began and ended, and things kept until then |
//! | `restored.rs` | spaces read from a file, before they are validated |

mod collection;
mod events;
mod mutable;
mod queries;
#[cfg(feature = "serde")]
mod restored;

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::slice;

pub use collection::{SpaceIter, SpaceIterMut};
#[cfg(feature = "snapshot")]
pub(crate) use restored::Unvalidated;

use crate::error::{Cause, Corruption, Error};
use crate::geometry::Aabb;
use crate::index::{BoxOptions, Index};
use crate::storage::{Agreement, Generation, Handle, Layers};
use crate::structure::{FrameTree, Structure};

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
/// | get the pairs that began and ended | [`step_events`](Self::step_events) |
///
/// A [`Handle`] is valid while its thing is in the space. Afterward every call detects that it is stale.
///
/// **Contacts persist.** [`step_events`](Self::step_events) reports which pairs began and which ended since
/// the last call. The cost grows with the number of moving things while these are few, otherwise with the number of all things.
/// Things can be [fixed](Self::set_mobility).
///
/// **Memory:** the index, plus 4 bytes per thing besides the thing itself. Events add 16 bytes per pair, 16 per pair
/// that begins or ends in a step, and 8 per thing; and about 150 for each of the things that change while these are few.
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
#[derive(Debug)]
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
    boxes: Index<I>,
    /// Things by id.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::slots"))]
    slots: Vec<Slot<T>>,
    /// The first thing of each slot that was removed since the last step: the contacts of that step are about it.
    former: Vec<Handle>,
    /// Things retired since the last step, whose last events are yet to be reported.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::pairs"))]
    leaving: BTreeMap<Handle, T>,
    /// Things whose last events the last step reported.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::pairs"))]
    retired: BTreeMap<Handle, T>,
}

impl<T: Clone, I: Structure> Clone for Space<T, I> {
    #[inline]
    fn clone(&self) -> Self {
        let mut own = Self::default();
        own.clone_from(self);
        own
    }

    /// Uses memory again. If the clone of a thing panics, this space is empty, with default options.
    #[inline]
    fn clone_from(&mut self, source: &Self) {
        let mut own = core::mem::take(self);
        own.boxes.clone_from(&source.boxes);
        own.slots.clone_from(&source.slots);
        own.former.clone_from(&source.former);
        own.leaving.clone_from(&source.leaving);
        own.retired.clone_from(&source.retired);
        *self = own;
    }
}

/// A slot for one thing: the generation of the thing here, or of the next one, and the thing. The standard library copies
/// tuples of plain data all at once, and generic structures one by one.
type Slot<T> = (Generation, Option<T>);

/// The handle of the thing in a slot.
fn handle<T>(slot: &Slot<T>, id: u32) -> Handle {
    Handle { slot: id, generation: slot.0 }
}

/// Takes the thing out of a slot, if there is one. Its handle is stale from then on.
fn take<T>((generation, thing): &mut Slot<T>) -> Option<T> {
    let thing = thing.take()?;
    *generation = generation.next();
    Some(thing)
}

/// Empties slots, those after one whose drop panics too.
struct Emptying<'a, T>(slice::IterMut<'a, Slot<T>>);

impl<T> Emptying<'_, T> {
    fn all(&mut self) {
        self.0.by_ref().for_each(|slot| drop(take(slot)));
    }
}

impl<T> Drop for Emptying<'_, T> {
    fn drop(&mut self) {
        self.all();
    }
}

/// The handles of two ids in use.
fn handles<T>(slots: &[Slot<T>], (a, b): (u32, u32)) -> (Handle, Handle) {
    (handle(&slots[a as usize], a), handle(&slots[b as usize], b))
}

impl<T, I: Structure> Default for Space<T, I> {
    /// An empty space with the structure's default options, which follow the data.
    fn default() -> Self {
        Self::over(Index::default(), Vec::new())
    }
}

/// # Create, change, remove
impl<T, I: Structure> Space<T, I> {
    /// An empty space; [`default`](Self::default) gives one with default options.
    ///
    /// # Errors
    /// Returns an error that names the option, its value and the rule it breaks.
    pub fn new(options: I::Options) -> Result<Self, Error> {
        Ok(Self::over(Index::new(options)?, Vec::new()))
    }

    fn over(boxes: Index<I>, slots: Vec<Slot<T>>) -> Self {
        Self { boxes, slots, former: Vec::new(), leaving: BTreeMap::new(), retired: BTreeMap::new() }
    }

    /// Bulk loads a space, faster than inserting things one by one. Ids are positions.
    ///
    /// # Errors
    /// Returns an error if an option breaks a rule, or a box is NaN, infinite or inverted. The message names its position
    /// and the value.
    ///
    /// ```
    /// use quadrille::{Aabb, FrameTree, Space};
    ///
    /// let things = [(Aabb::new([0.0, 0.0], [1.0, 1.0]), "cat"), (Aabb::new([4.0, 0.0], [5.0, 1.0]), "mouse")];
    /// let space = Space::<&str, FrameTree>::with_items(Default::default(), things)?;
    /// assert_eq!(space.len(), 2);
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    pub fn with_items(
        options: I::Options,
        items: impl IntoIterator<Item = (Aabb<I::Scalar>, T)>,
    ) -> Result<Self, Error> {
        let (boxes, slots): (Vec<_>, _) =
            items.into_iter().map(|(bounds, thing)| (bounds, (Generation::FIRST, Some(thing)))).unzip();
        Ok(Self::over(Index::with_boxes(options, &boxes)?, slots))
    }

    /// Adds a thing to the space.
    ///
    /// # Errors
    /// Returns an error if the box is NaN, infinite or inverted (the message names the value), or if there are already 2^31 - 1
    /// things. The thing is dropped.
    ///
    /// ```
    /// use quadrille::{Aabb, Space};
    ///
    /// let mut space = Space::<&str>::default();
    /// let cat = space.insert(Aabb::new([0.0, 0.0], [1.0, 1.0]), "cat")?;
    /// assert_eq!((space[cat], space.len()), ("cat", 1));
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    pub fn insert(&mut self, bounds: Aabb<I::Scalar>, thing: T) -> Result<Handle, Error> {
        self.insert_with(bounds, thing, BoxOptions::new())
    }

    /// Adds a thing with its layers and mobility: cheaper than setting them afterward.
    ///
    /// ```
    /// use quadrille::{Aabb, BoxOptions, Layers, Space};
    ///
    /// let mut space = Space::<&str>::default();
    /// let bullet = BoxOptions::new().with_layers(Layers::new(1, 2));
    /// for at in [0.0, 0.5] {
    ///     space.insert_with(Aabb::from_point([at, 0.0]).with_margin(1.0), "bullet", bullet)?;
    /// }
    /// assert_eq!(space.pairs_count(), 0, "bullets do not meet each other");
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns the same errors as [`insert`](Self::insert).
    pub fn insert_with(&mut self, bounds: Aabb<I::Scalar>, thing: T, options: BoxOptions) -> Result<Handle, Error> {
        let slot = self.boxes.insert_with(bounds, options)?;
        if slot as usize == self.slots.len() {
            self.slots.push((Generation::FIRST, None));
        }
        self.slots[slot as usize].1 = Some(thing);
        Ok(handle(&self.slots[slot as usize], slot))
    }

    /// Removes a thing from the space and returns it; `None` if the handle is stale. Its contacts end in the next
    /// [`step_events`](Self::step_events).
    ///
    /// ```
    /// use quadrille::{Aabb, Space};
    ///
    /// let mut space = Space::<&str>::default();
    /// let cat = space.insert(Aabb::new([0.0, 0.0], [1.0, 1.0]), "cat")?;
    /// assert_eq!(space.remove(cat), Some("cat"));
    /// assert_eq!(space.get(cat), None, "a handle of something that is gone finds nothing, whoever has its place now");
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    pub fn remove(&mut self, handle: Handle) -> Option<T> {
        self.get(handle)?;
        self.note_gone(handle);
        self.boxes.remove(handle.slot);
        take(&mut self.slots[handle.slot as usize])
    }

    /// Notes that a handle is about to become stale: its last events are yet to come.
    fn note_gone(&mut self, handle: Handle) {
        if self.boxes.motion.has_stepped() && !self.boxes.motion.has_gone(handle.slot) {
            self.former.push(handle);
        }
    }

    /// Moves or resizes a thing's box and returns the old one.
    ///
    /// # Errors
    /// Returns an error if the box is NaN, infinite or inverted (the message names the value), or if the handle is stale.
    ///
    /// ```
    /// use quadrille::{Aabb, Space};
    ///
    /// let mut space = Space::<&str>::default();
    /// let cat = space.insert(Aabb::new([0.0, 0.0], [1.0, 1.0]), "cat")?;
    /// space.insert(Aabb::new([5.0, 0.0], [6.0, 1.0]), "mouse")?;
    /// space.update(cat, Aabb::new([4.5, 0.0], [5.5, 1.0]))?;
    /// assert_eq!(space.pairs_count(), 1);
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    pub fn update(&mut self, handle: Handle, bounds: Aabb<I::Scalar>) -> Result<Aabb<I::Scalar>, Error> {
        self.check(handle)?;
        self.boxes.update(handle.slot, bounds)
    }

    /// Moves or resizes the boxes of many things: see [`Index::update_batch`]. All or nothing: if one is rejected,
    /// nothing changes.
    ///
    /// # Errors
    /// Returns an error if a box is NaN, infinite or inverted (the message names the value), or if a handle is stale.
    pub fn update_batch(&mut self, changes: &[(Handle, Aabb<I::Scalar>)]) -> Result<(), Error> {
        changes.iter().try_for_each(|(handle, _)| self.check(*handle))?;
        self.boxes.update_some(changes.iter().map(|&(handle, bounds)| (handle.slot, bounds)))
    }

    /// Replaces the boxes of all things and calls [`maintain`](Self::maintain): a whole frame in one call, for programs
    /// that keep boxes by [`Handle::id`]. Entries at free ids are skipped, whatever they contain. The result is the
    /// same as updating one by one. As fast as [`Index::update_all`].
    ///
    /// # Errors
    /// Returns an error if the box of a thing is NaN, infinite or inverted (the message names its position and the value), if a
    /// thing gets no box, or if there are more boxes than ids. Nothing has changed in that case.
    ///
    /// ```
    /// use quadrille::{Aabb, Space};
    ///
    /// let mut space = Space::<&str>::default();
    /// let cat = space.insert(Aabb::new([0.0, 0.0], [1.0, 1.0]), "cat")?;
    /// let mut boxes = vec![Aabb::EMPTY; 1]; // the box of each thing is at its handle's `id`
    /// boxes[cat.id() as usize] = Aabb::new([2.0, 0.0], [3.0, 1.0]);
    /// space.update_all(&boxes)?;
    /// assert_eq!(space.bounds(cat).map(|bounds| bounds.min), Some([2.0, 0.0]));
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    pub fn update_all(&mut self, boxes: &[Aabb<I::Scalar>]) -> Result<(), Error> {
        self.boxes.update_all(boxes)
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
    /// Returns an error if a box is NaN, infinite or inverted. The message names its [id](Handle::id) and the value. No box has
    /// changed in that case.
    pub fn update_each(&mut self, mut step: impl FnMut(Handle, &mut T) -> Aabb<I::Scalar>) -> Result<(), Error> {
        let Self { boxes, slots, .. } = self;
        let ids = boxes.slots();
        boxes.take_frame(|frame| {
            let bounds = |(id, slot): (u32, &mut Slot<T>)| {
                let handle = handle(slot, id);
                slot.1.as_mut().map_or(Aabb::EMPTY, |thing| step(handle, thing))
            };
            frame.extend((0..).zip(slots).take(ids).map(bounds));
        })
    }

    /// Sets the layers of a thing and returns the old ones: see [`Index::set_layers`]. Contacts begin and end
    /// accordingly in the next [`step_events`](Self::step_events).
    ///
    /// # Errors
    /// Returns an error if the handle is stale.
    ///
    /// ```
    /// use quadrille::{Aabb, Layers, Space};
    ///
    /// let mut space = Space::<&str>::default();
    /// let ship = space.insert(Aabb::new([0.0, 0.0], [1.0, 1.0]), "ship")?;
    /// let shot = space.insert(Aabb::from_point([0.5, 0.5]), "shot")?;
    /// let (ships, shots) = (1, 2);
    /// space.set_layers(shot, Layers::new(shots, ships))?;
    /// space.set_layers(ship, Layers::new(ships, shots))?;
    /// assert_eq!(space.pairs_count(), 1, "shots meet ships, but no other shots");
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    pub fn set_layers(&mut self, handle: Handle, layers: Layers) -> Result<Layers, Error> {
        self.check(handle)?;
        self.boxes.set_layers(handle.slot, layers)
    }

    /// Sets the layers of many things: see [`set_layers`](Self::set_layers). Rebuilds the structure at most once. All
    /// or nothing: if one handle is rejected, nothing changes.
    ///
    /// # Errors
    /// Returns an error if a handle is stale.
    pub fn set_layers_batch(&mut self, changes: &[(Handle, Layers)]) -> Result<(), Error> {
        changes.iter().try_for_each(|(handle, _)| self.check(*handle))?;
        let changes: Vec<_> = changes.iter().map(|&(handle, layers)| (handle.slot, layers)).collect();
        self.boxes.set_layers_batch(&changes)
    }

    /// The layers of a thing, [`Layers::ALL`] unless set; `None` if the handle is stale.
    #[must_use]
    pub fn layers(&self, handle: Handle) -> Option<Layers> {
        self.boxes.layers(handle.slot).filter(|_| self.contains(handle))
    }

    /// Sets when the layers of two things meet. The default: when [both](Agreement::Both) agree.
    pub fn set_agreement(&mut self, agreement: Agreement) {
        self.boxes.set_agreement(agreement);
    }

    /// Removes everything and keeps the memory. All handles become stale, and all contacts end in the next
    /// [`step_events`](Self::step_events).
    pub fn clear(&mut self) {
        for slot in 0..self.slots.len() {
            let (generation, thing) = &self.slots[slot];
            if thing.is_some() {
                self.note_gone(Handle { slot: slot as u32, generation: *generation });
            }
        }
        self.boxes.clear();
        Emptying(self.slots.iter_mut()).all();
    }

    /// Reserves memory for `additional` more things.
    pub fn reserve(&mut self, additional: usize) {
        self.boxes.reserve(additional);
        self.slots.reserve((self.len() + additional).saturating_sub(self.slots.len()));
    }

    /// Does deferred work: see [`Index::maintain`].
    pub fn maintain(&mut self) {
        self.boxes.maintain();
    }
}

/// # Looking up
impl<T, I: Structure> Space<T, I> {
    /// How many things there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.boxes.len()
    }

    /// `true` if there is nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.boxes.is_empty()
    }

    /// `true` unless the handle is stale.
    #[must_use]
    pub fn contains(&self, handle: Handle) -> bool {
        let slot = self.slots.get(handle.slot as usize);
        slot.is_some_and(|slot| slot.0 == handle.generation && slot.1.is_some())
    }

    /// The thing, or `None` if the handle is stale.
    ///
    /// ```
    /// use quadrille::{Aabb, Space};
    ///
    /// let mut space = Space::<&str>::default();
    /// let cat = space.insert(Aabb::new([0.0, 0.0], [1.0, 1.0]), "cat")?;
    /// assert_eq!(space.get(cat), Some(&"cat"));
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    #[must_use]
    pub fn get(&self, handle: Handle) -> Option<&T> {
        self.slots.get(handle.slot as usize).filter(|_| self.contains(handle))?.1.as_ref()
    }

    /// The box of a thing, or `None` if the handle is stale.
    ///
    /// ```
    /// use quadrille::{Aabb, Space};
    ///
    /// let mut space = Space::<&str>::default();
    /// let cat = space.insert(Aabb::new([0.0, 0.0], [1.0, 1.0]), "cat")?;
    /// assert_eq!(space.bounds(cat), Some(Aabb::new([0.0, 0.0], [1.0, 1.0])));
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    #[must_use]
    pub fn bounds(&self, handle: Handle) -> Option<Aabb<I::Scalar>> {
        self.boxes.get(handle.slot).filter(|_| self.contains(handle))
    }

    /// The underlying index: boxes by id, nodes, stats.
    #[must_use]
    pub fn index(&self) -> &Index<I> {
        &self.boxes
    }

    fn check(&self, handle: Handle) -> Result<(), Error> {
        if self.contains(handle) { Ok(()) } else { Err(self.stale(handle)) }
    }

    #[cold]
    fn stale(&self, handle: Handle) -> Error {
        let current = self.slots.get(handle.slot as usize).map_or(0, |slot| slot.0.get());
        Cause::StaleHandle { slot: handle.slot, given: handle.generation.get(), current }.into()
    }

    /// The handle and the thing at an id that the index returned.
    fn at(&self, id: u32) -> (Handle, &T) {
        at(&self.slots, id)
    }
}

#[inline]
fn at<T>(slots: &[Slot<T>], id: u32) -> (Handle, &T) {
    let slot = &slots[id as usize];
    let thing = slot.1.as_ref().expect("the index knows only ids of things that are in the space");
    (handle(slot, id), thing)
}

/// # Looking inside
impl<T, I: Structure> Space<T, I> {
    /// Checks the underlying index, and that it agrees with the things.
    ///
    /// The cost grows with the number of nodes and boxes. With events it also grows with the number of overlapping boxes:
    /// about twice as much per pair as collecting all [`pairs`](Self::pairs).
    ///
    /// # Errors
    /// Returns an error that says which parts contradict each other. This is always a bug in this library: please report it.
    pub fn validate(&self) -> Result<(), Corruption> {
        self.boxes.validate()?;
        self.validate_things()
    }

    /// Checks that the things agree with sound boxes.
    fn validate_things(&self) -> Result<(), Corruption> {
        let ids = self.boxes.iter().map(|(id, _)| id);
        let things = (0..).zip(&self.slots).filter(|(_, slot)| slot.1.is_some()).map(|(id, _)| id);
        Corruption::unless(ids.eq(things), || "the index and the space hold different ids".into())?;
        Corruption::unless(self.boxes.slots() <= self.slots.len(), || "there are fewer things than ids".into())?;
        let mut former: Vec<u32> = self.former.iter().map(|handle| handle.slot).collect();
        let mut gone = self.boxes.motion.gone().to_vec();
        former.sort_unstable();
        gone.sort_unstable();
        Corruption::unless(former == gone, || "things that have gone have other handles".into())
    }
}

#[cfg(all(test, feature = "snapshot"))]
mod tests {
    use alloc::vec::Vec;

    use super::Space;
    use crate::geometry::Aabb;
    use crate::random::Random;
    use crate::structure::Periodic;
    use crate::{BoxOptions, Events, FrameTree, Handle, Layers, Mobility, Structure};

    fn somewhere(random: &mut Random) -> Aabb {
        Aabb::from_center([(); 2].map(|()| random.below(100) as f32), [1.5, 0.5])
    }

    /// Things come, go and move, one by one or all at once.
    fn play<I: Structure<Scalar = f32>>(space: &mut Space<u32, I>, seed: u64) -> Events {
        let (mut random, mut events) = (Random::new(seed), Events::default());
        let handles: Vec<Handle> = space.iter().map(|(handle, _)| handle).collect();
        for _ in 0..[2, 300][random.below(2)] {
            let mobility = [Mobility::Moving, Mobility::Fixed][random.below(2)];
            let options = BoxOptions::new().with_mobility(mobility).with_layers(Layers::new(1 << random.below(2), 3));
            space.insert_with(somewhere(&mut random), 7, options).expect("a valid box");
        }
        for handle in handles.into_iter().filter(|_| seed % 3 > 0) {
            if random.below(4) == 0 {
                space.remove(handle);
            } else if seed % 2 == 0 || random.below(90) == 0 {
                space.update(handle, somewhere(&mut random)).expect("it is there");
            }
        }
        if seed % 7 == 0 {
            space.clear();
        } else {
            space.maintain();
        }
        space.step_events(&mut events);
        events
    }

    /// Whatever a space held before it became a copy of another, it is the same and goes on as that does.
    fn becomes_the_same<I: Structure<Scalar = f32> + serde::Serialize + serde::de::DeserializeOwned>(
        options: [I::Options; 2],
    ) {
        let [mut space, mut other] = options.map(|options| Space::<u32, I>::new(options).expect("valid options"));
        for seed in 0..60 {
            play(&mut other, 1000 + seed);
            play(&mut space, seed);
            other.clone_from(&space);
            other.validate().expect("a sound copy");
            assert!(other.to_bytes().expect("ours") == space.clone().to_bytes().expect("ours"), "seed {seed}");
            assert_eq!(play(&mut other, 2000 + seed), play(&mut space, 2000 + seed), "seed {seed}");
        }
    }

    #[test]
    fn contacts_of_things_that_have_gone_need_their_handles() {
        let mut space = <Space<u32>>::default();
        let [gone, _] = [0; 2].map(|thing| space.insert(Aabb::new([0.0; 2], [1.0; 2]), thing).expect("a valid box"));
        space.step_events(&mut Events::default());
        space.remove(gone);
        space.validate().expect("a sound space");
        space.former.clear();
        assert!(space.validate().is_err());
        assert!(<Space<u32>>::from_bytes(&space.to_bytes().expect("ours")).is_err(), "a forged snapshot");
    }

    /// In a format for which nothing is `null`, things that are nothing are still things.
    #[test]
    fn things_that_are_nothing_survive_in_text() {
        fn survives<T: serde::Serialize + serde::de::DeserializeOwned + Clone + PartialEq>(things: &[T]) {
            let items = things.iter().map(|thing| (Aabb::new([0.0; 2], [1.0; 2]), thing.clone()));
            let mut space: Space<T> = items.collect();
            let gone = space.iter().next().expect("it has been put there").0;
            space.remove(gone);
            let text = serde_json::to_string(&space).expect("it can be written");
            let restored: Space<T> = serde_json::from_str(&text).expect("it has just been written");
            assert!(restored.iter().eq(space.iter()), "{text}");
        }
        survives(&[(), ()]);
        survives(&[Some(3), None, Some(4)]);
    }

    #[test]
    fn a_space_is_sound_after_a_thing_could_not_be_cloned() {
        #[derive(Debug)]
        struct Odd(u32);
        impl Clone for Odd {
            fn clone(&self) -> Self {
                assert!(self.0 != 5, "no such thing");
                Self(self.0)
            }
        }
        let [source, mut space] = [9, 3].map(|count| -> Space<Odd> {
            (0..count).map(|thing| (Aabb::new([0.0; 2], [1.0; 2]), Odd(thing))).collect()
        });
        let clone = std::panic::AssertUnwindSafe(|| space.clone_from(&source));
        assert!(std::panic::catch_unwind(clone).is_err());
        space.validate().expect("a sound space");
        assert_eq!((space.len(), space.pairs().count()), (0, 0));
    }

    #[test]
    fn a_space_that_becomes_a_copy_goes_on_as_the_original_does() {
        becomes_the_same::<FrameTree>([(), ()]);
        let world = |side| crate::structures::PeriodicOptions::new(Aabb::new([0.0; 2], [side; 2]));
        becomes_the_same::<Periodic<FrameTree>>([world(100.0), world(300.0)]);
    }
}
