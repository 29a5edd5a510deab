//! The tracks mode: ships, aircraft or people from a file of fixes, played, with their encounters lit.
//!
//! | file | contents |
//! |---|---|
//! | `meet` | what counts as an encounter, as text |
//! | `moments` | times as people read them |
//! | `player` | tracks, encounters and the present time |
//! | `draw` | the picture |
//! | `example` | made-up tracks that are always there |
//! | `figures` | its figures |
//!
//! It is shown by `stage::tracks`, its controls by `panels::tracks`.

mod draw;
mod example;
mod figures;
mod meet;
mod moments;
mod player;

pub use draw::{add_present, add_tracks};
pub use example::{EXAMPLE, EXAMPLE_WITHIN, example};
pub use figures::TrackFigures;
pub use meet::Meet;
pub use moments::Moments;
pub use player::{Lit, Player, Present, Who};
