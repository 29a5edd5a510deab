//! Edits that have not been matched with stored scans yet, and the scans that searches have made meanwhile.

use std::sync::OnceLock;

use super::link::Found;
use crate::grid::CellRect;

/// The edits, in order, and the scans.
#[derive(Clone, Debug, Default)]
pub(super) struct Backlog {
    pub(super) edits: Vec<CellRect>,
    /// By number of the corner, once there was a search. They ignore what is stored, and hold until the next edit.
    scans: OnceLock<Vec<OnceLock<Box<Found>>>>,
}

impl Backlog {
    /// What a corner leads to, whose number is below `count`: scanned by the first search that reaches it.
    pub(super) fn found(&self, number: u32, count: usize, scan: impl FnOnce() -> Found) -> &Found {
        let none = || (0..count).map(|_| OnceLock::new()).collect();
        self.scans.get_or_init(none)[number as usize].get_or_init(|| Box::new(scan()))
    }

    /// Drops the scans.
    pub(super) fn drop_scans(&mut self) {
        self.scans.take();
    }

    /// The scans by number.
    pub(super) fn into_found(self) -> impl Iterator<Item = (u32, Box<Found>)> {
        let scans = (0..).zip(self.scans.into_inner().into_iter().flatten());
        scans.filter_map(|(number, scan)| Some((number, scan.into_inner()?)))
    }

    /// Bytes on the heap.
    pub(super) fn bytes(&self) -> usize {
        let scans = self.scans.get().map_or(&[][..], |scans| scans);
        let found = scans.iter().filter_map(OnceLock::get).map(|found| size_of::<Found>() + found.bytes());
        size_of::<CellRect>() * self.edits.capacity() + size_of_val(scans) + found.sum::<usize>()
    }
}
