//! A box, a point or a ray moving along a straight line.

use core::cmp::Ordering;
use core::ops::Range;

use super::{Aabb, Ratio, Scalar, Wide, both};

/// A box that moves along a vector, and what it touches: a **segment** ([`segment`](Self::segment)), a
/// **ray** ([`ray`](Self::ray)), either of them with thickness (a box instead of a point), or a **swept box**
/// ([`new`](Self::new)). Use it for ray casts and box casts.
///
/// In the manual: `docs/cookbook/moving.md#bullets-nothing-is-too-fast`.
///
/// Time runs from 0 at the start to 1 at the end of the motion; for rays it runs on without end. All edges are closed:
/// touching is a hit, even along an edge, at a corner, at the start, or without any motion. What touches a box at the
/// start hits it at time 0 though it moves away or along its side: the [normal](Contact::normal) is then `[0, 0]`, as for
/// what starts inside, and that of the side only if it moves into the box.
///
/// A start that is NaN, infinite or inverted hits nothing, and neither does a motion that is NaN or infinite.
///
/// ```
/// use quadrille::{Aabb, Sweep};
///
/// let wall = Aabb::new([4.0, 0.0], [5.0, 10.0]);
/// let ball = Aabb::from_center([1.0, 5.0], [1.0, 1.0]);
/// let contact = Sweep::new(ball, [8.0, 1.0]).contact(&wall).unwrap();
/// assert_eq!(contact.time(), 0.25, "2 of 8 to go");
/// assert_eq!(contact.normal(), [-1, 0], "the wall's west side");
/// ```
///
/// The slab method: T. L. Kay, J. T. Kajiya, *Ray tracing complex scenes*, 1986. A moving box against a box is a point
/// against a box grown by the mover's size (C. Ericson, *Real-Time Collision Detection*, 2005, section 5.5.8).
/// Difference: times are fractions, exact for `i32`. Nothing is divided by zero, because an axis without motion has no
/// times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sweep<S: Scalar = f32> {
    start: Aabb<S>,
    motion: [S::Wide; 2],
    /// Encloses the mover at all times.
    path: Aabb<S>,
    /// When the mover stops: never, after its whole motion, or, if it is invalid, before it starts.
    end: Option<<S::Wide as Wide>::Ratio>,
    /// Motion and distances along an axis are halved, because they may exceed the range of numbers. Along the other axis
    /// they are not, for halves of the smallest numbers are rounded.
    is_halved: [bool; 2],
}

impl<S: Scalar> Sweep<S> {
    /// The box `start`, moving along `motion`. It ends at [`start.with_offset(motion)`](Aabb::with_offset).
    #[must_use]
    pub fn new(start: Aabb<S>, motion: impl Into<[S; 2]>) -> Self {
        let sweep = Self::along(start, [S::ZERO; 2], motion.into());
        sweep.with_path(sweep.path_until_about(1.0, 0.0))
    }

    /// The segment between two points.
    #[must_use]
    pub fn segment(from: impl Into<[S; 2]>, to: impl Into<[S; 2]>) -> Self {
        let (from, to) = (from.into(), to.into());
        Self::along(Aabb::from_point(from), from, to).with_path(Aabb::from_corners(from, to))
    }

    /// The ray from `origin` along `direction`, without end. `direction` may have any length: times are in units of it.
    #[must_use]
    pub fn ray(origin: impl Into<[S; 2]>, direction: impl Into<[S; 2]>) -> Self {
        Self::endless(Aabb::from_point(origin), direction)
    }

    /// A box that moves on without end.
    #[must_use]
    pub fn endless(start: Aabb<S>, motion: impl Into<[S; 2]>) -> Self {
        let sweep = Self::along(start, [S::ZERO; 2], motion.into());
        Self { end: sweep.end.filter(|end| *end < Ratio::ZERO), ..sweep }.with_path(path_for_ever(&start, sweep.motion))
    }

