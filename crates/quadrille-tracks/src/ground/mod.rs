//! Where tracks are: a plane, or a globe. What a position is, and how far apart two are.

mod globe;
mod plane;

pub(crate) use globe::{Globe, MAX_DISTANCE as MAX_ON_GLOBE};
pub(crate) use plane::Plane;

/// One thing on a plane, or another on the globe.
#[derive(Clone, Debug)]
pub(crate) enum On<P, G> {
    Plane(P),
    Globe(G),
}

/// The same work on either ground.
macro_rules! on_ground {
    ($either:expr, $name:ident => $work:expr) => {
        match $either {
            On::Plane($name) => $work,
            On::Globe($name) => $work,
        }
    };
}
pub(crate) use on_ground;

/// Positions are `D` numbers. Straight lines between them are what tracks move along, and Euclidean distances between them
/// (*chords*) are what is computed with; a ground converts both to and from lengths along it.
pub(crate) trait Ground<const D: usize>: Copy + Default + std::fmt::Debug {
    /// The pairs of axes onto which boxes are flattened. Flattening brings nothing farther apart, so what is near in
    /// space is near there.
    const PANES: &'static [[usize; 2]];

    /// The position at the caller's coordinates.
    fn position(x: f64, y: f64) -> [f64; D];

    /// The coordinates of a position that may lie a little below the ground.
    fn coordinates(position: &[f64; D]) -> [f64; 2];

    /// The direction that is up halfway between two positions; of any length.
    fn up(a: &[f64; D], b: &[f64; D]) -> [f64; D];

    /// An offset without its vertical part.
    fn level(offset: &[f64; D], up: &[f64; D]) -> [f64; D];

    /// The length of a chord, from the length along the ground between its ends.
    fn chord(length: f64) -> f64;

    /// The length along the ground between the ends of a chord.
    fn length(chord: f64) -> f64;

    /// The most by which the distance of two positions can exceed their [level](Self::level) offset, if tracks move along
    /// straight lines no longer than `longest`.
    fn sag(longest: f64) -> f64;

    /// The number of straight pieces into which to divide the path between two positions, at least one.
    fn pieces(a: &[f64; D], b: &[f64; D]) -> f64;

    /// The position at a share of the path from `a` to `b`, on the ground.
    fn between(a: &[f64; D], b: &[f64; D], share: f64) -> [f64; D];

    /// The panes on which a box must be searched for, as bits: two boxes that share a point of the ground share a pane.
    fn panes(min: &[f64; D], max: &[f64; D]) -> u8;

    /// The distance between two positions along the ground.
    fn distance(a: &[f64; D], b: &[f64; D]) -> f64 {
        Self::length(squared::<D>(&std::array::from_fn(|axis| a[axis] - b[axis])).sqrt())
    }
}

/// The dot product.
#[inline]
pub(crate) fn dot<const D: usize>(a: &[f64; D], b: &[f64; D]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The square of a vector's length.
#[inline]
pub(crate) fn squared<const D: usize>(a: &[f64; D]) -> f64 {
    dot(a, a)
}
