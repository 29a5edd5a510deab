//! Drawing very many simple things: a [`Picture`] is what a frame shows, [`gpu`] draws it in four calls, [`density`] does without a GPU.

pub mod density;
pub mod gpu;

use bytemuck::{Pod, Zeroable};

/// A filled disc.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Disc {
    /// Its middle, in the world.
    pub center: [f32; 2],
    /// Units of the world.
    pub radius: f32,
    /// Red, green, blue, opacity; premultiplied.
    pub color: [u8; 4],
}

/// A rectangle, filled or outlined or both. An outline is a pixel wide, whatever the scale.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Rectangle {
    /// Lower corner, in the world.
    pub min: [f32; 2],
    /// Upper corner.
    pub max: [f32; 2],
    /// Colour inside; premultiplied.
    pub fill: [u8; 4],
    /// Colour of the outline; premultiplied.
    pub stroke: [u8; 4],
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
    /// Premultiplied.
    pub color: [u8; 4],
}

/// What a frame shows, in the order in which it is drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Picture {
    /// Behind the discs.
    pub under: Vec<Rectangle>,
    /// The agents.
    pub discs: Vec<Disc>,
    /// Over the discs.
    pub over: Vec<Rectangle>,
    /// Over everything.
    pub lines: Vec<Line>,
}
