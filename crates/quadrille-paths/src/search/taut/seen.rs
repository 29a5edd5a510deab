//! What searches have seen from the corners of walls, kept for later searches: the corners to which a string may
//! continue from each.
//!
//! It is kept in the caller's memory, not with the map: a search needs no lock, and a map without queries for taut
//! paths stays small. What is seen from a corner is stored once a search has seen all of it, at the latest when it is
//! needed again, as wide as it was needed, with the cells that were examined. An edit in them invalidates it, which is
//! checked on the next use. Corners around which a string comes to no other one, or only to such dead ends, are noted
//! until the next edit, with the cells seen there: searches whose goal is elsewhere pass them over.

use core::hash::{BuildHasherDefault, Hasher};
use core::ops::Range;
use std::collections::HashMap;

use super::sweep::{Cone, Sides, Slope, Swept};
use super::{Bend, Point};
use crate::grid::{Cell, CellRect, Edits, Stamp};

/// The most visible corners stored, 16 bytes each; a corner with views of its own counts as `PLACE` of them. If there
/// are more, all are dropped.
#[derive(Clone, Copy, Debug)]
pub(super) struct MaxSeen(pub(super) usize);

impl Default for MaxSeen {
    fn default() -> Self {
        Self(1 << 21)
    }
}

const PLACE: usize = 16;

/// The initial capacity for corners, so that they need not be moved repeatedly: one per `CELLS_A_PLACE` cells, but no
/// more than `MAX_AT_FIRST`.
const CELLS_A_PLACE: usize = 64;
const MAX_AT_FIRST: usize = 1 << 13;

/// A corner that is seen from another one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    pub(super) number: u32,
    pub(super) point: Point,
    pub(super) sides: Sides,
    /// The last state of the map in which it was a dead end: a string from there that bent around it came to no other
    /// corner, or only to dead ends.
    dead_end: u16,
}

/// A corner, and the numbers of its views above and below. On either side, a string may continue in only one quadrant;
/// where it passes between two walls, around either of them, and the last view replaces the other. Most corners that are
/// seen have no views: they stay small.
#[derive(Clone, Debug)]
struct Place {
    point: Point,
    views: [u32; 2],
    /// The cells around all that strings have seen from here and from the dead ends beyond, in this state of the map.
    beyond: CellRect,
    state: u16,
}

/// The number of no view.
const NONE: u32 = u32::MAX;

/// What is known of what is seen in a quadrant.
#[derive(Clone, Debug)]
struct View {
    state: State,
    /// What is stored of it.
    first: u32,
    count: u32,
    /// It was valid after this many edits, and these cells were examined, in the cone of this bend.
    version: u64,
    cells: CellRect,
    bend: Bend,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// It has not been needed yet. The first search looks only as far as it needs: often that is a small part of what
    /// can be seen.
    New,
    /// A search has needed it and has seen only a part. The next one sees all of it, and stores it.
    Asked,
    Stored,
}

/// What a search has to do.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// Use what is stored.
    Stored(Range<usize>),
    /// Look, and store it.
    ToStore,
    /// Look only as far as needed.
    No,
}

/// The corners of one map, with what is seen from them.
#[derive(Clone, Debug, Default)]
pub(super) struct Places {
    /// The map, as of the last search.
    stamp: Stamp,
    numbers: HashMap<Point, u32, BuildHasherDefault<PointHasher>>,
    places: Vec<Place>,
    views: Vec<View>,
    seen: Vec<Seen>,
    /// The number of the map's state, from 1.
    state: u16,
    pub(super) max_seen: MaxSeen,
}

impl Places {
    /// Prepares for a search on a map; returns whether numbers are still those of the last search.
    pub(super) fn begin(&mut self, edits: &Edits) -> bool {
        let stamp = edits.stamp();
        let is_kept = self.stamp.is_same_map(stamp) && self.seen.len() + PLACE * self.places.len() <= self.max_seen.0;
        if !is_kept {
            self.numbers.clear();
            self.numbers.reserve((edits.cell_count() / CELLS_A_PLACE).min(MAX_AT_FIRST));
            self.places.clear();
            self.views.clear();
            self.seen.clear();
        }
        if !is_kept || self.stamp.version() != stamp.version() {
            self.state = self.state.wrapping_add(1);
            if self.state == 0 {
                self.seen.iter_mut().for_each(|seen| seen.dead_end = 0);
                self.state = 1;
            }
        }
        self.stamp = stamp;
        is_kept
    }

    /// The number of a corner.
    pub(super) fn number(&mut self, point: Point) -> u32 {
        let next = self.places.len() as u32;
        let number = *self.numbers.entry(point).or_insert(next);
        if number == next {
            self.places.push(Place { point, views: [NONE; 2], beyond: CellRect::new(0, 0, 0, 0), state: 0 });
        }
        number
    }

    pub(super) fn count(&self) -> usize {
        self.places.len()
    }

    pub(super) fn point(&self, number: u32) -> Point {
        self.places[number as usize].point
    }

