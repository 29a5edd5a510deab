//! The pairs of the last step, and how those of this step differ from them.

use alloc::vec::Vec;
use core::cmp::Ordering::{Equal, Greater, Less};
use core::mem::{replace, take};

use crate::error::Corruption;
use crate::memory::{clone_by_field, clone_nothing};
use crate::radix::sort_pairs;
use crate::random::STEP;
use crate::storage::Marked;

/// Two ids as one number, the lower one in the upper half: numbers are in the order of pairs.
pub(super) type Pair = u64;

/// How far ahead in the list of the last walk, and how far back, a pair is looked for. More: a few more are found at
/// once. Fewer: more are put aside and sorted.
const REACH: usize = 12;

/// After this many successive pairs that were not found, a walk looks farther ahead: perhaps a block of pairs has gone.
const LOST: usize = 16;

/// It then looks this many times as far ahead as it has come. More: it finds its place again sooner. Fewer: less to
/// look at if all pairs have changed.
const FAR: usize = 8;

/// Changes since the last walk are worked into its list when it is no more than this many times as long, besides some
/// that can always wait. More: this is done more often. Fewer: it takes longer when it is done.
const FEWER: usize = 8;
const ROOM: usize = 1024;

/// Bits for each pair that is marked. More: fewer others share a mark. Fewer: less memory to look into.
const MARKS: usize = 64;

/// The pairs that met in the last step.
///
/// The plain way to find what began and ended is to list all pairs in order each step and to compare the lists. But a
/// walk over all pairs meets them in its own order, and that is nearly the same each time. So the list of the last walk
/// is kept in that order, and this one's pairs are compared with it as they come: nearly always the next one is the
/// next of the list. What is not found near its place is put aside, and so is what was skipped in the list. At the
/// end both are sorted and compared: a pair in both has only moved; the others began or ended.
///
/// Steps in which little changes only note their differences, in the same two lists: the next walk compares them too.
#[derive(Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct LastPairs {
    /// In the order of the last walk.
    walked: Vec<Pair>,
    /// What began and what ended between the last walk and the last step, as often as it did.
    since: Differences,
    /// What began and what ended in the last step, both in order.
    last: Differences,
    #[cfg_attr(feature = "serde", serde(skip))]
    spare: Spare,
}

clone_by_field!([] LastPairs { walked, since, last, spare });

/// Pairs that began and pairs that ended.
#[derive(Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Differences {
    pub(super) begun: Vec<Pair>,
    pub(super) ended: Vec<Pair>,
}

clone_by_field!([] Differences { begun, ended });

/// Memory to use again.
#[derive(Debug, Default)]
struct Spare {
    met: Vec<Pair>,
    aside: Differences,
    sorting: Vec<Pair>,
    marks: Marks,
    /// How many pairs the last walk had to sort.
    #[cfg(test)]
    put_aside: usize,
}

clone_nothing!([] Spare);

/// One bit for each of some pairs, and for few others: a look at it spares most searches.
#[derive(Debug, Default)]
struct Marks(Vec<u64>);

impl Marks {
    /// Marks these pairs and no longer those of before.
    fn set(&mut self, pairs: &[Pair]) {
        self.0.clear();
        self.0.resize((MARKS * pairs.len()).next_power_of_two().div_ceil(u64::BITS as usize), 0);
        for &pair in pairs {
            let (word, bit) = self.place(pair);
            self.0[word] |= bit;
        }
    }

    #[inline]
    fn may_have(&self, pair: Pair) -> bool {
        let (word, bit) = self.place(pair);
        self.0[word] & bit != 0
    }

    /// There are a power of two of words.
    #[inline]
    fn place(&self, pair: Pair) -> (usize, u64) {
        let number = (pair.wrapping_mul(STEP) >> 32) as usize;
        ((number / u64::BITS as usize) & (self.0.len() - 1), 1 << (number % u64::BITS as usize))
    }
}

#[inline]
pub(super) fn pack(a: u32, b: u32) -> Pair {
    u64::from(a.min(b)) << 32 | u64::from(a.max(b))
}

#[inline]
pub(super) fn unpack(pair: Pair) -> (u32, u32) {
    ((pair >> 32) as u32, pair as u32)
}

