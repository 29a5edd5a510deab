//! Fitting a world and a cell size to boxes when the options leave them open.

use arrayvec::ArrayVec;

use crate::error::{Corruption, Error};
use crate::geometry::{Aabb, Scalar, both};
use crate::storage::Boxes;

/// How many boxes a structure is fitted to. More: steadier estimates (the error of a quantile is about 1/√SAMPLE).
/// Less: a cheaper `build` (six selections among this many numbers, 10 to 20 µs).
const SAMPLE: usize = 1023;

/// How many boxes each `maintain` samples.
const GLANCE: usize = 255;

/// Each sample is different, so that a sample that missed something is corrected by a later one.
const GLANCE_SALT: u64 = 1 << 32;

/// One box in this many may lie outside on each side of each axis, so that a few huge or runaway boxes do not stretch
/// the world.
const OUTLIERS: usize = 64;

/// Boxes that are up to this many times longer than wide, relative to the world, do not stretch the world.
const TOLERATED_SKEW: f64 = 4.0;

/// The world is stretched at most this many times: each doubling costs one level of the tree.
const MOST_SKEW: f64 = 65_536.0;

/// What a sample of the boxes looks like. Fixed size, on the stack: sampling allocates nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Fit {
    /// Where the boxes are, except for outliers. Never empty.
    pub(crate) world: [[f64; 2]; 2],
    /// The median width and the median height.
    pub(crate) size: [f64; 2],
}

impl Fit {
    /// Samples up to [`SAMPLE`] boxes.
    pub(crate) fn of<S: Scalar>(boxes: &Boxes<S>) -> Self {
        Self::sampled::<S, SAMPLE>(boxes, 0)
    }

    /// `false` if the boxes no longer match what a structure was fitted to. `fits` judges a fit: first one from a
    /// glance, then one from a closer look at the boxes that `of` samples. So what was just fitted always fits,
    /// whatever the glance says.
    pub(crate) fn still<S: Scalar>(boxes: &Boxes<S>, fits: impl Fn(Self) -> bool) -> bool {
        fits(Self::sampled::<S, GLANCE>(boxes, GLANCE_SALT)) || fits(Self::of(boxes))
    }

    fn sampled<S: Scalar, const N: usize>(boxes: &Boxes<S>, salt: u64) -> Self {
        let [x, y] = both(|axis| Axis::of::<S, N>(boxes, axis, salt));
        Self { world: [[x.lo, y.lo], [x.hi, y.hi]], size: [x.size, y.size] }
    }

    pub(crate) fn world<S: Scalar>(&self) -> Aabb<S> {
        let [min, max] = self.world;
        Aabb::new(min.map(S::from_f64), max.map(S::from_f64))
    }

    /// The world as a quadtree needs it. Cells have the shape of the world and should have the shape of the boxes.
    /// If boxes are long and thin relative to the world, the axis along which they are long is stretched until the
    /// shapes agree. The boxes are then all at its lower end, where the first divisions of that axis separate nothing:
    /// the tree divides the other axis alone until its cells are as long and thin as the boxes.
    fn tree_world<S: Scalar>(&self) -> Aabb<S> {
        let [lo, mut hi] = self.world;
        let parts = both(|axis| self.size[axis] / (hi[axis] - lo[axis]));
        for (axis, other) in [(0, 1), (1, 0)] {
            let times = parts[axis] / parts[other];
            if times > TOLERATED_SKEW && parts[axis].is_finite() {
                hi[axis] = lo[axis] + (hi[axis] - lo[axis]) * times.min(MOST_SKEW);
            }
        }
        Self { world: [lo, hi], ..*self }.world()
    }

    /// The same with a given world, if there is one.
    pub(crate) fn with_world<S: Scalar>(self, given: Option<Aabb<S>>) -> Self {
        let world = given.map_or(self.world, |world| [world.min, world.max].map(|corner| corner.map(S::to_f64)));
        Self { world, ..self }
    }

