//! Floor 6: boxes under ids that move, with margins and events, on top of an [`Index`].
//!
//! | file | what it knows |
//! |---|---|
//! | `mod.rs` | boxes that come, go and move |
//! | `options.rs` | what a new box can start with |
//! | `queries.rs` | the resolver: exact boxes |
//! | `margin.rs` | fat boxes: room to move without an update of the index |
//! | `events.rs` | which pairs began and ended |
//! | `contacts.rs` | one step: from what changed to what began and ended |
//! | `scene.rs` | what a step reads: boxes, and all that decides about their contacts |
//! | `pending.rs` | what has changed since the last step |
//! | `last.rs` | the pairs of the last step, and how those of this one differ |
//! | `asking.rs` | boxes that have changed, or that move among fixed ones, ask many at once |
//! | `restored.rs` | broad phases read from a file, before they are validated |

mod asking;
mod contacts;
mod events;
mod last;
mod margin;
mod options;
mod pending;
mod queries;
#[cfg(feature = "serde")]
mod restored;
mod scene;

use alloc::vec::Vec;

pub use events::{Events, Mobility};
pub use margin::Margin;
pub use options::BoxOptions;
pub(crate) use queries::Exact;
#[cfg(feature = "serde")]
pub(crate) use restored::Unvalidated;

use crate::error::{Corruption, Error};
use crate::executor::Serial;
use crate::geometry::Aabb;
use crate::index::Index;
use crate::storage::{Agreement, IdSet, Layers};
use crate::structure::{FrameTree, Structure};
use contacts::Contacts;
use margin::FatBoxes;

/// Boxes under ids, arranged by the structure `I`, that report which pairs begin and cease to overlap: an [`Index`] for
/// programs that keep their objects in tables of their own and want events, margins or fixed boxes.
///
/// A [`Space`](crate::Space) adds things, and handles that detect staleness. Ids are those of an index. Every query is
/// about the exact boxes, whatever the [margin](Self::set_margin).
///
/// ```
/// use quadrille::{Aabb, BroadPhase, Events, FrameTree};
///
/// let mut boxes = vec![Aabb::new([0.0, 0.0], [2.0, 2.0]), Aabb::new([1.0, 1.0], [3.0, 3.0])];
/// let mut all = BroadPhase::<FrameTree>::default();
/// let mut events = Events::default();
/// all.set_all(&boxes)?;
/// all.step_events(&mut events);
/// assert_eq!(events.begin, [(0, 1)]);
///
/// boxes.push(Aabb::new([2.5, 2.5], [4.0, 4.0]));
/// boxes[0] = Aabb::new([9.0, 9.0], [10.0, 10.0]);
/// all.set_all(&boxes)?;
/// all.step_events(&mut events);
/// assert_eq!((events.begin, events.end), (vec![(1, 2)], vec![(0, 1)]));
/// # Ok::<(), quadrille::Error>(())
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "restored::Unvalidated<I>"))]
#[cfg_attr(
    feature = "serde",
    serde(bound(serialize = "I: serde::Serialize", deserialize = "I: serde::Deserialize<'de>"))
)]
pub struct BroadPhase<I: Structure = FrameTree> {
    /// Fat boxes, if a margin is set.
    index: Index<I>,
    fat: FatBoxes<I::Scalar>,
    /// The boxes of a frame as they go to the index, for [`update_all`](Self::update_all). Kept to reuse its memory.
    #[cfg_attr(feature = "serde", serde(skip))]
    frame: Vec<Aabb<I::Scalar>>,
    /// Boxes that never meet each other.
    fixed: IdSet,
    /// Present from the first step on.
    contacts: Option<Contacts<I>>,
}

impl<I: Structure> Default for BroadPhase<I> {
    /// Without boxes, with the structure's default options, which follow the data.
    fn default() -> Self {
        Self::over(Index::default())
    }
}

/// # Create, change, remove
impl<I: Structure> BroadPhase<I> {
    /// Without boxes.
    ///
    /// # Errors
    /// Names the option, its value and the rule it breaks.
    pub fn new(options: I::Options) -> Result<Self, Error> {
        Index::new(options).map(Self::over)
    }

