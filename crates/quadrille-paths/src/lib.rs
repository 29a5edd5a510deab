//! **Exact shortest paths on grid maps that change between queries.**
//!
//! A [`PathMap`] is a [`Grid`] of free and blocked cells and a [`CostRule`]. It returns whole paths, cell by cell, of
//! exactly the least length, and detects without a search if there is none. Any cell can be freed or blocked at any time;
//! the next path is exact for the new map. Queries take `&self`, so many threads can search at the same time.
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
//! | a path, unless it is too long or takes too much work | [`PathMap::path_within`], [`PathMap::limited_path`] |
//! | many paths at once, as after an explosion | [`PathMap::paths`], [`PathMap::partial_paths`] |
//! | a path to the nearest of several goals, or without its cells | [`PathMap::nearest`], [`PathMap::waypoints`] |
//! | a path through teleports, ladders and one-way doors | [`PathMap::linked_path`], [`PathMap::nearest_linked`], [`FlowField::linked`] |
//! | many requests, some more urgent, within a budget or a time per frame | [`PathQueue`] |
//! | changing the map | [`PathMap::set`], [`PathMap::fill`], [`PathMap::edit`], [`PathMap::edit_cells`], then [`PathMap::maintain`] |
//! | many agents with the same goals, influence maps, fleeing | [`FlowField`], [`FlowField::with_starts`], [`FlowField::weighted_with_starts`] |
//! | many paths on a large or winding map | [`PathMap::maintain`], [`PathMap::add_landmarks`] |
//! | how far one can go within a budget | [`PathMap::reach`], [`TerrainMap::reach`] |
//! | whether a wall would cut something off, and where a buried agent gets out | [`PathMap::would_close`], [`PathMap::nearest_free`] |
//! | places for a group, other units in the way, what a shot hits | [`PathMap::free_places`], [`PathMap::detour`], [`first_wall`] |
//! | an agent that follows a path, with links or without, while the map changes | [`PathWatch`] |
//! | agents of several sizes, kinds of terrain, weights | [`TerrainMap`], [`WeightedPaths`], [`Grid::with_clearance`] |
//! | straight lines instead of steps: the shortest, or a quick approximation | [`PathMap::taut_path`], [`smooth`] |
//! | files and published lengths | [`movingai`], [`benchmark`] |
//! | checking results | [`AStar`], [`Path::validate`], [`PathMap::validate`] |
//!
//! # How it works
//!
//! A shortest path turns only at *corners*, cells next to a corner of a wall: 2 to 8 % of the cells of city and game
//! maps. Jump point search finds the next corners by scanning rows and columns 64 cells at a time; for each corner and
//! each direction out of it, the map stores the results of these scans. A search is A* from corner to corner, with an
//! open list of buckets, and considers only one of several equally short paths. An edit marks the stored scans that saw
//! the cell as stale; the first search that reaches one repeats it and stores the result for all later searches.
//! Component labels show what cannot be reached.
//!
//! # What was measured
//!
//! On published game, city, room and maze maps of 200 cells per side or more, the exact search is 2 to 7 times as fast
//! as block-based jump point search, the strongest method we know for maps that change, and 44 to 840 times as fast as
//! plain A*; on light noise 1.6 times both. `bench/paths` compares it with other crates, and `docs/paths.md` has the
//! tables.
//!
//! # Alternatives rejected
//!
//! - **Leaves of a region quadtree as free space.** There are two free leaves per corner on city maps, three per two
//!   corners on noise, and one per cell in mazes; and paths through leaves need gates along their edges. Corners need
//!   none.
//! - **A near-optimal mode.** The crate `hierarchical_pathfinding`, which works with clusters, is slower than the exact
//!   search. A heuristic weighted with 1.05, which makes paths at most 5 % longer, takes 94 and 104 % of the time on a
//!   city and a game map of a million cells, 83 % on dense noise and 119 % in a maze; only on light noise does it take
//!   a third of the time. So there is one mode.
//! - **Contraction hierarchies, first-move tables, goal bounding**: faster on maps that never change, but one changed
//!   cell invalidates large parts of them.
//! - **Subgoal graphs**, which link each corner with all corners that it sees: five times as many links to follow on
//!   city maps, though fewer on noise, and an edit hides and reveals hundreds of them.

#![forbid(unsafe_code)]

mod agents;
mod corners;
mod fields;
mod formats;
mod grid;
mod landmarks;
mod map;
mod open_list;
mod path;
mod search;
mod shared;
#[cfg(test)]
mod tests;
mod walks;

pub use agents::{PathQueue, PathWatch, Ticket};
pub use fields::{FlowField, GrowingField, WeightedPaths};
pub use formats::{benchmark, movingai};
pub use grid::{Cell, CellRect, Corruption, CostRule, Direction, Grid, GridError, Length};
pub use map::{
    AgentClass, GrowingReach, Link, LinkError, LinkedPath, OutOfWork, PathLimits, PathMap, Terrain, TerrainMap,
    TerrainSet, Weights,
};
pub use path::{Path, PathFault, Waypoints, first_wall, is_line_free, smooth};
pub use search::{AStar, Reach, Scratch, TautPath};

/// The examples of the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