    /// `false` if a world made for `self` serves boxes like `now` badly: on some axis it is more than twice too large,
    /// or leaves more than a quarter of the new extent outside.
    pub(crate) fn world_fits(&self, now: &Self) -> bool {
        (0..2).all(|axis| {
            let (lo, hi) = (self.world[0][axis], self.world[1][axis]);
            let (now_lo, now_hi) = (now.world[0][axis], now.world[1][axis]);
            let extent = now_hi - now_lo;
            hi - lo <= 2.0 * extent && (lo - now_lo).max(0.0) + (now_hi - hi).max(0.0) <= extent / 4.0
        })
    }
}

/// The world of a tree: given, or fitted to the boxes.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct World<S> {
    given: Option<Aabb<S>>,
    fit: Fit,
    bounds: Aabb<S>,
}

impl<S: Scalar> World<S> {
    pub(crate) fn new(given: Option<Aabb<S>>) -> Self {
        let fit = Fit::of(&Boxes::<S>::new());
        Self { given, fit, bounds: given.unwrap_or_else(|| fit.tree_world()) }
    }

    #[inline]
    pub(crate) fn bounds(&self) -> Aabb<S> {
        self.bounds
    }

    /// Fits the world to `boxes`, unless it is given.
    pub(crate) fn refit(&mut self, boxes: &Boxes<S>) {
        if self.given.is_none() {
            self.fit = Fit::of(boxes);
            self.bounds = self.fit.tree_world();
        }
    }

    /// The median size or the mean distance of boxes, whichever is greater.
    pub(crate) fn usual_size(&self, boxes: &Boxes<S>) -> [f64; 2] {
        let fit = if self.given.is_some() { Fit::of(boxes) } else { self.fit };
        // A power of two near the square root.
        let rows = f64::from(1_u32 << (boxes.len().max(1).ilog2() / 2));
        let [lo, hi] = fit.world;
        both(|axis| ((hi[axis] - lo[axis]) / rows).max(fit.size[axis]))
    }

    /// `true` if the world is given or still fits.
    pub(crate) fn fits(&self, boxes: &Boxes<S>) -> bool {
        self.given.is_some() || Fit::still(boxes, |now| self.fit.world_fits(&now))
    }

    /// The world is the one given in the options, or the one that follows from the fit.
    pub(crate) fn validate(&self, given: Option<Aabb<S>>) -> Result<(), Corruption> {
        let bounds = given.unwrap_or_else(|| self.fit.tree_world());
        Corruption::unless(self.given == given && self.bounds == bounds && bounds.is_valid(), || {
            alloc::format!("the world is {:?} and should be {bounds:?}", self.bounds)
        })
    }
}

/// How many cells of a given size a grid makes for this many boxes. A given size is kept up to 256 × 256 cells or 16
/// per box, so that a few boxes far apart do not cost megabytes. Cells fitted to the boxes are far fewer.
pub(crate) fn most_cells(boxes: usize) -> f64 {
    16.0 * boxes as f64 + 65_536.0
}

/// A given world must be a valid box.
pub(crate) fn check_world<S: Scalar>(world: Option<Aabb<S>>) -> Result<(), Error> {
    match world.map(Aabb::check) {
        Some(Err(error)) => {
            Err(Error::option("world", format_args!("no valid box ({error})"), "a world is finite, min below max"))
        }
        _ => Ok(()),
    }
}

/// The rule for the cell sizes of all grids.
pub(crate) fn check_cell<S: Scalar>(name: &'static str, cell: Option<[S; 2]>) -> Result<(), Error> {
    let is_good = |side: &S| *side > S::ZERO && side.is_finite();
    match cell.into_iter().flatten().find(|side| !is_good(side)) {
        Some(side) => Err(Error::option(name, side, "both sides of a cell are positive and finite")),
        None => Ok(()),
    }
}

/// One axis of a [`Fit`].
struct Axis {
    lo: f64,
    hi: f64,
    size: f64,
}

