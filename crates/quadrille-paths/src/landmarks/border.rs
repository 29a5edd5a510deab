//! Where landmarks are placed: all around the map.

use crate::grid::{Cell, CellRect};

/// The cell at the edge of a map with a number below `most`, which is a power of two of at least 4. The first few are
/// far apart.
pub(crate) fn border_cell(bounds: CellRect, number: usize, most: usize) -> Cell {
    let (right, bottom) = (bounds.width - 1, bounds.height - 1);
    // The bits of the number in reverse: of 16, 0, 8, 4, 12, 2 and so on.
    let at = (number as u32).reverse_bits() >> (u32::BITS - most.ilog2());
    let a_side = most as u32 / 4;
    let (side, along) = (at / a_side, at % a_side);
    let part = |length: u32| length / a_side * along;
    match side {
        0 => Cell::new(part(right), 0),
        1 => Cell::new(right, part(bottom)),
        2 => Cell::new(right - part(right), bottom),
        _ => Cell::new(0, bottom - part(bottom)),
    }
}
