//! Brute force by plain arithmetic, which uses nothing of the library but the edges of a box.
//!
//! Integers are computed in `i128`, times as fractions. Floats are computed in `f64` as the documentation of the shapes
//! says: a difference of edges, a square, a quotient, each rounded once.

use std::cmp::Ordering;
use std::fmt::Debug;

use quadrille::Aabb;

use super::draw::Plain;
use super::held::Shown;

/// A query.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Asking<S> {
    /// What is near a box, perhaps within a distance.
    Near(Aabb<S>, Option<S>),
    /// What a box touches that moves from where it is by as much as it is from one point to another, and perhaps on
    /// without end.
    Sweep { start: Aabb<S>, from: [S; 2], to: [S; 2], is_endless: bool },
}

/// A world that wraps, on one axis or both.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Torus<S> {
    pub(crate) world: Aabb<S>,
    pub(crate) wraps: [bool; 2],
}

/// How often a query that goes on for ever is followed round the world.
const MOST_TURNS: i64 = 16;

/// A rank: of integers exactly, as a fraction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exact<N>(pub(crate) N, pub(crate) N);

/// Plain arithmetic in a wider type.
pub(crate) trait Truth: Plain {
    type Number: Copy + PartialOrd + Debug;
    /// `a - b`.
    fn difference(a: Self, b: Self) -> Self::Number;
    /// The greatest of two differences and zero, or zero.
    fn gap(a: Self::Number, b: Self::Number) -> Self::Number;
    /// `x² + y²`; for floats with its root, which distinguishes distances if squares do not.
    fn squares(x: Self::Number, y: Self::Number) -> Exact<Self::Number>;
    /// Whether `x² + y²` is at most the square of a distance, which may be too small or too great for squares.
    fn is_within(gaps: [Self::Number; 2], distance: Self) -> bool;
    /// `(a - b) / (to - from)`, which is not zero, as a fraction with a positive denominator.
    fn part(a: Self, b: Self, to: Self, from: Self) -> Exact<Self::Number>;
    fn order(a: Exact<Self::Number>, b: Exact<Self::Number>) -> Ordering;
    fn one() -> Exact<Self::Number>;
    fn zero() -> Exact<Self::Number>;
    fn number(rank: Exact<Self::Number>) -> f64;
    /// `self + other`, rounded, or at the end of the numbers.
    fn sum(self, other: Self) -> Self;
    /// This many times `size`, rounded.
    fn times(turns: i64, size: f64) -> Self;
    /// Where an edge is after a motion, if that is clear: the least and the greatest number that it may be.
    fn end(self, to: Self, from: Self) -> [Self; 2];
    /// Whether a way is longer than any number, or a place so far out, that the library computes by halves.
    fn is_beyond(to: Self, from: Self) -> bool;
    fn is_far(self) -> bool;
    /// Whether a distance is so small that its half may be none.
    fn is_vague(a: Self, b: Self) -> bool;
}

