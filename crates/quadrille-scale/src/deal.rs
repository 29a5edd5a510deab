//! Distributes the boxes of a set: each goes to the tiles that it touches, or to the wide boxes.

use std::sync::atomic::{AtomicUsize, Ordering};

use quadrille::Aabb;

use crate::block::Block;
use crate::spill::{Piece, Spill};
use crate::spool::Spool;
use crate::tiles::Tiles;
use crate::{Error, Settings};

/// The boxes of a set by tile.
#[derive(Debug)]
pub(crate) struct Dealt {
    pub(crate) spill: Spill,
    /// The pieces of each tile.
    pub(crate) tiles: Vec<Vec<Piece>>,
    /// The pieces of wide boxes.
    pub(crate) wide: Vec<Piece>,
}

impl Dealt {
    /// Distributes all boxes, on all threads.
    pub(crate) fn new(settings: &Settings, spool: &Spool, tiles: &Tiles, margin: f64) -> Result<Self, Error> {
        let spill = Spill::new(&settings.folder)?;
        let next = AtomicUsize::new(0);
        let most = settings.block(tiles.len() + 1);
        let deal = || {
            let mut hands = Hands::new(&spill, tiles, most);
            hands.deal(spool, &next, margin)?;
            Ok(hands.pieces)
        };
        let hands = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..settings.threads).map(|_| scope.spawn(deal)).collect();
            threads
                .into_iter()
                .map(|thread| thread.join().expect("no thread panics"))
                .collect::<Result<Vec<_>, Error>>()
        })?;
        let mut pieces = vec![Vec::new(); tiles.len() + 1];
        hands.into_iter().flatten().for_each(|(tile, piece)| pieces[tile].push(piece));
        let wide = pieces.pop().unwrap_or_default();
        Ok(Self { spill, tiles: pieces, wide })
    }

    /// How many boxes a tile has.
    pub(crate) fn size(&self, tile: usize) -> usize {
        self.tiles[tile].iter().map(|piece| piece.count as usize).sum()
    }
}

/// What one thread holds: a block for each tile, the last for wide boxes.
struct Hands<'a> {
    spill: &'a Spill,
    tiles: &'a Tiles,
    most: usize,
    blocks: Vec<Block>,
    pieces: Vec<(usize, Piece)>,
    bytes: Vec<u8>,
}

impl<'a> Hands<'a> {
    fn new(spill: &'a Spill, tiles: &'a Tiles, most: usize) -> Self {
        let blocks = (0..=tiles.len()).map(|_| Block::new()).collect();
        Self { spill, tiles, most, blocks, pieces: Vec::new(), bytes: Vec::new() }
    }

    /// Distributes pieces of the spool until none are left.
    fn deal(&mut self, spool: &Spool, next: &AtomicUsize, margin: f64) -> Result<(), Error> {
        let (mut read, mut bytes, mut touched) = (Block::new(), Vec::new(), Vec::new());
        while let Some(piece) = spool.pieces.get(next.fetch_add(1, Ordering::Relaxed)) {
            read.clear();
            spool.spill.read(piece, &mut read, &mut bytes)?;
            for (row, bounds) in read.iter() {
                if self.tiles.touched(&bounds.grown(margin), &mut touched) {
                    touched.iter().try_for_each(|&tile| self.put(tile, row, bounds))?;
                } else {
                    self.put(self.tiles.len(), row, bounds)?;
                }
            }
        }
        (0..self.blocks.len()).try_for_each(|tile| self.flush(tile))
    }

    fn put(&mut self, tile: usize, row: u32, bounds: &Aabb<f64>) -> Result<(), Error> {
        let block = &mut self.blocks[tile];
        if block.len() == 0 {
            block.reserve(self.most);
        }
        block.push(row, *bounds);
        if block.len() == self.most { self.flush(tile) } else { Ok(()) }
    }

    fn flush(&mut self, tile: usize) -> Result<(), Error> {
        let block = &mut self.blocks[tile];
        if block.len() > 0 {
            self.pieces.push((tile, self.spill.write(block, &mut self.bytes)?));
            block.clear();
        }
        Ok(())
    }
}
