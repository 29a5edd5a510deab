//! The store of shapes: all points in one array, and where each line and ring begins in it.

use quadrille::Aabb;

use crate::edge_chain::{self, Chain, boundary};
use crate::fault::Fault;
use crate::part_trees::Trees;
use crate::runs::{self, FAN};
use crate::segment_intersection::{Point, side};

/// The parts of a geometry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// One point.
    Point,
    /// A line through points.
    Line,
    /// The outer ring of a polygon.
    Shell,
    /// A hole in the last polygon.
    Hole,
}

/// Many geometries, by number from 0.
///
/// A geometry is built part by part: [`part`](Self::part), then its [vertices](Self::vertex), and
/// [`finish`](Self::finish) at the end. Repeated positions are dropped; rings are turned so that the inside is on the
/// left. A point takes 32 bytes, an edge 18, each part of a geometry of more than sixteen six more.
#[derive(Clone, Debug, Default)]
pub struct Geometries {
    /// The vertices of each geometry: points first, then lines and rings.
    vertices: Vec<Point>,
    strands: Vec<Strand>,
    /// Boxes of runs of edges.
    hulls: Vec<Aabb<f64>>,
    shapes: Vec<Shape>,
    trees: Trees,
    pending: Pending,
}

/// A line or ring.
#[derive(Clone, Debug)]
struct Strand {
    /// It ends where the next one begins, or with the geometry.
    first: u32,
    part: Part,
    /// Its first box in `hulls`.
    hull: usize,
    bounds: Aabb<f64>,
}

/// A finished geometry: where it begins.
#[derive(Clone, Copy, Debug)]
struct Shape {
    first_vertex: u32,
    strand: u32,
    kinds: Kinds,
}

/// What is in a geometry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Kinds {
    pub(crate) points: bool,
    pub(crate) lines: bool,
    pub(crate) areas: bool,
    /// All points are lines of no length.
    are_specks: bool,
    /// Polygons that may overlap.
    is_loose: bool,
    /// A rectangle along the axes.
    pub(crate) is_box: bool,
    /// Enough parts for a tree of them.
    pub(crate) are_many: bool,
}

/// The geometry that is being built.
#[derive(Clone, Debug, Default)]
struct Pending {
    vertices: Vec<Point>,
    parts: Vec<(Part, usize)>,
    is_collection: bool,
}

impl Geometries {
    /// An empty set.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of geometries.
    #[must_use]
    pub fn len(&self) -> usize {
        self.shapes.len()
    }

