//! Floor 0: numbers, boxes, tree cells, grid lattices, Morton codes. Knows nothing of structures.

mod aabb;
mod cell;
mod lattice;
pub mod morton;
mod scalar;

pub use aabb::{Aabb, BoundsError};
pub(crate) use cell::Cell;
pub(crate) use lattice::{Lattice, Span};
pub use scalar::Scalar;
