//! Answers for many agents: costs from all cells to goals, and cheapest paths over weighted terrain.
//!
//! | file | what it holds |
//! |---|---|
//! | `flow` | the distance from every cell to the nearest goal, and the direction |
//! | `weighted` | one cheapest path, guided by landmarks; it may take links |

mod flow;
mod weighted;

pub use flow::FlowField;
pub use flow::growing::GrowingField;
pub use weighted::WeightedPaths;
