//! The store of shapes: all points in one array, and where each line and ring begins in it.

use quadrille::Aabb;

use crate::chain::{self, Chain};
use crate::fault::Fault;
use crate::segment::{Place, side};

/// What a geometry is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// One place.
    Point,
    /// A line through places.
    Line,
    /// The outer ring of a polygon.
    Shell,
    /// A hole in the last polygon.
    Hole,
}

/// Many geometries, by number from 0.
///
/// A geometry is built part by part: [`part`](Self::part), then its [positions](Self::place), and
/// [`finish`](Self::finish) at the end. Repeated positions are dropped; rings are turned so that the inside is on the
/// left. A point takes 25 bytes, an edge 18.
#[derive(Clone, Debug, Default)]
pub struct Geometries {
    /// Of each geometry, points first, then lines and rings.
    places: Vec<Place>,
    strands: Vec<Strand>,
    /// Boxes of runs of edges.
    hulls: Vec<Aabb<f64>>,
    shapes: Vec<Shape>,
    pending: Pending,
}

/// A line or ring.
#[derive(Clone, Debug)]
struct Strand {
    /// Its last place is the one before those of the next, or the last of the geometry.
    first: u32,
    part: Part,
    /// Its first box in `hulls`.
    hull: usize,
    bounds: Aabb<f64>,
}

/// A finished geometry: where it begins.
#[derive(Clone, Copy, Debug)]
struct Shape {
    place: u32,
    strand: u32,
    kinds: Kinds,
}

/// What is in a geometry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Kinds {
    points: bool,
    lines: bool,
    areas: bool,
    /// Polygons that may overlap.
    is_loose: bool,
    /// A rectangle along the axes.
    is_box: bool,
}

