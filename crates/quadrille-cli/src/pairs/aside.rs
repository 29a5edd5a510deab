//! Pairs among more geometries than fit in memory. Geometries other than boxes and points are stored on disk and read
//! back, some at a time, into a cache, for the pairs whose boxes are candidates.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use indicatif::{BinaryBytes, HumanCount};
use quadrille::Aabb;
use quadrille_files::Shapes;
use quadrille_scale::{Named, Pair, Settings, Shelf};
use quadrille_shapes::{Geometries, Joiner, Predicate, Side, distance, in_common, reach_of_boxes};

use super::ended::Ended;
use super::plane;
use super::query::Query;
use super::shapes::{check, refused};
use crate::failure::Failure;

/// Bytes of a position in a cache, and of a geometry with its pairs: as measured, plus a half.
const POSITION: u64 = 64;
const GEOMETRY: u64 = 192;

/// The numbers reported of a pair: distance and measure, those requested first.
pub(super) type Numbers = [f64; 2];

/// The geometries of one set or two, and the query about them.
#[derive(Debug)]
pub(super) struct Aside {
    shelves: Vec<Shelf>,
    query: Query,
    is_measured: bool,
    /// Whether a file has shapes, and not only points and boxes.
    has_shapes: bool,
    /// Bytes that all caches may hold.
    room: u64,
    /// Bytes that each may hold, one for each thread.
    room_of_cache: u64,
    /// Caches not in use. Each thread takes one and puts it back as it is, because the next pairs are near.
    caches: Mutex<Vec<Cache>>,
}

impl Aside {
    /// Empty, for this many sets. A quarter of the memory is for geometries.
    pub(super) fn new(
        settings: &Settings,
        sets: usize,
        query: Query,
        is_measured: bool,
        given: u64,
    ) -> Result<Self, Failure> {
        if query.predicate() == Some(Predicate::Disjoint) {
            let what = "--predicate disjoint is for what fits in memory: almost all pairs are";
            return Err(Failure::Bad(what.into()));
        }
        let shelves = (0..sets).map(|_| Shelf::new(settings)).collect::<Result<_, _>>()?;
        let room = given / 4;
        // Those of the settings for boxes.
        let threads = Settings::new(given - room, "").map_or(1, |settings| settings.threads() as u64);
        Ok(Self {
            shelves,
            query,
            is_measured,
            has_shapes: false,
            room,
            room_of_cache: room / threads,
            caches: Mutex::default(),
        })
    }

    /// The rest of the memory, for boxes.
    pub(super) fn settings_for_boxes(&self, given: u64, folder: &Path) -> Result<Settings, Failure> {
        Settings::new(given - self.room, folder).map_err(|_| {
            let what = "is too little for true shapes, which need 43M at least; --boxes compares bounding boxes";
            Failure::Bad(format!("invalid value for '--memory <SIZE>': {} {what}", BinaryBytes(given)))
        })
    }

    /// Stores the geometries of a batch that differ from their boxes.
    pub(super) fn put(&mut self, set: usize, batch: &Shapes) -> Result<(), Failure> {
        let Some(all) = &batch.geometries else { return Ok(()) };
        check(self.query, self.is_measured, all).map_err(|fault| refused(batch, fault))?;
        let mut bytes = Vec::new();
        for number in (0..all.len() as u32).filter(|number| !all.is_box(*number)) {
            bytes.clear();
            all.write_bytes(number, &mut bytes);
            // Any cache must have room for two.
            let needed = bytes.len() as u64 / 16 * POSITION;
            if needed * 2 > self.room_of_cache {
                let (row, count) = (batch.row(number), HumanCount(bytes.len() as u64 / 16));
                let what = format!("row {row} (from 0) has {count} positions and does not fit: raise --memory");
                return Err(Failure::Bad(format!("{}: {what}", batch.name)));
            }
            self.shelves[set].push(batch.row(number), &bytes)?;
        }
        self.has_shapes |= !batch.has_only_points();
        Ok(())
    }

    /// Ends reading. Returns whether shapes must be compared, and not only boxes and points.
    pub(super) fn is_needed(&mut self) -> Result<bool, Failure> {
        self.shelves.iter_mut().try_for_each(Shelf::flush)?;
        Ok(self.has_shapes || self.is_measured || matches!(self.query, Query::Shapes(_)))
    }

    /// Bytes of disk.
    pub(super) fn disk(&self) -> u64 {
        self.shelves.iter().map(Shelf::disk).sum()
    }

    /// Which boxes may be pairs.
    pub(super) fn query_of_boxes(&self) -> Query {
        match self.query {
            Query::Within(most) => Query::Within(reach_of_boxes(most)),
            other => other,
        }
    }

    /// Whether the two of a pair have different parts.
    pub(super) fn is_directed(&self) -> bool {
        self.query.predicate().is_some_and(Predicate::is_directed)
    }

