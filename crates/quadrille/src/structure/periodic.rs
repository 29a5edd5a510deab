//! Worlds that wrap around: a structure around another one, which has no notion of seams.

use alloc::borrow::Cow;
use core::ops::{ControlFlow, RangeInclusive};

use super::any::pass_on;
use super::{Node, Part, Stats, Structure};
use crate::error::{Corruption, Error};
use crate::executor::Executor;
use crate::forward;
use crate::geometry::{Aabb, Scalar, both};
use crate::query::{Overlaps, Query, partners};
use crate::setters::setters;
use crate::storage::{Boxes, Layers};

/// A query is followed around the world at most this many times. The range of numbers must extend this far beyond
/// the world, plus two worlds.
const MOST_TURNS: i64 = 16;

/// Boxes in a world whose east edge is its west edge, or whose north edge is its south edge, or both, arranged by the
/// structure `I`: `Index<Periodic<Grid>>`, `Space<T, Periodic<Quadtree>>`. Everything works across the seams, each
/// result once: queries, answers in order, pairs, impacts and events.
///
/// In the manual: `docs/structures/periodic.md`.
///
/// - **A box** is stored once, with its lower corner in the world: when it is inserted, it is moved there by whole
///   worlds. It may stick out beyond the upper edges, and is at most as large as the world.
/// - **A query** may be anywhere. The structure is searched once for each path around the world on which the query can
///   find anything, each time with the boxes moved by whole worlds. Away from the seams that is one search, and costs
///   the same as without wrapping. A query is followed at most 16 times around the world, counted from its start.
/// - **Order of answers**, in this version: path by path, south to north and west to east; within each path, the order
///   of `I`. Pairs: those that overlap directly, then those across seams.
/// - **Numbers:** on a torus the origin is a point like any other. On an axis that wraps, coordinates and the edges
///   of the world are rounded to a lattice as fine as floats are 20 worlds away (2^-24 of that distance for `f32`).
///   Moving by whole worlds is then exact, and whether two boxes overlap does not depend on their order. `i32` needs no
///   rounding.
/// - **Queries from far away:** everything within 18 worlds of the world is seen exactly. Farther away, each edge of
///   a box is seen up to one step of the numbers there from its true position: 2^-23 of the distance for `f32`, 2^-52 for
///   `f64`. Answers are exact for boxes seen this way, up to 10^15 worlds away. `i32` is exact up to one world before
///   the ends of its range. So limit unbounded queries to two worlds.
///
/// ```
/// use quadrille::structures::{LooseQuadtree, Periodic, PeriodicOptions};
/// use quadrille::{Aabb, Index, Near, Sweep};
///
/// let world = Aabb::new([0.0, 0.0], [100.0, 50.0]);
/// let options = PeriodicOptions::new(world);
/// let mut torus = Index::<Periodic<LooseQuadtree>>::new(options)?;
/// let a = torus.insert(Aabb::new([98.0, 10.0], [101.0, 12.0]))?;
/// let b = torus.insert(Aabb::new([0.5, 11.0], [2.0, 12.0]))?;
/// assert_eq!(torus.pairs().collect::<Vec<_>>(), [(a, b)], "across the seam");
///
/// let ray = torus.query_first(Sweep::ray([50.0, 11.5], [-1.0, 0.0])).unwrap();
/// assert_eq!((ray.id, ray.rank.time()), (b, 48.0));
/// let near = torus.query_first(Near::point([90.0, 49.0])).unwrap();
/// assert_eq!((near.id, near.rank.squared()), (a, 64.0 + 121.0));
/// # Ok::<(), quadrille::Error>(())
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(serialize = "I: serde::Serialize", deserialize = "I: serde::Deserialize<'de>"))
)]
pub struct Periodic<I: Structure> {
    structure: I,
    torus: Torus<I::Scalar>,
}

/// Options of [`Periodic`]. Those by [`default`](Self::default) wrap nothing, because no world fits all data: begin with
/// [`new`](Self::new).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct PeriodicOptions<O, S = f32> {
    /// The world. On an axis that does not wrap, its edges have no effect.
    pub world: Aabb<S>,
    /// Whether the x axis wraps (east meets west), and whether the y axis wraps (north meets south).
    pub wraps: [bool; 2],
    /// Options of the inner structure.
    pub structure: O,
}

