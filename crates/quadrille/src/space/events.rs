//! What began and what ended since the last step.

use alloc::vec::Vec;
use core::ops::ControlFlow::{Break, Continue};

use super::contacts::{Change, Contacts};
use super::gathered::Gathered;
use super::{Handle, Space};
use crate::error::{Corruption, Error};
use crate::storage::IdSet;
use crate::structure::Structure;

/// Whether a thing can meet fixed things.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Mobility {
    /// Meets everything.
    #[default]
    Moving,
    /// Scenery: meets moving things only. Fixed things have no contacts with each other, no events and no cost. A fixed
    /// thing can still be updated.
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

/// If more than one box in this many has changed, one walk over all pairs replaces a query for each. Measured with
/// 100,000 boxes of `uniform`, the two cost the same at one in 6 in `LooseGrid` and `LooseQuadtree` and at one in 16 in
/// `FrameTree`.
const AT_ONCE: usize = 8;

/// A walk stops after this many useless pairs per changed box: about what a query costs.
const IDLE: usize = 16;

/// Of two ids that may both be members, is `id` the one that looks after their contact? If both are, it is the lower
/// one.
fn leads(members: &IdSet, id: u32, other: u32) -> bool {
    id < other || !members.contains(other)
}

/// # Events
impl<T, I: Structure> Space<T, I> {
    /// Finds the pairs that began and ceased to overlap since the last call, and writes them to `events`. On the first
    /// call, all current pairs begin. [`staying`](Self::staying) gives the pairs that did neither.
    ///
    /// The cost is a few comparisons for each thing that was updated within its fat box, plus one query for each
    /// thing that left it, or one walk over all pairs if many did. Things that were not updated cost nothing, so a
    /// thing sleeps if you do not update it.
    ///
    /// In detail:
    /// - Events compare the boxes at one call with those at the next. A contact that began and ended in between is not
    ///   reported.
    /// - Removing a thing ends its contacts under its old handle. A new thing in the same slot begins its own. If you
    ///   need the payload when the contacts end, [`retire`](Self::retire) the thing instead of removing it.
    /// - Two [`Fixed`](Mobility::Fixed) things never have events. If two things touch, one is fixed and the other
    ///   becomes fixed, their contact ends.
    /// - [`clear`](Self::clear) ends all contacts.
    ///
    /// ```
    /// use quadrille::{Aabb, Events, Space};
    ///
    /// let mut space = Space::<&str>::default();
    /// let door = space.insert(Aabb::new([0.0, 0.0], [2.0, 2.0]), "door")?;
    /// let hero = space.insert(Aabb::new([1.0, 0.0], [2.0, 1.0]), "hero")?;
    /// let mut events = Events::default();
    /// space.step_events(&mut events);
    /// assert_eq!(events.begin, [(door, hero)]);
    ///
    /// space.update(hero, Aabb::new([5.0, 0.0], [6.0, 1.0]))?;
    /// space.step_events(&mut events);
    /// assert!(events.begin.is_empty());
    /// assert_eq!(events.end, [(door, hero)]);
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    pub fn step_events(&mut self, events: &mut Events) {
        self.retired = core::mem::take(&mut self.leaving);
        events.begin.clear();
        events.end.clear();
        events.end.append(&mut self.ended);
        let mut contacts = self.contacts.take().unwrap_or_else(|| self.all_new());
        contacts.begin_step();
        self.refit_all(&mut contacts, events);
        self.retouch_all(&mut contacts, events);
        self.contacts = Some(contacts);
        events.begin.sort_unstable();
        events.end.sort_unstable();
    }

    /// The pairs that overlap now and also did at the previous step, as of the last [`step_events`](Self::step_events).
    /// They come in order of lower ids; for the same lower id, newest first. Lazy; visits each thing and each contact.
    pub fn staying(&self) -> impl Iterator<Item = (Handle, Handle)> {
        self.touching(false)
    }

    /// The pairs that overlap as of the last [`step_events`](Self::step_events), new ones included; otherwise like
    /// [`staying`](Self::staying).
    pub fn contacts(&self) -> impl Iterator<Item = (Handle, Handle)> {
        self.touching(true)
    }

