//! Lists of cells, by patches whose cells are updated together.

use crate::grid::cell::{Cell, CellRect};

/// The side of the patches by which cells of a list are updated together. Larger patches would be fewer, but an update
/// visits all cells around those of a patch.
const PATCH: u32 = 8;

/// The cells by patch, and row by row in each, without repetitions.
pub(crate) fn by_patch(mut cells: Vec<Cell>) -> Vec<Cell> {
    cells.sort_unstable_by_key(|cell| (cell.y / PATCH, cell.x / PATCH, cell.y, cell.x));
    cells.dedup();
    cells
}

/// The cells of each patch, of cells [by patch](by_patch).
pub(crate) fn patches(cells: &[Cell]) -> impl Iterator<Item = &[Cell]> {
    cells.chunk_by(|one, other| (one.x / PATCH, one.y / PATCH) == (other.x / PATCH, other.y / PATCH))
}

/// The smallest rectangle that holds these cells, if there are any; they come row by row.
pub(crate) fn around(cells: &[Cell]) -> Option<CellRect> {
    let (first, last) = (cells.first()?, cells.last()?);
    let columns = || cells.iter().map(|cell| cell.x);
    let (left, right) = (columns().min()?, columns().max()?);
    Some(CellRect::new(left, first.y, right - left + 1, last.y - first.y + 1))
}
