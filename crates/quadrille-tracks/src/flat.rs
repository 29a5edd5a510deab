//! Boxes in space made into boxes of the library: two axes, `f32`, rounded outward.

use quadrille::Aabb;

/// A box seen along an axis, around an origin. One step of `f32` outward is more than all roundings of `f64` before it.
pub(crate) fn flatten<const D: usize>(min: &[f64; D], max: &[f64; D], origin: &[f64; D], axes: [usize; 2]) -> Aabb {
    Aabb::new(axes.map(|axis| below(min[axis] - origin[axis])), axes.map(|axis| above(max[axis] - origin[axis])))
}

fn below(side: f64) -> f32 {
    -above(-side)
}

fn above(side: f64) -> f32 {
    let rounded = side as f32;
    rounded + rounded.abs() * f32::EPSILON + f32::MIN_POSITIVE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_are_moved_outwards_by_at_least_a_step() {
        for side in [0.0, 1.0, -1.0, 0.1, -0.1, 16_777_217.0, 1e-40, -1e-40, 6_378_137.3, 1e30, -1e30] {
            assert!(f64::from(above(side)) > side && f64::from(below(side)) < side, "{side}");
            assert!((f64::from(above(side)) - side).abs() <= side.abs() * 3e-7 + 2e-38, "{side}");
        }
    }

    #[test]
    fn boxes_hold_what_they_are_made_of_and_no_more() {
        let flat = flatten(&[3.0, 50.0, 7.0], &[4.5, 60.0, 8.0], &[1.0, 9.0, 2.0], [0, 2]);
        let exact: Aabb<f64> = flat.cast();
        assert!(exact.contains(&Aabb::new([2.0, 5.0], [3.5, 6.0])), "{flat:?}");
        assert!(Aabb::new([1.999, 4.999], [3.501, 6.001]).contains(&exact), "{flat:?}");
    }
}
