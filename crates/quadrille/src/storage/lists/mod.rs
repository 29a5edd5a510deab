//! Lists of ids, a block of several ids at a time.

mod long;

use alloc::vec::Vec;

use self::long::Directory;
use super::{NONE, add_bytes, bytes_of};
use crate::error::Corruption;

/// Ids in a block, which makes blocks of 32 bytes, half a cache line. More: short lists waste more. Fewer: every block
/// is a number to wait for before the next one can be fetched, while the boxes of one block are fetched all at once.
const WIDTH: usize = 6;

/// A part of a list.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Block {
    /// The block with the ids after these; [`NONE`] for the last one.
    next: u32,
    /// How many slots in front are free: they are filled from the end.
    room: u32,
    /// The ids of the list in its order; [`NONE`] in free slots.
    ids: [u32; WIDTH],
}

const _: () = assert!(size_of::<Block>() == 32);

impl Block {
    const FREE: Self = Self { next: NONE, room: WIDTH as u32, ids: [NONE; WIDTH] };

    #[inline]
    fn room(&self) -> usize {
        self.room as usize
    }

    #[inline]
    fn listed(&self) -> &[u32] {
        &self.ids[self.room()..]
    }
}

/// A pool of lists of ids. Heads are kept by the caller ([`NONE`] is the empty list); new ids go to the front. Freed
/// blocks are reused, last freed first.
///
/// ```text
/// head ──► ┌ next ┬ ·  ·  ·  ·  9  4  7 ┐ ──► ┌ next ┬ ·  3  8  1  6  2  5 ┐      the list 9 4 7 3 8 1 6 2 5
/// ```
///
/// Two blocks that follow each other hold more ids together than fit into one, so a list takes less than 10 bytes an
/// id, and a block. Very long lists from which ids are taken are [cut](long) and have an order of their own, and a
/// block for every 16 to 64 ids that may not be full.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Lists {
    blocks: Vec<Block>,
    /// First of the chain of free blocks.
    free: u32,
    /// Ids in all lists.
    len: usize,
    /// For lists that are [cut](long).
    directories: Vec<Directory>,
}

impl Lists {
    pub(crate) const fn new() -> Self {
        Self { blocks: Vec::new(), free: NONE, len: 0, directories: Vec::new() }
    }

    pub(crate) fn clear(&mut self) {
        *self = Self { blocks: core::mem::take(&mut self.blocks), ..Self::new() };
        self.blocks.clear();
    }

    /// Expects this many more ids, in lists of the usual length.
    pub(crate) fn reserve(&mut self, additional: usize) {
        self.blocks.reserve(additional.div_ceil(WIDTH / 2));
    }

    /// Puts `id` in front of the list.
    #[inline]
    pub(crate) fn push(&mut self, head: &mut u32, id: u32) {
        let room = self.blocks.get(*head as usize).map_or(0, Block::room);
        if room == 0 {
            *head = self.alloc(*head);
        } else if room == WIDTH {
            return self.push_cut(head, id);
        }
        let block = &mut self.blocks[*head as usize];
        block.room -= 1;
        block.ids[block.room()] = id;
        self.len += 1;
    }

    /// Takes the first id off the list.
    pub(crate) fn pop(&mut self, head: &mut u32) -> Option<u32> {
        if self.is_cut(*head) {
            self.mend(head);
        }
        let at = *head;
        let block = self.blocks.get_mut(at as usize)?;
        let index = block.room();
        let id = core::mem::replace(&mut block.ids[index], NONE);
        block.room += 1;
        self.len -= 1;
        self.tidy(head, NONE, at);
        Some(id)
    }

    /// Removes `id` from the list; `false` if it is not there. Costs the length of the list, but hardly more than 64
    /// blocks: a longer list is [cut](long).
    pub(crate) fn take(&mut self, head: &mut u32, id: u32) -> bool {
        if self.is_cut(*head) {
            return self.take_cut(head, id);
        }
        let (mut before, mut at, mut blocks) = (NONE, *head, 0);
        while let Some(Block { next, room, ids }) = self.blocks.get_mut(at as usize) {
            if let Some(index) = ids.iter().position(|&other| other == id) {
                ids.copy_within(..index, 1);
                ids[0] = NONE;
                *room += 1;
                self.len -= 1;
                self.tidy(head, before, at);
                if Self::is_long(blocks) {
                    self.cut(head);
                }
                return true;
            }
            (before, at, blocks) = (at, *next, blocks + 1);
        }
        false
    }

