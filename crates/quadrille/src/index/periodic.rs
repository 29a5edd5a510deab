//! Worlds that wrap around, as a thin layer above an index: structures know nothing of seams.

use core::ops::RangeInclusive;

use alloc::vec::Vec;
use arrayvec::ArrayVec;

use super::Index;
use crate::error::Error;
use crate::geometry::{Aabb, Scalar};
use crate::question::{Hit, Image, Images, Movable, Overlaps, Ranked, RankedImage, Shelf, partners};
use crate::structure::Structure;

/// A way is followed round the world this often at most; and so far beyond the world numbers must reach.
const MOST_TURNS: i32 = 16;

/// Boxes in a world whose east edge is its west edge, or whose north edge is its south edge, or both.
///
/// Every box is kept once, with its lower corner in the world; it may stick out beyond the upper edges. A question may be asked
/// anywhere: it is moved into the world and asked again for every image of it, one world further, that can find anything; each box is
/// reported once. So a question away from the seams costs what it costs without them.
///
/// Moving by whole worlds rounds as adding does: exact for `i32`, and for floats wherever the sums are exact.
///
/// ```
/// use quadrille::{Aabb, LooseQuadtree, Near, Periodic, Sweep};
///
/// let world = Aabb::new([0.0, 0.0], [100.0, 50.0]);
/// let mut torus = Periodic::<LooseQuadtree>::new(Default::default(), world, [true, true])?;
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
pub struct Periodic<I: Structure> {
    index: Index<I>,
    world: Aabb<I::Scalar>,
    wraps: [bool; 2],
    /// At least as large as every box.
    largest: [I::Scalar; 2],
}

/// # Life
impl<I: Structure> Periodic<I> {
    /// An empty world that wraps around on x, on y, or on both.
    ///
    /// # Errors
    /// If an option breaks a rule; if the world is not finite, is inverted or, on an axis that wraps, without size, or so large that
    /// numbers do not reach 16 worlds beyond it.
    pub fn new(options: I::Options, world: Aabb<I::Scalar>, wraps: [bool; 2]) -> Result<Self, Error> {
        world.check()?;
        let most = I::Scalar::from_f64(f64::MAX).to_f64();
        for axis in (0..2).filter(|&axis| wraps[axis]) {
            let (lo, hi) = (world.min[axis].to_f64(), world.max[axis].to_f64());
            let reach = f64::from(MOST_TURNS + 2) * (hi - lo);
            if !(hi > lo && hi + reach <= most && lo - reach >= -most) {
                return Err(Error::option("world", hi - lo, "numbers must reach 18 worlds beyond a world that wraps"));
            }
        }
        Ok(Self { index: Index::new(options)?, world, wraps, largest: [I::Scalar::ZERO; 2] })
    }

    /// Stores a box and returns its id.
    ///
    /// # Errors
    /// As [`Index::insert`]; and if the box is larger than the world on an axis that wraps.
    pub fn insert(&mut self, bounds: Aabb<I::Scalar>) -> Result<u32, Error> {
        let bounds = self.admitted(bounds)?;
        self.index.insert(bounds)
    }

    /// Gives a box a new place and size.
    ///
    /// # Errors
    /// As [`Index::update`]; and if the box is larger than the world on an axis that wraps.
    pub fn update(&mut self, id: u32, bounds: Aabb<I::Scalar>) -> Result<(), Error> {
        let bounds = self.admitted(bounds)?;
        self.index.update(id, bounds).map(|_| ())
    }

    /// Removes a box and returns it, or `None` if the id is not in use.
    pub fn remove(&mut self, id: u32) -> Option<Aabb<I::Scalar>> {
        self.index.remove(id)
    }

    /// Does deferred work: see [`Index::maintain`].
    pub fn maintain(&mut self) {
        self.index.maintain();
    }

    /// The boxes, each with its lower corner in the world.
    #[must_use]
    pub fn index(&self) -> &Index<I> {
        &self.index
    }