impl<O: Default, S> PeriodicOptions<O, S> {
    /// A world that wraps on both axes, with the inner structure's default options.
    #[must_use]
    pub fn new(world: Aabb<S>) -> Self {
        Self { world, wraps: [true; 2], structure: O::default() }
    }
}

setters!(PeriodicOptions<O, S> {
    with_wraps => wraps: [bool; 2],
    with_structure => structure: O,
});

/// The world, and where boxes are.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(bound = "S: Scalar"))]
struct Torus<S> {
    /// Its edges are on the lattice.
    world: Aabb<S>,
    wraps: [bool; 2],
    /// Holds every box; larger than needed until the next `maintain`.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::hull"))]
    hull: Aabb<S>,
}

impl<S: Scalar> Torus<S> {
    fn new(world: Aabb<S>, wraps: [bool; 2]) -> Result<Self, Error> {
        let most = S::from_f64(f64::MAX).to_f64();
        // Rounding the world may change the lattice, but not twice.
        let torus = Self { world: world.check()?, wraps, hull: Aabb::EMPTY }.with_snapped_world().with_snapped_world();
        for axis in torus.seams() {
            let [lo, hi] = [torus.world.min, torus.world.max].map(|corner| corner[axis].to_f64());
            let period = hi - lo;
            let reach = (MOST_TURNS + 2) as f64 * period;
            if hi <= lo {
                return Err(Error::option(
                    "world",
                    hi - lo,
                    "a world that wraps has a size, on the lattice of its numbers",
                ));
            }
            if !(hi + reach <= most && lo - reach >= -most) {
                return Err(Error::option("world", hi - lo, "numbers must reach 18 worlds beyond a world that wraps"));
            }
        }
        Ok(torus)
    }

    fn with_snapped_world(self) -> Self {
        let mut world = self.world;
        for axis in self.seams() {
            world.min[axis] = self.snapped(axis, self.world.min[axis].to_f64());
            world.max[axis] = self.snapped(axis, self.world.max[axis].to_f64());
        }
        Self { world, ..self }
    }

    /// The axes that wrap.
    fn seams(&self) -> impl Iterator<Item = usize> + use<S> {
        let wraps = self.wraps;
        (0..2).filter(move |&axis| wraps[axis])
    }

    fn period(&self, axis: usize) -> f64 {
        self.world.max[axis].to_f64() - self.world.min[axis].to_f64()
    }

    /// This many worlds, as an offset. Exact for a few worlds.
    fn offset(&self, turns: [i64; 2]) -> [S; 2] {
        both(|axis| if turns[axis] == 0 { S::ZERO } else { S::from_f64(turns[axis] as f64 * self.period(axis)) })
    }

    /// The nearest coordinate on the lattice: sums are exact as far as queries are followed.
    fn snapped(&self, axis: usize, at: f64) -> S {
        let (lo, hi) = (self.world.min[axis].to_f64(), self.world.max[axis].to_f64());
        S::from_f64(at).snapped(lo.abs().max(hi.abs()) + (MOST_TURNS + 4) as f64 * (hi - lo))
    }

    /// The position of a coordinate within the world. The upper edge is the same as the lower one.
    fn home(&self, axis: usize, at: f64) -> f64 {
        let (lo, period) = (self.world.min[axis].to_f64(), self.period(axis));
        let way = at - lo;
        let rest = if way.is_finite() { way % period } else { (at % period - lo % period) % period };
        let home = self.snapped(axis, if rest < 0.0 { lo + (rest + period) } else { lo + rest });
        if home < self.world.max[axis] { home.to_f64() } else { lo }
    }

