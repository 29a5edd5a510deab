//! Lines and polygons on the earth, and how far points are from them. How far they are from each other: `between.rs`.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::iter::{from_fn, successors};
use std::ops::Range;

use quadrille::Aabb;

use super::chord::{Spot, spot};
use super::edge::{Edges, Here, bounds, divide, is_north, to_edge, to_point};
use super::ellipsoid::Point;
use super::longitude::{TURN, turns};
use super::measure::Zone;
use super::pair::Edge;
use crate::geometries::{Geometries, Part};

/// Edges of a run, whose box is kept; and runs of a longer one.
const RUN: usize = 16;

/// The geometries of a file, with longitudes that go on along each line and ring.
#[derive(Clone, Debug)]
pub(super) struct Outlines {
    pub(super) edges: Edges,
    points: Vec<Point>,
    /// Where each point is.
    spots: Vec<Spot>,
    strands: Vec<Strand>,
    zones: Vec<Zone>,
    /// For sixteen zones each of a geometry, for sixteen of these, and so on, up to one.
    wider: Vec<Zone>,
    /// The first strand of each geometry, and the first of its wider zones; and those of none.
    firsts: Vec<[usize; 2]>,
}

/// A point, line or ring.
#[derive(Clone, Debug)]
struct Strand {
    part: Part,
    /// Its first point, and the first zone of its runs.
    point: usize,
    zone: usize,
    /// Whether it goes around the north pole.
    has_pole: bool,
}

impl Outlines {
    pub(super) fn new(all: &Geometries, edges: Edges) -> Self {
        let mut outlines = Self {
            edges,
            points: Vec::new(),
            spots: Vec::new(),
            strands: Vec::new(),
            zones: Vec::new(),
            wider: Vec::new(),
            firsts: vec![[0, 0]],
        };
        for number in 0..all.len() as u32 {
            let zone = outlines.zones.len();
            all.parts(number).for_each(|(part, points)| outlines.push(part, points));
            outlines.widen(zone);
            outlines.firsts.push([outlines.strands.len(), outlines.wider.len()]);
        }
        outlines
    }

    pub(super) fn count_vertices(&self) -> usize {
        self.points.len()
    }

    /// Adds the wider zones of a geometry.
    fn widen(&mut self, first: usize) {
        let joined = |zones: &[Zone]| -> Vec<Zone> {
            let hull = |zones: &[Zone]| Aabb::from_boxes(zones.iter().map(|zone| &zone.bounds));
            zones.chunks(RUN).map(|zones| Zone::new(hull(zones))).collect()
        };
        let mut below = self.zones[first..].to_vec();
        while below.len() > 1 {
            below = joined(&below);
            self.wider.extend_from_slice(&below);
        }
    }

    fn push(&mut self, part: Part, points: &[Point]) {
        let (point, zone) = (self.points.len(), self.zones.len());
        self.points.push(points[0]);
        let mut moved = 0.0;
        for ([x, y], turn) in points[1..].iter().zip(turns(points)) {
            let from = self.points[self.points.len() - 1];
            moved -= turn;
            divide(self.edges, [from, [x + moved, *y]], &mut self.points);
        }
        let own = &self.points[point..];
        self.spots.extend(own.iter().map(|point| spot(*point)));
        // A point has a run, too.
        let runs = (0..(own.len() - 1).max(1)).step_by(RUN).map(|first| &own[first..own.len().min(first + RUN + 1)]);
        let hull = |run: &[Point]| {
            let boxes = run.windows(2).map(|edge| bounds(self.edges, [edge[0], edge[1]]));
            boxes.reduce(|all, one| all.union(&one)).unwrap_or(Aabb::from_point(run[0]))
        };
        self.zones.extend(runs.map(|run| Zone::new(hull(run))));
        let whole = Aabb::from_boxes(self.zones[zone..].iter().map(|zone| &zone.bounds));
        let is_around =
            part != Part::Line && own.first().zip(own.last()).is_some_and(|(a, b)| (a[0] - b[0]).abs() > 180.0);
        let has_pole = is_around && whole.min[1] + whole.max[1] >= 0.0;
        self.strands.push(Strand { part, point, zone, has_pole });
    }

    /// A box with all of a geometry, given the box around its points.
    pub(super) fn grown(&self, number: u32, around: &Aabb<f64>) -> Aabb<f64> {
        let zones = self.strands_of(number).flat_map(|strand| &self.zones[self.zones_of(strand)]);
        let latitudes = zones.fold([around.min[1], around.max[1]], |[south, north], zone| {
            [south.min(zone.bounds.min[1]), north.max(zone.bounds.max[1])]
        });
        Aabb::new([around.min[0], latitudes[0]], [around.max[0], latitudes[1]])
    }