/// What one of two sorted lists has more often than the other, as often as that is.
fn compare(one: &[Pair], other: &[Pair], mut in_one: impl FnMut(Pair), mut in_other: impl FnMut(Pair)) {
    let (mut left, mut right) = (0, 0);
    while let (Some(&a), Some(&b)) = (one.get(left), other.get(right)) {
        match a.cmp(&b) {
            Less => in_one(a),
            Equal => {}
            Greater => in_other(b),
        }
        (left, right) = (left + usize::from(a <= b), right + usize::from(b <= a));
    }
    one[left..].iter().for_each(|&pair| in_one(pair));
    other[right..].iter().for_each(|&pair| in_other(pair));
}

impl Differences {
    fn clear(&mut self) {
        self.begun.clear();
        self.ended.clear();
    }

    fn sort(&mut self, spare: &mut Vec<Pair>) {
        sort_pairs(&mut self.begun, spare);
        sort_pairs(&mut self.ended, spare);
    }

    /// What this amounts to, in order, once it is sorted: a pair that began and ended did neither.
    fn net(&self, into: &mut Self) {
        compare(&self.begun, &self.ended, |pair| into.begun.push(pair), |pair| into.ended.push(pair));
    }
}

/// A walk over all pairs, each met once, in any order.
pub(super) struct Walk<'l> {
    /// The pairs of the last walk, and how many of them have been found or skipped.
    last: &'l [Pair],
    next: usize,
    /// All that have been met.
    met: Vec<Pair>,
    /// Those that were not found near their place, and those that were skipped.
    aside: Differences,
    /// How many successive pairs have not been found.
    lost: usize,
}

impl Walk<'_> {
    /// Forgets what has been met.
    pub(super) fn restart(&mut self) {
        (self.next, self.lost) = (0, 0);
        self.met.clear();
        self.aside.clear();
    }

    #[inline]
    pub(super) fn meet(&mut self, pair: Pair) {
        self.met.push(pair);
        if self.last.get(self.next) == Some(&pair) {
            (self.next, self.lost) = (self.next + 1, 0);
        } else {
            self.search(self.met.len() - 1);
        }
    }

    /// Meets some pairs: whole runs of them are compared at once.
    #[inline]
    pub(super) fn meet_all(&mut self, pairs: &[[u32; 2]]) {
        let mut at = self.met.len();
        self.met.extend(pairs.iter().map(|&[a, b]| pack(a, b)));
        while at < self.met.len() {
            let (rest, met) = (&self.last[self.next..], &self.met[at..]);
            let same = met.iter().zip(rest).take_while(|(one, other)| one == other).count();
            (self.next, at) = (self.next + same, at + same);
            self.lost = if same > 0 { 0 } else { self.lost };
            if at < self.met.len() {
                self.search(at);
                at += 1;
            }
        }
    }

    /// Searches a pair that is not the next one of the list.
    #[inline(never)]
    fn search(&mut self, at: usize) {
        let pair = self.met[at];
        if let Some(at) = self.ahead(at) {
            self.aside.ended.extend_from_slice(&self.last[self.next..][..at]);
            (self.next, self.lost) = (self.next + at + 1, 0);
        } else if !self.was_passed(pair) {
            self.aside.begun.push(pair);
            self.lost += 1;
        }
    }

    /// How far ahead a pair is, if it is near. After several that were not, it is looked for now and then, each time
    /// farther away, and together with the pair before it.
    fn ahead(&self, at: usize) -> Option<usize> {
        let (rest, pair) = (&self.last[self.next..], self.met[at]);
        if self.lost < LOST {
            return rest.iter().take(REACH).position(|&ahead| ahead == pair);
        }
        let far = &rest[..rest.len().min(if self.lost.is_power_of_two() { FAR * self.lost } else { 0 })];
        let before = self.met[at - 1];
        far.windows(2).position(|two| (two[0] == before) & (two[1] == pair)).map(|at| at + 1)
    }

    /// Whether a pair has just been skipped; if so, forgets it.
    fn was_passed(&mut self, pair: Pair) -> bool {
        let passed = &mut self.aside.ended;
        let recent = passed.len().saturating_sub(if self.lost < LOST { REACH } else { 0 });
        let found = passed[recent..].iter().position(|&passed| passed == pair);
        found.is_some_and(|at| passed.swap_remove(recent + at) == pair)
    }
}

