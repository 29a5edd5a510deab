//! glam 0.33: corners of boxes, and points to ask about. Other arguments convert with `.into()`, for glam's vectors are arrays to it.

use glam_0_33::{DVec2, IVec2, Vec2};

super::points!(Vec2 => f32, DVec2 => f64, IVec2 => i32);
