//! The same over the hierarchy of parry2d, as the broad phase of Rapier uses it: refitted in each frame; pairs are kept
//! in a set, and events are what has changed in it. It looks for the nearest one, not for eight.

use std::collections::HashSet;

use parry2d::bounding_volume::{Aabb, BoundingVolume};
use parry2d::math::Vector;
use parry2d::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};
use parry2d::query::{PointQuery, Ray, RayCast};

const SIDE: f32 = 1000.0;

struct Unit {
    at: [f32; 2],
    step: [f32; 2],
    half: f32,
}

impl Unit {
    fn moved(&mut self) -> Aabb {
        for axis in 0..2 {
            self.at[axis] += self.step[axis];
            if self.at[axis] < 0.0 || self.at[axis] > SIDE {
                self.step[axis] = -self.step[axis];
            }
        }
        Aabb::from_half_extents(Vector::from(self.at), Vector::from([self.half; 2]))
    }
}

struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / (1_u64 << 24) as f32
    }
}

fn main() {
    let mut dice = Dice(7);
    let mut units: Vec<Unit> = Vec::new();
    for _ in 0..20_000 {
        let at = [dice.roll() * SIDE, dice.roll() * SIDE];
        units.push(Unit { at, step: [dice.roll() - 0.5, dice.roll() - 0.5], half: 1.0 + dice.roll() });
    }
    let mut boxes: Vec<Aabb> = units.iter_mut().map(Unit::moved).collect();
    let (mut bvh, mut workspace) = (Bvh::from_leaves(BvhBuildStrategy::default(), &boxes), BvhWorkspace::default());
    let (mut began, mut ended, mut seen, mut last) = (0, 0, 0, HashSet::new());
    for _ in 0..100 {
        for ((id, unit), bounds) in (0..).zip(&mut units).zip(&mut boxes) {
            *bounds = unit.moved();
            bvh.insert_or_update_partially(*bounds, id, 0.0);
        }
        bvh.refit(&mut workspace);
        bvh.optimize_incremental(&mut workspace);
        let mut pairs = HashSet::new();
        bvh.traverse_bvtt_single_tree::<false>(&mut workspace, &mut |a, b| {
            pairs.insert((a.min(b), a.max(b)));
        });
        began += pairs.difference(&last).count();
        ended += last.difference(&pairs).count();
        let mouse = Vector::from([dice.roll() * SIDE, dice.roll() * SIDE]);
        let view = Aabb::from_half_extents(mouse, Vector::from([50.0, 31.0]));
        seen += bvh.intersect_aabb(&Aabb::new(mouse, mouse)).count() + bvh.intersect_aabb(&view).count();
        seen += bvh.intersect_aabb(&view).filter(|&id| view.contains(&boxes[id as usize])).count();
        let away = |bounds: &Aabb| bounds.distance_to_local_point(mouse, true);
        seen +=
            bvh.find_best(SIDE, |node, _| away(&node.aabb()), |id, _| Some(away(&boxes[id as usize]))).map_or(0, |_| 1);
        let ray = Ray::new(mouse, Vector::from([SIDE / 2.0; 2]) - mouse);
        seen +=
            bvh.cast_ray(&ray, 1.0, |id, best| boxes[id as usize].cast_local_ray(&ray, best, true)).map_or(0, |_| 1);
        last = pairs;
    }
    println!("{began} began, {ended} ended, {} touch, {seen} seen", last.len());
}
