//! The nearest of each box, in its own set or in another.
//!
//! Each box is in one tile, that of its center, or among the wide ones. Those of a tile of the first set search the second
//! set's tiles, the nearest hull first. They read a tile only if its hull may hold one that is as near as the last of those
//! that one of them has found, or nearer. What they have found goes to the disk again, by ranges of rows, and comes back in order.

use std::ops::Range;

use quadrille::Aabb;

use crate::block::{Block, Width};
use crate::deal::{Dealt, Goes, Hands, on_all};
pub use crate::found::Named;
use crate::found::Pair;
use crate::join::require_room;
use crate::queue::Queue;
use crate::ranges::Ranges;
use crate::spill::{Piece, Spill};
use crate::spool::Spool;
use crate::tile::chunks;
use crate::tiles::Tiles;
use crate::{Error, Settings, Usage};

/// Takes what has been found for one that searches, by its number: numbers and distances.
pub type Take<'t> = &'t mut dyn FnMut(u32, &[(u32, f64)]);

/// The nearest so far: distances and rows.
type Best = Vec<(f64, u32)>;

/// How near boxes are, or what is in them, and what finds the nearest of those in memory.
pub trait Metric: Sync {
    /// Some of the first set, in memory.
    type Askers;
    /// Some of the second set, ready for queries.
    type Group;
    /// Why reading or searching fails.
    type Error: From<Error> + Send;

    /// Prepares the first of these, as many as memory holds (one at least), and returns how many.
    ///
    /// # Errors
    /// Returns an error if they cannot be read.
    fn askers(&self, boxes: &[Named]) -> Result<(usize, Self::Askers), Self::Error>;

    /// Prepares the first of these, as many as memory holds (one at least), and returns how many. They come in the order
    /// of their rows.
    ///
    /// # Errors
    /// Returns an error if they cannot be read.
    fn group(&self, boxes: &[Named]) -> Result<(usize, Self::Group), Self::Error>;

    /// A lower bound of the distances from all that is in a box to all that is in a hull; `None` if all is too far away.
    fn least(&self, from: &Aabb<f64>, hull: &Aabb<f64>) -> Option<f64>;

    /// Passes on the nearest of a group, up to `count`, to each that searches: numbers in the group and distances, the
    /// nearest first, equal distances by number.
    ///
    /// # Errors
    /// Returns an error if they cannot be found, such as for want of memory.
    fn nearest(
        &self,
        askers: &Self::Askers,
        searching: &[Searching],
        group: &Self::Group,
        count: usize,
        take: Take<'_>,
    ) -> Result<(), Self::Error>;
}

/// One of the first set that searches.
#[derive(Clone, Copy, Debug)]
pub struct Searching {
    /// Its number among the askers.
    pub number: u32,
    /// The distance of the last it has found, if it has found enough: whatever is farther is not needed.
    pub last: Option<f64>,
}

/// Boxes of one set or two, ready to search for the nearest.
#[derive(Debug)]
pub struct Nearest {
    settings: Settings,
    first: Spool,
    second: Option<Spool>,
    count: usize,
    /// How many of the first set search at once.
    at_once: usize,
    tiles: Tiles,
    disk: u64,
}

/// Boxes of a tile that are read together.
#[derive(Clone, Debug)]
struct Part {
    pieces: Range<usize>,
    tile: usize,
    hull: Aabb<f64>,
}

impl Nearest {
    /// Divides the plane into tiles, to find the nearest `count` of each, in the same set or in the second; not all of them
    /// if the search `is_limited` to a distance.
    ///
    /// # Errors
    /// Returns an error if the disk is full, or would not suffice, or if memory does not hold `count` neighbors of a single box.
    pub fn new(
        settings: &Settings,
        mut first: Spool,
        mut second: Option<Spool>,
        count: usize,
        is_limited: bool,
    ) -> Result<Self, Error> {
        first.flush()?;
        second.as_mut().map_or(Ok(()), Spool::flush)?;
        let sets = || [Some(&first), second.as_ref()].into_iter().flatten();
        let others = second.as_ref().unwrap_or(&first).len();
        let count = count.min(usize::try_from(others).unwrap_or(usize::MAX));
        let at_once = settings.searching(count);
        if at_once == 0 {
            return Err(Error::new(format!("{count} nearest of one box do not fit: more memory is needed")));
        }
        let sample: Vec<_> = sets().flat_map(|set| set.sample.weighed()).collect();
        let most = settings.most_tiles(sample.len());
        let target = (settings.searched() / 2).clamp(1, settings.target(Width::Double));
        let tiles = Tiles::new(sample, target as f64, most);
        let written: u64 = sets().map(|set| set.spill.size()).sum();
        let found = first.len().saturating_mul(count as u64).saturating_mul(Width::Double.bytes() as u64);
        // A block of a tile is as wide as its widest box.
        let dealt: u64 = sets().map(|set| set.len() * set.width().bytes() as u64).sum();
        require_room(&settings.folder, dealt.saturating_add(if is_limited { 0 } else { found }))?;
        let is_sorted_at_once = Ranges::suffice(settings, first.rows.saturating_mul(count as u64));
        let disk = (written + dealt).saturating_add(found.saturating_mul(if is_sorted_at_once { 1 } else { 2 }));
        Ok(Self { settings: settings.clone(), first, second, count, at_once, tiles, disk })
    }

