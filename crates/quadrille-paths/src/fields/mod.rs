//! Answers for many agents: costs from all cells to goals, and cheapest paths over weighted terrain.
//!
//! | file | what it holds |
//! |---|---|
//! | `flow` | how far it is from every cell to the nearest goal, and which way |
//! | `weighted` | one cheapest path, where fields of landmarks tell what is ahead |
//! | `weighted_links` | one cheapest path that may take links |

pub(crate) mod flow;
pub(crate) mod weighted;
pub(crate) mod weighted_links;
