//! Conversions for other crates: one file and one feature each, named after the crate. The floors below do not use
//! them. Serialization is derived where things are declared: see `serial`.

#[cfg(feature = "glam-0_32")]
mod glam_0_32;
#[cfg(feature = "glam-0_33")]
mod glam_0_33;
#[cfg(feature = "glam-0_34")]
mod glam_0_34;
#[cfg(feature = "mint")]
mod mint;
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

#[cfg(any(feature = "glam-0_32", feature = "glam-0_33", feature = "glam-0_34", feature = "mint"))]
use points;
