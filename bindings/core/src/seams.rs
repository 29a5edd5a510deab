//! A box that wraps: how far points are apart in it, and images of points beyond its seams.

use std::ops::ControlFlow::{self, Continue};

use quadrille::{Aabb, Near, PairsInParts, Part, Scalar};

use crate::call::{Column, Pulse, check_room_for_boxes};
use crate::error::Error;
use crate::queries::InParts;
use crate::rows::Rows;

/// The edges of a box across which points are near each other.
///
/// On an axis that wraps, two points are as far apart as the shorter of the two ways between them: `d` or `size - d`, where
/// `d` is the difference of their coordinates, all in `f64`. So two points have one distance, however far that counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seams {
    low: [f64; 2],
    high: [f64; 2],
    /// Infinite on an axis that does not wrap.
    size: [f64; 2],
}

/// How many boxes to the east and to the north an image of a point is.
type Turns = [i8; 2];

/// Half of the images beside a box: those of the other half have the same pairs, with the two swapped.
const HALF: [Turns; 4] = [[1, -1], [1, 0], [1, 1], [0, 1]];
const ALL: [Turns; 8] = [[-1, -1], [-1, 0], [-1, 1], [0, -1], [0, 1], [1, -1], [1, 0], [1, 1]];

impl Default for Seams {
    /// Nothing wraps.
    fn default() -> Self {
        Self { low: [f64::NEG_INFINITY; 2], high: [f64::INFINITY; 2], size: [f64::INFINITY; 2] }
    }
}

impl Seams {
    /// A box that wraps on the axes on which its edges are finite.
    ///
    /// # Errors
    /// Returns an error if an edge is NaN, or the box has no size on an axis.
    pub fn new(low: [f64; 2], high: [f64; 2]) -> Result<Self, Error> {
        let size = [0, 1].map(|axis| high[axis] - low[axis]);
        match size.iter().find(|&&size| size.is_nan() || size <= 0.0) {
            None => Ok(Self { low, high, size }),
            Some(size) => Err(Error::value(format!(
                "box: its size is more than zero, and infinite on an axis that does not wrap, not {size}"
            ))),
        }
    }

    /// Does an axis wrap?
    fn wraps(&self, axis: usize) -> bool {
        self.size[axis] < f64::INFINITY
    }

    /// Does any?
    pub(crate) fn are_any(&self) -> bool {
        self.wraps(0) || self.wraps(1)
    }

    /// Checks that all points are in the box, edges included, and that there are numbers for their images.
    pub(crate) fn check<S: Scalar>(&self, rows: Rows<'_, S>) -> Result<(), Error> {
        for axis in (0..2).filter(|&axis| self.wraps(axis)) {
            let (low, high) = (self.low[axis], self.high[axis]);
            if 2.0 * self.farthest(axis) > S::HIGHEST.finite().to_f64() {
                return Err(Error::value(format!("box: {} cannot go beyond {low} and {high}", S::NAME)));
            }
            let is_out = |row: &usize| !(low..=high).contains(&at(rows, *row)[axis]);
            if let Some(row) = (0..rows.len()).find(is_out) {
                let ([x, y], name) = (at(rows, row), ["x", "y"][axis]);
                return Err(Error::value(format!(
                    "row {row}: the point ({x}, {y}) is outside of the box, which goes from {low} to {high} on {name}"
                )));
            }
        }
        Ok(())
    }

    /// No coordinate of an image is farther from zero.
    fn farthest(&self, axis: usize) -> f64 {
        self.low[axis].abs().max(self.high[axis].abs()) + self.size[axis]
    }

    /// How far two points are apart on each axis.
    #[inline]
    pub(crate) fn gaps(&self, a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
        [0, 1].map(|axis| {
            let direct = (a[axis] - b[axis]).abs();
            let around = self.size[axis] - direct;
            if around < direct { around } else { direct }
        })
    }

    /// How far two points are apart.
    #[inline]
    pub(crate) fn distance(&self, a: [f64; 2], b: [f64; 2]) -> f64 {
        Aabb::from_point([0.0; 2]).distance(&Aabb::from_point(self.gaps(a, b)))
    }

    /// The image of `b` that is nearest to `a`; the point itself, if it is as near.
    #[inline]
    fn nearest(&self, a: [f64; 2], b: [f64; 2]) -> Turns {
        [0, 1].map(|axis| {
            let direct = (a[axis] - b[axis]).abs();
            if self.size[axis] - direct < direct { (a[axis] - b[axis]).signum() as i8 } else { 0 }
        })
    }

