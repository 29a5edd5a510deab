//! Boxes follow their entities, once a frame.

use std::marker::PhantomData;

use bevy_ecs::prelude::*;
use bevy_transform::components::GlobalTransform;
use quadrille::Handle;

use crate::bounding_box::BoundingBox;
use crate::space::{BoxSpace, Marker};

/// Two entities whose boxes touch since this frame.
#[derive(Message, Event, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Began<M: Marker = ()> {
    /// One of them.
    pub a: Entity,
    /// The other.
    pub b: Entity,
    marker: PhantomData<fn() -> M>,
}

/// Two entities whose boxes touched in the last frame and no longer do, or of which one has lost its box. It may have
/// been despawned.
#[derive(Message, Event, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ended<M: Marker = ()> {
    /// One of them.
    pub a: Entity,
    /// The other.
    pub b: Entity,
    marker: PhantomData<fn() -> M>,
}

/// Follows everything that has moved or changed, and tells what began and ended.
///
/// # Errors
/// If a box is not finite: names the entity. That box stays where it was.
pub(crate) fn follow<M: Marker>(
    mut boxes: ResMut<'_, BoxSpace<M>>,
    mut changed: Query<
        '_,
        '_,
        (Entity, &GlobalTransform, &mut BoundingBox<M>),
        Or<(Changed<GlobalTransform>, Changed<BoundingBox<M>>)>,
    >,
    mut began: MessageWriter<'_, Began<M>>,
    mut ended: MessageWriter<'_, Ended<M>>,
) -> Result<(), BevyError> {
    let boxes = &mut *boxes;
    let mut refused = None;
    for (entity, place, mut bounding) in &mut changed {
        let bounds = bounding.bounds(place);
        if !bounds.min.iter().chain(&bounds.max).all(|edge| edge.is_finite()) {
            refused = Some((entity, bounds));
            continue;
        }
        let handle = if let Some(handle) = bounding.handle {
            change(boxes, handle, &bounding)?;
            handle
        } else {
            let handle = boxes.space.insert_with(bounds, entity, bounding.options())?;
            bounding.bypass_change_detection().handle = Some(handle);
            handle
        };
        boxes.note(handle, bounds);
    }
    boxes.move_all()?;
    boxes.step_events();
    began.write_batch(boxes.pairs(&boxes.events.begin).map(|(a, b)| Began { a, b, marker: PhantomData }));
    ended.write_batch(boxes.pairs(&boxes.events.end).map(|(a, b)| Ended { a, b, marker: PhantomData }));
    match refused {
        Some((entity, bounds)) => {
            Err(format!("the box of entity {entity} is not finite: {bounds:?}; it is left out").into())
        }
        None => Ok(()),
    }
}

/// Has what is known already move, and takes over what else its component says, if that has changed.
fn change<M: Marker>(
    boxes: &mut BoxSpace<M>,
    handle: Handle,
    bounding: &Mut<'_, BoundingBox<M>>,
) -> Result<(), quadrille::Error> {
    if bounding.is_changed() {
        boxes.space.set_layers(handle, bounding.layers)?;
        boxes.space.set_mobility(handle, bounding.mobility())?;
    }
    boxes.moved.push(handle);
    Ok(())
}

/// Tells observers what the messages tell.
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
