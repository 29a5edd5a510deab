//! Tree nodes, four siblings side by side.

use alloc::vec::Vec;

use super::{Layers, Unions, add_bytes, bytes_of};
use crate::error::Corruption;

/// The nodes of a quadtree: the root at 0, then blocks of four siblings. A parent needs one number for all its
/// children, and visiting them reads neighboring memory.
///
/// ```text
/// index   0      1  2  3  4     5  6  7  8    ...
///         root   └ block 1 ┘    └ block 5 ┘
/// ```
///
/// Blocks are freed and reused whole, last freed first.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Blocks<N> {
    nodes: Vec<N>,
    free: Vec<u32>,
    layers: Unions,
}

impl<N: Copy> Blocks<N> {
    pub(crate) fn new(root: N) -> Self {
        Self { nodes: alloc::vec![root], free: Vec::new(), layers: Unions::new() }
    }

    /// Back to a single root; memory is kept. Keeps unions of layers from now on if requested.
    pub(crate) fn reset(&mut self, root: N, keeps_layers: bool) {
        self.layers.reset(keeps_layers, 1);
        self.nodes.clear();
        self.free.clear();
        self.nodes.push(root);
    }

    /// Four siblings with the same content; returns the first.
    // Casts: nodes are fewer than 2^32: one split needs several listed boxes.
    pub(crate) fn alloc(&mut self, node: N) -> u32 {
        if let Some(first) = self.free.pop() {
            self.nodes[first as usize..][..4].fill(node);
            (first..first + 4).for_each(|node| self.layers.set(node, Layers::NONE));
            return first;
        }
        let first = self.nodes.len();
        self.nodes.resize(first + 4, node);
        self.layers.set_len(first + 4);
        // Room to free every block, taken while the tree grows: merging allocates nothing.
        self.free.reserve(self.nodes.len() / 4);
        first as u32
    }

    pub(crate) fn free(&mut self, first: u32) {
        self.free.push(first);
    }

    #[inline]
    pub(crate) fn get(&self, node: u32) -> &N {
        &self.nodes[node as usize]
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, node: u32) -> &mut N {
        &mut self.nodes[node as usize]
    }

    /// The union of the layers of all boxes in and below a node.
    #[inline]
    pub(crate) fn layers(&self, node: u32) -> Layers {
        self.layers.get(node)
    }

    pub(crate) fn keeps_layers(&self) -> bool {
        self.layers.is_kept()
    }

    /// `false` if no box in or below a node is wanted.
    #[inline]
    pub(crate) fn are_wanted(&self, node: u32, wants: impl FnOnce(Layers) -> bool) -> bool {
        self.layers.are_wanted(node, wants)
    }

    pub(crate) fn layers_mut(&mut self) -> &mut Unions {
        &mut self.layers
    }

    /// Nodes in use.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len() - 4 * self.free.len()
    }

    /// Nodes in use that have no children. One root and four children a branch: three quarters of all nodes but the
    /// root.
    pub(crate) fn leaves(&self) -> usize {
        (3 * self.len() + 1) / 4
    }

    pub(crate) fn bytes(&self) -> [usize; 2] {
        add_bytes([bytes_of(&self.nodes), bytes_of(&self.free), self.layers.bytes()])
    }

    /// Walking from the root through `children` meets every block that is not free once, none more than `max_depth`
    /// steps down. Follows no number that it has not checked, so it ends, and does not panic, whatever the nodes say.
    pub(crate) fn validate(
        &self,
        children: impl Fn(&N) -> Option<u32>,
        max_depth: impl Into<usize>,
    ) -> Result<(), Corruption> {
        let (max_depth, blocks) = (max_depth.into(), self.nodes.len() / 4);
        let is_block = |first: &u32| first % 4 == 1 && (*first as usize) < self.nodes.len();
        let whole = self.nodes.len() % 4 == 1;
        Corruption::unless(whole, || alloc::format!("{} nodes are no root and blocks of four", self.nodes.len()))?;
        self.layers.validate_len(self.nodes.len())?;
        let mut met = self.free.clone();
        let mut level = alloc::vec![0];
        for depth in 0..=max_depth {
            let firsts: Vec<u32> = level.iter().filter_map(|&node| children(self.get(node))).collect();
            met.extend(&firsts);
            Corruption::unless(firsts.is_empty() || depth < max_depth, || "the tree is too deep".into())?;
            Corruption::unless(met.len() <= blocks && firsts.iter().all(is_block), || {
                alloc::format!("{} blocks in use or free, children at {firsts:?}; {blocks} blocks exist", met.len())
            })?;
            level = firsts.into_iter().flat_map(|first| first..first + 4).collect();
        }
        met.sort_unstable();
        Corruption::unless(met.iter().copied().eq((1..).step_by(4).take(blocks)), || {
            alloc::format!("blocks in use and free blocks are not all {blocks} blocks once each")
        })
    }
}