    /// More than a computed distance in the box differs from the true one, and one to an image from that.
    pub(crate) fn slack<S: Scalar>(&self) -> f64 {
        let axes = (0..2).filter(|&axis| self.wraps(axis));
        let farthest = axes.map(|axis| self.farthest(axis)).fold(0.0, f64::max);
        let rounded = S::from_f64(farthest).to_f64();
        if farthest > 0.0 { 4.0 * (S::at_least(rounded).to_f64() - rounded) } else { 0.0 }
    }

    /// Is a point so near to an edge that an image of it can be within these margins of the box?
    #[inline]
    fn is_beside(&self, point: [f64; 2], turns: Turns, margins: [f64; 2]) -> bool {
        (0..2).all(|axis| {
            let behind = if turns[axis] > 0 { point[axis] - self.low[axis] } else { self.high[axis] - point[axis] };
            turns[axis] == 0 || (self.wraps(axis) && behind <= margins[axis])
        })
    }
}

/// Which gaps of two points make a distance that counts: those up to a greatest one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Within {
    near: Near<f64>,
    square: f64,
    /// Squares that differ more from that one are decided by themselves.
    unclear: f64,
}

impl Within {
    pub(crate) fn new(r: f64) -> Self {
        let square = r * r;
        // If squares underflow or overflow, they decide nothing.
        let unclear = if square.is_normal() { 1e-6 * square } else { f64::INFINITY };
        Self { near: Near::point([0.0; 2]).within(r), square, unclear }
    }

    /// Without a branch that depends on whether they do, nearly always.
    #[inline]
    pub(crate) fn holds(&self, [x, y]: [f64; 2]) -> bool {
        let more = x * x + y * y - self.square;
        if more.abs() > self.unclear { more < 0.0 } else { self.holds_exactly([x, y]) }
    }

    #[cold]
    fn holds_exactly(&self, gaps: [f64; 2]) -> bool {
        self.near.distance(&Aabb::from_point(gaps)).is_some()
    }
}

/// A point.
#[inline]
pub(crate) fn at<S: Scalar>(rows: Rows<'_, S>, row: usize) -> [f64; 2] {
    rows.get(row).min.map(S::to_f64)
}

/// The pairs of points that are near each other in a box that wraps: those that are near as they are, and those of a point
/// and an image.
pub(crate) struct Around<'a, S: Scalar> {
    seams: Seams,
    here: Rows<'a, S>,
    /// The other set, if there are two.
    there: Option<Rows<'a, S>>,
    near: Within,
    /// Can points that are near as they are be nearer across a seam?
    is_wide: bool,
    direct: PairsInParts<S>,
    across: PairsInParts<S>,
    /// The row of each image, and where it is.
    of: Vec<(u32, Turns)>,
}

impl<'a, S: Scalar> Around<'a, S> {
    /// Takes points that have been checked.
    pub(crate) fn new(
        seams: Seams,
        here: Rows<'a, S>,
        there: Option<Rows<'a, S>>,
        r: f64,
        pulse: &Pulse<'_>,
    ) -> Result<Self, Error> {
        // What is decided here is found with a little more.
        let slack = seams.slack::<S>();
        let reach = r * (1.0 + 1e-12) + slack;
        let margins = seams.size.map(|size| reach.min(size / 2.0 + slack));
        let (mut images, mut of) = (Column::new(pulse), Column::new(pulse));
        let others = there.unwrap_or(here);
        for row in 0..others.len() {
            let point = at(others, row);
            for &turns in if there.is_some() { &ALL[..] } else { &HALF } {
                if seams.is_beside(point, turns, margins) {
                    let image = [0, 1].map(|axis| match turns[axis] {
                        0 => others.get(row).min[axis],
                        turn => S::from_f64(point[axis] + f64::from(turn) * seams.size[axis]),
                    });
                    images.push(Aabb::from_point(image))?;
                    of.push((row as u32, turns))?;
                }
            }
        }
        let (images, boxes) = (images.into_answers(), here.to_boxes()?);
        check_room_for_boxes(boxes.len() + others.len() + images.len())?;
        let direct = match there {
            None => PairsInParts::within(&boxes, r)?,
            Some(there) => PairsInParts::between_within(&boxes, &there.to_boxes()?, r)?,
        };
        let across = PairsInParts::between_within(&boxes, &images, reach)?;
        let is_wide = (0..2).any(|axis| reach > seams.size[axis] / 2.0);
        let near = Within::new(r);
        Ok(Self { seams, here, there, near, is_wide, direct, across, of: of.into_answers() })
    }

