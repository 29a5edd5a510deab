//! Where boxes lie: the distributions that random programs draw from.

use quadrille::{Aabb, Scalar};

/// A way to turn four bytes into a valid box, each hostile to something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Landscape {
    /// Small boxes anywhere, at coordinates that binary fractions cannot express.
    Uniform,
    /// Eight by eight far corners with everything in them.
    Clustered,
    /// Four places and four sizes, so that nearly all boxes coincide with others.
    Coincident,
    /// Edges on quarters and powers of two: on the lines that trees and grids divide at.
    SplitLines,
    /// Long and without thickness.
    Needles,
    /// One box in sixteen covers everything.
    Giants,
    /// A thousand times as wide as high.
    NonSquare,
    /// So far out that `f32` steps are 64 wide.
    FarOrigin,
    /// Mostly beyond the worlds that the options give.
    BeyondTheWorld,
    /// Powers of ten up to 1e30 on both sides of zero; integers saturate.
    Huge,
    /// From the lowest to the highest number of the type.
    WholeRange,
}

impl Landscape {
    pub(crate) const ALL: [Self; 11] = [
        Self::Uniform,
        Self::Clustered,
        Self::Coincident,
        Self::SplitLines,
        Self::Needles,
        Self::Giants,
        Self::NonSquare,
        Self::FarOrigin,
        Self::BeyondTheWorld,
        Self::Huge,
        Self::WholeRange,
    ];

    /// The box that these bytes stand for here; always valid. Zero bytes are the simplest box, for shrinking goes
    /// there.
    pub(crate) fn place<S: Scalar>(self, bytes: [u8; 4]) -> Aabb<S> {
        let [x, y, w, h] = bytes.map(f64::from);
        let [bx, by, bw, bh] = bytes;
        let (at, size) = match self {
            Self::Uniform => ([x * 1.1, y * 1.1], [w * 0.07, h * 0.07]),
            Self::Clustered => ([cluster(bx), cluster(by)], [w * 0.02, h * 0.02]),
            Self::Coincident => ([f64::from(bx & 1) * 8.0, f64::from(by & 1) * 8.0], [f64::from(bw & 1) * 3.0; 2]),
            Self::SplitLines => ([x / 4.0, y / 4.0], [dyadic(bw), dyadic(bh)]),
            Self::Needles => ([x * 0.9, y * 0.9], if bw > bh { [w, 0.0] } else { [0.0, h] }),
            Self::Giants if bw >= 240 => ([x - 5000.0, y - 5000.0], [10_000.0; 2]),
            Self::Giants => ([x, y], [w / 64.0, h / 64.0]),
            Self::NonSquare => ([x * 100.0, y * 0.3], [w, h * 0.01]),
            Self::FarOrigin => ([1e9 + x * 16.0, y * 16.0 - 1e9], [w, h]),
            Self::BeyondTheWorld => ([(x - 128.0) * 7.7, (y - 128.0) * 7.7], [w * 0.5, h * 0.5]),
            Self::Huge => ([power(bx), power(by)], [power(bw & 0x7f), power(bh & 0x7f)]),
            Self::WholeRange => return Aabb::from_corners([fraction(bx), fraction(by)], [fraction(bw), fraction(bh)]),
        };
        // Rounding is monotone, so what is ordered in `f64` is ordered in every scalar.
        let max = [at[0] + size[0], at[1] + size[1]];
        Aabb::new(at.map(S::from_f64), max.map(S::from_f64))
    }
}

fn cluster(byte: u8) -> f64 {
    f64::from(byte & 0xe0) * 40.0 + f64::from(byte & 0x1f) * 0.3
}

fn dyadic(byte: u8) -> f64 {
    [0.0, 0.25, 0.5, 1.0, 2.0, 4.0, 16.0, 64.0][usize::from(byte & 7)]
}

/// 0, 1, 10, … 1e30 for 0 to 31, and so on round; negative from 128.
fn power(byte: u8) -> f64 {
    let exponent = i32::from(byte & 0x1f);
    let size = if exponent == 0 { 0.0 } else { 10_f64.powi(exponent - 1) };
    if byte < 128 { size } else { -size }
}

/// 0 is the lowest finite number of the type, 255 the highest.
fn fraction<S: Scalar>(byte: u8) -> S {
    let (lowest, highest) = (S::from_f64(f64::MIN).to_f64(), S::from_f64(f64::MAX).to_f64());
    let t = f64::from(byte) / 255.0;
    S::from_f64(lowest * (1.0 - t) + highest * t)
}
