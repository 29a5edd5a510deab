//! Exact shortest paths on maps of cells, for entities.
//!
//! A [`CellMap`] is a component. An agent with a [`PathRequest`] gets its [`Route`] within a budget per frame, and
//! [`RouteFound`] or [`RouteMissing`] is triggered on it. When the map changes or is removed, [`RouteBroken`] is
//! triggered on agents whose way ahead is blocked. A [`Crowd`] leads any number of agents to the same goals.
//!
//! ```
//! use bevy_app::App;
//! use bevy_ecs::prelude::*;
//! use bevy_math::Vec2;
//! use bevy_quadrille::paths::{Cell, CellMap, PathRequest, PathsPlugin, Route};
//!
//! let mut app = App::new();
//! app.add_plugins(PathsPlugin::default());
//! // Three rows of tiles of 16 by 16 pixels; in the second is a wall with a door.
//! let tiles = b".....###.#.....";
//! let map = CellMap::from_tiles(5, tiles, |&tile| tile == b'.')?.placed(Vec2::ZERO, Vec2::splat(16.0));
//! let from = map.cell_at(Vec2::new(8.0, 8.0)).expect("on the map");
//! let map = app.world_mut().spawn(map).id();
//! let agent = app.world_mut().spawn(PathRequest::new(map, from, Cell::new(0, 2))).id();
//! app.update();
//! let route = app.world().get::<Route>(agent).expect("there is a way through the door");
//! assert_eq!(route.ahead().len(), 9);
//! # Ok::<(), bevy_quadrille::paths::CellMapError>(())
//! ```

mod answers;
mod budget;
mod cell_map;
mod crowd;
mod plugin;
mod request;
mod requests;
mod route;

pub use budget::PathBudget;
pub use cell_map::{CellMap, CellMapError};
pub use crowd::{Crowd, CrowdField};
pub use plugin::{PathSystems, PathsPlugin};
pub use quadrille_paths::{self, Cell, CellRect, CostRule, Grid};
pub use request::PathRequest;
pub use route::{Route, RouteBroken, RouteFound, RouteMissing};
