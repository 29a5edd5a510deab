//! Floor 0: numbers, boxes, tree cells, Morton codes. Knows nothing of structures.

mod aabb;
mod cell;
pub mod morton;
mod scalar;

pub use aabb::{Aabb, BoundsError};
pub(crate) use cell::Cell;
pub use scalar::Scalar;