    /// Moves from `start` by the difference between two points. `start` may be anywhere on the path.
    fn along(start: Aabb<S>, from: [S; 2], to: [S; 2]) -> Self {
        let is_valid = start.is_valid() && from.iter().chain(&to).all(|part| part.is_finite());
        let motion = |part: fn(S::Wide) -> S::Wide| both(|axis| part(to[axis].wide()) - part(from[axis].wide()));
        let (whole, half) = (motion(|whole| whole), motion(Wide::half));
        let is_halved = both(|axis| {
            let is_far = start.min[axis].wide().is_far() || start.max[axis].wide().is_far();
            let is_exact = half[axis] + half[axis] == whole[axis];
            !whole[axis].to_f64().is_finite() || (is_far && is_exact)
        });
        let motion = both(|axis| if is_halved[axis] { half[axis] } else { whole[axis] });
        let sweep = Self { start, motion, path: Aabb::EVERYTHING, end: Some(Ratio::ONE), is_halved };
        if is_valid { sweep } else { sweep.never() }
    }

    /// Hits nothing. An empty path alone would not do: the box that is everything intersects it.
    fn never(self) -> Self {
        Self { path: Aabb::EMPTY, end: Some(Ratio::MINUS_ONE), ..self }
    }

    /// The same motion with this path, which encloses it at all times, if it hits anything at all.
    fn with_path(self, path: Aabb<S>) -> Self {
        if self.path.is_ordered() { Self { path, ..self } } else { self }
    }

    /// The same motion from a start moved by `offset`. Beyond the range of floats it hits nothing.
    #[must_use]
    pub fn with_offset(&self, offset: impl Into<[S; 2]>) -> Self {
        let moved = Self { start: self.start.with_offset(offset), ..*self };
        if !moved.start.is_valid() {
            return moved.never();
        }
        let is_endless = moved.end.is_none();
        let path =
            if is_endless { path_for_ever(&moved.start, moved.motion) } else { moved.path_until_about(1.0, 0.0) };
        moved.with_path(path)
    }

    /// Box `a`, moving along `motion_a`, as seen from box `b`, which moves along `motion_b` in the same time: relative
    /// to `b`, which is then at rest. Call [`contact`](Self::contact)`(&b)` on it.
    pub(crate) fn relative(a: Aabb<S>, motion_a: [S; 2], motion_b: [S; 2]) -> Self {
        Self::along(a, motion_b, motion_a)
    }

    /// Where it starts.
    #[must_use]
    pub fn start(&self) -> Aabb<S> {
        self.start
    }

    /// The center of the mover at a time; for a ray or a segment, its point. So at the [time](Contact::time) of a
    /// contact, a ray's point of contact. Rounded to `f64`.
    ///
    /// ```
    /// use quadrille::{Aabb, Sweep};
    ///
    /// let ray = Sweep::ray([0.0, 1.0], [4.0, 2.0]);
    /// let contact = ray.contact(&Aabb::new([2.0, 0.0], [9.0, 9.0])).unwrap();
    /// assert_eq!(ray.point_at(contact.time()), [2.0, 2.0]);
    /// ```
    #[must_use]
    pub fn point_at(&self, time: f64) -> [f64; 2] {
        both(|axis| {
            let middle = self.start.min[axis].to_f64().midpoint(self.start.max[axis].to_f64());
            let moved = self.motion[axis].to_f64() * time;
            if self.is_halved[axis] { middle + moved + moved } else { middle + moved }
        })
    }

    /// A box that encloses the mover at all times; [`Aabb::EMPTY`] if the start or the motion is invalid.
    #[must_use]
    #[inline]
    pub fn path(&self) -> Aabb<S> {
        self.path
    }

    /// A box that would enclose the mover at all times if it moved on without end.
    pub(crate) fn path_for_ever(&self) -> Aabb<S> {
        if self.path.is_ordered() { path_for_ever(&self.start, self.motion) } else { self.path }
    }

    /// A box that encloses the mover until `time`, and all boxes that it touches by then.
    pub(crate) fn path_until(&self, time: f64) -> Aabb<S> {
        // A time is the quotient of a difference, and time times motion is a product: three roundings, which are small
        // compared to the result, or half of the smallest positive number.
        let least = f64::from_bits(1);
        let path = self.path_until_about(time * (1.0 + 4.0 * f64::EPSILON) + least, least);
        // Half of the smallest positive number is zero.
        if self.is_halved == [false; 2] { path } else { path.within_reach(2.0 * least) }
    }