/// The geometry that is being given.
#[derive(Clone, Debug, Default)]
struct Pending {
    places: Vec<Place>,
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
        self.places.clear();
        self.strands.clear();
        self.hulls.clear();
        self.shapes.clear();
        self.pending.clear();
    }

    /// The number of points of all geometries together.
    #[must_use]
    pub fn count_places(&self) -> usize {
        self.places.len()
    }

    /// Whether a geometry equals its box: it is a point, or a rectangle parallel to the axes.
    ///
    /// # Panics
    /// If there is no such number.
    #[must_use]
    pub fn is_box(&self, number: u32) -> bool {
        let kinds = self.kinds(number);
        kinds.is_box || self.only_place(number).is_some()
    }

    /// Begins a part of the next geometry.
    pub fn part(&mut self, part: Part) {
        self.pending.parts.push((part, self.pending.places.len()));
    }

    /// Makes the next geometry a collection, whose polygons may overlap.
    pub fn collection(&mut self) {
        self.pending.is_collection = true;
    }

    /// Adds a position to the last part. NaN, NaN is an empty point.
    pub fn place(&mut self, x: f64, y: f64) {
        // Zero has one sign.
        self.pending.places.push([x + 0.0, y + 0.0]);
    }

    /// Ends the geometry, and returns whether there was anything in it. Empty or rejected geometries get no number.
    ///
    /// # Errors
    /// If a coordinate is not finite, a ring is not closed or too short, a line has only one position, or there is no
    /// memory left.
    pub fn finish(&mut self) -> Result<bool, Fault> {
        let mut pending = std::mem::take(&mut self.pending);
        let kinds = self.whole(|all| all.take(&pending));
        pending.clear();
        self.pending = pending;
        kinds
    }

    /// Adds a geometry that `give` pushes the places and lines of, and says what they are: nothing of it stays if there
    /// is nothing in it, or it is refused.
    pub(crate) fn whole(&mut self, give: impl FnOnce(&mut Self) -> Result<Kinds, Fault>) -> Result<bool, Fault> {
        let before = (self.places.len(), self.strands.len(), self.hulls.len());
        match give(self) {
            Ok(kinds) if kinds != Kinds::default() => {
                self.shapes.push(Shape { place: before.0 as u32, strand: before.1 as u32, kinds });
                Ok(true)
            }
            other => {
                self.places.truncate(before.0);
                self.strands.truncate(before.1);
                self.hulls.truncate(before.2);
                other.map(|_| false)
            }
        }
    }

    /// Drops the parts and points of the unfinished geometry.
    pub fn discard(&mut self) {
        self.pending.clear();
    }

    /// Boxes as geometries.
    ///
    /// # Errors
    /// If a coordinate is not finite, or memory runs out.
    pub fn from_boxes(boxes: &[Aabb<f64>]) -> Result<Self, Fault> {
        let mut all = Self::new();
        boxes.iter().try_for_each(|bounds| all.push_box(bounds).map(drop))?;
        Ok(all)
    }

    /// Adds a box as a geometry: a polygon, or a line or a point if the box has no area.
    ///
    /// # Errors
    /// As [`finish`](Self::finish).
    pub fn push_box(&mut self, bounds: &Aabb<f64>) -> Result<bool, Fault> {
        let [[west, south], [east, north]] = [bounds.min, bounds.max];
        let ring = [[west, south], [east, south], [east, north], [west, north], [west, south]];
        let (part, places) = match (west == east, south == north) {
            (true, true) => (Part::Point, &ring[..1]),
            (false, false) => (Part::Shell, &ring[..]),
            // From corner to corner.
            _ => (Part::Line, &[bounds.min, bounds.max][..]),
        };
        self.part(part);
        places.iter().for_each(|[x, y]| self.place(*x, *y));
        self.finish()
    }

    /// Adds a point: whether it was one. NaN is an empty one.
    pub(crate) fn push_point(&mut self, place: Place) -> Result<bool, Fault> {
        check(Part::Point, &[place])?;
        if place[0].is_nan() {
            return Ok(false);
        }
        self.reserve(1)?;
        // Zero has one sign.
        let place = place.map(|number| number + 0.0);
        self.whole(|all| {
            all.push_points(&[place]);
            Ok(Kinds { points: true, ..Kinds::default() })
        })
    }

    /// A geometry with its coordinates multiplied by powers of two.
    pub(crate) fn scaled(&self, number: u32, by: [f64; 2]) -> Result<Self, Fault> {
        let scaled = |places: &[Place]| -> Vec<Place> { places.iter().map(|[x, y]| [x * by[0], y * by[1]]).collect() };
        let mut one = Self::new();
        one.places = scaled(self.points(number));
        for (chain, part) in self.chains(number) {
            one.push_chain(part, &scaled(chain.places))?;
        }
        one.shapes.push(Shape { place: 0, strand: 0, kinds: self.kinds(number) });
        Ok(one)
    }

    /// Takes the parts over: points first.
    fn take(&mut self, pending: &Pending) -> Result<Kinds, Fault> {
        self.reserve(pending.places.len())?;
        let (mut kinds, mut polygons) = (Kinds::default(), 0);
        let mut chains = Vec::new();
        for (part, places) in pending.parts() {
            check(part, places)?;
            // A line of no length is a point.
            if part == Part::Point || part == Part::Line && places.iter().all(|place| *place == places[0]) {
                let found = places.first().filter(|[x, y]| !(x.is_nan() && y.is_nan()));
                self.places.extend(found);
                kinds.points |= found.is_some();
            } else if !places.is_empty() {
                polygons += usize::from(part == Part::Shell);
                kinds.lines |= part == Part::Line;
                kinds.areas |= part != Part::Line;
                chains.push((part, places));
            }
        }
        for (part, places) in chains {
            self.push_chain(part, places)?;
        }
        kinds.is_box = polygons == 1 && is_rectangle(pending);
        kinds.is_loose = pending.is_collection && polygons > 1;
        Ok(kinds)
    }

    /// Makes room for another geometry with this many places.
    pub(crate) fn reserve(&mut self, count: usize) -> Result<(), Fault> {
        if self.places.len() + count >= u32::MAX as usize || self.shapes.len() >= u32::MAX as usize {
            return Err(Fault::TooMany);
        }
        self.places.try_reserve(count).map_err(|_| Fault::Memory)?;
        self.shapes.try_reserve(1).map_err(|_| Fault::Memory)
    }

    /// The points of a geometry, before its lines and rings.
    pub(crate) fn push_points(&mut self, points: &[Place]) {
        self.places.extend_from_slice(points);
    }

    pub(crate) fn push_chain(&mut self, part: Part, places: &[Place]) -> Result<(), Fault> {
        let first = self.places.len();
        self.places.extend_from_slice(places);
        // The vector's own `dedup` would begin at its front.
        let mut last = first;
        for number in first + 1..self.places.len() {
            if self.places[number] != self.places[last] {
                last += 1;
                self.places[last] = self.places[number];
            }
        }
        self.places.truncate(last + 1);
        // A ring without an extent keeps an edge.
        if last == first {
            self.places.push(self.places[first]);
        }
        let own = &mut self.places[first..];
        if part != Part::Line && is_inside_on_right(own) == (part == Part::Shell) {
            own.reverse();
        }
        let count = chain::count_of_hulls(own.len() - 1);
        self.hulls.try_reserve(count).map_err(|_| Fault::Memory)?;
        self.strands.try_reserve(1).map_err(|_| Fault::Memory)?;
        let (hull, bounds) = (self.hulls.len(), chain::hull(own));
        chain::push_hulls(own, &mut self.hulls);
        self.strands.push(Strand { first: first as u32, part, hull, bounds });
        Ok(())
    }

    /// The box around a geometry.
    ///
    /// # Panics
    /// If there is no such number.
    #[must_use]
    pub fn bounds(&self, number: u32) -> Aabb<f64> {
        let points = chain::hull(self.points(number));
        self.chains(number).fold(points, |all, (chain, _)| all.union(chain.bounds))
    }

    /// The parts of a geometry with their points: single points come first; a polygon's holes follow its shell.
    ///
    /// # Panics
    /// If there is no such number.
    pub fn parts(&self, number: u32) -> impl Iterator<Item = (Part, &[[f64; 2]])> {
        let points = self.points(number).iter().map(|point| (Part::Point, std::slice::from_ref(point)));
        points.chain(self.chains(number).map(|(chain, part)| (part, chain.places)))
    }

    /// The points of a geometry.
    pub(crate) fn points(&self, number: u32) -> &[Place] {
        let shape = self.shapes[number as usize];
        let strands = self.strands_of(number);
        let end = if strands.is_empty() { self.end(number) } else { self.strands[strands.start].first as usize };
        &self.places[shape.place as usize..end]
    }

    /// The place of a geometry that is a single point.
    pub(crate) fn only_place(&self, number: u32) -> Option<Place> {
        let shape = self.shapes[number as usize];
        (shape.kinds.is_points() && self.end(number) == shape.place as usize + 1)
            .then(|| self.places[shape.place as usize])
    }

    /// The lines and rings of a geometry, and what each is; a polygon's holes follow its shell.
    pub(crate) fn chains(&self, number: u32) -> impl Iterator<Item = (Chain<'_>, Part)> {
        self.chains_where(number, |_| true)
    }

    /// Those of them whose boxes are good.
    pub(crate) fn chains_where(
        &self,
        number: u32,
        is_good: impl Fn(&Aabb<f64>) -> bool,
    ) -> impl Iterator<Item = (Chain<'_>, Part)> {
        let (strands, end) = (self.strands_of(number), self.end(number));
        let good = strands.clone().filter(move |one| is_good(&self.strands[*one].bounds));
        good.map(move |one| {
            let strand = &self.strands[one];
            let end = if one + 1 == strands.end { end } else { self.strands[one + 1].first as usize };
            let places = &self.places[strand.first as usize..end];
            let hulls = &self.hulls[strand.hull..];
            (Chain::new(places, &strand.bounds, hulls), strand.part)
        })
    }

    pub(crate) fn kinds(&self, number: u32) -> Kinds {
        self.shapes[number as usize].kinds
    }

    /// 0 for points, 1 for lines, 2 for polygons.
    pub(crate) fn dimension(&self, number: u32) -> Result<u8, Fault> {
        self.kinds(number).dimension().ok_or(Fault::Mixed(number))
    }

    fn strands_of(&self, number: u32) -> std::ops::Range<usize> {
        let next = self.shapes.get(number as usize + 1).map_or(self.strands.len(), |next| next.strand as usize);
        self.shapes[number as usize].strand as usize..next
    }

    /// The place behind the last of a geometry.
    fn end(&self, number: u32) -> usize {
        self.shapes.get(number as usize + 1).map_or(self.places.len(), |next| next.place as usize)
    }
}

