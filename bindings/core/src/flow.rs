//! A flow field, cell by cell.

use quadrille_paths::{Cell, FlowField, Length};

use crate::call::room;
use crate::cells::MapSize;
use crate::error::Error;

/// How far away the goals are from each cell of a map, row by row, and the step towards them.
#[derive(Clone, Debug)]
pub struct Flow {
    /// Infinite where there is no path.
    pub lengths: Vec<f64>,
    /// In x and y, zeros at goals and where there is no path.
    pub steps: Vec<[i8; 2]>,
}

impl Flow {
    /// Copies the field of a whole map.
    ///
    /// # Errors
    /// Returns an error if there is no memory for it.
    pub fn of(field: &FlowField, size: MapSize) -> Result<Self, Error> {
        let (mut lengths, mut steps) = (room(size.count())?, room(size.count())?);
        for cell in size.bounds().cells() {
            lengths.push(field.length(cell).map_or(f64::INFINITY, Length::as_f64));
            steps.push(step(cell, field.next(cell).unwrap_or(cell)));
        }
        Ok(Self { lengths, steps })
    }
}

fn step(from: Cell, to: Cell) -> [i8; 2] {
    [(from.x, to.x), (from.y, to.y)].map(|(from, to)| (i64::from(to) - i64::from(from)) as i8)
}
