//! Which leaf is a cell in? A radix table that takes three levels of the tree per step.
//!
//! ```text
//!            root page              pages of 8 × 8 slots
//!         2, 3 or 4 levels          3 levels each
//!   x = . . . . │ . . . │ . . .     10 bits of a map of 1024 cells: 4 + 3 + 3
//!   y = . . . . │ . . . │ . . .
//!
//!   slot = 1 level (3 bits) leaf (28 bits)   level: how far the leaf lies above the page's last level, 0 to 4,
//!                                            so that its square has 4^level equal slots
//!          0 page (31 bits)                  the square is divided further
//! ```
//!
//! A lookup reads one slot per page: 3 for 1024 × 1024 cells, at most 10 for the largest map. That slot gives the
//! leaf's number and its depth. With the depth, the cell's position gives the leaf's rectangle: often the leaf itself
//! need not be read. Inner nodes are not stored at all: a quad is an inner node exactly if the leaf at any of its cells
//! is deeper. Setting a leaf writes at most 64 slots (256 in the root page), however large the leaf is.
//!
//! Bisecting the depth over hashed ids takes up to 4 probes for 1024 × 1024 cells and 5 for the largest map, each with
//! at least two reads and a branch that is hard to predict: `benches/region.rs` has both.
//!
//! The idea is the multi-bit trie of routers (S. Nilsson, G. Karlsson, *IP-address lookup using LC-tries*, 1999) in two
//! dimensions.

use alloc::vec::Vec;
use core::ops::Range;

use super::frame::Quad;
use crate::error::Corruption;
use crate::storage::{add_bytes, bytes_of};

/// Levels of the tree in a page. With 2, lookups read half as many slots again; with 4, a single deep leaf costs a
/// kilobyte.
const LEVELS: u8 = 3;
/// Slots in a page: 256 bytes, four cache lines.
const SLOTS: usize = 1 << (2 * LEVELS);
/// Marks a slot that holds a leaf.
const LEAF: u32 = 1 << 31;
/// Bits of a leaf's number; its level is above them.
const NUMBER: u32 = 28;
/// Marks slots that no cell leads to; their level does not exist.
const NOTHING: u32 = u32::MAX;

/// The most leaves there can be: a slot has 28 bits for a number. The limit leaves room for what a division in progress
/// may still need, three leaves per level. At the limit nodes stop dividing, and everything else works as before; tests
/// reach it sooner.
pub(super) const MAX_LEAVES: usize = if cfg!(test) { 100 } else { (1 << NUMBER) - 128 };

/// The result of a lookup.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Found {
    pub(super) leaf: u32,
    pub(super) depth: u8,
}

/// See the [module](self).
#[derive(Clone, Debug)]
pub(super) struct Pages {
    /// The root page, then pages of [`SLOTS`]; page `p` begins at `p · SLOTS`.
    slots: Vec<u32>,
    /// Pages not in use, last freed first.
    free: Vec<u32>,
    depth: u8,
    root_levels: u8,
}

/// A page visited on the way down.
#[derive(Clone, Copy)]
struct Page {
    start: usize,
    levels: u8,
    /// Depth of the quads its slots stand for.
    depth: u8,
}

impl Page {
    /// The slot of the quad's ancestor at this page's depth; the quad is at least as deep.
    fn slot(self, quad: Quad) -> usize {
        let quad = quad.ancestor(self.depth);
        let mask = (1 << self.levels) - 1;
        self.start + (((quad.y & mask) << self.levels) | (quad.x & mask)) as usize
    }

    /// The value for the slots of a leaf at or above this page's depth.
    fn entry(self, quad: Quad, leaf: u32) -> u32 {
        LEAF | (u32::from(self.depth - quad.depth) << NUMBER) | leaf
    }

    /// Rows of slots that a quad at or above this page's depth covers.
    fn rows(self, quad: Quad) -> impl Iterator<Item = Range<usize>> {
        let levels = self.depth - quad.depth;
        let corner = Quad { x: quad.x << levels, y: quad.y << levels, depth: self.depth };
        let first = self.slot(corner);
        (0..1_usize << levels).map(move |row| {
            let start = first + (row << self.levels);
            start..start + (1 << levels)
        })
    }
}