    fn admitted(&mut self, bounds: Aabb<I::Scalar>) -> Result<Aabb<I::Scalar>, Error> {
        let (bounds, size) = (self.moved_into_the_world(&bounds.check()?), bounds.size());
        for axis in (0..2).filter(|&axis| self.wraps[axis]) {
            if size[axis] > self.period()[axis] {
                return Err(Error::option("size", size[axis], "a box is at most as large as a world that wraps"));
            }
        }
        self.largest = [0, 1].map(|axis| self.largest[axis].greater(bounds.size()[axis]));
        Ok(bounds)
    }
}

/// # Questions
impl<I: Structure> Periodic<I> {
    /// The boxes that `question` accepts anywhere round the world, each once, lazily.
    #[expect(clippy::needless_pass_by_value, reason = "questions are values")]
    pub fn query<Q: Movable<I::Scalar>>(&self, question: Q) -> impl Iterator<Item = u32> {
        let images = self.images(&question);
        let count = if question.bounds().is_ordered() { images.iter().count() } else { 0 };
        (0..count).flat_map(move |number| {
            let image = images.iter().nth(number).map(|question| Image { question, number, images: images.clone() });
            image.into_iter().flat_map(|image| self.index.query(image))
        })
    }

    /// The first answer anywhere round the world: the nearest box, the first one hit.
    #[expect(clippy::needless_pass_by_value, reason = "questions are values")]
    pub fn query_first<Q: Movable<I::Scalar> + Ranked<I::Scalar>>(&self, question: Q) -> Option<Hit<Q::Rank>> {
        let mut first = ArrayVec::<_, 1>::new();
        self.fill(&question, 1, &mut first);
        first.pop()
    }

    /// Fills `hits` with the first `most` answers anywhere round the world, in order; what was there before is dropped.
    #[expect(clippy::needless_pass_by_value, reason = "questions are values")]
    pub fn query_first_into<Q: Movable<I::Scalar> + Ranked<I::Scalar>>(
        &self,
        question: Q,
        most: usize,
        hits: &mut Vec<Hit<Q::Rank>>,
    ) {
        hits.clear();
        self.fill(&question, most, hits);
    }

    fn fill<Q: Movable<I::Scalar> + Ranked<I::Scalar>, H: Shelf<Q::Rank>>(
        &self,
        question: &Q,
        most: usize,
        shelf: &mut H,
    ) {
        let images = self.images(question);
        for question in images.iter() {
            self.index.fill(&RankedImage { question, images: &images }, most, shelf);
        }
    }

    /// All pairs of boxes that overlap anywhere round the world, each once, as (lower id, higher id): first those that overlap as they
    /// are, then those across seams.
    pub fn pairs(&self) -> impl Iterator<Item = (u32, u32)> {
        // Half of the eight directions: in the others the roles of the two boxes are exchanged.
        let directions = [[1, 0], [0, 1], [1, 1], [1, -1]].into_iter();
        let directions = directions.filter(|way| (0..2).all(|axis| way[axis] == 0 || self.wraps[axis]));
        let across = directions.flat_map(|way| self.pairs_across(way));
        self.index.pairs().chain(across)
    }

    /// Pairs of a box and one that it meets one world further in direction `way`, unless they meet in another way that comes first.
    fn pairs_across(&self, way: [i32; 2]) -> impl Iterator<Item = (u32, u32)> {
        let boxes = &self.index.boxes;
        self.index.query(Overlaps(self.beyond(way))).flat_map(move |a| {
            let image = boxes.at(a).with_offset(self.offset(opposite(way)));
            let others = self.index.query(partners(boxes, image, boxes.layers(a))).filter(move |&b| a != b);
            others.filter(move |&b| self.is_first_way(a, b, way)).map(move |b| (a.min(b), a.max(b)))
        })
    }

    /// Where a box must have a point to meet another one world further in direction `way`: it sticks out over each seam that is
    /// crossed eastwards or northwards.
    fn beyond(&self, way: [i32; 2]) -> Aabb<I::Scalar> {
        let mut beyond = Aabb::EVERYTHING;
        for axis in (0..2).filter(|&axis| way[axis] > 0) {
            beyond.min[axis] = self.world.max[axis];
        }
        beyond
    }