    /// Bulk loads boxes, faster than inserting one by one. Ids are positions.
    ///
    /// # Errors
    /// If an option breaks a rule, or a box is NaN, infinite or inverted: names its position and the value.
    ///
    /// ```
    /// use quadrille::{Aabb, BroadPhase, FrameTree};
    ///
    /// let boxes = [Aabb::new([0.0, 0.0], [1.0, 1.0]), Aabb::new([1.0, 0.0], [2.0, 1.0])];
    /// let all = BroadPhase::<FrameTree>::with_boxes(Default::default(), &boxes)?;
    /// assert_eq!(all.pairs().collect::<Vec<_>>(), [(0, 1)]);
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    pub fn with_boxes(options: I::Options, boxes: &[Aabb<I::Scalar>]) -> Result<Self, Error> {
        Index::with_boxes(options, boxes).map(Self::over)
    }

    fn over(index: Index<I>) -> Self {
        let (fat, fixed) = (FatBoxes::new(), IdSet::new());
        Self { index, fat, frame: Vec::new(), fixed, contacts: None }
    }

    /// Stores a box and returns its id. Ids of removed boxes are reused, last freed first.
    ///
    /// # Errors
    /// If the box is NaN, infinite or inverted (names the value), or if there are already 2^31 - 1 boxes.
    ///
    /// ```
    /// use quadrille::{Aabb, BroadPhase};
    ///
    /// let mut all = BroadPhase::<quadrille::FrameTree>::default();
    /// let id = all.insert(Aabb::new([0.0, 0.0], [1.0, 1.0]))?;
    /// assert_eq!(all.get(id), Some(Aabb::new([0.0, 0.0], [1.0, 1.0])));
    /// assert!(all.insert(Aabb::new([f32::NAN, 0.0], [1.0, 1.0])).is_err());
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    pub fn insert(&mut self, bounds: Aabb<I::Scalar>) -> Result<u32, Error> {
        self.insert_with(bounds, BoxOptions::new())
    }

    /// Stores a box with its layers, margin and mobility, and returns its id.
    ///
    /// # Errors
    /// As [`insert`](Self::insert).
    ///
    /// ```
    /// use quadrille::{Aabb, BoxOptions, BroadPhase, FrameTree, Mobility};
    ///
    /// let mut all = BroadPhase::<FrameTree>::default();
    /// let wall = BoxOptions::new().with_mobility(Mobility::Fixed);
    /// let id = all.insert_with(Aabb::new([0.0, 0.0], [9.0, 1.0]), wall)?;
    /// assert_eq!(all.mobility(id), Some(Mobility::Fixed));
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    pub fn insert_with(&mut self, bounds: Aabb<I::Scalar>, options: BoxOptions<I::Scalar>) -> Result<u32, Error> {
        let bounds = self.index.admit(bounds)?;
        let id = self.index.next_id()?;
        if options.margin.is_some() {
            self.fat.set_own(id, options.margin);
        }
        let fat = if self.fat.are_off() { bounds } else { self.fatten(id, bounds, None) };
        self.note(id);
        self.index.insert_admitted(fat, options.layers)?;
        if options.mobility == Mobility::Fixed {
            self.fixed.insert(id);
        }
        Ok(id)
    }

    /// Removes a box and returns it, or `None` if the id is not in use. Its contacts end in the next
    /// [`step_events`](Self::step_events).
    ///
    /// ```
    /// use quadrille::{Aabb, BroadPhase, FrameTree};
    ///
    /// let mut all = BroadPhase::<FrameTree>::default();
    /// let id = all.insert(Aabb::new([0.0, 0.0], [1.0, 1.0]))?;
    /// assert!(all.remove(id).is_some());
    /// assert_eq!(all.remove(id), None);
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    pub fn remove(&mut self, id: u32) -> Option<Aabb<I::Scalar>> {
        let bounds = self.get(id)?;
        self.note_gone(id);
        self.fat.forget(id);
        self.fixed.remove(id);
        self.index.remove(id);
        Some(bounds)
    }