    /// `bounds`, moved by the worlds that bring its lower corner home.
    fn admit(&self, bounds: Aabb<S>) -> Result<Aabb<S>, Error> {
        let mut admitted = bounds;
        for axis in self.seams() {
            let min = bounds.min[axis].to_f64();
            let home = self.home(axis, min);
            admitted.min[axis] = self.snapped(axis, home);
            admitted.max[axis] = self.snapped(axis, home + (bounds.max[axis].to_f64() - min));
            let size = admitted.max[axis].to_f64() - admitted.min[axis].to_f64();
            if size > self.period(axis) {
                return Err(Error::option("size", size, "a box is at most as large as a world that wraps"));
            }
        }
        Ok(admitted)
    }

    /// `true` for a box that could have been admitted with an anchor in it.
    fn holds(&self, bounds: &Aabb<S>) -> bool {
        self.seams().all(|axis| {
            let (lo, hi) = (bounds.min[axis].to_f64(), bounds.max[axis].to_f64());
            let is_snapped = [lo, hi].iter().all(|&edge| self.snapped(axis, edge).to_f64() == edge);
            let is_near = lo < self.world.max[axis].to_f64() && hi >= self.world.min[axis].to_f64();
            is_snapped && is_near && hi - lo <= self.period(axis)
        })
    }

    /// `true` if the hull is no larger than the boxes that the world [holds](Self::holds) can require.
    fn holds_hull(&self) -> bool {
        let is_near = |axis: usize| {
            let (lo, hi) = (self.hull.min[axis].to_f64(), self.hull.max[axis].to_f64());
            let (west, east) = (self.world.min[axis].to_f64(), self.world.max[axis].to_f64());
            lo >= west - self.period(axis) && hi <= east + self.period(axis)
        };
        self.hull == Aabb::EMPTY || (self.hull.is_valid() && self.seams().all(is_near))
    }

    fn refit(&mut self, boxes: &Boxes<S>) {
        self.hull = Aabb::from_boxes(boxes.all());
    }

    fn widen(&mut self, bounds: &Aabb<S>) {
        self.hull = self.hull.union(bounds);
    }

    /// The offsets at which a query can find anything.
    fn offsets<Q: Query<S>>(&self, query: &Q) -> Offsets<S> {
        let extent = query.extent();
        Offsets { torus: *self, bounds: query.bounds(), turns: both(|axis| self.turns(axis, &extent)) }
    }

    /// How many worlds to move boxes so that they come within half a world of `extent`, as each does at some offset,
    /// plus the rounding error of moving: the size of the hull does not affect answers. At most [`MOST_TURNS`] from the
    /// world that holds the finite end of `extent`, wherever boxes are or have been.
    fn turns(&self, axis: usize, extent: &Aabb<S>) -> RangeInclusive<i64> {
        if !self.wraps[axis] || !self.hull.is_ordered() {
            return 0..=0;
        }
        let (west, east) = (extent.min[axis].to_f64(), extent.max[axis].to_f64());
        let first = -floor(0.75 - (west - self.hull.max[axis].to_f64()) / self.period(axis));
        let last = floor(0.75 + (east - self.hull.min[axis].to_f64()) / self.period(axis));
        let world_of = |at: f64| floor((at - self.world.min[axis].to_f64()) / self.period(axis));
        match [extent.min[axis] > S::LOWEST, extent.max[axis] < S::HIGHEST] {
            [false, false] => -MOST_TURNS / 2..=MOST_TURNS / 2,
            [false, true] => first.max(world_of(east) - MOST_TURNS)..=last,
            [true, _] => first..=last.min(world_of(west) + MOST_TURNS),
        }
    }

    /// All offsets at which two boxes can meet: none, and each other one next to its opposite.
    fn meetings(&self) -> impl Iterator<Item = [i64; 2]> {
        let forth = self.forth().flat_map(|turns| [turns, turns.map(|turn| -turn)]);
        core::iter::once([0, 0]).chain(forth)
    }

    /// Half of the offsets at which two boxes can meet across a seam; the other half swaps the roles of the two.
    fn forth(&self) -> impl Iterator<Item = [i64; 2]> {
        // The hull is hardly two worlds wide.
        let [columns, rows] = self.wraps.map(|wraps| if wraps { 2 } else { 0 });
        let turns = (0..=rows).flat_map(move |row| (-columns..=columns).map(move |column| [column, row]));
        let turns = turns.filter(|&[column, row]| row > 0 || column > 0);
        turns.filter(|&turns| self.hull.intersects(&self.hull.with_offset(self.offset(turns))))
    }

