//! The boxes of a set, in the order of arrival: a file of blocks, and a sample.

use quadrille::Aabb;

use crate::block::{Block, Width};
use crate::sample::Sample;
use crate::spill::{Piece, Spill};
use crate::{Error, Settings};

/// Boxes of a block of the spool.
const BLOCK: usize = 1 << 12;

/// A set of boxes on its way to disk.
#[derive(Debug)]
pub struct Spool {
    pub(crate) spill: Spill,
    pub(crate) pieces: Vec<Piece>,
    pub(crate) sample: Sample,
    block: Block,
    bytes: Vec<u8>,
    count: u64,
    /// One more than the greatest row.
    pub(crate) rows: u64,
}

impl Spool {
    /// An empty set.
    ///
    /// # Errors
    /// Returns an error if no file can be made in the folder of the settings.
    pub fn new(settings: &Settings) -> Result<Self, Error> {
        Ok(Self {
            spill: Spill::new(&settings.folder)?,
            pieces: Vec::new(),
            sample: Sample::new(settings.sample),
            block: Block::new(),
            bytes: Vec::new(),
            count: 0,
            rows: 0,
        })
    }

    /// Adds a box under a row number that no other box of the set has.
    ///
    /// # Errors
    /// Returns an error if the box is NaN, infinite or inverted (the message names the row and the value), or if the disk is full.
    pub fn push(&mut self, row: u32, bounds: Aabb<f64>) -> Result<(), Error> {
        let bounds = bounds.check().map_err(|error| Error::new(format!("row {row}: {error}")))?;
        self.sample.push(&bounds);
        self.block.push(row, bounds);
        self.count += 1;
        self.rows = self.rows.max(u64::from(row) + 1);
        if self.block.len() == BLOCK { self.flush() } else { Ok(()) }
    }

    /// How many boxes there are.
    #[must_use]
    pub const fn len(&self) -> u64 {
        self.count
    }

    /// Whether there are no boxes.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Writes what is still in memory.
    pub(crate) fn flush(&mut self) -> Result<(), Error> {
        if self.block.len() > 0 {
            self.pieces.push(self.spill.write(&self.block, &mut self.bytes)?);
            self.block.clear();
        }
        Ok(())
    }

    /// The smallest width that holds all boxes exactly.
    pub(crate) fn width(&self) -> Width {
        self.pieces.iter().map(|piece| piece.width).max().unwrap_or(Width::Single)
    }
}
