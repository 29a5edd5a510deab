//! Singly linked lists for structures that list a box in several places.

use alloc::vec::Vec;

use super::{NONE, add_bytes, bytes_of};
use crate::error::Corruption;

/// One link of a list. 8 bytes.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Entry {
    next: u32,
    id: u32,
}

/// A pool of list entries. Heads are kept by the caller ([`NONE`] is the empty list); new entries go to the front.
/// Freed entries are reused, last freed first.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Entries {
    entries: Vec<Entry>,
    /// First of the chain of free entries.
    free: u32,
    used: usize,
}

impl Entries {
    pub(crate) const fn new() -> Self {
        Self { entries: Vec::new(), free: NONE, used: 0 }
    }

    pub(crate) fn clear(&mut self) {
        self.entries.clear();
        self.free = NONE;
        self.used = 0;
    }

    pub(crate) fn reserve(&mut self, additional: usize) {
        self.entries.reserve(additional);
    }

    /// Puts `id` in front of the list.
    #[expect(clippy::cast_possible_truncation, reason = "callers bound the entries to a small multiple of the boxes")]
    pub(crate) fn push(&mut self, head: &mut u32, id: u32) {
        let entry = Entry { next: *head, id };
        self.used += 1;
        if self.free == NONE {
            *head = self.entries.len() as u32;
            self.entries.push(entry);
        } else {
            *head = self.free;
            self.free = self.entries[*head as usize].next;
            self.entries[*head as usize] = entry;
        }
    }

    /// Takes the first id off the list.
    pub(crate) fn pop(&mut self, head: &mut u32) -> Option<u32> {
        let at = *head;
        let Entry { next, id } = *self.entries.get(at as usize)?;
        *head = next;
        self.entries[at as usize].next = self.free;
        self.free = at;
        self.used -= 1;
        Some(id)
    }

    /// Takes `id` off the list, wherever it stands; `false` if it is not there. Costs the length of the list.
    pub(crate) fn take(&mut self, head: &mut u32, id: u32) -> bool {
        let mut before = NONE;
        let mut at = *head;
        while at != NONE && self.entries[at as usize].id != id {
            before = at;
            at = self.entries[at as usize].next;
        }
        if at == NONE {
            return false;
        }
        if before == NONE {
            self.pop(head);
        } else {
            let mut rest = at;
            self.pop(&mut rest);
            self.entries[before as usize].next = rest;
        }
        true
    }

    /// The ids of a list, front to back.
    #[inline]
    pub(crate) fn list(&self, head: u32) -> List<'_> {
        List { entries: &self.entries, at: head }
    }

    /// Entries in use.
    pub(crate) fn len(&self) -> usize {
        self.used
    }

    pub(crate) fn bytes(&self) -> [usize; 2] {
        add_bytes([bytes_of(&self.entries)])
    }

    /// The lists with these heads and the chain of free entries hold every entry once. Follows no number that it has not
    /// checked, so it ends, and does not panic, whatever the entries say.
    pub(crate) fn validate(&self, heads: impl Iterator<Item = u32>) -> Result<(), Corruption> {
        let (mut met, mut listed) = (alloc::vec![false; self.entries.len()], 0);
        for head in heads {
            listed += self.trace(head, &mut met)?;
        }
        let free = self.trace(self.free, &mut met)?;
        Corruption::unless(listed == self.used && listed + free == self.entries.len(), || {
            alloc::format!("{listed} entries listed, {} in use, {free} free of {}", self.used, self.entries.len())
        })
    }

    /// Notes which entries a list has, and returns how many.
    fn trace(&self, head: u32, met: &mut [bool]) -> Result<usize, Corruption> {
        let (mut at, mut length) = (head, 0);
        while at != NONE {
            let is_new = met.get_mut(at as usize).is_some_and(|met| !core::mem::replace(met, true));
            Corruption::unless(is_new, || alloc::format!("entry {at} does not exist or is listed twice"))?;
            (at, length) = (self.entries[at as usize].next, length + 1);
        }
        Ok(length)
    }
}

/// Iterator over one list. A clone continues from the same place.
#[derive(Clone, Debug)]
pub(crate) struct List<'a> {
    entries: &'a [Entry],
    at: u32,
}

impl Iterator for List<'_> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        let entry = self.entries.get(self.at as usize)?;
        self.at = entry.next;
        Some(entry.id)
    }
}
