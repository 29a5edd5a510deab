//! The same over rstar: loaded again in each frame; pairs are kept in a set, and events are what has changed in it.

use std::collections::HashSet;

use rstar::primitives::{GeomWithData, Rectangle};
use rstar::{AABB, PointDistance, RTree, RTreeObject};

const SIDE: f32 = 1000.0;

type Entry = GeomWithData<Rectangle<[f32; 2]>, u32>;

struct Unit {
    at: [f32; 2],
    step: [f32; 2],
    half: f32,
}

impl Unit {
    fn moved(&mut self, id: u32) -> Entry {
        for axis in 0..2 {
            self.at[axis] += self.step[axis];
            if self.at[axis] < 0.0 || self.at[axis] > SIDE {
                self.step[axis] = -self.step[axis];
            }
        }
        Entry::new(Rectangle::from_corners(self.at.map(|v| v - self.half), self.at.map(|v| v + self.half)), id)
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
    let (mut began, mut ended, mut seen, mut last) = (0, 0, 0, HashSet::new());
    for frame in 0..100 {
        let tree = RTree::bulk_load((0..).zip(&mut units).map(|(id, unit)| unit.moved(id)).collect());
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
