//! The first boxes that a ray, a segment or a moving box hits.
//!
//! ```text
//! open the root
//! while something that is hit in time waits:
//!     take the one that is hit first
//!     if it is a box: time it exactly; fewer hulls and boxes are hit in time after that
//!     if it is hit about when the last answer is: perhaps only lower ids are wanted of it (see `narrow.rs`)
//!     else open it: when are its sixteen hulls, or boxes, hit?                     all at once
//!          those that are hit wait; a single one that is hit before all others is taken right away
//! ```
//!
//! T. L. Kay and J. T. Kajiya, *Ray tracing complex scenes*, 1986. Difference: times of sixteen are rounded and only
//! decide what to look at, and in which order; the query computes exact times of what it is shown.

use arrayvec::ArrayVec;

use super::super::order::levels::MAX_LEVELS;
use super::super::tree::FrameTree;
use super::sought::Sought;
use crate::geometry::{Scalar, Slabs};
use crate::kernel::{self, Kernel, LANES, Task};

/// How many hulls and boxes wait in order of time. Beyond that, what is below the first comes before all others. More:
/// more of them to choose from. Fewer: more is opened needlessly if hulls overlap.
const MAX_IN_ORDER: usize = 64;

/// Hulls and boxes that are hit, the first one last.
///
/// ```text
/// time: not negative, so that its bits are in order (32)   1   number in its level (31 - 4 * level)
/// ```
///
/// New ones mostly belong near the end, because their hull was the last: each moves forward past the few that are hit
/// before it.
struct Waiting(ArrayVec<u64, { MAX_IN_ORDER + LANES * MAX_LEVELS }>);

impl Waiting {
    /// Adds some of the sixteen of a node.
    #[inline(always)]
    fn push(&mut self, (level, node): (usize, usize), are_hit: u32, times: &[f32; LANES]) {
        let first = if self.0.len() > MAX_IN_ORDER { self.0.len() } else { 0 };
        for lane in kernel::bits(are_hit) {
            let number = 1 << (31 - 4 * level) | (node * LANES + lane) as u64;
            let one = u64::from(times[lane].to_bits()) << 32 | number;
            let mut place = self.0.len();
            self.0.push(one);
            while place > first && self.0[place - 1] < one {
                self.0[place] = self.0[place - 1];
                place -= 1;
            }
            self.0[place] = one;
        }
    }

    /// Would something hit at this time be taken before all others?
    #[inline(always)]
    fn is_first(&self, time: f32, most: f32) -> bool {
        time <= most && self.0.last().is_none_or(|other| time.to_bits() <= (*other >> 32) as u32)
    }

    /// Takes what is hit first, unless that is after `most`: its level and its number there, and when.
    #[inline(always)]
    fn take(&mut self, most: f32) -> Option<(usize, usize, f32)> {
        loop {
            let one = self.0.pop()?;
            if (one >> 32) as u32 <= most.to_bits() {
                let number = one as u32;
                let level = number.leading_zeros() / 4;
                let at = (number ^ 1 << (31 - 4 * level)) as usize;
                return Some((level as usize, at, f32::from_bits((one >> 32) as u32)));
            }
        }
    }
}

/// The task of showing a query what may be hit in time.
#[expect(missing_debug_implementations, reason = "a call, which nobody keeps")]
pub struct Casting<'a, 't, S> {
    pub(super) tree: &'t FrameTree<S>,
    pub(super) query: &'a dyn Sought<S>,
    pub(super) slabs: Slabs<S>,
}