    /// Whether there are no geometries.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.shapes.is_empty()
    }

    /// Removes all geometries and keeps the memory.
    pub fn clear(&mut self) {
        self.vertices.clear();
        self.strands.clear();
        self.hulls.clear();
        self.shapes.clear();
        self.trees.clear();
        self.pending.clear();
    }

    /// The number of points of all geometries together.
    #[must_use]
    pub fn count_vertices(&self) -> usize {
        self.vertices.len()
    }

    /// Whether a geometry equals its box: it is a point, or a rectangle parallel to the axes.
    ///
    /// # Panics
    /// Panics if there is no such number.
    #[must_use]
    pub fn is_box(&self, number: u32) -> bool {
        let kinds = self.kinds(number);
        kinds.is_box || self.only_point(number).is_some()
    }

    /// Begins a part of the next geometry.
    pub fn part(&mut self, part: Part) {
        self.pending.parts.push((part, self.pending.vertices.len()));
    }

    /// Makes the next geometry a collection, whose polygons may overlap.
    pub fn collection(&mut self) {
        self.pending.is_collection = true;
    }

    /// Adds a position to the last part. NaN, NaN is an empty point.
    pub fn vertex(&mut self, x: f64, y: f64) {
        // Zero has one sign.
        self.pending.vertices.push([x + 0.0, y + 0.0]);
    }

    /// Ends the geometry, and returns whether there was anything in it. Empty or rejected geometries get no number.
    ///
    /// # Errors
    /// Returns an error if a coordinate is not finite, a ring is not closed or too short, a line has only one position,
    /// or there is no memory left.
    pub fn finish(&mut self) -> Result<bool, Fault> {
        let mut pending = std::mem::take(&mut self.pending);
        let kinds = self.whole(|all| all.take(&pending));
        pending.clear();
        self.pending = pending;
        kinds
    }

    /// Adds one geometry built by `give`; rolls back if it is empty or invalid.
    pub(crate) fn whole(&mut self, give: impl FnOnce(&mut Self) -> Result<Kinds, Fault>) -> Result<bool, Fault> {
        let before = (self.vertices.len(), self.strands.len(), self.hulls.len());
        let shape = |kinds| Shape { first_vertex: before.0 as u32, strand: before.1 as u32, kinds };
        let given = give(self).and_then(|kinds| match kinds == Kinds::default() {
            true => Ok(false),
            false => self.close(shape(kinds)).map(|()| true),
        });
        if given != Ok(true) {
            self.vertices.truncate(before.0);
            self.strands.truncate(before.1);
            self.hulls.truncate(before.2);
        }
        given
    }

    /// Adds a geometry whose points and lines are the last ones, with a tree if those are many.
    fn close(&mut self, shape: Shape) -> Result<(), Fault> {
        let number = self.shapes.len() as u32;
        self.shapes.push(shape);
        let count = self.count_parts(number);
        self.shapes[number as usize].kinds.are_many = count > FAN;
        if count > FAN {
            return self.add_tree(number, count).inspect_err(|_| self.shapes.truncate(number as usize));
        }
        Ok(())
    }

    fn add_tree(&mut self, number: u32, count: usize) -> Result<(), Fault> {
        let mut boxes = Vec::new();
        boxes.try_reserve_exact(count).map_err(|_| Fault::Memory)?;
        boxes.extend((0..count).map(|part| self.part_bounds(number, part)));
        let lines = self.chains(number).filter(|(_, part)| *part == Part::Line);
        let ends = edge_chain::hull(&boundary(lines.map(|(line, _)| line)));
        self.trees.add(number, &boxes, ends)
    }

    /// Drops the parts and points of the unfinished geometry.
    pub fn discard(&mut self) {
        self.pending.clear();
    }

    /// Boxes as geometries.
    ///
    /// # Errors
    /// Returns an error if a coordinate is not finite, or memory runs out.
    pub fn from_boxes(boxes: &[Aabb<f64>]) -> Result<Self, Fault> {
        let mut all = Self::new();
        boxes.iter().try_for_each(|bounds| all.push_box(bounds).map(drop))?;
        Ok(all)
    }

    /// Adds a box as a geometry: a polygon, or a line or a point if the box has no area.
    ///
    /// # Errors
    /// Returns the same errors as [`finish`](Self::finish).
    pub fn push_box(&mut self, bounds: &Aabb<f64>) -> Result<bool, Fault> {
        let [[west, south], [east, north]] = [bounds.min, bounds.max];
        let ring = [[west, south], [east, south], [east, north], [west, north], [west, south]];
        let (part, vertices) = match (west == east, south == north) {
            (true, true) => (Part::Point, &ring[..1]),
            (false, false) => (Part::Shell, &ring[..]),
            // From corner to corner.
            _ => (Part::Line, &[bounds.min, bounds.max][..]),
        };
        self.part(part);
        vertices.iter().for_each(|[x, y]| self.vertex(*x, *y));
        self.finish()
    }

    /// Adds a point, and returns whether it was one: NaN is an empty point.
    pub(crate) fn push_point(&mut self, point: Point) -> Result<bool, Fault> {
        check(Part::Point, &[point])?;
        if point[0].is_nan() {
            return Ok(false);
        }
        self.reserve(1)?;
        // Zero has one sign.
        let point = point.map(|number| number + 0.0);
        self.whole(|all| {
            all.push_points(&[point]);
            Ok(Kinds { points: true, ..Kinds::default() })
        })
    }

    /// A geometry with its coordinates multiplied by powers of two.
    pub(crate) fn scaled(&self, number: u32, by: [f64; 2]) -> Result<Self, Fault> {
        let scaled =
            |vertices: &[Point]| -> Vec<Point> { vertices.iter().map(|[x, y]| [x * by[0], y * by[1]]).collect() };
        let mut one = Self::new();
        one.whole(|all| {
            all.push_points(&scaled(self.points(number)));
            self.chains(number).try_for_each(|(chain, part)| all.push_chain(part, &scaled(chain.points)))?;
            Ok(self.kinds(number))
        })?;
        Ok(one)
    }

    /// Takes the parts over: points first.
    fn take(&mut self, pending: &Pending) -> Result<Kinds, Fault> {
        self.reserve(pending.vertices.len())?;
        let (mut kinds, mut polygons, mut are_given) = (Kinds::default(), 0, false);
        let mut chains = Vec::new();
        for (part, vertices) in pending.parts() {
            check(part, vertices)?;
            // A line of no length is a point.
            if part == Part::Point || part == Part::Line && vertices.iter().all(|point| *point == vertices[0]) {
                let found = vertices.first().filter(|[x, y]| !(x.is_nan() && y.is_nan()));
                self.vertices.extend(found);
                kinds.points |= found.is_some();
                are_given |= part == Part::Point && found.is_some();
            } else if !vertices.is_empty() {
                polygons += usize::from(part == Part::Shell);
                kinds.lines |= part == Part::Line;
                kinds.areas |= part != Part::Line;
                chains.push((part, vertices));
            }
        }
        for (part, vertices) in chains {
            self.push_chain(part, vertices)?;
        }
        kinds.are_specks = kinds.points && !are_given;
        kinds.is_box = polygons == 1 && is_rectangle(pending);
        kinds.is_loose = pending.is_collection && polygons > 1;
        Ok(kinds)
    }

    /// Makes room for another geometry with this many points.
    pub(crate) fn reserve(&mut self, count: usize) -> Result<(), Fault> {
        if self.vertices.len() + count >= u32::MAX as usize || self.shapes.len() >= u32::MAX as usize {
            return Err(Fault::TooMany);
        }
        self.vertices.try_reserve(count).map_err(|_| Fault::Memory)?;
        self.shapes.try_reserve(1).map_err(|_| Fault::Memory)
    }

    /// The points of a geometry, before its lines and rings.
    pub(crate) fn push_points(&mut self, points: &[Point]) {
        self.vertices.extend_from_slice(points);
    }

    pub(crate) fn push_chain(&mut self, part: Part, vertices: &[Point]) -> Result<(), Fault> {
        let first = self.vertices.len();
        self.vertices.extend_from_slice(vertices);
        // `Vec::dedup` would begin at the front.
        let mut last = first;
        for number in first + 1..self.vertices.len() {
            if self.vertices[number] != self.vertices[last] {
                last += 1;
                self.vertices[last] = self.vertices[number];
            }
        }
        self.vertices.truncate(last + 1);
        // A ring without extent keeps one edge.
        if last == first {
            self.vertices.push(self.vertices[first]);
        }
        let own = &mut self.vertices[first..];
        if part != Part::Line && is_inside_on_right(own) == (part == Part::Shell) {
            own.reverse();
        }
        let count = runs::count_of_hulls(own.len() - 1);
        self.hulls.try_reserve(count).map_err(|_| Fault::Memory)?;
        self.strands.try_reserve(1).map_err(|_| Fault::Memory)?;
        let (hull, bounds) = (self.hulls.len(), edge_chain::hull(own));
        edge_chain::push_hulls(own, &mut self.hulls);
        self.strands.push(Strand { first: first as u32, part, hull, bounds });
        Ok(())
    }

    /// The box around a geometry.
    ///
    /// # Panics
    /// Panics if there is no such number.
    #[must_use]
    pub fn bounds(&self, number: u32) -> Aabb<f64> {
        if self.kinds(number).are_many {
            return *self.trees.bounds(number);
        }
        let points = if self.kinds(number).points { edge_chain::hull(self.points(number)) } else { Aabb::EMPTY };
        self.strands_of(number).fold(points, |all, strand| all.union(self.strand_bounds(strand)))
    }

    /// The parts of a geometry with their points: single points come first; a polygon's holes follow its shell.
    ///
    /// # Panics
    /// Panics if there is no such number.
    pub fn parts(&self, number: u32) -> impl Iterator<Item = (Part, &[[f64; 2]])> {
        let points = self.points(number).iter().map(|point| (Part::Point, std::slice::from_ref(point)));
        points.chain(self.chains(number).map(|(chain, part)| (part, chain.points)))
    }

    /// The points of a geometry.
    pub(crate) fn points(&self, number: u32) -> &[Point] {
        let shape = self.shapes[number as usize];
        let strands = self.strands_of(number);
        let end = if strands.is_empty() { self.end(number) } else { self.strands[strands.start].first as usize };
        &self.vertices[shape.first_vertex as usize..end]
    }

    /// The point of a geometry that is a single point.
    pub(crate) fn only_point(&self, number: u32) -> Option<Point> {
        let shape = self.shapes[number as usize];
        (shape.kinds.is_points() && self.end(number) == shape.first_vertex as usize + 1)
            .then(|| self.vertices[shape.first_vertex as usize])
    }

    /// The lines and rings of a geometry, and what each is; a polygon's holes follow its shell.
    pub(crate) fn chains(&self, number: u32) -> impl Iterator<Item = (Chain<'_>, Part)> {
        let end = self.end(number);
        self.strands_of(number).map(move |strand| self.chain(strand, end))
    }

    /// A line or ring of a geometry, whose vertices end at `end`.
    pub(crate) fn chain(&self, strand: usize, end: usize) -> (Chain<'_>, Part) {
        let Strand { first, part, hull, ref bounds } = self.strands[strand];
        let end = self.strands.get(strand + 1).map_or(end, |next| end.min(next.first as usize));
        (Chain::new(&self.vertices[first as usize..end], bounds, &self.hulls[hull..]), part)
    }

    /// The box around a line or ring.
    pub(crate) fn strand_bounds(&self, strand: usize) -> &Aabb<f64> {
        &self.strands[strand].bounds
    }

    /// The box around a part of a geometry: points come first.
    pub(crate) fn part_bounds(&self, number: u32, part: usize) -> Aabb<f64> {
        let points = self.points(number);
        let strand = |part| *self.strand_bounds(self.strands_of(number).start + part - points.len());
        points.get(part).map_or_else(|| strand(part), |point| Aabb::from_point(*point))
    }

    pub(crate) fn count_parts(&self, number: u32) -> usize {
        self.points(number).len() + self.strands_of(number).len()
    }

    /// The edges of all lines and rings of a geometry.
    pub(crate) fn count_edges(&self, number: u32) -> usize {
        let first = self.shapes[number as usize].first_vertex as usize;
        self.end(number) - first - self.count_parts(number)
    }

    pub(crate) fn trees(&self) -> &Trees {
        &self.trees
    }

    pub(crate) fn kinds(&self, number: u32) -> Kinds {
        self.shapes[number as usize].kinds
    }

    /// 0 for points, 1 for lines, 2 for polygons.
    pub(crate) fn dimension(&self, number: u32) -> Result<u8, Fault> {
        self.kinds(number).dimension().ok_or(Fault::Mixed(number))
    }

    pub(crate) fn strands_of(&self, number: u32) -> std::ops::Range<usize> {
        let next = self.shapes.get(number as usize + 1).map_or(self.strands.len(), |next| next.strand as usize);
        self.shapes[number as usize].strand as usize..next
    }

    /// One past the last point of a geometry.
    pub(crate) fn end(&self, number: u32) -> usize {
        self.shapes.get(number as usize + 1).map_or(self.vertices.len(), |next| next.first_vertex as usize)
    }
}