impl Kinds {
    /// As bits.
    pub(crate) fn to_bits(self) -> u8 {
        let Self { points, lines, areas, is_loose, is_box } = self;
        [points, lines, areas, is_loose, is_box].into_iter().rev().fold(0, |bits, is| bits << 1 | u8::from(is))
    }

    pub(crate) fn from_bits(bits: u8) -> Self {
        let [points, lines, areas, is_loose, is_box] = [0, 1, 2, 3, 4].map(|bit| bits >> bit & 1 != 0);
        Self { points, lines, areas, is_loose, is_box }
    }

    /// 0 for points, 1 for lines, 2 for polygons; none for what is of several kinds, or of polygons that may overlap.
    fn dimension(self) -> Option<u8> {
        match self {
            Self { is_loose: true, .. } => None,
            Self { points: true, lines: false, areas: false, .. } => Some(0),
            Self { points: false, lines: true, areas: false, .. } => Some(1),
            Self { points: false, lines: false, areas: true, .. } => Some(2),
            _ => None,
        }
    }

    pub(crate) fn is_box(self) -> bool {
        self.is_box
    }

    pub(crate) fn is_points(self) -> bool {
        self.dimension() == Some(0)
    }

    /// A polygon or several that do not overlap, and no rectangle, of which its box tells all.
    pub(crate) fn is_proper_polygon(self) -> bool {
        self.dimension() == Some(2) && !self.is_box
    }

