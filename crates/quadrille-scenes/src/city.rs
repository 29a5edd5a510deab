//! A city on cells: houses with a yard inside, streets between them, and a door in each house that can be opened and
//! closed.

/// Cells on each side.
pub const SIDE: u32 = 1024;
/// Houses on each side.
pub const HOUSES: u32 = SIDE / BLOCK;

/// Side of a house with the street beside it, in cells.
const BLOCK: u32 = 32;
/// Width of a street, in cells.
const STREET: u32 = 6;

/// Whether a cell, as column and row, is a street, a yard or a door: all but the walls of houses.
pub fn is_free(cell: [u32; 2]) -> bool {
    let [x, y] = cell.map(|at| at % BLOCK);
    let is_street = x < STREET || y < STREET;
    let is_wall = x == STREET || y == STREET || x == BLOCK - 1 || y == BLOCK - 1;
    is_street || !is_wall || door(cell.map(|at| at / BLOCK)) == cell
}

/// The door of a house, of [`HOUSES`] in each direction: in the wall above or in the one on the left.
pub const fn door([column, row]: [u32; 2]) -> [u32; 2] {
    let middle = STREET + (BLOCK - STREET) / 2 + (column * 7 + row * 3) % 9;
    let (x, y) = if (column + row) % 2 == 0 { (middle, STREET) } else { (STREET, middle) };
    [column * BLOCK + x, row * BLOCK + y]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_door_is_the_only_gap_in_the_walls_of_its_house() {
        for house in (0..HOUSES).flat_map(|row| (0..HOUSES).map(move |column| [column, row])) {
            let walls = STREET..BLOCK;
            let rim = walls.clone().flat_map(|y| walls.clone().map(move |x| [x, y]));
            let rim = rim.filter(|at| at.iter().any(|at| [STREET, BLOCK - 1].contains(at)));
            let gaps = rim.map(|at| [0, 1].map(|axis| house[axis] * BLOCK + at[axis])).filter(|cell| is_free(*cell));
            assert_eq!(gaps.collect::<Vec<_>>(), [door(house)]);
        }
    }
}
