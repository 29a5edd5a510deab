//! The nearest of many by true distance: boxes decide which distances are computed.

use std::ops::ControlFlow;

use quadrille::{Aabb, Answers, Distance, Hit, Index, Layers, Near, Query, Structure};

use crate::batch::{Kept, MAX_KEPT};
use crate::best::{Best, Wanted};
use crate::distance::{Bounded, apart, distance_below, near, reach_of_boxes};
use crate::geometries::Geometries;
use crate::nearest_to_points::NearestToPoints;

/// How many boxes are requested beyond the number of answers: usually the last of them is too far away, which ends the
/// search.
const MORE: usize = 3;
/// About how many boxes are requested at a time; all are kept until their distances are computed.
const AT_ONCE: usize = 1 << 18;

/// Geometries prepared for nearest queries.
#[derive(Clone, Copy, Debug)]
pub struct Nearest<'a, I: Structure<Scalar = f64>> {
    all: &'a Geometries,
    boxes: &'a Index<I>,
}

impl<'a, I: Structure<Scalar = f64>> Nearest<'a, I> {
    /// `boxes` is an index of [`Geometries::boxes`] under the same numbers.
    #[must_use]
    pub fn new(all: &'a Geometries, boxes: &'a Index<I>) -> Self {
        Self { all, boxes }
    }

    /// The nearest to geometry `i` of `a`, with their distances: the nearest first, equal distances by number.
    ///
    /// # Panics
    /// Panics if there is no such number.
    #[must_use]
    pub fn to(&self, a: &Geometries, i: u32, wanted: Wanted) -> Vec<(u32, f64)> {
        let (near, count) = (near(a.bounds(i), wanted.most), self.boxes_for(wanted));
        let mut first = Vec::new();
        self.boxes.query_first_few(near, count, &mut first);
        self.best(a, i, wanted, near, (&first, first.len() < count))
    }

