//! A scene: a world and the boxes that move in it.

use quadrille::Aabb;

use crate::body::Body;
use crate::kind::SceneKind;
use crate::motion::{Draw, Motion, Mover, set_speed};
use crate::random::Random;
use crate::{fps, own};

/// A rectangle with walls and `n` boxes in it that fly straight and bounce off the walls, or move in [another
/// way](Motion). Boxes pass through each other.
///
/// The same kind, motion, number of boxes, seed and step count give the same bits everywhere.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    kind: SceneKind,
    world: Aabb,
    bodies: Vec<Body>,
    mover: Mover,
    /// The generator as frame 0 left it.
    random: Random,
}

/// Generates the boxes of a scene.
fn draw(kind: SceneKind) -> Draw {
    match kind {
        SceneKind::Uniform => own::uniform,
        SceneKind::Mixed => own::mixed,
        SceneKind::Clustered => own::clustered,
        SceneKind::Still => own::still,
        SceneKind::Pile => own::pile,
        SceneKind::FpsUniform => fps::uniform,
        SceneKind::FpsSphere => fps::sphere,
        SceneKind::FpsSkewed => fps::skewed,
    }
}

impl Scene {
    /// Frame 0 of a scene of `n` boxes. Zero boxes give an empty scene with a world.
    pub fn new(kind: SceneKind, n: usize, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let (world, bodies) = draw(kind)(n, &mut random);
        Self { kind, world, bodies, mover: Mover::Straight, random }
    }

    /// The same boxes, moving in another way from this frame on. Some motions first move the boxes to their own
    /// starting places, and a world that turns has wider walls.
    pub fn with_motion(mut self, motion: Motion) -> Self {
        let (mover, world) = Mover::new(motion, self.world, &mut self.bodies, &self.random);
        Self { mover, world, ..self }
    }

    /// The same boxes; those that move continue straight by `distance` per frame.
    pub fn with_speed(mut self, distance: f32) -> Self {
        set_speed(&mut self.bodies, distance);
        Self { mover: Mover::Straight, ..self }
    }

    /// The walls. They enclose every box, apart from the rounding of a box's edges.
    pub fn world(&self) -> Aabb {
        self.world
    }

    /// The boxes with their velocities.
    pub fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    /// The boxes of this frame, in the same order in every frame.
    pub fn boxes(&self) -> impl ExactSizeIterator<Item = Aabb> + Clone {
        self.bodies.iter().map(Body::bounds)
    }

    /// Advances to the next frame.
    pub fn step(&mut self) {
        self.mover.step(&mut self.bodies, &self.world, draw(self.kind));
    }
}