impl Kinds {
    /// As bits.
    pub(crate) fn to_bits(self) -> u8 {
        let Self { points, lines, areas, is_loose, is_box, are_specks, are_many: _ } = self;
        let all = [points, lines, areas, is_loose, is_box, are_specks];
        all.into_iter().rev().fold(0, |bits, is| bits << 1 | u8::from(is))
    }

    pub(crate) fn from_bits(bits: u8) -> Self {
        let [points, lines, areas, is_loose, is_box, are_specks] = [0, 1, 2, 3, 4, 5].map(|bit| bits >> bit & 1 != 0);
        Self { points, lines, areas, is_loose, is_box, are_specks, are_many: false }
    }

    /// 0 for points, 1 for lines, 2 for polygons; `None` for mixed collections and for polygons that may overlap.
    fn dimension(self) -> Option<u8> {
        let points = self.points && !(self.are_specks && self.lines);
        match (Self { points, ..self }) {
            Self { is_loose: true, .. } => None,
            Self { points: true, lines: false, areas: false, .. } => Some(0),
            Self { points: false, lines: true, areas: false, .. } => Some(1),
            Self { points: false, lines: false, areas: true, .. } => Some(2),
            _ => None,
        }
    }

    pub(crate) fn is_points(self) -> bool {
        self.dimension() == Some(0)
    }