    /// The nearest to each geometry of `a`, in order.
    pub fn to_each<B>(
        &self,
        a: &Geometries,
        wanted: Wanted,
        mut visit: impl FnMut(u32, &[(u32, f64)]) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let (all, count) = (a.len() as u32, self.boxes_for(wanted));
        if let Some(step) = self.batch_of_points(a, wanted) {
            let mut nearest = NearestToPoints::new(self.all, self.boxes, wanted);
            let points = (0..all).filter_map(|i| a.only_point(i));
            let search = |i, point, next| nearest.to((i, point), next, |i| self.to(a, i, wanted));
            return Kept::default().visit(points, step, search, visit);
        }
        let step = (AT_ONCE / count.max(1)).max(1);
        let mut answers = Answers::new();
        for start in (0..all).step_by(step) {
            let end = all.min(start.saturating_add(step as u32));
            let queries: Vec<_> = (start..end).map(|i| near(a.bounds(i), wanted.most)).collect();
            self.boxes.query_first_many(&queries, count, &mut answers);
            for ((i, near), first) in (start..end).zip(&queries).zip(answers.iter()) {
                visit(i, &self.best(a, i, wanted, *near, (first, first.len() < count)))?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The size of a batch, if all queries are points, and a batch has at least twice as many queries as there are others.
    /// Smaller if geometries are large, so that the first answer comes soon.
    fn batch_of_points(&self, a: &Geometries, wanted: Wanted) -> Option<usize> {
        let size = self.all.count_vertices() / self.all.len().max(1);
        let step = MAX_KEPT / wanted.count.min(self.all.len()).saturating_add(size + 1);
        let are_many = step.min(a.len()) / 2 >= self.all.len();
        (are_many && (0..a.len() as u32).all(|i| a.only_point(i).is_some())).then_some(step)
    }

    /// How many of the nearest boxes to examine first: none if most will be examined anyway.
    fn boxes_for(&self, wanted: Wanted) -> usize {
        let count = wanted.count.saturating_add(MORE + usize::from(wanted.but_itself));
        if count < self.boxes.len() { count } else { 0 }
    }

    /// The best, given the first boxes, and whether there are no others.
    fn best(
        &self,
        a: &Geometries,
        i: u32,
        wanted: Wanted,
        near: Near<f64>,
        (first, are_all): (&[Hit<Distance<f64>>], bool),
    ) -> Vec<(u32, f64)> {
        if wanted.count == 0 {
            return Vec::new();
        }
        let (mut best, target) = (Best::new(wanted, i), near.target());
        let asker = (a, i, &target);
        let nearest = first.iter().map(|hit| (apart(&target, &self.bounds(hit.id)), hit.id));
        self.take(asker, nearest, &mut best);
        let Some(rest) = Rest::new(near, first.last(), &best).filter(|_| !are_all) else { return best.sorted() };
        let mut others: Vec<_> = self.boxes.query(rest).map(|j| (apart(&target, &self.bounds(j)), j)).collect();
        others.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        self.take(asker, others.into_iter(), &mut best);
        best.sorted()
    }

    /// Takes those boxes that can be answers: no geometry is nearer than its box. The nearest should come first.
    fn take(&self, asker: Bounded<'_>, boxes: impl Iterator<Item = (f64, u32)>, best: &mut Best) {
        for (least, j) in boxes {
            if (least, j) <= best.last() {
                best.take(j, |limit| distance_below(asker, (self.all, j, &self.bounds(j)), limit));
            }
        }
    }

    fn bounds(&self, j: u32) -> Aabb<f64> {
        self.boxes.get(j).unwrap_or(Aabb::EMPTY)
    }
}

/// The boxes that come after the first ones and can still be answers.
///
/// Boxes come by the squares of their distances, and those with the same square by number. Different squares may have
/// the same root, so a lower number may come later. But among many with the same square, the first are enough.
#[derive(Clone, Copy, Debug)]
struct Rest {
    near: Near<f64>,
    /// The last of the first boxes.
    last: Option<Hit<Distance<f64>>>,
    /// Whether others with the same square can be answers.
    has_ties: bool,
}

impl Rest {
    /// `None` if there are none.
    fn new(near: Near<f64>, last: Option<&Hit<Distance<f64>>>, best: &Best) -> Option<Self> {
        let reach = reach_of_boxes(best.limit());
        let far = last.map_or(0.0, |last| last.rank.to_f64());
        let has_ties = last.is_none_or(|last| (far, last.id) < best.last());
        // Only zero has the root zero.
        let is_wanted = far <= reach && (has_ties || far > 0.0);
        is_wanted.then_some(Self { near: near.within(reach), last: last.copied(), has_ties })
    }

    /// Whether a box at this distance comes after the first ones; of those with the same square, any.
    fn is_after(&self, distance: Distance<f64>) -> bool {
        self.last.is_none_or(|last| distance > last.rank || self.has_ties && distance == last.rank)
    }
}

impl Query<f64> for Rest {
    fn bounds(&self) -> Aabb<f64> {
        self.near.bounds()
    }

    fn extent(&self) -> Aabb<f64> {
        self.near.extent()
    }

    fn covers(&self, hull: &Aabb<f64>) -> bool {
        self.last.is_none() && self.near.covers(hull)
    }

    fn circle(&self) -> Option<Near<f64>> {
        self.last.is_none().then_some(self.near)
    }

    fn reaches(&self, cell: &Aabb<f64>) -> bool {
        let farthest = Aabb { min: cell.max, max: cell.min };
        self.near.reaches(cell) && self.near.distance(&farthest).is_none_or(|farthest| self.is_after(farthest))
    }

    fn accepts(&self, id: u32, bounds: &Aabb<f64>, _layers: Layers) -> bool {
        let is_same = |distance| self.last.is_some_and(|last| distance == last.rank && id <= last.id);
        self.near.distance(bounds).is_some_and(|distance| self.is_after(distance) && !is_same(distance))
    }
}

#[cfg(test)]
mod tests {
    use quadrille::FrameTree;

    use super::*;
    use crate::distance::distance;

    #[test]
    fn among_many_that_are_equally_near_the_first_are_enough() {
        let mut random = fastrand::Rng::with_seed(9);
        for count in [15, 16, 17, 255, 256, 257, 2_000] {
            // Nearly all on two places; others that are as far from both as these are from each other, or elsewhere.
            let (mut all, mut others) = (Geometries::new(), Geometries::new());
            let places = [[0.3, 0.7], [0.3, 1.7], [1.3, 0.7]];
            for number in 0..count {
                all.push_point(places[usize::from(number % 9 == 0)]).unwrap();
                let elsewhere = [random.f64() * 3.0, random.f64() * 3.0];
                others.push_point(if number % 3 == 0 { elsewhere } else { places[number % 5 % 3] }).unwrap();
            }
            let index = Index::<FrameTree<f64>>::from_boxes(&all.boxes()).unwrap();
            let nearest = Nearest::new(&all, &index);
            for (askers, but_itself) in [(&all, true), (&others, false)] {
                let wanted = Wanted { count: 3, most: f64::INFINITY, has_ties: false, but_itself };
                for i in (0..count as u32).step_by(count / 15) {
                    let (near, mut first) = (near(askers.bounds(i), wanted.most), Vec::new());
                    index.query_first_few(near, nearest.boxes_for(wanted), &mut first);
                    let mut best = Best::new(wanted, i);
                    let (target, bounds) = (near.target(), |j| nearest.bounds(j));
                    let boxes = first.iter().map(|hit| (apart(&target, &bounds(hit.id)), hit.id));
                    nearest.take((askers, i, &target), boxes, &mut best);
                    let rest = Rest::new(near, first.last(), &best).map_or(0, |rest| index.query(rest).count());
                    assert_eq!(rest, 0, "{count}: {i}");
                    let found = best.sorted();
                    let mut expected: Vec<_> = (0..count as u32)
                        .filter(|j| !but_itself || i != *j)
                        .map(|j| (j, distance(askers, i, &all, j)))
                        .collect();
                    expected.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
                    assert_eq!(found, expected[..3], "{count}: {i}");
                    assert_eq!(nearest.to(askers, i, wanted), found);
                }
            }
        }
    }

    #[test]
    fn equal_distances_come_by_number_though_their_squares_differ() {
        // 1.3 from the origin: once the square is a little less, and a little more.
        let places = [[0.0, 1.3], [0.5, 1.2], [1.2, 0.5]];
        let (mut all, mut origin) = (Geometries::new(), Geometries::new());
        origin.push_point([0.0; 2]).unwrap();
        let wanted = |count| Wanted { count, most: f64::INFINITY, has_ties: false, but_itself: false };
        let mut numbers = |more: &[[f64; 2]], count: usize, rows: &[u32]| {
            all.clear();
            more.iter().for_each(|place| all.push_point(*place).map(drop).unwrap());
            let index = Index::<FrameTree<f64>>::from_boxes(&all.boxes()).unwrap();
            let found = Nearest::new(&all, &index).to(&origin, 0, wanted(count));
            assert_eq!(found.iter().map(|(j, _)| *j).collect::<Vec<_>>(), rows, "{count} of {}", more.len());
        };
        let far = [[9.0, 9.0]; 40];
        numbers(&[&places[..], &far].concat(), 1, &[0]);
        numbers(&[&places[..], &far].concat(), 2, &[0, 1]);
        // So many of less that the first boxes do not have the one of more.
        let many = [places[1]; 30];
        numbers(&[&places[..1], &many, &far].concat(), 1, &[0]);
        numbers(&[&places[..1], &many, &far].concat(), 3, &[0, 1, 2]);
        numbers(&[&many, &places[..1], &far].concat(), 3, &[0, 1, 2]);
        numbers(&[&many[..2], &places[..1], &many, &far].concat(), 3, &[0, 1, 2]);
    }

    #[test]
    fn equal_distances_whose_squares_differ_are_those_of_brute_force() {
        let mut random = fastrand::Rng::with_seed(10);
        let places =
            [[0.0, 1.3], [0.5, 1.2], [-1.2, 0.5], [1.3, 0.0], [-0.5, -1.2], [0.0, -1.3], [0.1, 0.1], [2.0, 3.0]];
        for round in 0..2_000 {
            let (mut all, mut origin) = (Geometries::new(), Geometries::new());
            origin.push_point([0.0; 2]).unwrap();
            let kinds = random.usize(2..=places.len());
            (0..random.usize(1..40)).for_each(|_| all.push_point(places[random.usize(..kinds)]).map(drop).unwrap());
            let index = Index::<FrameTree<f64>>::from_boxes(&all.boxes()).unwrap();
            let (count, most) = (random.usize(1..6), [f64::INFINITY, 1.3][round % 2]);
            let wanted = Wanted { count, most, has_ties: random.bool(), but_itself: false };
            let mut expected: Vec<_> = (0..all.len() as u32).map(|j| (j, distance(&origin, 0, &all, j))).collect();
            expected.retain(|(_, far)| *far <= most);
            expected.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
            let last = expected.get(count - 1).map(|last| last.1);
            let ties = expected.iter().skip(count).take_while(|one| wanted.has_ties && Some(one.1) == last).count();
            expected.truncate(count + ties);
            assert_eq!(Nearest::new(&all, &index).to(&origin, 0, wanted), expected, "{wanted:?}");
        }
    }
}
