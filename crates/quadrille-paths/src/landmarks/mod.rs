//! Landmarks: distances from a few cells, which give lower bounds for all others.
//!
//! | file | what it holds |
//! |---|---|
//! | `cells` | bounds from every cell, over weighted terrain |
//! | `corners` | bounds from every corner, on maps without weights |
//! | `table` | the rows of lengths that both store |
//! | `border` | where landmarks are |
//! | `upkeep` | when those of corners are made and forgotten |
//! | `growing` | one of corners that is being made |

mod border;
mod cells;
mod corners;
pub(crate) mod growing;
mod table;
mod upkeep;

pub(crate) use border::border_cell;
pub(crate) use cells::{Costs, Landmarks};
pub(crate) use corners::{CornerLandmarks, GoalRange, MAX_LANDMARKS};
pub(crate) use upkeep::EASY;