    /// The smallest box that encloses the mover until `time`, and while it moves on for `more`. Rounding may put the
    /// mover beside a line that it is on, so edges are not rounded.
    fn path_until_about(&self, time: f64, more: f64) -> Aabb<S> {
        let mut path = self.start;
        for axis in 0..2 {
            let moved = self.motion[axis].magnitude().to_f64() * time + more;
            let moved = if self.is_halved[axis] { moved + moved } else { moved };
            if self.motion[axis] > S::Wide::ZERO {
                path.max[axis] = path.max[axis].up_by(moved);
            } else if self.motion[axis] < S::Wide::ZERO {
                path.min[axis] = path.min[axis].down_by(moved);
            }
        }
        path
    }

    /// The distance from one coordinate to another along an axis, in the unit of the motion.
    #[inline]
    fn distance(&self, axis: usize, from: S, to: S) -> S::Wide {
        let (from, to) = (from.wide(), to.wide());
        if self.is_halved[axis] { to.half() - from.half() } else { to - from }
    }

    /// The same motion for [sixteen boxes at once](Slabs); `None` if its times cannot be computed that exactly, because
    /// the motion is tiny or too long for the range of numbers.
    pub(crate) fn slabs(&self) -> Option<Slabs<S>> {
        const PACES: Range<f64> = 1e-30..1e30;
        let paces = both(|axis| 1.0 / self.motion[axis].to_f64());
        let is_known = |axis: usize| self.motion[axis] == S::Wide::ZERO || PACES.contains(&paces[axis].abs());
        (is_known(0) && is_known(1) && self.is_halved == [false; 2])
            .then(|| Slabs::new(&self.start, paces, self.end.map_or(f64::INFINITY, Ratio::to_f64)))
    }

    /// When and where the mover first touches a box at rest; `None` if it never does.
    ///
    /// On each axis the mover touches the box's slab during an interval of time, and it touches the box while it
    /// touches both slabs. Rounded or not, times grow with the position of an edge. So if both intervals share a time
    /// and a line divides a cell, the half on the side of that time is reached too, and lists the box: no cell on the
    /// path is missed.
    #[must_use]
    #[inline]
    pub fn contact(&self, bounds: &Aabb<S>) -> Option<Contact<S>> {
        if !self.path.intersects(bounds) {
            return None;
        }
        let mut contact = Contact { time: Ratio::ZERO, normal: [0, 0] };
        let mut leaves = self.end;
        for axis in 0..2 {
            // How far the mover must go until its upper edge meets the lower edge of the box, and its lower edge the
            // upper one.
            let meets = self.distance(axis, self.start.max[axis], bounds.min[axis]);
            let parts = self.distance(axis, self.start.min[axis], bounds.max[axis]);
            let motion = self.motion[axis];
            let (first, last, side) = if motion > S::Wide::ZERO {
                (meets.over(motion), parts.over(motion), -1)
            } else if motion < S::Wide::ZERO {
                (parts.over(motion), meets.over(motion), 1)
            } else if meets > S::Wide::ZERO || parts < S::Wide::ZERO {
                return None;
            } else {
                continue;
            };
            let is_latest = first > contact.time || (first == contact.time && contact.normal == [0, 0]);
            if is_latest {
                contact.normal = [0, 0];
                contact.normal[axis] = side;
            }
            if first > contact.time {
                contact.time = first;
            }
            if leaves.is_none_or(|leaves| last < leaves) {
                leaves = Some(last);
            }
        }
        leaves.is_none_or(|leaves| contact.time <= leaves).then_some(contact)
    }
}

/// Times are known up to this factor: what four roundings of 24 bits add to a quotient, several times over.
const TIMES: f64 = 1.0 + 1.0 / (1_u64 << 20) as f64;

/// A motion, for sixteen boxes at once: their times of first contact, [up to rounding](TIMES).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slabs<S> {
    axes: [Slab<S>; 2],
    /// When the mover stops, and a little later.
    end: f32,
    /// How far times may be off if numbers underflow.
    least: f32,
    /// No time is beyond this if numbers overflow, though it may be found to be infinite.
    most: f32,
}

/// A motion along an axis.
#[derive(Clone, Copy, Debug)]
enum Slab<S> {
    /// Nothing moves: the mover's lower and upper edge.
    Still(S, S),
    /// Upward or downward: the mover's edge in front, the one behind, and what their distances are multiplied by to be
    /// times: that of parting is a little later.
    Up([S; 2], [f32; 2]),
    Down([S; 2], [f32; 2]),
}

