//! The steps that shortest paths are made of.
//!
//! | file | contents |
//! |---|---|
//! | `turns` | the directions out of a cell that a shortest path may take |
//! | `jump` | where each of them leads: scans of rows and columns, 64 cells at a time |
//! | `sweep` | the lengths of shortest paths from goals to all cells |

pub(crate) mod jump;
pub(crate) mod sweep;
pub(crate) mod turns;
