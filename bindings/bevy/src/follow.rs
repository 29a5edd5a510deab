//! Boxes follow their entities, once a frame.

use std::marker::PhantomData;

use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::prelude::*;
use bevy_transform::components::GlobalTransform;
use quadrille::Aabb;

use crate::bounding_box::BoundingBox;
use crate::space::{BoxSpace, Marker};

/// Two entities whose contact began in this frame.
#[derive(Message, Event, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Began<M: Marker = ()> {
    /// One of them.
    pub a: Entity,
    /// The other.
    pub b: Entity,
    marker: PhantomData<fn() -> M>,
}

/// Two entities whose contact ended in this frame, perhaps because one of them has lost its box or was despawned.
#[derive(Message, Event, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ended<M: Marker = ()> {
    /// One of them.
    pub a: Entity,
    /// The other.
    pub b: Entity,
    marker: PhantomData<fn() -> M>,
}

/// An entity with a box.
type Boxed<M> = (Entity, &'static GlobalTransform, Ref<'static, BoundingBox<M>>);

/// Follows everything that has moved or changed, and reports the contacts that began and ended.
///
/// # Errors
/// Returns an error that names the entity if a box is not finite or inside out. That box stays where it was.
pub(crate) fn follow<M: Marker>(
    mut boxes: ResMut<'_, BoxSpace<M>>,
    changed: Query<'_, '_, Boxed<M>, Or<(Changed<GlobalTransform>, Changed<BoundingBox<M>>)>>,
    all: Query<'_, '_, Boxed<M>>,
    mut began: MessageWriter<'_, Began<M>>,
    mut ended: MessageWriter<'_, Ended<M>>,
) -> Result<(), BevyError> {
    let boxes = &mut *boxes;
    let mut refused = None;
    let woken = std::mem::take(&mut boxes.woken);
    for (entity, transform, bounding) in changed.iter().chain(all.iter_many(woken)) {
        let bounds = bounding.bounds(transform);
        follow_one(boxes, entity, bounds, &bounding)?;
        if !bounds.is_valid() {
            refused = Some((entity, bounds));
        }
    }
    boxes.move_all()?;
    boxes.step_events();
    began.write_batch(boxes.pairs(&boxes.events.begin).map(|(a, b)| Began { a, b, marker: PhantomData }));
    ended.write_batch(boxes.pairs(&boxes.events.end).map(|(a, b)| Ended { a, b, marker: PhantomData }));
    match refused {
        Some((entity, bounds)) => {
            Err(format!("the box of entity {entity} is not finite or inside out: {bounds:?}; it is left out").into())
        }
        None => Ok(()),
    }
}

/// Adds the box of an entity, or updates it and what else has changed; not where it is, if that is not valid.
fn follow_one<M: Marker>(
    boxes: &mut BoxSpace<M>,
    entity: Entity,
    bounds: Aabb,
    bounding: &Ref<'_, BoundingBox<M>>,
) -> Result<(), quadrille::Error> {
    match boxes.handle(entity) {
        Some(handle) => {
            if bounding.is_changed() {
                boxes.space.set_layers(handle, bounding.layers)?;
                boxes.space.set_mobility(handle, bounding.mobility())?;
            }
            if bounds.is_valid() {
                boxes.shift(handle, bounds);
            }
            Ok(())
        }
        None if bounds.is_valid() => boxes.enter(entity, bounds, bounding.options()),
        None => Ok(()),
    }
}

/// A disabled entity counts as removed.
pub(crate) fn fall_asleep<M: Marker>(disabled: On<'_, '_, Add, Disabled>, mut boxes: ResMut<'_, BoxSpace<M>>) {
    boxes.leave(disabled.entity);
}

/// An entity is enabled again, unchanged.
pub(crate) fn wake<M: Marker>(disabled: On<'_, '_, Remove, Disabled>, mut boxes: ResMut<'_, BoxSpace<M>>) {
    boxes.woken.push(disabled.entity);
}

/// Triggers observers for the same events as the messages.
pub(crate) fn trigger<M: Marker>(
    mut began: MessageReader<'_, '_, Began<M>>,
    mut ended: MessageReader<'_, '_, Ended<M>>,
    mut commands: Commands<'_, '_>,
) {
    for &Began { a, b, marker } in began.read() {
        commands.trigger(Began { a, b, marker });
    }
    for &Ended { a, b, marker } in ended.read() {
        commands.trigger(Ended { a, b, marker });
    }
}