    /// Removes a thing from the space but keeps it available through [`retired`](Self::retired) until the
    /// [`step_events`](Self::step_events) after the one that ends its contacts. `false` if the handle is stale.
    ///
    /// ```
    /// use quadrille::{Aabb, Events, Space};
    ///
    /// let mut space = Space::<&str>::default();
    /// let a = space.insert(Aabb::new([0.0, 0.0], [2.0, 2.0]), "a")?;
    /// let b = space.insert(Aabb::new([1.0, 1.0], [3.0, 3.0]), "b")?;
    /// let mut events = Events::default();
    /// space.step_events(&mut events);
    /// space.retire(b);
    /// space.step_events(&mut events);
    /// assert_eq!(events.end, [(a, b)]);
    /// assert_eq!((space.get(b), space.retired(b)), (None, Some(&"b")));
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    pub fn retire(&mut self, handle: Handle) -> bool {
        let thing = self.remove(handle);
        thing.map(|thing| self.leaving.insert(handle, thing)).is_some()
    }

    /// A retired thing whose last events the last [`step_events`](Self::step_events) reported, or the next one will
    /// report.
    #[must_use]
    pub fn retired(&self, handle: Handle) -> Option<&T> {
        self.leaving.get(&handle).or_else(|| self.retired.get(&handle))
    }

    /// Sets whether a thing can meet fixed things. A new thing is [`Moving`](Mobility::Moving).
    ///
    /// # Errors
    /// If the handle is stale.
    pub fn set_mobility(&mut self, handle: Handle, mobility: Mobility) -> Result<(), Error> {
        if !self.contains(handle) {
            return Err(self.stale(handle));
        }
        match mobility {
            Mobility::Fixed => self.fixed.insert(handle.slot),
            Mobility::Moving => drop(self.fixed.remove(handle.slot)),
        }
        self.note(handle.slot, true);
        Ok(())
    }

    /// Whether a thing can meet fixed things; `None` if the handle is stale.
    #[must_use]
    pub fn mobility(&self, handle: Handle) -> Option<Mobility> {
        let is_fixed = self.fixed.contains(handle.slot);
        self.contains(handle).then_some(if is_fixed { Mobility::Fixed } else { Mobility::Moving })
    }

    /// `true` once events have been asked for.
    pub(super) fn has_events(&self) -> bool {
        self.contacts.is_some()
    }

    /// Records that a box has changed, and whether its fat box has.
    pub(super) fn note(&mut self, id: u32, is_refitted: bool) {
        if let Some(contacts) = &mut self.contacts {
            contacts.moved.insert(id);
            if is_refitted {
                contacts.refitted.insert(id);
            }
        }
    }

    /// Ends all contacts of a thing that is about to go.
    pub(super) fn end_contacts(&mut self, handle: Handle) {
        if let Some(mut contacts) = self.contacts.take() {
            let mut ended = core::mem::take(&mut self.ended);
            contacts.forget(handle.slot, |a, b| ended.push((self.at(a).0, self.at(b).0)));
            (self.contacts, self.ended) = (Some(contacts), ended);
        }
    }

    /// Finds which fat boxes overlap now: those that changed against all others.
    fn refit_all(&self, contacts: &mut Contacts, events: &mut Events) {
        let (mut refitted, mut gathered) =
            (core::mem::take(&mut contacts.refitted), core::mem::take(&mut contacts.gathered));
        if refitted.len() > self.len() / AT_ONCE && self.gather(&refitted, &mut gathered) {
            for &id in refitted.as_slice() {
                self.refit(contacts, &refitted, id, gathered.of(id), events);
            }
        } else {
            for &id in refitted.as_slice() {
                let others = self.index.neighbors(id).filter(|&other| self.asks(&refitted, id, other));
                self.refit(contacts, &refitted, id, others, events);
            }
        }
        refitted.clear();
        (contacts.refitted, contacts.gathered) = (refitted, gathered);
    }

