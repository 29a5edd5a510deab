//! Which part of the world a picture shows.

use quadrille::{Aabb, Scalar};

use crate::canvas::Canvas;

/// Maps the world to the pixels of a canvas: same scale on both axes, world y **up**, pixel y down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Pixels per unit of the world.
    scale: f64,
    /// The point of the world at the center of the picture.
    focus: [f64; 2],
    /// Where that is, in pixels.
    middle: [f64; 2],
}

/// Pixels left free around the world, so that its border is seen.
const MARGIN: f64 = 4.0;

impl Camera {
    /// The camera that shows all of `world`, centered and as large as fits. A world without size is shown at one pixel
    /// per unit.
    pub fn fit<S: Scalar>(world: &Aabb<S>, canvas: &Canvas) -> Self {
        let pixels = [canvas.width(), canvas.height()].map(f64::from);
        let [min, max] = [world.min, world.max].map(|corner| corner.map(Scalar::to_f64));
        let fit = |axis: usize| (pixels[axis] - 2.0 * MARGIN).max(1.0) / (max[axis] - min[axis]);
        let scale = fit(0).min(fit(1));
        Self {
            scale: if scale.is_finite() && scale > 0.0 { scale } else { 1.0 },
            focus: [min[0].midpoint(max[0]), min[1].midpoint(max[1])],
            middle: pixels.map(|side| side / 2.0),
        }
    }

    /// Where a point of the world is, in pixels.
    #[inline]
    // Casts: a pixel's place needs no more than 24 bits.
    pub fn project<S: Scalar>(&self, point: [S; 2]) -> [f32; 2] {
        let [x, y] = point.map(Scalar::to_f64);
        [
            (self.middle[0] + (x - self.focus[0]) * self.scale) as f32,
            (self.middle[1] - (y - self.focus[1]) * self.scale) as f32,
        ]
    }

    /// The length in pixels of a length in the world.
    #[inline]
    pub fn length<S: Scalar>(&self, length: S) -> f32 {
        (length.to_f64() * self.scale) as f32
    }

    /// Where a rectangle of the world is, in pixels.
    #[inline]
    pub fn rect<S: Scalar>(&self, bounds: &Aabb<S>) -> Aabb {
        Aabb::from_corners(self.project(bounds.min), self.project(bounds.max))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::palette::PAPER;

    #[test]
    fn the_world_is_centred_and_y_points_up() {
        let canvas = Canvas::new(108, 208, PAPER);
        let camera = Camera::fit(&Aabb::new([0, 0], [10, 10]), &canvas);
        assert_eq!(camera.project([0, 0]), [4.0, 154.0]);
        assert_eq!(camera.project([10, 10]), [104.0, 54.0]);
        assert_eq!(camera.length(3), 30.0);
        assert_eq!(camera.rect(&Aabb::new([0, 5], [5, 10])), Aabb::new([4.0, 54.0], [54.0, 104.0]));
    }

    #[test]
    fn a_world_without_size_or_of_any_size_can_be_shown() {
        let canvas = Canvas::new(2, 2, PAPER);
        assert_eq!(Camera::fit(&Aabb::from_point([7.0, 7.0]), &canvas).project([7.0, 8.0]), [1.0, 0.0]);
        let everything = Aabb::new([f64::MIN; 2], [f64::MAX; 2]);
        assert!(Camera::fit(&everything, &canvas).project([0.0; 2]).iter().all(|place| place.is_finite()));
        assert!(Camera::fit(&Aabb::<f32>::EMPTY, &canvas).length(1.0_f32).is_finite());
    }
}
