//! The boxes mode: boxes, points and shapes from a file, which stand still, over one structure or two.
//!
//! | file | what it knows |
//! |---|---|
//! | `flat` | where coordinates of the file are in the picture |
//! | `partners` | with how many others each box overlaps |
//! | `sheet` | the boxes, their structures, and the one that was picked |
//! | `outlines` | shapes as lines |
//! | `draw` | the picture |
//! | `example` | a made-up town that is always there |
//! | `figures` | its figures |
//!
//! It is shown by `stage::boxes`, its controls by `panels::boxes`.

mod draw;
mod example;
mod figures;
mod flat;
mod outlines;
mod partners;
mod sheet;

pub use draw::{Drawn, add_boxes, color, coverage};
pub use example::{EXAMPLE, example};
pub use figures::BoxFigures;
pub use sheet::{Arranged, MOST_PAIRS, Picked, Sheet};
