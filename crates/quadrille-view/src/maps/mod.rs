//! The maps mode: walls that are painted, the region tree that follows, paths that stay exact, and agents that walk
//! them.
//!
//! | file | contents |
//! |---|---|
//! | `built_in` | maps from a name and a seed |
//! | `file` | maps from files and pictures |
//! | `land` | the map under the brush: cells, paths, region tree |
//! | `painted` | what was painted, as text |
//! | `rule` | when the region tree divides |
//! | `doors` | doors that open and close by themselves |
//! | `guide` | how agents find their way: a path each, one flow field, a goal each |
//! | `route` | path and flow field between two handles, and what an edit broke |
//! | `walker` | one agent |
//! | `agents` | all of them |
//! | `followers` | what those need that are on their way to B |
//! | `crowd` | what those need that have goals of their own |
//! | `frames` | what frames took |
//! | `mode` | all of it on the screen: mouse, steps, frames |
//! | `figures` | its figures |
//! | `ask` | queries of the region tree by mouse |
//! | `draw`, `answer` | the picture, and answers of the tree on it |
//! | `raster` | walls from far away, as an image |
//!
//! It is shown by `stage::map`, its controls by `panels::map`.

mod agents;
mod answer;
mod ask;
mod built_in;
mod crowd;
mod doors;
mod draw;
mod figures;
mod file;
mod followers;
mod frames;
mod guide;
mod land;
mod mode;
pub mod painted;
mod raster;
mod route;
mod rule;
mod walker;

pub use agents::Agents;
pub use answer::{add_answer, color_of, paint_answer};
pub use ask::{MapAnswer, MapTool, letters};
pub use built_in::{MapKind, SIDE, UnknownMap};
pub use doors::{Doors, SECOND};
pub(crate) use draw::HANDLE;
pub use draw::{add_map, flip, paint_handles, sheet};
pub use figures::MapFigures;
pub use file::{MAX_SIDE, is_map, read};
pub use frames::{Frames, LONG};
pub use guide::Guide;
pub use land::{Churn, Land, Paint, Stroke, cell_at, middle, square};
pub use mode::{BRUSH, Brush, DOORS, Fresh, MapMode, WALKERS, Walk};
pub use route::{BrokenPath, Route};
pub use rule::{MOST_WALLS, MapRule, SMALLEST_SIDE};
pub use walker::{Mood, Tally};