macro_rules! float_truth {
    ($float:ident) => {
        impl Truth for $float {
            type Number = f64;
            fn difference(a: Self, b: Self) -> f64 {
                f64::from(a) - f64::from(b)
            }
            fn gap(a: f64, b: f64) -> f64 {
                a.max(b).max(0.0)
            }
            fn squares(x: f64, y: f64) -> Exact<f64> {
                let square = x * x + y * y;
                let glass = 2_f64.powi(if square < 1e-290 { 600 } else { -600 });
                let root = ((x * glass).powi(2) + (y * glass).powi(2)).sqrt() / glass;
                Exact(square, root)
            }
            fn is_within(gaps: [f64; 2], distance: Self) -> bool {
                let distance = f64::from(distance);
                let scale = if distance < 1e-100 { 2.0_f64.powi(600) } else { 2.0_f64.powi(-600) };
                let [x, y, most] = [gaps[0], gaps[1], distance]
                    .map(|number| if (1e-100..=1e100).contains(&distance) { number } else { number * scale });
                most >= 0.0 && x * x + y * y <= most * most
            }
            fn part(a: Self, b: Self, to: Self, from: Self) -> Exact<f64> {
                let [a, b, to, from] = [a, b, to, from].map(f64::from);
                // By halves where a difference is beyond the numbers.
                let time = match ((a - b).is_finite(), (to - from).is_finite()) {
                    (true, true) => (a - b) / (to - from),
                    (false, true) => (a / 2.0 - b / 2.0) / (to - from) * 2.0,
                    (_, false) => (a / 2.0 - b / 2.0) / (to / 2.0 - from / 2.0),
                };
                Exact(time, 1.0)
            }
            fn is_beyond(to: Self, from: Self) -> bool {
                !(f64::from(to) - f64::from(from)).is_finite()
            }
            fn is_far(self) -> bool {
                f64::from(self).abs() > f64::MAX / 16.0
            }
            fn is_vague(a: Self, b: Self) -> bool {
                let distance = (f64::from(a) - f64::from(b)).abs();
                distance > 0.0 && distance < 4.0 * f64::MIN_POSITIVE
            }
            fn order(a: Exact<f64>, b: Exact<f64>) -> Ordering {
                let numbers = if is_told(a.0) || is_told(b.0) || a.1 == b.1 { [a.0, b.0] } else { [a.1, b.1] };
                numbers[0].partial_cmp(&numbers[1]).expect("no rank is NaN")
            }
            fn one() -> Exact<f64> {
                Exact(1.0, 1.0)
            }
            fn zero() -> Exact<f64> {
                Exact(0.0, 1.0)
            }
            fn number(rank: Exact<f64>) -> f64 {
                // Zero has two signs. Times have no root.
                if is_told(rank.0) || rank.1 == 1.0 { rank.0 + 0.0 } else { rank.1 }
            }
            fn sum(self, other: Self) -> Self {
                self + other
            }
            fn times(turns: i64, size: f64) -> Self {
                (turns as f64 * size) as $float
            }
            fn end(self, to: Self, from: Self) -> [Self; 2] {
                let way = f64::from(to) - f64::from(from);
                let end = f64::from(self) + way;
                let is_exact =
                    end - way == f64::from(self) && end - f64::from(self) == way && f64::from(end as $float) == end;
                let end = end.clamp(f64::from($float::MIN), f64::from($float::MAX)) as $float;
                if is_exact { [end; 2] } else { [end.step(-2), end.step(2)] }
            }
        }
    };
}

float_truth!(f32);
float_truth!(f64);

impl Truth for i32 {
    type Number = i128;
    fn difference(a: Self, b: Self) -> i128 {
        i128::from(a) - i128::from(b)
    }
    fn gap(a: i128, b: i128) -> i128 {
        a.max(b).max(0)
    }
    fn squares(x: i128, y: i128) -> Exact<i128> {
        Exact(x * x + y * y, 1)
    }
    fn is_within([x, y]: [i128; 2], distance: Self) -> bool {
        distance >= 0 && x * x + y * y <= i128::from(distance).pow(2)
    }
    fn part(a: Self, b: Self, to: Self, from: Self) -> Exact<i128> {
        let (way, motion) = (Self::difference(a, b), Self::difference(to, from));
        Exact(way * motion.signum(), motion.abs())
    }
    fn is_beyond(_: Self, _: Self) -> bool {
        false
    }
    fn is_far(self) -> bool {
        false
    }
    fn is_vague(_: Self, _: Self) -> bool {
        false
    }
    fn order(a: Exact<i128>, b: Exact<i128>) -> Ordering {
        (a.0 * b.1).cmp(&(b.0 * a.1))
    }
    fn one() -> Exact<i128> {
        Exact(1, 1)
    }
    fn zero() -> Exact<i128> {
        Exact(0, 1)
    }
    fn number(rank: Exact<i128>) -> f64 {
        rank.0 as f64 / rank.1 as f64
    }
    fn sum(self, other: Self) -> Self {
        self.saturating_add(other)
    }
    fn times(turns: i64, size: f64) -> Self {
        (turns as f64 * size) as i32
    }
    fn end(self, to: Self, from: Self) -> [Self; 2] {
        let end = i128::from(self) + Self::difference(to, from);
        [end.clamp(i32::MIN.into(), i32::MAX.into()) as i32; 2]
    }
}

/// A box's rank, or that there is none, or that it lies so near the end of a way that rounding decides.
pub(crate) enum Verdict<N> {
    Yes(Exact<N>, [i8; 2]),
    No,
    Unclear,
}

pub(crate) fn touch<S: PartialOrd>(a: &Aabb<S>, b: &Aabb<S>) -> bool {
    (0..2).all(|axis| a.min[axis] <= b.max[axis] && b.min[axis] <= a.max[axis])
}

