//! When landmarks of corners are made and dropped automatically.
//!
//! Landmarks cost time to make, and each search that uses them scans around its goal and does more work per corner.
//! They pay if searches without them examine many corners: in mazes, noise and rooms, and on long detours around
//! walls. So searches count the corners that they examine. When these have cost many times as much as a few landmarks
//! with a trial, those landmarks are made. Then half of the searches, chosen by their ends, do without them, until it
//! is clear whether the others examine far fewer corners. If not, the landmarks are dropped, and the next ones have to
//! wait twice as long. If so, more are made one by one, as long as all of them cost no more than half of what they have
//! saved.
//!
//! So landmarks that do not pay never cost more than a small part of the time of the searches before them, however
//! often they are tried.
//!
//! Searches only count, and the counts do not depend on their order: what is made depends only on the calls, with any
//! number of threads.

use crate::grid::Cell;
use crate::shared::Count;

/// Searches that examine no more corners than this are easy: they do not use landmarks.
pub(crate) const EASY: u64 = 16;
/// How many landmarks are made at first: one on each side of the map.
const FIRST: usize = 4;
/// How many corners a search must examine on average for landmarks to be tried: below that, they save no more than it
/// costs to use them.
const HARD: usize = 512;
/// How many searches with landmarks, and how many without, are compared to see whether they pay.
const TRIAL: usize = 128;
/// The cost of using landmarks, in corners that could be examined in that time: once per search, and for its corners.
const ASKING: usize = 32;

const fn asking(corners: usize) -> usize {
    corners * 2 / 5
}

/// Searches must have cost this many times as much as the first landmarks and their trial: what is wasted then
/// takes one part in this many. With a lower value, more is lost if landmarks do not pay; with a higher one, they
/// come later if they do.
const PATIENCE: usize = 24;
/// How often the patience may double.
const MAX_DOUBLED: u32 = 10;
/// One part in this many of what landmarks have saved may be spent on more.
const SAVED: usize = 2;

/// Whether landmarks are to be made or dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Advice {
    Keep,
    Add,
    Forget,
}

/// The measurement of whether landmarks pay.
#[derive(Clone, Debug, Default)]
pub(crate) struct Upkeep {
    /// Searches that were not easy, without landmarks and with them, since landmarks were made or dropped.
    searches: [Searches; 2],
    /// Whether half of the searches do without landmarks for comparison.
    is_trial: bool,
    /// Which half does. The halves take turns, so that a few paths requested repeatedly do not decide.
    half: u32,
    /// How many corners a search examined on average in the trial, without landmarks and with them.
    trial: [usize; 2],
    /// What these landmarks have saved since, in corners, less the cost of using them.
    saved: usize,
    /// How often in succession they were dropped without having paid.
    in_vain: u32,
}

/// How many searches there were, and how many corners they examined.
#[derive(Clone, Debug, Default)]
struct Searches {
    count: Count,
    corners: Count,
}

impl Searches {
    fn mean(&self) -> usize {
        self.corners.get() / self.count.get().max(1)
    }
}

impl Upkeep {
    /// Records how many corners a search has examined, and whether it has used landmarks.
    #[inline]
    pub(crate) fn note(&self, corners: u64, has_asked: bool) {
        if corners > EASY {
            let searches = &self.searches[usize::from(has_asked)];
            searches.count.add(1);
            searches.corners.add(corners as usize);
        }
    }

    /// Whether a search is to use landmarks. In a trial, half of the searches, chosen by a hash of their ends, do not; the
    /// halves change places with each advice, whatever the order of searches.
    pub(crate) const fn may_ask(&self, from: Cell, to: Cell) -> bool {
        let ends = from.x.wrapping_mul(3) ^ from.y.wrapping_mul(5) ^ to.x.wrapping_mul(7) ^ to.y.wrapping_mul(11);
        !self.is_trial || ends.wrapping_mul(0x9e37_79b9) >> 31 == self.half
    }

    /// What to do, given how many landmarks there are and what one costs, in corners that could be examined in that
    /// time.
    pub(crate) fn advice(&mut self, landmarks: usize, cost: usize) -> Advice {
        match landmarks {
            0 if self.is_trial_paid(cost) => self.is_trial = true,
            1..FIRST => {}
            FIRST.. if self.is_trial => return self.judge(),
            FIRST.. => {
                self.save();
                if self.saved / SAVED < (landmarks + 1).saturating_mul(cost) {
                    return Advice::Keep;
                }
            }
            _ => return Advice::Keep,
        }
        self.begin();
        Advice::Add
    }

    /// Whether searches are hard, and have cost so much that the first landmarks and their trial are affordable even if
    /// wasted.
    fn is_trial_paid(&self, cost: usize) -> bool {
        let without = &self.searches[0];
        let mean = without.mean();
        let trial = FIRST.saturating_mul(cost) + TRIAL.saturating_mul(ASKING + asking(mean));
        mean >= HARD && without.corners.get() >= (PATIENCE << self.in_vain).saturating_mul(trial)
    }

    /// Ends the trial once it is clear whether landmarks pay, and advises to drop them if they do not.
    fn judge(&mut self) -> Advice {
        self.half ^= 1;
        let [without, with] = &self.searches;
        if without.count.get().min(with.count.get()) < TRIAL {
            return Advice::Keep;
        }
        self.trial = [without.mean(), with.mean()];
        let do_pay = self.trial[1] + asking(self.trial[1]) + ASKING < self.trial[0];
        self.begin();
        if do_pay {
            self.is_trial = false;
            return Advice::Keep;
        }
        self.end(false);
        Advice::Forget
    }

