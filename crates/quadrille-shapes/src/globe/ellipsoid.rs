//! The ellipsoid WGS 84, and how exact distances on it are.

/// Longitude and latitude.
pub(super) type Point = [f64; 2];

/// Meters: the half axes.
pub(super) const LONGER: f64 = 6_378_137.0;
pub(super) const SHORTER: f64 = 6_356_752.314_245_18;
/// Meters: far more than the rounding error of an angle or a geodesic.
pub(super) const SLACK: f64 = 1e-6;
/// Meters by which distances to edges may be too short. They are never too long.
pub(super) const ERROR: f64 = 1e-3;
