//! How far apart two lines or polygons on the earth are: the least between edges, by branch and bound over the zones of
//! their runs.

use super::measure::Zone;
use super::outlines::{Outlines, below_run};
use super::pair::{Edge, Pair};

impl Outlines {
    /// Meters between a geometry and one of others, or `limit`, if that is less: none if they meet.
    pub(super) fn between(&self, i: u32, other: &Self, j: u32, limit: f64) -> f64 {
        // If no edges meet, each part is entirely inside or entirely outside.
        let is_in = |all: &Self, number, points: &Self, of| points.first_points(of).any(|at| all.is_inside(number, at));
        if is_in(self, i, other, j) || is_in(other, j, self, i) {
            return 0.0;
        }
        let [a, b] = [Runs::of(self, i), Runs::of(other, j)];
        let mut search = Search { a: &a, b: &b, least: limit };
        search.descend(search.step(a.whole(), b.whole()));
        search.least
    }
}

/// A geometry, divided into runs of edges.
struct Runs<'a> {
    all: &'a Outlines,
    number: u32,
    /// Zones: see [`Outlines::levels`].
    levels: Vec<&'a [Zone]>,
}

/// Some edges of a geometry: a run, or sixteen of those of the level below.
#[derive(Clone, Copy)]
struct Run {
    level: usize,
    number: usize,
}

/// A pair of runs to examine, and a lower bound of their distance.
struct Step {
    least: f64,
    of_a: Run,
    of_b: Run,
}

struct Search<'a> {
    a: &'a Runs<'a>,
    b: &'a Runs<'a>,
    /// The least distance so far.
    least: f64,
}

impl<'a> Runs<'a> {
    fn of(all: &'a Outlines, number: u32) -> Self {
        Self { all, number, levels: all.levels(number) }
    }

    fn whole(&self) -> Run {
        Run { level: self.levels.len() - 1, number: 0 }
    }

    fn zone(&self, run: Run) -> &Zone {
        &self.levels[run.level][run.number]
    }

    fn children(&self, run: Run) -> impl Iterator<Item = Run> + use<> {
        let level = run.level - 1;
        below_run(run.number, self.levels[level]).map(move |number| Run { level, number })
    }

    fn edges(&self, run: Run) -> impl Iterator<Item = Edge> {
        self.all.edges_of_run(self.number, run.number)
    }
}