/// # A step
impl LastPairs {
    /// Compares all pairs that `walk` meets with those of the last step. If ids that have `gone` since then are in use
    /// again, their pairs have ended nonetheless.
    pub(super) fn walk(&mut self, gone: Option<&Marked>, walk: impl FnOnce(&mut Walk<'_>)) {
        self.last.clear();
        gone.into_iter().for_each(|gone| self.drop_gone(gone));
        let Self { walked, since, last, spare } = self;
        let mut walking =
            Walk { last: walked, next: 0, met: take(&mut spare.met), aside: take(&mut spare.aside), lost: 0 };
        walk(&mut walking);
        let Walk { next, met, mut aside, .. } = walking;
        aside.ended.extend_from_slice(&walked[next..]);
        // What ended since the last walk, and was met or skipped like the rest of its list, begins again or has
        // not ended now; the other way around for what began.
        aside.begun.append(&mut since.ended);
        aside.ended.append(&mut since.begun);
        #[cfg(test)]
        {
            spare.put_aside = aside.begun.len() + aside.ended.len();
        }
        aside.sort(&mut spare.sorting);
        aside.net(last);
        last.ended.sort_unstable();
        aside.clear();
        (spare.met, spare.aside) = (replace(walked, met), aside);
        spare.met.clear();
    }

    /// Ends the pairs of ids that have gone.
    fn drop_gone(&mut self, gone: &Marked) {
        self.fold();
        self.walked.retain(|&pair| {
            let ends = has_gone(gone, pair);
            if ends {
                self.last.ended.push(pair);
            }
            !ends
        });
    }

    /// Notes what `find` finds to have begun and ended. What has ended and begun again is in both lists.
    pub(super) fn note(&mut self, find: impl FnOnce(&mut Differences)) {
        let Self { walked, since, last, spare } = self;
        last.clear();
        find(last);
        last.sort(&mut spare.sorting);
        since.begun.extend_from_slice(&last.begun);
        since.ended.extend_from_slice(&last.ended);
        if since.begun.len() + since.ended.len() > ROOM + walked.len() / FEWER {
            self.fold();
        }
    }

    /// Works what began and ended since the last walk into its list.
    fn fold(&mut self) {
        let Self { walked, since, spare, .. } = self;
        let Spare { aside, marks, sorting, .. } = spare;
        since.sort(sorting);
        since.net(aside);
        marks.set(&aside.ended);
        walked.retain(|&pair| !marks.may_have(pair) || aside.ended.binary_search(&pair).is_err());
        walked.append(&mut aside.begun);
        aside.clear();
        since.clear();
    }
}

#[inline]
fn has_gone(gone: &Marked, pair: Pair) -> bool {
    let (a, b) = unpack(pair);
    gone.contains(a) || gone.contains(b)
}

/// # Looking inside
impl LastPairs {
    /// How many pairs the list of the last walk has.
    pub(super) fn len(&self) -> usize {
        self.walked.len()
    }

    /// How many pairs the last walk had to sort.
    #[cfg(test)]
    pub(super) fn put_aside(&self) -> usize {
        self.spare.put_aside
    }

    /// What began and what ended in the last step, both in order.
    pub(super) fn last(&self) -> [&[Pair]; 2] {
        [&self.last.begun, &self.last.ended]
    }

    /// The pairs as of the last step, in order, but for those with ids that have `gone` since then; with or without
    /// those that began in the last step.
    pub(super) fn list(&self, gone: &Marked, with_new: bool) -> Vec<Pair> {
        let mut all = Differences { begun: self.walked.clone(), ended: self.since.ended.clone() };
        all.begun.extend_from_slice(&self.since.begun);
        if !with_new {
            all.ended.extend_from_slice(&self.last.begun);
        }
        all.sort(&mut Vec::new());
        let mut list = Vec::new();
        compare(&all.begun, &all.ended, |pair| list.push(pair), |_| ());
        list.retain(|&pair| !has_gone(gone, pair));
        list
    }

