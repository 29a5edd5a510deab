//! The globe: WGS 84, positions in space.
//!
//! # Why space
//!
//! Longitudes jump, meridians meet, and every flat map of the globe is wrong somewhere. Space has none of that: a position
//! is three numbers from the center of the earth, a path is a straight line, and the closed form of the plane also works
//! in space. What space gets wrong is small, and corrected or bounded here:
//!
//! 1. **A chord is shorter than the arc above it**, by s³ / 24ρ², where ρ is the radius of curvature there: between
//!    6,335 and 6,400 km. Lengths are converted with one radius in the middle, so what remains is 1 % of that at most:
//!    1.1·10⁻¹⁷ s³ m⁻².
//! 2. **A straight piece dips below the ground**, by L² / 8ρ: ways are divided into pieces of at most 5 km, which dip
//!    half a meter. The dip would count as distance between two tracks. So the vertical part is taken out of the vector
//!    between them. What is vertical? For positions on an ellipsoid `xᵀQx = 1`, the vector `a - b` is *exactly*
//!    perpendicular to `Q(a + b)`, because `aᵀQa - bᵀQb = 0`. So taking out the part along `Q(a + b)` changes nothing
//!    on the ground and removes the dip.
//! 3. **Along a piece the vertical turns** by L / ρ. At its ends each has its own; between them, that of the middle is
//!    taken, which shortens vectors by (L / 2ρ)² / 2, or 8·10⁻⁸: of the distance, and of the few kilometers on which it
//!    changes. A ship on a chord also runs ahead of one on the arc by a tenth of a millimeter.
//!
//! In all: half a millimeter, and 10⁻⁷ of the distance, and 1.1·10⁻¹⁷ m⁻² of its cube. The tests hold it against
//! geodesics on the ellipsoid.

use std::f64::consts::FRAC_PI_2;

use super::{Ground, dot, squared};

/// The greatest limit of distance: beyond, one radius for the whole earth is no longer good enough.
pub(crate) const MAX_DISTANCE: f64 = 1e6;

/// Half the greatest diameter, in meters (WGS 84).
const EQUATOR: f64 = 6_378_137.0;
/// How much shorter the axis is than the greatest diameter, as a share of it (WGS 84).
const FLATTENING: f64 = 1.0 / 298.257_223_563;
/// The square of the axis by the square of the greatest diameter.
const SQUEEZE: f64 = (1.0 - FLATTENING) * (1.0 - FLATTENING);
/// In the middle of the radii of curvature, 6,335,439 m (along the meridian at the equator) to 6,399,594 m (at the
/// poles).
const RADIUS: f64 = 6_367_400.0;
/// The least radius of curvature.
const MIN_RADIUS: f64 = 6_335_439.0;
/// The longest straight piece, in meters. Longer ones would dip more; with shorter ones, aircraft that report every ten
/// seconds would need more pieces.
const MAX_PIECE: f64 = 5_000.0;

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Globe;

impl Ground<3> for Globe {
    /// The faces of a cube around the earth, seen along its axes; opposite ones are the same pair.
    const PANES: &'static [[usize; 2]] = &[[1, 2], [1, 2], [0, 2], [0, 2], [0, 1], [0, 1]];

    fn position(longitude: f64, latitude: f64) -> [f64; 3] {
        let (sin, cos) = latitude.to_radians().sin_cos();
        // Whole turns make no difference, not even in the last bit.
        let turn = 360.0 * (f64::from(longitude <= -180.0) - f64::from(longitude > 180.0));
        let (east, west) = (longitude + turn).to_radians().sin_cos();
        // Exactly the pole, where the cosine of a rounded right angle is not exactly 0.
        let cos = if latitude.abs() == 90.0 { 0.0 } else { cos };
        on_ellipsoid(&[cos * west, cos * east, sin])
    }

