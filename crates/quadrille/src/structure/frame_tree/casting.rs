//! The first boxes that a ray, a segment or a moving box hits.
//!
//! ```text
//! open the root
//! until all that is left is hit too late:
//!     take what is hit first of all that is left in open nodes
//!     if it is a box: time it exactly; fewer hulls and boxes are hit in time after that
//!     else open it: when are its sixteen hulls, or boxes, hit?                     all at once
//! ```
//!
//! T. L. Kay and J. T. Kajiya, *Ray tracing complex scenes*, 1986. Difference: times of sixteen are rounded and only say
//! what to look at, and in which order; what the query is shown, it times exactly.

use super::FrameTree;
use super::keys::{self, Left, Open, Taken};
use crate::geometry::{Scalar, Slabs, TIMES};
use crate::kernel::{self, Kernel, LANES, Lanes, Task};
use crate::query::Narrowing;
use crate::storage::{Boxes, NONE};

/// So many of sixteen are timed one by one. More: those that the path does not touch are timed as well.
const FEW: u32 = 4;

/// The latest time that may be in time.
#[inline]
fn latest<S: Scalar, Q: Narrowing<S>>(query: &Q) -> f64 {
    query.time().map_or(f64::INFINITY, |time| time * TIMES * TIMES + f64::MIN_POSITIVE)
}

impl<S: Scalar> FrameTree<S> {
    /// Shows a query what may be hit in time.
    pub(super) fn cast<Q: Narrowing<S>>(&self, boxes: &Boxes<S>, query: &Q, slabs: &Slabs) {
        let mut most = latest(query);
        let mut open = Open::new(self.hit(self.levels.height() - 1, 0, query, slabs));
        while let Some(Taken { level, at, .. }) = open.take(most) {
            if level == 0 {
                let id = self.order[at];
                if id != NONE {
                    query.accepts(id, &self.levels.get(0, at), boxes.layers(id));
                    most = latest(query);
                }
            } else if self.levels.get(level, at).is_ordered()
                && self.levels.are_wanted(level, at, |layers| query.wants(layers))
            {
                open.push(self.hit(level - 1, at, query, slabs));
            }
        }
    }

    /// All of a node, or of a pack.
    #[inline]
    fn hit<Q: Narrowing<S>>(&self, level: usize, node: usize, query: &Q, slabs: &Slabs) -> Left {
        let lanes = self.levels.lanes(level, node);
        let touching = kernel::touching(&lanes, &query.window());
        if touching.count_ones() > FEW {
            return Left { level, node, keys: kernel::dispatch(Hit { lanes, slabs }) };
        }
        let (mut keys, [min_x, min_y, max_x, max_y]) = ([keys::TAKEN; LANES], lanes);
        for lane in kernel::bits(touching) {
            let ([time], [is_met]) = slabs.times(&[&[min_x[lane]], &[min_y[lane]], &[max_x[lane]], &[max_y[lane]]]);
            keys[lane] = if is_met { keys::of(time, lane) } else { keys::TAKEN };
        }
        Left { level, node, keys }
    }
}

/// The task of finding when sixteen boxes are hit, as keys.
struct Hit<'a, S> {
    lanes: Lanes<'a, S>,
    slabs: &'a Slabs,
}

impl<S: Scalar> Task for Hit<'_, S> {
    type Output = [f64; LANES];

    #[inline(always)]
    fn run<K: Kernel>(self, _: K) -> [f64; LANES] {
        let (times, are_met) = self.slabs.times(&self.lanes);
        let mut keys = keys::number(&times, 0);
        for (key, is_met) in keys.iter_mut().zip(are_met) {
            *key = if is_met { *key } else { keys::TAKEN };
        }
        keys
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::super::FrameTree;
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
}