    /// Meters from a point to a geometry, or `limit`, if that is less.
    pub(super) fn distance(&self, number: u32, here: &Here, limit: f64) -> f64 {
        if self.is_inside(number, here.point) {
            return 0.0;
        }
        let (mut least, mut edges) = (limit, Vec::new());
        for (bound, run) in self.runs_below(number, here, limit) {
            if bound >= least {
                break;
            }
            if run.len() == 1 {
                least = least.min(to_point(here.point, self.points[run.start]));
            }
            edges.clear();
            edges
                .extend(self.edges_in(run).map(|at| (self.least_to(at, here), at)).filter(|(bound, _)| *bound < least));
            edges.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
            for (bound, at) in &edges {
                if *bound < least {
                    let (points, spots) = self.edge(*at);
                    least = to_edge(self.edges, here, points, spots, least);
                }
            }
        }
        least
    }

    /// A lower bound of the distance that costs little.
    pub(super) fn least(&self, number: u32, here: &Here) -> f64 {
        let mut least = f64::INFINITY;
        for (bound, run) in self.runs_below(number, here, f64::INFINITY) {
            if bound >= least {
                break;
            }
            let of_edges = self.edges_in(run.clone()).map(|at| self.least_to(at, here)).reduce(f64::min);
            least = least.min(of_edges.unwrap_or(bound));
        }
        if self.is_inside(number, here.point) { 0.0 } else { least }
    }

    /// The points of the runs of a geometry that may be nearer than `limit`, and how near they may be: the nearest first,
    /// found as they are asked for.
    fn runs_below(&self, number: u32, here: &Here, limit: f64) -> impl Iterator<Item = (f64, Range<usize>)> {
        let levels = self.levels(number);
        let mut waiting = BinaryHeap::new();
        // No bound is negative: such numbers are in the order of their bits.
        waiting.push(Reverse((0, levels.len(), 0)));
        from_fn(move || {
            loop {
                let Reverse((bound, level, run)) = waiting.pop()?;
                if level == 0 {
                    return Some((f64::from_bits(bound), self.points_of_run(number, run)));
                }
                let below = level - 1;
                for child in below_run(run, levels[below]) {
                    let least = levels[below][child].least(&here.zone);
                    if least < limit {
                        waiting.push(Reverse(((least + 0.0).to_bits(), below, child)));
                    }
                }
            }
        })
    }

    /// The edges of a run, by their first points.
    fn edges_in(&self, run: Range<usize>) -> Range<usize> {
        run.start..run.end - 1
    }

    fn least_to(&self, at: usize, here: &Here) -> f64 {
        let (points, spots) = self.edge(at);
        here.least_to(self.edges, points, spots)
    }

    fn edge(&self, at: usize) -> ([Point; 2], [Spot; 2]) {
        ([self.points[at], self.points[at + 1]], [self.spots[at], self.spots[at + 1]])
    }

    /// Whether a point is in a polygon: on the way from there to the north pole, an odd number of edges are crossed, or
    /// an even one if the pole is inside.
    pub(super) fn is_inside(&self, number: u32, point: Point) -> bool {
        let levels = self.levels(number);
        let (mut is_odd, mut ring, mut waiting) = (false, None, vec![(levels.len(), 0)]);
        // In order, the runs on the point's meridian. A ring around the pole has some.
        while let Some((level, run)) = waiting.pop() {
            if let Some(below) = level.checked_sub(1) {
                let children = below_run(run, levels[below]).rev();
                let near = children.filter(|child| meridians(&levels[below][*child], point[0]).next().is_some());
                waiting.extend(near.map(|child| (below, child)));
                continue;
            }
            let strand = self.strand_of_run(number, run);
            let Strand { part, has_pole, .. } = self.strands[strand];
            if !matches!(part, Part::Shell | Part::Hole) {
                continue;
            }
            if ring.replace(strand) != Some(strand) {
                // Each polygon separately, because those of a collection may overlap.
                if part == Part::Shell && is_odd {
                    return true;
                }
                is_odd ^= has_pole;
            }
            is_odd ^= self.is_crossed(&self.points[self.points_of_run(number, run)], &levels[0][run], point);
        }
        is_odd
    }

