//! What an edit does about stored scans that may have seen it, given what was searched for since the last edit.
//!
//! - *Expire*: find out which scans saw it. Always right; takes longer than a few searches on a small map.
//! - *Forget*: make everything stale. Then searches scan for themselves and store nothing until there are more of them
//!   between two edits. For small maps with few searches between edits.
//! - *Leave*: leave that to the first edit after a search of another kind. For edits with only taut searches between
//!   them, which read no stored scans; after too many of these edits, forget.

use crate::shared::Count;

/// On a small map, the scans of fewer searches than this between two edits are not worth storing.
const MIN_SEARCHES: usize = 3;

/// Scans are forgotten after this many consecutive edits with few searches between them, provided there was at least
/// one such edit per `FORGOTTEN` corners: forgetting that many takes some microseconds. Making a map counts as an edit.
const RESTLESS: usize = 2;
const FORGOTTEN: usize = 256;

/// After this many consecutive edits with only taut searches between them, edits are left for later, but at most
/// `MAX_LEFT` of them.
const TAUT_ONLY: usize = 2;
const MAX_LEFT: usize = 32;

/// What an edit does about scans that may have seen it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Do {
    Expire,
    Forget,
    Leave,
}

/// Whether the edits of a map have been restless or taut so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct EditPolicy {
    /// Whether the map is small enough to do without stored scans.
    is_small: bool,
    /// How many consecutive edits had few searches between them.
    restless: usize,
    /// How many consecutive edits had taut searches between them, or followed `TAUT_ONLY` of these, and no others.
    taut_only: usize,
}

impl EditPolicy {
    /// For a map that has just been made.
    pub(super) const fn new(is_small: bool) -> Self {
        Self { is_small, restless: RESTLESS - 1, taut_only: 0 }
    }

    /// What an edit does, given the searches since the last one and the number of corners after it.
    pub(super) fn after_edit(&mut self, seen: Seen, corners: usize) -> Do {
        self.restless = if seen.are_few() { self.restless + 1 } else { 0 };
        let is_taut = seen.is_taut || self.taut_only >= TAUT_ONLY;
        self.taut_only = if seen.count > 0 { 0 } else { self.taut_only + usize::from(is_taut) };
        let is_restless = self.is_small && self.restless >= RESTLESS && self.restless * FORGOTTEN >= corners;
        if is_restless || self.taut_only >= TAUT_ONLY + MAX_LEFT {
            Do::Forget
        } else if self.taut_only >= TAUT_ONLY {
            Do::Leave
        } else {
            Do::Expire
        }
    }
}

/// The searches since the last edit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Seen {
    /// How many there were, apart from taut ones.
    pub(super) count: usize,
    /// Whether there were taut ones.
    pub(super) is_taut: bool,
}

impl Seen {
    /// Whether they are too few for their scans to be worth storing on a small map.
    pub(super) const fn are_few(self) -> bool {
        self.count < MIN_SEARCHES
    }
}

/// Counts searches, on any thread.
#[derive(Clone, Debug, Default)]
pub(crate) struct Searches {
    count: Count,
    taut: Count,
}

impl Searches {
    /// Records a search that is not taut.
    #[inline]
    pub(crate) fn note(&self) {
        self.count.add(1);
    }

    /// Records a taut search.
    pub(crate) fn note_taut(&self) {
        self.taut.add(1);
    }

    /// Those so far.
    pub(super) fn seen(&self) -> Seen {
        Seen { count: self.count.get(), is_taut: self.taut.get() > 0 }
    }

    /// Those so far; starts over.
    pub(super) fn take(&mut self) -> Seen {
        core::mem::take(self).seen()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEARCHES: [Seen; 4] = [seen(0), seen(1), seen(2), seen(3)];
    const TAUT: Seen = Seen { count: 0, is_taut: true };

    const fn seen(count: usize) -> Seen {
        Seen { count, is_taut: false }
    }

    fn decisions<const N: usize>(policy: &mut EditPolicy, corners: usize, seen: [Seen; N]) -> [Do; N] {
        seen.map(|seen| policy.after_edit(seen, corners))
    }

    #[test]
    fn a_small_map_forgets_while_few_searches_come_between_edits() {
        let mut policy = EditPolicy::new(true);
        let [none, one, two, three] = SEARCHES;
        let all = decisions(&mut policy, 500, [none, two, three, one, one, three]);
        assert_eq!(all, [Do::Forget, Do::Forget, Do::Expire, Do::Expire, Do::Forget, Do::Expire]);
    }

    #[test]
    fn many_corners_are_forgotten_only_after_many_edits() {
        let mut policy = EditPolicy::new(true);
        let all = [(); 20].map(|()| policy.after_edit(SEARCHES[1], 10 * FORGOTTEN));
        assert_eq!(all.iter().position(|one| *one == Do::Forget), Some(8), "the tenth with the making of the map");
        assert!(all[8..].iter().all(|one| *one == Do::Forget));
    }

    #[test]
    fn a_large_map_forgets_nothing_for_lack_of_searches() {
        let mut policy = EditPolicy::new(false);
        assert!([SEARCHES[0]; 99].iter().all(|seen| policy.after_edit(*seen, 3) == Do::Expire));
    }

    #[test]
    fn edits_among_taut_searches_are_left_until_there_is_another_search_or_too_many_of_them() {
        for searches in &SEARCHES[1..] {
            let mut policy = EditPolicy::new(false);
            let all = decisions(&mut policy, 9, [TAUT, SEARCHES[0], TAUT, SEARCHES[0], *searches, TAUT, TAUT]);
            assert_eq!(all, [Do::Expire, Do::Expire, Do::Leave, Do::Leave, Do::Expire, Do::Expire, Do::Leave]);
            let left = (1..99).find(|_| policy.after_edit(TAUT, 9) == Do::Forget);
            assert_eq!(left, Some(MAX_LEFT), "one was left before");
            assert_eq!(decisions(&mut policy, 9, [TAUT, SEARCHES[0], *searches]), [Do::Forget, Do::Forget, Do::Expire]);
        }
    }
}
