//! Rows of ids, side by side in one pool.

use alloc::vec::Vec;
use core::ops::Range;

use crate::error::Corruption;
use crate::storage::NONE;

/// For each id a row of other ids, each with a note. Rows are unordered: the last entry replaces a removed one.
///
/// A row has a slot of the pool with room for a power of two. When it is full, it moves to a slot twice as large; when
/// three quarters are empty, to a smaller one. Free slots are chained by size, through their first id, and reused
/// before the pool grows.
///
/// ```text
/// rows[id]  start, len, room          others  a b c ·  d e  · ·  f ·      notes  the same places
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Rows<N> {
    rows: Vec<Row>,
    others: Vec<u32>,
    notes: Vec<N>,
    /// By the binary logarithm of the room: the first free slot.
    free: [u32; SIZES],
}

/// Sizes of slots: a row has fewer than 2^31 ids.
const SIZES: usize = 32;

/// Where a row is. 16 bytes.
#[derive(Clone, Copy, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Row {
    start: u32,
    len: u32,
    /// A power of two, or 0: then there is no slot.
    room: u32,
    /// How many of the first ids have been met in this walk; 0 between walks.
    #[cfg_attr(feature = "serde", serde(skip))]
    met: u32,
}

impl Row {
    fn range(&self) -> Range<usize> {
        self.start as usize..self.start as usize + self.len as usize
    }

    fn slot(&self) -> Range<usize> {
        self.start as usize..(self.start as usize).saturating_add(self.room as usize)
    }
}

impl<N> Default for Rows<N> {
    fn default() -> Self {
        Self { rows: Vec::new(), others: Vec::new(), notes: Vec::new(), free: [NONE; SIZES] }
    }
}

impl<N: Copy + Default> Rows<N> {
    /// How many ids have a row, empty or not.
    pub(super) fn ids(&self) -> u32 {
        self.rows.len() as u32
    }

    /// Gives a row to each id below `limit`.
    pub(super) fn make_ids(&mut self, limit: usize) {
        if self.rows.len() < limit {
            self.rows.resize(limit, Row::default());
        }
    }

    /// Drops all rows and keeps the memory.
    pub(super) fn clear(&mut self) {
        self.rows.clear();
        self.others.clear();
        self.notes.clear();
        self.free = [NONE; SIZES];
    }

    pub(super) fn len(&self, id: u32) -> u32 {
        self.rows.get(id as usize).map_or(0, |row| row.len)
    }

    /// Ids whose rows are not empty.
    pub(super) fn filled(&self) -> impl Iterator<Item = u32> {
        (0..).zip(&self.rows).filter(|(_, row)| row.len > 0).map(|(id, _)| id)
    }

    pub(super) fn others(&self, id: u32) -> &[u32] {
        self.rows.get(id as usize).map_or(&[], |row| &self.others[row.range()])
    }

    #[inline]
    pub(super) fn get(&self, id: u32, at: u32) -> (u32, N) {
        let place = self.place(id, at);
        (self.others[place], self.notes[place])
    }

    #[inline]
    pub(super) fn note_mut(&mut self, id: u32, at: u32) -> &mut N {
        let place = self.place(id, at);
        &mut self.notes[place]
    }

    /// The ids of a row, and their notes.
    #[inline]
    pub(super) fn row_mut(&mut self, id: u32) -> (&[u32], &mut [N]) {
        let range = self.rows[id as usize].range();
        (&self.others[range.clone()], &mut self.notes[range])
    }

