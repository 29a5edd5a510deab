//! Trees over the parts of large geometries: a nation of islands, a cloud of points.
//!
//! Parts come in any order. They are arranged by halves, along the longer side of the box around their middles, so that
//! neighbors in the row are neighbors in the plane; boxes around [runs](crate::runs) of the row are the tree. Geometries
//! of up to sixteen parts do without one.

use std::ops::Range;

use quadrille::Aabb;

use crate::chain::Chain;
use crate::fault::Fault;
use crate::geometries::{Geometries, Part};
use crate::runs::{self, FAN, Run, Runs};
use crate::segment::Point;

/// The trees of all geometries that have one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trees {
    /// By number of the geometry.
    trees: Vec<Tree>,
    order: Vec<u32>,
    hulls: Vec<Aabb<f64>>,
}

#[derive(Clone, Copy, Debug)]
struct Tree {
    geometry: u32,
    /// Its first part in `order`, and its first box in `hulls`.
    first: usize,
    hull: usize,
    bounds: Aabb<f64>,
    ends: Aabb<f64>,
}

/// The parts of a geometry in a row: points, lines and rings, by number within the geometry, points first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row<'a> {
    all: &'a Geometries,
    geometry: u32,
    /// None: as they come.
    order: Option<&'a [u32]>,
    pub(crate) runs: Runs<'a>,
}

impl Trees {
    pub(crate) fn clear(&mut self) {
        self.trees.clear();
        self.order.clear();
        self.hulls.clear();
    }

    /// Makes the tree of a geometry, given the boxes of its parts, and the box around the ends of its lines.
    pub(crate) fn add(&mut self, geometry: u32, boxes: &[Aabb<f64>], ends: Aabb<f64>) -> Result<(), Fault> {
        let (first, hull) = (self.order.len(), self.hulls.len());
        let room = (self.trees.try_reserve(1))
            .and_then(|()| self.order.try_reserve(boxes.len()))
            .and_then(|()| self.hulls.try_reserve(runs::count_of_hulls(boxes.len())));
        room.map_err(|_| Fault::Memory)?;
        self.order.extend((0..).take(boxes.len()));
        let order = &mut self.order[first..];
        arrange(order, boxes);
        let around = |parts: Range<usize>| around(order[parts].iter().map(|part| &boxes[*part as usize]));
        runs::push_hulls(boxes.len(), &mut self.hulls, around);
        self.trees.push(Tree { geometry, first, hull, bounds: around(0..boxes.len()), ends });
        Ok(())
    }

    fn of(&self, geometry: u32) -> &Tree {
        &self.trees[self.trees.partition_point(|tree| tree.geometry < geometry)]
    }

    /// The box around a geometry.
    pub(crate) fn bounds(&self, geometry: u32) -> &Aabb<f64> {
        &self.of(geometry).bounds
    }

    /// The box around all points where an odd number of its lines end.
    pub(crate) fn ends(&self, geometry: u32) -> &Aabb<f64> {
        &self.of(geometry).ends
    }
}

fn around<'a>(boxes: impl Iterator<Item = &'a Aabb<f64>>) -> Aabb<f64> {
    boxes.fold(Aabb::EMPTY, |all, one| all.union(one))
}

/// Arranges parts so that those of each run are near each other.
fn arrange(parts: &mut [u32], boxes: &[Aabb<f64>]) {
    if parts.len() <= FAN {
        return;
    }
    let middle = |part: u32| boxes[part as usize].center();
    let [width, height] = Aabb::from_points(parts.iter().map(|part| middle(*part))).size();
    let axis = usize::from(height > width);
    // Runs are not cut in two.
    let half = (parts.len() / 2).next_multiple_of(runs::width_below_top(parts.len()));
    parts.select_nth_unstable_by(half, |a, b| middle(*a)[axis].total_cmp(&middle(*b)[axis]));
    let (one, other) = parts.split_at_mut(half);
    arrange(one, boxes);
    arrange(other, boxes);
}

impl Geometries {
    /// The parts of a geometry in a row, given the box around it.
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
        let Trees { order, hulls, .. } = self.trees();
        self.kinds(geometry).are_many().then(|| {
            let (tree, count) = (self.trees().of(geometry), self.count_parts(geometry));
            let order = Some(&order[tree.first..tree.first + count]);
            Row { all: self, geometry, order, runs: Runs::new(count, &tree.bounds, &hulls[tree.hull..]) }
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
