//! Maps, queries and results as files.
//!
//! | file | format |
//! |---|---|
//! | `movingai/` | maps, scenarios and traces of the MovingAI benchmarks |
//! | `benchmark` | runs such scenarios and compares lengths with the published ones |
//! | `serial` | maps and paths by serde |

pub mod benchmark;
pub mod movingai;
#[cfg(feature = "serde")]
mod serial;
