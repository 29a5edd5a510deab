//! What began and what ended since the last step.

use alloc::vec::Vec;

use super::BroadPhase;
use super::contacts::{Contacts, Scene};
use super::graph::Change;
use super::queries::Exact;
use crate::error::Error;
use crate::storage::Handle;
use crate::structure::Structure;

/// Whether a box has contacts with fixed boxes, and events about them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Mobility {
    /// Has contacts with everything.
    #[default]
    Moving,
    /// Scenery: fixed boxes have no contacts or events with each other, and cost nothing. A fixed box can still be updated.
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

impl<N: Ord> Events<N> {
    /// Begins with pairs that have ended already, which are moved here.
    pub(crate) fn restart(&mut self, ended: &mut Vec<(N, N)>) {
        self.begin.clear();
        self.end.clear();
        self.end.append(ended);
    }

    pub(crate) fn add(&mut self, change: Change, pair: (N, N)) {
        match change {
            Change::Begin => self.begin.push(pair),
            Change::End => self.end.push(pair),
        }
    }

    pub(crate) fn sort(&mut self) {
        self.begin.sort_unstable();
        self.end.sort_unstable();
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
        events.restart(&mut self.ended);
        self.step(|change, a, b| events.add(change, (a, b)));
        events.sort();
    }

    /// Finds what began and what ended, but for what ended by removal: see [`take_ended`](Self::take_ended).
    pub(crate) fn step(&mut self, changed: impl FnMut(Change, u32, u32)) {
        let Self { index, fat, fixed, contacts, .. } = self;
        let contacts = contacts.get_or_insert_with(|| Contacts::before_the_first_step(index));
        contacts.step(Scene { index, exact: Exact::new(index, fat), fixed }, changed);
    }

    /// The contacts that have ended by removal since the last step.
    pub(crate) fn take_ended(&mut self) -> impl Iterator<Item = (u32, u32)> {
        self.ended.drain(..)
    }

    /// `true` if no contact has ended by removal since the last step, or all of those have been taken.
    pub(crate) fn has_reported(&self) -> bool {
        self.ended.is_empty()
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
        match mobility {
            Mobility::Fixed => self.fixed.insert(id),
            Mobility::Moving => drop(self.fixed.remove(id)),
        }
        self.note(id, true);
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

    /// Records that a box has changed, and whether its fat box has.
    pub(super) fn note(&mut self, id: u32, is_refitted: bool) {
        if let Some(contacts) = &mut self.contacts {
            contacts.note(id, is_refitted);
        }
    }

    /// Ends all contacts of a box that is about to go.
    pub(super) fn end_contacts(&mut self, id: u32) {
        if let Some(contacts) = &mut self.contacts {
            contacts.forget(id, |a, b| self.ended.push((a, b)));
        }
    }
}