    /// Moves or resizes a box and returns the old one.
    ///
    /// # Errors
    /// If the box is NaN, infinite or inverted (names the value), or if the id is not in use.
    ///
    /// ```
    /// use quadrille::{Aabb, BroadPhase, FrameTree};
    ///
    /// let mut all = BroadPhase::<FrameTree>::default();
    /// let id = all.insert(Aabb::new([0.0, 0.0], [1.0, 1.0]))?;
    /// let old = all.update(id, Aabb::new([2.0, 0.0], [3.0, 1.0]))?;
    /// assert_eq!(old.min, [0.0, 0.0]);
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    pub fn update(&mut self, id: u32, bounds: Aabb<I::Scalar>) -> Result<Aabb<I::Scalar>, Error> {
        let bounds = self.index.admit(bounds)?;
        let Some(current) = self.index.get(id) else { return Err(self.index.unknown(id)) };
        if self.fat.are_off() {
            if current != bounds {
                self.note(id);
                self.index.replace(id, current, bounds);
            }
            return Ok(current);
        }
        self.note(id);
        let old = self.fat.exact(id).unwrap_or(current);
        let fat = self.fatten(id, bounds, Some(current));
        if current != fat {
            self.index.replace(id, current, fat);
        }
        Ok(old)
    }

    /// The fat box for a box that is now `bounds`; `bounds` itself if there is no room for a fat one.
    fn fatten(&mut self, id: u32, bounds: Aabb<I::Scalar>, current: Option<Aabb<I::Scalar>>) -> Aabb<I::Scalar> {
        let fat = self.fat.fit(id, bounds, current, self.index.iter());
        if current == Some(fat) { fat } else { self.index.admit_around(&bounds, fat).unwrap_or(bounds) }
    }

    /// Replaces all boxes and calls [`maintain`](Self::maintain): a whole frame in one call. Entries at free ids are
    /// skipped, whatever they contain. The result is the same as updating one by one. As fast as
    /// [`Index::update_all`], and about as fast with margins.
    ///
    /// # Errors
    /// If a box is NaN, infinite or inverted (names its position and the value), if an id in use gets no box, or if
    /// there are more boxes than ids. Nothing has changed in that case.
    ///
    /// ```
    /// use quadrille::{Aabb, BroadPhase, FrameTree};
    ///
    /// let mut boxes = vec![Aabb::new([0.0, 0.0], [1.0, 1.0]), Aabb::new([5.0, 0.0], [6.0, 1.0])];
    /// let mut all = BroadPhase::<FrameTree>::with_boxes(Default::default(), &boxes)?;
    /// boxes[1] = Aabb::new([0.5, 0.0], [1.5, 1.0]);
    /// all.update_all(&boxes)?;
    /// assert_eq!(all.pairs_count(), 1);
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    pub fn update_all(&mut self, boxes: &[Aabb<I::Scalar>]) -> Result<(), Error> {
        self.check_frame(boxes.len())?;
        if self.fat.are_off() && self.index.len() == self.index.slots() {
            let boxes = self.index.admit_all(boxes)?;
            self.note_frame(&boxes);
            self.index.take_all(&boxes, &Serial);
            return Ok(());
        }
        self.take_frame(|frame| frame.extend_from_slice(boxes))
    }

    /// Makes the contents exactly these boxes, under the ids 0, 1, 2, …, and calls [`maintain`](Self::maintain): a
    /// whole frame in one call when boxes come and go: see [`Index::set_all`]. Boxes that stay keep their layers,
    /// margins, mobility and contacts.
    ///
    /// # Errors
    /// If a box is NaN, infinite or inverted (names its position and the value), or if there are more than 2^31 - 1.
    /// Nothing has changed in that case.
    pub fn set_all(&mut self, boxes: &[Aabb<I::Scalar>]) -> Result<(), Error> {
        let boxes = self.index.admit_all(boxes)?;
        for id in (boxes.len()..self.index.slots()).rev() {
            self.remove(id as u32);
        }
        let mut frame = core::mem::take(&mut self.frame);
        frame.clear();
        frame.extend_from_slice(&boxes);
        self.refit_frame(&mut frame);
        let done = self.index.set_all_admitted(&frame);
        self.frame = frame;
        done
    }