    /// Whether an odd number of the edges of a run are north of a point.
    fn is_crossed(&self, points: &[Point], zone: &Zone, [longitude, latitude]: Point) -> bool {
        let crossed = meridians(zone, longitude).flat_map(|x| points.windows(2).map(move |edge| (x, edge))).filter(
            |(x, edge)| {
                (edge[0][0] > *x) != (edge[1][0] > *x) && is_north(self.edges, [edge[0], edge[1]], [*x, latitude])
            },
        );
        crossed.count() % 2 == 1
    }

    /// A point of each line and shell; where a hole is, its shell is around.
    pub(super) fn first_points(&self, number: u32) -> impl Iterator<Item = Point> {
        let strands = self.strands[self.strands_of(number)].iter().filter(|strand| strand.part != Part::Hole);
        strands.map(|strand| self.points[strand.point])
    }

    /// The zones of a geometry's runs, those of sixteen of these each, and so on, up to one.
    pub(super) fn levels(&self, number: u32) -> Vec<&[Zone]> {
        let strands = self.strands_of(number);
        let mut levels = vec![&self.zones[self.zones_of(strands.start).start..self.zones_of(strands.end - 1).end]];
        let mut wider = &self.wider[self.firsts[number as usize][1]..self.firsts[number as usize + 1][1]];
        while let Some(last) = levels.last().filter(|last| last.len() > 1) {
            let (next, rest) = wider.split_at(last.len().div_ceil(RUN));
            levels.push(next);
            wider = rest;
        }
        levels
    }

    /// The edges of a run of a geometry; one without a length of a point.
    pub(super) fn edges_of_run(&self, number: u32, run: usize) -> impl Iterator<Item = Edge> {
        let points = self.points_of_run(number, run);
        let last = points.end - 1;
        (points.start..last.max(points.start + 1)).map(move |at| {
            let ends = [at, last.min(at + 1)];
            Edge::new(self.edges, ends.map(|end| self.points[end]), ends.map(|end| self.spots[end]))
        })
    }

    /// The points of a run of a geometry.
    fn points_of_run(&self, number: u32, run: usize) -> Range<usize> {
        let strand = self.strand_of_run(number, run);
        let zone = self.strands[self.strands_of(number).start].zone + run;
        let (point, first) = (self.strands[strand].point, (zone - self.strands[strand].zone) * RUN);
        point + first..point + self.points_of(strand).len().min(first + RUN + 1)
    }

    fn strand_of_run(&self, number: u32, run: usize) -> usize {
        let strands = self.strands_of(number);
        let zone = self.strands[strands.start].zone + run;
        strands.start + self.strands[strands].partition_point(|strand| strand.zone <= zone) - 1
    }

    fn strands_of(&self, number: u32) -> Range<usize> {
        self.firsts[number as usize][0]..self.firsts[number as usize + 1][0]
    }

    fn points_of(&self, strand: usize) -> &[Point] {
        let end = self.strands.get(strand + 1).map_or(self.points.len(), |next| next.point);
        &self.points[self.strands[strand].point..end]
    }

    fn zones_of(&self, strand: usize) -> Range<usize> {
        let end = self.strands.get(strand + 1).map_or(self.zones.len(), |next| next.zone);
        self.strands[strand].zone..end
    }
}

/// The zones, of a level, of a run of the level above.
pub(super) fn below_run(run: usize, below: &[Zone]) -> Range<usize> {
    run * RUN..below.len().min((run + 1) * RUN)
}

