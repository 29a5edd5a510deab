//! Floor 0: numbers, boxes, tree cells, Morton codes. Knows nothing of structures.

mod aabb;
mod cell;
pub mod morton;
mod scalar;
mod wide;

pub use aabb::{Aabb, BoundsError};
pub(crate) use cell::Cell;
pub use scalar::Scalar;
pub(crate) use wide::sqrt_above;
pub use wide::{Fraction, Ratio, Wide};
