//! The closed form: when two points that move straight at constant speed are within the limits.
//!
//! # The plain algorithm
//!
//! Over a common time, from 0 to 1 as a share `s` of it, the offset between two points goes straight from `r₀` to `r₁`:
//! `r(s) = r₀ + s w` with `w = r₁ - r₀`. The times when `|r(s)|² <= d²` are those between the roots of a quadratic, cut
//! to [0, 1].
//!
//! # Departures, and what each buys
//!
//! 1. **Nothing is divided by time.** A speed overflows when two fixes are nearly simultaneous; offsets do not.
//! 2. **Ends are decided by themselves**, not by the roots: `|r₀|² <= d²` begins at exactly 0, and `|r₁|² <= d²` ends
//!    at exactly 1. Where one common time ends another begins, with the same offset bit by bit, so an encounter that
//!    goes on does so without a seam. If both ends are within, so is everything between, because a disc is convex;
//!    two that stand still (`w = 0`) need no root at all.
//! 3. **The discriminant is not `b² - ac`**, which cancels if paths are nearly tangential, but `d² w² - |r₀ × w|²`:
//!    how far the limit is from the nearest point of the line, by the area of a parallelogram. Both products are
//!    rounded once, not subtracted from greater ones; a head-on course at distance 0 gives exactly 0. Both are taken
//!    from the nearer end, whose rounding is smaller.
//! 4. **Tangential**: `|r₀ × w|² <= d² w²`, so touching counts.
//!
//! Source of the idea: any course on analytic geometry; PostGIS' `ST_ClosestPointOfApproach` (2015) does the same for
//! one pair of tracks.

use crate::ground::{Ground, dot, squared};
use crate::limits::Limits;

/// The limits, in the units of the computation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reach {
    /// The square of the longest chord.
    pub(crate) chord_squared: f64,
    /// The greatest difference of heights; infinite if heights do not matter.
    pub(crate) vertical: f64,
}

/// Two points at one time: from one to the other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Apart<const D: usize> {
    pub(crate) time: f64,
    pub(crate) offset: [f64; D],
    /// Which way is up between them.
    pub(crate) up: [f64; D],
    /// The square of the level offset: how far apart they are at this time.
    pub(crate) squared: f64,
    pub(crate) height: f64,
}

/// When two points are within the limits, and when they are closest then.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Approach {
    pub(crate) start: f64,
    pub(crate) end: f64,
    pub(crate) closest: Closest,
}

/// The nearest that two points come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Closest {
    pub(crate) time: f64,
    pub(crate) chord_squared: f64,
    pub(crate) height: f64,
}

impl Reach {
    pub(crate) fn new<G: Ground<D>, const D: usize>(limits: &Limits) -> Self {
        let chord = G::chord(limits.within);
        Self { chord_squared: chord * chord, vertical: limits.vertical.unwrap_or(f64::INFINITY) }
    }

    /// When two points are within the limits between two times; `None` if never. Constant cost, no allocation.
    #[inline]
    pub(crate) fn approach<G: Ground<D>, const D: usize>(&self, from: &Apart<D>, to: &Apart<D>) -> Option<Approach> {
        let line = Line::between::<G>(from, to);
        let level = line.within(self.chord_squared)?;
        let upright = within(from.height, to.height, self.vertical)?;
        let [start, end] = [level[0].max(upright[0]), level[1].min(upright[1])];
        if start > end {
            return None;
        }
        // The ends are decided by themselves: where rounding brings them nearer, and so that an instant agrees with
        // everything that begins at it.
        let shares = [start, line.nearest.clamp(start, end), end];
        let squares = shares.map(|share| line.squared_at(share));
        let nearest = (1..3).fold(0, |nearest, other| if squares[other] < squares[nearest] { other } else { nearest });
        let share = shares[nearest];
        // Never beyond the end, whatever rounding does.
        let time = |share| at(from.time, to.time, share).min(to.time);
        let closest = Closest {
            time: time(share),
            chord_squared: squares[nearest],
            height: at(from.height, to.height, share).abs(),
        };
        Some(Approach { start: time(start), end: time(end), closest })
    }
}

