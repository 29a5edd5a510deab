//! Shapes with smooth edges: rounded rectangles and strokes.
//!
//! Each is given by its *signed distance* in pixels, negative inside. A pixel is fully covered if its center is at
//! least half a pixel inside, not at all if it is as far outside, and in proportion in between. That is exact for
//! straight edges along the axes and a fraction of a shade off elsewhere. (The idea is common; the formulas are derived
//! here.)

use quadrille::Aabb;

use crate::canvas::{Canvas, cell, is_sound};
use crate::palette::Color;

impl Canvas {
    /// Fills a rectangle whose corners are rounded with `radius` pixels, at most as much as makes its shorter sides
    /// round.
    ///
    /// An inverted rectangle draws nothing. The cost is proportional to its area within the canvas.
    pub fn fill_rounded(&mut self, rect: &Aabb, radius: f32, color: Color) {
        const FAR: f64 = 1e9;
        let [min, max] = [rect.min, rect.max].map(|corner| corner.map(|side| f64::from(side).clamp(-FAR, FAR)));
        let half = [0, 1].map(|axis| (max[axis] - min[axis]) / 2.0);
        let radius = f64::from(radius).clamp(0.0, half[0].min(half[1]).max(0.0));
        let center = [0, 1].map(|axis| min[axis].midpoint(max[axis]));
        self.fill_shape(rect, color, |point| {
            // How far the point is out of the rectangle that the middles of the round corners span, on each axis.
            let [x, y] = [0, 1].map(|axis| (point[axis] - center[axis]).abs() - (half[axis] - radius));
            let outside = x.max(0.0).hypot(y.max(0.0));
            outside + x.max(y).min(0.0) - radius
        });
    }

    /// Draws a straight stroke between two points, `width` pixels thick, with round ends; a disc if the points
    /// coincide.
    ///
    /// The cost is proportional to the area of its bounds within the canvas.
    pub fn stroke(&mut self, [from, to]: [[f32; 2]; 2], width: f32, color: Color) {
        let radius = width / 2.0;
        let bounds = Aabb::from_corners(from, to);
        let bounds = Aabb { min: bounds.min.map(|side| side - radius), max: bounds.max.map(|side| side + radius) };
        let ([from, to], radius) = ([from, to].map(|end| end.map(f64::from)), f64::from(radius));
        let along = [to[0] - from[0], to[1] - from[1]];
        let squared = along[0] * along[0] + along[1] * along[1];
        self.fill_shape(&bounds, color, |[x, y]| {
            let off = [x - from[0], y - from[1]];
            let share = if squared > 0.0 { (off[0] * along[0] + off[1] * along[1]) / squared } else { 0.0 };
            let share = share.clamp(0.0, 1.0);
            (off[0] - share * along[0]).hypot(off[1] - share * along[1]) - radius
        });
    }

