//! Which scans may be out of date, since when, and what searches have found instead.

use std::sync::{Mutex, OnceLock, PoisonError};

use super::link::{Corner, Found, Link, Quadrants};
use super::tuning::shrink;

/// All quadrants of a corner.
pub(super) const ALL: Quadrants = 0b1111;

/// The corners whose stored links may be out of date.
#[derive(Debug, Default)]
pub(super) struct StaleScans {
    pub(super) list: Vec<Stale>,
    /// By number, where in the list a stale corner is; void for others.
    slots: Vec<u32>,
    /// The numbers of those that searches have rescanned since the last edit.
    rescanned: Mutex<Vec<u32>>,
    /// Everything is stale in all directions, and nothing has been stored since: an edit need not find out which scans
    /// saw it.
    pub(super) are_all: bool,
    /// How many edits there were.
    edits: u64,
    /// By number, the last edit that may have changed a corner or what its scans see, of those edits for which this was
    /// found out.
    changed: Vec<u64>,
    /// The last of the other edits, which may have changed everything.
    all_changed: u64,
}

/// A corner whose stored links may be out of date.
#[derive(Clone, Debug)]
pub(super) struct Stale {
    pub(super) number: u32,
    /// By quadrant.
    pub(super) affected: [Affected; 4],
    /// The new scan, once a search has reached the corner.
    found: OnceLock<Box<Found>>,
}

/// What edits may have changed of the scans of a quadrant.
#[derive(Clone, Copy, Debug)]
pub(super) struct Affected {
    /// The first and last step of the diagonal from which scans may find something else now.
    pub(super) steps: [u16; 2],
    /// How many of the stored links along the diagonal are certainly right: the first ones, found from earlier steps, and
    /// the last ones, found from later steps, if these can still be reached. They are counted when an edit affects the
    /// corner; after that, the numbers in the other links may be given to new corners. (Rescanning whole quadrants would
    /// be simpler; with edits between few searches, paths on large, sparse maps then take up to half as long again.)
    pub(super) kept: [u16; 2],
}

impl Affected {
    const NOTHING: Self = Self { steps: [u16::MAX, 0], kept: [u16::MAX; 2] };
    pub(super) const EVERYTHING: Self = Self { steps: [0, u16::MAX], kept: [0; 2] };

    /// The same after an edit that affects the scans from these steps, given all stored `links` along the diagonal, and
    /// from which `step` one was found.
    pub(super) fn with(self, steps: [u16; 2], links: &[Link], step: impl Fn(&Link) -> u16) -> Self {
        let [first, last] = [self.steps[0].min(steps[0]), self.steps[1].max(steps[1])];
        if [first, last] == self.steps {
            return self;
        }
        let [before, after] = self.kept.map(|kept| links.len().min(kept.into()));
        let before = links[..before].partition_point(|link| step(link) < first);
        let rest = &links[links.len() - after..];
        let after = rest.len() - rest.partition_point(|link| step(link) <= last);
        Self { steps: [first, last], kept: [before as u16, after as u16] }
    }
}

impl StaleScans {
    /// Counts edits.
    pub(super) const fn begin_edits(&mut self, count: usize) {
        self.edits += count as u64;
    }

    /// Records that the last edit may have changed everything.
    pub(super) const fn note_all_changed(&mut self) {
        self.all_changed = self.edits;
    }

    /// Whether a corner has existed, and its scans have seen no change, since the given number of edits.
    pub(super) fn is_as_after(&self, edits: u64, number: u32) -> bool {
        self.changed[number as usize] <= edits && self.all_changed <= edits
    }

    /// Whether a corner has been changed by an edit, or is rescanned after each.
    #[cfg(test)]
    pub(super) fn has_changed(&self, number: u32) -> bool {
        self.changed[number as usize] > 0
    }

    /// Records that the last edit has removed a corner.
    pub(super) fn remove(&mut self, number: u32, corner: &mut Corner) {
        self.renew(number, corner);
        self.changed[number as usize] = self.edits;
    }