    #[inline]
    fn points(&self, a: u32, b: u32) -> [[f64; 2]; 2] {
        [at(self.here, a as usize), at(self.there.unwrap_or(self.here), b as usize)]
    }
}

impl<S: Scalar> InParts for Around<'_, S> {
    fn visit<B>(&self, part: Part, mut visit: impl FnMut(u32, u32) -> ControlFlow<B>) -> ControlFlow<B> {
        self.direct.part_visit(part, |a, b| {
            let [one, other] = if self.is_wide { self.points(a, b) } else { [[0.0; 2]; 2] };
            if self.seams.nearest(one, other) == [0, 0] { visit(a, b) } else { Continue(()) }
        })?;
        self.across.part_visit(part, |a, image| {
            let (b, turns) = self.of[image as usize];
            let [one, other] = self.points(a, b);
            if self.seams.nearest(one, other) != turns || !self.near.holds(self.seams.gaps(one, other)) {
                return Continue(());
            }
            if self.there.is_none() { visit(a.min(b), a.max(b)) } else { visit(a, b) }
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::{Call, NeighborList, Rows, Wanted, neighbors};

    use super::*;

    const SIDE: i32 = 40;

    /// Whole numbers from zero to the side, both included.
    fn scattered(points: i32) -> Vec<i32> {
        (0..2 * points).map(|number| (number.wrapping_mul(-1_640_531_535) >> 9).rem_euclid(SIDE + 1)).collect()
    }

    fn brute(
        here: &[i32],
        there: &[i32],
        r: f64,
        wraps: [bool; 2],
        is_pair: impl Fn(usize, usize) -> bool,
    ) -> Vec<u32> {
        let mut found = Vec::new();
        for (i, a) in here.chunks_exact(2).enumerate() {
            for (j, b) in there.chunks_exact(2).enumerate().filter(|&(j, _)| is_pair(i, j)) {
                let gap = |axis: usize| (a[axis] - b[axis]).abs();
                let gaps = [0, 1].map(|axis| if wraps[axis] { gap(axis).min(SIDE - gap(axis)) } else { gap(axis) });
                if f64::from(gaps[0] * gaps[0] + gaps[1] * gaps[1]) <= r * r {
                    found.push(j as u32);
                }
            }
        }
        found
    }

    #[test]
    fn neighbors_around_a_box_are_those_of_brute_force() {
        let (here, there) = (scattered(200), &scattered(290)[400..]);
        for wraps in [[true, true], [true, false], [false, true]] {
            let high = wraps.map(|wraps| if wraps { f64::from(SIDE) } else { f64::INFINITY });
            let seams = Seams::new([0.0; 2], high).expect("it has a size");
            for r in [0.0, 1.0, 5.0, 19.5, 20.0, 29.0, 100.0] {
                let wanted = Wanted { r, seams, once: false, distances: false };
                let ids = |there: Option<&[i32]>, once| {
                    let rows = (Rows::Points(&here[..]), there.map(Rows::Points));
                    neighbors(rows.0, rows.1, Wanted { once, ..wanted }, Call::default())
                        .expect("points in the box")
                        .ids
                };
                assert_eq!(ids(None, false), brute(&here, &here, r, wraps, |i, j| i != j), "{wraps:?} {r}");
                assert_eq!(ids(None, true), brute(&here, &here, r, wraps, |i, j| i < j), "{wraps:?} {r}");
                assert_eq!(ids(Some(there), false), brute(&here, there, r, wraps, |_, _| true), "{wraps:?} {r}");
            }
        }
    }

    #[test]
    fn a_kept_list_is_exact_until_it_is_made_anew() {
        let seams = Seams::new([0.0; 2], [10.0, f64::INFINITY]).expect("a size");
        let mut list = NeighborList::new(1.0, 0.5, seams).expect("a skin");
        let mut ids = |x: f64| {
            let is_new = list.update(&[9.75, 0.0, x, 0.0], Call::default()).expect("in the box");
            (is_new, list.neighbors(false, false).expect("memory").ids)
        };
        assert_eq!(ids(1.0), (true, vec![]));
        assert_eq!(ids(0.75), (false, vec![1, 0]), "at exactly the distance, half of the skin away");
        assert_eq!(ids(1.25), (false, vec![]));
        assert_eq!(ids(0.5), (true, vec![1, 0]));
        assert_eq!(
            NeighborList::new(1.0, -0.5, seams).map(drop).map_err(|error| error.kind()),
            Err(crate::ErrorKind::Value)
        );
    }
}