    /// Checks that no pair is listed twice, and that none has ended that was not there. Returns all pairs, in order.
    #[inline]
    pub(super) fn validate(&self) -> Result<Vec<Pair>, Corruption> {
        let listed = self.list(&Marked::new(), true);
        let counted = (self.walked.len() + self.since.begun.len()).checked_sub(self.since.ended.len());
        let is_sound = counted == Some(listed.len()) && listed.is_sorted_by(|one, other| one < other);
        Corruption::unless(is_sound && self.last.begun.is_sorted(), || "a contact is listed twice".into())?;
        Ok(listed)
    }
}

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeSet;

    use super::*;

    fn walk(pairs: &mut LastPairs, all: &[Pair]) {
        pairs.walk(None, |walk| all.iter().for_each(|&pair| walk.meet(pair)));
    }

    /// Walks whose order is shuffled, cut and moved about, and notes between them.
    #[test]
    fn what_began_and_ended_is_the_difference_of_sets() {
        let mut random = fastrand::Rng::with_seed(1);
        let (mut pairs, mut last, mut order) = (LastPairs::default(), BTreeSet::new(), Vec::new());
        for step in 0..600 {
            let before = last.clone();
            let pair = |random: &mut fastrand::Rng| pack(random.u32(..60), 60 + random.u32(..60));
            for _ in 0..[0, 3, 40, 3000][random.usize(..4)] {
                let pair = pair(&mut random);
                if !last.remove(&pair) {
                    last.insert(pair);
                }
            }
            let [begun, ended] =
                [(&last, &before), (&before, &last)].map(|(one, other)| one.difference(other).copied());
            let (begun, ended): (Vec<_>, Vec<_>) = (begun.collect(), ended.collect());
            if random.u32(..3) == 0 {
                pairs.note(|found| {
                    found.begun.extend_from_slice(&begun);
                    found.ended.extend_from_slice(&ended);
                });
            } else {
                order.retain(|pair| last.contains(pair));
                let known: BTreeSet<Pair> = order.iter().copied().collect();
                let new = last.difference(&known).copied();
                for pair in new.collect::<Vec<_>>() {
                    order.insert(random.usize(..=order.len()), pair);
                }
                match random.u32(..4) {
                    0 => random.shuffle(&mut order),
                    1 if !order.is_empty() => order.rotate_left(random.usize(..last.len())),
                    _ => {}
                }
                walk(&mut pairs, &order);
            }
            assert_eq!(pairs.last(), [&begun[..], &ended], "step {step}");
            assert_eq!(pairs.validate(), Ok(last.iter().copied().collect()));
            assert!(pairs.list(&Marked::new(), false).into_iter().eq(before.intersection(&last).copied()));
        }
    }

    #[test]
    fn a_walk_finds_its_place_again_after_a_block_has_gone_or_come() {
        let all: Vec<Pair> = (0..20_000).map(|k| pack(k, k + 1)).collect();
        let mut pairs = LastPairs::default();
        walk(&mut pairs, &all);
        let without: Vec<Pair> = all.iter().copied().filter(|pair| !(6000..9000).contains(&unpack(*pair).0)).collect();
        walk(&mut pairs, &without);
        assert!((3000..4500).contains(&pairs.put_aside()), "{}", pairs.put_aside());
        walk(&mut pairs, &all);
        assert_eq!(pairs.put_aside(), 3000);
    }

    #[test]
    fn validation_finds_pairs_that_are_listed_twice_or_were_never_there() {
        let mut pairs = LastPairs::default();
        walk(&mut pairs, &[pack(1, 2), pack(3, 4)]);
        assert_eq!(pairs.validate(), Ok(alloc::vec![pack(1, 2), pack(3, 4)]));
        type Break = fn(&mut LastPairs);
        let breaks: [Break; 4] = [
            |pairs| pairs.walked.push(pack(1, 2)),
            |pairs| pairs.since.begun.push(pack(1, 2)),
            |pairs| pairs.since.ended.push(pack(5, 6)),
            |pairs| pairs.last.begun.reverse(),
        ];
        for (which, harm) in breaks.into_iter().enumerate() {
            let mut pairs = pairs.clone();
            harm(&mut pairs);
            assert!(pairs.validate().is_err(), "break {which}");
        }
    }
}