    /// What it will use.
    #[must_use]
    pub fn usage(&self) -> Usage {
        Usage { disk: self.disk, tiles: self.tiles.len(), threads: self.settings.threads }
    }

    /// Finds the nearest of each and passes them on: in the order of the first set's rows, the nearest first, those of
    /// equal distances by row. Within one set, a box is not its own neighbor.
    ///
    /// # Errors
    /// Returns an error if the disk is full or damaged, or if the metric or `take` fails.
    pub fn run<M: Metric>(
        self,
        metric: &M,
        mut take: impl FnMut(&[Pair<f64>]) -> Result<(), M::Error>,
    ) -> Result<(), M::Error> {
        let Self { settings, first, second, count, at_once, tiles, .. } = &self;
        if *count == 0 {
            return Ok(());
        }
        let deal = |spool: &Spool| Dealt::new(settings, spool, tiles, Goes::Center);
        let askers = deal(first)?;
        let others = second.as_ref().map(deal).transpose()?;
        let spill = Spill::new(&settings.folder)?;
        let ranges = Ranges::new(settings, 0..first.rows, first.rows.saturating_mul(*count as u64));
        let search = Search {
            settings,
            metric,
            askers: &askers,
            others: others.as_ref().unwrap_or(&askers),
            is_one_set: second.is_none(),
            count: *count,
            at_once: *at_once,
            spill: &spill,
            ranges: &ranges,
            groups: parts(others.as_ref().unwrap_or(&askers), settings.searched()),
        };
        let found = search.on_threads(&parts(&askers, settings.searched()))?;
        ranges.in_order(&spill, found, &mut take)
    }
}

/// The parts of all tiles, with no more than `most` boxes each, or one piece. The wide boxes are the last tile.
fn parts(dealt: &Dealt, most: usize) -> Vec<Part> {
    let tiles = (0..).zip(dealt.tiles.iter().chain([&dealt.wide])).zip(&dealt.hulls);
    tiles
        .flat_map(|((tile, pieces), hull)| {
            chunks(pieces, most).into_iter().map(move |pieces| Part { pieces, tile, hull: *hull })
        })
        .collect()
}

impl Dealt {
    /// The boxes of a part, by row.
    fn read(&self, part: &Part) -> Result<Vec<Named>, Error> {
        let pieces = &self.tiles.get(part.tile).unwrap_or(&self.wide)[part.pieces.clone()];
        let mut all = Vec::with_capacity(pieces.iter().map(|piece| piece.count as usize).sum());
        let (mut block, mut bytes) = (Block::new(), Vec::new());
        for piece in pieces {
            block.clear();
            self.spill.read(piece, &mut block, &mut bytes)?;
            all.extend(block.iter().map(|(row, bounds)| (row, *bounds)));
        }
        all.sort_unstable_by_key(|(row, _)| *row);
        Ok(all)
    }
}

/// The search of all threads.
struct Search<'a, M> {
    settings: &'a Settings,
    metric: &'a M,
    askers: &'a Dealt,
    others: &'a Dealt,
    is_one_set: bool,
    count: usize,
    /// How many search at once.
    at_once: usize,
    /// Where found ones go, by ranges of rows.
    spill: &'a Spill,
    ranges: &'a Ranges<'a>,
    groups: Vec<Part>,
}

