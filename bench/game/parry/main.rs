//! The same over the hierarchy of parry2d, as the broad phase of Rapier uses it: refitted in each frame; pairs are kept
//! in a set, and events are what has changed in it. It looks for the nearest one, not for eight.

#[path = "../units.rs"]
mod units;

use std::collections::HashSet;

use parry2d::bounding_volume::{Aabb, BoundingVolume};
use parry2d::math::Vector;
use parry2d::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};
use parry2d::query::{PointQuery, Ray, RayCast};
use units::{Dice, SIDE, Unit};

fn moved(unit: &mut Unit) -> Aabb {
    unit.go();
    Aabb::from_half_extents(Vector::from(unit.at), Vector::from([unit.half; 2]))
}

fn main() {
    let mut dice = Dice(7);
    let mut units: Vec<Unit> = (0..20_000).map(|_| Unit::drawn(&mut dice)).collect();
    let mut boxes: Vec<Aabb> = units.iter_mut().map(moved).collect();
    let (mut bvh, mut workspace) = (Bvh::from_leaves(BvhBuildStrategy::default(), &boxes), BvhWorkspace::default());
    let (mut began, mut ended, mut seen, mut last) = (0, 0, 0, HashSet::new());
    for _ in 0..100 {
        for ((id, unit), bounds) in (0..).zip(&mut units).zip(&mut boxes) {
            *bounds = moved(unit);
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