impl Search<'_> {
    fn step(&self, of_a: Run, of_b: Run) -> Step {
        let least = self.a.zone(of_a).least(self.b.zone(of_b));
        Step { least, of_a, of_b }
    }

    fn descend(&mut self, Step { least, of_a, of_b }: Step) {
        if least >= self.least {
            return;
        }
        if of_a.level == 0 && of_b.level == 0 {
            return self.compare(of_a, of_b);
        }
        let mut steps: Vec<_> = if of_a.level >= of_b.level {
            self.a.children(of_a).map(|child| self.step(child, of_b)).collect()
        } else {
            self.b.children(of_b).map(|child| self.step(of_a, child)).collect()
        };
        steps.sort_unstable_by(|a, b| a.least.total_cmp(&b.least));
        steps.into_iter().for_each(|step| self.descend(step));
    }

    fn compare(&mut self, of_a: Run, of_b: Run) {
        let others: Vec<_> = self.b.edges(of_b).collect();
        let pairs = self.a.edges(of_a).flat_map(|edge| others.iter().map(move |other| Pair::new(edge, *other)));
        let mut near: Vec<_> = pairs.filter(|pair| pair.least < self.least).collect();
        near.sort_unstable_by(|one, other| one.chord.total_cmp(&other.chord));
        for pair in near {
            if pair.least < self.least {
                self.least = pair.measure(self.least);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::chord::spot;
    use super::super::edge::tests::{at, least_of_samples};
    use super::super::edge::{Edges, bounds};
    use super::super::ellipsoid::Point;
    use super::super::outlines::tests::{is_in, polygon, star};
    use super::*;
    use crate::geometries::{Geometries, Part};

    fn line(points: &[Point]) -> Geometries {
        let mut all = Geometries::new();
        all.part(Part::Line);
        points.iter().for_each(|[x, y]| all.vertex(*x, *y));
        assert_eq!(all.finish(), Ok(true));
        all
    }

    /// Whether a point is in a ring whose edges have been cut finely.
    fn is_inside(edges: Edges, point: Point, ring: &[Point]) -> bool {
        let cuts: u32 = if edges == Edges::Geodesic { 300 } else { 1 };
        let part = |edge: &[Point], part| at(edges, [edge[0], edge[1]], f64::from(part) / f64::from(cuts));
        let mut fine: Vec<_> = ring.windows(2).flat_map(|edge| (0..cuts).map(move |cut| part(edge, cut))).collect();
        fine.push(ring[0]);
        is_in(point, &fine)
    }

    #[test]
    fn lines_and_polygons_are_as_far_apart_as_the_nearest_of_many_samples() {
        let mut random = fastrand::Rng::with_seed(31);
        let (mut apart, mut together) = (0, 0);
        for round in 0..36 {
            let wide = [0.001, 0.3, 15.0][round % 3];
            let edges = [Edges::Straight, Edges::Geodesic][round / 3 % 2];
            let middle = [[179.9, 10.0], [-180.0, -50.0], [8.0, 65.0], [0.0, 0.0]][round / 6 % 4];
            let beside = [0, 1].map(|axis| middle[axis] + (random.f64() - 0.5) * 4.0 * wide);
            let shapes = [middle, beside].map(|at| {
                let ring = star(&mut random, at, wide, 4);
                if random.bool() { (ring, true) } else { (ring[..3].to_vec(), false) }
            });
            let outlines = shapes.clone().map(|(points, is_polygon)| {
                let turned: Vec<_> = points.iter().map(|[x, y]| [x - (x / 360.0).round() * 360.0, *y]).collect();
                Outlines::new(&if is_polygon { polygon(&turned) } else { line(&turned) }, edges)
            });
            let [(one, is_one_polygon), (other, is_other_polygon)] = &shapes;
            let is_in = *is_one_polygon && is_inside(edges, other[0], one)
                || *is_other_polygon && is_inside(edges, one[0], other);
            let pairs = one.windows(2).flat_map(|a| other.windows(2).map(move |b| [[a[0], a[1]], [b[0], b[1]]]));
            let least = pairs.map(|pair| least_of_samples(edges, pair)).fold(f64::INFINITY, f64::min);
            let least = if is_in { 0.0 } else { least };
            let found = outlines[0].between(0, &outlines[1], 0, f64::INFINITY);
            *(if least > 0.01 { &mut apart } else { &mut together }) += 1;
            assert!(found <= least + 1e-6, "{edges:?} {shapes:?}: {found}, but {least}");
            assert!(found >= least - 2e-3, "{edges:?} {shapes:?}: {found}, but {least}");
            assert_eq!(outlines[1].between(0, &outlines[0], 0, least / 2.0), found.min(least / 2.0));
        }
        assert!(apart > 5 && together > 5, "{apart} {together}");
    }

    #[test]
    fn shapes_of_many_runs_are_as_far_apart_as_their_nearest_edges() {
        let mut random = fastrand::Rng::with_seed(32);
        for round in 0..6 {
            let edges = [Edges::Straight, Edges::Geodesic][round % 2];
            let rings =
                [[20.0, 50.0], [20.0 + f64::from(round as u32), 51.5]].map(|at| star(&mut random, at, 1.0, 350));
            let [one, other] = rings.clone().map(|ring| Outlines::new(&line(&ring), edges));
            let pairs =
                rings[0].windows(2).flat_map(|a| rings[1].windows(2).map(move |b| [[a[0], a[1]], [b[0], b[1]]]));
            let near = |pair: &[[Point; 2]; 2], limit| {
                let zone = |edge| Zone::new(bounds(edges, edge));
                zone(pair[0]).bounds_of_distance(&zone(pair[1]))[0] < limit
            };
            let measured = |[a, b]: [[Point; 2]; 2], limit| {
                let [a, b] = [a, b].map(|ends| Edge::new(edges, ends, ends.map(spot)));
                Pair::new(a, b).measure(limit)
            };
            let least =
                pairs.fold(f64::INFINITY, |least, pair| if near(&pair, least) { measured(pair, least) } else { least });
            assert!((one.between(0, &other, 0, f64::INFINITY) - least).abs() < 2e-3);
        }
    }

    #[test]
    fn what_is_in_line_but_apart_does_not_meet() {
        for [far, least] in [[0.0, 0.0], [1e-7, 0.0], [1e-3, 70.0], [1.0, 70_000.0]] {
            for edges in [Edges::Straight, Edges::Geodesic] {
                let along = |from: f64, to: f64| [from, to].map(|share| at(edges, [[10.0, 50.0], [14.0, 53.0]], share));
                let [one, other] =
                    [along(0.0, 0.2), along(0.2 + far / 5.0, 0.9)].map(|ends| Outlines::new(&line(&ends), edges));
                let found = one.between(0, &other, 0, f64::INFINITY);
                assert!(found >= least && found <= 1.5 * least + 0.01, "{edges:?} {far}: {found}");
            }
        }
    }
}
