//! An array of numbers, read as boxes or points.

use std::borrow::Cow;
use std::fmt;

use quadrille::{Aabb, Scalar};

use crate::call::room;
use crate::error::Error;

/// Rows of two numbers (x, y) or of four (xmin, ymin, xmax, ymax).
#[derive(Clone, Copy, Debug)]
pub enum Rows<'a, S> {
    /// `[x, y]` each.
    Points(&'a [S]),
    /// `[xmin, ymin, xmax, ymax]` each.
    Boxes(&'a [S]),
}

impl<S> Rows<'_, S> {
    /// How many rows there are.
    pub fn len(&self) -> usize {
        match self {
            Self::Points(numbers) => numbers.len() / 2,
            Self::Boxes(numbers) => numbers.len() / 4,
        }
    }

    /// `true` if there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<'a, S: Scalar> Rows<'a, S> {
    /// All rows as boxes: those of an array of boxes themselves, points as boxes of zero size.
    ///
    /// # Errors
    /// Returns an error if there is no memory for those of points.
    pub fn to_boxes(self) -> Result<Cow<'a, [Aabb<S>]>, Error> {
        match self {
            Self::Points(numbers) => {
                let mut boxes = room(self.len())?;
                boxes.extend(numbers.chunks_exact(2).map(|p| Aabb::from_point([p[0], p[1]])));
                Ok(Cow::Owned(boxes))
            }
            Self::Boxes(numbers) => Ok(Cow::Borrowed(boxes_of_rows(numbers))),
        }
    }

    /// All rows as boxes of `f64`, which holds them exactly.
    ///
    /// # Errors
    /// Returns an error if there is no memory for them.
    pub fn to_wide(self) -> Result<Vec<Aabb<f64>>, Error> {
        let mut boxes = room(self.len())?;
        boxes.extend((0..self.len()).map(|row| {
            let Aabb { min, max } = self.get(row);
            Aabb::new(min.map(S::to_f64), max.map(S::to_f64))
        }));
        Ok(boxes)
    }

    /// One row as a box.
    #[inline]
    pub fn get(&self, row: usize) -> Aabb<S> {
        match self {
            Self::Points(numbers) => Aabb::from_point([numbers[2 * row], numbers[2 * row + 1]]),
            Self::Boxes(numbers) => boxes_of_rows(numbers)[row],
        }
    }
}

/// Rows of four numbers as boxes, in place. Numbers after the last whole row are ignored.
#[inline]
#[expect(unsafe_code, reason = "a slice of boxes that is not copied")]
pub fn boxes_of_rows<S: Scalar>(numbers: &[S]) -> &[Aabb<S>] {
    const {
        assert!(size_of::<Aabb<S>>() == 4 * size_of::<S>() && align_of::<Aabb<S>>() == align_of::<S>());
    }
    // SAFETY:
    // - `Aabb` is `repr(C)` of two `[S; 2]`: four numbers in order without padding (asserted above), any of which are a
    //   box.
    // - The length counts whole boxes only, so all of them lie within `numbers`, whose lifetime the result has.
    unsafe { std::slice::from_raw_parts(numbers.as_ptr().cast::<Aabb<S>>(), numbers.len() / 4) }
}

/// Checks that all rows can be stored: finite, and min <= max.
///
/// # Errors
/// Returns an error that names the first row that fails, the axis and the value.
pub fn check_stored<S: Scalar>(rows: Rows<'_, S>) -> Result<(), Error> {
    check(rows, Aabb::is_valid)
}

/// Checks that all rows are valid queries: not NaN, and min <= max. Infinite edges are fine.
///
/// # Errors
/// Returns an error that names the first row that fails, the axis and the value.
pub fn check_queries<S: Scalar>(rows: Rows<'_, S>) -> Result<(), Error> {
    check(rows, Aabb::is_ordered)
}

/// Checks that all directions, x and y each, are finite.
///
/// # Errors
/// Returns an error that names the first row that is not, and its values.
pub(crate) fn check_directions<S: Scalar>(directions: &[S]) -> Result<(), Error> {
    let rows = Rows::Points(directions);
    match (0..rows.len()).find(|&row| !rows.get(row).is_valid()) {
        None => Ok(()),
        Some(row) => Err(not_finite(row, "direction", rows.get(row))),
    }
}

/// Checks a distance.
///
/// # Errors
/// Returns an error that names the value if it is NaN or negative.
pub(crate) fn check_distance(distance: f64) -> Result<(), Error> {
    check_amount("distance", distance, distance)
}

/// Checks a number that is an amount of what it is called; `told` is how errors show it.
///
/// # Errors
/// Returns an error if it is NaN or negative.
pub fn check_amount(name: &str, amount: f64, told: impl fmt::Display) -> Result<(), Error> {
    if amount >= 0.0 { Ok(()) } else { Err(Error::value(format!("a {name} is zero or more, not {told}"))) }
}

/// Checks distances: one for all rows, or one for each.
///
/// # Errors
/// Returns an error that names the first row whose distance is NaN or negative, or how many there are.
pub(crate) fn check_distances(distances: &[f64], rows: usize) -> Result<(), Error> {
    if let [distance] = distances {
        return check_distance(*distance);
    }
    if distances.len() != rows {
        return Err(Error::value(format!("there are {} distances for {rows} rows", distances.len())));
    }
    let told =
        |(row, distance): (usize, &f64)| check_distance(*distance).map_err(|error| error.of(&format!("row {row}")));
    distances.iter().enumerate().try_for_each(told)
}

fn check<S: Scalar>(rows: Rows<'_, S>, is_good: impl Fn(&Aabb<S>) -> bool) -> Result<(), Error> {
    match (0..rows.len()).find(|&row| !is_good(&rows.get(row))) {
        None => Ok(()),
        Some(row) => Err(describe(rows, row)),
    }
}

#[cold]
fn describe<S: Scalar>(rows: Rows<'_, S>, row: usize) -> Error {
    if matches!(rows, Rows::Points(_)) {
        return not_finite(row, "point", rows.get(row));
    }
    let Aabb { min, max } = rows.get(row);
    if min.into_iter().chain(max).all(|edge| edge.to_f64().is_nan()) {
        return Error::value(format!("row {row}: the box is NaN throughout, as the bounds of an empty geometry are"));
    }
    match rows.get(row).check() {
        Err(error) => Error::value(format!("row {row}: {error}")),
        Ok(_) => Error::value(format!("row {row} is not a box")),
    }
}

#[cold]
fn not_finite<S: Scalar>(row: usize, name: &str, Aabb { min: [x, y], .. }: Aabb<S>) -> Error {
    Error::value(format!("row {row}: the {name} ({x}, {y}) is not finite"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_name_the_row_and_what_it_is() {
        let message = |checked: Result<(), Error>| checked.map_err(|error| error.to_string());
        let numbers = [0.0, 1.0, f64::NAN, 2.0];
        assert_eq!(message(check_directions(&numbers)), Err("row 1: the direction (NaN, 2) is not finite".into()));
        assert_eq!(
            message(check_stored(Rows::Points(&numbers))),
            Err("row 1: the point (NaN, 2) is not finite".into())
        );
        assert_eq!(message(check_directions(&numbers[..2])), Ok(()));
    }
}
