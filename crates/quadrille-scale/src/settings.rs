//! How the memory is shared out.

use std::num::NonZero;
use std::path::PathBuf;

use crate::Error;
use crate::block::Width;

/// Bytes that the program itself, its stacks and the buffers of its output take.
const PROGRAM: u64 = 16 << 20;
/// Bytes. With less, blocks become so small that the disk is the bottleneck.
const MIN_MEMORY: u64 = 32 << 20;
/// The least bytes for one more thread: with less, its tiles would be too small.
const THREAD: u64 = 6 << 20;
/// Target number of boxes per tile, if memory allows: few enough for the structure to stay near the caches.
const TILE: u64 = 1 << 18;
/// Boxes sampled at most. More would not make tiles more equal.
const SAMPLE: u64 = 1 << 17;
/// Bytes of a box and its row in memory.
const HELD: u64 = 36;
/// Bytes of a box while it is joined: the box, its row, and what the structure keeps of it; measured, and a quarter
/// more.
const JOINED_SINGLE: u64 = 96;
const JOINED_DOUBLE: u64 = 168;

/// What a join or a search uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usage {
    /// An upper bound for the bytes of disk; for a join, estimated from a sample.
    pub disk: u64,
    /// How many tiles the plane is divided into.
    pub tiles: usize,
    /// How many threads work.
    pub threads: usize,
}

/// How much memory may be used, by how many threads, and where temporary files go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    pub(crate) folder: PathBuf,
    pub(crate) threads: usize,
    /// Boxes sampled of each set.
    pub(crate) sample: usize,
    /// The most boxes to aim at per tile.
    pub(crate) tile: usize,
    /// Boxes that a thread can join at once, by their width.
    pub(crate) single: usize,
    pub(crate) double: usize,
    /// Boxes that all threads together can query.
    pub(crate) wide: usize,
    /// Boxes in all blocks of a thread.
    pub(crate) blocks: usize,
}

impl Settings {
    /// `memory` is in bytes, for the whole process. Uses all cores if there is enough memory for each.
    ///
    /// # Errors
    /// Returns an error if `memory` is less than 32 MiB.
    pub fn new(memory: u64, folder: impl Into<PathBuf>) -> Result<Self, Error> {
        if memory < MIN_MEMORY {
            return Err(Error::new(format!("{memory} bytes of memory are too few; the least is {MIN_MEMORY} (32M)")));
        }
        let memory = memory - PROGRAM;
        let cores = std::thread::available_parallelism().map_or(1, |cores| NonZero::get(cores) as u64);
        let threads = cores.min(memory / THREAD).max(1);
        let size = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        let joined = |bytes: u64| size(memory / 5 * 4 / threads / bytes);
        Ok(Self {
            folder: folder.into(),
            threads: size(threads),
            // Two samples, each held three times while tiles are made: a quarter of the memory.
            sample: size((memory / 4 / (2 * 3 * HELD)).min(SAMPLE)),
            tile: size(TILE),
            single: joined(JOINED_SINGLE),
            double: joined(JOINED_DOUBLE),
            wide: size(memory / 2 / JOINED_DOUBLE),
            blocks: size(memory / 2 / threads / HELD),
        })
    }

    /// How many threads work.
    #[must_use]
    pub const fn threads(&self) -> usize {
        self.threads
    }

    /// Boxes that a thread can join at once.
    pub(crate) const fn capacity(&self, width: Width) -> usize {
        match width {
            Width::Single => self.single,
            Width::Double => self.double,
        }
    }

    /// Target number of boxes per tile: half of what fits, because tiles vary.
    pub(crate) fn target(&self, width: Width) -> usize {
        (self.capacity(width) / 2).min(self.tile)
    }

    /// How many boxes a thread can search in at once for the nearest: it also holds those that search, and what they have
    /// found. On the earth, each takes twice as much memory as on the plane.
    pub(crate) const fn searched(&self) -> usize {
        if self.double < 3 { 1 } else { self.double / 3 }
    }

    /// How many boxes can search at once for this many each; none if not even one can.
    pub(crate) fn searching(&self, count: usize) -> usize {
        /// Bytes of a box that searches, without what it finds.
        const SEARCHING: usize = 100;
        /// Bytes of one that is found, a rank and a row. Lists grow to twice of what they need.
        const FOUND: usize = 2 * 16;
        let each = count.saturating_mul(FOUND).saturating_add(SEARCHING);
        self.double.saturating_mul(JOINED_DOUBLE as usize) / 4 / each
    }

    /// The most tiles for this number of sampled boxes: each thread has room for a block per tile, and each tile holds
    /// sampled boxes.
    pub(crate) fn most_tiles(&self, sampled: usize) -> usize {
        const MIN_BLOCK: usize = 256;
        /// Sizes then vary by a quarter or so.
        const SAMPLED: usize = 16;
        (self.blocks / MIN_BLOCK).min(sampled / SAMPLED).max(1)
    }

    /// Boxes of a block, for this number of tiles.
    pub(crate) fn block(&self, tiles: usize) -> usize {
        const MAX_BLOCK: usize = 1 << 13;
        (self.blocks / tiles).clamp(1, MAX_BLOCK)
    }

    /// The most ranges of rows that a thread distributes results over while it searches.
    pub(crate) fn most_ranges(&self) -> usize {
        const MIN_BLOCK: usize = 64;
        (self.blocks / 4 / MIN_BLOCK).max(2)
    }

    /// Results of a block, for this number of ranges.
    pub(crate) fn block_of_range(&self, ranges: usize) -> usize {
        self.block(4 * ranges)
    }
}
