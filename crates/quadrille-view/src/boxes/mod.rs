//! The boxes mode: boxes, points and shapes from a file, which do not move, over one structure or two.
//!
//! | file | contents |
//! |---|---|
//! | `partners` | how many others each box overlaps |
//! | `sheet` | the boxes, their structures, and the one that was picked |
//! | `outlines` | shapes as lines |
//! | `draw` | the picture |
//! | `example` | a built-in, made-up town |
//! | `figures` | the figures |
//!
//! `stage::boxes` shows it, `panels::boxes` its controls.

mod draw;
mod example;
mod figures;
mod outlines;
mod partners;
mod sheet;

pub use draw::{Drawn, add_boxes, color};
pub use example::{EXAMPLE, example};
pub use figures::BoxFigures;
pub use sheet::{Arranged, MOST_PAIRS, Picked, Sheet};
