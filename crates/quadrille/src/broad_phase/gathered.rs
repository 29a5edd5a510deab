//! Pairs grouped by the id that asks.

use alloc::vec::Vec;

use crate::storage::{Lists, NONE};

/// For each id, the others that a walk over all pairs found for it.
#[derive(Clone, Debug)]
pub(super) struct Gathered {
    /// By id.
    heads: Vec<u32>,
    lists: Lists,
}

impl Default for Gathered {
    fn default() -> Self {
        Self { heads: Vec::new(), lists: Lists::new() }
    }
}

impl Gathered {
    /// Drops all contents, and makes room for ids below `limit`.
    pub(super) fn clear(&mut self, limit: usize) {
        self.lists.clear();
        self.heads.clear();
        self.heads.resize(limit, NONE);
    }

    #[inline]
    pub(super) fn push(&mut self, id: u32, other: u32) {
        self.lists.push(&mut self.heads[id as usize], other);
    }

    #[inline]
    pub(super) fn of(&self, id: u32) -> impl Iterator<Item = u32> {
        self.lists.list(self.heads[id as usize])
    }
}
