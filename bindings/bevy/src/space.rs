//! All boxes of one set.

use std::marker::PhantomData;

use bevy_ecs::prelude::*;
use quadrille::{Aabb, Events, Handle, Space};

/// Tells apart several sets of boxes that do not know each other. `()` is the usual one.
pub trait Marker: Send + Sync + 'static {}

impl<M: Send + Sync + 'static> Marker for M {}

/// All boxes of a set.
#[derive(Resource)]
pub(crate) struct BoxSpace<M: Marker> {
    pub(crate) space: Space<Entity>,
    /// The box of each thing by its id: a whole frame.
    frame: Vec<Aabb>,
    /// What has moved since the last frame.
    pub(crate) moved: Vec<Handle>,
    pub(crate) events: Events,
    marker: PhantomData<fn() -> M>,
}

impl<M: Marker> Default for BoxSpace<M> {
    fn default() -> Self {
        Self {
            space: Space::default(),
            frame: Vec::new(),
            moved: Vec::new(),
            events: Events::default(),
            marker: PhantomData,
        }
    }
}

/// Of so many boxes one has to move for a whole frame to be faster than one update after the other.
const MOVING_SHARE: usize = 4;

impl<M: Marker> BoxSpace<M> {
    pub(crate) fn note(&mut self, handle: Handle, bounds: Aabb) {
        let place = handle.id() as usize;
        if self.frame.len() <= place {
            self.frame.resize(place + 1, bounds);
        }
        self.frame[place] = bounds;
    }

    /// Moves what was noted.
    pub(crate) fn move_all(&mut self) -> Result<(), quadrille::Error> {
        let Self { space, frame, moved, .. } = self;
        if moved.len() * MOVING_SHARE > space.len() {
            moved.clear();
            return space.update_each(|handle, _| frame[handle.id() as usize]);
        }
        for handle in moved.drain(..) {
            space.update(handle, frame[handle.id() as usize])?;
        }
        space.maintain();
        Ok(())
    }

    /// Finds what began and what ended.
    pub(crate) fn step_events(&mut self) {
        self.space.step_events(&mut self.events);
    }

    /// Pairs of things as entities.
    pub(crate) fn pairs(&self, pairs: &[(Handle, Handle)]) -> impl Iterator<Item = (Entity, Entity)> {
        pairs.iter().map(|&(a, b)| (self.entity(a), self.entity(b)))
    }

    /// Whose thing it is or, until its last events are told, was.
    fn entity(&self, handle: Handle) -> Entity {
        *self.space.get(handle).or_else(|| self.space.retired(handle)).expect("things with events are known")
    }
}
