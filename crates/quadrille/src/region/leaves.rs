//! Leaves by number, with a generation so that stale ids are detected.

use alloc::vec::Vec;

use super::frame::Quad;
use crate::Aabb;
use crate::error::Corruption;
use crate::storage::{add_bytes, bytes_of};

/// Names a leaf as long as it exists: until it splits or is merged. After that the id is *stale*, and every
/// call detects it, even if another leaf has taken the slot. (A slot would have to be reused 2^32 times before an old
/// id matched again.)
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LeafId {
    index: u32,
    generation: u32,
}

impl LeafId {
    /// The number of the leaf's slot, for your own table beside the tree. Slots of removed leaves are reused, last
    /// removed first, so numbers stay below the largest number of leaves there ever was.
    #[must_use]
    pub fn index(self) -> usize {
        self.index as usize
    }
}

/// A snapshot of a leaf, as it was at the call.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Leaf {
    /// Its id.
    pub id: LeafId,
    /// Its cells.
    pub rect: Aabb<i32>,
    /// How many times the map was divided to get here; the whole map has depth 0.
    pub depth: u32,
    /// Objects in it.
    pub objects: u32,
    /// Cells in it that hold at least one object.
    pub occupied: u32,
}

/// One step of a change to the set of leaves.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum LeafChange {
    /// This leaf is gone; its id is stale. The counts are those from before.
    Removed(Leaf),
    /// This leaf is new.
    Created(Leaf),
}

/// What is counted in a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Counts {
    pub(super) objects: u32,
    /// Cells with at least one object.
    pub(super) occupied: u32,
}

impl Counts {
    pub(super) fn plus(self, other: Self) -> Self {
        Self { objects: self.objects + other.objects, occupied: self.occupied + other.occupied }
    }
}

/// A leaf, 24 bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Record {
    pub(super) quad: Quad,
    pub(super) counts: Counts,
    generation: u32,
}

/// All leaves.
#[derive(Clone, Debug, Default)]
pub(super) struct Leaves {
    records: Vec<Record>,
    /// Slots to reuse, last removed first.
    free: Vec<u32>,
    live: usize,
}

impl Leaves {
    pub(super) fn len(&self) -> usize {
        self.live
    }

    #[inline]
    pub(super) fn get(&self, leaf: u32) -> &Record {
        &self.records[leaf as usize]
    }

    pub(super) fn counts_mut(&mut self, leaf: u32) -> &mut Counts {
        &mut self.records[leaf as usize].counts
    }

    #[inline]
    pub(super) fn id(&self, leaf: u32) -> LeafId {
        LeafId { index: leaf, generation: self.get(leaf).generation }
    }

    /// The slot of a live leaf.
    pub(super) fn find(&self, id: LeafId) -> Option<u32> {
        let record = self.records.get(id.index())?;
        (record.generation == id.generation).then_some(id.index)
    }

    pub(super) fn insert(&mut self, quad: Quad, counts: Counts) -> u32 {
        self.live += 1;
        if let Some(leaf) = self.free.pop() {
            let record = &mut self.records[leaf as usize];
            *record = Record { quad, counts, generation: record.generation };
            return leaf;
        }
        self.records.push(Record { quad, counts, generation: 0 });
        (self.records.len() - 1) as u32
    }

    /// The slots in the form in which they are restored: generations, and the quads of live leaves; and the free slots,
    /// last removed last.
    #[cfg(feature = "serde")]
    pub(super) fn slots(&self) -> (Vec<(u32, Option<Quad>)>, &[u32]) {
        let mut is_free = alloc::vec![false; self.records.len()];
        self.free.iter().for_each(|&leaf| is_free[leaf as usize] = true);
        let slot = |(record, is_free): (&Record, bool)| (record.generation, (!is_free).then_some(record.quad));
        (self.records.iter().zip(is_free).map(slot).collect(), &self.free)
    }

    /// Leaves in these slots, not yet counted.
    ///
    /// # Errors
    /// Returns an error if the free slots are not exactly those without a quad, once each.
    #[cfg(feature = "serde")]
    pub(super) fn from_slots(slots: &[(u32, Option<Quad>)], free: Vec<u32>) -> Result<Self, Corruption> {
        let mut freed = free.clone();
        freed.sort_unstable();
        let empty = (0..).zip(slots).filter(|(_, (_, quad))| quad.is_none()).map(|(leaf, _)| leaf);
        Corruption::unless(empty.eq(freed), || "free slots and slots without a leaf differ".into())?;
        let record = |&(generation, quad): &(u32, Option<Quad>)| Record {
            quad: quad.unwrap_or(Quad::ROOT),
            counts: Counts::default(),
            generation,
        };
        Ok(Self { records: slots.iter().map(record).collect(), live: slots.len() - free.len(), free })
    }

    pub(super) fn remove(&mut self, leaf: u32) {
        self.live -= 1;
        self.free.push(leaf);
        let record = &mut self.records[leaf as usize];
        record.generation = record.generation.wrapping_add(1);
    }

    /// Checks that every slot is either that of a live leaf or free, once.
    #[inline]
    pub(super) fn validate(&self) -> Result<(), Corruption> {
        let mut free = self.free.clone();
        free.sort_unstable();
        free.dedup();
        let sound = free.len() == self.free.len() && self.live + free.len() == self.records.len();
        Corruption::unless(sound, || {
            alloc::format!("{} live and {} free leaves of {}", self.live, free.len(), self.records.len())
        })
    }

    pub(super) fn shrink_to_fit(&mut self) {
        self.records.shrink_to_fit();
    }

    pub(super) fn bytes(&self) -> [usize; 2] {
        add_bytes([bytes_of(&self.records), bytes_of(&self.free)])
    }
}

const _: () = assert!(size_of::<Record>() == 24, "a leaf costs 24 bytes");
