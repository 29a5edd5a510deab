//! Worlds that wrap around, against all images within reach.

use std::cmp::Ordering;

use proptest::collection::vec;
use proptest::prelude::*;
use quadrille::structures::{Periodic, PeriodicOptions, Quadtree};
use quadrille::{Aabb, Index, Near, Overlaps, Scalar, Structure, Sweep};

use crate::oracle::{Frame, Rect, WORLD, distance_squared, first_contact, for_all, images, moved, points, rects};

#[derive(Clone, Debug)]
struct World {
    frame: Frame,
    wraps: [bool; 2],
    boxes: Vec<Rect>,
    /// Later places of some of them.
    updates: Vec<(usize, Rect)>,
}

fn worlds() -> impl Strategy<Value = World> {
    let far = (rects(), [-2_i64..3, -2_i64..3]).prop_map(|(rect, [x, y])| moved(rect, [60 * x, 64 * y]));
    let updates = vec((0_usize..30, rects()), 0..10);
    (0..2_usize, any::<[bool; 2]>(), vec(far, 0..30), updates).prop_map(|(frame, wraps, boxes, updates)| World {
        frame: Frame::ALL[frame],
        wraps,
        boxes,
        updates,
    })
}

impl World {
    fn boxes(&self) -> Vec<Rect> {
        let mut boxes = self.boxes.clone();
        for &(id, rect) in &self.updates {
            if let Some(place) = boxes.get_mut(id) {
                *place = rect;
            }
        }
        boxes
    }

    fn held<I: Structure>(&self) -> Index<Periodic<I>> {
        let mut world = new(self.frame.aabb(WORLD), self.wraps).expect("a world");
        for &rect in &self.boxes {
            world.insert(self.frame.aabb(rect)).expect("no larger than the world");
        }
        if self.updates.len() % 2 == 0 {
            for &(id, rect) in self.updates.iter().filter(|(id, _)| *id < self.boxes.len()) {
                world.update(id as u32, self.frame.aabb(rect)).expect("a known id");
            }
        } else {
            let boxes: Vec<_> = self.boxes().into_iter().map(|rect| self.frame.aabb(rect)).collect();
            world.update_all(&boxes).expect("no larger than the world");
        }
        world
    }
}

fn new<I: Structure>(world: Aabb<I::Scalar>, wraps: [bool; 2]) -> Result<Index<Periodic<I>>, quadrille::Error> {
    Index::new(PeriodicOptions::new(world).with_wraps(wraps))
}

fn sorted<T: Ord>(found: impl Iterator<Item = T>) -> Vec<T> {
    let mut found: Vec<T> = found.collect();
    found.sort_unstable();
    found
}

fn rectangles_and_circles_reach_across_the_seam_once<I: Structure>() {
    for_all((worlds(), rects(), 0_i64..60, [-17_i64..18, -17_i64..18]), |(world, asked, radius, turns)| {
        let boxes = world.boxes();
        let ids = |answers: &dyn Fn(Rect) -> bool| -> Vec<u32> {
            (0..).zip(&boxes).filter(|(_, rect)| images(**rect, world.wraps).any(answers)).map(|(id, _)| id).collect()
        };
        let overlapping = ids(&|rect| distance_squared(asked, rect) == 0);
        let near = ids(&|rect| distance_squared(asked, rect) <= radius * radius);
        let periodic = world.held::<I>();
        for turns in [[0, 0], turns] {
            let bounds = world.frame.aabb(turned(asked, turns, world.wraps));
            assert_eq!(sorted(periodic.query(Overlaps(bounds))), overlapping, "{:?}", periodic.options());
            let circle = Near::aabb(bounds).within(world.frame.length::<I::Scalar>(radius).to_f64());
            assert_eq!(sorted(periodic.query(circle)), near, "{:?}", periodic.options());
            assert_eq!(periodic.query(Overlaps(Aabb::EVERYTHING)).count(), boxes.len(), "each once");
            assert_eq!(periodic.query(Overlaps(Aabb::EMPTY)).count(), 0);
        }
    });
}

fn pairs_within_a_distance_reach_across_the_seam_once<I: Structure>() {
    for_all((worlds(), 0_i64..140), |(world, radius)| {
        let boxes = world.boxes();
        let are_near = |a: usize, b: usize| {
            let [x, y] = [0, 1].map(|axis| least_gap(boxes[a], boxes[b], axis, world.wraps[axis]));
            x * x + y * y <= radius * radius
        };
        let all = (0..boxes.len()).flat_map(|a| (a + 1..boxes.len()).map(move |b| (a, b)));
        let near: Vec<(u32, u32)> = all.filter(|&(a, b)| are_near(a, b)).map(|(a, b)| (a as u32, b as u32)).collect();
        let periodic = world.held::<I>();
        let pairs = periodic.pairs_within(world.frame.length::<I::Scalar>(radius).to_f64());
        assert_eq!(sorted(pairs), near, "within {radius} in {:?}", periodic.options());
    });
}