impl Axis {
    fn of<S: Scalar, const N: usize>(boxes: &Boxes<S>, axis: usize, salt: u64) -> Self {
        let (mut centers, mut sizes) = (ArrayVec::<f64, N>::new(), ArrayVec::<f64, N>::new());
        for bounds in boxes.sample(N, salt) {
            let (min, max) = (bounds.min[axis].to_f64(), bounds.max[axis].to_f64());
            centers.push(min.midpoint(max));
            sizes.push(max - min);
        }
        let n = sizes.len();
        if n == 0 {
            return Self { lo: -1.0, hi: 1.0, size: 0.0 };
        }
        let [first, last] = [n / OUTLIERS, n - 1 - n / OUTLIERS].map(|at| nth(&mut centers, at));
        let size = nth(&mut sizes, n / 2);
        // Room for what the sample missed and for small moves: a fraction of the extent, or, if all centers
        // coincide, of the size or the distance from the origin. The world is never empty.
        let room = ((last - first) / 16.0).max(size / 2.0).max(f64::max(first.abs(), last.abs()) / 1e6);
        let room = if room > 0.0 { room } else { 1.0 };
        Self { lo: first - room, hi: last + room, size }
    }
}

/// The number that would be at this position after sorting.
fn nth(numbers: &mut [f64], at: usize) -> f64 {
    *numbers.select_nth_unstable_by(at, f64::total_cmp).1
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    /// Box `k` is in cluster `k` mod `period`; nine in ten clusters are small boxes, the others large ones.
    fn periodic(n: usize, period: usize) -> Boxes<f64> {
        let mut random = fastrand::Rng::with_seed(period as u64);
        let middles: Vec<[f64; 2]> = (0..period).map(|_| [0, 1].map(|_| 1000.0 * random.f64())).collect();
        let mut boxes = Boxes::new();
        for k in 0..n {
            let half = if k % period % 10 == 7 { 8.0 } else { 1.0 };
            let center = middles[k % period].map(|middle| middle + random.f64());
            boxes.insert(Aabb::from_center(center, [half; 2])).expect("room");
        }
        boxes
    }

    fn looks_right(boxes: &Boxes<f64>, fit: &Fit) -> bool {
        let mut centers: [Vec<f64>; 2] = both(|axis| boxes.iter().map(|(_, one)| one.center()[axis]).collect());
        (0..2).all(|axis| {
            centers[axis].sort_unstable_by(f64::total_cmp);
            let at = |share: f64| centers[axis][(share * (boxes.len() - 1) as f64) as usize];
            let [lo, hi] = [fit.world[0][axis], fit.world[1][axis]];
            // All but a few percent on either side, and hardly more than all.
            lo <= at(0.06) && at(0.94) <= hi && hi - lo <= 1.2 * (at(1.0) - at(0.0)) + 10.0 && fit.size[axis] == 2.0
        })
    }

    /// The sample is as good whatever the period of the data is, and however many boxes there are.
    #[test]
    fn no_period_blinds_the_sample() {
        for period in (10..300).chain([512, 1000, 1024, 4096]) {
            let boxes = periodic(16_384, period);
            assert!(looks_right(&boxes, &Fit::of(&boxes)), "period {period}: {:?}", Fit::of(&boxes));
        }
    }

    #[test]
    fn no_number_of_boxes_blinds_the_sample() {
        let mut boxes = periodic(16_000, 64);
        let more = periodic(16_400, 64);
        for (_, bounds) in more.iter().skip(16_000) {
            boxes.insert(bounds).expect("room");
            let glance = Fit::sampled::<f64, GLANCE>(&boxes, GLANCE_SALT);
            for fit in [Fit::of(&boxes), glance] {
                // One cluster more or less of 64, on either side.
                assert!(fit.world[1][0] - fit.world[0][0] > 850.0 && fit.size == [2.0; 2], "{}: {fit:?}", boxes.len());
            }
            assert!(Fit::still(&boxes, |now| Fit::of(&boxes).world_fits(&now)), "{} boxes", boxes.len());
        }
    }

    #[test]
    fn what_was_just_fitted_fits() {
        // Half of all are large, half small: every sample has a different median.
        let mut boxes = Boxes::new();
        for k in 0..10_000 {
            let half = if k % 2 == 0 { 100.0 } else { 1.0 };
            boxes.insert(Aabb::from_center([f64::from(k), 0.0], [half; 2])).expect("room");
        }
        let fit = Fit::of(&boxes);
        assert!(Fit::still(&boxes, |now| now == fit));
    }
}
