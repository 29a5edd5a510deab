//! The plane divided into cells: a binary tree of splitting lines.

use alloc::vec::Vec;

use crate::error::Corruption;
use crate::geometry::{Aabb, Scalar};
use crate::storage::{add_bytes, bytes_of};

/// No cell is more lines away from the root, which bounds recursion. The crowd in a cell that may not be divided any more forms
/// several packs.
pub(super) const MAX_DEPTH: u8 = 64;

/// Marks the link of a leaf.
const LEAF: u32 = 1 << 31;

/// A line that divides a cell in two, or a cell that is not divided. 12 bytes for `f32` and `i32`.
///
/// ```text
///           split   link                   tag
/// branch    line    first of two nodes     bit 0: axis   bit 1: the first node is the upper side
/// leaf      -       1 ‖ slots              number in the order of cells
/// ```
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Node<S> {
    split: S,
    link: u32,
    tag: u32,
}

const _: () = assert!(size_of::<Node<f32>>() == 12);

/// A node as one sees it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Cell<S> {
    Branch(Branch<S>),
    Leaf(Leaf),
}

/// A line and the two nodes beside it, `first` and `first + 1`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Branch<S> {
    pub(super) axis: usize,
    pub(super) split: S,
    /// Which side the first of the two nodes is on: it is the one nearer to the cell before.
    pub(super) upper_first: bool,
    pub(super) first: u32,
}

/// A cell that is not divided.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaf {
    /// How many slots in a row belong to it.
    pub(super) slots: u32,
    /// Its place in the order of cells.
    pub(super) number: u32,
}

/// The regions of the two nodes below `branch`, the first one first, out of the region of both. The lower corners of the boxes of a cell are in
/// its region, edges included; so the lower of the two ends with the last number before the line.
#[inline(always)]
pub(super) fn halves<S: Scalar>(region: &Aabb<S>, branch: &Branch<S>) -> [Aabb<S>; 2] {
    // Chosen, not written to a place that depends on the axis: what is read right after that has to wait.
    let [x, y] = if branch.axis == 0 { [true, false] } else { [false, true] };
    let choose = |is_split: bool, split: S, edge: S| if is_split { split } else { edge };
    let (below, split) = (branch.split.before(), branch.split);
    let lower = Aabb::new(region.min, [choose(x, below, region.max[0]), choose(y, below, region.max[1])]);
    let upper = Aabb::new([choose(x, split, region.min[0]), choose(y, split, region.min[1])], region.max);
    if branch.upper_first { [upper, lower] } else { [lower, upper] }
}

/// All cells. Node 0 is the root; the two nodes below a line stand side by side, so that one number finds both.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Cells<S> {
    nodes: Vec<Node<S>>,
    free: Vec<u32>,
}

