//! What a search for the nearest boxes has found so far.
//!
//! Most boxes are left out by the squares of their distances, known for sixteen at once up to rounding; only those that
//! may be answers are measured exactly.

use core::array;
use core::ops::ControlFlow;

use arrayvec::ArrayVec;

use super::super::tree::FrameTree;
use super::keys::{self, greater, lesser};
use super::sought::Sought;
use crate::geometry::{Aabb, Scalar};
use crate::kernel::{self, Kernel, LANES};
use crate::query::Narrowing;
use crate::storage::NONE;

/// What has been found on the way.
pub(in super::super) trait Found<S: Scalar> {
    /// The query sees every box that is found, so that of those that rank alike it accepts only lower ids.
    const IS_EXACT: bool;

    /// The square of a distance beyond which nothing is wanted.
    fn square(&self) -> f64;

    /// Looks at the boxes of a pack that are near enough. Breaks off if there are too many.
    fn look_at<K: Kernel>(
        &mut self,
        kernel: K,
        pack: (&FrameTree<S>, usize),
        origin: &Aabb<S>,
        query: &dyn Sought<S>,
    ) -> ControlFlow<()>;

    /// Takes the limit on distances after some boxes have been offered to the query by other means.
    fn limit(&mut self, square: Option<f64>);

    /// Shows the query what it has not been shown yet, at the end.
    fn finish(&self, query: &dyn Sought<S>);
}

/// Every box is shown to the query at once, which then says how near others must be.
#[derive(Debug)]
pub struct Exactly {
    pub(in super::super) square: f64,
}

impl<S: Scalar> Found<S> for Exactly {
    const IS_EXACT: bool = true;

    #[inline]
    fn square(&self) -> f64 {
        self.square
    }

    #[inline(always)]
    fn look_at<K: Kernel>(
        &mut self,
        _: K,
        (_, pack): (&FrameTree<S>, usize),
        _: &Aabb<S>,
        query: &dyn Sought<S>,
    ) -> ControlFlow<()> {
        Found::<S>::limit(self, query.look_at(pack));
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn limit(&mut self, square: Option<f64>) {
        self.square = square.unwrap_or(self.square);
    }

    fn finish(&self, _: &dyn Sought<S>) {}
}

/// The most answers that are first looked for roughly. With more, keeping them in order costs more than it saves.
const MAX_ROUGHLY: usize = 16;

/// Boxes that are kept until they are shown. Fewer: more searches begin again, as they do if more than this many are
/// equally near. More: it is longer before they do.
const MAX_KEPT: usize = 8 * LANES;

/// Keeps boxes with the squares of their distances as computed for sixteen at once, and shows them at the end: no more
/// than are wanted, except those that rounding cannot tell from the last.
#[derive(Debug)]
pub struct Roughly {
    /// The square of the distance limit at the start.
    limit: f64,
    /// How many are wanted.
    most: usize,
    /// Are the query's ids and layers of no account?
    are_all_admitted: bool,
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
        let (least, are_all_admitted) = ([keys::TAKEN; MAX_ROUGHLY], query.admits_all());
        Some(Self { limit, most, are_all_admitted, least, keys: ArrayVec::new(), slots: ArrayVec::new() })
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

    /// Keeps some of the boxes of a pack. There must be room.
    #[inline(always)]
    fn keep_all<const N: usize>(&mut self, (ids, first): (&[u32; LANES], usize), some: u32, squares: &[f64; LANES]) {
        // A copy that stays in registers.
        let mut least: [f64; N] = array::from_fn(|place| self.least[place]);
        let squares: [f64; LANES] = array::from_fn(|lane| keys::cut(squares[lane]));
        for lane in kernel::bits(some) {
            if ids[lane] != NONE {
                self.keep(squares[lane], (first + lane) as u32, &mut least);
            }
        }
        self.least[..N].copy_from_slice(&least);
    }
}

impl<S: Scalar> Found<S> for Roughly {
    const IS_EXACT: bool = false;

    #[inline]
    fn square(&self) -> f64 {
        lesser(self.limit, self.last::<S>())
    }

    #[inline(always)]
    fn look_at<K: Kernel>(
        &mut self,
        kernel: K,
        (tree, pack): (&FrameTree<S>, usize),
        origin: &Aabb<S>,
        query: &dyn Sought<S>,
    ) -> ControlFlow<()> {
        if self.keys.remaining_capacity() < LANES {
            return ControlFlow::Break(());
        }
        let (square, mut squares) = (Found::<S>::square(self), [0.0; LANES]);
        let near = kernel.near(&tree.levels.lanes(0, pack), origin, square, &mut squares);
        if near != 0 {
            let some = if self.are_all_admitted { near } else { query.admitted(pack, near) };
            let slots = (tree.pack(pack), pack * LANES);
            match self.most {
                1 => self.keep_all::<1>(slots, some, &squares),
                2..=8 => self.keep_all::<8>(slots, some, &squares),
                _ => self.keep_all::<MAX_ROUGHLY>(slots, some, &squares),
            }
        }
        ControlFlow::Continue(())
    }

    fn limit(&mut self, _: Option<f64>) {}

    /// Shows the kept boxes that may be wanted: those with the least keys, nearest first up to rounding, so that none
    /// has to make room for a later one, and then others that rounding cannot tell from the last of them.
    fn finish(&self, query: &dyn Sought<S>) {
        let show = |key: f64| query.show(self.slots[keys::number_of(key)] as usize);
        let first = &self.least[..self.most.min(self.keys.len())];
        let Some(&last) = first.last() else { return };
        first.iter().for_each(|&key| show(key));
        let most = kernel::reach::<S>(self.last::<S>());
        self.keys.iter().filter(|&&key| (last < key) & (key <= most)).for_each(|&key| show(key));
    }
}

/// Inserts a key among some that are in order, without a branch; the last one drops out.
#[inline(always)]
fn with_key<const N: usize>(old: &[f64; N], key: f64) -> [f64; N] {
    array::from_fn(|place| {
        let shifted = if place == 0 { key } else { greater(old[place - 1], key) };
        lesser(old[place], shifted)
    })
}