/// How far apart two boxes are on each axis.
fn gaps<S: Truth>(a: &Aabb<S>, b: &Aabb<S>) -> [S::Number; 2] {
    [0, 1].map(|axis| S::gap(S::difference(a.min[axis], b.max[axis]), S::difference(b.min[axis], a.max[axis])))
}

/// Whether the square of a distance has all digits.
pub(crate) fn is_told(square: f64) -> bool {
    (1e-290..f64::INFINITY).contains(&square)
}

/// The square of the distance between two boxes.
pub(crate) fn distance<S: Truth>(a: &Aabb<S>, b: &Aabb<S>) -> Exact<S::Number> {
    let [x, y] = gaps(a, b);
    S::squares(x, y)
}

/// When a box that moves first touches another; and on which side of it.
pub(crate) fn contact<S: Truth>(
    start: &Aabb<S>,
    from: [S; 2],
    to: [S; 2],
    is_endless: bool,
    other: &Aabb<S>,
) -> Verdict<S::Number> {
    let (mut first, mut last) = (S::zero(), (!is_endless).then(S::one));
    let (mut arrivals, mut is_clear) = ([None; 2], true);
    // A segment ends where it is said to end.
    let is_segment = start.min == from && start.max == from;
    // If both move, what is beside the end is touched if its time rounds to the end: each path is rounded by itself.
    let is_beside = |way: Exact<S::Number>| {
        from.iter().any(|part| part.to_f64() != 0.0) && !is_segment && S::order(way, S::one()).is_le()
    };
    let end = |axis: usize, edge: S| if is_segment { [to[axis]; 2] } else { edge.end(to[axis], from[axis]) };
    for axis in 0..2 {
        let edges = |a: S, b: S| S::part(a, b, to[axis], from[axis]);
        let (near, far) = match to[axis].partial_cmp(&from[axis]) {
            // What the mover leaves behind is not touched, also where the time of that rounds to the start.
            Some(Ordering::Greater) if other.max[axis] < start.min[axis] => return Verdict::No,
            Some(Ordering::Less) if other.min[axis] > start.max[axis] => return Verdict::No,
            Some(Ordering::Greater) => {
                let [least, most] = end(axis, start.max[axis]);
                let near = edges(other.min[axis], start.max[axis]);
                if !is_endless && other.min[axis] > most && !is_beside(near) {
                    return Verdict::No;
                }
                is_clear &= is_endless || other.min[axis] <= least;
                (near, edges(other.max[axis], start.min[axis]))
            }
            Some(Ordering::Less) => {
                let [least, most] = end(axis, start.min[axis]);
                let near = edges(other.max[axis], start.min[axis]);
                if !is_endless && other.max[axis] < least && !is_beside(near) {
                    return Verdict::No;
                }
                is_clear &= is_endless || other.max[axis] >= most;
                (near, edges(other.min[axis], start.max[axis]))
            }
            _ if other.min[axis] > start.max[axis] || other.max[axis] < start.min[axis] => return Verdict::No,
            _ => continue,
        };
        arrivals[axis] = Some(near);
        first = if S::order(near, first).is_gt() { near } else { first };
        last = Some(last.filter(|&last| S::order(last, far).is_le()).unwrap_or(far));
    }
    let is_beyond = (0..2).any(|axis| S::is_beyond(to[axis], from[axis]))
        || start.min.iter().chain(&start.max).any(|edge| edge.is_far());
    let is_vague =
        |axis: usize| S::is_vague(other.min[axis], start.max[axis]) || S::is_vague(other.max[axis], start.min[axis]);
    if !is_clear || is_beyond && (0..2).any(is_vague) {
        return Verdict::Unclear;
    }
    if last.is_some_and(|last| S::order(first, last).is_gt()) {
        return Verdict::No;
    }
    let arrives = |axis: usize| arrivals[axis].is_some_and(|near| S::order(near, first).is_eq());
    let side = |axis: usize| if to[axis] > from[axis] { -1 } else { 1 };
    let normal = if arrives(0) {
        [side(0), 0]
    } else if arrives(1) {
        [0, side(1)]
    } else {
        [0, 0]
    };
    Verdict::Yes(first, normal)
}

