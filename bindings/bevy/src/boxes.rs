//! What systems can ask.

use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use bevy_math::Vec2;
use quadrille::{Aabb, At, Near, Overlaps, Query, Ranked, Sweep};

use crate::space::{BoxSpace, Marker};

/// What systems ask: all boxes, as of the last time that they followed their entities. What has been despawned since is
/// no answer.
///
/// Answers are entities. To keep those with certain components, ask a query of Bevy: `boxes.near(place,
/// 5.0).filter(|&entity| enemies.contains(entity))`; where answers come in order this stops at the first that is kept.
#[derive(SystemParam)]
pub struct Boxes<'w, M: Marker = ()> {
    boxes: Res<'w, BoxSpace<M>>,
}

impl<M: Marker> Boxes<'_, M> {
    /// How many boxes there are.
    pub fn len(&self) -> usize {
        self.boxes.space.len()
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What any query of [`quadrille`] accepts: a rectangle, a circle, a cone, a polygon, with layers and more. Lazy.
    pub fn query<Q: Query<f32>>(&self, query: Q) -> impl Iterator<Item = Entity> {
        self.boxes.space.query(query).map(|(_, &entity)| entity)
    }

    /// The answers to a query that ranks them, best first, with their ranks. Lazy: finds no more than are taken.
    pub fn in_order<Q: Ranked<f32>>(&self, query: Q) -> impl Iterator<Item = (Entity, Q::Rank)> {
        self.boxes.space.query_in_order(query).map(|hit| (*hit.thing, hit.rank))
    }

    /// What overlaps a rectangle, edges included.
    pub fn overlapping(&self, min: Vec2, max: Vec2) -> impl Iterator<Item = Entity> {
        self.query(Overlaps(Aabb::new(min.to_array(), max.to_array())))
    }

    /// What is at a point: for picking.
    pub fn at(&self, point: Vec2) -> impl Iterator<Item = Entity> {
        self.query(At(point.to_array()))
    }

    /// What is at most this far from a point.
    pub fn near(&self, point: Vec2, distance: f32) -> impl Iterator<Item = Entity> {
        self.query(Near::point(point.to_array()).within(distance))
    }

    /// What is nearest to a point, and how far it is.
    pub fn nearest(&self, point: Vec2) -> Option<(Entity, f32)> {
        self.in_order(Near::point(point.to_array())).next().map(|(entity, rank)| (entity, rank.to_f64() as f32))
    }

    /// What a ray hits first, and at how many times its direction.
    pub fn cast(&self, origin: Vec2, direction: Vec2) -> Option<(Entity, f32)> {
        let hit = self.in_order(Sweep::ray(origin.to_array(), direction.to_array())).next();
        hit.map(|(entity, contact)| (entity, contact.time() as f32))
    }

    /// All pairs that overlap and whose layers meet, each once.
    pub fn pairs(&self) -> impl Iterator<Item = (Entity, Entity)> {
        self.boxes.space.pairs().map(|((_, &a), (_, &b))| (a, b))
    }
}