    /// Whether two boxes may be a pair.
    pub(super) fn may_be(&self, a: &Aabb<f64>, b: &Aabb<f64>) -> bool {
        match self.query.predicate() {
            Some(predicate) => predicate.is_possible(a, b),
            None => plane::accepts(self.query_of_boxes(), a, b),
        }
    }

    /// The pairs of boxes that are also pairs of shapes, with their numbers.
    pub(super) fn refine(&self, pairs: &[Pair<[Aabb<f64>; 2]>]) -> Result<Vec<Pair<Numbers>>, Failure> {
        let mut cache = self.caches().pop().unwrap_or_default();
        let (mut found, mut candidates) = (Vec::new(), Vec::new());
        for pair in pairs {
            if cache.iter().map(Cached::size).sum::<u64>() > self.room_of_cache / 2 {
                self.decide(&cache, &mut candidates, &mut found)?;
                cache.iter_mut().for_each(Cached::clear);
            }
            let [a, b] = &mut cache;
            let second = self.shelves.last().unwrap_or(&self.shelves[0]);
            let first = a.fetch(&self.shelves[0], pair.a, &pair.value[0])?;
            candidates.push((first, b.fetch(second, pair.b, &pair.value[1])?));
        }
        self.decide(&cache, &mut candidates, &mut found)?;
        self.caches().push(cache);
        Ok(found)
    }

    /// The geometries of the first of some boxes, as many as half a cache holds (one at least), and how many these are.
    pub(super) fn gather(&self, is_second: bool, boxes: &[Named]) -> Result<(usize, Geometries), Failure> {
        let shelf = self.shelves.get(usize::from(is_second)).unwrap_or(&self.shelves[0]);
        let mut cached = Cached::default();
        for (row, bounds) in boxes {
            if cached.size() > self.room_of_cache / 4 {
                break;
            }
            cached.fetch(shelf, *row, bounds)?;
        }
        Ok((cached.rows.len(), cached.all))
    }

    fn caches(&self) -> std::sync::MutexGuard<'_, Vec<Cache>> {
        self.caches.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Decides the candidates, given by their numbers in the cache, and adds those that are pairs.
    fn decide(
        &self,
        cache: &Cache,
        candidates: &mut Vec<(u32, u32)>,
        found: &mut Vec<Pair<Numbers>>,
    ) -> Result<(), Ended> {
        let [a, b] = cache;
        let mut take = |i: u32, j: u32| {
            let distance = self.query.has_distance().then(|| distance(&a.all, i, &b.all, j));
            // All have been checked.
            let measure = self.is_measured.then(|| in_common(&a.all, i, &b.all, j).unwrap_or(f64::NAN));
            let mut wanted = distance.into_iter().chain(measure);
            let value = [0; 2].map(|_| wanted.next().unwrap_or_default());
            found.push(Pair { a: a.rows[i as usize], b: b.rows[j as usize], value });
            ControlFlow::Continue(())
        };
        let mut joiner = Joiner::new(a.side(), Some(b.side()), self.query.relation());
        let ended = candidates.drain(..).try_for_each(|(i, j)| joiner.offer(i, j, &mut take));
        let ended = if ended.is_continue() { joiner.finish(&mut take) } else { ended };
        ended.break_value().map_or(Ok(()), Err)
    }
}

/// Geometries in memory: those of the first set and those of the second.
type Cache = [Cached; 2];

#[derive(Debug, Default)]
struct Cached {
    all: Geometries,
    boxes: Vec<Aabb<f64>>,
    rows: Vec<u32>,
    /// By row.
    numbers: HashMap<u32, u32>,
    bytes: Vec<u8>,
}

impl Cached {
    fn clear(&mut self) {
        self.all.clear();
        self.boxes.clear();
        self.rows.clear();
        self.numbers.clear();
    }

    fn size(&self) -> u64 {
        self.all.count_vertices() as u64 * POSITION + self.rows.len() as u64 * GEOMETRY
    }

    fn side(&self) -> Side<'_> {
        Side { all: &self.all, boxes: &self.boxes }
    }

    /// The number in the cache of a row's geometry, which is read from the shelf, or is its box.
    fn fetch(&mut self, shelf: &Shelf, row: u32, bounds: &Aabb<f64>) -> Result<u32, Failure> {
        if let Some(number) = self.numbers.get(&row) {
            return Ok(*number);
        }
        let number = self.all.len() as u32;
        let pushed = if shelf.read(row, &mut self.bytes)? {
            self.all.push_bytes(&self.bytes)
        } else {
            self.all.push_box(bounds).map(drop)
        };
        pushed.map_err(|fault| Failure::Bad(format!("row {row} (from 0) {fault}")))?;
        self.boxes.push(*bounds);
        self.rows.push(row);
        self.numbers.insert(row, number);
        Ok(number)
    }
}
