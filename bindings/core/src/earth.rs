//! Pairs of points and boxes in degrees that are near each other on the earth.

use quadrille::{Aabb, Scalar};
use quadrille_shapes::globe::{Edges, Globe, Set};

use crate::call::{Call, check_room_for_boxes, room};
use crate::error::Error;
use crate::join::Apart;
use crate::near::near_pairs;
use crate::rows::{Rows, check_distance, check_stored};
use crate::shapes::{refusal, refusal_on_globe};

/// Rows of longitude and latitude, and what errors call them.
pub type Degrees<'a, S> = (Rows<'a, S>, &'a str);

/// All pairs that are no farther apart than `most` meters, within a set (each once, `i < j`) or between two, in order;
/// and how far apart each is, if `is_measured`.
///
/// # Errors
/// Returns an error if a row is NaN, infinite or inverted, or is not on the earth; if the distance is negative or NaN;
/// if memory runs out or the call is stopped.
pub fn within_on_earth<S: Scalar>(
    items: Degrees<'_, S>,
    others: Option<Degrees<'_, S>>,
    most: f64,
    is_measured: bool,
    call: Call<'_>,
) -> Result<Apart, Error> {
    check_distance(most)?;
    let first = degrees(items.0, items.1)?;
    let second = others.map(|(rows, name)| degrees(rows, name)).transpose()?;
    pairs_within(&first, second.as_deref(), most, is_measured, call)
}

fn pairs_within(
    first: &[Aabb<f64>],
    second: Option<&[Aabb<f64>]>,
    most: f64,
    is_measured: bool,
    call: Call<'_>,
) -> Result<Apart, Error> {
    check_room_for_boxes(first.len() + second.map_or(0, <[_]>::len))?;
    let globe = Globe::new(Set::of_boxes(first), second.map(Set::of_boxes), Edges::Straight).map_err(refusal)?;
    let pairs = near_pairs(&globe, first.len(), most, call)?;
    let measured = if is_measured { &pairs[..] } else { &[] };
    let (mut distances, pulse) = (room(measured.len())?, call.pulse());
    for (i, j) in measured {
        pulse.beat()?;
        distances.push(globe.distance(*i, *j));
    }
    Ok((pairs, distances))
}

/// Rows as boxes of degrees.
fn degrees<S: Scalar>(rows: Rows<'_, S>, name: &str) -> Result<Vec<Aabb<f64>>, Error> {
    check_stored(rows).map_err(|error| error.of(name))?;
    let boxes = rows.to_wide()?;
    Set::of_boxes(&boxes).check().map_err(|fault| refusal_on_globe(fault, name, |row| row))?;
    Ok(boxes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_points_are_found_across_the_antimeridian_each_pair_once() {
        let points = [179.999, 0.0, 8.5, 47.0, -179.999, 0.0, 8.5, 47.001];
        let rows = || (Rows::Points(&points), "items");
        let within = |most| within_on_earth(rows(), None, most, true, Call::default());
        let (pairs, far) = within(223.0).expect("degrees");
        assert_eq!(pairs, [(0, 2), (1, 3)]);
        assert!((far[0] - 222.639).abs() < 1e-3 && far[1] < 112.0, "{far:?}");
        assert_eq!(within(222.0).map(|found| found.0), Ok(vec![(1, 3)]));
        let between = within_on_earth(rows(), Some(rows()), 120.0, false, Call::default());
        let all = vec![(0, 0), (1, 1), (1, 3), (2, 2), (3, 1), (3, 3)];
        assert_eq!(between, Ok((all, Vec::new())));
        assert!(within(-1.0).is_err() && within(f64::NAN).is_err());
    }

    #[test]
    fn points_and_boxes_without_an_extent_beside_one_that_has_some_are_near_alike() {
        let points: Vec<f64> = (0..800).map(|k| f64::from(k * k % 1009) / 1009.0 + f64::from(k % 2) * 46.0).collect();
        let boxes: Vec<f64> = points.chunks_exact(2).flat_map(|at| [at, at].concat()).collect();
        let boxes = [&boxes[..], &[-60.0, -60.0, -59.0, -59.0]].concat();
        let within = |rows, call| within_on_earth((rows, "items"), None, 3000.0, true, call);
        let found = within(Rows::Points(&points), Call::default()).expect("degrees");
        assert!(found.0.len() > 100 && found.0.is_sorted(), "{}", found.0.len());
        assert_eq!(within(Rows::Boxes(&boxes), Call::default()), Ok(found.clone()));
        #[cfg(feature = "threads")]
        assert_eq!(
            within(Rows::Points(&points), Call::on(crate::Threads::Some(2.try_into().expect("two")))),
            Ok(found)
        );
    }

    #[test]
    fn rows_that_are_not_on_the_earth_are_named() {
        let told = |points: &[f64]| {
            let found = within_on_earth((Rows::Points(points), "items"), None, 1.0, false, Call::default());
            found.expect_err("not on the earth").to_string()
        };
        assert!(told(&[0.0, 0.0, 8.5, 91.0]).starts_with("items: row 1: latitude 91 is beyond a pole"));
        assert!(told(&[f64::NAN, 0.0]).starts_with("items: row 0: "));
    }
}