/// The sides of the world, in steps of the grid.
const PERIODS: [i64; 2] = [60, 64];

/// This many worlds farther, on the axes that wrap.
fn turned(rect: Rect, turns: [i64; 2], wraps: [bool; 2]) -> Rect {
    moved(rect, [0, 1].map(|axis| if wraps[axis] { turns[axis] * PERIODS[axis] } else { 0 }))
}

/// The least distance along an axis of any image of `rect` from `asked`, which may be anywhere.
fn least_gap(asked: Rect, rect: Rect, axis: usize, wraps: bool) -> i64 {
    let period = PERIODS[axis];
    let west = asked[0][axis] - rect[1][axis];
    let east = rect[0][axis] - asked[1][axis];
    if !wraps {
        return west.max(east).max(0);
    }
    // The image that ends at or behind the west edge of the query, and the one before it.
    let behind = -(-west).div_euclid(period);
    let gap = |turns: i64| (west - turns * period).max(east + turns * period).max(0);
    gap(behind).min(gap(behind - 1))
}

/// The step of the scalar's numbers beside these coordinates, or 0 where all integers are among them.
fn step<S: Scalar>(asked: Rect) -> i64 {
    let far = asked.into_iter().flatten().map(i64::unsigned_abs).max().unwrap_or(0) + 64;
    let beside_one = S::at_least(1.0).to_f64() - 1.0;
    if is_float::<S>() { (beside_one * (1_u64 << far.ilog2()) as f64) as i64 } else { 0 }
}

fn is_float<S: Scalar>() -> bool {
    S::from_f64(0.5).to_f64() == 0.5
}

fn queries_from_far_away_are_right_to_a_step_of_the_numbers<I: Structure>() {
    // Farther out there are no such integers, or no turns are counted.
    let most: i64 = if is_float::<I::Scalar>() { 48 } else { 24 };
    let turns = (0..most, -9_i64..10).prop_map(|(shift, turns)| (turns << shift) / 8);
    for_all((worlds(), rects(), [turns.clone(), turns]), |(world, asked, turns)| {
        let world = World { frame: Frame::ALL[0], ..world };
        let (boxes, periodic) = (world.boxes(), world.held::<I>());
        let bounds: Aabb<I::Scalar> = world.frame.aabb(turned(asked, turns, world.wraps));
        let asked = [bounds.min, bounds.max].map(|corner| corner.map(|at| at.to_f64() as i64));
        let step = step::<I::Scalar>(asked);
        let gaps = |rect: Rect| [0, 1].map(|axis| least_gap(asked, rect, axis, world.wraps[axis]));
        let found = sorted(periodic.query(Overlaps(bounds)));
        for (id, &rect) in (0..).zip(&boxes) {
            let (is_found, gaps) = (found.binary_search(&id).is_ok(), gaps(rect));
            assert!(!is_found || gaps.iter().all(|&gap| gap <= step), "{id} {rect:?} is far from {asked:?}");
            let shrunk = [asked[0].map(|at| at + step), asked[1].map(|at| at - step)];
            let is_certain = (0..2).all(|axis| {
                shrunk[0][axis] <= shrunk[1][axis] && least_gap(shrunk, rect, axis, world.wraps[axis]) == 0
            });
            assert!(is_found || !is_certain, "{id} {rect:?} is well within {asked:?}");
        }
        let distance = |rect: Rect| gaps(rect).map(|gap| gap as f64).iter().map(|gap| gap * gap).sum::<f64>().sqrt();
        let nearest = periodic.query_first(Near::aabb(bounds)).map(|hit| distance(boxes[hit.id as usize]));
        let least = boxes.iter().map(|&rect| distance(rect)).min_by(f64::total_cmp);
        let is_right = |(nearest, least): (f64, f64)| nearest <= least + 3.0 * step as f64;
        assert!(nearest.is_some() == least.is_some() && nearest.zip(least).is_none_or(is_right));
    });
}