/// A longitude as many turns away as it takes to be in a zone. Of one turn, the same for all zones: a sum of turns would be
/// rounded again and again.
fn meridians(zone: &Zone, longitude: f64) -> impl Iterator<Item = f64> {
    let (west, east) = (zone.bounds.min[0], zone.bounds.max[0]);
    let first = ((west - longitude) / TURN).floor() * TURN;
    let turns = successors(Some(first), |turn| Some(turn + TURN)).map(move |turn| longitude + turn);
    turns.skip_while(move |x| *x < west).take_while(move |x| *x <= east)
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::edge::tests::by_samples;
    use super::*;

    /// A ring around a point, some of whose corners are far in.
    pub(in super::super) fn star(random: &mut fastrand::Rng, [x, y]: Point, wide: f64, count: usize) -> Vec<Point> {
        let mut corner = |number: usize| {
            let angle = number as f64 / count as f64 * std::f64::consts::TAU;
            let far = wide * (0.3 + random.f64());
            [x + far * angle.cos(), (y + far * angle.sin()).clamp(-89.9, 89.9)]
        };
        let mut ring: Vec<_> = (0..count).map(&mut corner).collect();
        ring.push(ring[0]);
        ring
    }

    pub(in super::super) fn polygon(ring: &[Point]) -> Geometries {
        let mut all = Geometries::new();
        all.part(Part::Shell);
        ring.iter().for_each(|[x, y]| all.vertex(*x, *y));
        assert_eq!(all.finish(), Ok(true));
        all
    }

    /// In degrees.
    pub(in super::super) fn is_in([x, y]: Point, ring: &[Point]) -> bool {
        let crossed = ring.windows(2).filter(|edge| {
            let ([x0, y0], [x1, y1]) = (edge[0], edge[1]);
            (x0 > x) != (x1 > x) && y0 + (x - x0) / (x1 - x0) * (y1 - y0) > y
        });
        crossed.count() % 2 == 1
    }

    #[test]
    fn distances_are_those_to_the_nearest_edge_or_none_inside_wherever_longitudes_begin() {
        let mut random = fastrand::Rng::with_seed(23);
        let (mut inside, mut outside) = (0, 0);
        for round in 0..16 {
            let wide = [0.01, 1.0, 20.0][round % 3];
            let middle = [[179.9, 10.0], [-180.0, -50.0], [8.0, 60.0], [0.0, 0.0]][round / 3 % 4];
            let ring = star(&mut random, middle, wide, 9);
            let wrapped: Vec<_> = ring.iter().map(|[x, y]| [x - (x / 360.0).round() * 360.0, *y]).collect();
            for edges in [Edges::Straight, Edges::Geodesic] {
                let outlines = Outlines::new(&polygon(&wrapped), edges);
                let mut fine = Vec::new();
                for edge in ring.windows(2) {
                    let cuts: u32 = if edges == Edges::Geodesic { 300 } else { 1 };
                    fine.extend((0..cuts).map(|part| {
                        super::super::edge::tests::at(edges, [edge[0], edge[1]], f64::from(part) / f64::from(cuts))
                    }));
                }
                fine.push(fine[0]);
                for _ in 0..8 {
                    let point = [0, 1].map(|axis| middle[axis] + (random.f64() - 0.5) * 3.0 * wide);
                    let least = ring.windows(2).map(|edge| by_samples(edges, point, [edge[0], edge[1]]));
                    let least = least.fold(f64::INFINITY, f64::min);
                    // Nearer, cuts could be on the wrong side.
                    if least < 100.0 * wide {
                        continue;
                    }
                    let is_in = is_in(point, &fine);
                    *(if is_in { &mut inside } else { &mut outside }) += 1;
                    let turned = [point[0] - 360.0 * f64::from(random.i32(-1..2)), point[1]];
                    let found = outlines.distance(0, &Here::new(turned), f64::INFINITY);
                    let expected = if is_in { 0.0 } else { least };
                    assert!((found - expected).abs() < 2e-3, "{edges:?} {ring:?} {point:?}: {found}, but {expected}");
                    assert!(found <= expected + 1e-6);
                    let here = Here::new(point);
                    assert_eq!(outlines.distance(0, &here, expected / 2.0), expected / 2.0);
                    assert!(outlines.least(0, &here) <= outlines.distance(0, &here, f64::INFINITY));
                }
            }
        }
        assert!(inside > 20 && outside > 20, "{inside} {outside}");
    }

    #[test]
    fn a_ring_around_a_pole_has_the_pole_and_all_around_it() {
        let arctic = [[0.0, 70.0], [90.0, 60.0], [180.0, 70.0], [-90.0, 75.0], [0.0, 70.0]];
        for (sign, edges) in
            [(1.0, Edges::Straight), (-1.0, Edges::Straight), (1.0, Edges::Geodesic), (-1.0, Edges::Geodesic)]
        {
            let outlines = Outlines::new(&polygon(&arctic.map(|[x, y]| [sign * x, sign * y])), edges);
            let far = |x: f64, y: f64| outlines.distance(0, &Here::new([x, sign * y]), f64::INFINITY);
            assert_eq!([far(0.0, 90.0), far(133.0, 89.0), far(-1.0, 74.0), far(180.0, 80.0)], [0.0; 4]);
            assert!(far(0.0, 69.0) > 50_000.0 && far(45.0, 0.0) > 6e6 && far(0.0, -90.0) > 1.6e7);
        }
    }
}
