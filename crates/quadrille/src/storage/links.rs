//! Doubly linked lists for structures in which every box has exactly one home.

use alloc::vec::Vec;

use super::{NONE, bytes_of};
use crate::error::Corruption;

/// The neighbours of one box in the list of its home, and that home. 12 bytes.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Link {
    next: u32,
    before: u32,
    home: u32,
}

const LOOSE: Link = Link { next: NONE, before: NONE, home: NONE };

/// Lists threaded through the ids themselves: at most one list per box, so no pool is needed and a box is unlinked
/// without a search. Homes (nodes, cells) keep the head of their list, [`NONE`] when empty.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Links {
    links: Vec<Link>,
}

impl Links {
    pub(crate) const fn new() -> Self {
        Self { links: Vec::new() }
    }

    pub(crate) fn clear(&mut self) {
        self.links.clear();
    }

    pub(crate) fn reserve(&mut self, additional: usize) {
        self.links.reserve(additional);
    }

    /// Puts `id`, which is in no list, in front of the list of `home`.
    pub(crate) fn push(&mut self, head: &mut u32, home: u32, id: u32) {
        if self.links.len() <= id as usize {
            self.links.resize(id as usize + 1, LOOSE);
        }
        debug_assert_eq!(self.links[id as usize].home, NONE, "{id} is in a list already");
        self.links[id as usize] = Link { next: *head, before: NONE, home };
        if *head != NONE {
            self.links[*head as usize].before = id;
        }
        *head = id;
    }

    /// Takes `id` out of its list; `head` is the head of the list of [`home`](Self::home)`(id)`.
    pub(crate) fn unlink(&mut self, head: &mut u32, id: u32) {
        let Link { next, before, .. } = core::mem::replace(&mut self.links[id as usize], LOOSE);
        if before == NONE {
            debug_assert_eq!(*head, id, "the head belongs to another list");
            *head = next;
        } else {
            self.links[before as usize].next = next;
        }
        if next != NONE {
            self.links[next as usize].before = before;
        }
    }

    /// Forgets where a box is and returns the next one of its list: for taking a whole list apart, front to back.
    pub(crate) fn detach(&mut self, id: u32) -> u32 {
        core::mem::replace(&mut self.links[id as usize], LOOSE).next
    }

    /// Where the box lives; [`NONE`] if it is in no list.
    #[inline]
    pub(crate) fn home(&self, id: u32) -> u32 {
        self.links.get(id as usize).map_or(NONE, |link| link.home)
    }

    /// The ids of a list, front to back.
    #[inline]
    pub(crate) fn list(&self, head: u32) -> LinkedIds<'_> {
        LinkedIds { links: &self.links, at: head }
    }

    pub(crate) fn bytes(&self) -> [usize; 2] {
        bytes_of(&self.links)
    }
}

impl Links {
    /// The list of `home` is linked both ways and all boxes in it know their home; returns how many there are.
    ///
    /// Ends, and does not panic, whatever the links say: a list that came back to a box would come from another neighbour
    /// than the one that the box names.
    pub(crate) fn validate(&self, head: u32, home: u32) -> Result<usize, Corruption> {
        let (mut before, mut at, mut count) = (NONE, head, 0);
        while at != NONE {
            let link = self.links.get(at as usize).filter(|link| link.home == home && link.before == before);
            let Some(link) = link else {
                let link = self.links.get(at as usize);
                return Err(Corruption::new(alloc::format!(
                    "box {at} in the list of {home} after {before} says {link:?}"
                )));
            };
            (before, at, count) = (at, link.next, count + 1);
        }
        Ok(count)
    }

    /// All lists together have as many boxes as there are, and no other box believes that it is in a list.
    pub(crate) fn validate_count(&self, listed: usize, boxes: usize) -> Result<(), Corruption> {
        let homes = self.links.iter().filter(|link| link.home != NONE).count();
        Corruption::unless(listed == boxes && homes == boxes, || {
            alloc::format!("{listed} boxes listed of {boxes}, and {homes} with a home")
        })
    }
}

/// Iterator over one list. A clone continues from the same place.
#[derive(Clone, Debug)]
pub(crate) struct LinkedIds<'a> {
    links: &'a [Link],
    at: u32,
}

impl Iterator for LinkedIds<'_> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        let link = self.links.get(self.at as usize)?;
        Some(core::mem::replace(&mut self.at, link.next))
    }
}
