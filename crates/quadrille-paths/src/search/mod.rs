//! Searches for one path.
//!
//! | file | path |
//! |---|---|
//! | `corner` | of steps, from corner to corner: the search of [`PathMap`](crate::PathMap) |
//! | `corner::goals` | of steps, to the nearest of many goals |
//! | `corner::fan` | such paths from one cell to many at once |
//! | `reach` | all cells within a budget, outward from one |
//! | `taut` | of straight lines at any angle |
//! | `part` | of steps, from cell to cell, for many paths in one part of a map |
//! | `astar` | of steps, from cell to cell: the reference that tests compare with |

mod astar;
mod corner;
mod part;
mod reach;
mod taut;

pub use astar::AStar;
pub use corner::Scratch;
pub(crate) use corner::{Footing, Search};
pub(crate) use part::Part;
pub use reach::Reach;
pub(crate) use reach::ReachSearch;
pub use taut::TautPath;
pub(crate) use taut::TautSearch;