    /// Adds what the searches since have saved: without landmarks they would have examined more corners by the same
    /// factor as in the trial.
    fn save(&mut self) {
        let ([without, with], searches) = (self.trial, &mut self.searches[1]);
        let (count, corners) = (searches.count.get(), searches.corners.get());
        let otherwise = corners.saturating_mul(without) / with.max(1);
        *searches = Searches::default();
        self.saved += otherwise.saturating_sub(corners + asking(corners) + count * ASKING);
    }

    /// Records that an edit has voided all landmarks. If they have not paid, the next ones have to wait longer.
    pub(crate) fn forget(&mut self, landmarks: usize, cost: usize) {
        if !self.is_trial {
            self.save();
        }
        let have_paid = self.saved > landmarks.saturating_mul(cost);
        self.begin();
        self.end(have_paid);
    }

    fn end(&mut self, have_paid: bool) {
        self.in_vain = if have_paid { 0 } else { (self.in_vain + 1).min(MAX_DOUBLED) };
        (self.saved, self.is_trial, self.trial) = (0, false, [0; 2]);
    }

    /// Resets the counts.
    fn begin(&mut self) {
        self.searches.iter_mut().for_each(|searches| *searches = Searches::default());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Landmarks while a map is queried, and the total cost, in corners.
    struct Played {
        upkeep: Upkeep,
        cost: usize,
        landmarks: usize,
        /// How many were made.
        made: usize,
        searches: u32,
        /// The cost without landmarks, and with those that were made.
        plain: usize,
        all: usize,
        /// The greatest extra cost so far, relative to the cost without landmarks.
        worst: f64,
    }

    impl Played {
        fn new(cost: usize) -> Self {
            let upkeep = Upkeep::default();
            Self { upkeep, cost, landmarks: 0, made: 0, searches: 0, plain: 0, all: 0, worst: 0.0 }
        }

        /// Runs searches that examine these numbers of corners, without landmarks and with them; requests advice after
        /// each.
        fn play(&mut self, searches: u32, [without, with]: [usize; 2]) {
            for _ in 0..searches {
                let (from, to) = (Cell::new(self.searches, 3), Cell::new(7, self.searches / 3));
                let has_asked = self.landmarks > 0 && self.upkeep.may_ask(from, to);
                self.upkeep.note(if has_asked { with } else { without } as u64, has_asked);
                self.all += if has_asked { with + asking(with) + ASKING } else { without };
                self.plain += without;
                self.searches += 1;
                match self.upkeep.advice(self.landmarks, self.cost) {
                    Advice::Forget => self.landmarks = 0,
                    Advice::Add if self.landmarks < 32 => {
                        self.landmarks += 1;
                        self.made += 1;
                        self.all += self.cost;
                    }
                    Advice::Keep | Advice::Add => {}
                }
                self.worst = self.worst.max(self.all as f64 / self.plain as f64 - 1.0);
            }
        }

        fn edit(&mut self) {
            if self.landmarks > 0 {
                self.upkeep.forget(self.landmarks, self.cost);
                self.landmarks = 0;
            }
        }
    }

    #[test]
    fn landmarks_that_do_not_pay_cost_a_twentieth_of_the_searches_at_most_and_are_made_less_and_less_often() {
        for (cost, mean) in
            [100, 3_000, 80_000].into_iter().flat_map(|cost| [HARD, 2_000, 30_000].map(|mean| (cost, mean)))
        {
            for with in [mean, mean * 3 / 4] {
                let mut played = Played::new(cost);
                for _ in 0..4 {
                    let before = (played.made, played.searches);
                    while played.made == before.0 || played.landmarks > 0 {
                        played.play(1, [mean, with]);
                    }
                    assert_eq!(played.made, before.0 + FIRST, "{cost} {mean} {with}");
                    assert!(played.searches - before.1 >= before.1 / 2, "{cost} {mean} {with}");
                }
                assert!(played.worst > 0.003 && played.worst <= 0.05, "{cost} {mean} {with}: {}", played.worst);
            }
        }
    }

    #[test]
    fn landmarks_that_edits_void_cost_a_twentieth_at_most_whether_or_not_they_would_have_paid() {
        for (cost, every) in
            [100, 3_000, 80_000].into_iter().flat_map(|cost| [1, 50, 700, 5_000].map(|every| (cost, every)))
        {
            let mut played = Played::new(cost);
            for round in 0..40_000 / every {
                played.play(every, if round % 3 == 0 { [700, 700] } else { [2_500, 900] });
                played.edit();
            }
            assert!(played.worst <= 0.05, "{cost} {every}: {}", played.worst);
            let has_gained = played.all < played.plain;
            assert!(has_gained || cost > 100 || every < 700, "{cost} {every}: {} {}", played.all, played.plain);
        }
    }

    #[test]
    fn where_landmarks_pay_more_are_made_out_of_what_they_save() {
        for (cost, mean) in [(3_000, HARD), (80_000, 1_000), (30_000, 20_000)] {
            let mut played = Played::new(cost);
            played.play(60_000, [mean, mean / 3]);
            assert_eq!(played.landmarks, 32, "{cost} {mean}");
            assert!(played.worst <= 0.05 && played.all < played.plain * 3 / 4, "{cost} {mean}: {}", played.worst);
            // Those that have paid are made again as soon as the first were.
            let first = PATIENCE * (FIRST * cost + TRIAL * (ASKING + asking(mean))) / mean;
            played.edit();
            played.play(first as u32 + 2, [mean, mean / 3]);
            assert!(played.landmarks > 0, "{cost} {mean}");
        }
    }

    #[test]
    fn where_searches_are_easy_none_are_made() {
        for mean in [EASY as usize, HARD - 1] {
            let mut played = Played::new(100);
            played.play(20_000, [mean, 1]);
            assert_eq!(played.made, 0, "{mean}");
        }
    }
}
