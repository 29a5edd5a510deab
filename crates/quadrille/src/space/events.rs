//! What began and what ended since the last step.

use alloc::vec::Vec;

use super::contacts::{Change, Contacts};
use super::{Handle, Space};
use crate::error::{Corruption, Error};
use crate::question::Overlaps;
use crate::structure::Structure;

/// Whether a thing can meet what does not move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Mobility {
    /// Meets everything.
    #[default]
    Moving,
    /// Scenery: meets moving things only, so fixed things among themselves have no contacts, no events and no cost. It may still
    /// be updated.
    Fixed,
}

/// What changed between two steps. Yours to keep and hand in again, so that a steady frame allocates nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Events {
    /// Pairs that overlap now and did not at the last step, the lower id first, sorted.
    pub begin: Vec<(Handle, Handle)>,
    /// Pairs that overlapped at the last step and do not now, sorted. One or both may be gone.
    pub end: Vec<(Handle, Handle)>,
}

/// # Events
impl<T, I: Structure> Space<T, I> {
    /// Finds the pairs that have begun and ended to overlap since the last call, and writes them to `events`. The first call
    /// begins all pairs there are. [`staying`](Self::staying) gives those that did neither.
    ///
    /// Costs a few comparisons for each thing that was updated within its fat box, one question for each that left it, and
    /// nothing for what was not updated: sleeping things are things that nobody updates.
    ///
    /// Exactly:
    /// - Events compare the boxes at one call with those at the next. A contact that began and ended in between is not reported.
    /// - A thing that was removed ends its contacts under its old handle; a new thing in the same place begins its own.
    ///   Whoever must still reach the payload then [`retire`](Self::retire)s instead of removing.
    /// - Two [`Fixed`](Mobility::Fixed) things never have events. When one of two touching things is fixed and the other
    ///   is already, their contact ends.
    /// - [`clear`](Self::clear) ends everything.
    pub fn step_events(&mut self, events: &mut Events) {
        self.retired = core::mem::take(&mut self.leaving);
        events.begin.clear();
        events.end.clear();
        events.end.append(&mut self.ended);
        let mut contacts = self.contacts.take().unwrap_or_else(|| self.all_new());
        contacts.begin_step();
        let refitted = core::mem::take(&mut contacts.refitted);
        for &id in refitted.as_slice() {
            self.refit(&mut contacts, id, events);
        }
        let moved = core::mem::take(&mut contacts.moved);
        for &id in moved.as_slice() {
            contacts.retouch(
                id,
                |a, b| self.touch(a, b),
                |change, a, b| {
                    let list = if change == Change::Begin { &mut events.begin } else { &mut events.end };
                    list.push((self.at(a).0, self.at(b).0));
                },
            );
        }
        (contacts.refitted, contacts.moved) = (refitted, moved);
        contacts.refitted.clear();
        contacts.moved.clear();
        self.contacts = Some(contacts);
        events.begin.sort_unstable();
        events.end.sort_unstable();
    }

    /// The pairs that overlap now and did at the last step, as of the last [`step_events`](Self::step_events): in the order of
    /// lower ids, and for one lower id the newest first. Lazily; costs a look at each thing and each contact.
    pub fn staying(&self) -> impl Iterator<Item = (Handle, Handle)> {
        self.touching(false)
    }

    /// The pairs that overlap, as of the last [`step_events`](Self::step_events), new ones included; otherwise like
    /// [`staying`](Self::staying).
    pub fn contacts(&self) -> impl Iterator<Item = (Handle, Handle)> {
        self.touching(true)
    }

    /// Takes a thing out of the space but keeps it within reach of [`retired`](Self::retired) until the
    /// [`step_events`](Self::step_events) after the one that ends its contacts. `false` if the handle is stale.
    pub fn retire(&mut self, handle: Handle) -> bool {
        let thing = self.remove(handle);
        thing.map(|thing| self.leaving.insert(handle, thing)).is_some()
    }

    /// A thing that was retired and whose last events have been given out by the last [`step_events`](Self::step_events), or
    /// will be by the next.
    #[must_use]
    pub fn retired(&self, handle: Handle) -> Option<&T> {
        self.leaving.get(&handle).or_else(|| self.retired.get(&handle))
    }

    /// Says whether a thing can meet what is fixed. A new thing is [`Moving`](Mobility::Moving).
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

    /// Whether a thing can meet what is fixed; `None` if the handle is stale.
    #[must_use]
    pub fn mobility(&self, handle: Handle) -> Option<Mobility> {
        let is_fixed = self.fixed.contains(handle.slot);
        self.contains(handle).then_some(if is_fixed { Mobility::Fixed } else { Mobility::Moving })
    }

    /// Remembers that a box has changed, and whether its fat box has.
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

    /// Finds out which fat boxes a fat box overlaps now.
    fn refit(&self, contacts: &mut Contacts, id: u32, events: &mut Events) {
        let Some(fat) = self.index.get(id) else { return };
        let meets = |other: u32| other != id && !(self.fixed.contains(id) && self.fixed.contains(other));
        let overlaps =
            |other| meets(other) && self.index.get(other).is_some_and(|other| self.index.touch(&fat, &other));
        let found = self.index.query(Overlaps(fat)).filter(|&other| meets(other));
        contacts.refit(id, overlaps, found, |a, b| events.end.push((self.at(a).0, self.at(b).0)));
    }

    /// The memory before the first step: everything is new.
    fn all_new(&self) -> Contacts {
        let mut contacts = Contacts::default();
        for (id, _) in self.index.iter() {
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
        let may_meet = |a, b| !(self.fixed.contains(a) && self.fixed.contains(b));
        let fat_boxes = |a, b| self.index.get(a).zip(self.index.get(b));
        let overlap = |a, b| fat_boxes(a, b).map(|(first, second)| may_meet(a, b) && self.index.touch(&first, &second));
        // Asked of each moving thing that waits for no refit, so that this costs what there are contacts, also on a pile of fixed things.
        let asking = self.index.iter().filter(|&(id, _)| !self.fixed.contains(id) && !contacts.refitted.contains(id));
        let pairs = asking.flat_map(|(a, fat)| {
            let others = self.index.query(Overlaps(fat)).filter(move |&b| a < b || (a > b && self.fixed.contains(b)));
            others.filter(|&b| !contacts.refitted.contains(b)).map(move |b| (a, b))
        });
        contacts.validate(pairs, overlap, |a, b| self.touch(a, b))
    }
}