impl<S: Scalar> Slabs<S> {
    fn new(start: &Aabb<S>, paces: [f64; 2], end: f64) -> Self {
        let axes = both(|axis| {
            let (min, max, pace) = (start.min[axis], start.max[axis], paces[axis]);
            let both = [pace as f32, (pace * TIMES) as f32];
            match pace {
                _ if pace.is_infinite() => Slab::Still(min, max),
                _ if pace > 0.0 => Slab::Up([max, min], both),
                _ => Slab::Down([min, max], both),
            }
        });
        let [x, y] = both(|axis| if paces[axis].is_infinite() { 1.0 } else { paces[axis].abs() });
        let (least, most) = (f32::MIN_POSITIVE * x.max(y).max(1.0) as f32, f32::MAX * x.min(y).min(1.0) as f32);
        Self { axes, end: (end * TIMES) as f32, least, most }
    }

    /// What a time from [`times`](Self::times) may be if the box is touched by `time`.
    pub(crate) fn latest(&self, time: f64) -> f32 {
        (time * TIMES) as f32 + self.least
    }

    /// Times from [`times`](Self::times) that are earlier than this are earlier than one whose [latest](Self::latest) is
    /// given.
    pub(crate) fn about(&self, latest: f32) -> f32 {
        latest * (1.0 - 1.0 / (1_u32 << 18) as f32) - 2.0 * self.least
    }

    /// Times before which boxes of these columns are not touched. The top bit of each of the other numbers is set if its
    /// box is not touched at all: nothing that is touched is left out.
    #[inline(always)]
    pub(crate) fn times<const N: usize>(&self, columns: &[&[S; N]; 4]) -> ([f32; N], [u32; N]) {
        let (mut first, mut last, mut are_missed) = ([0.0; N], [self.end; N], [0; N]);
        for axis in 0..2 {
            let (low, high) = (columns[axis], columns[axis + 2]);
            let (near, far, edges, paces) = match self.axes[axis] {
                Slab::Up(edges, paces) => (low, high, edges, paces),
                Slab::Down(edges, paces) => (high, low, edges, paces),
                Slab::Still(min, max) => {
                    for lane in 0..N {
                        let is_beside = (low[lane] > max) | (high[lane] < min);
                        last[lane] = if is_beside { f32::NEG_INFINITY } else { last[lane] };
                    }
                    continue;
                }
            };
            for lane in 0..N {
                let enters = near[lane].roughly_minus(edges[0]) * paces[0];
                let leaves = far[lane].roughly_minus(edges[1]) * paces[1];
                first[lane] = if enters > first[lane] { enters } else { first[lane] };
                last[lane] = if leaves < last[lane] { leaves } else { last[lane] };
            }
        }
        for lane in 0..N {
            first[lane] = if first[lane] < self.most { first[lane] } else { self.most };
            last[lane] = last[lane] - first[lane] + self.least;
        }
        for lane in 0..N {
            are_missed[lane] = last[lane].to_bits();
        }
        (first, are_missed)
    }
}

fn path_for_ever<S: Scalar>(start: &Aabb<S>, motion: [S::Wide; 2]) -> Aabb<S> {
    let min = both(|axis| if motion[axis] < S::Wide::ZERO { S::LOWEST } else { start.min[axis] });
    let max = both(|axis| if motion[axis] > S::Wide::ZERO { S::HIGHEST } else { start.max[axis] });
    Aabb::new(min, max)
}

/// The first touch: when, and on which side. Compared by time alone, exactly for `i32`.
#[derive(Clone, Copy, Debug)]
pub struct Contact<S: Scalar = f32> {
    time: <S::Wide as Wide>::Ratio,
    normal: [i8; 2],
}

impl<S: Scalar> Contact<S> {
    /// When they touch, as a fraction of the motion; 0 if they touch at the start. Rounded to the nearest `f64`.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.time.to_f64()
    }

    /// Points outward from the side of the box that is touched: `[-1, 0]` is west. If the mover enters through two
    /// sides at once, at a corner, this is the side on the x axis. `[0, 0]` if they overlap from the start without the
    /// mover just arriving at a side. For a motion longer than any `f64`, distances are halved, and half a distance
    /// below 10^-323 is zero.
    #[must_use]
    pub fn normal(&self) -> [i8; 2] {
        self.normal
    }

    /// The [normal](Self::normal) as a vector in world coordinates, for other libraries.
    #[must_use]
    pub fn normal_vector(&self) -> [S; 2] {
        both(|axis| S::from_f64(f64::from(self.normal[axis])))
    }
}