    /// What edits may have changed of the scans of a quadrant of a corner since they were stored.
    pub(super) fn affected(&self, number: u32, corner: &Corner, quadrant: usize) -> Affected {
        if corner.stale == 0 { Affected::NOTHING } else { self.get(number).affected[quadrant] }
    }

    /// Makes these quadrants of a corner stale.
    pub(super) fn expire(&mut self, number: u32, corner: &mut Corner, quadrants: Quadrants, affected: Affected) {
        let index = number as usize;
        if index >= self.changed.len() {
            self.changed.resize(index + 1, 0);
            self.slots.resize(index + 1, 0);
        }
        self.changed[index] = self.edits;
        if corner.stale == 0 {
            self.slots[index] = self.list.len() as u32;
            self.list.push(Stale { number, affected: [Affected::NOTHING; 4], found: OnceLock::new() });
        }
        corner.stale |= quadrants;
        let stale = &mut self.list[self.slots[index] as usize];
        stale.found = OnceLock::new();
        for (_, known) in stale.affected.iter_mut().enumerate().filter(|(quadrant, _)| quadrants >> quadrant & 1 == 1) {
            *known = affected;
        }
    }

    /// Makes a corner stale whose links cannot be stored: the next edit could not tell what its scans saw, so it counts
    /// as changed by every edit.
    pub(super) fn expire_for_good(&mut self, number: u32, corner: &mut Corner) {
        self.expire(number, corner, ALL, Affected::EVERYTHING);
        self.changed[number as usize] = u64::MAX;
    }

    /// Takes a corner off the list, if it is there.
    pub(super) fn renew(&mut self, number: u32, corner: &mut Corner) {
        if core::mem::take(&mut corner.stale) != 0 {
            let slot = self.slots[number as usize];
            self.list.swap_remove(slot as usize);
            if let Some(moved) = self.list.get(slot as usize) {
                self.slots[moved.number as usize] = slot;
            }
        }
    }

    /// A stale corner.
    pub(super) fn get(&self, number: u32) -> &Stale {
        &self.list[self.slots[number as usize] as usize]
    }

    /// What a stale corner leads to: scanned by the first search that reaches it.
    pub(super) fn found(&self, number: u32, scan: impl FnOnce() -> Found) -> &Found {
        self.get(number).found.get_or_init(|| {
            self.rescanned.lock().unwrap_or_else(PoisonError::into_inner).push(number);
            Box::new(scan())
        })
    }

    /// The same, unless no search has reached it.
    pub(super) fn found_before(&self, number: u32) -> Option<&Found> {
        self.get(number).found.get().map(|found| &**found)
    }

    /// What searches have found since this was called last, by number.
    pub(super) fn take_found(&mut self) -> Vec<(u32, Box<Found>)> {
        let rescanned = core::mem::take(self.rescanned.get_mut().unwrap_or_else(PoisonError::into_inner));
        let mut found = |number: u32| self.list[self.slots[number as usize] as usize].found.take();
        rescanned.into_iter().filter_map(|number| Some((number, found(number)?))).collect()
    }

    /// Releases memory.
    pub(super) fn shrink(&mut self) {
        shrink(&mut self.list);
        shrink(&mut self.slots);
        shrink(&mut self.changed);
    }

    /// Bytes on the heap.
    pub(super) fn bytes(&self) -> usize {
        let found = self.list.iter().filter_map(|stale| stale.found.get());
        size_of::<Stale>() * self.list.capacity()
            + size_of::<u32>() * self.slots.capacity()
            + size_of::<u64>() * self.changed.capacity()
            + found.map(|found| size_of::<Found>() + found.bytes()).sum::<usize>()
    }
}

impl Clone for StaleScans {
    fn clone(&self) -> Self {
        let rescanned = self.rescanned.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let (list, slots, changed) = (self.list.clone(), self.slots.clone(), self.changed.clone());
        Self { list, slots, changed, rescanned: rescanned.into(), ..*self }
    }
}
