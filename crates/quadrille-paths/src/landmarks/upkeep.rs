//! When landmarks of corners are made and forgotten without being asked for.
//!
//! Landmarks cost the making, and each search that uses them a look around its goal. They pay where searches look at many
//! corners without them: in mazes, noise and rooms, and on ways far around walls. So searches count the corners that
//! they look at. When these have cost some times as much as a few landmarks, those are made. Then half of the
//! searches, by their ends, do without them, until it is clear whether the others look at far fewer corners. If not,
//! they are forgotten, and the next ones have to wait twice as long. More are made one by one, when
//! searches have again cost some times as much. So making them never takes more than a part of the time of searches.
//!
//! Searches only count, and that does not depend on their order: what is made depends on the calls alone, on any number
//! of threads.

use core::sync::atomic::{AtomicUsize, Ordering};

use crate::grid::cell::Cell;

/// Searches that look at no more corners are easy: landmarks are no concern of theirs.
pub(crate) const EASY: u64 = 16;
/// How many landmarks are made at first: one on each side of the map.
const FIRST: usize = 4;
/// How many corners a search must look at on average for landmarks to be tried.
const HARD: usize = 128;
/// At this many they are as good as sure to pay.
const SURE: usize = 4096;
/// How many searches with landmarks, and how many without them, tell whether they pay.
const TRIAL: usize = 64;
/// The cost of asking landmarks in corners that could have been looked at in that time.
const ASKING: usize = 32;
/// How many times as much as landmarks cost searches have to cost before they are made, at least; up to
/// four times as many where it is less sure that they pay.
const PATIENCE: usize = 4;
/// How many times the patience may double.
const MOST_DOUBLED: u32 = 10;

/// What landmarks are to be made or forgotten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Advice {
    Keep,
    Add,
    Forget,
}

/// What tells whether landmarks pay.
#[derive(Debug, Default)]
pub(crate) struct Upkeep {
    /// Searches that were not easy and did without landmarks, and those that asked them, since landmarks were made or
    /// forgotten.
    searches: [Searches; 2],
    /// Whether some searches do without landmarks so that others can be compared with them, and which half does: both by
    /// turns, so that the same ways asked for again and again do not decide.
    is_trial: bool,
    half: u32,
    /// How many corners a search looked at on average without landmarks.
    without: usize,
    /// How many searches asked these landmarks.
    served: usize,
    /// How often they were forgotten one after the other without having paid.
    in_vain: u32,
}

/// How many searches there were, and how many corners they have looked at.
#[derive(Debug, Default)]
struct Searches {
    count: AtomicUsize,
    corners: AtomicUsize,
}

impl Searches {
    fn take(&mut self) -> usize {
        core::mem::take(self).count.into_inner()
    }

    fn count(&mut self) -> usize {
        *self.count.get_mut()
    }

    fn corners(&mut self) -> usize {
        *self.corners.get_mut()
    }

    fn mean(&mut self) -> usize {
        self.corners() / self.count().max(1)
    }
}

impl Clone for Searches {
    fn clone(&self) -> Self {
        let [count, corners] = [&self.count, &self.corners].map(|number| number.load(Ordering::Relaxed).into());
        Self { count, corners }
    }
}

impl Clone for Upkeep {
    fn clone(&self) -> Self {
        Self { searches: self.searches.clone(), ..*self }
    }
}

impl Upkeep {
    /// Notes how many corners a search has looked at, and whether it has asked landmarks.
    #[inline]
    pub(crate) fn note(&self, corners: u64, has_asked: bool) {
        if corners > EASY {
            let searches = &self.searches[usize::from(has_asked)];
            searches.count.fetch_add(1, Ordering::Relaxed);
            searches.corners.fetch_add(corners as usize, Ordering::Relaxed);
        }
    }

    /// Whether a search is to ask landmarks. Where they are on trial, half of the searches do not; which, depends on
    /// their ends and on how often advice was asked for, not on their order.
    pub(crate) const fn may_ask(&self, from: Cell, to: Cell) -> bool {
        let ends = from.x.wrapping_mul(3) ^ from.y.wrapping_mul(5) ^ to.x.wrapping_mul(7) ^ to.y.wrapping_mul(11);
        !self.is_trial || ends.wrapping_mul(0x9e37_79b9) >> 31 == self.half
    }

    /// What to do, given how many landmarks there are and what one costs, in corners that could be looked at in that
    /// time.
    pub(crate) fn advice(&mut self, landmarks: usize, cost: usize) -> Advice {
        let [without, with] = &mut self.searches;
        // The harder searches are, the surer landmarks pay.
        let patience = |mean: usize| ((SURE / mean.max(1)).clamp(1, 4) * PATIENCE) << self.in_vain;
        let is_paid = |searches: &mut Searches, landmarks: usize| {
            searches.corners() >= patience(searches.mean()).saturating_mul(landmarks * cost)
        };
        match landmarks {
            0 if without.mean() >= HARD && is_paid(without, FIRST) => {
                (self.is_trial, self.without) = (true, without.mean());
            }
            1..FIRST => {}
            FIRST.. if self.is_trial => return self.judge(),
            FIRST.. if is_paid(with, 1) => {}
            _ => return Advice::Keep,
        }
        self.begin();
        Advice::Add
    }