    /// The foot on the ellipsoid: Bowring, *Transformation from spatial to geographical coordinates*, 1976; one step,
    /// exact to a nanometer within kilometers of the ground.
    fn coordinates(position: &[f64; 3]) -> [f64; 2] {
        let [x, y, z] = *position;
        let across = x.hypot(y);
        let axis = EQUATOR * (1.0 - FLATTENING);
        let (sin, cos) = (z * EQUATOR).atan2(across * axis).sin_cos();
        let up = z + (1.0 / SQUEEZE - 1.0) * axis * sin * sin * sin;
        let out = across - (1.0 - SQUEEZE) * EQUATOR * cos * cos * cos;
        let latitude = if across == 0.0 { FRAC_PI_2.copysign(z) } else { up.atan2(out) };
        [y.atan2(x).to_degrees(), latitude.to_degrees()]
    }

    #[inline]
    fn up(a: &[f64; 3], b: &[f64; 3]) -> [f64; 3] {
        [a[0] + b[0], a[1] + b[1], (a[2] + b[2]) * (1.0 / SQUEEZE)]
    }

    #[inline]
    fn level(offset: &[f64; 3], up: &[f64; 3]) -> [f64; 3] {
        let share = dot(offset, up) / squared(up);
        [offset[0] - share * up[0], offset[1] - share * up[1], offset[2] - share * up[2]]
    }

    fn chord(length: f64) -> f64 {
        2.0 * RADIUS * (length / (2.0 * RADIUS)).sin()
    }

    fn length(chord: f64) -> f64 {
        2.0 * RADIUS * (chord / (2.0 * RADIUS)).min(1.0).asin()
    }

    fn sag(longest: f64) -> f64 {
        longest * longest / (8.0 * MIN_RADIUS) * 1.01
    }

    fn pieces(a: &[f64; 3], b: &[f64; 3]) -> f64 {
        let chord = squared(&std::array::from_fn::<_, 3, _>(|axis| a[axis] - b[axis])).sqrt();
        if chord <= MAX_PIECE { 1.0 } else { (Self::length(chord) * 1.01 / MAX_PIECE).ceil() }
    }

    fn between(a: &[f64; 3], b: &[f64; 3], share: f64) -> [f64; 3] {
        let [a, b] = [unit(&upright(a)), unit(&upright(b))];
        let cos = dot(&a, &b);
        let aside: [f64; 3] = std::array::from_fn(|axis| b[axis] - cos * a[axis]);
        let sin = squared(&aside).sqrt();
        let aside = if sin > 0.0 { aside.map(|part| part / sin) } else { square_to(&a) };
        let (sin, cos) = (share * sin.atan2(cos)).sin_cos();
        on_ellipsoid(&std::array::from_fn(|axis| cos * a[axis] + sin * aside[axis]))
    }

    /// A direction meets the face of its greatest coordinate.
    fn panes(min: &[f64; 3], max: &[f64; 3]) -> u8 {
        let least = std::array::from_fn::<_, 3, _>(|axis| {
            if min[axis] <= 0.0 && max[axis] >= 0.0 { 0.0 } else { min[axis].abs().min(max[axis].abs()) }
        });
        (0..6_u8).fold(0, |panes, pane| {
            let axis = usize::from(pane / 2);
            let farthest = if pane % 2 == 0 { max[axis] } else { -min[axis] };
            let meets = (0..3).all(|other| other == axis || farthest >= least[other]);
            panes | u8::from(meets) << pane
        })
    }
}

/// The direction that is up at a position.
fn upright(position: &[f64; 3]) -> [f64; 3] {
    [position[0], position[1], position[2] / SQUEEZE]
}

fn unit(vector: &[f64; 3]) -> [f64; 3] {
    let length = squared(vector).sqrt();
    vector.map(|part| part / length)
}

/// The position on the ellipsoid where this direction, of length 1, is up.
fn on_ellipsoid(up: &[f64; 3]) -> [f64; 3] {
    let across = EQUATOR / (1.0 - (1.0 - SQUEEZE) * up[2] * up[2]).sqrt();
    [across * up[0], across * up[1], across * SQUEEZE * up[2]]
}

/// Some direction perpendicular to another: between antipodes, all paths are equally short.
fn square_to(direction: &[f64; 3]) -> [f64; 3] {
    let [x, y, z] = *direction;
    if x.abs().max(y.abs()) > 0.0 { unit(&[-x * z, -y * z, x * x + y * y]) } else { [1.0, 0.0, 0.0] }
}
