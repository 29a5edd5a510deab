//! All pairs, by groups of sixteen packs.
//!
//! Loops are not nested: each writes a list, in which the next has one turn for each bit of a mask. An element is always
//! written, and the list then grows by 0 or 1, so no branch has to guess.

use alloc::vec::Vec;
use core::ops::ControlFlow::{self, Break, Continue};

use quadrille::Agreement;
use quadrille::internals::bits;

use crate::pack::{LANES, Pack};
use crate::tree::{Tree, hull};

/// Packs of other groups are looked for until this many touch some. More: longer lists, which should fit in the fastest
/// cache. Fewer: more loops begin and end, each with a branch that is guessed wrong.
const BATCH: usize = 64;

/// Something to compare with lanes of something else: a pack with packs of a group, lanes of a pack with another pack, a
/// box with boxes of a pack.
#[derive(Clone, Copy, Debug, Default)]
struct Row {
    /// A bit for each turn.
    lanes: u32,
    one: u32,
    other: u32,
    /// Of two packs: which boxes of the other take part.
    columns: u32,
}

/// A list with memory to use again.
#[derive(Debug, Default)]
struct Stage {
    list: Vec<Row>,
    len: usize,
}

impl Stage {
    /// Makes room for more.
    fn room_for(&mut self, more: usize) {
        if self.list.len() < self.len + more {
            self.list.resize(self.len + more, Row::default());
        }
    }

    /// Adds a row, unless it has no turns.
    #[inline(always)]
    fn push(&mut self, row: Row) {
        self.list[self.len] = row;
        self.len += usize::from(row.lanes != 0);
    }

    /// Consists of what is found in each turn of the stage before.
    #[inline(always)]
    fn fill(&mut self, before: &[Row], find: impl Fn(&Row, usize) -> Row) {
        self.len = 0;
        self.room_for(turns(before));
        each(before, |row, lane| self.push(find(row, lane))).for_each(drop);
    }

    fn rows(&self) -> &[Row] {
        &self.list[..self.len]
    }
}

fn turns(rows: &[Row]) -> usize {
    rows.iter().map(|row| row.lanes.count_ones() as usize).sum()
}

/// What each bit of each row gives. No row is without bits.
#[inline(always)]
fn each<T>(rows: &[Row], mut give: impl FnMut(&Row, usize) -> T) -> impl Iterator<Item = T> {
    let (mut at, mut lanes) = (0, rows.first().map_or(0, |row| row.lanes));
    (0..turns(rows)).map(move |_| {
        let given = give(&rows[at], lanes.trailing_zeros() as usize);
        lanes &= lanes - 1;
        at += usize::from(lanes == 0);
        // Without a branch.
        let next = rows[at.min(rows.len() - 1)].lanes;
        lanes |= next & u32::from(lanes == 0).wrapping_neg();
        given
    })
}

#[derive(Debug, Default)]
pub(crate) struct Stages {
    packs: Stage,
    crossings: Stage,
    hits: Stage,
}

impl Stages {
    /// Adds all pairs whose layers meet, the upper id in the upper half. Breaks if there is no memory for them. Boxes must be
    /// settled.
    pub(crate) fn pairs(&mut self, tree: &Tree, pairs: &mut Vec<u64>) -> ControlFlow<()> {
        for (group, packs) in tree.levels[0].chunks(LANES).enumerate() {
            self.within(tree, group * LANES, packs, pairs)?;
            if tree.levels.len() == 1 {
                break;
            }
            self.meet(tree, [group, group]);
            if let Some(groups) = tree.levels.get(2) {
                tree.walk([tree.levels.len() - 1, 0], [1, group + 1], &hull(groups, group), &mut |other| {
                    if self.packs.len > BATCH {
                        self.join(tree, pairs)?;
                    }
                    self.meet(tree, [group, other]);
                    Continue(())
                })?;
            }
            self.join(tree, pairs)?;
        }
        Continue(())
    }

