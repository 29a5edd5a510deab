//! `.map` files: `type octile`, `height H`, `width W` (in either order), `map`, then H rows of W characters.

use super::reader::{ParseError, Reader};
use crate::grid::{Cell, CellRect, Grid, GridError};

/// A map of terrain characters: `.` and `G` ground, `S` swamp, `W` water, `@` and `O` out of bounds, `T` trees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileMap {
    width: u32,
    height: u32,
    tiles: Vec<u8>,
}

impl TileMap {
    /// Reads a map; `file` is the name for messages.
    ///
    /// # Errors
    /// Returns an error if something breaks the format. The message names file, line and value.
    pub fn parse(file: &str, bytes: &[u8]) -> Result<Self, ParseError> {
        let mut reader = Reader::new(file, bytes);
        reader.kind("octile")?;
        let map = Self::read(&mut reader)?;
        reader.finish()?;
        Ok(map)
    }

    /// The lines from the height on.
    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Self, ParseError> {
        let (width, height) = reader.size()?;
        Ok(Self { width, height, tiles: reader.tiles(width, height)? })
    }

    /// Number of columns.
    #[must_use]
    pub const fn width(&self) -> u32 {
        self.width
    }

    /// Number of rows.
    #[must_use]
    pub const fn height(&self) -> u32 {
        self.height
    }

    /// The character of a cell, if it lies on the map.
    #[must_use]
    pub fn tile(&self, cell: Cell) -> Option<u8> {
        let bounds = CellRect::new(0, 0, self.width, self.height);
        bounds.contains(cell).then(|| self.tiles[bounds.index(cell)])
    }

    /// The cells a walker can enter: ground and swamp. This is the rule of published scenarios; in older ones for
    /// `wc3maps512`, some rows stay on water or among trees, for which see [`grid`](Self::grid).
    ///
    /// # Errors
    /// Never returns an error for a map that was parsed: its sides have been checked.
    pub fn ground(&self) -> Result<Grid, GridError> {
        self.grid(is_ground)
    }

    /// The cells whose characters are free by a rule of the caller's.
    ///
    /// # Errors
    /// Never returns an error for a map that was parsed: its sides have been checked.
    pub fn grid(&self, is_free: impl Fn(u8) -> bool) -> Result<Grid, GridError> {
        Grid::from_fn(self.width, self.height, |cell| self.tile(cell).is_some_and(&is_free))
    }
}

/// Whether one can stand on a tile.
pub(super) const fn is_ground(tile: u8) -> bool {
    matches!(tile, b'.' | b'G' | b'S')
}