    /// The rows in order of ids: each id with the others and their notes.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, impl Iterator<Item = (u32, N)>)> {
        (0..).zip(&self.rows).map(|(id, row)| {
            let pairs = self.others[row.range()].iter().zip(&self.notes[row.range()]);
            (id, pairs.map(|(&other, &note)| (other, note)))
        })
    }

    fn place(&self, id: u32, at: u32) -> usize {
        self.rows[id as usize].start as usize + at as usize
    }

    /// Adds to a row that exists.
    pub(super) fn push(&mut self, id: u32, other: u32, note: N) {
        let Row { len, room, .. } = self.rows[id as usize];
        if len == room {
            self.relocate(id, (2 * room).max(1));
        }
        let place = self.place(id, len);
        (self.others[place], self.notes[place]) = (other, note);
        self.rows[id as usize].len += 1;
    }

    /// Removes the entry at a place of a row, to which the last one moves. The slot stays: see [`fit`](Self::fit).
    pub(super) fn swap_remove(&mut self, id: u32, at: u32) -> (u32, N) {
        let removed = self.get(id, at);
        let row = &mut self.rows[id as usize];
        row.len -= 1;
        let [start, len, at] = [row.start, row.len, at].map(|number| number as usize);
        self.others[start + at] = self.others[start + len];
        self.notes[start + at] = self.notes[start + len];
        removed
    }

    /// Gives up room that a row no longer needs.
    pub(super) fn fit(&mut self, id: u32) {
        let Row { len, room, .. } = self.rows[id as usize];
        if len <= room / 4 && room > 0 {
            self.relocate(id, room_for(len));
        }
    }

    /// Moves a row to a slot of this size.
    fn relocate(&mut self, id: u32, room: u32) {
        let row = self.rows[id as usize];
        let start = self.take(room);
        if row.len > 0 {
            self.others.copy_within(row.range(), start as usize);
            self.notes.copy_within(row.range(), start as usize);
        }
        if row.room > 0 {
            let first = &mut self.free[row.room.ilog2() as usize];
            self.others[row.start as usize] = core::mem::replace(first, row.start);
        }
        self.rows[id as usize] = Row { start, room, ..row };
    }

    /// Takes a free slot, or adds one to the pool.
    fn take(&mut self, room: u32) -> u32 {
        if room == 0 {
            return 0;
        }
        let first = &mut self.free[room.ilog2() as usize];
        if *first != NONE {
            return core::mem::replace(first, self.others[*first as usize]);
        }
        let start = self.others.len();
        self.others.resize(start + room as usize, NONE);
        self.notes.resize(start + room as usize, N::default());
        u32::try_from(start).expect("places are fewer than 2^32")
    }

    /// Drops all rows, and gives each id room for as many as `lens` says.
    pub(super) fn lay_out(&mut self, lens: &[u32]) {
        self.clear();
        let mut end = 0_u32;
        self.rows.extend(lens.iter().map(|&len| {
            if len == 0 {
                return Row::default();
            }
            let (start, room) = (end, room_for(len));
            end = end.checked_add(room).expect("places are fewer than 2^32");
            Row { start, room, ..Row::default() }
        }));
        self.others.resize(end as usize, NONE);
        self.notes.resize(end as usize, N::default());
    }
}

/// What a walk finds out about a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meeting {
    /// It was there.
    Known,
    /// It was not: all that was there has been met.
    New,
    /// It is not where it is expected.
    Unclear,
}

/// One walk over all pairs, in any order, that finds which of the ids in rows are still there.
///
/// Ids that have been met are the first of their row, in the order in which they were met. The next walk meets most of
/// them in the same order, and finds each where it looks first.
impl<N: Copy + Default> Rows<N> {
    /// Meets `other` in the row of `id`, each pair once a walk.
    #[inline]
    pub(super) fn meet(&mut self, id: u32, other: u32) -> Meeting {
        let row = &mut self.rows[id as usize];
        if row.met == row.len {
            return Meeting::New;
        }
        let expected = row.start as usize + row.met as usize;
        if self.others[expected] == other {
            row.met += 1;
            return Meeting::Known;
        }
        self.search(id, other)
    }

    #[inline(never)]
    fn search(&mut self, id: u32, other: u32) -> Meeting {
        let met = self.met(id);
        let rest = &self.others(id)[met as usize..];
        let ahead = (met..).zip(rest).take(REACH).find(|&(_, &listed)| listed == other);
        let Some((at, _)) = ahead else { return Meeting::Unclear };
        self.meet_at(id, at);
        Meeting::Known
    }

    /// Meets what is at a place of a row that has not been met.
    pub(super) fn meet_at(&mut self, id: u32, at: u32) {
        let [expected, found] = [self.place(id, self.met(id)), self.place(id, at)];
        self.others.swap(expected, found);
        self.notes.swap(expected, found);
        self.rows[id as usize].met += 1;
    }

    /// How many of the first ids of a row have been met.
    pub(super) fn met(&self, id: u32) -> u32 {
        self.rows[id as usize].met
    }

    /// Abandons a walk.
    pub(super) fn give_up(&mut self) {
        self.rows.iter_mut().for_each(|row| row.met = 0);
    }

    /// Ends the walk, and removes what it has not met. `missed` gets that.
    pub(super) fn end_walk(&mut self, mut missed: impl FnMut(u32, u32, N)) {
        for id in 0..self.ids() {
            let row = &mut self.rows[id as usize];
            let met = core::mem::take(&mut row.met);
            if met < row.len {
                let rest = row.range().start + met as usize..row.range().end;
                row.len = met;
                let pairs = self.others[rest.clone()].iter().zip(&self.notes[rest]);
                pairs.for_each(|(&other, &note)| missed(id, other, note));
                self.fit(id);
            }
        }
    }
}

/// How far ahead of the expected place a row is searched. More: a few more are found at once. Fewer: more are left for
/// the end of the walk, where they are sorted. Long rows must not be searched to their end.
const REACH: usize = 32;

/// The least power of two that is not less; 0 for 0.
fn room_for(len: u32) -> u32 {
    if len == 0 { 0 } else { len.next_power_of_two() }
}