impl<S: Truth> Torus<S> {
    pub(crate) fn period(&self, axis: usize) -> f64 {
        self.world.max[axis].to_f64() - self.world.min[axis].to_f64()
    }

    /// By how much boxes are moved that a query sees which lies from `west` to `east`; `None` for an end that is
    /// open.
    fn offsets(&self, axis: usize, [west, east]: [Option<S>; 2]) -> Vec<S> {
        if !self.wraps[axis] {
            return vec![S::times(0, 0.0)];
        }
        let world_of = |at: S| ((at.to_f64() - self.world.min[axis].to_f64()) / self.period(axis)).floor() as i64;
        let turns = match [west, east].map(|end| end.map(world_of)) {
            [Some(west), Some(east)] => west - 3..=east + 3,
            [Some(west), None] => west - 3..=west + MOST_TURNS,
            [None, Some(east)] => east - MOST_TURNS..=east + 3,
            [None, None] => -MOST_TURNS / 2..=MOST_TURNS / 2,
        };
        turns.map(|turns| S::times(turns, self.period(axis))).collect()
    }

    /// A box, moved by an offset.
    fn moved(bounds: &Aabb<S>, [x, y]: [S; 2]) -> Aabb<S> {
        let corner = |corner: [S; 2]| [corner[0].sum(x), corner[1].sum(y)];
        Aabb::new(corner(bounds.min), corner(bounds.max))
    }
}

/// All images of a box that can matter to what lies between these ends.
pub(crate) fn images<S: Truth>(torus: Option<Torus<S>>, bounds: &Aabb<S>, ends: [[Option<S>; 2]; 2]) -> Vec<Aabb<S>> {
    let Some(torus) = torus else { return vec![*bounds] };
    let [columns, rows] = [0, 1].map(|axis| torus.offsets(axis, ends[axis]));
    rows.iter().flat_map(|&y| columns.iter().map(move |&x| Torus::moved(bounds, [x, y]))).collect()
}

/// The ends of a box, on both axes.
pub(crate) fn ends<S: Copy>(bounds: &Aabb<S>) -> [[Option<S>; 2]; 2] {
    [0, 1].map(|axis| [Some(bounds.min[axis]), Some(bounds.max[axis])])
}

impl<S: Truth> Asking<S> {
    /// Where the query is, followed without end the way it goes.
    fn ends(&self) -> [[Option<S>; 2]; 2] {
        match self {
            Self::Near(target, _) => ends(target),
            Self::Sweep { start, from, to, .. } => [0, 1].map(|axis| {
                let west = (to[axis] >= from[axis]).then_some(start.min[axis]);
                let east = (to[axis] <= from[axis]).then_some(start.max[axis]);
                [west, east]
            }),
        }
    }

    fn rank(&self, other: &Aabb<S>) -> Verdict<S::Number> {
        match self {
            Self::Near(target, within) => {
                let is_near = within.is_none_or(|within| S::is_within(gaps(target, other), within));
                if is_near { Verdict::Yes(distance(target, other), [0, 0]) } else { Verdict::No }
            }
            Self::Sweep { start, from, to, is_endless } => contact(start, *from, *to, *is_endless, other),
        }
    }

    /// All answers in order: numbers of boxes and their ranks. Equal ranks as the boxes come. `None` if one is unclear.
    pub(crate) fn answers(&self, torus: Option<Torus<S>>, boxes: &[(u32, Aabb<S>)]) -> Option<Vec<(u32, Shown)>> {
        let ends = self.ends();
        let mut answers = Vec::new();
        for (id, bounds) in boxes {
            let mut best: Option<(Exact<S::Number>, [i8; 2])> = None;
            for image in images(torus, bounds, ends) {
                match self.rank(&image) {
                    Verdict::Yes(rank, normal) if best.is_none_or(|(best, _)| S::order(rank, best).is_lt()) => {
                        best = Some((rank, normal));
                    }
                    Verdict::Unclear => return None,
                    _ => {}
                }
            }
            answers.extend(best.map(|(rank, normal)| (*id, rank, normal)));
        }
        answers.sort_by(|a, b| S::order(a.1, b.1));
        let shown = |(id, rank, normal): (u32, _, [i8; 2])| (id, [S::number(rank), normal[0].into(), normal[1].into()]);
        Some(answers.into_iter().map(shown).collect())
    }
}
