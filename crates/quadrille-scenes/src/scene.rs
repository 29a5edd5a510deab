//! A scene: a world and what moves in it.

use quadrille::Aabb;

use crate::body::{Body, advance};
use crate::kind::SceneKind;
use crate::random::Random;
use crate::{fps, own};

/// A rectangle with walls and `n` boxes in it that fly straight and bounce off the walls. Boxes pass through each other.
///
/// The same kind, number, seed and count of steps give the same bits everywhere.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    kind: SceneKind,
    world: Aabb,
    bodies: Vec<Body>,
}

impl Scene {
    /// Frame 0 of a scene of `n` boxes. Zero boxes give an empty scene with a world.
    #[must_use]
    pub fn new(kind: SceneKind, n: usize, seed: u64) -> Self {
        let make = match kind {
            SceneKind::Uniform => own::uniform,
            SceneKind::Mixed => own::mixed,
            SceneKind::Clustered => own::clustered,
            SceneKind::Still => own::still,
            SceneKind::Pile => own::pile,
            SceneKind::FpsUniform => fps::uniform,
            SceneKind::FpsSphere => fps::sphere,
            SceneKind::FpsSkewed => fps::skewed,
        };
        let (world, bodies) = make(n, &mut Random::new(seed));
        Self { kind, world, bodies }
    }

    /// Which scene it is.
    #[must_use]
    pub fn kind(&self) -> SceneKind {
        self.kind
    }

    /// The walls. Holds every box but for the rounding of a box's edges.
    #[must_use]
    pub fn world(&self) -> Aabb {
        self.world
    }

    /// How many boxes there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.bodies.len()
    }

    /// `true` if there are no boxes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bodies.is_empty()
    }

    /// The boxes with their velocities.
    #[must_use]
    pub fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    /// The boxes of this frame, in the same order in every frame.
    pub fn boxes(&self) -> impl ExactSizeIterator<Item = Aabb> + Clone {
        self.bodies.iter().map(Body::bounds)
    }

    /// Goes on to the next frame.
    pub fn step(&mut self) {
        for body in &mut self.bodies {
            advance(&mut body.center, &mut body.velocity, body.half, &self.world);
        }
    }
}