    /// One polygon, or several that do not overlap, but not a rectangle, which its box describes completely.
    pub(crate) fn is_proper_polygon(self) -> bool {
        self.dimension() == Some(2) && !self.is_box
    }

    pub(crate) fn has_edges(self) -> bool {
        self.lines || self.areas
    }
}

impl Pending {
    fn clear(&mut self) {
        self.vertices.clear();
        self.parts.clear();
        self.is_collection = false;
    }

    fn parts(&self) -> impl Iterator<Item = (Part, &[Point])> {
        let ends = self.parts.iter().skip(1).map(|(_, first)| *first).chain([self.vertices.len()]);
        self.parts.iter().zip(ends).map(|((part, first), end)| (*part, &self.vertices[*first..end]))
    }
}

/// Whether the only part is a rectangle along the axes.
fn is_rectangle(pending: &Pending) -> bool {
    let mut parts = pending.parts();
    let (Some((_, &[a, b, c, d, _])), None) = (parts.next(), parts.next()) else { return false };
    let has_sides = |axis: usize| a[axis] == b[axis] && c[axis] == d[axis] && a[axis] != c[axis];
    let other = |axis: usize| b[axis] == c[axis] && d[axis] == a[axis] && a[axis] != b[axis];
    has_sides(0) && other(1) || has_sides(1) && other(0)
}