    /// After block `at`, which follows `before`, has lost an id: joins it with its neighbors if two fit into one.
    fn tidy(&mut self, head: &mut u32, before: u32, at: u32) {
        if self.blocks[at as usize].room() == WIDTH && self.blocks[at as usize].next == NONE {
            let link = self.blocks.get_mut(before as usize).map_or(head, |before| &mut before.next);
            let mut rest = core::mem::replace(link, NONE);
            self.free_front(&mut rest);
        } else {
            self.join(at);
            if before != NONE {
                self.join(before);
            }
        }
    }

    /// Takes the ids of the next block into this one if there is room for all of them.
    fn join(&mut self, at: u32) {
        let Block { mut next, ids, .. } = self.blocks[at as usize];
        let Some(other) = self.blocks.get(next as usize) else { return };
        let (room, other_room) = (self.blocks[at as usize].room(), other.room());
        if room + other_room >= WIDTH {
            let mut joined = other.ids;
            joined[other_room + room - WIDTH..other_room].copy_from_slice(&ids[room..]);
            self.free_front(&mut next);
            self.blocks[at as usize] = Block { next, room: (room + other_room - WIDTH) as u32, ids: joined };
        }
    }

    // Casts: callers bound the ids to a small multiple of the boxes.
    fn alloc(&mut self, next: u32) -> u32 {
        let block = Block { next, ..Block::FREE };
        let at = self.free;
        match self.blocks.get_mut(at as usize) {
            Some(free) => {
                self.free = core::mem::replace(free, block).next;
                at
            }
            None => {
                self.blocks.push(block);
                (self.blocks.len() - 1) as u32
            }
        }
    }

    /// Frees the first block of a list.
    fn free_front(&mut self, head: &mut u32) {
        let block = &mut self.blocks[*head as usize];
        let next = core::mem::replace(block, Block { next: self.free, ..Block::FREE }).next;
        self.free = core::mem::replace(head, next);
    }

    /// The ids of a list, front to back.
    #[inline]
    pub(crate) fn list(&self, head: u32) -> List<'_> {
        List { blocks: &self.blocks, next: head, ids: &[] }
    }

    /// Ids in all lists.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn bytes(&self) -> [usize; 2] {
        let directories = self.directories.iter().map(Directory::bytes);
        add_bytes(directories.chain([bytes_of(&self.blocks), bytes_of(&self.directories)]))
    }

    /// The lists with these heads and the chain of free blocks have every block once, and blocks are filled from the
    /// end. Follows no number that it has not checked, so it ends, and does not panic, whatever the blocks say.
    pub(crate) fn validate(&self, heads: impl Iterator<Item = u32>) -> Result<(), Corruption> {
        let mut met = alloc::vec![false; self.blocks.len()];
        let mut listed = 0;
        let mut cut = 0;
        for head in heads {
            if self.is_cut(head) {
                listed += self.trace_cut(head, &mut met)?;
                cut += 1;
            } else {
                listed += self.trace(head, &mut met, 0..WIDTH)?;
            }
        }
        Corruption::unless(cut == self.directories.len(), || {
            alloc::format!("{cut} lists are cut, {} directories kept", self.directories.len())
        })?;
        self.trace(self.free, &mut met, WIDTH..WIDTH + 1)?;
        Corruption::unless(listed == self.len && met.iter().all(|&met| met), || {
            alloc::format!("{listed} ids listed and {} counted, or blocks that are neither in use nor free", self.len)
        })
    }

    /// Notes which blocks a list has, checks that each has as much room as is allowed, and returns how many ids there
    /// are.
    fn trace(&self, head: u32, met: &mut [bool], rooms: core::ops::Range<usize>) -> Result<usize, Corruption> {
        let (mut at, mut length) = (head, 0);
        while at != NONE {
            let is_new = met.get_mut(at as usize).is_some_and(|met| !core::mem::replace(met, true));
            Corruption::unless(is_new, || alloc::format!("block {at} does not exist or is listed twice"))?;
            let block = &self.blocks[at as usize];
            let room = block.room();
            let free = block.ids.iter().take_while(|&&id| id == NONE).count();
            let is_filled = rooms.contains(&room) && room == free && block.listed().iter().all(|&id| id != NONE);
            Corruption::unless(is_filled, || alloc::format!("block {at} is badly filled: {:?}", block.ids))?;
            (at, length) = (block.next, length + WIDTH - room);
        }
        Ok(length)
    }
}