impl<S: Scalar> Task for Casting<'_, '_, S> {
    type Output = ();

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        let Self { tree, query, slabs } = self;
        let levels = &tree.levels;
        let (mut most, are_all_wanted) = (slabs.latest(query.time()), query.admits_all());
        let (mut waiting, mut next) = (Waiting(ArrayVec::new()), Some((levels.height(), 0, 0.0)));
        while let Some((level, at, time)) = next {
            if level == 0 {
                query.show(at);
                most = slabs.latest(query.time());
            } else if are_all_wanted
                || level == levels.height()
                || levels.are_wanted(level, at, |layers| query.wants(layers))
            {
                // A mover that covers everything may hit an empty hull, which has nothing below.
                if level < levels.height() && time >= slabs.about(most) {
                    query.look_below((level, at));
                    most = slabs.latest(query.time());
                } else if let Some(sixteen) = levels.level(level - 1).get(at) {
                    let (times, are_missed) = slabs.times(&sixteen.lanes());
                    let are_hit = !kernel.marks(&are_missed) & kernel::lowest(LANES);
                    if are_hit.is_power_of_two() {
                        let lane = are_hit.trailing_zeros() as usize % LANES;
                        if waiting.is_first(times[lane], most) {
                            next = Some((level - 1, at * LANES + lane, times[lane]));
                            continue;
                        }
                    }
                    waiting.push((level - 1, at), are_hit, &times);
                }
            }
            next = waiting.take(most);
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::super::super::FrameTree;
    use crate::geometry::{Aabb, Contact, Scalar, Sweep};
    use crate::random::Random;
    use crate::{Filtered, Index, Layers, OnLayers};

    /// A number of steps, less than `most` to either side.
    fn steps<S: Scalar>(random: &mut Random, most: usize, step: f64) -> S {
        S::from_f64((random.below(2 * most) as f64 - most as f64) * step)
    }

    fn one<S: Scalar>(random: &mut Random, step: f64) -> Aabb<S> {
        let most = if random.below(30) == 0 { 200 } else { 6 };
        let [x, y] = [0, 1].map(|_| random.below(600) as f64 - 300.0);
        let [width, height] = [0, 1].map(|_| random.below(most) as f64);
        Aabb::new(
            [x, y].map(|edge| S::from_f64(edge * step)),
            [x + width, y + height].map(|edge| S::from_f64(edge * step)),
        )
    }

    /// Boxes, a few of them wide, some removed, some moved without maintenance, some on layers.
    fn some_boxes<S: Scalar>(random: &mut Random, step: f64) -> Index<FrameTree<S>> {
        let boxes: Vec<Aabb<S>> = (0..700).map(|_| one(random, step)).collect();
        let mut index = Index::from_boxes(&boxes).expect("finite");
        (0..700).step_by(5).for_each(|id| assert!(index.remove(id).is_some()));
        (1..700).step_by(5).for_each(|id| assert!(index.update(id, one(random, step)).is_ok()));
        for id in (0..700).filter(|id| id % 5 != 0 && id % 3 == 0) {
            index.set_layers(id, Layers::new(1 << (id % 4), 0)).expect("it is there");
        }
        index
    }

    fn what_is_hit_first_is_found<S: Scalar>(step: f64, hardly: f64) {
        let mut random = Random::new(25);
        let index = some_boxes::<S>(&mut random, step);
        let mut hits = 0;
        for number in 0..600 {
            let [from, to] = [0, 1].map(|_| [0, 1].map(|_| steps::<S>(&mut random, 350, step)));
            let mut way = [0, 1].map(|_| steps::<S>(&mut random, 20, step));
            match number % 9 {
                0 => way[0] = S::ZERO,
                1 => way[1] = S::ZERO,
                2 => way = [S::ZERO; 2],
                3 => way = [S::from_f64(hardly), S::ZERO],
                _ => {}
            }
            let mover = Aabb::new(from, [0, 1].map(|axis| from[axis].plus(S::from_f64(3.0 * step))));
            let sweep = match number % 4 {
                0 => Sweep::ray(from, way),
                1 => Sweep::segment(from, to),
                2 => Sweep::new(mover, way),
                _ => Sweep::endless(mover, way),
            };
            let layers = if number % 5 == 0 { 2 } else { u32::MAX };
            let is_even = |id: u32| number % 2 == 0 || id % 2 == 0;
            let is_asked = |id: u32| is_even(id) && index.layers(id).is_some_and(|on| on.own & layers != 0);
            let hit = |(id, bounds): (u32, Aabb<S>)| sweep.contact(&bounds).map(|contact| (contact, id));
            let mut all: Vec<(Contact<S>, u32)> = index.iter().filter(|one| is_asked(one.0)).filter_map(hit).collect();
            all.sort_by(|one, other| one.0.partial_cmp(&other.0).expect("times").then(one.1.cmp(&other.1)));
            for most in [1, 3, 20] {
                let mut few = Vec::new();
                index.query_first_few(OnLayers::new(Filtered(sweep, is_even), layers), most, &mut few);
                let told: Vec<_> = few.iter().map(|hit| (hit.rank, hit.id)).collect();
                assert_eq!(told, all[..most.min(all.len())], "{most} of {number}: {sweep:?}");
                hits += told.len();
            }
        }
        assert!(hits > 1000, "{hits}");
    }

    #[test]
    fn what_is_hit_first_is_found_wherever_it_is() {
        what_is_hit_first_is_found::<f32>(1.0, 1e-40);
        what_is_hit_first_is_found::<f32>(1e35, 1e-40);
        what_is_hit_first_is_found::<f32>(1e-42, 1e30);
        what_is_hit_first_is_found::<f64>(1.0, 1e-200);
        what_is_hit_first_is_found::<f64>(1e300, 1e-90);
        what_is_hit_first_is_found::<f64>(1e-320, 1e-90);
        what_is_hit_first_is_found::<i32>(1.0, 1.0);
        what_is_hit_first_is_found::<i32>(3e6, 1.0);
    }

    /// A mover of integers that covers everything hits what is not there too: the packs and groups that a node lacks.
    #[test]
    fn what_covers_everything_hits_only_what_is_there() {
        for count in [257, 300, 5000] {
            let boxes: Vec<Aabb<i32>> = (0..count).map(|at| Aabb::from_point([at, -at])).collect();
            let mut index = Index::<FrameTree<i32>>::from_boxes(&boxes).expect("points");
            for has_layers in [false, true] {
                if has_layers {
                    index.set_layers(0, Layers::NONE).expect("in use");
                }
                for way in [[1, 0], [-3, 5]] {
                    let sweep = OnLayers::new(Filtered(Sweep::new(Aabb::EVERYTHING, way), |id| id > 4), 1);
                    assert_eq!(index.query_first(sweep).map(|hit| hit.id), Some(5));
                    let mut few = Vec::new();
                    index.query_first_few(sweep, 3, &mut few);
                    assert!(few.iter().map(|hit| hit.id).eq(5..8));
                }
            }
        }
    }

    /// All boxes lie on each other, so very many hulls are hit at once.
    #[test]
    fn what_is_hit_first_is_found_among_many_on_one_spot() {
        let mut random = Random::new(26);
        let boxes: Vec<Aabb<f32>> = (0..9000)
            .map(|_| {
                let [x, y, width] = [3000, 50, 4000].map(|most| random.below(most) as f32);
                Aabb::new([x, -y], [x + width, y])
            })
            .collect();
        let index = Index::<FrameTree>::from_boxes(&boxes).expect("finite");
        for (from, way) in [(-10.0, 1.0), (20.0, 1.0), (8000.0, -3.0), (3500.0, 1e-3)] {
            let sweep = Sweep::ray([from, 0.0], [way, 0.0]);
            let hit = |(id, bounds): (u32, Aabb<f32>)| sweep.contact(&bounds).map(|contact| (contact, id));
            let mut all: Vec<(Contact, u32)> = index.iter().filter_map(hit).collect();
            all.sort_by(|one, other| one.0.partial_cmp(&other.0).expect("times").then(one.1.cmp(&other.1)));
            for most in [1, 200, 9000] {
                let mut few = Vec::new();
                index.query_first_few(sweep, most, &mut few);
                let told: Vec<_> = few.iter().map(|hit| (hit.rank, hit.id)).collect();
                assert_eq!(told, all[..most.min(all.len())], "{most} from {from}");
            }
        }
    }
}