/// Checks a part. An empty one is valid, and so is a point of NaN, which is empty.
fn check(part: Part, vertices: &[Point]) -> Result<(), Fault> {
    if part == Part::Point && vertices.iter().flatten().all(|number| number.is_nan()) {
        return Ok(());
    }
    if let Some(number) = vertices.iter().flatten().find(|number| !number.is_finite()) {
        return Err(Fault::NotFinite(*number));
    }
    match (part, vertices) {
        (Part::Line, [only]) => Err(Fault::ShortLine(*only)),
        (_, []) | (Part::Point | Part::Line, _) => Ok(()),
        (_, [first, .., last]) if first != last => Err(Fault::Open(*first, *last)),
        (_, short) if short.len() < 4 => Err(Fault::ShortRing(short.len())),
        _ => Ok(()),
    }
}

/// Whether a ring turns clockwise. At its lowest point (of several, the leftmost) it turns as the whole does.
fn is_inside_on_right(ring: &[Point]) -> bool {
    // The last repeats the first.
    let ring = &ring[1..];
    let lowest =
        (0..ring.len()).min_by(|a, b| ring[*a][1].total_cmp(&ring[*b][1]).then(ring[*a][0].total_cmp(&ring[*b][0])));
    let Some(lowest) = lowest else { return false };
    let (before, after) = (ring[(lowest + ring.len() - 1) % ring.len()], ring[(lowest + 1) % ring.len()]);
    side(before, ring[lowest], after) < 0.0
}
