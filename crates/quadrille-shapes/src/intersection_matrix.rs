//! The DE-9IM matrix: what the interiors, boundaries and exteriors of two geometries have in common.

use std::fmt;

use crate::point_location::Location;

/// The dimensions of what the interior, boundary and exterior of one geometry (rows) and of another (columns) have in
/// common.
///
/// As text, it is what GEOS and PostGIS write: `F` is nothing, `0` points, `1` lines, `2` areas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Matrix {
    /// -1: nothing.
    cells: [[i8; 3]; 3],
}

impl Matrix {
    /// For geometries that share only the exterior.
    pub(crate) fn new() -> Self {
        Self { cells: [[-1, -1, -1], [-1, -1, -1], [-1, -1, 2]] }
    }

    /// Notes that there is something of a dimension.
    pub(crate) fn note(&mut self, a: Location, b: Location, dimension: i8) {
        let cell = &mut self.cells[a as usize][b as usize];
        *cell = dimension.max(*cell);
    }

    /// Notes what parts of the geometry of a number, 0 or 1, have in common with parts of the other.
    pub(crate) fn noting(&mut self, number: usize) -> impl FnMut(Location, Location, i8) {
        move |own, other, dimension| {
            let [a, b] = if number == 0 { [own, other] } else { [other, own] };
            self.note(a, b, dimension);
        }
    }

    /// The dimension of what a part of the first and a part of the second have in common; -1 if it is nothing.
    pub(crate) fn get(&self, a: Location, b: Location) -> i8 {
        self.cells[a as usize][b as usize]
    }

    pub(crate) fn has(&self, a: Location, b: Location) -> bool {
        self.get(a, b) >= 0
    }
}

impl fmt::Display for Matrix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.cells.iter().flatten().try_for_each(|cell| match cell {
            -1 => write!(f, "F"),
            dimension => write!(f, "{dimension}"),
        })
    }
}
