//! Boxes taken from what Bevy draws.

use std::marker::PhantomData;

use bevy_app::{App, Plugin, PostUpdate};
use bevy_camera::primitives::Aabb;
use bevy_camera::visibility::VisibilitySystems;
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::prelude::*;
use bevy_math::Vec3Swizzles;

use crate::{BoundingBox, BoxSystems, Marker};

/// The box of this entity is that of its sprite or mesh, as Bevy computes it for culling (`bevy_camera`'s `Aabb`): its
/// [`BoundingBox`] is inserted once the image or mesh is loaded, and follows if it changes. Layers, and whether it is
/// fixed, stay as you set them.
///
/// Needs [`DrawnBoxesPlugin`].
#[derive(Component, Debug)]
pub struct DrawnBox<M: Marker = ()>(PhantomData<fn() -> M>);

impl<M: Marker> Default for DrawnBox<M> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

/// Follows the bounds of every entity with a [`DrawnBox`]. It runs in `PostUpdate`, after Bevy has computed them and
/// before boxes follow their entities.
pub struct DrawnBoxesPlugin<M: Marker = ()>(PhantomData<fn() -> M>);

impl<M: Marker> Default for DrawnBoxesPlugin<M> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<M: Marker> Plugin for DrawnBoxesPlugin<M> {
    fn build(&self, app: &mut App) {
        let system = take_over::<M>.after(VisibilitySystems::CalculateBounds).before(BoxSystems);
        app.add_systems(PostUpdate, system);
    }
}

/// Bounds that are new, or entities that are to have them.
type New<M> = Or<(Changed<Aabb>, Added<DrawnBox<M>>)>;

/// Also of entities that are no longer disabled: nothing about them need have changed since.
fn take_over<M: Marker>(
    new: Query<'_, '_, Entity, (With<DrawnBox<M>>, New<M>)>,
    mut woken: RemovedComponents<'_, '_, Disabled>,
    mut drawn: Query<'_, '_, (Entity, &Aabb, Option<&mut BoundingBox<M>>), With<DrawnBox<M>>>,
    mut commands: Commands<'_, '_>,
) {
    let mut drawn = drawn.iter_many_mut(new.iter().chain(woken.read()));
    while let Some((entity, bounds, bounding)) = drawn.fetch_next() {
        let (center, half) = (bounds.center.xy(), bounds.half_extents.xy());
        match bounding {
            Some(mut bounding) => (bounding.center, bounding.half) = (center, half),
            None => drop(commands.entity(entity).try_insert(BoundingBox::<M>::marked(half).with_center(center))),
        }
    }
}
