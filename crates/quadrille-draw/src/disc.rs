//! Discs with smooth edges, hundreds of thousands a frame.
//!
//! Plainly: for every pixel near the disc, color it by the part of it that the disc covers. Departures:
//!
//! 1. Up to [`LARGEST_STAMP`] pixels of radius, coverage is computed once for each radius (in steps of 1/8 pixel) and
//!    each of 4 × 4 positions of the middle within its pixel, and stamped from then on. At most 1/8 pixel off, which no
//!    eye sees.
//! 2. Above, coverage is computed from the distance to the circle, as for all strokes.

use crate::canvas::{Canvas, cell};
use crate::palette::Color;

/// Radius in pixels up to which discs are stamped. Larger masks would be many and seldom used.
const LARGEST_STAMP: f32 = 8.0;
/// Steps of the radius a pixel.
const RADIUS_STEPS: f32 = 8.0;
/// Positions of the middle within a pixel, on each axis.
const STEPS: u8 = 4;
/// Samples per pixel, on each axis, by which coverage is computed.
const SAMPLES: u16 = 8;
/// The least radius in pixels that is drawn, so that no disc vanishes.
const SMALLEST: f32 = 0.5;

/// Draws discs, remembering the masks it has made.
#[derive(Debug, Default)]
pub(crate) struct Discs {
    /// By radius step, then by position of the middle; empty until needed.
    masks: Vec<Option<Mask>>,
}

/// Coverage of the pixels around a disc's middle, 0 to 255.
#[derive(Debug)]
struct Mask {
    /// Pixels from the left edge to the pixel that holds the middle. There are as many on the other side.
    reach: u16,
    coverage: Vec<u8>,
}

impl Discs {
    /// Draws a disc; `center` and `radius` in pixels.
    pub(crate) fn draw(&mut self, canvas: &mut Canvas, center: [f32; 2], radius: f32, color: Color) {
        if !(center[0].is_finite() && center[1].is_finite() && radius.is_finite()) {
            return;
        }
        let radius = radius.max(SMALLEST);
        if radius > LARGEST_STAMP {
            return canvas.stroke([center; 2], 2.0 * radius, color);
        }
        let mask = self.mask((radius * RADIUS_STEPS).round() as usize, center.map(step_in_pixel));
        let [x, y] = center.map(cell);
        let reach = i64::from(mask.reach);
        for (row, coverage) in (y - reach..).zip(mask.coverage.chunks_exact(mask.width())) {
            canvas.stamp(x - reach, row, coverage, color);
        }
    }

    fn mask(&mut self, radius_step: usize, [x, y]: [u8; 2]) -> &Mask {
        let number = (radius_step * usize::from(STEPS) + usize::from(y)) * usize::from(STEPS) + usize::from(x);
        if number >= self.masks.len() {
            self.masks.resize_with(number + 1, || None);
        }
        let middle = [x, y].map(|step| (f32::from(step) + 0.5) / f32::from(STEPS));
        self.masks[number].get_or_insert_with(|| Mask::new(radius_step as f32 / RADIUS_STEPS, middle))
    }
}

/// Which of the steps within its pixel a coordinate is nearest to.
fn step_in_pixel(coordinate: f32) -> u8 {
    let fraction = coordinate - coordinate.floor();
    ((fraction * f32::from(STEPS)) as u8).min(STEPS - 1)
}

impl Mask {
    /// The mask of a disc whose middle is at `middle` (0 to 1) in the middle pixel.
    fn new(radius: f32, middle: [f32; 2]) -> Self {
        let reach = radius.ceil() as u16;
        let pixels = (0..=2 * reach).flat_map(|row| (0..=2 * reach).map(move |column| [column, row]));
        let coverage = pixels.map(|pixel| {
            let corner = [0, 1].map(|axis| f32::from(pixel[axis]) - f32::from(reach) - middle[axis]);
            covered(corner, radius)
        });
        Self { reach, coverage: coverage.collect() }
    }

    fn width(&self) -> usize {
        2 * usize::from(self.reach) + 1
    }
}

/// Coverage, 0 to 255, of the pixel with this upper left corner by a disc around the origin.
fn covered(corner: [f32; 2], radius: f32) -> u8 {
    let sample = |number: u16| (f32::from(number) + 0.5) / f32::from(SAMPLES);
    let points = (0..SAMPLES).flat_map(|y| (0..SAMPLES).map(move |x| [corner[0] + sample(x), corner[1] + sample(y)]));
    let hits = points.filter(|[x, y]| x * x + y * y <= radius * radius).count();
    (hits * 255 / usize::from(SAMPLES * SAMPLES)) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::palette::Color;

    const BLACK: Color = Color([0; 3]);
    const WHITE: Color = Color([255; 3]);

    /// Pixels that a disc covers: the sum of what it has made white.
    fn area(center: [f32; 2], radius: f32) -> f64 {
        let mut canvas = Canvas::new(100, 100, BLACK);
        Discs::default().draw(&mut canvas, center, radius, WHITE);
        canvas.pixels().map(|color| f64::from(color.0[0])).sum::<f64>() / 255.0
    }

    #[test]
    fn a_disc_covers_its_area_whatever_its_size_and_place() {
        for radius in [0.75_f32, 1.0, 1.5, 3.0, 7.9, 8.1, 20.0, 45.0] {
            for center in [[50.0, 50.0], [50.3, 49.6], [49.51, 50.99]] {
                let expected = std::f64::consts::PI * f64::from(radius * radius);
                let found = area(center, radius);
                let allowed = 0.05 * expected + 0.1;
                assert!((found - expected).abs() < allowed, "radius {radius} at {center:?}: {found} of {expected}");
            }
        }
    }

    #[test]
    fn stamped_and_computed_discs_meet() {
        let (stamped, computed) = (area([50.0, 50.0], 8.0), area([50.0, 50.0], 8.001));
        assert!((stamped - computed).abs() < 0.02 * stamped, "{stamped} and {computed}");
    }

    #[test]
    fn no_disc_vanishes() {
        assert!(area([10.0, 10.0], 0.0) > 0.5);
    }

    // A half may be off by the mask's 1/8 pixel times its height.
    #[test]
    fn discs_are_cut_off_at_the_border_and_may_be_of_any_size() {
        assert!((area([0.0, 50.0], 20.0) - area([50.0, 50.0], 20.0) / 2.0).abs() < 1.0);
        assert!((area([0.0, 50.0], 6.0) - area([50.0, 50.0], 6.0) / 2.0).abs() < 1.75);
        assert_eq!(area([50.0, 50.0], 1e30), 10_000.0);
        assert_eq!(area([1e30, 50.0], 5.0), 0.0);
        assert_eq!(area([-500.0, -500.0], 20.0), 0.0);
        assert_eq!(area([f32::NAN, 50.0], 5.0), 0.0);
        assert_eq!(area([50.0, 50.0], f32::INFINITY), 0.0);
    }
}
