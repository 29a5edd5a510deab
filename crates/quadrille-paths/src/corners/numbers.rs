//! Which numbers of removed corners may be given to new ones: those to which no stale link leads any more.
//!
//! A number is first *dead*. Once there are many dead numbers, all of them are *leaving*: they wait until those corners
//! have been rescanned that are stale at that time. A corner that becomes stale later has no link to them.

use super::tuning::Tuning;

/// How many of the corners that hold numbers back an edit of one cell rescans: some tens of microseconds.
pub(super) const MAX_RESCANNED: usize = 64;

/// The numbers that no corner has.
#[derive(Clone, Debug, Default)]
pub(super) struct FreeNumbers {
    /// To be given away, the last freed first.
    free: Vec<u32>,
    dead: Vec<u32>,
    leaving: Vec<u32>,
    /// Corners that may have stale links to those that are leaving.
    holding: Vec<u32>,
}

impl FreeNumbers {
    pub(super) fn count(&self) -> usize {
        self.free.len() + self.dead.len() + self.leaving.len()
    }

    /// A number to give away.
    pub(super) fn take(&mut self) -> Option<u32> {
        self.free.pop()
    }

    /// Records that a corner was removed.
    pub(super) fn note_dead(&mut self, number: u32) {
        self.dead.push(number);
    }

    /// Frees all numbers, because no corner has a link that will be read.
    pub(super) fn free_all(&mut self) {
        self.free.append(&mut self.dead);
        self.free_leaving();
    }

    /// Frees the numbers that are leaving, because the corners that held them back have been rescanned.
    pub(super) fn free_leaving(&mut self) {
        self.free.append(&mut self.leaving);
        self.holding.clear();
    }

    /// Up to `count` corners to be rescanned so that numbers become free, and whether these are the last.
    pub(super) fn holding(&mut self, count: usize) -> (Vec<u32>, bool) {
        let rest = self.holding.len().saturating_sub(count);
        (self.holding.split_off(rest), rest == 0)
    }

    /// Lets dead numbers leave if it is time: where there are many corners, before the room for new ones runs out,
    /// because making room moves all of them.
    pub(super) fn let_leave(&mut self, corners: usize, room: usize, tuning: &Tuning, stale: impl Iterator<Item = u32>) {
        let dead = self.dead.len();
        let is_room_short = corners > tuning.many_corners && dead > room + self.free.len();
        let are_many = dead > corners / 8 + 256 || is_room_short && dead > corners / 64;
        if are_many && self.leaving.is_empty() {
            self.leaving = core::mem::take(&mut self.dead);
            self.holding = stale.collect();
        }
    }

    /// Bytes on the heap.
    pub(super) fn bytes(&self) -> usize {
        let lists = [&self.free, &self.dead, &self.leaving, &self.holding];
        size_of::<u32>() * lists.into_iter().map(Vec::capacity).sum::<usize>()
    }
}
