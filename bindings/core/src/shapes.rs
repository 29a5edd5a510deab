//! Joins of points, lines and polygons by their true shapes, given as well-known binary.

use std::ops::ControlFlow;

use quadrille::{FrameTree, Index};
use quadrille_shapes::{
    Fault, Geometries, Nearest, Predicate, Wanted, distance, in_common, join_while, join_within_while,
};

use crate::call::{Call, room};
use crate::error::Error;

/// Geometries by rows, of which some may have none.
#[derive(Debug, Default)]
pub struct Shapes {
    shapes: Geometries,
    /// The row of each geometry.
    rows: Vec<u32>,
    /// How many rows there are.
    count: u32,
}

/// Rows of two sets that belong together, and how far apart they are.
pub type Apart = ((u32, u32), f64);

impl Shapes {
    /// No rows yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a row: well-known binary, or nothing. Empty geometries are in no join.
    ///
    /// # Errors
    /// Bytes that are no geometry: the row and what is wrong are named.
    pub fn push(&mut self, wkb: Option<&[u8]>) -> Result<(), Error> {
        self.push_with(|shapes| wkb.map_or(Ok(false), |bytes| shapes.push_wkb(bytes)))
    }

    /// Adds a row by what pushes its geometry, and says whether there was anything in it.
    ///
    /// # Errors
    /// What is wrong, with the row before it.
    pub fn push_with(&mut self, push: impl FnOnce(&mut Geometries) -> Result<bool, String>) -> Result<(), Error> {
        let row = self.count;
        if push(&mut self.shapes).map_err(|what| Error::value(format!("row {row} {what}")))? {
            self.rows.push(row);
        }
        self.count = row.checked_add(1).ok_or_else(|| Error::value("there are too many rows"))?;
        Ok(())
    }

    /// The boxes of all rows, four numbers each; those of rows without a geometry are NaN.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn bounds(&self) -> Result<Vec<f64>, Error> {
        let mut all = room(4 * self.len())?;
        all.resize(4 * self.len(), f64::NAN);
        for (number, row) in (0..).zip(&self.rows) {
            let bounds = self.shapes.bounds(number);
            all[4 * *row as usize..][..4].copy_from_slice(&[bounds.min, bounds.max].concat());
        }
        Ok(all)
    }

    /// The area or length that the two rows of each pair have in common.
    ///
    /// # Errors
    /// If there is no such row, a geometry cannot be measured, memory runs out, or the call is stopped.
    pub fn measures(&self, other: &Self, pairs: &[(u32, u32)], call: Call<'_>) -> Result<Vec<f64>, Error> {
        let pulse = call.pulse();
        let mut measures = room(pairs.len())?;
        for (row, other_row) in pairs {
            pulse.beat()?;
            let both = self.number(*row)?.zip(other.number(*other_row)?);
            let common = both.map_or(Ok(0.0), |(i, j)| in_common(&self.shapes, i, &other.shapes, j));
            measures.push(common.map_err(refusal)?);
        }
        Ok(measures)
    }

    /// How many rows there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.count as usize
    }

    /// `true` if there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Pairs of rows for which the predicate with this name holds, in order.
    ///
    /// # Errors
    /// An unknown name, a geometry that cannot be asked, no memory, or a call that is stopped.
    pub fn join(&self, other: &Self, predicate: &str, call: Call<'_>) -> Result<Vec<(u32, u32)>, Error> {
        let predicate: Predicate = predicate.parse().map_err(|what| Error::value(format!("predicate: {what}")))?;
        self.joined(other, call, |may_go_on| join_while(&self.shapes, &other.shapes, predicate, may_go_on))
    }

    /// Pairs of rows that are no farther apart than a distance, in order; none if that is negative or NaN.
    ///
    /// # Errors
    /// As [`join`](Self::join).
    pub fn join_within(&self, other: &Self, distance: f64, call: Call<'_>) -> Result<Vec<(u32, u32)>, Error> {
        self.joined(other, call, |may_go_on| join_within_while(&self.shapes, &other.shapes, distance, may_go_on))
    }

    fn joined(
        &self,
        other: &Self,
        call: Call<'_>,
        join: impl FnOnce(&mut dyn FnMut() -> bool) -> Result<Vec<(u32, u32)>, Fault>,
    ) -> Result<Vec<(u32, u32)>, Error> {
        let pulse = call.pulse();
        let mut pairs = join(&mut || pulse.beat().is_ok()).map_err(refusal)?;
        pairs.iter_mut().for_each(|pair| *pair = (self.row(pair.0), other.row(pair.1)));
        pairs.sort_unstable();
        Ok(pairs)
    }

    /// Of each row here, the rows of the others that are nearest, and how far away: `count` of them, or (`None`) all
    /// that no other is nearer than, none farther than `most`. `exclusive`: what is equal is not wanted.
    ///
    /// # Errors
    /// If memory runs out or the call is stopped.
    pub fn nearest(
        &self,
        other: &Self,
        count: Option<usize>,
        most: f64,
        exclusive: bool,
        call: Call<'_>,
    ) -> Result<Vec<Apart>, Error> {
        let pulse = call.pulse();
        let index = Index::<FrameTree<f64>>::from_boxes(&other.shapes.boxes())
            .map_err(|error| Error::no_memory(error.to_string()))?;
        let nearest = Nearest::new(&other.shapes, &index);
        let wanted = Wanted { count: count.unwrap_or(1), most, has_ties: count.is_none(), but_itself: false };
        let mut found = Vec::new();
        let mut take = |i, others: Vec<(u32, f64)>| {
            found.extend(others.into_iter().map(|(j, distance)| ((self.row(i), other.row(j)), distance)));
        };
        if exclusive {
            for i in 0..self.shapes.len() as u32 {
                pulse.beat()?;
                take(i, but_equal((&self.shapes, &other.shapes), i, &nearest, wanted).map_err(refusal)?);
            }
        } else {
            let stopped = nearest.to_each(&self.shapes, wanted, |i, others| {
                take(i, others);
                pulse.beat().map_or_else(ControlFlow::Break, ControlFlow::Continue)
            });
            stopped.break_value().map_or(Ok(()), Err)?;
        }
        Ok(found)
    }

    /// How far a row here and one of the others are apart; infinite if one has no geometry.
    ///
    /// # Errors
    /// If there is no such row.
    pub fn distance(&self, row: u32, other: &Self, other_row: u32) -> Result<f64, Error> {
        let (i, j) = (self.number(row)?, other.number(other_row)?);
        Ok(i.zip(j).map_or(f64::INFINITY, |(i, j)| distance(&self.shapes, i, &other.shapes, j)))
    }

    fn row(&self, number: u32) -> u32 {
        self.rows[number as usize]
    }

    /// The geometry of a row, if it has one.
    fn number(&self, row: u32) -> Result<Option<u32>, Error> {
        if row >= self.count {
            return Err(Error::place(format!("there is no row {row}: there are {}", self.count)));
        }
        Ok(self.rows.binary_search(&row).ok().map(|number| number as u32))
    }
}

