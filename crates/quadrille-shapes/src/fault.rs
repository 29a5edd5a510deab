//! What is wrong with a geometry or a query.

use std::error::Error;
use std::fmt;

use quadrille::Aabb;

/// Why a geometry is refused, or a query about it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fault {
    /// A coordinate is NaN or infinite: it is named.
    NotFinite(f64),
    /// A ring does not end where it begins: both points.
    Open([f64; 2], [f64; 2]),
    /// A ring has fewer than four points, counting the last, which repeats the first: how many.
    ShortRing(usize),
    /// A line has only one point.
    ShortLine([f64; 2]),
    /// There are too many coordinates to number.
    TooMany,
    /// There is no memory for another geometry.
    Memory,
    /// The bytes are not those of a stored geometry.
    Bytes,
    /// The caller stopped the work.
    Stopped,
    /// The predicate has no answer for points, lines and polygons in one collection, or for several polygons in one:
    /// its number.
    Mixed(u32),
    /// A geometry is not on the earth: its number, and why.
    OffEarth(u32, OffEarth),
}

/// Why coordinates are not degrees of longitude and latitude.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum OffEarth {
    /// This latitude is beyond a pole.
    Latitude(f64),
    /// This is not a longitude: those are between -360 and 360.
    Longitude(f64),
}

impl OffEarth {
    /// What is wrong with a box of degrees, if anything is.
    #[must_use]
    pub fn of(bounds: &Aabb<f64>) -> Option<Self> {
        let ([west, south], [east, north]) = (bounds.min, bounds.max);
        if south < -90.0 || north > 90.0 {
            return Some(Self::Latitude(if south < -90.0 { south } else { north }));
        }
        // The east may be a turn ahead: of what crosses the antimeridian, or Greenwich from 350 degrees on.
        let is_off = west.abs() > 360.0 || east > west + 360.0;
        is_off.then_some(Self::Longitude(if west.abs() > 360.0 { west } else { east }))
    }
}

impl fmt::Display for OffEarth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Latitude(latitude) => write!(f, "latitude {latitude} is beyond a pole"),
            Self::Longitude(longitude) => write!(f, "{longitude} is not a longitude"),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFinite(number) => write!(f, "has the coordinate {number}, which is not finite"),
            Self::Open([x, y], [end_x, end_y]) => {
                write!(f, "has a ring that is not closed: it begins at {x} {y} and ends at {end_x} {end_y}")
            }
            Self::ShortRing(count) => {
                write!(f, "has a ring of {count} positions; it needs four or more, and the last repeats the first")
            }
            Self::ShortLine([x, y]) => write!(f, "has a line of one position, {x} {y}"),
            Self::TooMany => write!(f, "is one too many: more than four billion coordinates"),
            Self::Memory => write!(f, "does not fit into memory"),
            Self::Bytes => write!(f, "is damaged: its stored bytes have changed"),
            Self::Stopped => write!(f, "was stopped"),
            Self::Mixed(number) => write!(
                f,
                "geometry {number} (from 0) is a collection of different things or of several polygons; of these, intersects, disjoint and \
                 distances can be asked"
            ),
            Self::OffEarth(number, what) => write!(f, "geometry {number} (from 0): {what}"),
        }
    }
}

impl Error for Fault {}
