//! What a search for the nearest boxes has found so far.
//!
//! Most boxes are left out by the squares of their distances, known for sixteen at once up to rounding; only those that
//! may be answers are measured exactly.

use core::array;
use core::ops::ControlFlow;

use arrayvec::ArrayVec;

use super::super::tree::FrameTree;
use super::keys::{self, greater, lesser};
use crate::geometry::Scalar;
use crate::kernel::{self, Kernel, LANES};
use crate::query::Narrowing;
use crate::storage::{Boxes, NONE};

/// What has been found on the way.
pub(in super::super) trait Found<S: Scalar, Q> {
    /// The query is shown every box that is found, so that it knows what is wanted of those that rank alike: lower ids.
    const IS_EXACT: bool;

    /// The square of a distance beyond which nothing is wanted.
    fn square(&self) -> f64;

    /// Looks at the boxes of a pack that are near enough. Breaks off if there are too many.
    fn look_at<K: Kernel>(
        &mut self,
        kernel: K,
        tree: &FrameTree<S>,
        pack: usize,
        boxes: &Boxes<S>,
        query: &Q,
    ) -> ControlFlow<()>;

    /// Asks the query again how near boxes must be, after it has been shown some by other means.
    fn ask(&mut self, query: &Q);
}

/// Every box is shown to the query at once, which then says how near others must be.
pub(in super::super) struct Exactly {
    pub(in super::super) square: f64,
}

impl<S: Scalar, Q: Narrowing<S>> Found<S, Q> for Exactly {
    const IS_EXACT: bool = true;

    #[inline]
    fn square(&self) -> f64 {
        self.square
    }

    #[inline(always)]
    fn look_at<K: Kernel>(
        &mut self,
        _: K,
        tree: &FrameTree<S>,
        pack: usize,
        boxes: &Boxes<S>,
        query: &Q,
    ) -> ControlFlow<()> {
        tree.look_at(pack, boxes, query);
        Found::<S, Q>::ask(self, query);
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn ask(&mut self, query: &Q) {
        self.square = query.square().unwrap_or(self.square);
    }
}

/// The most answers that are first looked for roughly. With more, keeping them in order costs more than it saves.
const MAX_ROUGHLY: usize = 16;

/// Boxes that are kept until they are shown. Fewer: more searches begin again, as they do where more than this many are
/// equally near. More: it is longer before they do.
const MAX_KEPT: usize = 8 * LANES;

/// Keeps boxes with the squares of their distances as computed for sixteen at once, and shows them at the end: no more
/// than are wanted, except those that rounding cannot tell from the last.
pub(in super::super) struct Roughly {
    /// The square of the distance limit at the start.
    limit: f64,
    /// How many are wanted.
    most: usize,
    /// The `most` least [keys](super::keys) so far, ascending.
    least: [f64; MAX_ROUGHLY],
    /// The keys of all boxes kept, numbered in the order in which they came, and their slots.
    keys: ArrayVec<f64, MAX_KEPT>,
    slots: ArrayVec<u32, MAX_KEPT>,
}

impl Roughly {
    /// `None` if boxes cannot be told by their distance alone, or too many are wanted.
    #[inline]
    pub(in super::super) fn new<S: Scalar, Q: Narrowing<S>>(query: &Q, limit: f64) -> Option<Self> {
        let most = query.nearest().filter(|most| (1..=MAX_ROUGHLY).contains(most))?;
        let (keys, slots) = (ArrayVec::new(), ArrayVec::new());
        Some(Self { limit, most, least: [keys::TAKEN; MAX_ROUGHLY], keys, slots })
    }

    /// An upper bound on the squared distance of the last answer that is wanted, widened for rounding on both sides of the
    /// comparison.
    #[inline]
    fn last<S: Scalar>(&self) -> f64 {
        kernel::reach::<S>(self.least[self.most - 1])
    }

    /// Keeps a box, and counts it among those with the least keys.
    #[inline(always)]
    fn keep<const N: usize>(&mut self, square: f64, slot: u32, least: &mut [f64; N]) {
        let key = keys::numbered(square, self.keys.len());
        *least = with_key(least, key);
        self.keys.push(key);
        self.slots.push(slot);
    }

    /// Keeps those of the boxes in a pack that are admitted. There must be room.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "slots are fewer than 2^31")]
    fn keep_all<const N: usize, S: Scalar, Q: Narrowing<S>>(
        &mut self,
        (ids, first): (&[u32; LANES], usize),
        (near, squares): (u32, &[f64; LANES]),
        boxes: &Boxes<S>,
        query: &Q,
    ) {
        // A copy that stays in registers.
        let mut least: [f64; N] = array::from_fn(|place| self.least[place]);
        let squares: [f64; LANES] = array::from_fn(|lane| keys::cut(squares[lane]));
        for lane in kernel::bits(near) {
            let id = ids[lane];
            if id != NONE && query.admits(id, boxes.layers(id)) {
                self.keep(squares[lane], (first + lane) as u32, &mut least);
            }
        }
        self.least[..N].copy_from_slice(&least);
    }

    /// Shows the kept boxes that may be wanted: those with the least keys, nearest first up to rounding, so that none
    /// has to make room for a later one, and then others that rounding cannot tell from the last of them.
    pub(in super::super) fn show<S: Scalar, Q: Narrowing<S>>(&self, tree: &FrameTree<S>, boxes: &Boxes<S>, query: &Q) {
        let show = |key: f64| {
            let slot = self.slots[keys::number_of(key)] as usize;
            let id = tree.order[slot];
            query.accepts(id, &tree.levels.get(0, slot), boxes.layers(id));
        };
        let first = &self.least[..self.most.min(self.keys.len())];
        let Some(&last) = first.last() else { return };
        first.iter().for_each(|&key| show(key));
        let most = kernel::reach::<S>(self.last::<S>());
        self.keys.iter().filter(|&&key| (last < key) & (key <= most)).for_each(|&key| show(key));
    }
}

impl<S: Scalar, Q: Narrowing<S>> Found<S, Q> for Roughly {
    const IS_EXACT: bool = false;

    #[inline]
    fn square(&self) -> f64 {
        lesser(self.limit, self.last::<S>())
    }

    #[inline(always)]
    fn look_at<K: Kernel>(
        &mut self,
        kernel: K,
        tree: &FrameTree<S>,
        pack: usize,
        boxes: &Boxes<S>,
        query: &Q,
    ) -> ControlFlow<()> {
        if self.keys.remaining_capacity() < LANES {
            return ControlFlow::Break(());
        }
        let (slots, mut squares) = ((tree.pack(pack), pack * LANES), [0.0; LANES]);
        let square = Found::<S, Q>::square(self);
        let near = kernel.near(&tree.levels.lanes(0, pack), &query.origin(), square, &mut squares);
        match self.most {
            1 => self.keep_all::<1, S, Q>(slots, (near, &squares), boxes, query),
            2..=8 => self.keep_all::<8, S, Q>(slots, (near, &squares), boxes, query),
            _ => self.keep_all::<MAX_ROUGHLY, S, Q>(slots, (near, &squares), boxes, query),
        }
        ControlFlow::Continue(())
    }

    fn ask(&mut self, _: &Q) {}
}

/// Inserts a key among some that are in order, without a branch; the last one drops out.
#[inline(always)]
fn with_key<const N: usize>(old: &[f64; N], key: f64) -> [f64; N] {
    array::from_fn(|place| {
        let shifted = if place == 0 { key } else { greater(old[place - 1], key) };
        lesser(old[place], shifted)
    })
}
