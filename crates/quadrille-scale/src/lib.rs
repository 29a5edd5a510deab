//! **Pairs of overlapping boxes, among more boxes than fit in memory**: up to what the disk holds, within a given amount
//! of memory. The manual page is `docs/scale.md`.
//!
//! A [`Spool`] takes boxes and their rows one by one. A [`Join`] divides the plane into tiles according to a sample of
//! them and reports how much disk that needs; [`Join::run`] passes on the pairs, each once, in no particular order.
//! [`Nearest`] finds the nearest of each box instead, in order.
//!
//! ```
//! use quadrille::Aabb;
//! use quadrille_scale::{Join, Settings, Spool};
//!
//! let settings = Settings::new(64 << 20, std::env::temp_dir())?;
//! let mut boxes = Spool::new(&settings)?;
//! for row in 0..1000 {
//!     let x = f64::from(row);
//!     boxes.push(row, Aabb::new([x, 0.0], [x + 1.5, 1.0]))?;
//! }
//! let join = Join::new(&settings, boxes, None, 0.0)?;
//! let mut count = 0;
//! join.run(false, |_, _| Some(0.0), |pairs| pairs.len(), |found| {
//!     count += found;
//!     Ok::<_, quadrille_scale::Error>(())
//! })?;
//! assert_eq!(count, 999);
//! # Ok::<(), quadrille_scale::Error>(())
//! ```
//!
//! # How it works, and where
//!
//! | file | what |
//! |---|---|
//! | `settings.rs` | how the memory is shared out |
//! | `block.rs` | boxes and rows as bytes: 20 per box if `f32` can hold the coordinates, otherwise 36 |
//! | `spill.rs` | blocks in a file without a name, each with a checksum |
//! | `sample.rs` | some boxes of a stream, each equally likely |
//! | `shelf.rs` | bytes that belong to rows, such as geometries, on disk until they are needed |
//! | `spool.rs` | the boxes of a set, in order of arrival |
//! | `tiles.rs` | the plane, divided where the sample has its medians |
//! | `deal.rs` | distributes boxes over the tiles |
//! | `found.rs` | pairs on their way out |
//! | `tile.rs` | the pairs of one tile, by the block if it does not fit |
//! | `wide.rs` | the pairs of wide boxes with all others |
//! | `queue.rs` | what threads take from each other |
//! | `join.rs` | the whole |
//! | `nearest.rs` | the nearest instead of pairs: each tile searches the tiles around it, as far as it must |
//! | `ranges.rs` | the nearest in the order of rows |

#![forbid(unsafe_code)]

mod block;
mod deal;
mod error;
mod found;
mod join;
mod nearest;
mod queue;
mod ranges;
mod sample;
mod settings;
mod shelf;
mod spill;
mod spool;
#[cfg(test)]
mod tests;
mod tile;
mod tiles;
mod wide;

pub use error::Error;
pub use found::Pair;
pub use join::Join;
pub use nearest::{Metric, Named, Nearest, Searching, Take};
pub use settings::{Settings, Usage};
pub use shelf::Shelf;
pub use spool::Spool;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;
