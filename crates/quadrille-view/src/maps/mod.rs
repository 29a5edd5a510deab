//! The maps mode: walls that are painted, the region tree that follows, paths that stay exact, and agents that walk them.
//!
//! | file | what it knows |
//! |---|---|
//! | `built_in` | maps from a name and a seed |
//! | `file` | maps from files and pictures |
//! | `land` | the map under the brush: cells, paths, region tree |
//! | `painted` | what was painted, as text |
//! | `rule` | when the region tree divides |
//! | `route` | path and flow field between two handles, and what an edit broke |
//! | `walkers` | agents on their way |
//! | `mode` | all of it on the screen: mouse, steps, frames |
//! | `figures` | what it is like, in numbers |
//! | `ask` | what the region tree is asked by mouse |
//! | `draw`, `answer` | the picture, and what the tree said on it |
//!
//! It is shown by `stage::map`, its controls by `panels::map`.

mod answer;
mod ask;
mod built_in;
mod draw;
mod figures;
mod file;
mod land;
mod mode;
pub mod painted;
mod route;
mod rule;
mod walkers;

pub use answer::{add_answer, color_of, paint_answer};
pub use ask::{MapAnswer, MapTool, letters};
pub use built_in::{MapKind, SIDE, UnknownMap};
pub(crate) use draw::HANDLE;
pub use draw::{add_map, flip, paint_handles};
pub use figures::MapFigures;
pub use file::{MAX_SIDE, NoMap, is_map, read};
pub use land::{Churn, Land, Paint, Stroke, cell_at, middle, square};
pub use mode::{BRUSH, Brush, Fresh, MapMode, WALKERS, Walk, read_ends, write_ends};
pub use route::{BrokenPath, Route};
pub use rule::{MOST_WALLS, MapRule, SMALLEST_SIDE};
pub use walkers::{Guide, Mood, Tally, Walkers};