fn pairs_are_found_across_the_seam_once<I: Structure>() {
    for_all(worlds(), |world| {
        let boxes = world.boxes();
        let meet = |a: Rect, b: Rect| images(b, world.wraps).any(|image| distance_squared(a, image) == 0);
        let pairs = (0..).zip(&boxes).flat_map(|(a, first)| {
            (a + 1..)
                .zip(&boxes[a as usize + 1..])
                .filter(|(_, second)| meet(*first, **second))
                .map(move |(b, _)| (a, b))
        });
        let expected: Vec<(u32, u32)> = pairs.collect();
        let periodic = world.held::<I>();
        assert_eq!(sorted(periodic.pairs()), expected, "{:?}", periodic.options());
        let with_itself = sorted(periodic.pairs_with(&periodic).filter(|(a, b)| a < b));
        assert_eq!(with_itself, expected, "{:?}", periodic.options());
        #[cfg(feature = "rayon")]
        assert_eq!(periodic.par_pairs(), periodic.pairs().collect::<Vec<_>>());
    });
}

fn the_nearest_and_the_first_hit_come_in_order_across_the_seam<I: Structure>() {
    for_all((worlds(), points(), [-60_i64..60, -60_i64..60], 1_usize..6), |(world, from, way, most)| {
        let boxes = world.boxes();
        let here = [from, from];
        let distance = |rect| images(rect, world.wraps).map(|image| distance_squared(here, image)).min();
        let mut nearest: Vec<_> = (0_u32..).zip(&boxes).map(|(id, rect)| (distance(*rect), id)).collect();
        nearest.sort_unstable();
        let compare = |a: (i64, i64), b: (i64, i64)| (a.0 * b.1).cmp(&(b.0 * a.1));
        let contact = |rect| {
            let contacts = images(rect, world.wraps).filter_map(|image| first_contact(here, way, image, false));
            contacts.min_by(|&a, &b| compare(a, b))
        };
        let mut hits: Vec<_> = (0_u32..).zip(&boxes).filter_map(|(id, rect)| Some((contact(*rect)?, id))).collect();
        hits.sort_by(|a, b| match compare(a.0, b.0) {
            Ordering::Equal => a.1.cmp(&b.1),
            order => order,
        });
        let periodic = world.held::<I>();
        {
            let (near, mut found) = (Near::point(world.frame.point(from)), Vec::new());
            periodic.query_first_few(near, most, &mut found);
            let ids: Vec<u32> = found.iter().map(|hit| hit.id).collect();
            assert_eq!(
                ids,
                nearest.iter().take(most).map(|&(_, id)| id).collect::<Vec<_>>(),
                "{:?}",
                periodic.options()
            );
            assert_eq!(periodic.query_first(near).map(|hit| hit.id), ids.first().copied());
            let (sweep, mut found) = (Sweep::new(world.frame.aabb(here), world.frame.vector(way)), Vec::new());
            periodic.query_first_few(sweep, most, &mut found);
            let ids: Vec<u32> = found.iter().map(|hit| hit.id).collect();
            assert_eq!(ids, hits.iter().take(most).map(|&(_, id)| id).collect::<Vec<_>>(), "{:?}", periodic.options());
            let times: Vec<f64> = found.iter().map(|hit| hit.rank.time()).collect();
            assert_eq!(times, hits.iter().take(most).map(|((n, d), _)| *n as f64 / *d as f64).collect::<Vec<_>>());
            assert_eq!(sorted(periodic.query(sweep)), sorted(hits.iter().map(|&(_, id)| id)));
            // A ray that goes on hits the same first, if that is on the way at all.
            let ray = periodic.query_first(Sweep::ray(world.frame.point(from), world.frame.vector(way)));
            if let Some(&((n, d), id)) = hits.first() {
                assert_eq!(ray.map(|hit| (hit.id, hit.rank.time())), Some((id, n as f64 / d as f64)));
            }
        }
    });
}

fn bad_worlds_and_boxes_are_refused<I: Structure>() {
    let frame = Frame::ALL[0];
    let new = |world| new::<I>(world, [true, false]);
    assert!(new(Aabb::new(frame.point([5, 0]), frame.point([4, 9]))).is_err());
    assert!(new(Aabb::new(frame.point([5, 0]), frame.point([5, 9]))).is_err(), "without size");
    let most = I::Scalar::from_f64(f64::MAX);
    assert!(new(Aabb::new([I::Scalar::ZERO; 2], [most, I::Scalar::from_f64(1.0)])).is_err(), "too large");
    let mut world = new(frame.aabb(WORLD)).expect("a world");
    assert!(world.insert(frame.aabb([[0, 0], [61, 1]])).is_err());
    assert_eq!(world.insert(frame.aabb([[0, 0], [60, 900]])), Ok(0), "as wide as the world; the other axis is free");
    assert!(world.update(0, frame.aabb([[0, 0], [61, 1]])).is_err());
    assert_eq!(world.pairs().count(), 0, "a box is no pair with itself");
    assert!(world.insert(Aabb::EMPTY).is_err());
    assert_eq!(world.len(), 1);
}

