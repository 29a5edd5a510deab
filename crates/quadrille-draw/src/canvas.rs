//! Pixels, and the few ways to change them.

use quadrille::Aabb;

use crate::palette::Color;

/// A picture in memory: opaque pixels, row by row from the top.
///
/// Coordinates are pixels: x to the right, y **down**. (0, 0) is the upper left corner of the upper left pixel, whose
/// center is (0.5, 0.5). A [`Camera`](crate::Camera) converts world positions into them. Everything outside is cut
/// off; NaN draws nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Canvas {
    width: u16,
    height: u16,
    pixels: Vec<[u8; 3]>,
}

impl Canvas {
    /// A canvas of one color, at least one pixel wide and high.
    pub fn new(width: u16, height: u16, background: Color) -> Self {
        let (width, height) = (width.max(1), height.max(1));
        Self { width, height, pixels: vec![background.0; usize::from(width) * usize::from(height)] }
    }

    /// Pixels per row.
    pub fn width(&self) -> u16 {
        self.width
    }

    /// The number of rows.
    pub fn height(&self) -> u16 {
        self.height
    }

    /// The color of a pixel, or `None` outside.
    pub fn pixel(&self, x: u16, y: u16) -> Option<Color> {
        let inside = x < self.width && y < self.height;
        inside.then(|| Color(self.pixels[usize::from(y) * usize::from(self.width) + usize::from(x)]))
    }

    /// All colors, row by row from the top.
    pub fn pixels(&self) -> impl Iterator<Item = Color> {
        self.pixels.iter().copied().map(Color)
    }

    /// Red, green, blue of each pixel in turn.
    pub(crate) fn bytes(&self) -> &[u8] {
        self.pixels.as_flattened()
    }

    /// Fills the canvas with one color.
    pub fn fill(&mut self, color: Color) {
        self.pixels.fill(color.0);
    }

    /// Sets each pixel to the color that `color` returns for its column and row.
    pub fn paint(&mut self, mut color: impl FnMut(u16, u16) -> Color) {
        let columns = 0..self.width;
        let cells = (0..self.height).flat_map(|row| columns.clone().map(move |column| (column, row)));
        for (pixel, (column, row)) in self.pixels.iter_mut().zip(cells) {
            *pixel = color(column, row).0;
        }
    }

    /// Draws a line one pixel thick around a rectangle. `opacity` is 0 to 255.
    ///
    /// An edge covers the pixels that contain it, so two rectangles with a common edge share its pixels. An inverted
    /// rectangle draws nothing.
    pub fn outline(&mut self, rect: &Aabb, color: Color, opacity: u8) {
        if !is_sound(rect) {
            return;
        }
        let [x0, y0] = rect.min.map(cell);
        let [x1, y1] = rect.max.map(cell);
        self.horizontal(y0, x0, x1, color, opacity);
        self.vertical(x0, y0 + 1, y1 - 1, color, opacity);
        if x1 > x0 {
            self.vertical(x1, y0 + 1, y1 - 1, color, opacity);
        }
        if y1 > y0 {
            self.horizontal(y1, x0, x1, color, opacity);
        }
    }

    /// Colors the pixels `x0` to `x1`, both included, of row `y`.
    pub(crate) fn horizontal(&mut self, y: i64, x0: i64, x1: i64, color: Color, opacity: u8) {
        let (x0, x1) = (x0.max(0), x1.min(i64::from(self.width) - 1));
        if (0..i64::from(self.height)).contains(&y) && x0 <= x1 {
            let row = self.row(y);
            row[x0 as usize..=x1 as usize].iter_mut().for_each(|pixel| blend(pixel, color, opacity));
        }
    }

    /// Colors the pixels `y0` to `y1`, both included, of column `x`.
    fn vertical(&mut self, x: i64, y0: i64, y1: i64, color: Color, opacity: u8) {
        if (0..i64::from(self.width)).contains(&x) {
            for y in y0.max(0)..=y1.min(i64::from(self.height) - 1) {
                blend(&mut self.row(y)[x as usize], color, opacity);
            }
        }
    }

    /// Colors pixels from `x` on in row `y`, each as much as `coverage` says.
    pub(crate) fn stamp(&mut self, x: i64, y: i64, coverage: &[u8], color: Color) {
        if !(0..i64::from(self.height)).contains(&y) {
            return;
        }
        let skipped = usize::try_from(-x).unwrap_or(0);
        let start = usize::try_from(x).unwrap_or(0);
        let row = self.row(y).iter_mut().skip(start);
        for (pixel, &amount) in row.zip(coverage.iter().skip(skipped)) {
            blend(pixel, color, amount);
        }
    }

