//! What was found for each row, sorted by row: it is distributed over ranges of rows, which are sorted in memory, one after
//! the other. A range that memory does not hold is distributed again.

use std::ops::Range;

use crate::block::Block;
use crate::deal::Hands;
use crate::found::{BATCH, Pair};
use crate::spill::{Piece, Spill};
use crate::{Error, Settings};

/// Rows, divided into ranges of equal length.
#[derive(Clone, Debug)]
pub(crate) struct Ranges<'a> {
    settings: &'a Settings,
    rows: Range<u64>,
    count: u64,
}

impl<'a> Ranges<'a> {
    /// For so many results of some rows, if they were evenly distributed: as many ranges as it takes for memory to hold
    /// each, or as many as have blocks in memory.
    pub(crate) fn new(settings: &'a Settings, rows: Range<u64>, results: u64) -> Self {
        let length = rows.end - rows.start;
        let count = results.div_ceil(settings.wide as u64).min(settings.most_ranges() as u64).clamp(1, length.max(1));
        Self { settings, rows, count }
    }

    /// Whether memory holds each range of so many results without distributing any again.
    pub(crate) fn suffice(settings: &Settings, results: u64) -> bool {
        results.div_ceil(settings.wide as u64) <= settings.most_ranges() as u64
    }

    /// What distributes results over the ranges.
    pub(crate) fn hands<'s>(&self, spill: &'s Spill) -> Hands<'s> {
        Hands::new(spill, self.count as usize, self.settings.block_of_range(self.count as usize))
    }

    /// The range of a row.
    pub(crate) fn of(&self, row: u32) -> usize {
        let length = self.rows.end - self.rows.start;
        ((u64::from(row) - self.rows.start) * self.count / length) as usize
    }

    /// The rows of a range.
    fn rows(&self, range: u64) -> Range<u64> {
        let length = self.rows.end - self.rows.start;
        let start = |range: u64| self.rows.start + (range * length).div_ceil(self.count);
        start(range)..start(range + 1)
    }

    /// Passes on what has been distributed, in the order of rows, then of places.
    pub(crate) fn in_order<E: From<Error>>(
        &self,
        spill: &Spill,
        pieces: Vec<(usize, Piece)>,
        take: &mut impl FnMut(&[Pair<f64>]) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut by_range = vec![Vec::new(); self.count as usize];
        pieces.into_iter().for_each(|(range, piece)| by_range[range].push(piece));
        (0..).zip(by_range).try_for_each(|(range, pieces)| {
            let (rows, results) = (self.rows(range), pieces.iter().map(|piece| u64::from(piece.count)).sum());
            if results <= self.settings.wide as u64 || rows.end - rows.start == 1 {
                return sorted(spill, &pieces, take);
            }
            let finer = Ranges::new(self.settings, rows, results);
            let again = Spill::new(&self.settings.folder)?;
            let pieces = finer.distribute(spill, &pieces, &again)?;
            finer.in_order(&again, pieces, take)
        })
    }

    /// Distributes what is in pieces; returns where it is.
    fn distribute(&self, from: &Spill, pieces: &[Piece], to: &Spill) -> Result<Vec<(usize, Piece)>, Error> {
        let (mut hands, mut block, mut bytes) = (self.hands(to), Block::new(), Vec::new());
        for piece in pieces {
            block.clear();
            from.read(piece, &mut block, &mut bytes)?;
            block.iter().try_for_each(|(row, bounds)| hands.put(self.of(row), row, bounds))?;
        }
        hands.finish()?;
        Ok(hands.pieces)
    }
}

/// Passes on what is in pieces, in order.
fn sorted<E: From<Error>>(
    spill: &Spill,
    pieces: &[Piece],
    take: &mut impl FnMut(&[Pair<f64>]) -> Result<(), E>,
) -> Result<(), E> {
    let (mut block, mut bytes) = (Block::<f64>::new(), Vec::new());
    block.reserve(pieces.iter().map(|piece| piece.count as usize).sum());
    pieces.iter().try_for_each(|piece| spill.read(piece, &mut block, &mut bytes))?;
    let mut order: Vec<u32> = (0..block.len() as u32).collect();
    order.sort_unstable_by_key(|at| (block.rows[*at as usize], block.boxes[*at as usize].max[0] as u32));
    order.chunks(BATCH).try_for_each(|part| {
        let pair = |at: &u32| {
            let [b, distance] = block.boxes[*at as usize].min;
            Pair { a: block.rows[*at as usize], b: b as u32, value: distance }
        };
        take(&part.iter().map(pair).collect::<Vec<_>>())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_in_one_range_and_each_has_a_block_in_memory() {
        let settings = Settings::new(32 << 20, std::env::temp_dir()).expect("that is enough");
        for (rows, results) in [(0..0, 0), (0..1, 1 << 40), (7..1_000, 1 << 24), (5..1 << 32, 1 << 60), (0..3, 1 << 20)]
        {
            let ranges = Ranges::new(&settings, rows.clone(), results);
            assert!((1..=settings.most_ranges() as u64).contains(&ranges.count), "{ranges:?}");
            assert_eq!((ranges.rows(0).start, ranges.rows(ranges.count - 1).end), (rows.start, rows.end));
            for range in 0..ranges.count {
                let Range { start, end } = ranges.rows(range);
                assert_eq!(ranges.rows(range + 1).start, end);
                let ends = (start..end).take(1).chain((start..end).rev().take(1));
                ends.for_each(|row| assert_eq!(ranges.of(row as u32), range as usize, "{row} {ranges:?}"));
            }
        }
    }
}