macro_rules! for_each_structure {
    ($(#[$when:meta] $name:ident: $structure:ty,)*) => {
        $(#[$when]
        mod $name {
            use super::*;

            #[test]
            fn rectangles_and_circles_reach_across_the_seam_once() {
                super::rectangles_and_circles_reach_across_the_seam_once::<$structure>();
            }

            #[test]
            fn queries_from_far_away_are_right_to_a_step_of_the_numbers() {
                super::queries_from_far_away_are_right_to_a_step_of_the_numbers::<$structure>();
            }

            #[test]
            fn pairs_within_a_distance_reach_across_the_seam_once() {
                super::pairs_within_a_distance_reach_across_the_seam_once::<$structure>();
            }

            #[test]
            fn pairs_are_found_across_the_seam_once() {
                super::pairs_are_found_across_the_seam_once::<$structure>();
            }

            #[test]
            fn the_nearest_and_the_first_hit_come_in_order_across_the_seam() {
                super::the_nearest_and_the_first_hit_come_in_order_across_the_seam::<$structure>();
            }

            #[test]
            fn bad_worlds_and_boxes_are_refused() {
                super::bad_worlds_and_boxes_are_refused::<$structure>();
            }
        })*
    };
}

// A layer above all structures alike: one that lists boxes in several places, one that does not, and the three scalars.
for_each_structure! {
    #[cfg(not(quadrille_other_scalar))]
    quadtree_f32: Quadtree<f32>,
    #[cfg(quadrille_other_scalar = "i32")]
    quadtree_i32: Quadtree<i32>,
    #[cfg(quadrille_other_scalar = "f64")]
    loose_grid_f64: quadrille::structures::LooseGrid<f64>,
}

/// The images of a narrow world are climbed like stairs: a slanting ray reaches a box of a given height on one turn
/// only.
#[cfg(not(quadrille_other_scalar))]
#[test]
fn a_ray_is_followed_sixteen_times_around() {
    let world = Aabb::new([0.0, 0.0], [10.0, 40.0]);
    let step = |turn: f32| Aabb::new([4.0, 20.0 + turn - 0.1], [5.0, 20.0 + turn + 0.1]);
    for sense in [1.0, -1.0] {
        let mut torus = new::<Quadtree>(world, [true, false]).expect("a world");
        let within = torus.insert(step(16.0)).expect("smaller than the world");
        torus.insert(step(17.0)).expect("smaller than the world");
        let found: Vec<u32> = torus.query(Sweep::ray([4.5, 20.0], [sense, 0.1])).collect();
        assert_eq!(found, [within]);
    }
}

/// A thousand worlds away, floats are a sixteenth apart: there the box begins on the edge of the rectangle.
#[cfg(not(quadrille_other_scalar))]
#[test]
fn boxes_are_found_where_they_are_seen_from_far_away() {
    let mut torus =
        new::<quadrille::FrameTree>(Aabb::new([0.0, 0.0], [1000.0, 1000.0]), [true, false]).expect("a world");
    let id = torus.insert(Aabb::new([10.02, 0.0], [10.03, 1.0])).expect("smaller than the world");
    assert_eq!(10.02_f32 + 1e6, 1_000_010.0);
    for (west, east) in [(1_000_000.0, 1_000_010.0), (1_000_010.0, 1_000_020.0)] {
        let found: Vec<u32> = torus.query(Overlaps(Aabb::new([west, 0.0], [east, 1.0]))).collect();
        assert_eq!(found, [id], "from {west} to {east}");
    }
}

#[cfg(not(quadrille_other_scalar))]
#[test]
fn what_rounds_to_the_upper_edge_is_at_the_lower_one() {
    let mut torus = new::<Quadtree>(Aabb::new([0.0, 0.0], [1000.0, 1000.0]), [true, true]).expect("a world");
    let id = torus.insert(Aabb::from_point([-1e-9, 1000.0])).expect("smaller than the world");
    assert_eq!(torus.get(id), Some(Aabb::from_point([0.0, 0.0])));
}

#[test]
fn a_whole_frame_names_the_box_that_is_larger_than_the_world() {
    let options = PeriodicOptions::new(Aabb::new([0.0; 2], [10.0; 2]));
    let mut boxes = [Aabb::new([1.0; 2], [2.0; 2]); 4];
    let mut index = Index::<Periodic<Quadtree>>::with_boxes(options, &boxes).expect("boxes in the world");
    boxes[2] = Aabb::new([0.0; 2], [11.0, 1.0]);
    let refused = index.update_all(&boxes).expect_err("eleven are more than ten");
    assert_eq!(refused.position(), Some(2), "{refused}");
    assert_eq!(index.get(2), Some(boxes[1]), "nothing has changed");
}