    /// Adds the packs of two groups that touch, each two once.
    fn meet(&mut self, tree: &Tree, [group, other]: [usize; 2]) {
        let hulls = &tree.levels[1];
        let reached = if group == other { 0xFFFF } else { hulls[group].touching(&hull(&tree.levels[2], other)) };
        self.packs.room_for(LANES);
        for lane in bits(reached) {
            let later = if group == other { !1 << lane } else { !0 };
            let lanes = hulls[other].touching(&hulls[group].get(lane)) & later;
            self.packs.push(Row { lanes, one: (group * LANES + lane) as u32, other: other as u32, columns: 0 });
        }
    }

    /// Adds the pairs between packs that touch.
    #[inline(never)]
    fn join(&mut self, tree: &Tree, pairs: &mut Vec<u64>) -> ControlFlow<()> {
        let hulls = &tree.levels[1];
        self.crossings.fill(self.packs.rows(), |row, lane| {
            let (one, other) = (row.one, row.other * LANES as u32 + lane as u32);
            let touching = |pack: u32, of: u32| tree.levels[0][pack as usize].touching(&hull(hulls, of as usize));
            let [rows, columns] = [touching(one, other), touching(other, one)];
            // Box by box where there are fewer.
            let is_swapped = rows.count_ones() > 2 * columns.count_ones();
            let [one, other] = if is_swapped { [other, one] } else { [one, other] };
            let [rows, columns] = if is_swapped { [columns, rows] } else { [rows, columns] };
            Row { lanes: if columns == 0 { 0 } else { rows }, one, other, columns }
        });
        self.packs.len = 0;
        self.hits.fill(self.crossings.rows(), |row, lane| {
            let packs = &tree.levels[0];
            let found = packs[row.other as usize].touching(&packs[row.one as usize].get(lane));
            Row { lanes: found & row.columns, one: row.one * LANES as u32 + lane as u32, ..*row }
        });
        add(tree, self.hits.rows(), pairs, |row, lane| [row.one as usize, row.other as usize * LANES + lane])
    }

    /// Adds the pairs within some packs.
    #[inline(never)]
    fn within(&mut self, tree: &Tree, first: usize, packs: &[Pack], pairs: &mut Vec<u64>) -> ControlFlow<()> {
        self.packs.room_for(packs.len() * LANES / 2);
        for (pack, one) in packs.iter().zip((first as u32 * LANES as u32..).step_by(LANES)) {
            pack.around(|distance, lanes| self.packs.push(Row { lanes, one, other: distance as u32, columns: 0 }));
        }
        let done = add(tree, self.packs.rows(), pairs, |row, lane| {
            let first = row.one as usize;
            [first + lane, first + (lane + row.other as usize) % LANES]
        });
        self.packs.len = 0;
        done
    }
}

/// Adds the pairs of boxes in two slots for each turn, if their layers meet.
#[inline(always)]
fn add(tree: &Tree, hits: &[Row], pairs: &mut Vec<u64>, slots: impl Fn(&Row, usize) -> [usize; 2]) -> ControlFlow<()> {
    let start = pairs.len();
    if pairs.try_reserve(turns(hits)).is_err() {
        return Break(());
    }
    pairs.extend(each(hits, |row, lane| {
        let [one, other] = slots(row, lane).map(|slot| tree.order[slot]);
        u64::from(one.max(other)) << 32 | u64::from(one.min(other))
    }));
    sift(tree, pairs, start);
    Continue(())
}

/// Keeps pairs whose layers meet, from `start` on.
pub(crate) fn sift(tree: &Tree, pairs: &mut Vec<u64>, start: usize) {
    if tree.layers.is_empty() {
        return;
    }
    let mut kept = start;
    for at in start..pairs.len() {
        let pair = pairs[at];
        pairs[kept] = pair;
        let [one, other] = [pair as u32, (pair >> 32) as u32].map(|id| tree.layers(id));
        kept += usize::from(one.meets(other, Agreement::Both));
    }
    pairs.truncate(kept);
}
