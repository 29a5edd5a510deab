//! Letters of one size and width, from a font in pixels: Noto Sans Mono.

use noto_sans_mono_bitmap::{FontWeight, RasterHeight, get_raster, get_raster_width};

use crate::canvas::{Canvas, cell};
use crate::palette::Color;

const WEIGHT: FontWeight = FontWeight::Regular;
const HEIGHT: RasterHeight = RasterHeight::Size16;

/// Width and height in pixels of a line of text as [`Canvas::write`] draws it.
pub fn text_size(text: &str) -> [f32; 2] {
    [(text.chars().count() * get_raster_width(WEIGHT, HEIGHT)) as f32, HEIGHT.val() as f32]
}

impl Canvas {
    /// Writes a line of text whose upper left corner is the pixel at `corner`. Covers the letters of western languages;
    /// all others become `?`.
    pub fn write(&mut self, text: &str, corner: [f32; 2], color: Color) {
        let [mut x, y] = corner.map(cell);
        for letter in text.chars() {
            let raster = get_raster(letter, WEIGHT, HEIGHT).or_else(|| get_raster('?', WEIGHT, HEIGHT));
            let rows = raster.iter().flat_map(noto_sans_mono_bitmap::RasterizedChar::rows);
            for (row, coverage) in (y..).zip(rows) {
                self.stamp(x, row, coverage, color);
            }
            x += get_raster_width(WEIGHT, HEIGHT) as i64;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::palette::{INK, PAPER};

    #[test]
    fn text_stays_in_its_bounds_and_is_cut_off_at_the_edges() {
        let mut canvas = Canvas::new(100, 40, PAPER);
        let [width, height] = text_size("Qjü€");
        canvas.write("Qjü€", [20.0, 10.0], INK);
        let inked = |canvas: &Canvas| {
            let cells = (0..canvas.height()).flat_map(|y| (0..canvas.width()).map(move |x| (x, y)));
            cells.filter(|&(x, y)| canvas.pixel(x, y) != Some(PAPER)).collect::<Vec<_>>()
        };
        let found = inked(&canvas);
        assert!(found.len() > 50, "{}", found.len());
        let inside = |&(x, y): &(u16, u16)| {
            let [x, y] = [f32::from(x) - 20.0, f32::from(y) - 10.0];
            (0.0..width).contains(&x) && (0.0..height).contains(&y)
        };
        assert!(found.iter().all(inside));
        let mut canvas = Canvas::new(100, 40, PAPER);
        for corner in [[-10.0, -5.0], [95.0, 35.0], [-1e9, 1e9], [f32::NAN, 0.0]] {
            canvas.write("edge", corner, INK);
        }
        assert!(!inked(&canvas).is_empty());
    }
}