    /// Whether a frame of this many boxes has one for each id in use, and no more than there are ids.
    fn check_frame(&self, boxes: usize) -> Result<(), Error> {
        let slots = self.index.slots();
        if boxes > slots {
            return Err(Error::unknown_id(u32::try_from(slots).unwrap_or(u32::MAX), slots));
        }
        self.index.check_last(boxes)
    }

    /// Replaces all boxes by those that `fill` puts into a frame, by id.
    pub(crate) fn take_frame(&mut self, fill: impl FnOnce(&mut Vec<Aabb<I::Scalar>>)) -> Result<(), Error> {
        let mut frame = core::mem::take(&mut self.frame);
        frame.clear();
        fill(&mut frame);
        for (id, bounds) in (0..).zip(&mut frame) {
            if self.index.get(id).is_none() {
                *bounds = Aabb::EMPTY;
            } else if I::AROUND.is_some() || !bounds.is_valid() {
                *bounds = self.index.admit(*bounds).map_err(|error| Error::at(error, id as usize))?;
            }
        }
        self.refit_frame(&mut frame);
        self.index.take_all(&frame, &Serial);
        self.frame = frame;
        Ok(())
    }

    /// Notes what changes, and turns boxes into the boxes for the index.
    fn refit_frame(&mut self, frame: &mut [Aabb<I::Scalar>]) {
        self.note_frame(frame);
        if self.fat.are_off() {
            return;
        }
        if self.fat.has_no_margin() {
            return self.fat.forget_exact();
        }
        // Before the first box changes: the index takes the frame only when it is complete.
        self.fat.begin(self.index.iter());
        for (id, bounds) in (0..).zip(frame).filter(|(_, bounds)| bounds.is_ordered()) {
            *bounds = self.fatten(id, *bounds, self.index.get(id));
        }
    }

    /// Sets the layers of a box and returns the old ones: see [`Index::set_layers`]. Contacts begin and end accordingly
    /// in the next [`step_events`](Self::step_events).
    ///
    /// # Errors
    /// If the id is not in use.
    ///
    /// ```
    /// use quadrille::{Aabb, BroadPhase, FrameTree, Layers};
    ///
    /// let boxes = [Aabb::new([0.0, 0.0], [1.0, 1.0]), Aabb::new([0.5, 0.5], [2.0, 2.0])];
    /// let mut all = BroadPhase::<FrameTree>::with_boxes(Default::default(), &boxes)?;
    /// all.set_layers(0, Layers::new(0b01, 0b01))?; // each collides with its own kind only
    /// all.set_layers(1, Layers::new(0b10, 0b10))?;
    /// assert_eq!(all.pairs_count(), 0);
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    pub fn set_layers(&mut self, id: u32, layers: Layers) -> Result<Layers, Error> {
        self.check_id(id)?;
        self.note(id);
        self.index.set_layers(id, layers)
    }

    /// Sets the layers of many boxes: see [`set_layers`](Self::set_layers). Rebuilds the structure at most once. All or
    /// nothing: if one id is rejected, nothing changes.
    ///
    /// # Errors
    /// If an id is not in use.
    pub fn set_layers_batch(&mut self, changes: &[(u32, Layers)]) -> Result<(), Error> {
        changes.iter().try_for_each(|&(id, _)| self.check_id(id))?;
        changes.iter().for_each(|&(id, _)| self.note(id));
        self.index.set_layers_batch(changes)
    }

    /// Sets when the layers of two boxes meet. The default: when [both](Agreement::Both) agree.
    pub fn set_agreement(&mut self, agreement: Agreement) {
        self.index.set_agreement(agreement);
        self.contacts.iter_mut().for_each(Contacts::note_all);
    }

