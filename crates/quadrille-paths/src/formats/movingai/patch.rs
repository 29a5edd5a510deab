//! `.patch` files of the competition's dynamic track: rectangles of a map, to be laid over it.

use super::map::{TileMap, is_ground};
use super::reader::{ParseError, Reader};
use crate::grid::{Cell, CellRect};
use crate::map::PathMap;

/// A rectangle of free and blocked cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Patch(TileMap);

impl Patch {
    /// Reads a file of patches: `type patch`, `patches N`, then for each `patch I`, `height H`, `width W`, `map` and
    /// the rows.
    ///
    /// # Errors
    /// Returns an error if something breaks the format. The message names file, line and value.
    pub fn parse_all(file: &str, bytes: &[u8]) -> Result<Vec<Self>, ParseError> {
        let mut reader = Reader::new(file, bytes);
        reader.kind("patch")?;
        let count = reader.keyword_number("patches")?;
        let patches = (0..count).map(|index| Self::parse(&mut reader, index)).collect::<Result<_, _>>()?;
        reader.finish()?;
        Ok(patches)
    }

    fn parse(reader: &mut Reader<'_>, index: u32) -> Result<Self, ParseError> {
        let found = reader.keyword_number("patch")?;
        if found != index {
            return Err(reader.error(format!("expected patch {index}, found {found}")));
        }
        TileMap::read(reader).map(Self)
    }

    /// The cells that it covers when its top left cell is at `at`.
    #[must_use]
    pub const fn rect(&self, at: Cell) -> CellRect {
        CellRect::new(at.x, at.y, self.0.width(), self.0.height())
    }

    /// Whether it frees a cell that it covers when its top left cell is at `at`; false for other cells.
    #[must_use]
    pub fn is_free(&self, cell: Cell, at: Cell) -> bool {
        let own = |cell: u32, at: u32| cell.wrapping_sub(at);
        self.0.tile(Cell::new(own(cell.x, at.x), own(cell.y, at.y))).is_some_and(is_ground)
    }

    /// Applies it to a map with its top left cell at `at`; what lies beyond the edge is cut off.
    pub fn apply(&self, map: &mut PathMap, at: Cell) -> bool {
        map.edit(self.rect(at), |cell| self.is_free(cell, at))
    }
}
