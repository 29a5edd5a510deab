//! Longitudes that differ by whole turns. Adding 360 rounds, and a rounded longitude no longer touches the one it was.
//!
//! An edge goes the shorter way around the earth: from 179 to -179 across the antimeridian, and from 180 to -180, the
//! same meridian, along it. Exactly half a turn goes as it is written, east if the longitude grows. Only a ring of a map
//! of the whole earth has edges once around: its sides between two corners a full turn apart. The shorter way would make
//! it go along the antimeridian, and back.

use super::ellipsoid::Point;

/// Degrees around the earth.
pub const TURN: f64 = 360.0;

/// Degrees from one longitude eastward to another that is moved by some degrees first: `to + moved - from`, negative if
/// it is to the west. The sign is exact: zero only if the two are the same, whatever the sum of `to` and `moved` would
/// be rounded to.
pub(super) fn degrees_between(from: f64, to: f64, moved: f64) -> f64 {
    // The sum is `sum + rest`, exactly (Knuth, The Art of Computer Programming 2, 4.2.2, theorem B).
    let sum = to + moved;
    let part = sum - to;
    let rest = (to - (sum - part)) + (moved - part);
    (sum - from) + rest
}

/// How many degrees, a multiple of 360, each edge of a line or ring is shorter eastward than its longitudes say: the
/// end of the edge from 179 to -179 is at 181, moved by 360, so that is -360.
pub(super) fn turns(points: &[Point]) -> impl Iterator<Item = f64> {
    let step = |at: usize| points[at + 1][0] - points[at][0];
    let is_long = move |at: &usize| step(*at).abs() > TURN / 2.0;
    let edges = 0..points.len().saturating_sub(1);
    let is_map = points.first() == points.last() && edges.clone().filter(is_long).all(|at| is_side_of_map(points, at));
    edges.map(move |at| if is_map { 0.0 } else { turn_of(step(at)) })
}

/// The multiple of 360 degrees whose removal makes a step the shorter way around; half a turn stays as it is.
fn turn_of(step: f64) -> f64 {
    (((step.abs() - TURN / 2.0) / TURN).ceil().max(0.0) * TURN).copysign(step)
}

/// Whether an edge of a ring leads from one corner of a map to another, a full turn away: the sides next to it go along
/// that meridian, both up or both down.
fn is_side_of_map(ring: &[Point], at: usize) -> bool {
    let [from, to] = [ring[at], ring[at + 1]];
    // The last point repeats the first.
    let before = ring[at.checked_sub(1).unwrap_or(ring.len() - 2)];
    let after = ring[if at + 2 < ring.len() { at + 2 } else { 1 }];
    let is_turn = |a: Point, b: Point| degrees_between(a[0], b[0], TURN.copysign(a[0] - b[0])) == 0.0;
    let is_along = |a: Point, b: Point| a[0] == b[0] || is_turn(a, b);
    let is_level = from[1] == to[1] && is_turn(from, to);
    is_level && is_along(before, from) && is_along(to, after) && (before[1] - from[1]) * (after[1] - to[1]) > 0.0
}

/// A longitude moved by some degrees and never rounded westward.
#[must_use]
pub fn moved_up(longitude: f64, moved: f64) -> f64 {
    let sum = longitude + moved;
    if degrees_between(sum, longitude, moved) > 0.0 { sum + sum.abs() * f64::EPSILON } else { sum }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_of_turned_longitudes_have_the_exact_sign() {
        // 360 - 100.1 is rounded down, 360 - 100.3 is rounded up.
        for longitude in [-100.1, -100.3, -0.1, -1e-20, 1e-20, 0.7, 13.49, -177.123_456, 179.999_999_9] {
            let sum: f64 = longitude + TURN;
            assert_eq!(degrees_between(longitude, longitude, TURN), TURN, "{longitude}");
            assert_eq!(degrees_between(longitude, longitude, 0.0), 0.0);
            assert!(degrees_between(moved_up(longitude, TURN), longitude, TURN) <= 0.0, "{longitude}");
            assert!(moved_up(longitude, TURN) - sum < 1e-12);
            // The rest is what rounding removed.
            assert_eq!(degrees_between(sum, longitude, TURN), longitude - (sum - TURN), "{longitude}");
        }
    }
}
