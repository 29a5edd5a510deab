//! Long lists from which ids are taken: cut into short buckets by a hash of the id.
//!
//! A plain list finds an id by a linear search. That is quick while lists are as long as leaves and cells are meant to
//! be, but 100,000 boxes in one spot share one list, and removing them one by one would compare half of 10^10 ids. So a
//! list in which an id was found far from the front is *cut*: an empty block replaces its head and leads to a directory
//! of buckets of some 32 ids, chosen by hash.
//!
//! ```text
//! head ──► ┌ next ┬ 0 ·  ·  ·  ·  · ┐ ──► ┌ next ┬ ·  ·  7  4 ┐ ──► ┌ next ┬ · ·  ·  9 ┐ ──► ┌ next ┬ 3  8  1  6 ┐
//!                   └ directory 0             ▲ bucket 0                ▲ bucket 1               (bucket 1, full)
//! ```
//!
//! All blocks stay one chain, so readers of a list need not care. In a bucket every block is full except the first,
//! which may be empty: an id is added there, and a removed id is replaced by one from there. Neither touches the rest
//! of the chain.

use alloc::vec::Vec;

use super::{Block, Lists, NONE, WIDTH};
use crate::error::Corruption;

/// A list is cut once an id was removed from behind this many blocks. Less: slightly overfull cells and leaves are cut.
/// More: lists that are not cut yet cost more.
const LONG: usize = 64;

/// A list shorter than this becomes plain again: a quarter of the length at which it would be cut.
const SHORT: usize = LONG * WIDTH / 4;

/// Ids in a bucket when a list is cut; it is cut again when there are four times as many. Less: a larger directory, and
/// more blocks that are not full. More: longer searches.
const BUCKET: usize = 16;

/// Where the buckets of a cut list begin.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Directory {
    /// The empty block at the head of the list.
    head: u32,
    /// Ids in the list.
    len: usize,
    /// The first block of every bucket; their number is a power of two.
    starts: Vec<u32>,
}

impl Directory {
    /// The number of the bucket of an id: the upper bits of a product with the golden ratio.
    #[inline]
    fn bucket(&self, id: u32) -> usize {
        let bits = self.starts.len().trailing_zeros();
        (u64::from(id.wrapping_mul(0x9E37_79B9)) << bits >> 32) as usize
    }

    /// The first block of a bucket, and the one after its last.
    #[inline]
    fn ends(&self, bucket: usize) -> [u32; 2] {
        [self.starts[bucket], self.starts.get(bucket + 1).copied().unwrap_or(NONE)]
    }

    pub(super) fn bytes(&self) -> [usize; 2] {
        super::bytes_of(&self.starts)
    }
}

impl Lists {
    /// `true` if the list is cut.
    #[inline]
    pub(super) fn is_cut(&self, head: u32) -> bool {
        self.blocks.get(head as usize).is_some_and(|block| block.room() == WIDTH)
    }

    /// Is a list cut if an id was found behind this many blocks?
    #[inline]
    pub(super) fn is_long(blocks: usize) -> bool {
        blocks > LONG
    }

    /// Removes all ids from a list and frees its blocks.
    fn dissolve(&mut self, head: &mut u32) -> Vec<u32> {
        let ids: Vec<u32> = self.list(*head).collect();
        if self.is_cut(*head) {
            let number = self.blocks[*head as usize].ids[0];
            self.directories.swap_remove(number as usize);
            if let Some(moved) = self.directories.get(number as usize) {
                self.blocks[moved.head as usize].ids[0] = number;
            }
        }
        while *head != NONE {
            self.free_front(head);
        }
        self.len -= ids.len();
        ids
    }

    /// Cuts a list, or cuts it again for as many ids as it has now.
    #[cold]
    // Casts: there are fewer directories than blocks.
    pub(super) fn cut(&mut self, head: &mut u32) {
        let ids = self.dissolve(head);
        let mut starts = alloc::vec![NONE; (ids.len() / BUCKET).next_power_of_two()];
        for start in starts.iter_mut().rev() {
            *head = self.alloc(*head);
            *start = *head;
        }
        *head = self.alloc(*head);
        self.blocks[*head as usize].ids[0] = self.directories.len() as u32;
        self.directories.push(Directory { head: *head, len: 0, starts });
        ids.into_iter().rev().for_each(|id| self.push(head, id));
    }

    /// Makes a cut list a plain one.
    #[cold]
    pub(super) fn mend(&mut self, head: &mut u32) {
        self.dissolve(head).into_iter().rev().for_each(|id| self.push(head, id));
    }

    fn directory(&mut self, head: u32) -> &mut Directory {
        &mut self.directories[self.blocks[head as usize].ids[0] as usize]
    }

    /// [`push`](Self::push) to a cut list.
    #[cold]
    pub(super) fn push_cut(&mut self, head: &mut u32, id: u32) {
        let directory = self.directory(*head);
        directory.len += 1;
        let first = directory.starts[directory.bucket(id)] as usize;
        let is_crowded = directory.len > 4 * BUCKET * directory.starts.len();
        if self.blocks[first].room() == 0 {
            // The full block moves behind the first, so that no link to the first need be found.
            let next = self.alloc(self.blocks[first].next);
            self.blocks[next as usize] = self.blocks[first];
            self.blocks[first] = Block { next, ..Block::FREE };
        }
        let block = &mut self.blocks[first];
        block.room -= 1;
        block.ids[block.room()] = id;
        self.len += 1;
        if is_crowded {
            self.cut(head);
        }
    }

