//! glam 0.32: conversions between boxes and corners.

use glam_0_32::{DVec2, IVec2, Vec2};

super::points!(Vec2 => f32, DVec2 => f64, IVec2 => i32);
