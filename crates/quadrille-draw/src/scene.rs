//! The contents of a structure, and the structure itself.

use std::cmp::Reverse;
use std::convert::Infallible;
use std::ops::ControlFlow;

use quadrille::structures::Node;
use quadrille::{Index, Scalar, Structure};

use crate::camera::Camera;
use crate::canvas::Canvas;
use crate::disc::Discs;
use crate::palette::{BLUE, Color, INK, PAPER, SKY, VERMILION};

/// A disc to draw, in units of the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Disc<S = f32> {
    /// Its center.
    pub center: [S; 2],
    /// Its radius.
    pub radius: S,
    /// Whether it touches another disc, which its color shows.
    pub touching: bool,
}

/// Color of a disc that touches no other.
const FREE: Color = SKY;
/// Color of a disc that touches another. It differs from [`FREE`] not only in hue: it is also much darker.
const TOUCHING: Color = VERMILION;
/// Color of the lines around nodes near the root; deeper ones fade away from it.
const NODE: Color = INK;
/// Color of the lines around the deepest nodes.
const DEEP_NODE: Color = BLUE;

/// The colors used for discs and nodes on [`PAPER`], for an [`Animation`](crate::Animation).
pub const INKS: [Color; 5] = [PAPER, FREE, TOUCHING, NODE, DEEP_NODE];

/// Draws discs: those that touch another in vermilion, above the others in sky blue. About 0.1 µs per small disc.
pub fn draw_discs<S: Scalar>(canvas: &mut Canvas, camera: &Camera, discs: &[Disc<S>]) {
    let mut stamps = Discs::default();
    for (touching, color) in [(false, FREE), (true, TOUCHING)] {
        for disc in discs.iter().filter(|disc| disc.touching == touching) {
            stamps.draw(canvas, camera.project(disc.center), camera.length(disc.radius), color);
        }
    }
}

/// Draws a line around each node or cell of a structure: dark near the root and blue at depth, faint where nothing is
/// listed or where the node is only a few pixels wide.
pub fn draw_nodes<I: Structure>(canvas: &mut Canvas, camera: &Camera, index: &Index<I>) {
    let mut nodes = Vec::new();
    let _ = index.visit_nodes(|node| {
        nodes.push(node);
        ControlFlow::<Infallible>::Continue(())
    });
    // Stable, so nodes of one depth stay in the structure's order; the few lines near the root end up on top.
    nodes.sort_by_key(|node| Reverse(node.depth));
    let deepest = nodes.first().map_or(0, |node| node.depth);
    for node in nodes {
        let rect = camera.rect(&node.bounds);
        canvas.outline(&rect, node_color(&node, deepest), node_opacity(&node, rect.size()));
    }
}

/// From [`NODE`] at the root to [`DEEP_NODE`] at the deepest; the latter if every node is at depth 0.
fn node_color<S>(node: &Node<S>, deepest: u32) -> Color {
    let share = (u64::from(node.depth) * 255).checked_div(u64::from(deepest)).unwrap_or(255);
    NODE.mix(DEEP_NODE, u8::try_from(share).unwrap_or(u8::MAX))
}

/// Width and height in pixels from which a node's lines are drawn at full strength; below, they would cover the
/// picture.
const FULL_SIZE: f32 = 16.0;
/// Strength of the lines of a large node that lists boxes, and of one that lists none.
const STRENGTH: [f32; 2] = [120.0, 60.0];

// Casts: at most STRENGTH, which is a byte.
fn node_opacity<S>(node: &Node<S>, [width, height]: [f32; 2]) -> u8 {
    let strength = STRENGTH[usize::from(node.population == 0)];
    (strength * (width.min(height) / FULL_SIZE).clamp(0.1, 1.0)) as u8
}
