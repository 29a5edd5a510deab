//! Exact shortest paths on grid maps that change while they are being asked.

mod astar;
pub mod benchmark;
mod bitmap;
mod cell;
mod components;
mod corners;
mod cost;
mod flow;
mod grid;
mod heading;
mod map;
pub mod movingai;
mod open_list;
mod path;
mod search;
mod sight;
mod smooth;
mod terrain;
mod watch;

pub use astar::AStar;
pub use cell::{Cell, CellRect, Direction};
pub use cost::{CostRule, Length};
pub use flow::FlowField;
pub use grid::{Grid, GridError};
pub use map::PathMap;
pub use path::{Path, PathFault};
pub use search::Scratch;
pub use smooth::{is_line_free, smooth, straight_length};
pub use terrain::{AgentClass, Terrain, TerrainMap, TerrainSet};
pub use watch::PathWatch;
