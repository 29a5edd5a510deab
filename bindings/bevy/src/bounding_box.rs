//! The component that gives an entity its box.

use std::marker::PhantomData;

use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::prelude::*;
use bevy_ecs::world::DeferredWorld;
use bevy_math::Vec2;
use bevy_transform::components::{GlobalTransform, Transform};
use quadrille::{Aabb, BoxOptions, Layers, Mobility};

use crate::space::{BoxSpace, Marker};

/// The box of an entity, around its `GlobalTransform`. In the entity's own space it reaches `half` to each side of
/// `center`; in the world it is the smallest upright box around that rectangle, turned and scaled. The z axis does not
/// matter.
///
/// Plain data: change it, or insert another over it. Removing it, despawning the entity or giving it `Disabled` removes
/// the box immediately.
#[derive(Component, Debug)]
#[component(on_remove = leave::<M>)]
#[require(Transform)]
pub struct BoundingBox<M: Marker = ()> {
    /// Its center, relative to the entity. (0, 0) by default.
    pub center: Vec2,
    /// Half of the width and of the height.
    pub half: Vec2,
    /// The layers that it is on, and those that it collides with. [`Layers::ALL`] by default.
    pub layers: Layers,
    /// Whether it is fixed. Fixed boxes have no contacts with each other.
    pub is_fixed: bool,
    marker: PhantomData<fn() -> M>,
}

impl<M: Marker> Clone for BoundingBox<M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: Marker> Copy for BoundingBox<M> {}

impl BoundingBox {
    /// A box that reaches `half` to each side, on all layers, and moves.
    pub fn new(half: Vec2) -> Self {
        Self::marked(half)
    }
}

impl<M: Marker> BoundingBox<M> {
    /// A box of another set: `BoundingBox::<Ships>::marked(half)`.
    pub fn marked(half: Vec2) -> Self {
        Self { center: Vec2::ZERO, half, layers: Layers::ALL, is_fixed: false, marker: PhantomData }
    }

    /// Puts it around a point relative to the entity, for example for a sprite whose origin is at its feet.
    #[must_use]
    pub fn with_center(self, center: Vec2) -> Self {
        Self { center, ..self }
    }

    /// Puts it on these layers.
    #[must_use]
    pub fn with_layers(self, layers: Layers) -> Self {
        Self { layers, ..self }
    }

    /// Makes it fixed: it has contacts with boxes that move, but not with other fixed ones.
    #[must_use]
    pub fn fixed(self) -> Self {
        Self { is_fixed: true, ..self }
    }

    pub(crate) fn mobility(&self) -> Mobility {
        if self.is_fixed { Mobility::Fixed } else { Mobility::Moving }
    }

    pub(crate) fn options(&self) -> BoxOptions {
        BoxOptions::new().with_layers(self.layers).with_mobility(self.mobility())
    }

    /// The upright box in the world.
    pub(crate) fn bounds(&self, transform: &GlobalTransform) -> Aabb {
        let axes = transform.affine().matrix3;
        let reach = axes.x_axis.abs() * self.half.x + axes.y_axis.abs() * self.half.y;
        let center = transform.transform_point(self.center.extend(0.0));
        Aabb::from_center([center.x, center.y], [reach.x, reach.y])
    }
}

/// The entity is despawned, or its box removed: it must not be an answer any more.
fn leave<M: Marker>(mut world: DeferredWorld<'_>, context: HookContext) {
    if let Some(mut boxes) = world.get_resource_mut::<BoxSpace<M>>() {
        boxes.leave(context.entity);
    }
}
