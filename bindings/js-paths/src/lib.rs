//! quadrille's paths for JavaScript: the classes that `../js/lib/paths` wraps. The public interface is documented in
//! `../js/package/paths.d.ts`.
//!
//! **The border.** Cells come as numbers and are checked here. Answers are arrays that wasm-bindgen copies into
//! JavaScript's memory: a unit keeps its path for a long time. A rejected value is a `RangeError` that names it, and
//! nothing has changed.
//!
//! | file | what it is for |
//! |---|---|
//! | `border` | numbers in, arrays out, errors |
//! | `map` | maps of free and blocked cells, and of terrain |
//! | `queries` | all queries of a map |
//! | `field` | flow fields |
//! | `agents` | queues of requests, and watched paths |
//! | `weighted` | cheapest paths on terrain |

mod agents;
mod border;
mod field;
mod map;
mod queries;
mod weighted;

pub use agents::{Queue, Watch};
pub use border::Refusal;
pub use field::{Field, SlowField};
pub use map::Map;
pub use queries::{Reach, SlowReach};
pub use weighted::Weighted;
