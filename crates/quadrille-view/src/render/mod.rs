//! Drawing very many simple things: a [`Picture`] is what a frame shows, [`gpu`] draws it in a few calls, [`density`]
//! counts agents into an image instead of drawing each.
//!
//! Large areas are drawn here too, even the paper: without a GPU, the panels' renderer, which reads a texture for each
//! pixel, takes many times as long.

pub mod density;
pub mod gpu;

use bytemuck::{Pod, Zeroable};
use eframe::egui::{Color32, ColorImage};
use quadrille::Aabb;

/// A filled disc.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Disc {
    /// Its middle, in the world.
    pub center: [f32; 2],
    /// Units of the world.
    pub radius: f32,
    /// Its color.
    pub color: Color32,
}

/// A rectangle, filled or outlined or both. An outline is a pixel wide, whatever the scale.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Rectangle {
    /// Lower corner, in the world.
    pub min: [f32; 2],
    /// Upper corner.
    pub max: [f32; 2],
    /// Color inside.
    pub fill: Color32,
    /// Color of the outline.
    pub stroke: Color32,
}

impl Rectangle {
    /// A rectangle of the world; what has no color is transparent.
    pub fn new(Aabb { min, max }: Aabb, fill: Color32, stroke: Color32) -> Self {
        Self { min, max, fill, stroke }
    }
}

/// A straight line.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Line {
    /// One end, in the world.
    pub from: [f32; 2],
    /// The other end.
    pub to: [f32; 2],
    /// Points of the screen.
    pub width: f32,
    /// Its color.
    pub color: Color32,
}

/// What a frame shows, in the order in which it is drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Picture {
    /// Behind everything, over the whole pane.
    pub image: Option<ColorImage>,
    /// Behind the discs.
    pub under: Vec<Rectangle>,
    /// The agents.
    pub discs: Vec<Disc>,
    /// Over the discs.
    pub over: Vec<Rectangle>,
    /// Over everything.
    pub lines: Vec<Line>,
}

/// Adds what is seen of a way as lines; parts shorter than `step` are merged with the next.
pub fn add_way(lines: &mut Vec<Line>, way: &[[f32; 2]], (width, color): (f32, Color32), shown: &Aabb, step: f32) {
    let Some((&first, rest)) = way.split_first() else { return };
    let mut from = first;
    for (number, &to) in (1..).zip(rest) {
        if (to[0] - from[0]).hypot(to[1] - from[1]) < step && number < rest.len() {
            continue;
        }
        if shown.intersects(&Aabb::from_corners(from, to)) {
            lines.push(Line { from, to, width, color });
        }
        from = to;
    }
}

impl Picture {
    /// An empty sheet that covers what is `shown`.
    pub fn on(paper: Color32, shown: &Aabb) -> Self {
        // Its border lies outside.
        let sheet = shown.with_margin(shown.size()[0]);
        Self { under: vec![Rectangle::new(sheet, paper, Color32::TRANSPARENT)], ..Self::default() }
    }
}
