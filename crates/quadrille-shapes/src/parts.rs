//! The parts of a geometry that pass a test: its points, lines and rings.
//!
//! A large geometry has a [tree](crate::part_trees) over them.

use quadrille::Aabb;

use crate::edge_chain::Chain;
use crate::geometries::{Geometries, Part};
use crate::runs::{Run, Runs};
use crate::segment_intersection::Point;

/// The parts of a geometry in sequence: points, lines and rings, by number within the geometry, points first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row<'a> {
    all: &'a Geometries,
    geometry: u32,
    /// None: as they come.
    order: Option<&'a [u32]>,
    pub(crate) runs: Runs<'a>,
}

impl Geometries {
    /// The parts of a geometry in sequence, given the box around it.
    pub(crate) fn row<'a>(&'a self, geometry: u32, bounds: &'a Aabb<f64>) -> Row<'a> {
        self.tree(geometry).unwrap_or_else(|| Row {
            all: self,
            geometry,
            order: None,
            runs: Runs::new(self.count_parts(geometry), bounds, &[]),
        })
    }

    /// The same of a geometry that has a tree.
    fn tree(&self, geometry: u32) -> Option<Row<'_>> {
        self.kinds(geometry).are_many.then(|| {
            let (order, runs) = self.trees().row(geometry, self.count_parts(geometry));
            Row { all: self, geometry, order: Some(order), runs }
        })
    }

    /// The numbers of those lines and rings whose boxes pass the test, in their order. A box that does not pass holds
    /// none that does.
    pub(crate) fn strands_where(
        &self,
        geometry: u32,
        is_good: impl Fn(&Aabb<f64>) -> bool,
    ) -> impl Iterator<Item = usize> {
        let (strands, points) = (self.strands_of(geometry), self.points(geometry).len());
        let (first, mut found) = (strands.start, Vec::new());
        let rest = match self.tree(geometry) {
            Some(row) => {
                row.search(row.runs.whole(), &is_good, &mut |part| found.extend(part.checked_sub(points)));
                found.sort_unstable();
                0..0
            }
            None => strands,
        };
        rest.filter(move |strand| is_good(self.strand_bounds(*strand)))
            .chain(found.into_iter().map(move |at| first + at))
    }

    /// The lines and rings whose boxes pass the test, and what each is, in their order.
    pub(crate) fn chains_where(
        &self,
        geometry: u32,
        is_good: impl Fn(&Aabb<f64>) -> bool,
    ) -> impl Iterator<Item = (Chain<'_>, Part)> {
        let end = self.end(geometry);
        self.strands_where(geometry, is_good).map(move |strand| self.chain(strand, end))
    }

    /// The points of a geometry in a box, in any order.
    pub(crate) fn points_in(&self, geometry: u32, bounds: Aabb<f64>) -> impl Iterator<Item = Point> {
        let (points, mut found) = (self.points(geometry), Vec::new());
        let rest = match self.tree(geometry) {
            Some(row) if !points.is_empty() => {
                let is_good = |one: &Aabb<f64>| bounds.intersects(one);
                row.search(row.runs.whole(), &is_good, &mut |part| found.extend(points.get(part)));
                &[]
            }
            _ => points,
        };
        rest.iter().copied().filter(move |point| bounds.contains_point(*point)).chain(found)
    }
}

/// The pairs of lines and rings of two geometries whose boxes overlap, by their places among some of each.
pub(crate) fn overlapping(
    (a, near): (&Geometries, &[usize]),
    (b, j, others): (&Geometries, u32, &[usize]),
) -> Vec<[usize; 2]> {
    let mut pairs = Vec::new();
    for (place, strand) in near.iter().enumerate() {
        let bounds = a.strand_bounds(*strand);
        let found = b.strands_where(j, |other| other.intersects(bounds));
        pairs.extend(found.filter_map(|other| Some([place, others.binary_search(&other).ok()?])));
    }
    pairs
}

impl Row<'_> {
    /// Visits the parts of a run whose boxes pass the test, by number.
    fn search(&self, run: Run, is_good: &impl Fn(&Aabb<f64>) -> bool, visit: &mut impl FnMut(usize)) {
        if !is_good(self.runs.hull(run)) {
            return;
        }
        if run.is_leaf() {
            let parts = self.parts(run);
            parts.filter(|part| is_good(&self.all.part_bounds(self.geometry, *part))).for_each(visit);
        } else {
            self.runs.children(run).for_each(|child| self.search(child, is_good, visit));
        }
    }

    /// The numbers of the parts of a run.
    fn parts(&self, run: Run) -> impl Iterator<Item = usize> {
        self.runs.within(run).map(|at| self.order.map_or(at, |order| order[at] as usize))
    }

    /// Visits the parts of a run; points are chains of one edge without length.
    pub(crate) fn visit(&self, run: Run, visit: &mut impl FnMut(&Chain<'_>)) {
        let (points, strands) = (self.all.points(self.geometry), self.all.strands_of(self.geometry));
        let end = self.all.end(self.geometry);
        for part in self.parts(run) {
            match points.get(part) {
                Some(point) => visit(&Chain::new(&[*point; 2], &Aabb::from_point(*point), &[])),
                None => visit(&self.all.chain(strands.start + part - points.len(), end).0),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn what_is_near_is_found_by_looking_at_few_of_many_parts() {
        let mut random = fastrand::Rng::with_seed(8);
        for count in [17, 257, 4_097, 50_000] {
            let side = (f64::from(count)).sqrt();
            let mut all = Geometries::new();
            for _ in 0..count {
                let [x, y] = [0, 1].map(|_| random.f64() * side);
                all.part(Part::Line);
                [[x, y], [x + 0.5, y + 0.5]].into_iter().for_each(|[x, y]| all.vertex(x, y));
            }
            assert_eq!(all.finish(), Ok(true));
            let looked_at = Cell::new(0);
            for _ in 0..100 {
                let point = [0, 1].map(|_| random.f64() * side);
                let is_near = |bounds: &Aabb<f64>| bounds.contains_point(point);
                let found = all.strands_where(0, |bounds| {
                    looked_at.set(looked_at.get() + 1);
                    is_near(bounds)
                });
                let expected = all.strands_of(0).filter(|strand| is_near(all.strand_bounds(*strand)));
                assert!(found.eq(expected));
            }
            assert!(looked_at.get() < 100 * 250, "{count}: {} boxes", looked_at.get());
        }
    }
}
