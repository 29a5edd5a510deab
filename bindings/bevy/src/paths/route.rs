//! The route of an agent, and events about it.

use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::prelude::*;
use quadrille_paths::{Cell, Path, PathFault, PathWatch};

use super::cell_map::CellMap;
use super::request::PathRequest;

/// The route of an agent: a path that was shortest when it was found, and how much of it has been walked.
#[derive(Component, Debug)]
pub struct Route {
    /// The entity with the map.
    map: Entity,
    path: Path,
    /// The agent is on this cell of the path.
    at: usize,
    watch: PathWatch,
    is_broken: bool,
}

/// An agent has a new [`Route`].
#[derive(EntityEvent, Debug, Clone, Copy)]
pub struct RouteFound {
    /// The agent.
    pub entity: Entity,
}

/// There is no path, or no such map. The request is gone.
#[derive(EntityEvent, Debug, Clone, Copy)]
pub struct RouteMissing {
    /// The agent.
    pub entity: Entity,
    /// Its request.
    pub request: PathRequest,
}

/// The map is gone, or has changed so that the rest of a route can no longer be walked. This is triggered once for each
/// route; for another one, insert [`Route::request_from`], which is answered with [`RouteMissing`] if there is no map.
#[derive(EntityEvent, Debug, Clone, Copy)]
pub struct RouteBroken {
    /// The agent.
    pub entity: Entity,
    /// The last cell ahead that can still be reached on the route, or the agent's own cell, also if the map is gone.
    pub last: Cell,
}

impl Route {
    pub(super) fn new(map: Entity, on: &CellMap, path: Path) -> Self {
        Self { map, watch: PathWatch::new(on, &path), path, at: 0, is_broken: false }
    }

    /// The agent's cell on its path, and all cells that are still ahead. Never empty.
    pub fn ahead(&self) -> &[Cell] {
        &self.path.cells()[self.at..]
    }

    /// The cell to go to next. `None` at the goal.
    pub fn next(&self) -> Option<Cell> {
        self.ahead().get(1).copied()
    }

    /// The agent has arrived at the next cell. Does nothing at the goal.
    pub fn advance(&mut self) {
        self.at = (self.at + 1).min(self.path.cells().len() - 1);
    }

    /// The last cell.
    pub fn goal(&self) -> Cell {
        self.ahead()[self.ahead().len() - 1]
    }

    /// Whether the map is gone, or has changed so that the route cannot be walked to its end.
    pub fn is_broken(&self) -> bool {
        self.is_broken
    }

    /// A request for a path to the same goal from where the agent is.
    pub fn request_from(&self, from: Cell) -> PathRequest {
        PathRequest::new(self.map, from, self.goal())
    }

    /// The last cell ahead that can be reached, if the map has changed so that the goal cannot.
    fn check(&mut self, map: &CellMap) -> Option<Cell> {
        self.watch.check(map)?;
        // Cells behind the agent do not matter: only the rest is checked, and watched from now on.
        let rest = Path::of_cells(self.ahead().to_vec()).ok()?;
        let fault = rest.validate(map.grid(), map.rule()).err();
        (self.watch, self.path, self.at) = (PathWatch::new(map, &rest), rest, 0);
        match fault? {
            PathFault::IllegalStep { from, .. } => Some(from),
            _ => self.path.cells().first().copied(),
        }
    }
}

/// Triggers [`RouteBroken`] on agents whose way is blocked, on maps that have changed, and on those whose map is gone. Those
/// that were disabled may have missed it.
pub(super) fn check_routes(
    maps: Query<'_, '_, Ref<'_, CellMap>, Allow<Disabled>>,
    mut gone: RemovedComponents<'_, '_, CellMap>,
    mut woken: RemovedComponents<'_, '_, Disabled>,
    mut routes: Query<'_, '_, (Entity, &mut Route)>,
    mut commands: Commands<'_, '_>,
) {
    let is_any = gone.read().count() + woken.read().count() > 0;
    if !is_any && !maps.iter().any(|map| map.is_changed()) {
        return;
    }
    for (entity, mut route) in &mut routes {
        let route = route.bypass_change_detection();
        if route.is_broken {
            continue;
        }
        let last = match maps.get(route.map) {
            Ok(map) => route.check(&map),
            Err(_) => route.ahead().first().copied(),
        };
        if let Some(last) = last {
            route.is_broken = true;
            commands.trigger(RouteBroken { entity, last });
        }
    }
}
