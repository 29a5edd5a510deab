//! Distances of each scalar, compared exactly.
//!
//! A distance is asked for as `f64`, whatever the boxes are made of. [`Near`](quadrille::Near) is asked with a distance of their own type
//! that is not less, and what it finds is compared once more, squares with squares, in the wide type of the scalar: scaled, where squares
//! of `f64` would be rounded to zero or to infinity.

use quadrille::internals::Wide;
use quadrille::{Aabb, Scalar};

/// A coordinate of an array.
pub trait Number: Scalar {
    /// A number of this type that is not less than `distance`, which is not negative; the greatest there is if there is none.
    fn not_less_than(distance: f64) -> Self;

    /// All that is no farther away than `distance`.
    fn limit(distance: f64) -> Limit<Self>;

    /// This box grown by half of `distance` or a little more, such that boxes no farther apart than `distance` overlap when both are.
    fn grown_by_half(bounds: &Aabb<Self>, distance: f64) -> Aabb<Self>;

    /// How long the diagonal of a box with these sides is.
    fn diagonal(sides: [Self::Wide; 2]) -> f64;
}

/// Which distances count.
#[derive(Clone, Copy, Debug)]
pub struct Limit<S: Number> {
    /// What gaps are multiplied by before they are squared.
    scale: S::Wide,
    /// The greatest square that counts; `None` if all do.
    most: Option<S::Wide>,
}

impl<S: Number> Limit<S> {
    /// The distance between the nearest points of two boxes, if it counts.
    #[inline]
    pub(crate) fn distance(&self, a: &Aabb<S>, b: &Aabb<S>) -> Option<f64> {
        let gaps = gaps(a, b);
        let [x, y] = gaps.map(|gap| gap * self.scale);
        let counts = self.most.is_none_or(|most| x * x + y * y <= most);
        counts.then(|| S::diagonal(gaps))
    }
}

/// How far apart two boxes are on each axis; zero where they overlap.
#[inline]
fn gaps<S: Scalar>(a: &Aabb<S>, b: &Aabb<S>) -> [S::Wide; 2] {
    [0, 1].map(|axis| {
        let before = a.min[axis].wide() - b.max[axis].wide();
        let after = b.min[axis].wide() - a.max[axis].wide();
        before.greater(after).greater(S::Wide::ZERO)
    })
}

/// From this square on, `f64` holds squares and their sums with all digits; below, they fade into zero.
const LEAST_SQUARE: f64 = 1e-290;
/// Its root: one part in 2^50 more, so that its square is not less.
const LEAST: f64 = 1e-145 * (1.0 + 4.0 * f64::EPSILON);
/// Two to the power of 600: brings distances below [`LEAST`] to where squares are exact, and one over it those beyond 1e154.
const SCALE: f64 = f64::from_bits((600 + 1023) << 52);

/// Is the square of this distance rounded so much that it cannot decide which of two boxes is nearer?
pub(crate) fn is_blurred(distance: f64) -> bool {
    distance != 0.0 && scale_for(distance * distance) != 1.0
}

/// A power of two by which numbers of this square are multiplied such that squares are neither rounded to zero nor to infinity.
fn scale_for(squared: f64) -> f64 {
    if squared < LEAST_SQUARE {
        SCALE
    } else if squared < f64::INFINITY {
        1.0
    } else {
        1.0 / SCALE
    }
}

fn limit_of_floats<S: Number<Wide = f64>>(distance: f64) -> Limit<S> {
    let scale = scale_for(distance * distance);
    let most = distance * scale;
    Limit { scale, most: Some(most * most) }
}

fn diagonal_of_floats([x, y]: [f64; 2]) -> f64 {
    let squared = x * x + y * y;
    let scale = scale_for(squared);
    if scale == 1.0 {
        return squared.sqrt();
    }
    let (x, y) = (x * scale, y * scale);
    (x * x + y * y).sqrt() / scale
}

macro_rules! float_number {
    ($float:ident) => {
        impl Number for $float {
            fn not_less_than(distance: f64) -> Self {
                let distance = distance.max(LEAST);
                let nearest = distance as $float;
                let above = if f64::from(nearest) < distance { nearest.next_up() } else { nearest };
                above.min($float::MAX)
            }

            fn limit(distance: f64) -> Limit<Self> {
                limit_of_floats(distance)
            }

            fn grown_by_half(bounds: &Aabb<Self>, distance: f64) -> Aabb<Self> {
                // Half of it, rounded up; then each sum rounded outward once more, for the sum itself was rounded. The squares
                // that are compared afterward are rounded too: a few parts in 2^53 more than `distance` may be let in.
                let half = Self::not_less_than(0.5 * distance * (1.0 + 4.0 * f64::EPSILON)).next_up();
                let down = |x: $float| (x - half).next_down().max($float::MIN);
                let up = |x: $float| (x + half).next_up().min($float::MAX);
                Aabb::new(bounds.min.map(down), bounds.max.map(up))
            }

            fn diagonal(sides: [f64; 2]) -> f64 {
                diagonal_of_floats(sides)
            }
        }
    };
}