/// An offset that goes straight from `r0` to `r1`.
struct Line<const D: usize> {
    r0: [f64; D],
    w: [f64; D],
    r0_squared: f64,
    r1_squared: f64,
    w_squared: f64,
    /// `|r × w|²`.
    area_squared: f64,
    /// Where the whole line is nearest, as a share; may lie outside 0 to 1.
    nearest: f64,
}

impl<const D: usize> Line<D> {
    /// Projected to the horizontal at the midpoint; the distances at the ends are exact.
    #[inline]
    fn between<G: Ground<D>>(from: &Apart<D>, to: &Apart<D>) -> Self {
        let up = std::array::from_fn(|axis| from.up[axis] + to.up[axis]);
        let [r0, r1] = [G::level(&from.offset, &up), G::level(&to.offset, &up)];
        let w = std::array::from_fn(|axis| r1[axis] - r0[axis]);
        let w_squared = squared(&w);
        let from_start = from.squared <= to.squared;
        let nearer = if from_start { &r0 } else { &r1 };
        let nearest = if w_squared > 0.0 {
            let share = -dot(nearer, &w) / w_squared;
            if from_start { share } else { 1.0 + share }
        } else {
            0.0
        };
        let area_squared = area_squared(nearer, &w);
        Self { r0, w, r0_squared: from.squared, r1_squared: to.squared, w_squared, area_squared, nearest }
    }

    /// From which share to which the offset is within a limit.
    #[inline]
    fn within(&self, limit_squared: f64) -> Option<[f64; 2]> {
        let [begins, ends] = [self.r0_squared <= limit_squared, self.r1_squared <= limit_squared];
        if begins && ends {
            return Some([0.0, 1.0]);
        }
        let room = limit_squared * self.w_squared - self.area_squared;
        let passes = room >= 0.0 && self.w_squared > 0.0 && self.nearest > 0.0 && self.nearest < 1.0;
        if !(begins || ends || passes) {
            return None;
        }
        let half = room.max(0.0).sqrt() / self.w_squared;
        let start = if begins { 0.0 } else { (self.nearest - half).clamp(0.0, 1.0) };
        let end = if ends { 1.0 } else { (self.nearest + half).clamp(0.0, 1.0) };
        Some([start, end])
    }

    #[inline]
    fn squared_at(&self, share: f64) -> f64 {
        if share == 0.0 {
            self.r0_squared
        } else if share == 1.0 {
            self.r1_squared
        } else if share == self.nearest {
            self.area_squared / self.w_squared
        } else {
            squared(&std::array::from_fn::<_, D, _>(|axis| self.r0[axis] + share * self.w[axis]))
        }
    }
}

/// `|r × w|²`, the square of the area that two vectors span: a sum over the pairs of axes.
#[inline]
fn area_squared<const D: usize>(r: &[f64; D], w: &[f64; D]) -> f64 {
    let mut sum = 0.0;
    for i in 0..D {
        for j in i + 1..D {
            let area = r[i] * w[j] - r[j] * w[i];
            sum += area * area;
        }
    }
    sum
}

/// From which share to which a number that goes straight from `h0` to `h1` is within a limit of zero.
#[inline]
fn within(h0: f64, h1: f64, limit: f64) -> Option<[f64; 2]> {
    let [begins, ends] = [h0.abs() <= limit, h1.abs() <= limit];
    let crossing = |level: f64| ((level - h0) / (h1 - h0)).clamp(0.0, 1.0);
    match (begins, ends) {
        (true, true) => Some([0.0, 1.0]),
        (true, false) => Some([0.0, crossing(limit.copysign(h1))]),
        (false, true) => Some([crossing(limit.copysign(h0)), 1.0]),
        (false, false) if (h0 < 0.0) == (h1 < 0.0) => None,
        (false, false) => Some([crossing(limit.copysign(h0)), crossing(limit.copysign(h1))]),
    }
}

