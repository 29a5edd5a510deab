//! Pictures of a simulation.

use std::io;

use quadrille::Aabb;
use quadrille_draw::{Animation, Camera, Canvas, Disc, INKS, draw_discs, draw_nodes, palette};
use quadrille_scenes::sim::Simulation;

/// Pixels of the longer side of a still picture, and of an animation, which is a hundred times as many bytes.
const STILL_SIDE: f64 = 1080.0;
const FILM_SIDE: f64 = 540.0;
/// The most frames of an animation: 4 seconds, and a few megabytes.
const MAX_FRAMES: u32 = 100;
/// Hundredths of a second that each frame is shown.
const DELAY: u16 = 4;

/// Whether the structure is drawn over the agents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Nodes {
    Shown,
    Hidden,
}

/// A picture of the simulation as it is.
pub(super) fn still(simulation: &Simulation, nodes: Nodes) -> Canvas {
    let mut canvas = canvas(&simulation.world(), STILL_SIDE);
    draw(&mut canvas, simulation, nodes);
    canvas
}

/// A canvas of the shape of the world.
// Casts: at most the longer side.
fn canvas(world: &Aabb, longer_side: f64) -> Canvas {
    let [width, height] = world.size().map(f64::from);
    let side = |own: f64| (longer_side * own / width.max(height)).round() as u16;
    Canvas::new(side(width), side(height), palette::PAPER)
}

fn draw(canvas: &mut Canvas, simulation: &Simulation, nodes: Nodes) {
    let mut touching = vec![false; simulation.len()];
    for &(a, b) in simulation.contacts() {
        touching[a as usize] = true;
        touching[b as usize] = true;
    }
    let agents = simulation.agents().zip(touching);
    let disc = agents.map(|(agent, touching)| Disc { center: agent.position, radius: agent.radius, touching });
    let camera = Camera::fit(&simulation.world(), canvas);
    draw_discs(canvas, &camera, &disc.collect::<Vec<_>>());
    if nodes == Nodes::Shown {
        draw_nodes(canvas, &camera, simulation.index());
    }
}

/// An animation, kept in memory until it is complete.
#[derive(Debug)]
pub(super) struct Film {
    canvas: Canvas,
    animation: Animation<Vec<u8>>,
    /// One step in this many is shown.
    stride: u32,
    nodes: Nodes,
}

impl Film {
    pub(super) fn new(simulation: &Simulation, steps: u32, nodes: Nodes) -> io::Result<Self> {
        let canvas = canvas(&simulation.world(), FILM_SIDE);
        let animation = Animation::new(Vec::new(), &canvas, &INKS, DELAY)?;
        Ok(Self { canvas, animation, stride: steps.div_ceil(MAX_FRAMES), nodes })
    }

    /// Shows a step, if it is one of those to be shown.
    pub(super) fn show(&mut self, step: u32, simulation: &Simulation) -> io::Result<()> {
        if step % self.stride != 0 {
            return Ok(());
        }
        self.canvas.fill(palette::PAPER);
        draw(&mut self.canvas, simulation, self.nodes);
        self.animation.push(&self.canvas)
    }

    /// The file's bytes.
    pub(super) fn finish(self) -> io::Result<Vec<u8>> {
        self.animation.finish()
    }
}
