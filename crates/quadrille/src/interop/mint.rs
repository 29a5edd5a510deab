//! mint: conversions between boxes and corners.
//!
//! A point may be a `Point2` or, from crates without points, a `Vector2`.

use mint::{Point2, Vector2};

super::points! {
    Point2<f32> => f32, Point2<f64> => f64, Point2<i32> => i32,
    Vector2<f32> => f32, Vector2<f64> => f64, Vector2<i32> => i32,
}
