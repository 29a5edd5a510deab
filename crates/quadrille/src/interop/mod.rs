//! Conversions for other crates, one feature each, named after the crate. The floors below do not use them.
//! Serialization is derived where things are declared: see `serial`.

#[cfg(feature = "rayon")]
mod rayon;

/// `points!(point => scalar, …)`: conversions between boxes and pairs of corners, for point types of other crates.
/// These convert to and from arrays themselves, so you can pass them wherever a point or a vector is expected.
#[cfg(any(feature = "glam-0_32", feature = "glam-0_33", feature = "glam-0_34", feature = "mint"))]
macro_rules! points {
    ($($point:ty => $scalar:ty),* $(,)?) => {$(
        impl From<($point, $point)> for $crate::Aabb<$scalar> {
            /// From the lower and the upper corner, unchecked.
            fn from((min, max): ($point, $point)) -> Self {
                Self { min: min.into(), max: max.into() }
            }
        }

        impl From<$crate::Aabb<$scalar>> for ($point, $point) {
            /// The lower and the upper corner.
            fn from($crate::Aabb { min, max }: $crate::Aabb<$scalar>) -> Self {
                (min.into(), max.into())
            }
        }

        impl From<$point> for $crate::Aabb<$scalar> {
            /// The box of zero size at a point.
            fn from(point: $point) -> Self {
                Self::from_point(point)
            }
        }
    )*};
}

#[cfg(feature = "glam-0_32")]
points!(glam_0_32::Vec2 => f32, glam_0_32::DVec2 => f64, glam_0_32::IVec2 => i32);
#[cfg(feature = "glam-0_33")]
points!(glam_0_33::Vec2 => f32, glam_0_33::DVec2 => f64, glam_0_33::IVec2 => i32);
#[cfg(feature = "glam-0_34")]
points!(glam_0_34::Vec2 => f32, glam_0_34::DVec2 => f64, glam_0_34::IVec2 => i32);
// From crates without points, a point may be a vector.
#[cfg(feature = "mint")]
points! {
    mint::Point2<f32> => f32, mint::Point2<f64> => f64, mint::Point2<i32> => i32,
    mint::Vector2<f32> => f32, mint::Vector2<f64> => f64, mint::Vector2<i32> => i32,
}
