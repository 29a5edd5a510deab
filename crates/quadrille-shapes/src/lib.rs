//! **Which of many points, lines and polygons intersect, contain or touch each other.**
//!
//! [`Geometries`] holds shapes side by side: points, lines, polygons with holes, several of these in one. A
//! [`Predicate`] compares two of them, and [`join`] all pairs of two sets: boxes are joined first, then the edges near
//! both boxes. The predicates are those of OGC's *Simple Features* (DE-9IM), as GEOS and PostGIS have them,
//! and they are exact: every decision is the sign of a determinant of coordinates as they were given, computed without
//! rounding. [`relate`] gives the whole matrix. [`distance`] and [`in_common`], the area or length of what two have in
//! common, are rounded. Distances in meters on the earth are in [`globe`].
//!
//! ```
//! use quadrille_shapes::{Geometries, Part, Predicate, join};
//!
//! let mut zones = Geometries::new();
//! zones.part(Part::Shell);
//! [[0.0, 0.0], [4.0, 0.0], [0.0, 4.0], [0.0, 0.0]].into_iter().for_each(|[x, y]| zones.vertex(x, y));
//! zones.finish()?;
//!
//! let mut shops = Geometries::new();
//! for [x, y] in [[1.0, 1.0], [3.0, 3.0], [2.0, 2.0]] {
//!     shops.part(Part::Point);
//!     shops.vertex(x, y);
//!     shops.finish()?;
//! }
//! // The box contains all three; the triangle contains one, and one more lies on its edge.
//! let pairs = |predicate| join(&zones, &shops, predicate).map(|mut pairs| { pairs.sort_unstable(); pairs });
//! assert_eq!(pairs(Predicate::Contains)?, [(0, 0)]);
//! assert_eq!(pairs(Predicate::Intersects)?, [(0, 0), (0, 2)]);
//! # Ok::<(), quadrille_shapes::Fault>(())
//! ```

#![forbid(unsafe_code)]

mod best;
mod bytes;
mod certificate;
mod chain;
mod common;
mod contact;
mod crowd;
mod distance;
mod fault;
mod geometries;
pub mod globe;
mod join;
mod kept;
mod locate;
mod many;
mod matrix;
mod meet;
mod nearest;
mod node;
mod parts;
mod predicate;
mod relate;
mod runs;
mod segment;
mod trees;
mod wkb;

pub use best::Wanted;
pub use common::in_common;
pub use distance::{distance, is_within, reach_of_boxes};
pub use fault::{Fault, OffEarth};
pub use geometries::{Geometries, Part};
pub use join::{Joiner, Relation, Side, join, join_while, join_within};
pub use matrix::Matrix;
pub use nearest::Nearest;
pub use predicate::{Predicate, UnknownPredicate};
pub use relate::relate;
pub use wkb::{Taker, read_wkb};