impl Pages {
    /// An empty table for quads down to `depth`.
    pub(super) fn new(depth: u8) -> Self {
        // The pages below take a multiple of three levels. The root takes the rest, at least two if there are two.
        let root_levels = if depth < 2 { depth } else { (depth - 2) % LEVELS + 2 };
        let mut pages = Self { slots: Vec::new(), free: Vec::new(), depth, root_levels };
        pages.slots.resize(pages.root_slots(), NOTHING);
        pages
    }

    /// Slots kept for the root page: whole pages, so that the others begin at multiples of [`SLOTS`].
    fn root_slots(&self) -> usize {
        SLOTS.max(1 << (2 * self.root_levels))
    }

    /// The leaf that holds a quad of full depth, which must have a cell.
    #[inline]
    pub(super) fn find(&self, quad: Quad) -> Found {
        const MASK: u32 = (1 << LEVELS) - 1;
        let Quad { x, y, .. } = quad;
        let mut below = self.depth - self.root_levels;
        let mut slot = (((y >> below) << self.root_levels) | (x >> below)) as usize;
        loop {
            let entry = self.slots[slot];
            if entry & LEAF != 0 {
                let level = (entry & !LEAF) >> NUMBER;
                return Found { leaf: entry & ((1 << NUMBER) - 1), depth: self.depth - below - level as u8 };
            }
            below -= LEVELS;
            slot = entry as usize * SLOTS + ((((y >> below) & MASK) << LEVELS) | ((x >> below) & MASK)) as usize;
        }
    }

    /// Makes `leaf` the answer in the whole quad, and frees whatever was deeper there.
    pub(super) fn set(&mut self, quad: Quad, leaf: u32) {
        let page = self.page_for(quad);
        for row in page.rows(quad) {
            for slot in row {
                self.free_below(slot);
                self.slots[slot] = page.entry(quad, leaf);
            }
        }
    }

    /// The page whose slots are at the quad's depth or the next below it. Creates it and those above it if missing.
    fn page_for(&mut self, quad: Quad) -> Page {
        let mut page = self.root();
        while page.depth < quad.depth {
            let slot = page.slot(quad);
            if self.slots[slot] & LEAF != 0 {
                self.slots[slot] = self.new_page();
            }
            page = self.child(page, slot);
        }
        page
    }

    fn root(&self) -> Page {
        Page { start: 0, levels: self.root_levels, depth: self.root_levels }
    }

    fn child(&self, page: Page, slot: usize) -> Page {
        Page { start: self.slots[slot] as usize * SLOTS, levels: LEVELS, depth: page.depth + LEVELS }
    }

    fn new_page(&mut self) -> u32 {
        self.free.pop().unwrap_or_else(|| {
            let page = self.slots.len() / SLOTS;
            self.slots.resize(self.slots.len() + SLOTS, NOTHING);
            page as u32
        })
    }

    /// Frees the page a slot points to, if any, and all below it.
    fn free_below(&mut self, slot: usize) {
        let page = self.slots[slot];
        if page & LEAF == 0 {
            let start = page as usize * SLOTS;
            for slot in start..start + SLOTS {
                self.free_below(slot);
                self.slots[slot] = NOTHING;
            }
            self.free.push(page);
        }
    }

    /// `true` if `leaf` is the answer in the whole quad and nothing else is.
    pub(super) fn is_set(&self, quad: Quad, leaf: u32) -> bool {
        let mut page = self.root();
        while page.depth < quad.depth {
            let slot = page.slot(quad);
            if self.slots[slot] & LEAF != 0 {
                return false;
            }
            page = self.child(page, slot);
        }
        page.rows(quad).flatten().all(|slot| self.slots[slot] == page.entry(quad, leaf))
    }

    /// Checks that every page except the free ones is referenced by exactly one slot.
    #[inline]
    pub(super) fn validate(&self) -> Result<(), Corruption> {
        let mut pages: Vec<u32> = self.slots.iter().copied().filter(|&slot| slot & LEAF == 0).collect();
        pages.extend(&self.free);
        pages.sort_unstable();
        let [first, end] = [self.root_slots() / SLOTS, self.slots.len() / SLOTS];
        Corruption::unless(pages.iter().map(|&page| page as usize).eq(first..end), || {
            alloc::format!("pages in use and free pages are not all pages from {first} to {end} once each")
        })
    }

    pub(super) fn shrink_to_fit(&mut self) {
        self.slots.shrink_to_fit();
    }

    pub(super) fn bytes(&self) -> [usize; 2] {
        add_bytes([bytes_of(&self.slots), bytes_of(&self.free)])
    }
}
