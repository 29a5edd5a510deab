//! Lists of cells, by patches whose cells are updated together.

use crate::grid::cell::Cell;

/// The side of the patches by which cells of a list are updated together. Larger patches would be fewer, but an update
/// visits all cells around those of a patch.
const PATCH: u32 = 8;

/// The cells by patch, and row by row in each, without repetitions.
pub(crate) fn by_patch(cells: Vec<Cell>) -> Vec<Cell> {
    // As whole numbers, which are sorted elsewhere too: packages for the web have that code already. A side fits 16 bits.
    let joined = |row: u32, column: u32| u64::from(row) << 16 | u64::from(column);
    let number = |cell: Cell| joined(cell.y / PATCH, cell.x / PATCH) << 32 | joined(cell.y % PATCH, cell.x % PATCH);
    let part = |number: u64, shift: u32| (number >> shift) as u32 & 0xffff;
    let cell = |number: u64| {
        Cell::new(part(number, 32) * PATCH + part(number, 0), part(number, 48) * PATCH + part(number, 16))
    };
    let mut numbers: Vec<u64> = cells.into_iter().map(number).collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers.into_iter().map(cell).collect()
}

/// The cells of each patch, of cells [by patch](by_patch).
pub(crate) fn patches(cells: &[Cell]) -> impl Iterator<Item = &[Cell]> {
    cells.chunk_by(|one, other| (one.x / PATCH, one.y / PATCH) == (other.x / PATCH, other.y / PATCH))
}
