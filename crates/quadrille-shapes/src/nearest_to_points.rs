//! The nearest shapes to many points: in an order along a curve, neighboring points have nearly the same answers.
//!
//! The first point searches. Then all shapes that can be among the nearest to any point in a small box around it are
//! listed once, and the next points in that box look only at the list. If the k nearest to the first point are within a
//! distance, those of another are within that distance plus the distance between the two points.
//!
//! `Index::query_first_many` would need no code here, but it takes more instructions, and did so even when neighbors
//! shared lists of boxes there: for 200,000 points, 12 % (the nearest of 500 polygons), 29 % (the nearest four of them),
//! 42 % (the nearest of 2,000 points).

use quadrille::{Aabb, Index, Structure};

use crate::best::{Best, Wanted};
use crate::distance::{apart, distance_from, length, near, reach_of_boxes};
use crate::geometries::Geometries;
use crate::segment_intersection::Point;

/// How far the box reaches, relative to the distance to the last of the nearest. Less: more lists. More: longer lists.
const MARGIN: f64 = 0.5;
/// The most shapes in a list: a multiple of the requested number, plus a constant. Longer lists are abandoned: one large
/// shape over many small ones could make each list hold all of them.
const MAX_LISTED: [usize; 2] = [8, 64];

/// A search for many points, with the list for those near the last one that searched.
pub(crate) struct NearestToPoints<'a, I: Structure<Scalar = f64>> {
    /// The shapes, and an index of their boxes.
    all: &'a Geometries,
    boxes: &'a Index<I>,
    wanted: Wanted,
    /// The list is complete for points in this box.
    around: Aabb<f64>,
    listed: Vec<(Aabb<f64>, u32)>,
    /// For a single point: the distances to boxes, and their positions in the list.
    near: Vec<(f64, u32)>,
    /// The last point, and a distance within which there are enough shapes.
    last: (Point, f64),
}

impl<'a, I: Structure<Scalar = f64>> NearestToPoints<'a, I> {
    pub(crate) fn new(all: &'a Geometries, boxes: &'a Index<I>, wanted: Wanted) -> Self {
        let (around, last) = (Aabb::EMPTY, ([0.0; 2], wanted.most));
        Self { all, boxes, wanted, around, listed: Vec::new(), near: Vec::new(), last }
    }

    /// The nearest to the point of this number; `next` is the point after it. `search` finds them without a list.
    pub(crate) fn to(
        &mut self,
        (i, point): (u32, Point),
        next: Option<Point>,
        search: impl Fn(u32) -> Vec<(u32, f64)>,
    ) -> Vec<(u32, f64)> {
        let is_listed = self.around.contains_point(point);
        let found = if is_listed { self.among_listed(i, point) } else { search(i) };
        self.last = (point, self.wanted.last_of(&found).unwrap_or(self.wanted.most));
        if !is_listed {
            self.list(next);
        }
        found
    }

    /// Lists what may be among the nearest to points around the last point, if the next point is one of them.
    fn list(&mut self, next: Option<Point>) {
        let (point, far) = self.last;
        let around = Aabb::from_point(point).with_margin(MARGIN * far);
        self.around = Aabb::EMPTY;
        if !around.is_valid() || !next.is_some_and(|next| around.contains_point(next)) {
            return;
        }
        let side = |axis: usize| (around.max[axis] - point[axis]).max(point[axis] - around.min[axis]);
        let reach = (far + length([side(0), side(1)])).min(self.wanted.most);
        let [times, more] = MAX_LISTED;
        let longest = self.wanted.count.saturating_mul(times).saturating_add(more);
        let ids = self.boxes.query(near(around, reach)).take(longest);
        self.listed.clear();
        self.listed.extend(ids.map(|j| (self.boxes.get(j).unwrap_or(Aabb::EMPTY), j)));
        if self.listed.len() < longest {
            self.around = around;
        }
    }

