//! Structures at work, step by step. Each panel shows what a real structure holds after a real call: its nodes as it
//! lists them, its arrays as they are serialized, and what it showed to a query on the way.

mod cleanup;
mod corner;
mod curves;
mod degradation;
mod double_grid;
mod enclosing;
mod files;
mod frame_tree;
mod grid;
mod loose_quadtree;
mod memory;
mod quadtree;
mod region;
mod ring;

use std::cell::RefCell;
use std::ops::ControlFlow::Continue;
use std::path::Path;

use quadrille::{Aabb, Index, Layers, Node, Overlaps, Query, Structure};
use quadrille_draw::palette::{BLUE, GREEN, INK, ORANGE, PAPER, PURPLE, SKY, VERMILION, YELLOW};
use quadrille_draw::{Canvas, Color, text_size};

use crate::Done;
use crate::easel::{Easel, Random, beside};

/// A panel, and the part of the world that it shows.
const PANEL: [u16; 2] = [352, 264];
const WORLD: Aabb = Aabb { min: [0.0, 0.0], max: [64.0, 48.0] };

/// Colors of neighboring packs and runs.
const MANY: [Color; 7] = [SKY, ORANGE, GREEN, PURPLE, YELLOW, BLUE, VERMILION];

pub(crate) fn draw(folder: &Path) -> Done {
    curves::draw(folder)?;
    frame_tree::draw(folder)?;
    ring::draw(folder)?;
    degradation::draw(folder)?;
    quadtree::draw(folder)?;
    memory::draw(folder)?;
    corner::draw(folder)?;
    double_grid::draw(folder)?;
    enclosing::draw(folder)?;
    loose_quadtree::draw(folder)?;
    grid::draw(folder)?;
    region::draw(folder)?;
    cleanup::draw(folder)?;
    files::draw(folder)
}

/// A node, and the boxes listed there.
struct Listed {
    node: Node,
    ids: Vec<u32>,
}

fn lists<I: Structure<Scalar = f32>>(index: &Index<I>) -> Vec<Listed> {
    let mut lists = Vec::new();
    let _ = index.visit_lists(|node, ids| {
        lists.push(Listed { node, ids: ids.collect() });
        Continue::<()>(())
    });
    lists
}

/// A rectangle query that notes the nodes that a structure enters.
#[derive(Clone)]
struct Traced<'a> {
    rect: Aabb,
    entered: &'a RefCell<Vec<Aabb>>,
}

impl Query<f32> for Traced<'_> {
    fn bounds(&self) -> Aabb {
        self.rect
    }

    fn reaches(&self, cell: &Aabb) -> bool {
        self.entered.borrow_mut().push(*cell);
        true
    }

    fn accepts(&self, id: u32, bounds: &Aabb, layers: Layers) -> bool {
        Overlaps(self.rect).accepts(id, bounds, layers)
    }
}

/// What a query found, and where it looked.
struct Trace {
    entered: Vec<Aabb>,
    found: Vec<u32>,
}

fn trace<I: Structure<Scalar = f32>>(index: &Index<I>, rect: Aabb) -> Trace {
    let entered = RefCell::default();
    let found = index.query(Traced { rect, entered: &entered }).collect();
    Trace { entered: entered.into_inner(), found }
}

/// Boxes all over the world, none across its border.
fn some_boxes(random: &mut Random, count: usize, sizes: [f32; 2]) -> Vec<Aabb> {
    let one = |_| {
        let half = [0, 1].map(|_| random.between(sizes[0], sizes[1]) / 2.0);
        let place = [0, 1].map(|axis| random.between(half[axis] + 0.5, WORLD.max[axis] - half[axis] - 0.5));
        Aabb::from_center(place, half)
    };
    (0..count).map(one).collect()
}

/// A picture with words below it, as many lines as they need.
fn labeled(picture: &Canvas, words: &str) -> Canvas {
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
fn stacked(rows: &[Canvas]) -> Canvas {
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
fn board(panels: &[(Easel, String)], columns: usize) -> Canvas {
    let labeled: Vec<Canvas> = panels.iter().map(|(easel, words)| labeled(&easel.canvas, words)).collect();
    stacked(&labeled.chunks(columns).map(beside).collect::<Vec<_>>())
}

/// A panel with the border of the world.
fn panel() -> Easel {
    let mut easel = Easel::new(PANEL, &WORLD);
    easel.edges(&WORLD, PAPER.mix(INK, 70), 1.0);
    easel
}

impl Easel {
    /// Words whose middle is at a point of the world.
    fn label(&mut self, text: &str, at: [f32; 2], color: Color) {
        let [x, y] = self.camera.project(at);
        let [width, height] = text_size(text);
        self.canvas.write(text, [x - width / 2.0, y - height / 2.0], color);
    }

    fn dot(&mut self, at: [f32; 2], color: Color, width: f32) {
        self.line(at, at, color, width);
    }

    fn path(&mut self, points: &[[f32; 2]], color: Color, width: f32) {
        points.windows(2).for_each(|ends| self.line(ends[0], ends[1], color, width));
    }
}
