//! The recent pieces of a stream: those that later fixes may still come near.

use std::collections::VecDeque;
use std::marker::PhantomData;

use quadrille::structures::Quadtree;
use quadrille::{Aabb, Index, Overlaps};

use crate::flat::flatten;
use crate::ground::{Ground, squared};
use crate::motion::Piece;

/// At most this many panes: the faces of a cube.
const PANES: usize = 6;

/// The boxes of a piece, grown by half the distance, on the panes where it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shadow {
    /// On which panes, as bits.
    panes: u8,
    /// By pane, where it is on it.
    boxes: [Aabb; PANES],
}

impl Shadow {
    pub(crate) fn of<G: Ground<D>, const D: usize>(piece: &Piece<D>, within: f64, origin: &[f64; D]) -> Self {
        let [from, to] = [&piece.from.position, &piece.to.position];
        let length = squared::<D>(&std::array::from_fn(|axis| to[axis] - from[axis])).sqrt();
        let farthest = from.iter().chain(to).fold(within, |farthest: f64, part| farthest.max(part.abs()));
        // Rounding as in the slabs: more than that of positions, offsets and roots together.
        let margin = G::chord(within) / 2.0 + G::sag(length) + 128.0 * f64::EPSILON * farthest;
        let min = std::array::from_fn(|axis| from[axis].min(to[axis]) - margin);
        let max = std::array::from_fn(|axis| from[axis].max(to[axis]) + margin);
        let mut boxes = [Aabb::EMPTY; PANES];
        for (shadow, axes) in boxes.iter_mut().zip(G::PANES) {
            *shadow = flatten(&min, &max, origin, *axes);
        }
        Self { panes: G::panes(&min, &max), boxes }
    }

    /// The panes it is on, and its box there.
    fn iter(&self) -> impl Iterator<Item = (usize, &Aabb)> {
        self.boxes.iter().enumerate().filter(|(pane, _)| self.panes >> pane & 1 == 1)
    }
}

/// Pieces in the order they came in, and quadtrees of their boxes.
#[derive(Debug, Default)]
pub(crate) struct Recent<G, const D: usize> {
    ground: PhantomData<G>,
    pieces: VecDeque<Kept<D>>,
    /// How many have been dropped.
    dropped: usize,
    panes: [Pane; PANES],
}

#[derive(Debug, Default)]
struct Pane {
    index: Index<Quadtree>,
    /// The number of the piece, counted from the first ever, by box.
    numbers: Vec<usize>,
}

#[derive(Debug)]
struct Kept<const D: usize> {
    track: u32,
    piece: Piece<D>,
    panes: u8,
    /// Boxes by pane, where it is on it.
    ids: [u32; PANES],
}

impl<G: Ground<D>, const D: usize> Recent<G, D> {
    pub(crate) fn insert(&mut self, track: u32, piece: Piece<D>, shadow: &Shadow) {
        let number = self.dropped + self.pieces.len();
        let mut ids = [0; PANES];
        for (pane, bounds) in shadow.iter() {
            let Pane { index, numbers } = &mut self.panes[pane];
            let id = index.insert(*bounds).expect("boxes are finite and ordered, and fewer than two thousand million");
            if numbers.len() <= id as usize {
                numbers.resize(id as usize + 1, 0);
            }
            numbers[id as usize] = number;
            ids[pane] = id;
        }
        self.pieces.push_back(Kept { track, piece, panes: shadow.panes, ids });
    }

    /// Visits the pieces whose boxes overlap those of a shadow, each once.
    pub(crate) fn visit(&self, shadow: &Shadow, mut visit: impl FnMut(u32, &Piece<D>)) {
        for (number, bounds) in shadow.iter() {
            let pane = &self.panes[number];
            for id in pane.index.query(Overlaps(*bounds)) {
                let kept = &self.pieces[pane.numbers[id as usize] - self.dropped];
                if (kept.panes & shadow.panes).trailing_zeros() as usize == number {
                    visit(kept.track, &kept.piece);
                }
            }
        }
    }

    /// Drops the oldest pieces that ended before a time.
    pub(crate) fn drop_before(&mut self, time: f64) {
        while self.pieces.front().is_some_and(|kept| kept.piece.to.time < time) {
            let Some(kept) = self.pieces.pop_front() else { return };
            self.dropped += 1;
            for (pane, &id) in kept.ids.iter().enumerate().filter(|(pane, _)| kept.panes >> pane & 1 == 1) {
                self.panes[pane].index.remove(id);
            }
            self.tidy();
        }
    }

    /// Runs `maintain` on the quadtrees once as many pieces have been dropped as remain.
    fn tidy(&mut self) {
        const SELDOM: usize = 1024;
        if self.dropped % self.pieces.len().max(SELDOM) == 0 {
            self.panes.iter_mut().for_each(|pane| pane.index.maintain());
        }
    }
}