    /// Do two boxes meet at any offset? Both have their lower corners in the world and are no larger than it, so that none
    /// farther than one world counts. Where other boxes are makes no difference: these may have left the hull.
    fn touch(&self, a: &Aabb<S>, b: &Aabb<S>) -> bool {
        let [columns, rows] = self.wraps.map(i64::from);
        let mut turns = (-rows..=rows).flat_map(|row| (-columns..=columns).map(move |column| [column, row]));
        turns.any(|turns| a.intersects(&b.with_offset(self.offset(turns))))
    }

    /// Are `turns` the first offset, in worlds, at which the two boxes meet, when the second is moved?
    fn is_first(&self, a: &Aabb<S>, b: &Aabb<S>, turns: [i64; 2]) -> bool {
        self.meetings().find(|&turns| a.intersects(&b.with_offset(self.offset(turns)))) == Some(turns)
    }
}

/// The greatest integer that is not greater than `value`, as far as `f64` counts integers.
fn floor(value: f64) -> i64 {
    let integer = value.clamp(-1e15, 1e15) as i64;
    if integer as f64 > value { integer - 1 } else { integer }
}

/// The offsets of boxes, by whole worlds, at which a query can find anything.
#[derive(Clone, Debug)]
struct Offsets<S> {
    torus: Torus<S>,
    bounds: Aabb<S>,
    /// How many worlds to the east and to the north.
    turns: [RangeInclusive<i64>; 2],
}

impl<S: Scalar> Offsets<S> {
    fn iter(&self) -> impl Iterator<Item = [S; 2]> + use<S> {
        let Self { torus, bounds, turns: [columns, rows] } = self.clone();
        let turns = rows.flat_map(move |row| columns.clone().map(move |column| [column, row]));
        let offsets = turns.map(move |turns| torus.offset(turns));
        offsets.filter(move |&offset| torus.hull.with_offset(offset).intersects(&bounds))
    }
}

/// A query that sees boxes moved by some worlds, and leaves to earlier offsets what they accept.
#[derive(Clone, Debug)]
struct Image<S, Q> {
    query: Q,
    offset: [S; 2],
    /// The number of the offset.
    number: usize,
    offsets: Offsets<S>,
}

impl<S: Scalar, Q: Query<S>> Query<S> for Image<S, Q> {
    forward!(Query<S>, |image| image.query, except bounds, extent, reaches, covers, accepts);

    /// The query's bounds as they lie to boxes that are not moved, and a little more if moving rounds: what is
    /// accepted, and is moved before, intersects them.
    fn bounds(&self) -> Aabb<S> {
        let mut bounds = self.offsets.bounds;
        for axis in (0..2).filter(|&axis| self.offset[axis] != S::ZERO) {
            let edges = [bounds.min[axis], bounds.max[axis]].into_iter().filter(|edge| edge.is_finite());
            let farthest = edges.fold(self.offset[axis].to_f64().abs(), |far, edge| far.max(edge.to_f64().abs()));
            let step = S::at_least(farthest).minus(S::from_f64(farthest));
            let slack = step.plus(step);
            bounds.min[axis] = bounds.min[axis].minus(self.offset[axis]).minus(slack);
            bounds.max[axis] = bounds.max[axis].minus(self.offset[axis]).plus(slack);
        }
        bounds
    }

    fn reaches(&self, cell: &Aabb<S>) -> bool {
        self.query.reaches(&cell.with_offset(self.offset))
    }

    /// It is unknown which boxes of a hull earlier offsets accept.
    fn covers(&self, hull: &Aabb<S>) -> bool {
        self.number == 0 && self.query.covers(&hull.with_offset(self.offset))
    }

    fn accepts(&self, id: u32, bounds: &Aabb<S>, layers: Layers) -> bool {
        let accepts = |offset| self.query.accepts(id, &bounds.with_offset(offset), layers);
        accepts(self.offset) && !self.offsets.iter().take(self.number).any(accepts)
    }
}