#[cold]
fn refusal(fault: Fault) -> Error {
    match fault {
        Fault::Stopped => Error::stopped(),
        Fault::Memory | Fault::TooMany => Error::no_memory(fault.to_string()),
        other => Error::value(other.to_string()),
    }
}

/// The nearest to geometry `i` of `a`, of those that are not equal to it.
fn but_equal(
    (a, b): (&Geometries, &Geometries),
    i: u32,
    nearest: &Nearest<'_, FrameTree<f64>>,
    wanted: Wanted,
) -> Result<Vec<(u32, f64)>, Fault> {
    let mut equal = Vec::new();
    for (j, _) in nearest.to(a, i, Wanted { count: usize::MAX, most: 0.0, ..wanted }) {
        if Predicate::Equals.holds(a, i, b, j)? {
            equal.push(j);
        }
    }
    // As many more are nearest.
    let mut found = nearest.to(a, i, Wanted { count: wanted.count.saturating_add(equal.len()), ..wanted });
    found.retain(|(j, _)| !equal.contains(j));
    if !wanted.has_ties {
        found.truncate(wanted.count);
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A point as well-known binary.
    fn point(x: f64, y: f64) -> Vec<u8> {
        let mut bytes = vec![1, 1, 0, 0, 0];
        bytes.extend(x.to_le_bytes());
        bytes.extend(y.to_le_bytes());
        bytes
    }

    #[test]
    fn rows_without_geometry_keep_their_numbers() {
        let mut shapes = Shapes::new();
        let rows = [Some(point(0.0, 0.0)), None, Some(point(f64::NAN, f64::NAN)), Some(point(3.0, 4.0))];
        rows.iter().for_each(|row| shapes.push(row.as_deref()).expect("points, one empty"));
        assert_eq!(shapes.len(), 4);
        let call = Call::default;
        assert_eq!(shapes.join(&shapes, "intersects", call()), Ok(vec![(0, 0), (3, 3)]));
        assert_eq!(shapes.join_within(&shapes, 5.0, call()), Ok(vec![(0, 0), (0, 3), (3, 0), (3, 3)]));
        assert_eq!(shapes.nearest(&shapes, None, f64::INFINITY, true, call()), Ok(vec![((0, 3), 5.0), ((3, 0), 5.0)]));
        assert_eq!(shapes.distance(0, &shapes, 3), Ok(5.0));
        assert_eq!(shapes.distance(0, &shapes, 1), Ok(f64::INFINITY));
        assert!(shapes.distance(0, &shapes, 4).is_err());
    }

    #[test]
    fn what_is_no_geometry_is_told_by_row() {
        let mut shapes = Shapes::new();
        shapes.push(None).expect("nothing");
        let told = shapes.push(Some(&[1, 1, 0])).expect_err("cut off").to_string();
        assert!(told.starts_with("row 1 "), "{told}");
        assert_eq!(shapes.len(), 1, "nothing was added");
        assert!(shapes.join(&shapes, "near", Call::default()).is_err());
    }
}
