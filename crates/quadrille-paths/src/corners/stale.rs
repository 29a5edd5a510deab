//! Which scans may be out of date, since when, and what searches have found instead.

use std::sync::{Mutex, OnceLock, PoisonError};

use super::link::{ALL, Corner, Found, Link, Quadrants};
use super::tuning::shrink;
use crate::grid::Direction;

/// The corners whose stored links may be out of date.
#[derive(Debug, Default)]
pub(super) struct StaleScans {
    pub(super) list: Vec<Stale>,
    /// Empty lists of pieces, to be used again.
    spare: Vec<Vec<Piece>>,
    /// By number.
    histories: Vec<History>,
    /// The numbers of those that searches have rescanned since the last edit.
    rescanned: Mutex<Vec<u32>>,
    /// Everything is stale in all directions, and nothing has been stored since: an edit need not find out which scans
    /// saw it.
    pub(super) are_all: bool,
    /// How many edits there were.
    edits: u64,
    /// The last edit for which it was not found out what it changed: perhaps everything.
    all_changed: u64,
}

/// What edits have done to a corner.
#[derive(Clone, Copy, Debug, Default)]
struct History {
    /// The edit that has made it.
    made: u64,
    /// The last edit that is known to have changed it or what its scans see.
    changed: u64,
    /// Where in the list it is if it is stale; void if not.
    slot: u32,
}

/// A corner whose stored links may be out of date.
#[derive(Clone, Debug, Default)]
pub(super) struct Stale {
    pub(super) number: u32,
    /// The quadrants of which everything may be out of date.
    whole: Quadrants,
    /// The steps of the other stale ones from which scans may find something else now.
    pieces: Vec<Piece>,
    /// By quadrant, the edit that was the first to affect it.
    since: [u64; 4],
    /// A new scan of those quadrants that the first search to reach the corner needed, and, once a search has needed
    /// others, one of all quadrants.
    found: OnceLock<Box<Found>>,
    whole_found: OnceLock<Box<Found>>,
}

/// Some steps of the diagonal of a quadrant, from the first to the last.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    quadrant: u8,
    pub(super) steps: [u16; 2],
}

/// The most pieces of a corner. If there are more, a quadrant is rescanned as a whole. (All of them as a whole would be
/// simpler; with edits between few searches, paths on large, sparse maps then take up to half as long again.)
const MAX_PIECES: usize = 32;

impl Stale {
    /// What may be out of date of a stale quadrant: pieces from the first to the last, which do not touch each other.
    pub(super) fn pieces(&self, quadrant: usize) -> &[Piece] {
        const WHOLE: &[Piece] = &[Piece { quadrant: 0, steps: [0, u16::MAX] }];
        if self.whole >> quadrant & 1 == 1 {
            return WHOLE;
        }
        let first = |quadrant| self.pieces.partition_point(|piece| usize::from(piece.quadrant) < quadrant);
        &self.pieces[first(quadrant)..first(quadrant + 1)]
    }

    /// Adds steps that an edit affects; pieces that they touch become one with them.
    pub(super) fn add(&mut self, quadrant: u8, [first, last]: [u16; 2]) {
        if self.whole >> quadrant & 1 == 1 {
            return;
        }
        let from = self.pieces.partition_point(|piece| (piece.quadrant, piece.end()) < (quadrant, first));
        let touching = self.pieces[from..]
            .iter()
            .take_while(|piece| piece.quadrant == quadrant && piece.steps[0] <= last.saturating_add(1));
        let join = |steps: [u16; 2], piece: &Piece| [steps[0].min(piece.steps[0]), steps[1].max(piece.steps[1])];
        let (count, steps) = touching.fold((0, [first, last]), |(count, steps), piece| (count + 1, join(steps, piece)));
        if count == 0 && self.pieces.len() == MAX_PIECES {
            self.whole |= 1 << quadrant;
            self.pieces.retain(|piece| piece.quadrant != quadrant);
        } else if count == 0 {
            self.pieces.insert(from, Piece { quadrant, steps });
        } else {
            self.pieces[from].steps = steps;
            self.pieces.drain(from + 1..from + count);
        }
    }
}