impl<I: Structure> Periodic<I> {
    /// Pairs of a box and a moved box that meet at the offset `turns` and at none before it.
    fn pairs_across(&self, boxes: &Boxes<I::Scalar>, turns: [i64; 2]) -> impl Iterator<Item = (u32, u32)> {
        let torus = &self.torus;
        let [forth, back] = [turns, turns.map(|turns| -turns)].map(|turns| torus.offset(turns));
        let near = self.structure.search(boxes, Overlaps(torus.hull.with_offset(forth)));
        near.flat_map(move |a| {
            let asked = partners(boxes, boxes.at(a).with_offset(back), boxes.layers(a));
            self.structure.search(boxes, asked).filter(move |&b| a != b).filter_map(move |b| {
                // Seen from the lower id, so that a pair has a single first offset.
                let (low, high, turns) = if a < b { (a, b, turns) } else { (b, a, turns.map(|turns| -turns)) };
                torus.is_first(boxes.at(low), boxes.at(high), turns).then_some((low, high))
            })
        })
    }
}

/// The structure inside, for [`pass_on!`](super::any::pass_on).
macro_rules! inside {
    ($periodic:expr, $one:ident => $result:expr) => {{
        let Periodic { structure: $one, .. } = $periodic;
        $result
    }};
}

impl<I: Structure> Structure for Periodic<I> {
    const NAME: &'static str = "periodic";
    const AROUND: Option<&'static str> = Some(I::NAME);
    type Scalar = I::Scalar;
    type Options = PeriodicOptions<I::Options, I::Scalar>;
    type Askers = Periodic<I::Askers>;
    type Compiler = crate::compiled::Caller;

    /// An empty world.
    ///
    /// # Errors
    /// Returns an error if an option of the structure breaks a rule, or the world is infinite, NaN or inverted; on
    /// an axis that wraps, also if the world has no size on the lattice, or is so large that numbers do not reach 18
    /// worlds beyond it.
    fn new(options: Self::Options) -> Result<Self, Error> {
        let torus = Torus::new(options.world, options.wraps)?;
        Ok(Self { structure: I::new(options.structure)?, torus })
    }

    fn options(&self) -> Self::Options {
        let Torus { world, wraps, .. } = self.torus;
        PeriodicOptions { world, wraps, structure: self.structure.options() }
    }

    fn askers(&self) -> <Self::Askers as Structure>::Options {
        let Torus { world, wraps, .. } = self.torus;
        PeriodicOptions { world, wraps, structure: self.structure.askers() }
    }

    fn admit(&self, bounds: Aabb<I::Scalar>) -> Result<Aabb<I::Scalar>, Error> {
        self.torus.admit(bounds)
    }

