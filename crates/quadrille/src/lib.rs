//! **quadrille answers *what is near what* for many things that move, in 2D, every frame.**

#![no_std]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod geometry;

pub use geometry::{Aabb, BoundsError, Scalar, morton};
