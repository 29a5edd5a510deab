//! The file formats of the MovingAI benchmarks and of the Grid-Based Path Planning Competition.
//!
//! N. Sturtevant, *Benchmarks for Grid-Based Pathfinding*, IEEE Transactions on Computational Intelligence and AI in
//! Games 4(2), 2012, for maps and scenarios; the competition's start kit of 2023 for patches and traces.

mod map;
mod number;
mod patch;
mod reader;
mod scenario;
mod trace;

pub use map::TileMap;
pub use number::Published;
pub use patch::Patch;
pub use reader::ParseError;
pub use scenario::{Query, Scenario};
pub use trace::{Command, Trace};