    /// Sets how large fat boxes are, for all boxes without a margin of their own. Takes effect with each box's next
    /// update.
    ///
    /// ```
    /// use quadrille::{Aabb, BroadPhase, FrameTree, Margin};
    ///
    /// let mut all = BroadPhase::<FrameTree>::default();
    /// all.set_margin(Margin::Absolute(0.5)); // moves of up to half a unit are almost free
    /// let id = all.insert(Aabb::new([0.0, 0.0], [1.0, 1.0]))?;
    /// all.update(id, Aabb::new([0.25, 0.0], [1.25, 1.0]))?;
    /// assert_eq!(all.get(id).map(|bounds| bounds.min), Some([0.25, 0.0]), "the exact box");
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    pub fn set_margin(&mut self, margin: Margin<I::Scalar>) {
        self.fat.set_common(margin);
    }

    /// Sets the margin of a single box, from its next update on. `None` goes back to the common margin.
    ///
    /// # Errors
    /// If the id is not in use.
    pub fn set_margin_of(&mut self, id: u32, margin: Option<Margin<I::Scalar>>) -> Result<(), Error> {
        self.check_id(id)?;
        self.fat.set_own(id, margin);
        Ok(())
    }

    /// Removes all boxes and keeps the memory. All contacts end in the next [`step_events`](Self::step_events).
    pub fn clear(&mut self) {
        (0..self.index.slots()).for_each(|id| self.note_gone(id as u32));
        self.index.clear();
        self.fat.clear();
        self.fixed.clear();
    }

    /// Reserves memory for `additional` more boxes.
    pub fn reserve(&mut self, additional: usize) {
        self.index.reserve(additional);
    }

    /// Does deferred work: see [`Index::maintain`].
    pub fn maintain(&mut self) {
        self.index.maintain();
    }
}

/// # Looking up
impl<I: Structure> BroadPhase<I> {
    /// How many boxes there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.index.len()
    }

    /// `true` if there are no boxes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.index.is_empty()
    }

    /// The box with this id, or `None` if the id is not in use.
    #[must_use]
    pub fn get(&self, id: u32) -> Option<Aabb<I::Scalar>> {
        self.index.get(id).map(|fat| self.fat.exact(id).unwrap_or(fat))
    }

    /// The underlying index: layers by id, nodes, stats. If a margin is set, its boxes are the fat ones.
    #[must_use]
    pub fn index(&self) -> &Index<I> {
        &self.index
    }

    /// All ids with their boxes, in order of ids.
    ///
    /// ```
    /// use quadrille::{Aabb, BroadPhase, FrameTree};
    ///
    /// let boxes = [Aabb::new([0.0, 0.0], [1.0, 1.0]), Aabb::new([4.0, 0.0], [5.0, 1.0])];
    /// let all = BroadPhase::<FrameTree>::with_boxes(Default::default(), &boxes)?;
    /// assert_eq!(all.iter().map(|(id, _)| id).collect::<Vec<_>>(), [0, 1]);
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = (u32, Aabb<I::Scalar>)> {
        self.view().iter()
    }

    fn check_id(&self, id: u32) -> Result<(), Error> {
        if self.index.get(id).is_some() { Ok(()) } else { Err(self.index.unknown(id)) }
    }
}

/// # Looking inside
impl<I: Structure> BroadPhase<I> {
    /// Checks the underlying index, and that fat boxes and contacts agree with it.
    ///
    /// The cost grows with the number of nodes and boxes. With events it also grows with the number of overlapping fat
    /// boxes: about twice as much per pair as collecting all [`pairs`](Self::pairs).
    ///
    /// # Errors
    /// Says which parts contradict each other. This is always a bug in this library: please report it.
    pub fn validate(&self) -> Result<(), Corruption> {
        self.index.validate()?;
        self.validate_state()
    }

    /// Checks everything on top of a sound index.
    fn validate_state(&self) -> Result<(), Corruption> {
        self.fat.validate(self.index.iter())?;
        let is_admitted = |(_, bounds)| self.index.admit(bounds) == Ok(bounds);
        Corruption::unless(self.iter().all(is_admitted), || "a box is out of its world".into())?;
        self.fixed.validate()?;
        let is_in_use = |&id: &u32| self.index.get(id).is_some();
        Corruption::unless(self.fixed.as_slice().iter().all(is_in_use), || "something fixed is gone".into())?;
        self.contacts.as_ref().map_or(Ok(()), |contacts| contacts.validate(self.scene()))
    }
}
