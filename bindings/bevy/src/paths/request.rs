//! What agents ask for.

use bevy_ecs::prelude::*;
use quadrille_paths::Cell;

/// An agent wants a shortest path. When it is answered, the agent loses its request and has a [`Route`], or
/// [`RouteMissing`] is triggered. Remove it to take it back; change it to ask for something else.
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq)]
pub struct PathRequest {
    /// The entity with the [`CellMap`].
    pub map: Entity,
    /// Where the path begins.
    pub from: Cell,
    /// Where it ends.
    pub to: Cell,
    /// Requests of a higher priority are answered first; among equals, those asked for first. 0 by default.
    pub priority: i32,
}

impl PathRequest {
    /// Asks for a path on a map, with priority 0.
    pub fn new(map: Entity, from: Cell, to: Cell) -> Self {
        Self { map, from, to, priority: 0 }
    }

    /// With another priority.
    #[must_use]
    pub fn with_priority(self, priority: i32) -> Self {
        Self { priority, ..self }
    }
}
