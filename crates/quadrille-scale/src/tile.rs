//! The pairs of one tile.
//!
//! A tile that fits is read at once and paired by a [`FrameTree`], or by two. Otherwise (many boxes in one spot) it is
//! read in chunks, two of which fit, and each chunk is paired with all later ones or those of the other set.

use std::ops::{ControlFlow, Range};

use quadrille::{FrameTree, Index};

use crate::block::{Block, Held, Width};
use crate::deal::Dealt;
use crate::found::{Named, Stop, ended};
use crate::queue::Queue;
use crate::spill::{Piece, Spill};
use crate::tiles::Tiles;
use crate::{Error, Settings};

/// The boxes of one set or two, by tile.
#[derive(Clone, Copy)]
pub(crate) struct Table<'a> {
    pub(crate) settings: &'a Settings,
    pub(crate) tiles: &'a Tiles,
    pub(crate) first: &'a Dealt,
    pub(crate) second: Option<&'a Dealt>,
    pub(crate) margin: f64,
}

impl Table<'_> {
    /// Finds the pairs of the tiles that no other thread has taken, and has them judged.
    pub(crate) fn find_each(
        &self,
        queue: &Queue,
        mut judge: impl FnMut(Named, Named) -> ControlFlow<Stop>,
    ) -> Result<(), Stop> {
        queue.each(|tile| {
            let all = [Some(self.first), self.second].into_iter().flatten();
            let mut pieces = all.flat_map(|dealt| &dealt.tiles[tile]);
            if self.margin == 0.0 && pieces.all(|piece| piece.width == Width::Single) {
                self.find_in::<f32>(tile, Width::Single, &mut judge)
            } else {
                self.find_in::<f64>(tile, Width::Double, &mut judge)
            }
        })
    }

    /// Finds the pairs that are reported in a tile. Of two sets, the smaller is read once: it has fewer chunks, for each
    /// of which the other is read.
    fn find_in<S: Held>(
        &self,
        tile: usize,
        width: Width,
        judge: &mut impl FnMut(Named, Named) -> ControlFlow<Stop>,
    ) -> Result<(), Stop> {
        let (kept, asking, is_swapped) = match self.second {
            None => (self.first, self.first, false),
            Some(second) if second.size(tile) < self.first.size(tile) => (second, self.first, true),
            Some(second) => (self.first, second, false),
        };
        if kept.size(tile) == 0 {
            return Ok(());
        }
        let (pieces, asking_pieces) = (&kept.tiles[tile], &asking.tiles[tile]);
        let margin = self.margin;
        let (fits, is_one_set) = (self.settings.capacity(width), self.second.is_none());
        let size = if is_one_set { kept.size(tile) } else { kept.size(tile) + asking.size(tile) };
        let most = if size <= fits { fits } else { fits / 2 };
        for range in chunks(pieces, most) {
            let chunk = Chunk::<S>::read(&kept.spill, &pieces[range.clone()], margin)?;
            let mut report = |kept: Named, other: Named| {
                if !self.tiles.reports(tile, &kept.1.grown(margin), &other.1.grown(margin)) {
                    return ControlFlow::Continue(());
                }
                let (first, second) = if is_swapped { (other, kept) } else { (kept, other) };
                judge(first, second)
            };
            let rest = if is_one_set {
                ended(chunk.index.pairs_visit(|i, j| report(chunk.named(i), chunk.named(j))))?;
                &pieces[range.end..]
            } else {
                asking_pieces
            };
            for range in chunks(rest, most) {
                let others = Chunk::<S>::read(&asking.spill, &rest[range], margin)?;
                ended(chunk.pairs_with(&others, |i, j| report(chunk.named(i), others.named(j))))?;
            }
        }
        Ok(())
    }
}

/// Runs of pieces that have no more than `most` boxes each, or one piece.
pub(crate) fn chunks(pieces: &[Piece], most: usize) -> Vec<Range<usize>> {
    let (mut chunks, mut start, mut count) = (Vec::new(), 0, 0);
    for (at, piece) in pieces.iter().enumerate() {
        count += piece.count as usize;
        if count > most && at > start {
            chunks.push(start..at);
            (start, count) = (at, piece.count as usize);
        }
    }
    if start < pieces.len() {
        chunks.push(start..pieces.len());
    }
    chunks
}

/// Boxes that fit in memory, ready for queries.
pub(crate) struct Chunk<S: Held> {
    pub(crate) block: Block<S>,
    /// For the grown boxes.
    index: Index<FrameTree<S>>,
}

impl<S: Held> Chunk<S> {
    pub(crate) fn read(from: &Spill, pieces: &[Piece], margin: f64) -> Result<Self, Error> {
        let mut block = Block::<S>::new();
        block.reserve(pieces.iter().map(|piece| piece.count as usize).sum());
        let mut bytes = Vec::new();
        pieces.iter().try_for_each(|piece| from.read(piece, &mut block, &mut bytes))?;
        let index = if margin == 0.0 {
            Index::from_boxes(&block.boxes)
        } else {
            let grown: Vec<_> = block.boxes.iter().map(|bounds| bounds.grown(margin)).collect();
            Index::from_boxes(&grown)
        };
        let index = index.map_err(|error| Error::new(error.to_string()))?;
        Ok(Self { block, index })
    }

    pub(crate) fn named(&self, number: u32) -> Named {
        (self.block.rows[number as usize], self.block.boxes[number as usize].cast())
    }

    /// Passes on the numbers of the boxes that overlap, in this chunk and in the other.
    pub(crate) fn pairs_with(
        &self,
        others: &Self,
        visit: impl FnMut(u32, u32) -> ControlFlow<Stop>,
    ) -> ControlFlow<Stop> {
        self.index.pairs_with_visit(&others.index, visit)
    }
}