/// Interpolates between two numbers; the ends are exact.
#[inline]
pub(crate) fn at(from: f64, to: f64, share: f64) -> f64 {
    if share == 1.0 { to } else { from + share * (to - from) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ground::Plane;

    fn apart(time: f64, offset: [f64; 2], height: f64) -> Apart<2> {
        Apart { time, offset, up: [0.0; 2], squared: squared(&offset), height }
    }

    fn approach(r0: [f64; 2], r1: [f64; 2], limit: f64) -> Option<[f64; 4]> {
        let reach = Reach { chord_squared: limit * limit, vertical: f64::INFINITY };
        let Approach { start, end, closest } =
            reach.approach::<Plane, 2>(&apart(0.0, r0, 0.0), &apart(10.0, r1, 0.0))?;
        Some([start, end, closest.time, closest.chord_squared.sqrt()])
    }

    #[test]
    fn crossing_passing_and_missing() {
        assert_eq!(approach([-10.0, 3.0], [10.0, 3.0], 5.0), Some([3.0, 7.0, 5.0, 3.0]));
        assert_eq!(approach([-10.0, 6.0], [10.0, 6.0], 5.0), None);
        assert_eq!(approach([6.0, 0.0], [16.0, 0.0], 5.0), None);
    }

    #[test]
    fn head_on_at_no_distance_meets_for_an_instant() {
        assert_eq!(approach([-3.0, 0.0], [7.0, 0.0], 0.0), Some([3.0, 3.0, 3.0, 0.0]));
        assert_eq!(approach([-3.0, -6.0], [7.0, 14.0], 0.0), Some([3.0, 3.0, 3.0, 0.0]));
    }

    #[test]
    fn touching_counts() {
        assert_eq!(approach([-10.0, 5.0], [10.0, 5.0], 5.0), Some([5.0, 5.0, 5.0, 5.0]), "tangential");
        assert_eq!(approach([5.0, 0.0], [15.0, 0.0], 5.0), Some([0.0, 0.0, 0.0, 5.0]), "leaving");
        assert_eq!(approach([15.0, 0.0], [5.0, 0.0], 5.0), Some([10.0, 10.0, 10.0, 5.0]), "arriving");
        assert_eq!(approach([3.0, 4.0], [3.0, 4.0], 5.0), Some([0.0, 10.0, 0.0, 5.0]), "side by side");
    }

    #[test]
    fn heights_count_at_the_same_time() {
        // Near each other from 3 to 7; the heights are within 100 from 6 on.
        let reach = Reach { chord_squared: 25.0, vertical: 100.0 };
        let from = apart(0.0, [-10.0, 3.0], 400.0);
        let to = apart(10.0, [10.0, 3.0], -100.0);
        let found = reach.approach::<Plane, 2>(&from, &to).expect("they meet");
        assert_eq!([found.start, found.end, found.closest.time, found.closest.height], [6.0, 7.0, 6.0, 100.0]);
        let to = Apart { height: 100.0, ..to };
        assert_eq!(reach.approach::<Plane, 2>(&from, &to), None, "low enough only when they have passed");
    }

    #[test]
    fn heights_may_pass_through_between_two_ends() {
        assert_eq!(within(-300.0, 300.0, 100.0).map(|shares| shares.map(|share| share * 3.0)), Some([1.0, 2.0]));
        assert_eq!(within(101.0, 300.0, 100.0), None);
        assert_eq!(within(0.0, 0.0, 0.0), Some([0.0, 1.0]));
    }

    #[test]
    fn nothing_overflows_or_is_lost_at_the_ends_of_the_range() {
        let huge = approach([-1e30, 0.0], [1e30, 0.0], 1e30).expect("within all the way");
        assert_eq!(huge, [0.0, 10.0, 5.0, 0.0]);
        let tiny = approach([-2e-60, 0.0], [2e-60, 0.0], 1e-60).expect("passes");
        assert!(
            tiny.iter().zip([2.5, 7.5, 5.0, 0.0]).all(|(found, expected)| (found - expected).abs() < 1e-12),
            "{tiny:?}"
        );
    }
}
