//! All boxes of one set.

use std::marker::PhantomData;

use bevy_ecs::prelude::*;
use quadrille::{Aabb, BoxOptions, Events, Handle, Space};

/// A marker for one of several separate sets of boxes. `()` is the usual one.
pub trait Marker: Send + Sync + 'static {}

impl<M: Send + Sync + 'static> Marker for M {}

/// All boxes of a set.
#[derive(Resource)]
pub(crate) struct BoxSpace<M: Marker> {
    pub(crate) space: Space<Entity>,
    /// The handle of each entity's box, by the index of the entity. 12 bytes for each index in use.
    handles: Vec<Option<Handle>>,
    /// The box of each thing by its id: a whole frame.
    frame: Vec<Aabb>,
    /// What has moved since the last frame.
    moved: Vec<(Handle, Aabb)>,
    /// Entities that are no longer disabled: nothing about them need have changed.
    pub(crate) woken: Vec<Entity>,
    pub(crate) events: Events,
    marker: PhantomData<fn() -> M>,
}

impl<M: Marker> Default for BoxSpace<M> {
    fn default() -> Self {
        Self {
            space: Space::default(),
            handles: Vec::new(),
            frame: Vec::new(),
            moved: Vec::new(),
            woken: Vec::new(),
            events: Events::default(),
            marker: PhantomData,
        }
    }
}

/// One box in this many has to move for a whole frame to be faster than single updates.
const MOVING_SHARE: usize = 4;

impl<M: Marker> BoxSpace<M> {
    /// The handle of an entity's box, if it has one here.
    pub(crate) fn handle(&self, entity: Entity) -> Option<Handle> {
        let handle = *self.handles.get(entity.index_u32() as usize)?;
        handle.filter(|&handle| self.space.get(handle) == Some(&entity))
    }

    /// Takes in the box of an entity.
    pub(crate) fn enter(&mut self, entity: Entity, bounds: Aabb, options: BoxOptions) -> Result<(), quadrille::Error> {
        let handle = self.space.insert_with(bounds, entity, options)?;
        let slot = entity.index_u32() as usize;
        if self.handles.len() <= slot {
            self.handles.resize(slot + 1, None);
        }
        self.handles[slot] = Some(handle);
        self.note(handle, bounds);
        Ok(())
    }

    /// The entity has no box any more. Its last events are still to come.
    pub(crate) fn leave(&mut self, entity: Entity) {
        if let Some(handle) = self.handle(entity) {
            self.space.retire(handle);
            self.handles[entity.index_u32() as usize] = None;
        }
    }

    fn note(&mut self, handle: Handle, bounds: Aabb) {
        let slot = handle.id() as usize;
        if self.frame.len() <= slot {
            self.frame.resize(slot + 1, bounds);
        }
        self.frame[slot] = bounds;
    }

    /// Notes where a box is now.
    pub(crate) fn shift(&mut self, handle: Handle, bounds: Aabb) {
        self.moved.push((handle, bounds));
        self.note(handle, bounds);
    }

    /// Moves what was noted.
    pub(crate) fn move_all(&mut self) -> Result<(), quadrille::Error> {
        let Self { space, frame, moved, .. } = self;
        if moved.len() * MOVING_SHARE > space.len() {
            moved.clear();
            return space.update_each(|handle, _| frame[handle.id() as usize]);
        }
        let outcome = space.update_batch(moved);
        moved.clear();
        space.maintain();
        outcome
    }

    /// Finds the contacts that began and ended.
    pub(crate) fn step_events(&mut self) {
        self.space.step_events(&mut self.events);
    }

    /// Pairs of things as entities.
    pub(crate) fn pairs(&self, pairs: &[(Handle, Handle)]) -> impl Iterator<Item = (Entity, Entity)> {
        pairs.iter().map(|&(a, b)| (self.entity(a), self.entity(b)))
    }

    /// The entity that it belongs to or, until its last events are sent, belonged to.
    fn entity(&self, handle: Handle) -> Entity {
        *self.space.get(handle).or_else(|| self.space.retired(handle)).expect("things with events are known")
    }
}