impl<S: Scalar> PartialEq for Contact<S> {
    fn eq(&self, other: &Self) -> bool {
        self.time == other.time
    }
}

impl<S: Scalar> PartialOrd for Contact<S> {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.time.partial_cmp(&other.time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn far_along_one_axis_the_smallest_steps_along_the_other_are_exact() {
        let (least, far) = (f64::from_bits(1), f64::MAX / 2.0);
        let sweep = Sweep::new(Aabb::from_point([least, far]), [-2.0 * least, -far]);
        let touched = |x: f64| sweep.contact(&Aabb::from_point([x, 0.0])).map(|contact| contact.time());
        assert_eq!([-2.0, -1.0, 0.0, 1.0].map(|x| touched(x * least)), [None, Some(1.0), None, None]);
    }

    #[test]
    fn what_touches_at_the_start_is_told_from_what_moves_into_a_box() {
        let (wall, ball) = (Aabb::new([4.0, 0.0], [5.0, 9.0]), Aabb::new([2.0, 4.0], [4.0, 6.0]));
        for (motion, normal) in [
            ([1.0, 0.0], [-1, 0]),
            ([1.0, -1.0], [-1, 0]),
            ([-1.0, 0.0], [0, 0]),
            ([0.0, 1.0], [0, 0]),
            ([0.0, 0.0], [0, 0]),
        ] {
            let contact = Sweep::new(ball, motion).contact(&wall).expect("they touch");
            assert_eq!((contact.time(), contact.normal()), (0.0, normal), "{motion:?}");
        }
    }

    /// Sixteen at once: none that is touched is missed, or comes later than it is touched.
    fn many_at_once<S: Scalar>(scale: f64, way: f64) {
        let mut random = fastrand::Rng::with_seed(9);
        let (mut touched, mut missed) = (0, 0);
        for round in 0..3000 {
            let mut number = |scale: f64| S::from_f64((random.f64() * 16.0 - 8.0).round() * scale);
            let mut one = || Aabb::from_corners([number(scale), number(scale)], [number(scale), number(scale)]);
            let (start, boxes) = (one(), [(); 16].map(|()| one()));
            let boxes: [Aabb<S>; 16] = core::array::from_fn(|k| if k == 5 { Aabb::EMPTY } else { boxes[k] });
            let motion = [number(way), number(way)];
            let sweep = if round % 2 == 0 { Sweep::new(start, motion) } else { Sweep::endless(start, motion) };
            let Some(slabs) = sweep.slabs() else { continue };
            let columns = [0, 1, 2, 3].map(|number| boxes.map(|bounds| <[S; 4]>::from(bounds)[number]));
            let (times, are_missed) = slabs.times(&columns.each_ref());
            for (lane, bounds) in boxes.iter().enumerate() {
                let is_missed = are_missed[lane] >> 31 != 0;
                let Some(contact) = sweep.contact(bounds) else {
                    missed += u32::from(is_missed);
                    continue;
                };
                assert!(!is_missed, "{sweep:?} touches {bounds:?} in {contact:?}");
                assert!(times[lane] <= slabs.latest(contact.time()), "{} for {contact:?}: {sweep:?}", times[lane]);
                touched += 1;
            }
        }
        assert!(touched > 1000 && missed > 1000, "{touched} touched and {missed} missed in {scale:e}, {way:e}");
    }

    #[test]
    fn none_of_many_at_once_is_missed() {
        for (scale, way) in [(1.0, 1.0), (4e37, 1.0), (4e37, 1e28), (1.0, 1e-28), (1e-42, 1e-28), (1e-42, 1.0)] {
            many_at_once::<f32>(scale, way);
        }
        for (scale, way) in [(1.0, 1.0), (1e-320, 1.0), (1e38, 1e28), (1e40, 1e-28), (1e-50, 1e-28)] {
            many_at_once::<f64>(scale, way);
        }
        for (scale, way) in [(1.0, 1.0), (2e8, 1.0), (2e8, 2e8), (1e9, 3.0)] {
            many_at_once::<i32>(scale, way);
        }
    }
}
