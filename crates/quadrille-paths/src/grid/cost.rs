//! The cost of a step, and the length of a path: counts of steps, never a sum of rounded numbers.

use core::cmp::Ordering;
use core::fmt;
use core::ops::Add;

use crate::grid::cell::{Cell, Direction};

/// Which steps are legal and what they cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum CostRule {
    /// Eight neighbors; a step costs 1, a diagonal one √2, and a diagonal step needs both cells beside it free.
    /// The rule of the MovingAI benchmarks and of the Grid-Based Path Planning Competition.
    #[default]
    Octile,
    /// As [`Octile`](Self::Octile), but a diagonal step needs only its own end free: it may cut corners, and slip
    /// between two blocked cells that touch by their corners.
    OctileCutting,
    /// As [`Octile`](Self::Octile), but a diagonal step needs only one of the cells beside it free: it may go around a
    /// corner, not slip between two blocked cells that touch by theirs.
    OctileOneSide,
    /// Four neighbors, each step costs 1.
    Manhattan,
}

/// The four straight directions among the eight, as bits in the order of `Direction::ALL`.
const STRAIGHT: u8 = 0b0101_0101;
/// The four diagonal ones.
const DIAGONAL: u8 = !STRAIGHT;

impl CostRule {
    /// All rules.
    pub const ALL: [Self; 4] = [Self::Octile, Self::OctileCutting, Self::OctileOneSide, Self::Manhattan];

    /// Its name in files and in the bindings.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Octile => "octile",
            Self::OctileCutting => "octile-cutting",
            Self::OctileOneSide => "octile-one-side",
            Self::Manhattan => "manhattan",
        }
    }

    /// The length of the shortest path between two cells on a map without walls: a lower bound on every map. Saturates
    /// at the largest `u32`, which no two cells of one map come near.
    #[must_use]
    #[inline]
    pub const fn distance(self, a: Cell, b: Cell) -> Length {
        let (dx, dy) = (a.x.abs_diff(b.x), a.y.abs_diff(b.y));
        let (short, long) = if dx < dy { (dx, dy) } else { (dy, dx) };
        match self {
            Self::Octile | Self::OctileCutting | Self::OctileOneSide => {
                Length { straight: long - short, diagonal: short }
            }
            Self::Manhattan => Length { straight: long.saturating_add(short), diagonal: 0 },
        }
    }

    /// The steps of a shortest path between two cells on a map without walls, diagonal ones first, then along the row,
    /// then along the column; each with the cell it leads to.
    pub(crate) fn steps(self, from: Cell, to: Cell) -> impl Iterator<Item = (Direction, Cell)> {
        let is_diagonal_legal = self != Self::Manhattan;
        let mut here = from;
        core::iter::from_fn(move || {
            let (dx, dy) = (sign(here.x, to.x), sign(here.y, to.y));
            let direction = match (dx, dy) {
                (0, 0) => return None,
                (_, 0) => Direction::toward(dx, 0),
                (0, _) => Direction::toward(0, dy),
                _ if is_diagonal_legal => Direction::toward(dx, dy),
                _ => Direction::toward(dx, 0),
            };
            let (dx, dy) = direction.delta();
            here = Cell::new(here.x.wrapping_add_signed(dx), here.y.wrapping_add_signed(dy));
            Some((direction, here))
        })
    }

    /// The same by direction, with the number of steps.
    pub(crate) fn legs(self, from: Cell, to: Cell) -> [(Direction, u32); 3] {
        let (dx, dy) = (sign(from.x, to.x), sign(from.y, to.y));
        let (width, height) = (from.x.abs_diff(to.x), from.y.abs_diff(to.y));
        let diagonal = if self == Self::Manhattan { 0 } else { width.min(height) };
        [(dx, dy, diagonal), (dx, 0, width - diagonal), (0, dy, height - diagonal)]
            .map(|(dx, dy, steps)| (Direction::toward(dx, dy), steps))
    }

    /// The directions in which a search leaves its start; see [`turns`](crate::walks::turns).
    pub(crate) fn first_directions(self) -> impl Iterator<Item = Direction> {
        const ALONG_ROWS: u8 = 1 << Direction::East as u8 | 1 << Direction::West as u8;
        Direction::of(if self == Self::Manhattan { !ALONG_ROWS } else { u8::MAX })
    }

    /// The directions in which the canonical path from one cell to another may begin, as bits: one, or under the
    /// Manhattan rule along a row, the two whose quadrants share it; none from a cell to itself.
    #[inline]
    pub(crate) const fn directions_toward(self, from: Cell, to: Cell) -> u8 {
        let (dx, dy) = (sign(from.x, to.x), sign(from.y, to.y));
        match (self, dx, dy) {
            (_, 0, 0) => 0,
            (Self::Manhattan, _, 0) => 1 << Direction::toward(dx, -1) as u8 | 1 << Direction::toward(dx, 1) as u8,
            _ => 1 << Direction::toward(dx, dy) as u8,
        }
    }

    /// The directions in which a step is legal among these walls; bits in the order of `Direction::ALL`, as in `walls`.
    #[inline]
    pub(crate) const fn legal_steps(self, walls: u8) -> u8 {
        let free = !walls;
        let diagonal = match self {
            Self::Octile => free & free.rotate_left(1) & free.rotate_right(1),
            Self::OctileCutting => free,
            Self::OctileOneSide => free & (free.rotate_left(1) | free.rotate_right(1)),
            Self::Manhattan => 0,
        };
        free & STRAIGHT | diagonal & DIAGONAL
    }

    /// Whether a free cell among these walls is a *corner*: one at which a shortest path may have to turn.
    ///
    /// If corners may not be cut, that is a cell with a blocked diagonal neighbor between two free ones; if they may,
    /// one with a blocked straight neighbor next to a free diagonal one.
    #[inline]
    pub(crate) const fn is_corner(self, walls: u8) -> bool {
        let free = !walls;
        let (clockwise, counter) = (free.rotate_left(1), free.rotate_right(1));
        match self {
            Self::Octile | Self::Manhattan => walls & DIAGONAL & clockwise & counter != 0,
            Self::OctileCutting | Self::OctileOneSide => walls & STRAIGHT & (clockwise | counter) != 0,
        }
    }
}