    /// Gives `id` contacts with exactly `others`, limited to those about which it [asks](Self::asks).
    fn refit(
        &self,
        contacts: &mut Contacts,
        refitted: &IdSet,
        id: u32,
        others: impl Iterator<Item = u32>,
        events: &mut Events,
    ) {
        let Some(fat) = self.index.get(id) else { return };
        let overlaps = |other| {
            self.may_meet(id, other) && self.index.get(other).is_some_and(|other| self.index.touch(&fat, &other))
        };
        let ended = |a, b| events.end.push((self.at(a).0, self.at(b).0));
        contacts.refit(id, |other| leads(refitted, id, other), overlaps, others, ended);
    }

    /// Collects, from all pairs of fat boxes, what each changed box would find by a query. `false` if the walk was
    /// given up because most pairs are between other boxes: fixed things may lie in piles.
    fn gather(&self, refitted: &IdSet, gathered: &mut Gathered) -> bool {
        gathered.clear(self.index.places());
        let mut idle = 0;
        let walk = self.index.pairs_visit(|a, b| {
            let (id, other) = if refitted.contains(a) { (a, b) } else { (b, a) };
            if self.asks(refitted, id, other) && refitted.contains(id) {
                gathered.push(id, other);
            } else {
                idle += 1;
            }
            if idle > IDLE * refitted.len() { Break(()) } else { Continue(()) }
        });
        walk.is_continue()
    }

    /// Finds which contacts touch now, among those of things that have moved.
    fn retouch_all(&self, contacts: &mut Contacts, events: &mut Events) {
        let mut moved = core::mem::take(&mut contacts.moved);
        let touch = |a, b| self.view().touch(a, b);
        let mut changed = |change, a, b| {
            let list = if change == Change::Begin { &mut events.begin } else { &mut events.end };
            list.push((self.at(a).0, self.at(b).0));
        };
        if moved.len() > self.len() / AT_ONCE {
            contacts.retouch_all(|id| moved.contains(id), touch, changed);
        } else {
            for &id in moved.as_slice() {
                contacts.retouch(id, |other| leads(&moved, id, other), touch, &mut changed);
            }
        }
        moved.clear();
        contacts.moved = moved;
    }

    /// Does `id`, which was refitted, ask about its contact with `other`?
    fn asks(&self, refitted: &IdSet, id: u32, other: u32) -> bool {
        leads(refitted, id, other) && self.may_meet(id, other)
    }

    /// Whether two things can have a contact, wherever they are.
    fn may_meet(&self, a: u32, b: u32) -> bool {
        !(self.fixed.contains(a) && self.fixed.contains(b)) && self.index.meet(a, b)
    }

    /// The contacts before the first step: everything is new.
    fn all_new(&self) -> Contacts {
        let mut contacts = Contacts::default();
        for (id, _) in &self.index {
            contacts.moved.insert(id);
            contacts.refitted.insert(id);
        }
        contacts
    }

    fn touching(&self, with_new: bool) -> impl Iterator<Item = (Handle, Handle)> {
        let pairs = self.contacts.iter().flat_map(move |contacts| contacts.touching(with_new));
        pairs.map(|(a, b)| (self.at(a).0, self.at(b).0))
    }

    pub(super) fn validate_contacts(&self) -> Result<(), Corruption> {
        let Some(contacts) = &self.contacts else { return Ok(()) };
        let fat_boxes = |a, b| self.index.get(a).zip(self.index.get(b));
        let overlap =
            |a, b| fat_boxes(a, b).map(|(first, second)| self.may_meet(a, b) && self.index.touch(&first, &second));
        // Asked of each moving thing that waits for no refit. So the cost grows with the number of contacts, even on a
        // pile of fixed things.
        let asking = self.index.iter().filter(|&(id, _)| !self.fixed.contains(id) && !contacts.refitted.contains(id));
        let pairs = asking.flat_map(|(a, _)| {
            let others = self.index.neighbors(a).filter(move |&b| a < b || (a > b && self.fixed.contains(b)));
            others.filter(|&b| !contacts.refitted.contains(b)).map(move |b| (a, b))
        });
        contacts.validate(pairs, overlap, |a, b| self.view().touch(a, b))
    }
}