impl<N: Copy + Default> Rows<N> {
    /// Every place of the pool is in one slot: that of a row or a free one. Follows no number that it has not checked,
    /// so it ends, and does not panic, whatever the rows say.
    pub(super) fn validate(&self) -> Result<(), Corruption> {
        let mut is_taken = alloc::vec![false; self.others.len()];
        let mut take = |slot: Range<usize>| {
            let places = is_taken.get_mut(slot.clone());
            let is_free = places.is_some_and(|places| places.iter_mut().all(|taken| !core::mem::replace(taken, true)));
            Corruption::unless(is_free, || alloc::format!("places {slot:?} are in no pool, or twice in use"))
        };
        for row in &self.rows {
            let has_room = row.len <= row.room && (row.room == 0 || row.room.is_power_of_two()) && row.met == 0;
            Corruption::unless(has_room, || alloc::format!("a bad row: {row:?}"))?;
            take(row.slot())?;
        }
        for (size, &first) in self.free.iter().enumerate() {
            let mut next = first;
            while next != NONE {
                take(next as usize..(next as usize).saturating_add(1 << size))?;
                next = self.others[next as usize];
            }
        }
        let is_whole = self.notes.len() == self.others.len() && is_taken.iter().all(|&taken| taken);
        Corruption::unless(is_whole, || "places of a pool that are neither in use nor free".into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::collections::BTreeMap;

    /// Eight rows and as many sets, through 20,000 pseudo-random steps.
    #[test]
    fn rows_hold_what_was_put_into_them() {
        let (mut rows, mut sets) = (Rows::<u32>::default(), alloc::vec![BTreeMap::new(); 8]);
        rows.make_ids(8);
        let mut random = fastrand::Rng::with_seed(1);
        for step in 0..20_000 {
            let id = random.u32(..8);
            let set = &mut sets[id as usize];
            // Long rows for a while, then short ones, then long ones again.
            if random.u32(..100) < if step / 4000 % 2 == 0 { 54 } else { 44 } {
                rows.push(id, step, 2 * step);
                set.insert(step, 2 * step);
            } else if rows.len(id) > 0 {
                let (other, note) = rows.swap_remove(id, random.u32(..rows.len(id)));
                assert_eq!(set.remove(&other), Some(note));
                rows.fit(id);
            }
            assert_eq!(rows.validate(), Ok(()));
            assert_eq!(rows.others(id).len(), set.len());
            assert!((0..rows.len(id)).map(|at| rows.get(id, at)).all(|(other, note)| set.get(&other) == Some(&note)));
        }
        assert!(rows.others.len() < 2000, "slots are taken again: {}", rows.others.len());
    }

    #[test]
    fn a_walk_finds_what_is_near_where_it_was_and_removes_the_rest() {
        let mut rows = Rows::default();
        rows.make_ids(2);
        (10..90).for_each(|other| rows.push(0, other, other));
        assert_eq!([10, 12, 11, 13].map(|other| rows.meet(0, other)), [Meeting::Known; 4]);
        assert_eq!(rows.meet(0, 89), Meeting::Unclear, "too far back");
        assert_eq!(rows.meet(1, 89), Meeting::New, "there was nothing");
        rows.give_up();
        assert_eq!(rows.validate(), Ok(()));
        assert_eq!([10, 12, 11, 13].map(|other| rows.meet(0, other)), [Meeting::Known; 4]);
        let mut missed = Vec::new();
        rows.end_walk(|id, other, note| missed.push((id, other, note)));
        assert_eq!(missed, (14..90).map(|other| (0, other, other)).collect::<Vec<_>>());
        assert_eq!(rows.others(0), [10, 12, 11, 13]);
        assert_eq!(rows.validate(), Ok(()));
    }

    #[test]
    fn validation_finds_slots_that_overlap_or_are_lost() {
        let sound = || {
            let mut rows = Rows::<u32>::default();
            rows.make_ids(2);
            (0..5).for_each(|other| rows.push(0, other, 0));
            rows.push(1, 7, 0);
            rows
        };
        assert_eq!(sound().validate(), Ok(()));
        type Break = fn(&mut Rows<u32>);
        let breaks: [Break; 8] = [
            |rows| rows.rows[1].start = rows.rows[0].start,
            |rows| rows.rows[0].start = u32::MAX,
            |rows| rows.rows[0].len = 9,
            |rows| rows.rows[0].room = 7,
            |rows| rows.rows[0].met = 1,
            |rows| rows.free[1] = NONE,
            |rows| rows.free[2] = 1,
            |rows| rows.notes.truncate(2),
        ];
        for (which, harm) in breaks.into_iter().enumerate() {
            let mut rows = sound();
            harm(&mut rows);
            assert!(rows.validate().is_err(), "break {which}");
        }
    }
}
