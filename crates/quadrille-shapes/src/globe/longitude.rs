//! Longitudes that differ by whole turns. Adding 360 rounds, and a rounded longitude no longer touches the one it was.

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