    /// A row that is known to exist.
    fn row(&mut self, y: i64) -> &mut [[u8; 3]] {
        let width = usize::from(self.width);
        &mut self.pixels[y as usize * width..][..width]
    }
}

/// Whether a rectangle is neither inverted nor has a side that is NaN.
pub(crate) fn is_sound(rect: &Aabb) -> bool {
    rect.min.iter().zip(rect.max).all(|(min, max)| *min <= max)
}

/// The pixel that holds a coordinate. Far outside, and for NaN, some pixel far outside: the sum of two such never
/// overflows.
// Casts: clamped before.
#[expect(clippy::manual_clamp, reason = "which would keep NaN")]
pub(crate) fn cell(coordinate: f32) -> i64 {
    const FAR: f32 = 1e9;
    coordinate.floor().max(-FAR).min(FAR) as i64
}

#[inline]
fn blend(pixel: &mut [u8; 3], color: Color, amount: u8) {
    *pixel = Color(*pixel).mix(color, amount).0;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::palette::{BLUE, PAPER};

    fn drawn(canvas: &Canvas) -> Vec<String> {
        let ink = |color| if color == PAPER { '.' } else { '#' };
        let row = |y| (0..canvas.width()).filter_map(|x| canvas.pixel(x, y)).map(ink).collect();
        (0..canvas.height()).map(row).collect()
    }

    #[test]
    fn painting_gives_every_pixel_its_place() {
        let mut canvas = Canvas::new(3, 2, PAPER);
        canvas.paint(|column, row| Color([column.to_le_bytes()[0], row.to_le_bytes()[0], 7]));
        assert_eq!(canvas.pixel(2, 1), Some(Color([2, 1, 7])));
        assert_eq!(canvas.pixel(0, 0), Some(Color([0, 0, 7])));
    }

    #[test]
    fn an_outline_lies_in_the_pixels_that_hold_its_edges() {
        let mut canvas = Canvas::new(6, 4, PAPER);
        canvas.outline(&Aabb::new([1.2, 0.5], [4.9, 3.0]), BLUE, 255);
        assert_eq!(drawn(&canvas), [".####.", ".#..#.", ".#..#.", ".####."]);
    }

    #[test]
    fn translucent_outlines_colour_no_pixel_twice() {
        let mut canvas = Canvas::new(5, 5, PAPER);
        canvas.outline(&Aabb::new([1.0, 1.0], [3.0, 3.0]), BLUE, 100);
        canvas.outline(&Aabb::from_point([4.0, 4.0]), BLUE, 100);
        let colors: Vec<_> = canvas.pixels().filter(|color| *color != PAPER).collect();
        assert_eq!(colors, [PAPER.mix(BLUE, 100); 9]);
    }

    #[test]
    fn what_lies_outside_is_cut_off_and_nothing_wraps() {
        let mut canvas = Canvas::new(4, 3, PAPER);
        canvas.outline(&Aabb::new([-5.0, 1.0], [9.0, 1e30]), BLUE, 255);
        assert_eq!(drawn(&canvas), ["....", "####", "...."]);
        canvas.stamp(-2, 0, &[255; 3], BLUE);
        canvas.stamp(3, 2, &[255; 3], BLUE);
        canvas.stamp(-9, 0, &[255; 3], BLUE);
        canvas.stamp(9, 0, &[255; 3], BLUE);
        canvas.stamp(0, -1, &[255; 3], BLUE);
        assert_eq!(drawn(&canvas), ["#...", "####", "...#"]);
        assert_eq!(canvas.pixel(4, 0), None);
    }

    #[test]
    fn nan_and_inverted_rectangles_draw_nothing() {
        let mut canvas = Canvas::new(20, 20, PAPER);
        for place in 0..4 {
            let mut sides = [1.0, 1.0, 3.0, 3.0];
            for wrong in [f32::NAN, if place < 2 { 9.0 } else { -9.0 }] {
                sides[place] = wrong;
                let [x0, y0, x1, y1] = sides;
                canvas.outline(&Aabb { min: [x0, y0], max: [x1, y1] }, BLUE, 255);
            }
        }
        canvas.outline(&Aabb::EMPTY, BLUE, 255);
        canvas.write("nothing", [f32::NAN, 0.0], BLUE);
        canvas.write("nothing", [0.0, f32::NAN], BLUE);
        assert_eq!(canvas.pixels().filter(|color| *color != PAPER).count(), 0);
    }
}