    /// Colors the pixels in and next to `bounds`, each as much as its distance says. That is in double precision, so that
    /// what begins far outside is drawn where it is.
    fn fill_shape(&mut self, bounds: &Aabb, color: Color, distance: impl Fn([f64; 2]) -> f64) {
        if !is_sound(bounds) {
            return;
        }
        let span = |axis: usize, side: u16| {
            let first = cell(bounds.min[axis] - 0.5).max(0);
            first..(cell(bounds.max[axis] + 0.5) + 1).min(i64::from(side))
        };
        let columns = span(0, self.width());
        for y in span(1, self.height()) {
            for x in columns.clone() {
                let covered = (0.5 - distance([x as f64 + 0.5, y as f64 + 0.5])).clamp(0.0, 1.0);
                self.horizontal(y, x, x, color, (covered * 255.0).round() as u8);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLACK: Color = Color([0; 3]);
    const WHITE: Color = Color([255; 3]);

    /// Pixels covered: the sum of what was made white.
    fn area(draw: impl FnOnce(&mut Canvas)) -> f64 {
        let mut canvas = Canvas::new(100, 100, BLACK);
        draw(&mut canvas);
        canvas.pixels().map(|color| f64::from(color.0[0])).sum::<f64>() / 255.0
    }

    #[test]
    fn a_rectangle_on_pixel_borders_is_exact() {
        let mut canvas = Canvas::new(5, 4, BLACK);
        canvas.fill_rounded(&Aabb::new([1.0, 1.0], [4.0, 3.0]), 0.0, WHITE);
        let white = |x, y| canvas.pixel(x, y) == Some(WHITE);
        let filled = (0..4).flat_map(|y| (0..5).map(move |x| (x, y))).filter(|&(x, y)| white(x, y));
        assert_eq!(filled.collect::<Vec<_>>(), [(1, 1), (2, 1), (3, 1), (1, 2), (2, 2), (3, 2)]);
        assert_eq!(canvas.pixels().filter(|color| ![BLACK, WHITE].contains(color)).count(), 0);
    }

    #[test]
    fn round_corners_cost_what_geometry_says() {
        let corners = 4.0 - std::f64::consts::PI;
        for radius in [3.0_f32, 8.0, 20.0, 1e9] {
            let found = area(|canvas| canvas.fill_rounded(&Aabb::new([10.0, 10.0], [90.0, 50.0]), radius, WHITE));
            let radius = f64::from(radius.min(20.0));
            assert!((found - (3200.0 - corners * radius * radius)).abs() < 6.0, "{radius}: {found}");
        }
    }

    #[test]
    fn a_stroke_covers_its_length_and_its_round_ends() {
        let expected = 50.0 * 6.0 + std::f64::consts::PI * 9.0;
        for ends in [[[20.0, 20.0], [70.0, 20.0]], [[20.0, 20.0], [50.0, 60.0]]] {
            let found = area(|canvas| canvas.stroke(ends, 6.0, WHITE));
            assert!((found - expected).abs() < 0.03 * expected, "{found} of {expected}");
        }
        let disc = area(|canvas| canvas.stroke([[50.0, 50.0]; 2], 20.0, WHITE));
        assert!((disc - std::f64::consts::PI * 100.0).abs() < 5.0, "{disc}");
    }

    /// The same shape begun nearer, but still outside, covers the same pixels.
    #[test]
    fn what_begins_far_outside_is_drawn_where_it_is() {
        let drawn = |draw: &dyn Fn(&mut Canvas)| {
            let mut canvas = Canvas::new(100, 100, BLACK);
            draw(&mut canvas);
            canvas.pixels().map(|color| i32::from(color.0[0])).collect::<Vec<_>>()
        };
        let differ = |one: Vec<i32>, other: Vec<i32>| one.iter().zip(&other).map(|(a, b)| (a - b).abs()).max();
        for far in [1e3_f32, 1e5, 1e7, 1e9] {
            for [x, y] in [[1.0_f32, 0.0], [0.0, 1.0], [-1.0, 1.0], [0.5, -1.0], [1.0, 0.25]] {
                let line = |reach: f32| {
                    move |canvas: &mut Canvas| {
                        canvas.stroke([[50.0 + x, 50.0 + y], [50.0 + x * reach, 50.0 + y * reach]], 3.0, WHITE);
                    }
                };
                assert!(differ(drawn(&line(400.0)), drawn(&line(far))) <= Some(8), "{far} along {x}, {y}");
            }
        }
        for far in [1e3, 1e5, 1e7, 1e9, f32::MAX, f32::INFINITY] {
            let block = |reach: f32| {
                move |canvas: &mut Canvas| {
                    canvas.fill_rounded(&Aabb::new([-reach, 20.5], [40.25, 50.0 + reach]), 6.0, WHITE);
                }
            };
            assert!(differ(drawn(&block(200.0)), drawn(&block(far))) <= Some(1), "{far}");
        }
    }

    #[test]
    fn what_is_outside_or_no_shape_draws_nothing_else() {
        assert_eq!(area(|canvas| canvas.fill_rounded(&Aabb::new([-1e9, -1e9], [1e9, 1e9]), 0.0, WHITE)), 10_000.0);
        assert_eq!(area(|canvas| canvas.fill_rounded(&Aabb::EMPTY, 1.0, WHITE)), 0.0);
        assert_eq!(area(|canvas| canvas.stroke([[f32::NAN; 2], [5.0; 2]], 3.0, WHITE)), 0.0);
        assert_eq!(area(|canvas| canvas.stroke([[-50.0; 2], [-20.0; 2]], 3.0, WHITE)), 0.0);
    }
}
