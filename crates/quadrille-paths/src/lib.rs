//! **Exact shortest paths on grid maps that change while they are being asked.**
//!
//! A [`PathMap`] is a [`Grid`] of free and blocked cells and a [`CostRule`]. It answers with whole paths, cell by cell, of exactly the
//! least length, and says at once if there is none. Any cell can be freed or blocked at any time; the next answer is exact
//! for the new map. Questions take `&self`, so that all threads can ask at once.
//!
//! ```
//! use quadrille_paths::{Cell, CostRule, Grid, PathMap, Scratch};
//!
//! let rows = ["......", ".####.", "......"];
//! let grid = Grid::from_fn(6, 3, |cell| rows[cell.y as usize].as_bytes()[cell.x as usize] == b'.')?;
//! let mut map = PathMap::new(grid, CostRule::Octile);
//! let mut scratch = Scratch::new();
//!
//! let (from, to) = (Cell::new(2, 0), Cell::new(2, 2));
//! let path = map.path(from, to, &mut scratch).unwrap();
//! assert_eq!(path.length().straight, 6);
//! map.set(Cell::new(2, 1), true);
//! assert_eq!(map.path(from, to, &mut scratch).unwrap().cells(), [from, Cell::new(2, 1), to]);
//! # Ok::<(), quadrille_paths::GridError>(())
//! ```
//!
//! # What there is
//!
//! | for | see |
//! |---|---|
//! | a path, or one to the nearest cell that can be reached | [`PathMap::path`], [`PathMap::partial_path`] |
//! | a path to the nearest of several goals, without its cells, the same both ways | [`PathMap::nearest`], [`PathMap::waypoints`], [`PathMap::two_way_path`] |
//! | a path by way of teleports, ladders and one-way doors | [`PathMap::linked_path`] |
//! | many requests within a budget a frame | [`PathQueue`] |
//! | changing the map | [`PathMap::set`], [`PathMap::fill`], [`PathMap::edit`], then [`PathMap::maintain`] |
//! | many agents with the same goals | [`FlowField`] |
//! | an agent that walks a path while the map changes | [`PathWatch`] |
//! | agents of several sizes, kinds of terrain, weights | [`TerrainMap`], [`WeightedPaths`], [`Grid::with_clearance`] |
//! | straight lines in place of steps: the shortest, or quickly | [`PathMap::taut_path`], [`smooth`] |
//! | files and published lengths | [`movingai`], [`benchmark`] |
//! | a check on it all | [`AStar`], [`Path::validate`], [`PathMap::validate`] |
//!
//! # How it works
//!
//! A shortest path turns at *corners* only, cells next to a corner of a wall: 2 to 8 in a hundred cells of city and game
//! maps. Jump point search finds the next ones by scanning rows and columns 64 cells at a time; the map stores for each corner
//! what these scans find, each way out of it. A search is A* from corner to corner that takes of all equally short paths only
//! one, over an open list of buckets. An edit marks as stale the ways that have looked at the place; the first search that comes
//! to one scans it once more and leaves what it finds for all others. Component labels tell what cannot be reached.
//!
//! # What was measured
//!
//! On published game, city, room and maze maps of 200 cells a side or more the exact search is 2 to 7 times as fast as block-based jump
//! point search, the strongest that we know for maps that change, and some 50 to 1,000 times as fast as plain A*; on light noise
//! 1.4 and 1.3 times. `bench/paths` measures it beside other crates, and `docs/paths.md` shows the tables.
//!
//! # Roads not taken
//!
//! - **Leaves of a region quadtree as free space.** On city maps there are two free leaves for each corner, on noise three for
//!   two, in mazes one for each cell; and paths through leaves need gates along their edges. Corners need none.
//! - **A near-optimal mode.** Over clusters: the crate `hierarchical_pathfinding`, which does that, is slower than the exact search. By an estimate that is
//!   weighted with 1.05, which bounds paths to be 5 in a hundred longer: 6 to 14 in a hundred less time on city and game maps
//!   of a million cells, and nothing on dense noise and in mazes; only on light noise a third of the time. So there is one mode.
//! - **Contraction hierarchies, first-move tables, goal bounding**: faster on maps that never change, but one changed cell
//!   undoes them far and wide.
//! - **Subgoal graphs**, which link each corner with all that it sees: five times as many links to follow on city maps, though fewer on
//!   noise, and an edit hides and uncovers hundreds of them.

#![forbid(unsafe_code)]

mod astar;
pub mod benchmark;
mod bitmap;
mod buckets;
mod cell;
mod components;
mod corners;
mod cost;
mod edits;
mod fault;
mod fixed;
mod flow;
mod grid;
mod jump;
mod landmarks;
mod links;
mod map;
pub mod movingai;
mod open_list;
mod path;
mod queue;
mod search;
#[cfg(feature = "serde")]
mod serial;
mod smooth;
mod sweep;
mod taut;
mod terrain;
mod turns;
mod views;
mod watch;
mod waypoints;
mod weighted;

pub use astar::AStar;
pub use cell::{Cell, CellRect, Direction};
pub use cost::{CostRule, Length};
pub use fault::Corruption;
pub use flow::FlowField;
pub use grid::{Grid, GridError};
pub use links::{Link, LinkedPath};
pub use map::PathMap;
pub use path::{Path, PathFault};
pub use queue::{PathQueue, Ticket};
pub use search::Scratch;
pub use smooth::{is_line_free, smooth, straight_length};
pub use taut::TautPath;
pub use terrain::{AgentClass, Terrain, TerrainMap, TerrainSet};
pub use watch::PathWatch;
pub use waypoints::Waypoints;
pub use weighted::WeightedPaths;

/// The examples of the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