    fn among_listed(&mut self, i: u32, point: Point) -> Vec<(u32, f64)> {
        let mut best = Best::new(self.wanted, i);
        let here = Aabb::from_point(point);
        let (last, far) = self.last;
        let most = reach_of_boxes(far + length([point[0] - last[0], point[1] - last[1]]));
        self.near.clear();
        let near = (0..).zip(&self.listed).map(|(at, (bounds, _))| (apart(&here, bounds), at));
        self.near.extend(near.filter(|(least, _)| *least <= most));
        self.near.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        for (least, at) in &self.near {
            if *least > reach_of_boxes(best.limit()) {
                break;
            }
            let (bounds, j) = &self.listed[*at as usize];
            best.take(*j, |limit| distance_from(point, (self.all, *j, bounds), limit));
        }
        best.sorted()
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use quadrille::{FrameTree, morton};

    use super::*;
    use crate::distance::distance;
    use crate::geometries::Part;
    use crate::nearest::Nearest;

    /// Points on a small grid, where many distances are equal, or on a fine one.
    fn point(random: &mut fastrand::Rng, cells: u32) -> Point {
        [0, 1].map(|_| f64::from(random.u32(0..cells)) * 16.0 / f64::from(cells))
    }

    fn shapes(random: &mut fastrand::Rng, count: usize, cells: u32) -> Geometries {
        let mut all = Geometries::new();
        for number in 0..count {
            let [x, y] = point(random, cells);
            // A few are as large as all others together.
            let wide = if number % 9 == 0 { 10.0 } else { 0.7 };
            let (part, points) = match number % 3 {
                0 => (Part::Shell, vec![[x, y], [x + wide, y], [x, y + wide], [x, y]]),
                1 => (Part::Line, vec![[x, y], [x + wide, y + 0.3]]),
                _ => (Part::Point, vec![[x, y]]),
            };
            all.part(part);
            points.iter().for_each(|[x, y]| all.vertex(*x, *y));
            assert_eq!(all.finish(), Ok(true));
        }
        all
    }

    #[test]
    fn lists_find_what_brute_force_finds() {
        let mut random = fastrand::Rng::with_seed(7);
        let mut listed = 0;
        for round in 0..24 {
            let cells = [9, 1 << 20][round % 2];
            let mut points = Geometries::new();
            for _ in 0..400 {
                points.push_point(point(&mut random, cells)).unwrap();
            }
            let others = shapes(&mut random, [40, 150, 1][round % 3], cells);
            let is_one_set = round % 8 == 7;
            let all = if is_one_set { &points } else { &others };
            let (count, most) = ([5, 1, 0, 3][round % 4], [f64::INFINITY, 0.6, 0.0][round / 2 % 3]);
            let wanted = Wanted { count, most, has_ties: round % 5 < 2, but_itself: is_one_set };
            let index = Index::<FrameTree<f64>>::from_boxes(&all.boxes()).unwrap();
            let nearest = Nearest::new(all, &index);
            let mut shared = NearestToPoints::new(all, &index, wanted);
            let places: Vec<_> = (0..400).map(|i| points.only_point(i).unwrap()).collect();
            let order = morton::order(&places);
            let mut found = vec![Vec::new(); 400];
            for (at, i) in order.iter().enumerate() {
                let next = order.get(at + 1).map(|next| places[*next as usize]);
                listed += usize::from(shared.around.contains_point(places[*i as usize]));
                found[*i as usize] = shared.to((*i, places[*i as usize]), next, |i| nearest.to(&points, i, wanted));
            }
            for (i, found) in (0..).zip(&found) {
                let others = (0..all.len() as u32).filter(|j| !is_one_set || i != *j);
                let far = |j| distance(&points, i, all, j);
                let mut expected: Vec<_> = others.map(|j| (j, far(j))).filter(|(_, far)| *far <= most).collect();
                expected.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
                let last = count.checked_sub(1).and_then(|last| expected.get(last)).map(|last| last.1);
                let ties = expected.iter().skip(count).take_while(|one| wanted.has_ties && Some(one.1) == last).count();
                expected.truncate(count + ties);
                assert_eq!(*found, expected, "{wanted:?}");
            }
            let mut number = 0;
            let _ = nearest.to_each(&points, wanted, |i, each| {
                assert_eq!((i, each), (number, &found[i as usize][..]));
                number += 1;
                ControlFlow::<()>::Continue(())
            });
            assert_eq!(number, 400);
        }
        assert!(listed > 2_000, "{listed} of 9,600 were answered from a list");
    }
}
