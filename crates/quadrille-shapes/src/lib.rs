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
//!
//! | file | contents; each builds on those above it |
//! |---|---|
//! | `fault.rs` | what is wrong with a geometry or a query |
//! | `segment_intersection.rs` | how two edges meet, and on which side of an edge a point is, exactly |
//! | `runs.rs` | boxes around sixteen consecutive things, around sixteen of those, and so on: a tree without pointers |
//! | `edge_chain.rs` | a line or ring with the boxes of its runs of edges |
//! | `part_trees.rs` | the same boxes over the parts of geometries that have many |
//! | `geometries.rs` | the store: all points in one array, and where each part begins |
//! | `wkb.rs`, `bytes.rs` | reading WKB; a geometry as bytes to be stored and restored |
//! | `parts.rs` | the parts of a geometry that reach into a box |
//! | `point_location.rs` | whether a point is inside, outside or on the boundary |
//! | `rectangle_test.rs` | what boxes alone decide |
//! | `edge_intersections.rs` | which edges of two chains meet |
//! | `intersects.rs` | whether two geometries have a point in common |
//! | `intersection_matrix.rs` | the DE-9IM matrix |
//! | `noded_point.rs` | a point where edges meet, and what the matrix gets from it |
//! | `relate.rs` | the matrix of two geometries |
//! | `predicate.rs` | the predicates, as conditions on boxes and the matrix |
//! | `distance.rs` | how far apart two geometries are, by branch and bound |
//! | `overlap_area.rs` | the area or length that two have in common |
//! | `batch.rs` | lists that grow while there is memory; answers that wait to be visited in order |
//! | `point_in_polygon_batch.rs` | many points in polygons at once |
//! | `join.rs` | all pairs of two sets: candidates by their boxes, then decided |
//! | `best.rs` | the nearest so far |
//! | `nearest_to_points.rs` | the nearest to many points, which share lists |
//! | `nearest.rs` | the nearest to each geometry |
//! | `globe/` | the same distances on the earth |

#![forbid(unsafe_code)]

mod batch;
mod best;
mod bytes;
mod distance;
mod edge_chain;
mod edge_intersections;
mod fault;
mod geometries;
pub mod globe;
mod intersection_matrix;
mod intersects;
mod join;
mod nearest;
mod nearest_to_points;
mod noded_point;
mod overlap_area;
mod part_trees;
mod parts;
mod point_in_polygon_batch;
mod point_location;
mod predicate;
mod rectangle_test;
mod relate;
mod runs;
mod segment_intersection;
mod wkb;

pub use best::Wanted;
pub use distance::{distance, is_within, reach_of_boxes};
pub use fault::{Fault, OffEarth};
pub use geometries::{Geometries, Part};
pub use intersection_matrix::Matrix;
pub use join::{Joiner, Relation, Side, join, join_while, join_within};
pub use nearest::Nearest;
pub use overlap_area::in_common;
pub use predicate::{Predicate, UnknownPredicate};
pub use relate::relate;
pub use wkb::{Taker, read_wkb};