    /// Ends the trial if it is clear whether landmarks pay. If they do not, they are to be forgotten.
    fn judge(&mut self) -> Advice {
        self.half ^= 1;
        let [without, with] = &mut self.searches;
        if without.count().min(with.count()) < TRIAL {
            return Advice::Keep;
        }
        let do_pay = with.mean() + with.mean() / 3 + ASKING < without.mean();
        self.begin();
        if do_pay {
            self.is_trial = false;
            return Advice::Keep;
        }
        self.end(false);
        Advice::Forget
    }

    /// Notes that an edit has voided all landmarks. If they have not paid, the next ones have to wait longer.
    pub(crate) fn forget(&mut self, landmarks: usize, cost: usize) {
        self.begin();
        self.end(self.served.saturating_mul(self.without) / 2 > landmarks * cost);
    }

    fn end(&mut self, have_paid: bool) {
        self.in_vain = if have_paid { 0 } else { (self.in_vain + 1).min(MOST_DOUBLED) };
        (self.served, self.is_trial) = (0, false);
    }

    /// Resets the counts.
    fn begin(&mut self) {
        self.searches[0].take();
        self.served += self.searches[1].take();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COST: usize = 100;

    /// Notes searches and asks for advice, until it is not to keep what there is. Returns it, and how many searches
    /// there were.
    fn until_advice(upkeep: &mut Upkeep, landmarks: usize, [without, with]: [u64; 2]) -> (Advice, usize) {
        for count in 0..100_000 {
            let has_asked = landmarks > 0 && upkeep.may_ask(Cell::new(count, 3), Cell::new(7, count / 3));
            upkeep.note(if has_asked { with } else { without }, has_asked);
            match upkeep.advice(landmarks, COST) {
                Advice::Keep => {}
                advice => return (advice, count as usize),
            }
        }
        (Advice::Keep, 100_000)
    }

    #[test]
    fn landmarks_are_made_when_searches_have_cost_more_and_one_by_one_where_they_pay() {
        for mean in [200, 1_000, 8_000] {
            let mut upkeep = Upkeep::default();
            let (advice, searches) = until_advice(&mut upkeep, 0, [mean, 0]);
            let spent = (searches + 1) * mean as usize;
            assert_eq!(advice, Advice::Add);
            assert!(spent >= PATIENCE * FIRST * COST && spent <= 4 * PATIENCE * FIRST * COST + mean as usize, "{mean}");
            for landmarks in 1..FIRST {
                assert_eq!(upkeep.advice(landmarks, COST), Advice::Add);
            }
            let (advice, _) = until_advice(&mut upkeep, FIRST, [mean, mean / 2]);
            assert_eq!(advice, Advice::Add, "{mean}");
            assert!(!upkeep.is_trial);
            let (advice, searches) = until_advice(&mut upkeep, FIRST + 1, [mean, mean / 2]);
            let spent = (searches + 1) * mean as usize / 2;
            assert!(advice == Advice::Add && spent >= PATIENCE * COST, "{mean} {spent}");
        }
    }

    #[test]
    fn where_searches_are_easy_or_landmarks_do_not_pay_fewer_and_fewer_are_made() {
        assert_eq!(until_advice(&mut Upkeep::default(), 0, [EASY, 0]).0, Advice::Keep);
        assert_eq!(until_advice(&mut Upkeep::default(), 0, [HARD as u64 - 1, 0]).0, Advice::Keep);
        let (mut upkeep, mut waits) = (Upkeep::default(), Vec::new());
        for _ in 0..5 {
            let (advice, searches) = until_advice(&mut upkeep, 0, [500, 0]);
            assert_eq!(advice, Advice::Add);
            waits.push(searches);
            let (advice, searches) = until_advice(&mut upkeep, FIRST, [500, 400]);
            assert_eq!(advice, Advice::Forget);
            assert!((2 * TRIAL..20 * TRIAL).contains(&searches), "{searches}");
        }
        assert!(waits.windows(2).all(|pair| pair[1] > 2 * pair[0] - 4), "{waits:?}");
    }

    #[test]
    fn landmarks_that_edits_void_at_once_wait_longer_and_those_that_have_paid_do_not() {
        let mut upkeep = Upkeep::default();
        let (_, first) = until_advice(&mut upkeep, 0, [500, 0]);
        upkeep.forget(FIRST, COST);
        let (_, second) = until_advice(&mut upkeep, 0, [500, 0]);
        assert!(second > 2 * first - 4, "{first} {second}");
        until_advice(&mut upkeep, FIRST, [500, 100]);
        (0..50).for_each(|_| upkeep.note(100, true));
        upkeep.forget(FIRST, COST);
        assert_eq!(until_advice(&mut upkeep, 0, [500, 0]).1, first);
    }
}
