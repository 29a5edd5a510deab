//! Floor 0: numbers, boxes and other shapes, tree cells, grid lattices, Morton codes. Knows nothing of structures.

mod aabb;
mod cell;
mod lattice;
pub mod morton;
mod polygon;
mod scalar;
mod sweep;
mod wide;

pub use aabb::{Aabb, BoundsError};
pub(crate) use cell::Cell;
pub(crate) use lattice::{Lattice, Span};
pub use polygon::{ConvexPolygon, PolygonError};
pub use scalar::Scalar;
pub use sweep::{Contact, Sweep};
pub use wide::{Fraction, Ratio, Wide};
pub(crate) use wide::{sqrt, sqrt_above};