/// Iterator over one list. A clone continues from the same slot.
#[derive(Clone, Debug)]
pub(crate) struct List<'a> {
    blocks: &'a [Block],
    /// The block after the present one.
    next: u32,
    /// The ids of the present block that are still to come.
    ids: &'a [u32],
}

impl Iterator for List<'_> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        loop {
            if let Some((&id, rest)) = self.ids.split_first() {
                self.ids = rest;
                return Some(id);
            }
            let block = self.blocks.get(self.next as usize)?;
            (self.next, self.ids) = (block.next, block.listed());
        }
    }

    #[inline]
    fn fold<B, F: FnMut(B, u32) -> B>(mut self, start: B, mut fold: F) -> B {
        let mut all = start;
        loop {
            all = self.ids.iter().fold(all, |all, &id| fold(all, id));
            let Some(block) = self.blocks.get(self.next as usize) else { return all };
            (self.next, self.ids) = (block.next, block.listed());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::collections::VecDeque;

    fn validate(lists: &Lists, heads: &[u32]) {
        lists.validate(heads.iter().copied()).unwrap();
        for &head in heads {
            let mut at = head;
            while let Some(next) = lists.blocks.get(at as usize).and_then(|block| lists.blocks.get(block.next as usize))
            {
                let block = &lists.blocks[at as usize];
                assert!(block.room() + next.room() < WIDTH, "{:?} and {:?} fit into one", block.ids, next.ids);
                at = block.next;
            }
        }
    }

    /// Two lists in one pool, against two deques, through 20,000 pseudo-random steps.
    #[test]
    fn lists_keep_their_order_whatever_is_taken_off_them() {
        let (mut lists, mut heads, mut models) = (Lists::new(), [NONE; 2], [VecDeque::new(), VecDeque::new()]);
        let mut state = 1_u32;
        for step in 0..20_000 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let (which, draw) = ((state >> 31) as usize, (state >> 8) as usize);
            let (head, model) = (&mut heads[which], &mut models[which]);
            // Long lists for a while, then short ones, then long ones again.
            if draw % 1000 < if step / 4000 % 2 == 0 { 530 } else { 470 } {
                lists.push(head, step);
                model.push_front(step);
            } else if draw % 8 == 0 {
                assert_eq!(lists.pop(head), model.pop_front());
            } else if let Some(id) = model.remove(draw % (model.len() + 1)) {
                assert!(lists.take(head, id) && !lists.take(head, id));
            }
            assert!(lists.list(heads[which]).eq(models[which].iter().copied()));
            assert_eq!(lists.len(), models[0].len() + models[1].len());
            validate(&lists, &heads);
        }
        assert!(lists.blocks.len() < 200, "blocks are reused");
    }

    #[test]
    fn a_fold_and_a_clone_see_what_is_left() {
        let (mut lists, mut head) = (Lists::new(), NONE);
        (0..20).for_each(|id| lists.push(&mut head, id));
        let mut list = lists.list(head);
        assert_eq!(list.nth(4), Some(15));
        let (folded, next) = (list.clone().fold(alloc::vec![], |mut all, id| (all.push(id), all).1), list.clone());
        assert!(folded.into_iter().eq(next) && list.eq((0..15).rev()));
        assert_eq!((lists.list(NONE).next(), lists.take(&mut NONE.clone(), 3)), (None, false));
    }

    #[test]
    fn validation_finds_loops_and_gaps() {
        let sound = || {
            let (mut lists, mut head) = (Lists::new(), NONE);
            (0..20).for_each(|id| lists.push(&mut head, id));
            (lists, head)
        };
        type Break = fn(&mut Lists, usize);
        let breaks: [Break; 5] = [
            |lists, head| lists.blocks[head].next = head as u32,
            |lists, head| lists.blocks[head].next = 99,
            |lists, head| lists.blocks[head].ids[WIDTH - 1] = NONE,
            |lists, head| lists.free = head as u32,
            |lists, _| lists.len = 7,
        ];
        let (lists, head) = sound();
        assert!(lists.validate([head].into_iter()).is_ok());
        assert!(lists.validate([head, head].into_iter()).is_err(), "listed twice");
        assert!(lists.validate([].into_iter()).is_err(), "not listed");
        for harm in breaks {
            let (mut lists, head) = sound();
            harm(&mut lists, head as usize);
            assert!(lists.validate([head].into_iter()).is_err());
        }
    }
}
