//! The same over rstar: loaded again in each frame; pairs are kept in a set, and events are what has changed in it.

#[path = "../units.rs"]
mod units;

use std::collections::HashSet;

use rstar::primitives::{GeomWithData, Rectangle};
use rstar::{AABB, PointDistance, RTree, RTreeObject};
use units::{Dice, SIDE, Unit};

type Entry = GeomWithData<Rectangle<[f32; 2]>, u32>;

fn moved(unit: &mut Unit, id: u32) -> Entry {
    unit.go();
    Entry::new(Rectangle::from_corners(unit.at.map(|v| v - unit.half), unit.at.map(|v| v + unit.half)), id)
}

fn main() {
    let mut dice = Dice(7);
    let mut units: Vec<Unit> = (0..20_000).map(|_| Unit::drawn(&mut dice)).collect();
    let (mut began, mut ended, mut seen, mut last) = (0, 0, 0, HashSet::new());
    for frame in 0..100 {
        let tree = RTree::bulk_load((0..).zip(&mut units).map(|(id, unit)| moved(unit, id)).collect());
        let mut pairs = HashSet::new();
        for one in &tree {
            for other in tree.locate_in_envelope_intersecting(one.envelope()) {
                if one.data < other.data {
                    pairs.insert((one.data, other.data));
                }
            }
        }
        began += pairs.difference(&last).count();
        ended += last.difference(&pairs).count();
        let mouse = [dice.roll() * SIDE, dice.roll() * SIDE];
        let view = AABB::from_corners([mouse[0] - 50.0, mouse[1] - 31.0], [mouse[0] + 50.0, mouse[1] + 31.0]);
        seen += tree.locate_all_at_point(mouse).count() + tree.locate_in_envelope_intersecting(view).count();
        seen += tree.locate_in_envelope(view).count();
        seen += tree.nearest_neighbor_iter(mouse).take(8).filter(|one| one.distance_2(&mouse) < SIDE).count();
        if frame % 10 == 0 {
            units.swap_remove(frame * 7 % units.len());
        }
        last = pairs;
    }
    println!("{began} began, {ended} ended, {} touch, {seen} seen", last.len());
}