impl<M: Metric> Search<'_, M> {
    /// Searches for all parts of the first set; returns where what was found is, by range.
    fn on_threads(&self, parts: &[Part]) -> Result<Vec<(usize, Piece)>, M::Error> {
        let queue = Queue::new(parts.len());
        let work = || {
            let mut hands = self.ranges.hands(self.spill);
            queue.each(|number| self.search(&parts[number], &mut hands))?;
            hands.finish()?;
            Ok(hands.pieces)
        };
        on_all(self.settings.threads, work).map(|pieces| pieces.concat())
    }

    /// Finds the nearest of all in a part.
    fn search(&self, part: &Part, hands: &mut Hands<'_>) -> Result<(), M::Error> {
        let all = self.askers.read(part)?;
        for some in all.chunks(self.at_once) {
            let mut start = 0;
            while start < some.len() {
                let (count, askers) = self.metric.askers(&some[start..])?;
                let some = &some[start..start + count];
                let found = self.nearest(some, &askers)?;
                some.iter().zip(&found).try_for_each(|((row, _), found)| self.put(*row, found, hands))?;
                start += count;
            }
        }
        Ok(())
    }

    /// The nearest of each of these.
    fn nearest(&self, some: &[Named], askers: &M::Askers) -> Result<Vec<Best>, M::Error> {
        let hull = Aabb::from_boxes(some.iter().map(|(_, bounds)| bounds));
        let mut found = vec![Vec::new(); some.len()];
        let mut searching = Vec::new();
        for (least, group) in self.nearest_groups(&hull) {
            if self.worst(&found).is_some_and(|worst| worst < least) {
                break;
            }
            searching.clear();
            searching.extend((0..).zip(some).zip(&found).filter_map(|((number, (_, bounds)), found)| {
                let (least, last) = (self.metric.least(bounds, &group.hull)?, self.last(found));
                last.is_none_or(|last| least <= last).then_some(Searching { number, last })
            }));
            if !searching.is_empty() {
                self.search_in(group, some, askers, &searching, &mut found)?;
            }
        }
        Ok(found)
    }

    /// Searches a group and keeps the nearest.
    fn search_in(
        &self,
        group: &Part,
        some: &[Named],
        askers: &M::Askers,
        searching: &[Searching],
        found: &mut [Best],
    ) -> Result<(), M::Error> {
        let (others, mut start) = (self.others.read(group)?, 0);
        let count = self.count + usize::from(self.is_one_set);
        while start < others.len() {
            let (taken, group) = self.metric.group(&others[start..])?;
            let rows = &others[start..start + taken];
            self.metric.nearest(askers, searching, &group, count, &mut |number, nearest| {
                let (own, best) = (some[number as usize].0, &mut found[number as usize]);
                let named = nearest.iter().map(|(at, far)| (*far, rows[*at as usize].0));
                best.extend(named.filter(|(_, row)| !self.is_one_set || *row != own));
                best.sort_unstable_by(|a, b| a.partial_cmp(b).expect("distances are numbers"));
                best.truncate(self.count);
            })?;
            start += taken;
        }
        Ok(())
    }

    /// The groups with lower bounds of what they hold for all in a hull, in this order; the nearest center first.
    fn nearest_groups(&self, hull: &Aabb<f64>) -> Vec<(f64, &Part)> {
        let apart = |part: &Part| {
            let ([x, y], [u, v]) = (hull.center(), part.hull.center());
            (x - u).hypot(y - v)
        };
        let least = |part: &Part| self.metric.least(hull, &part.hull);
        let groups = self.groups.iter();
        let mut groups: Vec<_> = groups.filter_map(|part| Some((least(part)?, apart(part), part))).collect();
        groups.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        groups.into_iter().map(|(least, _, part)| (least, part)).collect()
    }

    /// The distance of the last one found, if there are enough.
    fn last(&self, found: &[(f64, u32)]) -> Option<f64> {
        found.get(self.count - 1).map(|(far, _)| *far)
    }

    /// The greatest distance of a last one, if all have found enough.
    fn worst(&self, found: &[Best]) -> Option<f64> {
        found.iter().try_fold(0.0_f64, |worst, found| Some(worst.max(self.last(found)?)))
    }

    /// Puts what was found aside: as boxes of the number, the distance, and the place in the list.
    fn put(&self, row: u32, found: &[(f64, u32)], hands: &mut Hands<'_>) -> Result<(), Error> {
        let range = self.ranges.of(row);
        found.iter().zip(0_u32..).try_for_each(|((far, other), place)| {
            hands.put(range, row, &Aabb { min: [f64::from(*other), *far], max: [f64::from(place), 0.0] })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_of_which_each_has_a_box_in_double_precision_take_no_more_disk_than_is_told() {
        let settings = Settings::new(32 << 20, std::env::temp_dir()).expect("that is enough");
        let mut first = Spool::new(&settings).expect("there is room");
        for row in 0..60_000_u32 {
            let place = f64::from(row.wrapping_mul(2_654_435_761) >> 12);
            let place = if row < 4096 { place + 0.1 } else { place };
            first.push(row, Aabb::from_point([place, 0.5])).expect("there is room");
        }
        let nearest = Nearest::new(&settings, first, None, 1, false).expect("there is room");
        let dealt = Dealt::new(&settings, &nearest.first, &nearest.tiles, Goes::Center).expect("there is room");
        let found = 60_000 * Width::Double.bytes() as u64;
        let needed = nearest.first.spill.size() + dealt.spill.size() + found;
        assert!(nearest.usage().disk >= needed, "{needed} bytes, and told were {}", nearest.usage().disk);
    }
}