impl<S: Scalar> Cells<S> {
    /// One cell, without slots.
    pub(super) fn new() -> Self {
        let mut cells = Self { nodes: Vec::new(), free: Vec::new() };
        cells.clear();
        cells
    }

    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.free.clear();
        self.nodes.push(Self::leaf(0, 0));
    }

    /// How many leaves there are: one more than branches, and each of those has two nodes below it.
    #[expect(clippy::cast_possible_truncation, reason = "there are fewer nodes than boxes, and those are below 2^31")]
    pub(super) fn leaves(&self) -> u32 {
        (self.nodes.len() / 2 - self.free.len() + 1) as u32
    }

    /// Makes room for this many leaves, and if there was none, for one in sixteen more.
    pub(super) fn reserve(&mut self, leaves: usize) {
        if self.nodes.capacity() < 2 * leaves {
            self.nodes.reserve_exact(2 * (leaves + leaves / 16) - self.nodes.len());
        }
    }

    /// What is below a node as cells of their own, numbered from 0, and how many slots they own.
    pub(super) fn subtree(&self, node: u32) -> (Self, usize) {
        let mut subtree = Self::new();
        let mut count = Leaf { slots: 0, number: 0 };
        self.copy_below(node, &mut subtree, 0, &mut count);
        (subtree, count.slots as usize)
    }

    /// Copies what is below `node` to `to`, node `at`, and counts slots and cells.
    fn copy_below(&self, node: u32, to: &mut Self, at: u32, count: &mut Leaf) {
        match self.get(node) {
            Cell::Leaf(Leaf { slots, .. }) => {
                to.set_leaf(at, Leaf { slots, number: count.number });
                count.slots += slots;
                count.number += 1;
            }
            Cell::Branch(Branch { axis, split, upper_first, first }) => {
                let branch = to.divide(at, axis, split, upper_first);
                self.copy_below(first, to, branch.first, count);
                self.copy_below(first + 1, to, branch.first + 1, count);
            }
        }
    }

    const fn leaf(slots: u32, number: u32) -> Node<S> {
        Node { split: S::ZERO, link: LEAF | slots, tag: number }
    }

    #[inline]
    pub(super) fn get(&self, node: u32) -> Cell<S> {
        let Node { split, link, tag } = self.nodes[node as usize];
        if link & LEAF != 0 {
            Cell::Leaf(Leaf { slots: link & !LEAF, number: tag })
        } else {
            Cell::Branch(Branch { axis: (tag & 1) as usize, split, upper_first: tag & 2 != 0, first: link })
        }
    }

    pub(super) fn set_leaf(&mut self, node: u32, leaf: Leaf) {
        self.nodes[node as usize] = Self::leaf(leaf.slots, leaf.number);
    }

    /// Divides a leaf by a line and returns the branch it is now. The two new leaves are for the caller to fill in.
    #[expect(clippy::cast_possible_truncation, reason = "there are fewer nodes than boxes, and those are below 2^31")]
    pub(super) fn divide(&mut self, node: u32, axis: usize, split: S, upper_first: bool) -> Branch<S> {
        let first = self.free.pop().unwrap_or(self.nodes.len() as u32);
        if first as usize == self.nodes.len() {
            self.nodes.extend([Self::leaf(0, 0); 2]);
        }
        self.nodes[node as usize] = Node { split, link: first, tag: axis as u32 | u32::from(upper_first) << 1 };
        Branch { axis, split, upper_first, first }
    }

    /// Makes a branch a leaf; the two leaves below it are gone.
    pub(super) fn merge(&mut self, node: u32, leaf: Leaf) {
        if let Cell::Branch(branch) = self.get(node) {
            self.free.push(branch.first);
        }
        self.set_leaf(node, leaf);
    }

    /// The node below this one that a point is in; the same node if it is a leaf. Without a branch: which it is cannot be guessed.
    #[inline(always)]
    pub(super) fn toward(&self, node: u32, point: &[S; 2]) -> u32 {
        let Node { split, link, tag } = self.nodes[node as usize];
        let is_above = point[(tag & 1) as usize] >= split;
        let child = link.wrapping_add(u32::from(is_above != (tag & 2 != 0)));
        if link & LEAF != 0 { node } else { child }
    }

    /// The number of a leaf.
    #[inline(always)]
    pub(super) fn number(&self, leaf: u32) -> u32 {
        self.nodes[leaf as usize].tag
    }

    pub(super) fn bytes(&self) -> [usize; 2] {
        add_bytes([bytes_of(&self.nodes), bytes_of(&self.free)])
    }

    /// Every node is the root, below exactly one branch, or free; no cell is too deep; leaves are numbered in order and own `slots` slots
    /// together. Returns how many leaves there are.
    pub(super) fn validate(&self, slots: usize) -> Result<u32, Corruption> {
        let mut seen: Vec<u32> = self.free.clone();
        let (mut owned, mut number) = (0, 0);
        let mut todo: Vec<(u32, u8)> = [(0, 0)].into();
        while let Some((node, depth)) = todo.pop() {
            let exists = (node as usize) < self.nodes.len() && depth <= MAX_DEPTH;
            Corruption::unless(exists, || alloc::format!("there is no cell {node}, or it is too deep"))?;
            match self.get(node) {
                Cell::Branch(Branch { first, split, .. }) => {
                    seen.push(first);
                    let is_sound = seen.len() <= self.nodes.len() / 2 && first < LEAF - 1 && split.is_finite();
                    Corruption::unless(is_sound, || alloc::format!("cell {node} is divided in an impossible way"))?;
                    todo.extend([(first + 1, depth + 1), (first, depth + 1)]);
                }
                Cell::Leaf(leaf) => {
                    Corruption::unless(leaf.number == number, || {
                        alloc::format!("cell {} is number {number}", leaf.number)
                    })?;
                    owned += u64::from(leaf.slots);
                    number += 1;
                }
            }
        }
        seen.sort_unstable();
        let expected = (1..).step_by(2).take(self.nodes.len() / 2);
        Corruption::unless(seen.into_iter().eq(expected), || "a pair of cells is lost or used twice".into())?;
        Corruption::unless(owned == slots as u64, || alloc::format!("the cells own {owned} slots of {slots}"))?;
        Ok(number)
    }
}
