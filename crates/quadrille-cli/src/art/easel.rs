//! How quads are drawn.

use clap::ValueEnum;
use image::RgbImage;
use quadrille::Aabb;
use quadrille_draw::{Canvas, Color};

use super::quads::{Quad, Quads};

/// What a quad looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Shape {
    /// A tile with rounded corners
    Rounded,
    /// The largest disc that fits
    Circle,
}

/// The color between the quads.
const GROUND: Color = Color([0x16, 0x18, 0x1D]);
/// The most pixels between two quads.
const WIDEST_GAP: f32 = 3.0;

/// Where and how quads are drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Easel {
    /// Pixels of the canvas.
    size: [u16; 2],
    /// Pixels of the canvas per pixel of the picture.
    scale: f64,
    shape: Shape,
}

impl Easel {
    /// For a picture, drawn so large that its longer side is that many pixels.
    // Casts: at most the longer side.
    pub(super) fn new(picture: &RgbImage, longer_side: u16, shape: Shape) -> Self {
        let scale = f64::from(longer_side) / f64::from(picture.width().max(picture.height()));
        let side = |own: u32| (f64::from(own) * scale).round() as u16;
        Self { size: [side(picture.width()), side(picture.height())], scale, shape }
    }

    /// A canvas with these quads.
    pub(super) fn drawn(&self, quads: &Quads<'_>) -> Canvas {
        let mut canvas = Canvas::new(self.size[0], self.size[1], GROUND);
        quads.all().for_each(|quad| self.draw(&mut canvas, &quad));
        canvas
    }

    /// The color of the canvas.
    pub(super) fn ground(&self) -> Color {
        GROUND
    }

    /// Draws a quad over whatever was there.
    pub(super) fn draw(&self, canvas: &mut Canvas, quad: &Quad) {
        let rect = self.scaled(&quad.rect);
        let [width, height] = rect.size();
        let side = width.min(height);
        let (gap, radius) = match self.shape {
            Shape::Rounded => (side * 0.06, side * 0.2),
            Shape::Circle => (side * 0.02, f32::INFINITY),
        };
        let gap = gap.min(WIDEST_GAP) / 2.0;
        // The part of a quad that is not square outside its disc.
        let [beside, above] = match self.shape {
            Shape::Rounded => [gap, gap],
            Shape::Circle => [width, height].map(|own| gap + (own - side) / 2.0),
        };
        let inner =
            Aabb { min: [rect.min[0] + beside, rect.min[1] + above], max: [rect.max[0] - beside, rect.max[1] - above] };
        canvas.fill_rounded(&rect, 0.0, GROUND);
        canvas.fill_rounded(&inner, radius, quad.color);
    }

    /// A quad on the canvas, its edges on borders of pixels, so that quads share them.
    fn scaled(&self, rect: &Aabb<i32>) -> Aabb {
        let scaled = |cell: i32| (f64::from(cell) * self.scale).round() as f32;
        Aabb { min: rect.min.map(scaled), max: rect.max.map(|cell| scaled(cell + 1)) }
    }
}