impl Piece {
    /// The first step that does not touch it.
    fn end(&self) -> u16 {
        self.steps[1].saturating_add(1)
    }
}

impl StaleScans {
    /// Counts edits.
    pub(super) const fn begin_edits(&mut self, count: usize) {
        self.edits += count as u64;
    }

    /// Records that the last edit may have changed everything.
    pub(super) const fn note_all_changed(&mut self) {
        self.all_changed = self.edits;
    }

    /// Whether a corner has existed, and its scans have seen no change, since the given number of edits.
    pub(super) fn is_as_after(&self, edits: u64, number: u32) -> bool {
        self.histories[number as usize].changed <= edits && self.all_changed <= edits
    }

    /// Whether a corner has been changed by an edit, or is rescanned after each.
    #[cfg(test)]
    pub(super) fn has_changed(&self, number: u32) -> bool {
        self.histories[number as usize].changed > 0
    }

    /// Records that the last edit has removed a corner.
    pub(super) fn remove(&mut self, number: u32, corner: &mut Corner) {
        self.renew(number, corner, ALL);
        self.histories[number as usize].changed = self.edits;
    }

    /// Records that the last edit has made a corner, all of which is stale.
    pub(super) fn add(&mut self, number: u32, corner: &mut Corner) {
        self.expire_whole(number, corner, ALL);
        self.histories[number as usize].made = self.edits;
    }

    /// Whether a stored link in a stale quadrant of a corner leads to the corner that it led to when it was stored, which
    /// may be removed. If not, that corner was removed, and its number given to another one.
    pub(super) fn is_link_of(&self, stale: &Stale, link: &Link, quadrant: usize) -> bool {
        self.histories[link.corner() as usize].made < stale.since[quadrant]
    }

    /// Makes these quadrants of a corner stale, whatever they are scanned for.
    pub(super) fn expire_whole(&mut self, number: u32, corner: &mut Corner, quadrants: Quadrants) {
        self.expire(number, corner, quadrants).whole |= quadrants;
    }

    /// Makes these quadrants of a corner stale; the caller says which steps.
    pub(super) fn expire(&mut self, number: u32, corner: &mut Corner, quadrants: Quadrants) -> &mut Stale {
        if number as usize >= self.histories.len() {
            self.histories.resize(number as usize + 1, History::default());
        }
        let history = &mut self.histories[number as usize];
        history.changed = self.edits;
        if corner.stale == 0 {
            history.slot = self.list.len() as u32;
            let pieces = self.spare.pop().unwrap_or_default();
            self.list.push(Stale { number, pieces, ..Stale::default() });
        }
        let stale = &mut self.list[history.slot as usize];
        Direction::places(quadrants & !corner.stale).for_each(|quadrant| stale.since[quadrant] = self.edits);
        corner.stale |= quadrants;
        (stale.found, stale.whole_found) = (OnceLock::new(), OnceLock::new());
        stale
    }

    /// Makes a corner stale whose links cannot be stored: the next edit could not tell what its scans saw, so it counts
    /// as changed by every edit.
    pub(super) fn expire_for_good(&mut self, number: u32, corner: &mut Corner) {
        self.expire_whole(number, corner, ALL);
        self.histories[number as usize].changed = u64::MAX;
    }

    /// Some quadrants of a corner are no longer stale. If none is left, it is taken off the list.
    pub(super) fn renew(&mut self, number: u32, corner: &mut Corner, quadrants: Quadrants) {
        let (was_stale, slot) = (corner.stale != 0, self.histories[number as usize].slot);
        corner.stale &= !quadrants;
        if corner.stale != 0 {
            let stale = &mut self.list[slot as usize];
            stale.whole &= corner.stale;
            stale.pieces.retain(|piece| corner.stale >> piece.quadrant & 1 == 1);
        } else if was_stale {
            let mut pieces = self.list.swap_remove(slot as usize).pieces;
            pieces.clear();
            self.spare.push(pieces);
            if let Some(moved) = self.list.get(slot as usize) {
                self.histories[moved.number as usize].slot = slot;
            }
        }
    }

