//! A set of ids.

use alloc::vec::Vec;

use super::{NONE, add_bytes, bytes_of};
use crate::error::Corruption;

/// A sparse set: a list of members, and for each id its position in the list. Every operation takes constant time.
/// Members are contiguous for scanning, in order of insertion until a removal moves the last one into the gap.
///
/// Source: P. Briggs, L. Torczon, *An efficient representation for sparse sets*, 1993. Costs nothing while it is empty.
#[derive(Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct IdSet {
    members: Vec<u32>,
    #[cfg_attr(feature = "serde", serde(serialize_with = "serialize_used"))]
    positions: Vec<u32>,
}

#[cfg(feature = "serde")]
fn serialize_used<F: serde::Serializer>(positions: &[u32], format: F) -> Result<F::Ok, F::Error> {
    serde::Serialize::serialize(super::used(positions, NONE), format)
}

impl Clone for IdSet {
    /// Without the memory of an empty set.
    fn clone(&self) -> Self {
        if self.is_empty() {
            return Self::new();
        }
        Self { members: self.members.clone(), positions: self.positions.clone() }
    }

    fn clone_from(&mut self, source: &Self) {
        self.members.clone_from(&source.members);
        let positions = if source.is_empty() { &Vec::new() } else { &source.positions };
        self.positions.clone_from(positions);
    }
}

impl IdSet {
    pub(crate) const fn new() -> Self {
        Self { members: Vec::new(), positions: Vec::new() }
    }

    /// Removes all members, at a cost proportional to their number.
    pub(crate) fn clear(&mut self) {
        for id in self.members.drain(..) {
            self.positions[id as usize] = NONE;
        }
    }

    /// Reserves room for ids below `limit` in the table of positions.
    pub(crate) fn reserve(&mut self, limit: usize) {
        self.positions.reserve(limit.saturating_sub(self.positions.len()));
    }

    #[inline]
    pub(crate) fn contains(&self, id: u32) -> bool {
        self.positions.get(id as usize).is_some_and(|&position| position != NONE)
    }

    /// Adds an id; nothing happens if it is a member already.
    // Casts: members are ids, of which there are fewer than 2^31.
    pub(crate) fn insert(&mut self, id: u32) {
        if self.contains(id) {
            return;
        }
        if self.positions.len() <= id as usize {
            self.positions.resize(id as usize + 1, NONE);
        }
        self.positions[id as usize] = self.members.len() as u32;
        self.members.push(id);
    }

    /// Removes an id; `false` if it was not a member.
    pub(crate) fn remove(&mut self, id: u32) -> bool {
        if !self.contains(id) {
            return false;
        }
        let position = core::mem::replace(&mut self.positions[id as usize], NONE);
        self.members.swap_remove(position as usize);
        if let Some(&moved) = self.members.get(position as usize) {
            self.positions[moved as usize] = position;
        }
        true
    }

    #[inline]
    pub(crate) fn as_slice(&self) -> &[u32] {
        &self.members
    }

    pub(crate) fn len(&self) -> usize {
        self.members.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    pub(crate) fn bytes(&self) -> [usize; 2] {
        add_bytes([bytes_of(&self.members), bytes_of(&self.positions)])
    }

    /// Members and positions refer to each other.
    pub(crate) fn validate(&self) -> Result<(), Corruption> {
        let know_their_place =
            (0..).zip(&self.members).all(|(position, &id)| self.positions.get(id as usize) == Some(&position));
        let placed = self.positions.iter().filter(|&&position| position != NONE).count();
        Corruption::unless(know_their_place && placed == self.members.len(), || {
            alloc::format!("{} ids in a set, {placed} of them with a place", self.members.len())
        })
    }
}
