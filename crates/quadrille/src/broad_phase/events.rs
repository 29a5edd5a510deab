//! What began and what ended since the last step.

use alloc::vec::Vec;

use super::BroadPhase;
use super::contacts::Contacts;
use super::scene::Scene;
use crate::error::Error;
use crate::geometry::Aabb;
use crate::storage::Handle;
use crate::structure::Structure;

/// Whether a box has contacts with fixed boxes, and events about them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Mobility {
    /// Has contacts with everything.
    #[default]
    Moving,
    /// Scenery: fixed boxes have no contacts or events with each other. A fixed box can still be updated.
    /// Queries and pairs do not tell fixed boxes from others.
    Fixed,
}

/// What changed between two steps. Keep it and pass it in again: then a steady frame allocates nothing.
///
/// In the manual: `docs/concepts.md#events`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Events<N = Handle> {
    /// Pairs that overlap now and did not at the last step, the lower id first, in order of ids. For a
    /// [`Keyed`](crate::Keyed) set, both are those of keys.
    pub begin: Vec<(N, N)>,
    /// Pairs that overlapped at the last step and do not now, in order of ids. One or both things may have been
    /// removed.
    pub end: Vec<(N, N)>,
}

impl<N> Default for Events<N> {
    fn default() -> Self {
        Self { begin: Vec::new(), end: Vec::new() }
    }
}

/// # Events
impl<I: Structure> BroadPhase<I> {
    /// Finds the pairs of ids that began and ceased to overlap since the last call: see
    /// [`Space::step_events`](crate::Space::step_events).
    ///
    /// Removing a box ends its contacts; a new box under the same id begins its own. So a pair may be in both lists.
    ///
    /// ```
    /// use quadrille::{Aabb, BroadPhase, Events, FrameTree};
    ///
    /// let mut all = BroadPhase::<FrameTree>::default();
    /// let a = all.insert(Aabb::new([0.0, 0.0], [1.0, 1.0]))?;
    /// let b = all.insert(Aabb::new([0.5, 0.0], [1.5, 1.0]))?;
    /// let mut events = Events::default();
    /// all.step_events(&mut events);
    /// assert_eq!(events.begin, [(a, b)]);
    /// all.update(b, Aabb::new([5.0, 0.0], [6.0, 1.0]))?;
    /// all.step_events(&mut events);
    /// assert_eq!((events.begin, events.end), (vec![], vec![(a, b)]));
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    pub fn step_events(&mut self, events: &mut Events<u32>) {
        self.step(events, |id| id, |id| id);
    }

    /// [`step_events`](Self::step_events) with other names for ids: those in use now, and those of boxes that overlapped
    /// at the last step.
    pub(crate) fn step<N>(&mut self, events: &mut Events<N>, name: impl Fn(u32) -> N, name_before: impl Fn(u32) -> N) {
        let Self { index, fat, fixed, contacts, .. } = self;
        let contacts = contacts.get_or_insert_with(Contacts::before_the_first_step);
        let [begun, ended] = contacts.step(Scene::new(index, fat, fixed));
        events.begin.clear();
        events.begin.extend(begun.map(|(a, b)| (name(a), name(b))));
        events.end.clear();
        events.end.extend(ended.map(|(a, b)| (name_before(a), name_before(b))));
    }

    /// The pairs that overlap now and also did at the previous step: see [`Space::staying`](crate::Space::staying).
    pub fn staying(&self) -> impl Iterator<Item = (u32, u32)> {
        self.contacts.iter().flat_map(|contacts| contacts.touching(false))
    }