    /// A stale corner.
    pub(super) fn get(&self, number: u32) -> &Stale {
        &self.list[self.histories[number as usize].slot as usize]
    }

    /// What some stale quadrants of a corner lead to. The first search that reaches it scans those that it needs, and one that
    /// needs others scans all of them.
    pub(super) fn found(&self, number: u32, asked: Quadrants, scan: impl Fn(Quadrants) -> Found) -> &Found {
        let stale = self.get(number);
        let found = stale.found.get_or_init(|| {
            self.rescanned.lock().unwrap_or_else(PoisonError::into_inner).push(number);
            Box::new(scan(asked))
        });
        let is_enough = asked & !found.renewed == 0;
        if is_enough { found } else { stale.whole_found.get_or_init(|| Box::new(scan(ALL))) }
    }

    /// The last that was found by searches since then.
    pub(super) fn found_before(&self, number: u32) -> Option<&Found> {
        let stale = self.get(number);
        stale.whole_found.get().or(stale.found.get()).map(|found| &**found)
    }

    /// What searches have found since this was called last, by number.
    pub(super) fn take_found(&mut self) -> Vec<(u32, Box<Found>)> {
        let rescanned = core::mem::take(self.rescanned.get_mut().unwrap_or_else(PoisonError::into_inner));
        let mut found = |number: u32| {
            let stale = &mut self.list[self.histories[number as usize].slot as usize];
            let (first, whole) = (stale.found.take(), stale.whole_found.take());
            whole.or(first)
        };
        rescanned.into_iter().filter_map(|number| Some((number, found(number)?))).collect()
    }

    /// Releases memory.
    pub(super) fn shrink(&mut self) {
        self.spare = Vec::new();
        shrink(&mut self.list);
        shrink(&mut self.histories);
    }

    /// Bytes on the heap.
    pub(super) fn bytes(&self) -> usize {
        let found = self.list.iter().flat_map(|stale| [stale.found.get(), stale.whole_found.get()]).flatten();
        let pieces = self.list.iter().map(|stale| &stale.pieces).chain(&self.spare);
        let pieces: usize = pieces.map(Vec::capacity).sum();
        size_of::<Stale>() * self.list.capacity()
            + size_of::<Vec<Piece>>() * self.spare.capacity()
            + size_of::<Piece>() * pieces
            + size_of::<History>() * self.histories.capacity()
            + found.map(|found| size_of::<Found>() + found.bytes()).sum::<usize>()
    }
}

impl Clone for StaleScans {
    fn clone(&self) -> Self {
        let rescanned = self.rescanned.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let (list, histories) = (self.list.clone(), self.histories.clone());
        Self { list, histories, spare: Vec::new(), rescanned: rescanned.into(), ..*self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_that_touch_become_one_and_too_many_a_whole_quadrant() {
        let mut stale = Stale::default();
        [[10, 12], [1, 2], [20, 25], [3, 3], [13, 18], [19, 19]].into_iter().for_each(|steps| stale.add(1, steps));
        stale.add(0, [5, u16::MAX]);
        (0..MAX_PIECES as u16).for_each(|piece| stale.add(2, [3 * piece, 3 * piece + 1]));
        let steps = |quadrant: usize| stale.pieces(quadrant).iter().map(|piece| piece.steps).collect::<Vec<_>>();
        assert_eq!(steps(0), [[5, u16::MAX]]);
        assert_eq!(steps(1), [[1, 3], [10, 25]]);
        assert_eq!(steps(2), [[0, u16::MAX]]);
        assert!(steps(3).is_empty());
    }
}
