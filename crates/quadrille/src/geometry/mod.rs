//! Floor 0: numbers, boxes and other shapes, tree cells, grid lattices, Morton codes. Knows nothing about structures.
//!
//! | file | contents |
//! |---|---|
//! | `scalar.rs` | the three number types |
//! | `wide.rs` | numbers wide enough to compute with coordinates |
//! | `aabb.rs` | the box, and that edges belong to it |
//! | `square.rs` | squares of distances, to be compared |
//! | `distance.rs` | how far apart boxes are, and whether that is near enough |
//! | `polygon.rs` | convex polygons |
//! | `sweep.rs` | a moving box or a ray, and what it hits first |
//! | `cell.rs` | the cell of a quadtree node |
//! | `lattice.rs` | the columns and rows of a grid |
//! | `morton.rs` | Morton codes (Z-order) |

mod aabb;
mod cell;
mod distance;
mod lattice;
pub mod morton;
mod polygon;
mod scalar;
mod square;
mod sweep;
mod wide;

pub use aabb::{Aabb, BoundsError};
pub(crate) use cell::Cell;
pub(crate) use distance::{Reach, apart};
pub(crate) use lattice::{Lattice, Span};
pub use polygon::{ConvexPolygon, PolygonError};
pub use scalar::Scalar;
pub use square::{AnySquare, Square};
pub(crate) use sweep::Slabs;
pub use sweep::{Contact, Sweep};
pub(crate) use wide::sqrt_above;
pub use wide::{Fraction, Ratio, Wide};

/// Both of something: for the two axes, say. The `map` of an array is a dozen functions, to be compiled for each closure.
#[inline(always)]
pub(crate) fn both<T>(mut of: impl FnMut(usize) -> T) -> [T; 2] {
    [of(0), of(1)]
}
