//! The nearest boxes on the earth: best first through a tree of boxes of degrees.
//!
//! A node waits by a lower bound of its distance that costs little ([`Zone::roughly`]). From far away, that is short by
//! up to three thousandths, and all boxes of a town would have to be measured. So a node that may be out of reach is
//! measured itself before it is opened. The contents of a box wait again, by a better bound, before they are measured.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use quadrille::Aabb;

use super::measure::{Zone, distance, greatest_for, sharp_bound};
use crate::best::{Best, Wanted};
use crate::distance::reach_of_boxes;
use crate::fault::Fault;

/// Boxes of a leaf: fewer take more memory, more have to be looked at.
const LEAF: usize = 8;
/// In meters: nodes farther away than this are measured. For nearer ones, bounds are enough.
const FAR: f64 = 1e6;

/// Boxes in a tree: each node has half of those of its parent.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    zones: Vec<Zone>,
    /// The numbers of the boxes, those of a node side by side.
    order: Vec<u32>,
    nodes: Vec<Node>,
}

#[derive(Clone, Debug)]
struct Node {
    zone: Zone,
    /// Its range in `order`.
    boxes: Range<usize>,
    /// The lowest number of a box.
    lowest: u32,
    /// The second of its children; the first one comes right after it.
    second: Option<usize>,
}

/// Memory of searches in one tree for as many each, and what they have cost.
#[derive(Debug, Default)]
pub(super) struct Search {
    waiting: BinaryHeap<Reverse<Waiting>>,
    /// The last query's point, and a distance within which there are enough answers.
    last: Option<(Zone, f64)>,
    /// How many distances have been measured.
    pub(super) measured: u64,
}

/// A box and its distance. Equal distances are in the order of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Found {
    /// Of the distance, which is not negative: such numbers are in the order of their bits.
    bits: u64,
    number: u32,
}

/// A node or a box, with a lower bound of its distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Waiting {
    least: Found,
    what: What,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum What {
    Node { number: usize, is_measured: bool },
    Box { is_sharp: bool },
}

impl Tree {
    pub(super) fn new(boxes: &[Aabb<f64>]) -> Result<Self, Fault> {
        let no_memory = |_| Fault::Memory;
        let (mut zones, mut order, mut nodes) = (Vec::new(), Vec::new(), Vec::new());
        zones.try_reserve_exact(boxes.len()).map_err(no_memory)?;
        order.try_reserve_exact(boxes.len()).map_err(no_memory)?;
        // Leaves are at least half full.
        nodes.try_reserve_exact(boxes.len() * 4 / LEAF + 1).map_err(no_memory)?;
        zones.extend(boxes.iter().map(|bounds| Zone::new(*bounds)));
        order.extend((0..).take(boxes.len()));
        let mut tree = Self { zones, order, nodes };
        if !boxes.is_empty() {
            tree.add(0..boxes.len());
        }
        Ok(tree)
    }

    /// Makes a node, and those below it.
    fn add(&mut self, boxes: Range<usize>) {
        let members = &mut self.order[boxes.clone()];
        let of = |number: u32| self.zones[number as usize].bounds;
        let hull = Aabb::from_boxes(members.iter().map(|number| &self.zones[*number as usize].bounds));
        let lowest = members.iter().copied().min().unwrap_or_default();
        let number = self.nodes.len();
        self.nodes.push(Node { zone: Zone::new(hull), boxes: boxes.clone(), lowest, second: None });
        if boxes.len() <= LEAF {
            return;
        }
        let [width, height] = hull.size();
        let axis = usize::from(height > width * hull.center()[1].to_radians().cos());
        let middle = members.len() / 2;
        members.select_nth_unstable_by(middle, |a, b| of(*a).center()[axis].total_cmp(&of(*b).center()[axis]));
        let middle = boxes.start + middle;
        self.add(boxes.start..middle);
        self.nodes[number].second = Some(self.nodes.len());
        self.add(middle..boxes.end);
    }

