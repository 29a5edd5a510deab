//! Corners whose stored links may be out of date, and how they are rescanned.

use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use super::link::{Exits, Link, UpTo};
use super::{Corners, quadrant};
use crate::grid::Grid;
use crate::grid::cell::Direction;
use crate::walks::jump::Changed;
use crate::walks::turns::{Directions, exits};

/// What a scan in some directions out of a corner finds.
#[derive(Clone, Debug, Default)]
pub(crate) struct Found {
    pub(super) links: Vec<Link>,
    pub(super) links_up_to: [u32; 8],
    pub(super) diagonals: [u16; 4],
}

/// A corner whose stored links may be out of date.
#[derive(Clone, Debug)]
pub(super) struct Stale {
    pub(super) number: u32,
    /// Where its stored links start; those in quadrants that are not stale are still right.
    pub(super) first_link: u32,
    /// By quadrant, the first and last steps of the diagonal whose scans the edits may have changed.
    steps: [[u16; 2]; 4],
    /// The new scan, once a search has reached the corner.
    pub(super) found: OnceLock<Box<Found>>,
}

/// Scans by corner, each made by the first search that needs it.
pub(super) type Scanned = Vec<OnceLock<Box<Found>>>;

/// What searches have done since the last edit.
#[derive(Debug, Default)]
pub(super) struct Visited {
    /// The numbers of the stale corners that they have rescanned.
    numbers: Mutex<Vec<u32>>,
    searches: AtomicUsize,
    /// Whether there were searches for taut paths, which are not counted.
    is_taut: AtomicBool,
}

impl Visited {
    fn push(&self, number: u32) {
        self.numbers.lock().unwrap_or_else(PoisonError::into_inner).push(number);
    }

    pub(super) fn take(&mut self) -> Vec<u32> {
        core::mem::take(self.numbers.get_mut().unwrap_or_else(PoisonError::into_inner))
    }

    /// Records a search.
    pub(super) fn note(&self) {
        self.searches.fetch_add(1, Ordering::Relaxed);
    }

    /// Records a search for a taut path.
    pub(super) fn note_taut(&self) {
        self.is_taut.store(true, Ordering::Relaxed);
    }

    /// How many searches there were.
    pub(super) fn searches(&self) -> usize {
        self.searches.load(Ordering::Relaxed)
    }

    /// The same, and whether there were taut ones; resets the count to zero.
    pub(super) fn take_searches(&mut self) -> (usize, bool) {
        (core::mem::take(self.searches.get_mut()), core::mem::take(self.is_taut.get_mut()))
    }
}

impl Clone for Visited {
    fn clone(&self) -> Self {
        let numbers = self.numbers.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let is_taut = self.is_taut.load(Ordering::Relaxed).into();
        Self { numbers: Mutex::new(numbers), searches: self.searches().into(), is_taut }
    }
}

impl Found {
    /// For a search.
    pub(crate) fn exits(&self) -> Exits<'_> {
        Exits { links: &self.links, links_up_to: UpTo::Found(&self.links_up_to), diagonals: &self.diagonals }
    }

    /// Bytes on the heap.
    pub(crate) fn bytes(&self) -> usize {
        self.links.capacity() * size_of::<Link>()
    }

    /// Records how many steps of a diagonal are legal.
    pub(super) fn note(&mut self, direction: Direction, diagonal: u16) {
        if direction.is_diagonal() {
            self.diagonals[quadrant(direction)] = diagonal;
        }
    }
}

impl Corners {
    /// Scans a stale corner, and records that this was done.
    #[cold]
    pub(super) fn look_again(&self, grid: &Grid, number: u32) -> Box<Found> {
        let mut found = Found::default();
        self.look(grid, number, &mut found);
        self.visited.push(number);
        Box::new(found)
    }

    /// Scans some directions out of a corner for one search; others lead nowhere.
    pub(crate) fn scan(&self, grid: &Grid, number: u32, directions: Directions, found: &mut Found) {
        #[cfg(test)]
        crate::open_list::work::note();
        let (walks, from) = (self.walks(grid), self.cell(number));
        found.links.clear();
        found.diagonals = [0; 4];
        for (index, direction) in Direction::ALL.into_iter().enumerate() {
            if directions >> index & 1 == 1 {
                let links = &mut found.links;
                let diagonal = walks.go(from, direction, |cell, arrival| {
                    links.push(Link::new(self.numbers[grid.index(cell)], arrival));
                });
                found.note(direction, diagonal);
            }
            found.links_up_to[index] = found.links.len() as u32;
        }
    }

