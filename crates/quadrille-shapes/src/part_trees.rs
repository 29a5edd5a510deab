//! Trees over the parts of large geometries: a nation of islands, a cloud of points.
//!
//! Parts come in any order. They are arranged by halves, along the longer side of the box around their middles, so that
//! neighbors in the row are neighbors in the plane; boxes around [runs](crate::runs) of the row are the tree. Geometries
//! of up to sixteen parts do without one.

use std::ops::Range;

use quadrille::Aabb;

use crate::fault::Fault;
use crate::runs::{self, FAN, Runs};

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
        let around = |parts: Range<usize>| Aabb::from_boxes(order[parts].iter().map(|part| &boxes[*part as usize]));
        runs::push_hulls(boxes.len(), &mut self.hulls, around);
        self.trees.push(Tree { geometry, first, hull, bounds: around(0..boxes.len()), ends });
        Ok(())
    }

    fn of(&self, geometry: u32) -> &Tree {
        &self.trees[self.trees.partition_point(|tree| tree.geometry < geometry)]
    }

    /// The parts of a geometry in their order, given how many there are, and the boxes around runs of them.
    pub(crate) fn row(&self, geometry: u32, count: usize) -> (&[u32], Runs<'_>) {
        let Tree { first, hull, bounds, .. } = self.of(geometry);
        (&self.order[*first..first + count], Runs::new(count, bounds, &self.hulls[*hull..]))
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
