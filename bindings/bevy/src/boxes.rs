//! Queries for systems.

use std::any::TypeId;

use bevy_ecs::prelude::*;
use bevy_ecs::query::QueryFilter;
use bevy_ecs::system::SystemParam;
use bevy_math::Vec2;
use bevy_math::bounding::Aabb2d;
use quadrille::{Aabb, At, Filtered, Near, Overlaps, Query as BoxQuery, Ranked, Sweep};

use crate::space::{BoxSpace, Marker};

/// Queries for systems: all boxes, as of the last time that they followed their entities. Entities despawned since then
/// are not answers.
///
/// Answers are entities. With a filter of Bevy, only those that pass it are answers: `Boxes<With<Enemy>>` finds only
/// enemies, and a search for the nearest looks no farther than the first enemy. The filter is checked entity by entity;
/// if there are at most 32 kinds, [layers](quadrille::OnLayers) let a search skip whole regions.
#[derive(SystemParam)]
pub struct Boxes<'w, 's, F: QueryFilter + 'static = (), M: Marker = ()> {
    pub(crate) boxes: Res<'w, BoxSpace<M>>,
    passing: Query<'w, 's, (), F>,
}

impl<F: QueryFilter + 'static, M: Marker> Boxes<'_, '_, F, M> {
    /// How many boxes there are in all, whatever the filter.
    pub fn len(&self) -> usize {
        self.boxes.space.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether an entity passes the filter.
    pub(crate) fn passes(&self, entity: Entity) -> bool {
        TypeId::of::<F>() == TypeId::of::<()>() || self.passing.contains(entity)
    }

    /// A query restricted to entities that pass the filter.
    fn filtered<Q: BoxQuery<f32>>(&self, query: Q) -> Filtered<Q, impl Fn(u32) -> bool + Clone> {
        self.boxes.space.filtered(query, |(_, &entity)| self.passes(entity))
    }

    /// The same without one entity.
    fn filtered_but<Q: BoxQuery<f32>>(&self, own: Entity, query: Q) -> Filtered<Q, impl Fn(u32) -> bool + Clone> {
        self.boxes.space.filtered(query, move |(_, &entity)| entity != own && self.passes(entity))
    }

    /// All entities that pass the filter, with their boxes.
    pub fn iter(&self) -> impl Iterator<Item = (Entity, Aabb2d)> {
        let entries = self.boxes.space.entries().filter(|(_, _, entity)| self.passes(**entity));
        entries.map(|(_, bounds, &entity)| (entity, to_bevy(&bounds)))
    }

    /// The box of an entity in the world, if it has one, whatever the filter.
    pub fn bounds(&self, entity: Entity) -> Option<Aabb2d> {
        self.own(entity).as_ref().map(to_bevy)
    }

    pub(crate) fn own(&self, entity: Entity) -> Option<Aabb> {
        self.boxes.space.bounds(self.boxes.handle(entity)?)
    }

    /// The answers to any query of [`quadrille`]: a rectangle, a circle, a cone, a polygon, with layers and more. Lazy.
    pub fn query<Q: BoxQuery<f32>>(&self, query: Q) -> impl Iterator<Item = Entity> {
        self.boxes.space.query(self.filtered(query)).map(|(_, &entity)| entity)
    }

    /// The answers to a query that ranks them, best first, with their ranks. Lazy: finds no more than are taken.
    pub fn in_order<Q: Ranked<f32>>(&self, query: Q) -> impl Iterator<Item = (Entity, Q::Rank)> {
        self.boxes.space.query_in_order(self.filtered(query)).map(|hit| (*hit.thing, hit.rank))
    }

    /// The best answer to a query that ranks them, with its rank.
    pub fn first<Q: Ranked<f32>>(&self, query: Q) -> Option<(Entity, Q::Rank)> {
        self.boxes.space.query_first(self.filtered(query)).map(|hit| (*hit.thing, hit.rank))
    }

    /// The entities that overlap a rectangle, edges included.
    pub fn overlapping(&self, min: Vec2, max: Vec2) -> impl Iterator<Item = Entity> {
        self.query(Overlaps(Aabb::new(min.to_array(), max.to_array())))
    }

    /// The entities at a point, for picking.
    pub fn at(&self, point: Vec2) -> impl Iterator<Item = Entity> {
        self.query(At(point.to_array()))
    }

    /// The entities at most this far from a point.
    pub fn near(&self, point: Vec2, distance: f32) -> impl Iterator<Item = Entity> {
        self.query(Near::point(point.to_array()).within(distance))
    }

    /// The nearest to a point, and its distance.
    pub fn nearest(&self, point: Vec2) -> Option<(Entity, f32)> {
        self.first(Near::point(point.to_array())).map(|(entity, rank)| (entity, rank.to_scalar()))
    }

    /// The entities that overlap the box of an entity and meet its layers, without that entity.
    pub fn neighbors(&self, entity: Entity) -> impl Iterator<Item = Entity> {
        let handle = self.boxes.handle(entity);
        let others = handle.into_iter().flat_map(|handle| self.boxes.space.neighbors(handle));
        others.map(|(_, &other)| other).filter(|&other| self.passes(other))
    }

    /// The entities at most this far from the box of an entity, without that entity.
    pub fn near_entity(&self, entity: Entity, distance: f32) -> impl Iterator<Item = Entity> {
        let near = self.own(entity).map(|own| self.filtered_but(entity, Near::aabb(own).within(distance)));
        near.into_iter().flat_map(|near| self.boxes.space.query(near)).map(|(_, &other)| other)
    }

    /// The nearest to the box of an entity, other than that entity, and its distance.
    pub fn nearest_to(&self, entity: Entity) -> Option<(Entity, f32)> {
        let near = self.filtered_but(entity, Near::aabb(self.own(entity)?));
        self.boxes.space.query_first(near).map(|hit| (*hit.thing, hit.rank.to_scalar()))
    }

    /// The entity that a ray hits first, and at how many times its direction.
    ///
    /// [`first`](Self::first) with a [`Sweep`] also returns the side that was hit.
    pub fn cast(&self, origin: Vec2, direction: Vec2) -> Option<(Entity, f32)> {
        self.first(Sweep::ray(origin.to_array(), direction.to_array())).map(|(entity, hit)| (entity, hit.time() as f32))
    }

    /// The entity that a box hits first if it moves by `motion`, and after which part of the motion, from 0 to 1.
    pub fn cast_box(&self, start: Aabb2d, motion: Vec2) -> Option<(Entity, f32)> {
        let start = Aabb::new(start.min.to_array(), start.max.to_array());
        self.first(Sweep::new(start, motion.to_array())).map(|(entity, hit)| (entity, hit.time() as f32))
    }

    /// All pairs of entities that pass the filter, overlap, and whose layers meet, each once.
    pub fn pairs(&self) -> impl Iterator<Item = (Entity, Entity)> {
        let pairs = self.boxes.space.pairs().map(|((_, &a), (_, &b))| (a, b));
        pairs.filter(|&(a, b)| self.passes(a) && self.passes(b))
    }

    /// All pairs of an entity that passes this filter and one that passes the other, in the same set of boxes or in
    /// another: bullets and what they hit. The two overlap and their layers meet; no entity is paired with itself.
    pub fn pairs_with<'a, 'w, 's, G: QueryFilter + 'static, N: Marker>(
        &'a self,
        other: &'a Boxes<'w, 's, G, N>,
    ) -> impl Iterator<Item = (Entity, Entity)> {
        let pairs = self.boxes.space.pairs_with(&other.boxes.space).map(|((_, &a), (_, &b))| (a, b));
        pairs.filter(|&(a, b)| a != b && self.passes(a) && other.passes(b))
    }
}

fn to_bevy(bounds: &Aabb) -> Aabb2d {
    Aabb2d { min: bounds.min.into(), max: bounds.max.into() }
}