    /// What a corner leads to, while edits are left for later: scanned by the first search that comes by.
    #[cold]
    pub(super) fn scanned(&self, grid: &Grid, number: u32) -> &Found {
        let none = || (0..self.corners.len()).map(|_| OnceLock::new()).collect();
        self.scanned.get_or_init(none)[number as usize].get_or_init(|| {
            let mut found = Found::default();
            self.scan(grid, number, exits(self.turns, self.corners[number as usize].walls), &mut found);
            Box::new(found)
        })
    }

    /// Stores such scans where nothing else is known.
    pub(super) fn keep(&mut self, scanned: Scanned) {
        let mut kept = 0;
        for (number, found) in (0..).zip(scanned) {
            if let Some(found) = found.into_inner().filter(|_| self.corners[number as usize].stale != 0) {
                self.store(number, &found);
                kept += 1;
            }
        }
        self.is_all_stale &= kept == 0;
        self.close_gaps_if_many(kept);
    }

    /// Rescans the stale quadrants of a corner, limited to the steps that may have changed.
    pub(super) fn look(&self, grid: &Grid, number: u32, found: &mut Found) {
        let corner = &self.corners[number as usize];
        let (walks, from, exits) = (self.walks(grid), self.cell(number), exits(self.turns, corner.walls));
        let stale = &self.stale[corner.first_link as usize];
        found.links.clear();
        found.diagonals = corner.diagonals;
        for (index, direction) in Direction::ALL.into_iter().enumerate() {
            let (quadrant, stored) = (quadrant(direction), self.stored(corner, index));
            if corner.stale >> quadrant & 1 == 0 {
                found.links.extend_from_slice(stored);
            } else if exits >> index & 1 == 1 {
                let [first, last] = stale.steps[quadrant];
                let changed = Changed { first, last, diagonal: corner.diagonals[quadrant] };
                let steps = |link: &Link| Changed::steps(self.rule, from, self.cell(link.corner()));
                if direction.is_diagonal() {
                    found.links.extend_from_slice(&stored[..stored.partition_point(|link| steps(link) < first)]);
                }
                let (first_new, links) = (found.links.len(), &mut found.links);
                let (diagonal, is_rest_known) = walks.go_again(from, direction, changed, |cell, arrival| {
                    links.push(Link::new(grid.index(cell) as u32, arrival));
                });
                // Numbers are read in one loop: on a large map each read waits for memory, and these wait together.
                links[first_new..].iter_mut().for_each(|link| *link = link.to(self.numbers[link.corner() as usize]));
                if is_rest_known {
                    links.extend_from_slice(&stored[stored.partition_point(|link| steps(link) <= last)..]);
                }
                found.note(direction, diagonal);
            } else if direction.is_diagonal() {
                found.diagonals[quadrant] = 0;
            }
            found.links_up_to[index] = found.links.len() as u32;
        }
    }

    /// Takes a stale corner off the list.
    pub(super) fn forget_stale(&mut self, slot: u32) {
        self.stale.swap_remove(slot as usize);
        if let Some(moved) = self.stale.get(slot as usize) {
            self.corners[moved.number as usize].first_link = slot;
        }
    }

    /// Marks all quadrants of a corner as stale.
    pub(super) fn expire_all(&mut self, number: u32) {
        let stale = self.expiring(number);
        stale.steps = [[0, u16::MAX]; 4];
        self.corners[number as usize].stale = 0b1111;
    }

    /// Marks the scans of one quadrant of a corner as stale, from the first to the last of these steps of its diagonal.
    pub(super) fn expire(&mut self, number: u32, quadrant: usize, steps: [u16; 2]) {
        let known = &mut self.expiring(number).steps[quadrant];
        *known = [known[0].min(steps[0]), known[1].max(steps[1])];
        self.corners[number as usize].stale |= 1 << quadrant;
    }

    /// What is known of a corner that is about to become stale in more quadrants.
    fn expiring(&mut self, number: u32) -> &mut Stale {
        self.changed[number as usize] = self.edits;
        let corner = &mut self.corners[number as usize];
        if corner.stale == 0 {
            let slot = self.stale.len() as u32;
            let first_link = core::mem::replace(&mut corner.first_link, slot);
            self.stale.push(Stale { number, first_link, steps: [[u16::MAX, 0]; 4], found: OnceLock::new() });
        }
        let stale = &mut self.stale[corner.first_link as usize];
        stale.found = OnceLock::new();
        stale
    }
}
