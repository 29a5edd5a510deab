//! The pairs of wide boxes, which touch too many tiles to be copied to them: chunks of them are compared with all
//! boxes, in the order of arrival, by all threads.

use std::ops::ControlFlow;
use std::slice;

use quadrille::Aabb;

use crate::deal::Dealt;
use crate::found::{Named, Stop, ended};
use crate::queue::Queue;
use crate::spool::Spool;
use crate::tile::Chunk;
use crate::tiles::Tiles;

/// The wide boxes of one set, to be compared with the other set.
pub(crate) struct Wide<'a> {
    pub(crate) tiles: &'a Tiles,
    /// The set that the wide boxes are of.
    pub(crate) from: &'a Dealt,
    /// The other set, or the only one.
    pub(crate) others: &'a Spool,
    pub(crate) role: Role,
    pub(crate) margin: f64,
}

/// What the wide boxes are among the sets.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// Boxes of the only set. A pair of two wide boxes is found twice, and reported when the other box has the lower row.
    Only,
    /// Boxes of the first of two.
    First,
    /// Boxes of the second of two. Pairs of two wide boxes have been reported with the first.
    Second,
}

impl Wide<'_> {
    /// Finds the pairs of a chunk with the pieces of the others that no other thread has taken.
    pub(crate) fn find(
        &self,
        chunk: &Chunk<f64>,
        queue: &Queue,
        mut judge: impl FnMut(Named, Named) -> ControlFlow<Stop>,
    ) -> Result<(), Stop> {
        let margin = self.margin;
        let (mut are_wide, mut touched) = (Vec::new(), Vec::new());
        queue.each(|number| {
            let others = Chunk::read(&self.others.spill, slice::from_ref(&self.others.pieces[number]), margin)?;
            are_wide.clear();
            if self.role != Role::First {
                let mut is_wide = |bounds: &Aabb<f64>| !self.tiles.touched(&bounds.grown(margin), &mut touched);
                are_wide.extend(others.block.boxes.iter().map(&mut is_wide));
            }
            ended(chunk.pairs_with(&others, |i, j| {
                let (wide, other) = (chunk.named(i), others.named(j));
                match self.role {
                    Role::Only if are_wide[j as usize] && wide.0 <= other.0 => ControlFlow::Continue(()),
                    Role::Only | Role::First => judge(wide, other),
                    Role::Second if are_wide[j as usize] => ControlFlow::Continue(()),
                    Role::Second => judge(other, wide),
                }
            }))
        })
    }
}
