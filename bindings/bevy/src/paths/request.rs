//! Requests of agents.

use bevy_ecs::prelude::*;
use quadrille_paths::Cell;

/// An agent's request for a shortest path. When it is answered, the agent loses it and gets a [`Route`], or
/// [`RouteMissing`] is triggered. Remove it to cancel it; change it to request something else.
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq)]
pub struct PathRequest {
    /// The entity with the [`CellMap`].
    pub map: Entity,
    /// Where the path begins.
    pub from: Cell,
    /// Where it ends.
    pub to: Cell,
    /// Requests of a higher priority are answered first, equal ones in their order. 0 by default.
    pub priority: i32,
}

impl PathRequest {
    /// Requests a path on a map, with priority 0.
    pub fn new(map: Entity, from: Cell, to: Cell) -> Self {
        Self { map, from, to, priority: 0 }
    }

    /// With another priority.
    #[must_use]
    pub fn with_priority(self, priority: i32) -> Self {
        Self { priority, ..self }
    }
}
