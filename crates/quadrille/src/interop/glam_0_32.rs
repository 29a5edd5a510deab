//! glam 0.32: corners of boxes, and points to ask about. Other arguments convert with `.into()`, for glam's vectors are arrays to it.

use glam_0_32::{DVec2, IVec2, Vec2};

super::points!(Vec2 => f32, DVec2 => f64, IVec2 => i32);