    /// Does box `a` meet box `b` one world further in direction `way`? The very comparisons by which such pairs are found.
    fn meet(&self, a: u32, b: u32, way: [i32; 2]) -> bool {
        let is_backward = way == [-1, 1] || (way[0] <= 0 && way[1] <= 0 && way != [0, 0]);
        if is_backward {
            return self.meet(b, a, opposite(way));
        }
        let (first, second) = (self.index.boxes.at(a), self.index.boxes.at(b));
        first.intersects(&self.beyond(way)) && first.with_offset(self.offset(opposite(way))).intersects(second)
    }

    /// Of all ways in which two boxes meet, is this the first one?
    fn is_first_way(&self, a: u32, b: u32, way: [i32; 2]) -> bool {
        // Seen from the lower id, so that both roles see the same order.
        let (low, high, way) = if a < b { (a, b, way) } else { (b, a, opposite(way)) };
        let ways = [[0, 0], [1, 0], [-1, 0], [0, 1], [0, -1], [1, 1], [-1, -1], [1, -1], [-1, 1]].into_iter();
        let mut possible = ways.filter(|way| (0..2).all(|axis| way[axis] == 0 || self.wraps[axis]));
        possible.find(|&way| self.meet(low, high, way)) == Some(way)
    }
}

fn opposite(way: [i32; 2]) -> [i32; 2] {
    way.map(|part| -part)
}

impl<I: Structure> Periodic<I> {
    fn period(&self) -> [I::Scalar; 2] {
        self.world.size()
    }

    /// So many worlds.
    fn offset(&self, turns: [i32; 2]) -> [I::Scalar; 2] {
        [0, 1].map(|axis| I::Scalar::from_f64(f64::from(turns[axis]) * self.period()[axis].to_f64()))
    }

    /// By how much to move something so that its lower corner comes to lie in the world.
    fn way_into_the_world(&self, corner: [I::Scalar; 2]) -> [I::Scalar; 2] {
        [0, 1].map(|axis| {
            if !self.wraps[axis] || !corner[axis].is_finite() {
                return I::Scalar::ZERO;
            }
            let (at, lo) = (corner[axis].to_f64(), self.world.min[axis].to_f64());
            let period = self.period()[axis].to_f64();
            let rest = (at - lo) % period;
            let inside = if rest < 0.0 { rest + period } else { rest };
            I::Scalar::from_f64(lo + inside - at)
        })
    }

    fn moved_into_the_world(&self, bounds: &Aabb<I::Scalar>) -> Aabb<I::Scalar> {
        let moved = bounds.with_offset(self.way_into_the_world(bounds.min));
        // Rounding may have ended on the upper edge, which is the lower one.
        let back = [0, 1].map(|axis| i32::from(self.wraps[axis] && moved.min[axis] >= self.world.max[axis]));
        moved.with_offset(self.offset(back.map(|turns| -turns)))
    }

    fn images<Q: Movable<I::Scalar>>(&self, question: &Q) -> Images<I::Scalar, Q> {
        let question = question.with_offset(self.way_into_the_world(question.anchor()));
        let turns = [0, 1].map(|axis| self.turns(axis, &question.extent()));
        Images::new(question, self.period(), turns, self.populated())
    }

    /// Which images of something can touch boxes, all of which begin in the world and are no larger.
    #[expect(clippy::cast_possible_truncation, reason = "saturating, and then limited")]
    fn turns(&self, axis: usize, extent: &Aabb<I::Scalar>) -> RangeInclusive<i32> {
        if !self.wraps[axis] {
            return 0..=0;
        }
        let lo = self.world.min[axis].to_f64();
        let worlds = |way: f64| ((way / self.period()[axis].to_f64()) as i32).clamp(0, MOST_TURNS - 2);
        // Boxes end less than two worlds beyond the lower edge.
        let (ahead, behind) = (worlds(extent.max[axis].to_f64() - lo), worlds(lo - extent.min[axis].to_f64()));
        -(ahead + 1)..=behind + 2
    }

    /// Where boxes can be.
    fn populated(&self) -> Aabb<I::Scalar> {
        let mut populated = Aabb::EVERYTHING;
        for axis in (0..2).filter(|&axis| self.wraps[axis]) {
            populated.min[axis] = self.world.min[axis];
            populated.max[axis] = self.world.max[axis].plus(self.largest[axis]);
        }
        populated
    }
}