/// The sign of `to - from`.
const fn sign(from: u32, to: u32) -> i32 {
    (to > from) as i32 - (to < from) as i32
}

/// The exact length of a path: a number of straight steps and a number of diagonal ones, worth √2 each.
///
/// Two lengths are equal only if both counts are, for √2 is irrational; [`Ord`] is exact, in integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Length {
    /// Steps along a row or a column.
    pub straight: u32,
    /// Steps across a corner.
    pub diagonal: u32,
}

impl Length {
    /// No step at all.
    pub const ZERO: Self = Self { straight: 0, diagonal: 0 };

    /// Longer than every path.
    pub(crate) const MAX: Self = Self { straight: u32::MAX, diagonal: u32::MAX };

    /// The length as a number, rounded once.
    ///
    /// Up to 2^24 steps these numbers order lengths exactly as [`Ord`] does: two different lengths of at most `n`
    /// steps are at least `1 / 3n` apart, and the rounding is below `n / 2^51`.
    #[must_use]
    #[inline]
    pub fn as_f64(self) -> f64 {
        f64::from(self.straight) + f64::from(self.diagonal) * core::f64::consts::SQRT_2
    }

    /// The length of one step.
    #[inline]
    pub(crate) const fn of_step(direction: Direction) -> Self {
        let diagonal = direction.is_diagonal() as u32;
        Self { straight: 1 - diagonal, diagonal }
    }

    /// The length with each step counted `weight` times.
    #[inline]
    pub(crate) const fn times(self, weight: u32) -> Self {
        Self { straight: self.straight * weight, diagonal: self.diagonal * weight }
    }

    /// The sum; counts that do not fit are the largest that do.
    pub(crate) const fn saturating_add(self, other: Self) -> Self {
        Self {
            straight: self.straight.saturating_add(other.straight),
            diagonal: self.diagonal.saturating_add(other.diagonal),
        }
    }

    /// The number of steps.
    #[must_use]
    pub fn steps(self) -> u64 {
        u64::from(self.straight) + u64::from(self.diagonal)
    }
}

impl Add for Length {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        Self { straight: self.straight + other.straight, diagonal: self.diagonal + other.diagonal }
    }
}

impl Ord for Length {
    /// The sign of `a + b√2` with `a` and `b` the differences of the counts, by a root of two in 29 bits after the
    /// point. Its error is half a unit for each `b` at most; if that might turn the sign, squares in wide integers
    /// decide.
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        const ONE: i64 = 1 << 29;
        const ROOT: i64 = 759_250_125;
        let straight = i64::from(self.straight) - i64::from(other.straight);
        let diagonal = i64::from(self.diagonal) - i64::from(other.diagonal);
        let difference = straight * ONE + diagonal * ROOT;
        if difference.abs() > diagonal.abs() { difference.cmp(&0) } else { sign_of_sum(straight, diagonal) }
    }
}

/// The sign of `a + b√2`: if they pull in opposite directions, the one whose square is larger wins.
#[cold]
fn sign_of_sum(straight: i64, diagonal: i64) -> Ordering {
    match (straight.cmp(&0), diagonal.cmp(&0)) {
        (Ordering::Equal, sign) | (sign, Ordering::Equal) => sign,
        (a, b) if a == b => a,
        (a, b) => {
            let (straight, diagonal) = (i128::from(straight), i128::from(diagonal));
            if straight * straight > 2 * diagonal * diagonal { a } else { b }
        }
    }
}

impl PartialOrd for Length {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Length {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.as_f64(), out)
    }
}
