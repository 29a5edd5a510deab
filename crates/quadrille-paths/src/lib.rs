//! Exact shortest paths on grid maps that change while they are being asked.

mod astar;
mod bitmap;
mod cell;
mod components;
mod corners;
mod cost;
mod grid;
mod heading;
mod map;
mod open_list;
mod path;
mod search;
mod sight;

pub use astar::AStar;
pub use cell::{Cell, CellRect, Direction};
pub use cost::{CostRule, Length};
pub use grid::{Grid, GridError};
pub use map::PathMap;
pub use path::{Path, PathFault};
pub use search::Scratch;