    /// The pairs that overlap as of the last step: see [`Space::contacts`](crate::Space::contacts).
    ///
    /// ```
    /// use quadrille::{Aabb, BroadPhase, Events, FrameTree};
    ///
    /// let boxes = [Aabb::new([0.0, 0.0], [1.0, 1.0]), Aabb::new([0.5, 0.5], [2.0, 2.0])];
    /// let mut all = BroadPhase::<FrameTree>::with_boxes(Default::default(), &boxes)?;
    /// all.step_events(&mut Events::default());
    /// assert_eq!(all.contacts().collect::<Vec<_>>(), [(0, 1)]);
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    pub fn contacts(&self) -> impl Iterator<Item = (u32, u32)> {
        self.contacts.iter().flat_map(|contacts| contacts.touching(true))
    }

    /// Sets whether a box can meet fixed boxes. A new one is [`Moving`](Mobility::Moving).
    ///
    /// # Errors
    /// If the id is not in use.
    ///
    /// ```
    /// use quadrille::{Aabb, BroadPhase, Events, FrameTree, Mobility};
    ///
    /// let walls = [Aabb::new([0.0, 0.0], [9.0, 1.0]), Aabb::new([0.0, 0.0], [1.0, 9.0])];
    /// let mut all = BroadPhase::<FrameTree>::with_boxes(Default::default(), &walls)?;
    /// for id in [0, 1] {
    ///     all.set_mobility(id, Mobility::Fixed)?;
    /// }
    /// let mut events = Events::default();
    /// all.step_events(&mut events);
    /// assert!(events.begin.is_empty(), "fixed boxes have no events with each other");
    /// assert_eq!(all.pairs_count(), 1, "but overlap they do");
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    pub fn set_mobility(&mut self, id: u32, mobility: Mobility) -> Result<(), Error> {
        self.check_id(id)?;
        self.note(id);
        match mobility {
            Mobility::Fixed => self.fixed.insert(id),
            Mobility::Moving => drop(self.fixed.remove(id)),
        }
        Ok(())
    }

    /// Whether a box can meet fixed boxes; `None` if the id is not in use.
    #[must_use]
    pub fn mobility(&self, id: u32) -> Option<Mobility> {
        let mobility = if self.fixed.contains(id) { Mobility::Fixed } else { Mobility::Moving };
        self.index.get(id).map(|_| mobility)
    }

    /// `true` once events have been asked for.
    pub(crate) fn has_events(&self) -> bool {
        self.contacts.is_some()
    }

    /// `true` if a box under this id has been removed since the last step, of which there has been one.
    pub(crate) fn has_gone(&self, id: u32) -> bool {
        self.contacts.as_ref().is_some_and(|contacts| contacts.gone().contains(id))
    }

    /// The ids of which that is `true`.
    pub(crate) fn gone(&self) -> &[u32] {
        self.contacts.as_ref().map_or(&[], |contacts| contacts.gone().as_slice())
    }

    pub(super) fn scene(&self) -> Scene<'_, I> {
        Scene::new(&self.index, &self.fat, &self.fixed)
    }

    /// Records that a box is about to change, or to be stored under a new id.
    pub(super) fn note(&mut self, id: u32) {
        let Self { index, fat, fixed, contacts, .. } = self;
        if let Some(contacts) = contacts {
            contacts.note(Scene::new(index, fat, fixed), id);
        }
    }

    /// Records which boxes of a frame, whose boxes are about to replace all, differ from those here.
    pub(super) fn note_frame(&mut self, frame: &[Aabb<I::Scalar>]) {
        let Self { index, fat, fixed, contacts: Some(contacts), .. } = self else { return };
        let scene = Scene::new(index, fat, fixed);
        for (id, bounds) in (0..).zip(frame).filter(|(_, bounds)| bounds.is_ordered()) {
            if contacts.are_many() {
                return;
            }
            if scene.bounds(id) != Some(*bounds) {
                contacts.note(scene, id);
            }
        }
    }

    /// Records that a box is about to go.
    pub(super) fn note_gone(&mut self, id: u32) {
        let Self { index, fat, fixed, contacts, .. } = self;
        if let Some(contacts) = contacts.as_mut().filter(|_| index.get(id).is_some()) {
            contacts.note_gone(Scene::new(index, fat, fixed), id);
        }
    }
}
