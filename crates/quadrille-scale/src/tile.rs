//! The pairs of one tile.
//!
//! A tile that fits is read at once and paired by a [`FrameTree`]. Otherwise (many boxes in one spot) each chunk that
//! fits is joined with itself, and the remaining blocks are then compared with it, block by block.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicUsize, Ordering};

use quadrille::{Aabb, FrameTree, Index, Overlaps, Scalar};

use crate::block::{Block, Width};
use crate::deal::Dealt;
use crate::found::{Found, Named, Pair, Stop, ended};
use crate::spill::Piece;
use crate::tiles::Tiles;
use crate::{Error, Settings};

/// The boxes of one set or two, by tile.
#[derive(Clone, Copy)]
pub(crate) struct Table<'a> {
    pub(crate) settings: &'a Settings,
    pub(crate) tiles: &'a Tiles,
    pub(crate) first: &'a Dealt,
    pub(crate) second: Option<&'a Dealt>,
}

/// The sets of a tile by what they do.
struct Roles<'a> {
    /// The one that is read in chunks, each with an index.
    kept: &'a Dealt,
    /// The one whose boxes query the chunks.
    asking: &'a Dealt,
    /// Whether the second set is the one in chunks.
    is_swapped: bool,
}

impl Table<'_> {
    /// Finds the pairs of the tiles that no other thread has taken.
    pub(crate) fn find_each<J, V, P, T>(
        &self,
        next: &AtomicUsize,
        found: &mut Found<'_, J, V, P, T>,
    ) -> Result<(), Stop>
    where
        J: Fn(&Aabb<f64>, &Aabb<f64>) -> Option<V>,
        P: Fn(&[Pair<V>]) -> T,
    {
        loop {
            let tile = next.fetch_add(1, Ordering::Relaxed);
            if tile >= self.tiles.len() {
                return Ok(());
            }
            self.find(tile, found)?;
        }
    }

    /// Finds the pairs that are reported in a tile.
    fn find<J, V, P, T>(&self, tile: usize, found: &mut Found<'_, J, V, P, T>) -> Result<(), Stop>
    where
        J: Fn(&Aabb<f64>, &Aabb<f64>) -> Option<V>,
        P: Fn(&[Pair<V>]) -> T,
    {
        let all = [Some(self.first), self.second].into_iter().flatten();
        let mut pieces = all.flat_map(|dealt| &dealt.tiles[tile]);
        if found.asked.margin == 0.0 && pieces.all(|piece| piece.width == Width::Single) {
            self.find_in::<f32, J, V, P, T>(tile, Width::Single, found)
        } else {
            self.find_in::<f64, J, V, P, T>(tile, Width::Double, found)
        }
    }

    fn find_in<S: Scalar, J, V, P, T>(
        &self,
        tile: usize,
        width: Width,
        found: &mut Found<'_, J, V, P, T>,
    ) -> Result<(), Stop>
    where
        J: Fn(&Aabb<f64>, &Aabb<f64>) -> Option<V>,
        P: Fn(&[Pair<V>]) -> T,
    {
        let Some(Roles { kept, asking, is_swapped }) = self.roles(tile) else { return Ok(()) };
        let (pieces, asking_pieces) = (&kept.tiles[tile], &asking.tiles[tile]);
        let margin = found.asked.margin;
        for range in chunks(pieces, self.settings.capacity(width)) {
            let chunk = Chunk::<S>::read(kept, &pieces[range.clone()], margin)?;
            let mut report = |kept: Named, other: Named| {
                if !self.tiles.reports(tile, &kept.1.grown(margin), &other.1.grown(margin)) {
                    return ControlFlow::Continue(());
                }
                let (first, second) = if is_swapped { (other, kept) } else { (kept, other) };
                found.judge(first, second)
            };
            let rest = if self.second.is_none() {
                ended(chunk.index.pairs_visit(|i, j| report(chunk.named(i), chunk.named(j))))?;
                range.end..pieces.len()
            } else {
                0..asking_pieces.len()
            };
            let mut block = Block::<f64>::new();
            let mut bytes = Vec::new();
            for piece in &asking_pieces[rest] {
                block.clear();
                asking.spill.read(piece, &mut block, &mut bytes)?;
                ended(block.iter().try_for_each(|(row, bounds)| {
                    chunk.ask(&bounds.grown(margin), |i| report(chunk.named(i), (row, *bounds)))
                }))?;
            }
        }
        Ok(())
    }

    /// Which set asks in a tile: the smaller one, because that is fewer queries. `None` if it has no boxes there.
    fn roles(&self, tile: usize) -> Option<Roles<'_>> {
        let size = |dealt: &Dealt| dealt.tiles[tile].iter().map(|piece| u64::from(piece.count)).sum::<u64>();
        let first = self.first;
        let roles = match self.second {
            None => Roles { kept: first, asking: first, is_swapped: false },
            Some(second) if size(second) > size(first) => Roles { kept: second, asking: first, is_swapped: true },
            Some(second) => Roles { kept: first, asking: second, is_swapped: false },
        };
        (size(roles.asking) > 0).then_some(roles)
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
pub(crate) struct Chunk<S: Scalar> {
    block: Block<S>,
    /// Of the grown boxes.
    index: Index<FrameTree<S>>,
}

impl<S: Scalar> Chunk<S> {
    pub(crate) fn read(from: &Dealt, pieces: &[Piece], margin: f64) -> Result<Self, Error> {
        let mut block = Block::<S>::new();
        block.reserve(pieces.iter().map(|piece| piece.count as usize).sum());
        let mut bytes = Vec::new();
        pieces.iter().try_for_each(|piece| from.spill.read(piece, &mut block, &mut bytes))?;
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

    /// Passes on the numbers of the boxes that overlap `bounds`.
    pub(crate) fn ask(&self, bounds: &Aabb<f64>, visit: impl FnMut(u32) -> ControlFlow<Stop>) -> ControlFlow<Stop> {
        self.index.query_visit(Overlaps(bounds.cast()), visit)
    }
}
