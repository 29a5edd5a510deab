//! What the pictures have in common.

use std::cell::RefCell;

use quadrille::{Aabb, Layers, Overlaps, Query};
use quadrille_draw::palette::{BLUE, GREEN, INK, ORANGE, PAPER, PURPLE, SKY, VERMILION, YELLOW};
use quadrille_draw::{Camera, Canvas, Color, text_size};

/// A panel, and the part of the world that it shows.
const PANEL: [u16; 2] = [352, 264];
const WORLD: Aabb = Aabb { min: [0.0, 0.0], max: [64.0, 48.0] };

/// Colors of neighboring packs and runs.
pub(super) const MANY: [Color; 7] = [SKY, ORANGE, GREEN, PURPLE, YELLOW, BLUE, VERMILION];

/// A canvas and what of the world it shows.
pub(super) struct Easel {
    pub(super) canvas: Canvas,
    pub(super) camera: Camera,
}

impl Easel {
    pub(super) fn new(size: [u16; 2], world: &Aabb) -> Self {
        let canvas = Canvas::new(size[0], size[1], PAPER);
        let camera = Camera::fit(world, &canvas);
        Self { canvas, camera }
    }

    pub(super) fn fill(&mut self, bounds: &Aabb, color: Color, amount: u8) {
        let rect = self.camera.rect(bounds);
        self.canvas.fill_rounded(&rect, 0.0, PAPER.mix(color, amount));
    }

    /// The edges of a box, `width` pixels thick.
    pub(super) fn edges(&mut self, bounds: &Aabb, color: Color, width: f32) {
        let corners = bounds.corners().map(|corner| self.camera.project(corner));
        let [a, b, c, d] = in_turn(corners);
        for side in [[a, b], [b, c], [c, d], [d, a]] {
            self.canvas.stroke(side, width, color);
        }
    }

    /// A box with its edges.
    pub(super) fn tile(&mut self, bounds: &Aabb, color: Color, amount: u8) {
        self.fill(bounds, color, amount);
        self.edges(bounds, PAPER.mix(color, amount.saturating_add(90)).mix(INK, 60), 1.0);
    }

    pub(super) fn line(&mut self, from: [f32; 2], to: [f32; 2], color: Color, width: f32) {
        self.canvas.stroke([from, to].map(|end| self.camera.project(end)), width, color);
    }

    pub(super) fn path(&mut self, points: &[[f32; 2]], color: Color, width: f32) {
        points.windows(2).for_each(|ends| self.line(ends[0], ends[1], color, width));
    }
}

/// Four corners in the order in which edges meet them, whatever the order they come in.
fn in_turn(corners: [[f32; 2]; 4]) -> [[f32; 2]; 4] {
    let bounds: Aabb = Aabb::from_points(corners);
    let Aabb { min: [left, top], max: [right, bottom] } = bounds;
    [[left, top], [right, top], [right, bottom], [left, bottom]]
}

/// Canvases side by side, with a gap between.
pub(super) fn beside(parts: &[Canvas]) -> Canvas {
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
pub(super) struct Random(pub(super) u32);

impl Random {
    /// From 0 to 1.
    pub(super) fn unit(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) as f32 / (1 << 24) as f32
    }

    pub(super) fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit()
    }
}

/// A rectangle query that notes the boxes it is shown.
#[derive(Clone)]
pub(super) struct Watched<'a> {
    pub(super) rect: Aabb,
    pub(super) looked_at: &'a RefCell<Vec<u32>>,
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

/// Boxes all over the world, none across its border.
pub(super) fn some_boxes(random: &mut Random, count: usize, sizes: [f32; 2]) -> Vec<Aabb> {
    let one = |_| {
        let half = [0, 1].map(|_| random.between(sizes[0], sizes[1]) / 2.0);
        let place = [0, 1].map(|axis| random.between(half[axis] + 0.5, WORLD.max[axis] - half[axis] - 0.5));
        Aabb::from_center(place, half)
    };
    (0..count).map(one).collect()
}

/// A picture with words below it, as many lines as they need.
pub(super) fn labeled(picture: &Canvas, words: &str) -> Canvas {
    const LINE: u16 = 18;
    let lines = wrapped(words, f32::from(picture.width()));
    let height = picture.height() + LINE * lines.len() as u16 + 8;
    let mut whole = Canvas::new(picture.width(), height, PAPER);
    whole.paint(|x, y| picture.pixel(x, y).unwrap_or(PAPER));
    for (row, line) in (0..).zip(&lines) {
        whole.write(line, [2.0, f32::from(picture.height() + 4 + LINE * row)], INK);
    }
    whole
}

fn wrapped(words: &str, width: f32) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in words.split(' ') {
        let last = lines.last_mut().expect("there is always a line");
        let longer = if last.is_empty() { word.to_owned() } else { format!("{last} {word}") };
        if text_size(&longer)[0] <= width - 4.0 {
            *last = longer;
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

/// Rows of panels, one below the other.
pub(super) fn stacked(rows: &[Canvas]) -> Canvas {
    const GAP: u16 = 14;
    let width = rows.iter().map(Canvas::width).max().unwrap_or(1);
    let tops: Vec<u16> = rows.iter().scan(0, |y, row| Some(std::mem::replace(y, *y + row.height() + GAP))).collect();
    let mut whole = Canvas::new(width, rows.iter().map(|row| row.height() + GAP).sum::<u16>() - GAP, PAPER);
    whole.paint(|x, y| {
        let here = rows.iter().zip(&tops).find_map(|(row, top)| row.pixel(x, y.checked_sub(*top)?));
        here.unwrap_or(PAPER)
    });
    whole
}

/// Panels with their words, this many to a row.
pub(super) fn board(panels: &[(Easel, String)], columns: usize) -> Canvas {
    let labeled: Vec<Canvas> = panels.iter().map(|(easel, words)| labeled(&easel.canvas, words)).collect();
    stacked(&labeled.chunks(columns).map(beside).collect::<Vec<_>>())
}

/// A panel with the border of the world.
pub(super) fn panel() -> Easel {
    let mut easel = Easel::new(PANEL, &WORLD);
    easel.edges(&WORLD, PAPER.mix(INK, 70), 1.0);
    easel
}
