//! Maps coordinates of a file into the picture.

use quadrille::Aabb;

/// The longer side of everything takes at most this many units of the picture, and at least half as many.
const SIDE: f64 = 1024.0;
/// Nothing is drawn farther from the center than this: a structure's cells may extend to the end of the number range.
const FARTHEST: f64 = 1e6;

/// Moves the center of everything to the origin and multiplies by a power of two, which rounds nothing. So `f32` is
/// precise enough, however large or small the coordinates are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Flat {
    middle: [f64; 2],
    /// The factor, in two parts: the product may be too large or too small for an `f64`.
    scale: [f64; 2],
}

impl Flat {
    /// The mapping for what is within `bounds`.
    pub(crate) fn of(bounds: &Aabb<f64>) -> Self {
        // The difference of halves cannot overflow.
        let half = [0, 1].map(|axis| bounds.max[axis] / 2.0 - bounds.min[axis] / 2.0);
        let longer = half[0].max(half[1]);
        let power = if longer > 0.0 { (SIDE / 2.0).log2() - longer.log2().ceil() } else { 0.0 };
        let first = (power / 2.0).trunc();
        Self { middle: bounds.center(), scale: [first.exp2(), (power - first).exp2()] }
    }

    /// Where a point of the file is in the picture.
    pub(crate) fn project(&self, place: [f64; 2]) -> [f32; 2] {
        [0, 1].map(|axis| {
            // Halving is exact, except for numbers too small to matter.
            let far = (place[axis] / 2.0 - self.middle[axis] / 2.0) * self.scale[0] * self.scale[1] * 2.0;
            far.clamp(-FARTHEST, FARTHEST) as f32
        })
    }

    /// A box in the picture.
    pub(crate) fn rect(&self, bounds: &Aabb<f64>) -> Aabb {
        Aabb::from_corners(self.project(bounds.min), self.project(bounds.max))
    }

    /// The file's coordinates of a point in the picture.
    pub(crate) fn back(&self, point: [f32; 2]) -> [f64; 2] {
        [0, 1].map(|axis| {
            let place = self.middle[axis] + self.length(point[axis]);
            place.clamp(f64::MIN, f64::MAX)
        })
    }

    /// A length of the picture, in units of the file.
    pub(crate) fn length(&self, length: f32) -> f64 {
        f64::from(length) / self.scale[0] / self.scale[1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_boxes_fill_the_picture_however_large_or_small_they_are() {
        for side in [1e-300, 1e-30, 1.0, 3.7, 1e30, 1.7e308] {
            for corner in [[0.0, 0.0], [-side, side / 2.0]] {
                let bounds = Aabb::new(corner, [corner[0] + side, corner[1] + side / 4.0]);
                let rect = Flat::of(&bounds).rect(&bounds);
                let width = rect.width();
                assert!((400.0..=1100.0).contains(&width), "{side} is {width} wide");
                assert!(rect.center().iter().all(|middle| middle.abs() <= width / 2.0), "{side}: {rect:?}");
            }
        }
    }

    #[test]
    fn a_place_and_back_is_the_same_place() {
        let flat = Flat::of(&Aabb::new([-180.0, -90.0], [180.0, 90.0]));
        for place in [[-180.0, -90.0], [7.5, 47.25], [0.0, 0.0]] {
            assert_eq!(flat.back(flat.project(place)), place);
        }
        assert_eq!(flat.project([0.0, 90.0]), [0.0, 180.0]);
        assert_eq!(flat.length(180.0), 90.0);
    }

    #[test]
    fn the_ends_of_the_numbers_are_far_away_and_finite() {
        let flat = Flat::of(&Aabb::new([0.0; 2], [1e-30; 2]));
        assert_eq!(flat.project([f64::MAX, f64::MIN]), [1e6, -1e6]);
        let flat = Flat::of(&Aabb::new([f64::MIN; 2], [f64::MAX; 2]));
        assert!(flat.back([1e6, -1e6]).iter().all(|side| side.is_finite()));
        let point = Flat::of(&Aabb::from_point([3.0, 4.0]));
        assert_eq!((point.project([3.0, 4.0]), point.back([1.0, 0.0])), ([0.0; 2], [4.0, 4.0]));
    }
}
