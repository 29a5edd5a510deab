//! The steps that shortest paths are made of.
//!
//! | file | contents |
//! |---|---|
//! | `turns` | the directions out of a cell that a shortest path may take |
//! | `jump` | where each of them leads: scans of rows and columns, 64 cells at a time |
//! | `sweep` | the lengths of shortest paths from goals to all cells |

mod jump;
mod sweep;
mod turns;

pub(crate) use jump::{Changed, Walks, ahead, steps_to_set};
pub(crate) use sweep::{Links, Swept, most_searched};
pub(crate) use turns::{Directions, Turns, exits, turns};
