//! Rows in an order in which neighbors in the plane mostly follow each other: each query finds its data in the
//! cache. 20,000 queries in random order for the nearest 8 of 100,000 points take three fifths of the time.

use quadrille::{Scalar, morton};

use crate::call::room;
use crate::error::Error;
use crate::rows::Rows;

/// Fewer rows than this are not sorted.
const MIN_ROWS: usize = 64;

/// The numbers of the rows in the order of a Z curve through their corners.
pub(crate) fn along_a_curve<S: Scalar>(rows: Rows<'_, S>) -> Result<Vec<u32>, Error> {
    let (all, mut order) = (0..rows.len() as u32, room(rows.len())?);
    if rows.len() < MIN_ROWS {
        order.extend(all);
    } else {
        let (mut along, mut spare) = (room(rows.len())?, room(rows.len())?);
        morton::sort(all.map(|row| (row, rows.get(row as usize).min)), &mut along, &mut spare);
        order.extend(along.into_iter().map(morton::number_of));
    }
    Ok(order)
}