    /// What is known of what is seen from a corner, now that a string bends around it.
    pub(super) fn known(&mut self, edits: &Edits, number: u32, bend: &Bend) -> Known {
        let version = self.stamp.version();
        let Place { point, views, .. } = &mut self.places[number as usize];
        let view = &mut views[usize::from(bend.cone.down > 0)];
        if *view == NONE {
            *view = self.views.len() as u32;
            self.views.push(View::NEW);
        }
        let view = &mut self.views[*view as usize];
        if view.state == State::Stored && view.version != version {
            // A visible corner may have appeared or disappeared through an edit beside the cells examined.
            let around = view.cells.widened(1, 1);
            let is_seen =
                |rect: CellRect| around.intersects(&rect) && view.bend.may_lead_into(*point, rect.widened(1, 1));
            if edits.is_any_since(view.version, around, is_seen) {
                view.state = State::New;
            }
            view.version = version;
        }
        match view.state {
            State::Stored if view.bend.covers(bend) => {
                let (range, cells) = (view.range(), view.cells);
                self.extend(number, cells);
                Known::Stored(range)
            }
            State::New => {
                view.state = State::Asked;
                Known::No
            }
            State::Asked | State::Stored => Known::ToStore,
        }
    }

    /// Stores what a sweep of the cone of a bend has found, nearest to the wall first; returns where.
    pub(super) fn store(&mut self, number: u32, bend: &Bend, swept: &mut Swept) -> Range<usize> {
        let (first, from) = (self.seen.len(), self.point(number));
        swept.corners.sort_unstable_by(|(a, _), (b, _)| bend.order([*a, *b].map(|point| Slope::between(from, point))));
        for &(point, sides) in &swept.corners {
            let number = self.number(point);
            self.seen.push(Seen { number, point, sides, dead_end: 0 });
        }
        let (count, version, cells) = ((self.seen.len() - first) as u32, self.stamp.version(), swept.bounds());
        let view = View { state: State::Stored, first: first as u32, count, version, cells, bend: *bend };
        let place = &self.places[number as usize];
        self.views[place.views[usize::from(bend.cone.down > 0)] as usize] = view;
        self.extend(number, cells);
        first..self.seen.len()
    }

    pub(super) fn seen(&self, index: usize) -> Seen {
        self.seen[index]
    }

    /// Records that a visible corner is a dead end.
    pub(super) fn note_dead_end(&mut self, index: usize) {
        self.seen[index].dead_end = self.state;
    }

    /// Whether a visible corner is a dead end.
    pub(super) const fn is_dead_end(&self, seen: &Seen) -> bool {
        seen.dead_end == self.state
    }

    /// Records that a dead end is seen from a corner.
    pub(super) fn note_beyond(&mut self, number: u32, dead_end: u32) {
        self.extend(number, self.places[dead_end as usize].beyond);
    }

    /// Counts cells as seen from a corner or beyond.
    fn extend(&mut self, number: u32, cells: CellRect) {
        let place = &mut self.places[number as usize];
        place.beyond = if place.state == self.state { place.beyond.around(&cells) } else { cells };
        place.state = self.state;
    }

    /// Whether a goal may be seen from a dead end or beyond.
    pub(super) fn may_lead_to(&self, dead_end: u32, goal: Point) -> bool {
        let goal = Cell::new((goal[0] / 2) as u32, (goal[1] / 2) as u32);
        self.places[dead_end as usize].beyond.contains(goal)
    }

    /// How many visible corners are stored.
    #[cfg(test)]
    pub(super) fn stored(&self) -> usize {
        self.seen.len()
    }

    /// Bytes on the heap.
    pub(super) fn bytes(&self) -> usize {
        self.numbers.capacity() * size_of::<(Point, u32)>()
            + self.places.capacity() * size_of::<Place>()
            + self.views.capacity() * size_of::<View>()
            + self.seen.capacity() * size_of::<Seen>()
    }
}

impl View {
    const NEW: Self = Self {
        state: State::New,
        first: 0,
        count: 0,
        version: 0,
        cells: CellRect::new(0, 0, 0, 0),
        bend: Bend { cone: Cone { down: 0, left: Slope(0, 1), right: Slope(0, 1) }, straight_on: Slope(0, 1) },
    };

    const fn range(&self) -> Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }
}

/// Hashes points. Nobody gains from forcing collisions: the map itself is as large.
#[derive(Clone, Copy, Debug, Default)]
struct PointHasher(u64);

impl Hasher for PointHasher {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_i32((*byte).into()));
    }

    /// Multiplied by 2^64 over the golden ratio (D. Knuth, *The Art of Computer Programming*, volume 3, 6.4).
    fn write_i32(&mut self, place: i32) {
        self.0 = (self.0.rotate_left(32) ^ u64::from(place as u32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    /// The table uses the lowest bits; the best ones are the highest.
    fn finish(&self) -> u64 {
        self.0.rotate_left(32)
    }
}