float_number!(f32);
float_number!(f64);

impl Number for i32 {
    fn not_less_than(distance: f64) -> Self {
        // `as` saturates.
        distance.ceil() as i32
    }

    fn limit(distance: f64) -> Limit<Self> {
        Limit { scale: 1, most: whole_square(distance) }
    }

    fn grown_by_half(bounds: &Aabb<Self>, distance: f64) -> Aabb<Self> {
        bounds.with_margin(Self::not_less_than(0.5 * distance))
    }

    fn diagonal([x, y]: [i128; 2]) -> f64 {
        ((x * x + y * y) as f64).sqrt()
    }
}

/// The whole part of the square of a distance; `None` if no two `i32` are that far apart.
fn whole_square(distance: f64) -> Option<i128> {
    // No two `i32` are 2^33 apart.
    if distance >= (1_u64 << 33) as f64 {
        return None;
    }
    if distance < 1.0 {
        return Some(0);
    }
    // From 1 to 2^33 every `f64` is a whole number of 2^-53: a + b / 2^53. Its square is aa + 2ab / 2^53 + bb / 2^106, of which the
    // whole part is taken.
    const PART: i128 = (1 << 53) - 1;
    let number = (distance * (1_u64 << 53) as f64) as i128;
    let (a, b) = (number >> 53, number & PART);
    let twice = 2 * a * b;
    let carried = ((twice & PART) + ((b * b) >> 53)) >> 53;
    Some(a * a + (twice >> 53) + carried)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_of_whole_numbers_are_exact() {
        for n in [0_i64, 1, 2, 3, 65_535, (1 << 32) - 1, (1 << 33) - 1] {
            assert_eq!(whole_square(n as f64), Some(i128::from(n) * i128::from(n)), "{n}");
        }
        for n in [1_i64, 2, 3, 65_535] {
            let squared = i128::from(n) * i128::from(n);
            assert_eq!(whole_square((n as f64).next_up()), Some(squared), "just above {n}");
            assert_eq!(whole_square((n as f64).next_down()), Some(squared - 1), "just below {n}");
        }
        assert_eq!(whole_square(2.5), Some(6));
        assert_eq!(whole_square(2.0_f64.sqrt()), Some(2), "the nearest f64 to the root of two is above it");
        assert_eq!(whole_square(3.0_f64.sqrt()), Some(2), "the nearest f64 to the root of three is below it");
        assert_eq!(whole_square(1e300), None);
    }

    #[test]
    fn distances_are_compared_where_squares_are_nothing_or_endless() {
        for unit in [
            f64::from_bits(16),
            f64::MIN_POSITIVE,
            2_f64.powi(-600),
            2_f64.powi(-482),
            1.0,
            2_f64.powi(512),
            2_f64.powi(1000),
        ] {
            let [here, there] = [[0.0, 0.0], [3.0 * unit, 4.0 * unit]].map(Aabb::from_point);
            let far = 5.0 * unit;
            assert_eq!(f64::limit(far).distance(&here, &there), Some(far), "{unit}");
            assert_eq!(f64::limit(far.next_down()).distance(&here, &there), None, "{unit}");
            assert_eq!(f64::limit(f64::INFINITY).distance(&here, &there), Some(far), "{unit}");
        }
    }

    #[test]
    fn a_distance_in_another_type_is_not_less() {
        for distance in [0.0, 0.1, 1.0 / 3.0, 1e-300, 16_777_217.0, 1e39, f64::INFINITY] {
            let near = f32::not_less_than(distance);
            assert!(f64::from(near) >= distance || near == f32::MAX, "{distance}");
        }
        assert_eq!((i32::not_less_than(2.1), i32::not_less_than(1e300)), (3, i32::MAX));
    }

    #[test]
    fn grown_boxes_overlap_if_the_distance_is_exactly_asked() {
        // Numbers of very different sizes, so that sums are rounded.
        let places = [0.0, 1e-9, 0.1, 0.3, 7.7, 1e4, 3.3e7, -2e9_f64];
        for a in places {
            for b in places {
                let [a, b] = [a, b].map(|x| Aabb::from_point([x as f32, 1.0]));
                let distance = (f64::from(a.min[0]) - f64::from(b.min[0])).abs();
                let [near_a, near_b] = [a, b].map(|x| f32::grown_by_half(&x, distance));
                assert!(near_a.intersects(&near_b) && near_a.is_valid(), "{a:?} {b:?}");
            }
        }
        let far = Aabb::new([f32::MIN; 2], [f32::MAX; 2]);
        assert!(f32::grown_by_half(&far, f64::INFINITY).is_valid());
    }
}
