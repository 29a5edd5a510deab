//! How two edges meet, by signs that are exact.

use robust::Coord;

/// A point on the plane.
pub(crate) type Point = [f64; 2];

/// Positive if `c` is to the left of the line from `a` to `b`, negative if to the right, zero if on it. The sign is
/// exact.
#[inline]
pub(crate) fn side(a: Point, b: Point, c: Point) -> f64 {
    let coord = |[x, y]: Point| Coord { x, y };
    robust::orient2d(coord(a), coord(b), coord(c))
}

/// How two edges meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meeting {
    Apart,
    /// At one point within both.
    Crossing,
    /// At ends: those of the first edge that lie on the second, and vice versa.
    Touching([[bool; 2]; 2]),
    /// The same, of edges on one line.
    Along([[bool; 2]; 2]),
}

/// Whether a point on the line through an edge lies between its ends, or is one.
#[inline]
fn is_between(point: Point, [a, b]: [Point; 2]) -> bool {
    (0..2).all(|axis| a[axis].min(b[axis]) <= point[axis] && point[axis] <= a[axis].max(b[axis]))
}

#[inline]
pub(crate) fn meeting(a: [Point; 2], b: [Point; 2]) -> Meeting {
    let of_b = [side(a[0], a[1], b[0]), side(a[0], a[1], b[1])];
    if of_b[0] > 0.0 && of_b[1] > 0.0 || of_b[0] < 0.0 && of_b[1] < 0.0 {
        return Meeting::Apart;
    }
    let of_a = [side(b[0], b[1], a[0]), side(b[0], b[1], a[1])];
    if of_a[0] > 0.0 && of_a[1] > 0.0 || of_a[0] < 0.0 && of_a[1] < 0.0 {
        return Meeting::Apart;
    }
    if of_a.iter().chain(&of_b).all(|side| *side != 0.0) {
        return Meeting::Crossing;
    }
    let a_on_b = [0, 1].map(|end| of_a[end] == 0.0 && is_between(a[end], b));
    let b_on_a = [0, 1].map(|end| of_b[end] == 0.0 && is_between(b[end], a));
    match [a_on_b, b_on_a] {
        [[false, false], [false, false]] => Meeting::Apart,
        ends if of_a == [0.0; 2] => Meeting::Along(ends),
        ends => Meeting::Touching(ends),
    }
}

/// Whether a point lies on an edge.
pub(crate) fn is_on(point: Point, edge: [Point; 2]) -> bool {
    is_between(point, edge) && side(edge[0], edge[1], point) == 0.0
}
