//! Bullets and enemies as programs write them by hand: enemies in a grid, all pairs in a sorted list, and what is new
//! and what is missing in it, compared with the list of the frame before.

use std::mem::take;

use quadrille::Aabb;

use super::hand_grid::{Grid, largest};
use super::{Bullets, enemies};
use crate::tally::Tally;

type Pair = (u32, u32);

#[derive(Default)]
pub struct ByHand {
    /// Enemies and bullets that overlap, sorted.
    pairs: Vec<Pair>,
    /// Bullets that are gone since the last frame.
    gone: Vec<u32>,
    /// Kept to reuse its memory.
    spare: Vec<Pair>,
}

pub fn new(boxes: &[Aabb]) -> ByHand {
    let mut by_hand = ByHand::default();
    by_hand.frame(boxes, &mut [Tally::default(); 2]);
    by_hand
}

impl Bullets for ByHand {
    fn renew(&mut self, place: u32, _bounds: &Aabb) {
        self.gone.push(place);
    }

    fn frame(&mut self, boxes: &[Aabb], [begin, end]: &mut [Tally; 2]) {
        let mut before = take(&mut self.pairs);
        if !self.gone.is_empty() {
            before.retain(|&(enemy, bullet)| {
                let is_gone = self.gone.binary_search(&bullet).is_ok();
                if is_gone {
                    end.pair(enemy, bullet);
                }
                !is_gone
            });
            self.gone.clear();
        }
        let (of_enemies, bullets) = boxes.split_at(enemies(boxes.len()));
        let grid = Grid::new(of_enemies, 0.0, largest(boxes));
        let mut pairs = take(&mut self.spare);
        for (bullet, bounds) in (of_enemies.len() as u32..).zip(bullets) {
            grid.around(bounds, |other, enemy| {
                if bounds.intersects(other) {
                    pairs.push((enemy, bullet));
                }
            });
        }
        pairs.sort_unstable();
        missing(&pairs, &before, |(enemy, bullet)| begin.pair(enemy, bullet));
        missing(&before, &pairs, |(enemy, bullet)| end.pair(enemy, bullet));
        before.clear();
        (self.pairs, self.spare) = (pairs, before);
    }
}

/// Visits those of some sorted pairs that are not among others.
fn missing(some: &[Pair], others: &[Pair], mut visit: impl FnMut(Pair)) {
    let mut others = others.iter().peekable();
    for pair in some {
        while others.next_if(|other| *other < pair).is_some() {}
        if others.peek() != Some(&pair) {
            visit(*pair);
        }
    }
}
