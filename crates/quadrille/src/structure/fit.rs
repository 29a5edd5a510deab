//! Fitting a world and a cell size to boxes when the options leave them open.

use crate::error::{Corruption, Error};
use crate::geometry::{Aabb, Scalar};
use crate::storage::Boxes;

/// How many boxes are looked at. More makes the estimate steadier (error of a quantile about 1/√SAMPLE) and every
/// `maintain` dearer (two sorts of this many numbers, a few microseconds).
const SAMPLE: usize = 255;

/// One box in this many may lie outside on each side of each axis: a few giants or runaways must not stretch the world.
const OUTLIERS: usize = 64;

/// Boxes that are this many times longer than wide, measured in parts of the world, are no reason to draw out the world.
const TOLERATED_SKEW: f64 = 4.0;

/// The world is not drawn out more than this many times: each doubling costs a level of the tree.
const MOST_SKEW: f64 = 65_536.0;

/// What a sample of the boxes looks like. Fixed size, on the stack: looking allocates nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Fit {
    /// Where the boxes are, but for outliers. Never empty.
    pub(crate) world: [[f64; 2]; 2],
    /// The middle width and the middle height.
    pub(crate) size: [f64; 2],
}

impl Fit {
    /// Looks at up to [`SAMPLE`] boxes, evenly spread over the ids.
    pub(crate) fn of<S: Scalar>(boxes: &Boxes<S>) -> Self {
        let (x, y) = (Axis::of(boxes, 0), Axis::of(boxes, 1));
        Self { world: [[x.lo, y.lo], [x.hi, y.hi]], size: [x.size, y.size] }
    }

    pub(crate) fn world<S: Scalar>(&self) -> Aabb<S> {
        let [min, max] = self.world;
        Aabb::new(min.map(S::from_f64), max.map(S::from_f64))
    }

    /// The world as a quadtree wants it: cells have the world's shape, and should have that of the boxes. Where boxes are long
    /// and thin beside the world, the axis on which they are long is drawn out until the shapes agree. The boxes are then all
    /// at its lower end, where the first divisions of that axis separate nothing: the tree divides the other axis alone until
    /// its cells are as long and thin as the boxes.
    fn tree_world<S: Scalar>(&self) -> Aabb<S> {
        let [lo, mut hi] = self.world;
        let parts = [0, 1].map(|axis| self.size[axis] / (hi[axis] - lo[axis]));
        for (axis, other) in [(0, 1), (1, 0)] {
            let times = parts[axis] / parts[other];
            if times > TOLERATED_SKEW && parts[axis].is_finite() {
                hi[axis] = lo[axis] + (hi[axis] - lo[axis]) * times.min(MOST_SKEW);
            }
        }
        Self { world: [lo, hi], ..*self }.world()
    }

    /// The same with a world that is given, if one is.
    pub(crate) fn with_world<S: Scalar>(self, given: Option<Aabb<S>>) -> Self {
        let world = given.map_or(self.world, |world| [world.min, world.max].map(|corner| corner.map(S::to_f64)));
        Self { world, ..self }
    }

    /// `false` if a world made for `self` serves boxes like `now` badly: on some axis it is more than twice too large, or
    /// leaves more than a quarter of the new extent outside.
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

    /// `true` if the world is given or still fits.
    pub(crate) fn fits(&self, boxes: &Boxes<S>) -> bool {
        self.given.is_some() || self.fit.world_fits(&Fit::of(boxes))
    }

    /// The world is the one that the options give, or the one that follows from the fit.
    pub(crate) fn validate(&self, given: Option<Aabb<S>>) -> Result<(), Corruption> {
        let bounds = given.unwrap_or_else(|| self.fit.tree_world());
        Corruption::unless(self.given == given && self.bounds == bounds && bounds.is_valid(), || {
            alloc::format!("the world is {:?} and should be {bounds:?}", self.bounds)
        })
    }
}

/// How many cells of a given size a grid makes for so many boxes: sizes are kept as they are given up to 256 × 256 cells or 16 a
/// box, so that a few boxes far apart do not cost megabytes. Cells fitted to the boxes are far fewer.
pub(crate) fn most_cells(boxes: usize) -> f64 {
    16.0 * boxes as f64 + 65_536.0
}

/// A given world must be a box that could be stored.
pub(crate) fn check_world<S: Scalar>(world: Option<Aabb<S>>) -> Result<(), Error> {
    match world.map(Aabb::check) {
        Some(Err(error)) => {
            Err(Error::option("world", format_args!("no valid box ({error})"), "a world is finite, min below max"))
        }
        _ => Ok(()),
    }
}

/// The rule that the cell sizes of all grids obey.
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
    fn of<S: Scalar>(boxes: &Boxes<S>, axis: usize) -> Self {
        let (mut centers, mut sizes, mut n) = ([0.0; SAMPLE], [0.0; SAMPLE], 0);
        let step = boxes.places().div_ceil(SAMPLE).max(1);
        for bounds in boxes.sample(step) {
            let (min, max) = (bounds.min[axis].to_f64(), bounds.max[axis].to_f64());
            (centers[n], sizes[n]) = (min.midpoint(max), max - min);
            n += 1;
        }
        if n == 0 {
            return Self { lo: -1.0, hi: 1.0, size: 0.0 };
        }
        centers[..n].sort_unstable_by(f64::total_cmp);
        sizes[..n].sort_unstable_by(f64::total_cmp);
        let (first, last, size) = (centers[n / OUTLIERS], centers[n - 1 - n / OUTLIERS], sizes[n / 2]);
        // Room for what the sample missed and for moving a little: a part of the extent, or, where all centres coincide, of the
        // size or the distance from the origin. Never an empty world.
        let room = ((last - first) / 16.0).max(size / 2.0).max(f64::max(first.abs(), last.abs()) / 1e6);
        let room = if room > 0.0 { room } else { 1.0 };
        Self { lo: first - room, hi: last + room, size }
    }
}
