//! Unions of layers, by node or cell: can anything in it be an answer?

use alloc::vec::Vec;

use super::{Boxes, Layers, bytes_of};
use crate::error::Corruption;
use crate::geometry::Scalar;
use crate::memory::clone_by_field;

/// For each node or cell, the union of the layers of all boxes in and below it. Widened at once, tightened in
/// `maintain`. Takes no memory while no box has layers.
#[derive(Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Unions {
    unions: Vec<Layers>,
    is_kept: bool,
}

clone_by_field!([] Unions { unions, is_kept });

impl Unions {
    pub(crate) const fn new() -> Self {
        Self { unions: Vec::new(), is_kept: false }
    }

    /// Starts over, with `nodes` empty unions if they are to be kept. Not inlined: trees have one of these for each level.
    #[inline(never)]
    pub(crate) fn reset(&mut self, is_kept: bool, nodes: usize) {
        self.is_kept = is_kept;
        self.unions.clear();
        self.set_len(nodes);
    }

    /// New nodes get empty unions. Not inlined, as above.
    #[inline(never)]
    pub(crate) fn set_len(&mut self, nodes: usize) {
        self.unions.resize(if self.is_kept { nodes } else { 0 }, Layers::NONE);
    }

    pub(crate) fn is_kept(&self) -> bool {
        self.is_kept
    }

    /// The union of a node; [`Layers::ALL`] if none are kept.
    #[inline]
    pub(crate) fn get(&self, node: u32) -> Layers {
        self.unions.get(node as usize).copied().unwrap_or(Layers::ALL)
    }

    /// `false` if nothing in a node is wanted. While no unions are kept, this is a single test with the same outcome
    /// every time.
    #[inline]
    pub(crate) fn are_wanted(&self, node: u32, wants: impl FnOnce(Layers) -> bool) -> bool {
        !self.is_kept || wants(self.get(node))
    }

    #[inline]
    pub(crate) fn widen(&mut self, node: u32, layers: Layers) {
        if let Some(union) = self.unions.get_mut(node as usize) {
            *union = union.union(layers);
        }
    }

    pub(crate) fn set(&mut self, node: u32, layers: Layers) {
        if let Some(union) = self.unions.get_mut(node as usize) {
            *union = layers;
        }
    }

    /// Unions of what is there now, if every box has one home.
    pub(crate) fn refill<S: Scalar>(&mut self, boxes: &Boxes<S>, home: impl Fn(u32) -> u32) {
        if self.is_kept {
            self.unions.fill(Layers::NONE);
            boxes.iter().for_each(|(id, _)| self.widen(home(id), boxes.layers(id)));
        }
    }

    /// Every union is complete, if every box has one home.
    pub(crate) fn validate<S: Scalar>(&self, boxes: &Boxes<S>, home: impl Fn(u32) -> u32) -> Result<(), Corruption> {
        let mut exact = self.clone();
        exact.refill(boxes, home);
        Corruption::unless(self.cover(&exact), || "a union of layers lacks some that are in its cell".into())
    }

    /// `true` if no union of `exact` has anything that is missing here.
    pub(crate) fn cover(&self, exact: &Self) -> bool {
        self.unions.len() == exact.unions.len()
            && self.unions.iter().zip(&exact.unions).all(|(&union, &exact)| union.union(exact) == union)
    }

    /// There is one for each of `nodes`, or none at all.
    pub(crate) fn validate_len(&self, nodes: usize) -> Result<(), Corruption> {
        Corruption::unless(self.unions.len() == if self.is_kept { nodes } else { 0 }, || {
            alloc::format!("{} unions of layers for {nodes} nodes", self.unions.len())
        })
    }

    pub(crate) fn bytes(&self) -> [usize; 2] {
        bytes_of(&self.unions)
    }
}
