//! What the pictures have in common.

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::Path;

use quadrille::{Aabb, Layers, Overlaps, Query};
use quadrille_draw::palette::{INK, PAPER};
use quadrille_draw::{Camera, Canvas, Color, write_png};

/// A canvas and what of the world it shows.
pub(crate) struct Easel {
    pub(crate) canvas: Canvas,
    pub(crate) camera: Camera,
}

impl Easel {
    pub(crate) fn new(size: [u16; 2], world: &Aabb) -> Self {
        let canvas = Canvas::new(size[0], size[1], PAPER);
        let camera = Camera::fit(world, &canvas);
        Self { canvas, camera }
    }

    pub(crate) fn fill(&mut self, bounds: &Aabb, color: Color, amount: u8) {
        let rect = self.camera.rect(bounds);
        self.canvas.fill_rounded(&rect, 0.0, PAPER.mix(color, amount));
    }

    /// The edges of a box, `width` pixels thick.
    pub(crate) fn edges(&mut self, bounds: &Aabb, color: Color, width: f32) {
        let corners = bounds.corners().map(|corner| self.camera.project(corner));
        let [a, b, c, d] = in_turn(corners);
        for side in [[a, b], [b, c], [c, d], [d, a]] {
            self.canvas.stroke(side, width, color);
        }
    }

    /// A box with its edges.
    pub(crate) fn tile(&mut self, bounds: &Aabb, color: Color, amount: u8) {
        self.fill(bounds, color, amount);
        self.edges(bounds, PAPER.mix(color, amount.saturating_add(90)).mix(INK, 60), 1.0);
    }

    pub(crate) fn line(&mut self, from: [f32; 2], to: [f32; 2], color: Color, width: f32) {
        self.canvas.stroke([from, to].map(|end| self.camera.project(end)), width, color);
    }

    pub(crate) fn arrow(&mut self, from: [f32; 2], to: [f32; 2], color: Color) {
        let [dx, dy] = [0, 1].map(|axis| to[axis] - from[axis]);
        let length = dx.hypot(dy);
        let (along, head) = ([dx / length, dy / length], 0.9);
        self.line(from, to, color, 2.5);
        for side in [-1.0, 1.0] {
            let barb =
                [to[0] - head * (along[0] + side * 0.6 * along[1]), to[1] - head * (along[1] - side * 0.6 * along[0])];
            self.line(to, barb, color, 2.5);
        }
    }

    pub(crate) fn save(&self, folder: &Path, name: &str) -> io::Result<()> {
        save(&self.canvas, folder, name)
    }
}

/// Four corners in the order in which edges meet them, whatever the order they come in.
fn in_turn(corners: [[f32; 2]; 4]) -> [[f32; 2]; 4] {
    let bounds: Aabb = Aabb::from_points(corners);
    let Aabb { min: [left, top], max: [right, bottom] } = bounds;
    [[left, top], [right, top], [right, bottom], [left, bottom]]
}

pub(crate) fn save(canvas: &Canvas, folder: &Path, name: &str) -> io::Result<()> {
    write_png(canvas, BufWriter::new(File::create(folder.join(name))?))
}

/// Canvases side by side, with a gap between.
pub(crate) fn beside(parts: &[Canvas]) -> Canvas {
    const GAP: u16 = 16;
    let starts: Vec<u16> =
        parts.iter().scan(0, |x, part| Some(std::mem::replace(x, *x + part.width() + GAP))).collect();
    let width = parts.iter().map(|part| part.width() + GAP).sum::<u16>() - GAP;
    let height = parts.iter().map(Canvas::height).max().unwrap_or(1);
    let mut whole = Canvas::new(width, height, PAPER);
    whole.paint(|x, y| {
        let here = parts.iter().zip(&starts).find_map(|(part, start)| part.pixel(x.checked_sub(*start)?, y));
        here.unwrap_or(PAPER)
    });
    whole
}

/// Numbers that look random, of a generator of their own (Numerical Recipes): the pictures in `docs` follow from them, and
/// a test compares those.
pub(crate) struct Random(pub(crate) u32);

impl Random {
    /// From 0 to 1.
    pub(crate) fn unit(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) as f32 / (1 << 24) as f32
    }

    pub(crate) fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit()
    }
}

/// A rectangle query that notes the boxes it is shown.
#[derive(Clone)]
pub(crate) struct Watched<'a> {
    pub(crate) rect: Aabb,
    pub(crate) looked_at: &'a RefCell<Vec<u32>>,
}

impl Query<f32> for Watched<'_> {
    fn bounds(&self) -> Aabb {
        self.rect
    }

    fn accepts(&self, id: u32, bounds: &Aabb, layers: Layers) -> bool {
        self.looked_at.borrow_mut().push(id);
        Overlaps(self.rect).accepts(id, bounds, layers)
    }
}