    /// The nearest items to item `own`, nearest first. `least`: an optional lower bound, sharper than that of the boxes;
    /// `measure`: the distance, capped at the given limit.
    pub(super) fn nearest(
        &self,
        (own, from): (u32, &Zone),
        wanted: Wanted,
        search: &mut Search,
        least: impl Fn(u32) -> Option<f64>,
        measure: impl Fn(u32, f64) -> f64,
    ) -> Vec<(u32, f64)> {
        let mut best = Best::new(Wanted { most: wanted.most.min(search.reach(from)), ..wanted }, own);
        search.begin(self.nodes.first().filter(|_| wanted.count > 0));
        while let Some(Reverse(Waiting { least: here, what })) = search.waiting.pop() {
            let (distance, number) = best.last();
            let last = Found::new(distance, number);
            if here > last {
                break;
            }
            match what {
                What::Box { is_sharp: false } => {
                    let zone = &self.zones[here.number as usize];
                    let sharp = least(here.number).unwrap_or_else(|| zone.least(from));
                    search.wait(here.moved_to(sharp), What::Box { is_sharp: true });
                }
                What::Box { is_sharp: true } => {
                    search.measured += 1;
                    best.take(here.number, |limit| measure(here.number, reach_of_boxes(limit)));
                }
                What::Node { number, is_measured: false } if self.nodes[number].may_be_beyond(&here, &last) => {
                    search.measured += 1;
                    let measured = self.nodes[number].measured(&from.bounds);
                    search.wait(here.moved_to(measured), What::Node { number, is_measured: true });
                }
                What::Node { number, .. } => self.open(number, |zone, number, what| {
                    let below = Found { number, ..here }.moved_to(zone.roughly(from));
                    if below <= last {
                        search.wait(below, what);
                    }
                }),
            }
        }
        let found = best.sorted();
        search.last = wanted.last_of(&found).map(|far| (*from, far));
        found
    }

    /// Yields what is right below a node, with the lowest number of a box in it.
    fn open(&self, number: usize, mut take: impl FnMut(&Zone, u32, What)) {
        let node = &self.nodes[number];
        match node.second {
            Some(second) => {
                for number in [number + 1, second] {
                    let node = &self.nodes[number];
                    take(&node.zone, node.lowest, What::Node { number, is_measured: false });
                }
            }
            None => {
                let boxes = &self.order[node.boxes.clone()];
                boxes
                    .iter()
                    .for_each(|other| take(&self.zones[*other as usize], *other, What::Box { is_sharp: false }));
            }
        }
    }
}

impl Search {
    /// An upper bound of the distance within which there are enough answers: that of the last point, plus the distance
    /// to it.
    fn reach(&self, from: &Zone) -> f64 {
        let is_place = |zone: &Zone| zone.bounds.min == zone.bounds.max;
        let last = self.last.as_ref().filter(|(last, _)| is_place(last) && is_place(from));
        last.map_or(f64::INFINITY, |(last, far)| far + last.greatest(from))
    }

    /// Forgets what was waiting for another search.
    fn begin(&mut self, root: Option<&Node>) {
        self.waiting.clear();
        if let Some(root) = root {
            let least = Found::new(0.0, root.lowest);
            self.wait(least, What::Node { number: 0, is_measured: false });
        }
    }

    fn wait(&mut self, least: Found, what: What) {
        self.waiting.push(Reverse(Waiting { least, what }));
    }
}

impl Found {
    fn new(distance: f64, number: u32) -> Self {
        Self { bits: (distance + 0.0).max(0.0).to_bits(), number }
    }

    fn distance(self) -> f64 {
        f64::from_bits(self.bits)
    }

    /// With another lower bound, if that is farther away.
    fn moved_to(self, bound: f64) -> Self {
        Self::new(self.distance().max(bound), self.number)
    }
}

impl Node {
    /// Whether measuring it is worthwhile, because that may show that it is out of reach.
    fn may_be_beyond(&self, least: &Found, last: &Found) -> bool {
        let hull = &self.zone.bounds;
        (least.distance() > FAR || hull.min == hull.max) && greatest_for(least.distance()) > last.distance()
    }