    pub(crate) fn has_lines(self) -> bool {
        self.lines
    }

    pub(crate) fn has_edges(self) -> bool {
        self.lines || self.areas
    }

    pub(crate) fn has_areas(self) -> bool {
        self.areas
    }
}

impl Pending {
    fn clear(&mut self) {
        self.places.clear();
        self.parts.clear();
        self.is_collection = false;
    }

    fn parts(&self) -> impl Iterator<Item = (Part, &[Place])> {
        let ends = self.parts.iter().skip(1).map(|(_, first)| *first).chain([self.places.len()]);
        self.parts.iter().zip(ends).map(|((part, first), end)| (*part, &self.places[*first..end]))
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

/// What may be wrong with a part. An empty one is good, and so is a point that is NaN: it is empty.
fn check(part: Part, places: &[Place]) -> Result<(), Fault> {
    if part == Part::Point && places.iter().flatten().all(|number| number.is_nan()) {
        return Ok(());
    }
    if let Some(number) = places.iter().flatten().find(|number| !number.is_finite()) {
        return Err(Fault::NotFinite(*number));
    }
    match (part, places) {
        (Part::Line, [only]) => Err(Fault::ShortLine(*only)),
        (_, []) | (Part::Point | Part::Line, _) => Ok(()),
        (_, [first, .., last]) if first != last => Err(Fault::Open(*first, *last)),
        (_, short) if short.len() < 4 => Err(Fault::ShortRing(short.len())),
        _ => Ok(()),
    }
}

/// Whether a ring turns clockwise: at its lowest place, of several the one most to the left, it turns as the whole
/// does.
fn is_inside_on_right(ring: &[Place]) -> bool {
    // The last repeats the first.
    let ring = &ring[1..];
    let lowest =
        (0..ring.len()).min_by(|a, b| ring[*a][1].total_cmp(&ring[*b][1]).then(ring[*a][0].total_cmp(&ring[*b][0])));
    let Some(lowest) = lowest else { return false };
    let (before, after) = (ring[(lowest + ring.len() - 1) % ring.len()], ring[(lowest + 1) % ring.len()]);
    side(before, ring[lowest], after) < 0.0
}
