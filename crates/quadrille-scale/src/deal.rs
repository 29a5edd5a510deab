//! Distributes the boxes of a set: each goes to the tiles that it touches, or to the wide boxes.

use std::thread::{self, Scope, ScopedJoinHandle};

use quadrille::Aabb;

use crate::block::Block;
use crate::queue::Queue;
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
    /// The hull of the boxes of each tile, and last that of the wide boxes.
    pub(crate) hulls: Vec<Aabb<f64>>,
}

/// The tiles that a box goes to, unless it is wide.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Goes {
    /// To all that it touches when it is grown by this much on every side.
    Touched(f64),
    /// To the one that holds its center.
    Center,
}

impl Dealt {
    /// Distributes all boxes, on all threads.
    pub(crate) fn new(settings: &Settings, spool: &Spool, tiles: &Tiles, goes: Goes) -> Result<Self, Error> {
        let spill = Spill::new(&settings.folder)?;
        let queue = Queue::new(spool.pieces.len());
        let most = settings.block(tiles.len() + 1);
        let deal = || {
            let mut hands = Hands::new(&spill, tiles.len() + 1, most);
            let hulls = hands.deal(spool, tiles, &queue, goes)?;
            Ok((hands.pieces, hulls))
        };
        let hands = on_all(settings.threads, deal)?;
        let mut pieces = vec![Vec::new(); tiles.len() + 1];
        let mut hulls = vec![Aabb::EMPTY; tiles.len() + 1];
        for (of_hand, of_tiles) in hands {
            of_hand.into_iter().for_each(|(tile, piece)| pieces[tile].push(piece));
            hulls.iter_mut().zip(of_tiles).for_each(|(hull, other)| *hull = hull.union(&other));
        }
        let wide = pieces.pop().unwrap_or_default();
        Ok(Self { spill, tiles: pieces, wide, hulls })
    }

    /// How many boxes a tile has.
    pub(crate) fn size(&self, tile: usize) -> usize {
        self.tiles[tile].iter().map(|piece| piece.count as usize).sum()
    }
}

/// Does work on several threads, and returns what each has made.
pub(crate) fn on_all<T: Send, E: Send + From<Error>>(
    threads: usize,
    work: impl Fn() -> Result<T, E> + Sync,
) -> Result<Vec<T>, E> {
    thread::scope(|scope| {
        let threads = (0..threads).map(|_| start(scope, &work)).collect::<Result<Vec<_>, _>>()?;
        threads.into_iter().map(|thread| thread.join().expect("no thread panics")).collect()
    })
}

/// Starts a thread. The system may have no more of them.
pub(crate) fn start<'s, T: Send + 's>(
    scope: &'s Scope<'s, '_>,
    work: impl FnOnce() -> T + Send + 's,
) -> Result<ScopedJoinHandle<'s, T>, Error> {
    let started = thread::Builder::new().spawn_scoped(scope, work);
    started.map_err(|error| Error::new(format!("a thread cannot be started: {error}")))
}

/// What one thread holds: a block for each heap, such as a tile.
pub(crate) struct Hands<'a> {
    spill: &'a Spill,
    most: usize,
    blocks: Vec<Block>,
    pub(crate) pieces: Vec<(usize, Piece)>,
    bytes: Vec<u8>,
}

impl<'a> Hands<'a> {
    /// For this many heaps, with blocks of at most this many boxes.
    pub(crate) fn new(spill: &'a Spill, heaps: usize, most: usize) -> Self {
        let blocks = (0..heaps).map(|_| Block::new()).collect();
        Self { spill, most, blocks, pieces: Vec::new(), bytes: Vec::new() }
    }

    /// Distributes pieces of the spool until none are left; wide boxes go to the last heap. Returns the hulls of heaps.
    fn deal(&mut self, spool: &Spool, tiles: &Tiles, queue: &Queue, goes: Goes) -> Result<Vec<Aabb<f64>>, Error> {
        let (mut read, mut bytes, mut touched) = (Block::new(), Vec::new(), Vec::new());
        let mut hulls = vec![Aabb::EMPTY; tiles.len() + 1];
        queue.each(|number| {
            read.clear();
            spool.spill.read(&spool.pieces[number], &mut read, &mut bytes)?;
            for (row, bounds) in read.iter() {
                let margin = if let Goes::Touched(margin) = goes { margin } else { 0.0 };
                let is_wide = !tiles.touched(&bounds.grown(margin), &mut touched);
                if is_wide {
                    touched.splice(.., [tiles.len()]);
                } else if goes == Goes::Center {
                    tiles.touched(&Aabb::from_point(bounds.center()), &mut touched);
                }
                for &heap in &touched {
                    hulls[heap] = hulls[heap].union(bounds);
                    self.put(heap, row, bounds)?;
                }
            }
            Ok(())
        })?;
        self.finish()?;
        Ok(hulls)
    }

    pub(crate) fn put(&mut self, heap: usize, row: u32, bounds: &Aabb<f64>) -> Result<(), Error> {
        let block = &mut self.blocks[heap];
        if block.len() == 0 {
            block.reserve(self.most);
        }
        block.push(row, *bounds);
        if block.len() == self.most { self.flush(heap) } else { Ok(()) }
    }

    /// Writes all blocks.
    pub(crate) fn finish(&mut self) -> Result<(), Error> {
        (0..self.blocks.len()).try_for_each(|heap| self.flush(heap))
    }

    fn flush(&mut self, heap: usize) -> Result<(), Error> {
        let block = &mut self.blocks[heap];
        if block.len() > 0 {
            self.pieces.push((heap, self.spill.write(block, &mut self.bytes)?));
            block.clear();
        }
        Ok(())
    }
}