    /// A lower bound of the distances of its boxes: as good as can be. All boxes on one point are exactly as far away
    /// as it is.
    fn measured(&self, to: &Aabb<f64>) -> f64 {
        let hull = &self.zone.bounds;
        if hull.min == hull.max { distance(to, hull) } else { sharp_bound(to, hull).unwrap_or(0.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEAREST: Wanted = Wanted { count: 1, most: f64::INFINITY, has_ties: false, but_itself: false };

    fn plain(boxes: &[Aabb<f64>], (own, to): (u32, &Aabb<f64>), wanted: Wanted) -> Vec<(u32, f64)> {
        let all = (0..).zip(boxes).filter(|(number, _)| !wanted.but_itself || own != *number);
        let all = all.map(|(number, other)| (number, distance(to, other)));
        let mut all: Vec<_> = all.filter(|(_, far)| *far <= wanted.most).collect();
        all.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
        let last = all.get(wanted.count.wrapping_sub(1)).map(|last| last.1);
        let ties = all.iter().skip(wanted.count).take_while(|(_, far)| wanted.has_ties && Some(*far) == last).count();
        all.truncate(wanted.count + ties);
        all
    }

    /// Boxes around a point; many of them on the same point.
    fn crowd(random: &mut fastrand::Rng, count: usize, [west, south]: [f64; 2], widest: f64) -> Vec<Aabb<f64>> {
        let mut point = || {
            let at = [west + random.f64() * widest, (south + random.f64() * widest).clamp(-90.0, 90.0)];
            let side = if random.bool() { 0.0 } else { random.f64() * widest / 20.0 };
            Aabb::new(at, [at[0] + side, (at[1] + side).min(90.0)])
        };
        let mut boxes: Vec<_> = (0..count).map(|_| point()).collect();
        (0..count / 4).for_each(|number| boxes[number * 2] = boxes[number]);
        boxes
    }

    #[test]
    fn the_nearest_are_those_of_brute_force_wherever_the_sets_are() {
        let mut random = fastrand::Rng::with_seed(3);
        for (point, widest) in
            [([-180.0, -90.0], 360.0), ([170.0, -10.0], 20.0), ([-20.0, 80.0], 40.0), ([8.0, 47.0], 0.001)]
        {
            let boxes = crowd(&mut random, 300, point, widest);
            let tree = Tree::new(&boxes).unwrap();
            for round in 0..60 {
                let asker =
                    if round % 2 == 0 { boxes[round] } else { crowd(&mut random, 4, [-180.0, -90.0], 360.0)[3] };
                let asker = (round as u32, &asker);
                let (count, most) = ([0, 1, 3, 40, 1000][round % 5], [f64::INFINITY, 1e6, 10.0, 0.0][round % 4]);
                let (has_ties, but_itself) = (round % 3 == 0, round % 2 == 0);
                let wanted = Wanted { count, most, has_ties, but_itself };
                let measure = |b, _| distance(asker.1, &boxes[b as usize]);
                let found =
                    tree.nearest((asker.0, &Zone::new(*asker.1)), wanted, &mut Search::default(), |_| None, measure);
                assert_eq!(found, plain(&boxes, asker, wanted), "{asker:?} {wanted:?}");
            }
        }
        let nowhere = (0, &Zone::new(Aabb::from_point([0.0; 2])));
        assert!(
            Tree::new(&[]).unwrap().nearest(nowhere, NEAREST, &mut Search::default(), |_| None, |_, _| 0.0).is_empty()
        );
    }

    #[test]
    fn the_number_of_distances_measured_does_not_grow_with_the_sets() {
        let mut random = fastrand::Rng::with_seed(4);
        // Europe from across the Atlantic; a town from there, all of it at nearly one distance; a heap on one point;
        // neighbors.
        let of_town = |random: &mut fastrand::Rng, count| crowd(random, count, [8.5, 47.3], 0.2);
        let askers = crowd(&mut random, 60, [-70.0, 10.0], 30.0);
        let cases = [
            (crowd(&mut random, 5_000, [-10.0, 36.0], 30.0), askers.clone()),
            (of_town(&mut random, 5_000), askers.clone()),
            (vec![Aabb::from_point([8.5, 47.3]); 5_000], askers),
            (of_town(&mut random, 5_000), of_town(&mut random, 60)),
        ];
        for (number, (boxes, askers)) in cases.iter().enumerate() {
            let (tree, mut search) = (Tree::new(boxes).unwrap(), Search::default());
            for asker in askers {
                let measure = |b, _| distance(asker, &boxes[b as usize]);
                assert_eq!(tree.nearest((0, &Zone::new(*asker)), NEAREST, &mut search, |_| None, measure).len(), 1);
            }
            let mean = search.measured / askers.len() as u64;
            assert!(mean <= 100, "case {number}: {mean} distances measured for each");
        }
    }
}