    fn admit_all<'a>(&self, boxes: &'a [Aabb<I::Scalar>]) -> Result<Cow<'a, [Aabb<I::Scalar>]>, Error> {
        let admit = |(position, bounds): (usize, &Aabb<I::Scalar>)| {
            self.torus.admit(*bounds).map_err(|error| Error::at(error, position))
        };
        boxes.iter().enumerate().map(admit).collect::<Result<_, _>>().map(Cow::Owned)
    }

    fn offsets<Q: Query<I::Scalar>>(&self, query: &Q) -> impl Iterator<Item = [I::Scalar; 2]> {
        self.torus.offsets(query).iter()
    }

    fn touch(&self, a: &Aabb<I::Scalar>, b: &Aabb<I::Scalar>) -> bool {
        self.torus.touch(a, b)
    }

    fn build_with(&mut self, boxes: &Boxes<I::Scalar>, executor: &impl Executor) {
        self.torus.refit(boxes);
        self.structure.build_with(boxes, executor);
    }

    fn insert(&mut self, boxes: &Boxes<I::Scalar>, id: u32) {
        self.torus.widen(boxes.at(id));
        self.structure.insert(boxes, id);
    }

    fn update(&mut self, boxes: &Boxes<I::Scalar>, id: u32, old: Aabb<I::Scalar>) {
        self.torus.widen(boxes.at(id));
        self.structure.update(boxes, id, old);
    }

    fn update_all(&mut self, boxes: &mut Boxes<I::Scalar>, now: &[Aabb<I::Scalar>], executor: &impl Executor) {
        self.structure.update_all(boxes, now, executor);
        self.torus.refit(boxes);
    }

    fn clear(&mut self) {
        self.torus.hull = Aabb::EMPTY;
        self.structure.clear();
    }

    fn maintain_with(&mut self, boxes: &Boxes<I::Scalar>, executor: &impl Executor) {
        self.torus.refit(boxes);
        self.structure.maintain_with(boxes, executor);
    }

    fn search<Q: Query<I::Scalar>>(&self, boxes: &Boxes<I::Scalar>, query: Q) -> impl Iterator<Item = u32> {
        let offsets = self.torus.offsets(&query);
        (0..).zip(offsets.iter()).flat_map(move |(number, offset)| {
            self.structure.search(boxes, Image { query: query.clone(), offset, number, offsets: offsets.clone() })
        })
    }

    fn search_pairs(&self, boxes: &Boxes<I::Scalar>, part: Part) -> impl Iterator<Item = (u32, u32)> {
        let across = part.is_last().then(|| self.torus.forth().flat_map(|turns| self.pairs_across(boxes, turns)));
        let here = self.structure.search_pairs(boxes, part);
        here.chain(across.into_iter().flatten())
    }

    pass_on! { inside!
        fn fits(&self, boxes: &Boxes<I::Scalar>) -> bool;
        fn remove(&mut self, boxes: &Boxes<I::Scalar>, id: u32);
        fn set_layers(&mut self, boxes: &Boxes<I::Scalar>, id: u32);
        fn reserve(&mut self, additional: usize);
        fn restore(&mut self, boxes: &Boxes<I::Scalar>);
        fn visit_lists<B>(
            &self, boxes: &Boxes<I::Scalar>,
            visit: impl FnMut(Node<I::Scalar>, &mut dyn Iterator<Item = u32>) -> ControlFlow<B>
        ) -> ControlFlow<B>;
        fn visit_pyramid<B>(&self, visit: impl FnMut(u32, Aabb<I::Scalar>) -> ControlFlow<B>) -> ControlFlow<B>;
        fn stats(&self, boxes: &Boxes<I::Scalar>) -> Stats;
    }

    fn validate(&self, boxes: &Boxes<I::Scalar>) -> Result<(), Corruption> {
        self.structure.validate(boxes)?;
        let Torus { world, wraps, hull } = self.torus;
        let is_sound = Torus::new(world, wraps).is_ok_and(|torus| torus.world == world);
        Corruption::unless(is_sound, || alloc::format!("{world:?} cannot wrap"))?;
        Corruption::unless(self.torus.holds_hull(), || alloc::format!("no boxes in {world:?} need the hull {hull:?}"))?;
        boxes.iter().try_for_each(|(id, bounds)| {
            let is_sound = hull.contains(&bounds) && self.torus.holds(&bounds);
            Corruption::unless(is_sound, || alloc::format!("box {id} has no place in the world: {bounds:?}"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Periodic, PeriodicOptions, Torus};
    use crate::geometry::Aabb;
    use crate::storage::Boxes;
    use crate::structure::{FrameTree, Structure};

    #[test]
    fn a_hull_that_lacks_a_box_is_not_sound() {
        let options = PeriodicOptions::new(Aabb::new([0.0; 2], [10.0; 2]));
        let mut periodic = Periodic::<FrameTree>::new(options).expect("a world that wraps");
        let mut boxes = Boxes::new();
        [1.0, 5.0].iter().for_each(|&at| assert!(boxes.insert(Aabb::from_point([at; 2])).is_ok()));
        periodic.build(&boxes);
        periodic.validate(&boxes).expect("a sound world");
        periodic.torus.hull = *boxes.at(0);
        assert!(periodic.validate(&boxes).is_err());
    }

    #[test]
    fn a_way_home_may_be_longer_than_any_number() {
        let (far, half) = (2_f64.powi(1023), 2_f64.powi(999));
        let torus = Torus::new(Aabb::new([far; 2], [far + 2.0 * half; 2]), [true; 2]).expect("a world that wraps");
        assert_eq!(torus.home(0, -far - half), far + half);
    }
}