    /// [`take`](Self::take) from a cut list.
    #[cold]
    pub(super) fn take_cut(&mut self, head: &mut u32, id: u32) -> bool {
        let directory = self.directory(*head);
        let [first, end] = directory.ends(directory.bucket(id));
        let mut at = first;
        while at != end {
            let block = &mut self.blocks[at as usize];
            if let Some(index) = block.ids.iter().position(|&other| other == id) {
                let room = self.blocks[first as usize].room();
                let front = core::mem::replace(&mut self.blocks[first as usize].ids[room], NONE);
                if (at, index) != (first, room) {
                    self.blocks[at as usize].ids[index] = front;
                }
                self.lose_one(head, first, end);
                return true;
            }
            at = block.next;
        }
        false
    }

    /// After the first block of a bucket has lost its first id.
    fn lose_one(&mut self, head: &mut u32, first: u32, end: u32) {
        let block = &mut self.blocks[first as usize];
        block.room += 1;
        let mut next = block.next;
        if block.room() == WIDTH && next != end {
            self.blocks[first as usize] = self.blocks[next as usize];
            self.free_front(&mut next);
        }
        self.len -= 1;
        let directory = self.directory(*head);
        directory.len -= 1;
        if directory.len < SHORT {
            self.mend(head);
        }
    }

    /// Notes which blocks a cut list has and checks it; returns how many ids there are. Follows no number that it has
    /// not checked.
    pub(super) fn trace_cut(&self, head: u32, met: &mut [bool]) -> Result<usize, Corruption> {
        let wrong = |what: &str| Corruption::new(alloc::format!("the directory of list {head} {what}"));
        let Block { next, ids: [number, others @ ..], .. } = &self.blocks[head as usize];
        let directory = self.directories.get(*number as usize).filter(|directory| directory.head == head);
        let directory = directory.ok_or_else(|| wrong("is another's"))?;
        let starts = &directory.starts;
        let is_led =
            starts.len().is_power_of_two() && starts.first() == Some(next) && others.iter().all(|&id| id == NONE);
        let mut meet = |at: u32| {
            let is_new = met.get_mut(at as usize).is_some_and(|met| !core::mem::replace(met, true));
            Corruption::unless(is_new, || alloc::format!("block {at} does not exist or is listed twice"))
        };
        meet(head)?;
        Corruption::unless(is_led, || alloc::format!("the directory of list {head} does not begin behind it"))?;
        let mut len = 0;
        for bucket in 0..starts.len() {
            let [first, end] = directory.ends(bucket);
            let mut at = first;
            while at != end {
                meet(at)?;
                let block = &self.blocks[at as usize];
                let free = block.ids.iter().take_while(|&&id| id == NONE).count();
                let is_full = free == 0 || (at == first && (free < WIDTH || block.next == end));
                let belong = block.ids[free..].iter().all(|&id| id != NONE && directory.bucket(id) == bucket);
                Corruption::unless(block.room() == free && is_full && belong, || {
                    alloc::format!("block {at} is badly filled for bucket {bucket}: {:?}", block.ids)
                })?;
                (at, len) = (block.next, len + WIDTH - free);
            }
        }
        if directory.len == len { Ok(len) } else { Err(wrong("counts wrongly")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::collections::BTreeSet;

    /// A long list through 30,000 pseudo-random steps: grows, shrinks, grows.
    #[test]
    fn long_lists_hold_what_was_put_into_them() {
        let (mut lists, mut head, mut model) = (Lists::new(), NONE, BTreeSet::new());
        let mut other = NONE;
        (0..10).for_each(|id| lists.push(&mut other, id));
        let mut state = 1_u32;
        let mut cuts = [0, 0];
        for step in 0..30_000_u32 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let id = (state >> 8) % 4000;
            if model.contains(&id) == (step / 6000 % 2 == 1) || (step / 6000 % 2 == 0 && state >> 31 == 0) {
                assert_eq!(lists.take(&mut head, id), model.remove(&id));
            } else if model.insert(id) {
                lists.push(&mut head, id);
            }
            cuts[usize::from(lists.is_cut(head))] += 1;
            if step % 50 == 0 {
                let mut found: Vec<u32> = lists.list(head).collect();
                found.sort_unstable();
                assert!(found.iter().eq(&model) && lists.list(other).eq((0..10).rev()), "step {step}");
                assert_eq!(lists.len(), model.len() + 10);
                lists.validate([head, other].into_iter()).unwrap();
            }
        }
        assert!(cuts.iter().all(|&steps| steps > 1000), "{cuts:?} steps with a plain list and with one that is cut");
        while let Some(id) = lists.pop(&mut head) {
            assert!(model.remove(&id));
        }
        assert!(model.is_empty() && head == NONE && lists.directories.is_empty());
        lists.validate([other].into_iter()).unwrap();
    }

    #[test]
    fn validation_finds_broken_directories() {
        let sound = || {
            let (mut lists, mut head) = (Lists::new(), NONE);
            (0..2000).for_each(|id| lists.push(&mut head, id));
            assert!(lists.take(&mut head, 3) && lists.is_cut(head));
            (lists, head)
        };
        type Break = fn(&mut Lists, usize);
        let breaks: [Break; 7] = [
            |lists, _| lists.directories[0].len += 1,
            |lists, _| lists.directories[0].starts.swap(1, 2),
            |lists, _| lists.directories[0].starts.push(NONE),
            |lists, _| lists.directories[0].starts[5] = 99_999,
            |lists, _| lists.directories[0].head += 1,
            |lists, head| lists.blocks[head].ids[0] = 1,
            |lists, _| lists.directories.push(lists.directories[0].clone()),
        ];
        let (lists, head) = sound();
        assert!(lists.validate([head].into_iter()).is_ok());
        for (number, harm) in breaks.into_iter().enumerate() {
            let (mut lists, head) = sound();
            harm(&mut lists, head as usize);
            assert!(lists.validate([head].into_iter()).is_err(), "break {number}");
        }
    }
}
