//! All answers in order, lazily, from a tree of hulls.
//!
//! Hulls and boxes wait in one queue, the lowest rank first. A box that leaves it is an answer; a hull is replaced by
//! its contents: no hull is opened that ranks above the answers taken. Of equal ranks, a hull comes before a box if it may
//! hold one with a lower id: at first it is taken for one that does, and the least id in it is compared when it would be
//! opened.
//!
//! If distances decide, those of sixteen hulls or boxes are known at once, up to rounding. By these, all wait in a
//! queue of their own, and only boxes that may be next are measured exactly and wait in the other one.
//!
//! G. Hjaltason and H. Samet, *Distance browsing in spatial databases*, 1999.

use alloc::collections::BinaryHeap;
use core::cmp::{Ordering, Reverse};
use core::iter::FusedIterator;

use super::super::tree::FrameTree;
use crate::geometry::{Aabb, Scalar};
use crate::kernel::{self, LANES};
use crate::query::{Hit, Query, Ranked};
use crate::storage::{Boxes, NONE};

/// How many hulls and boxes have room at first, if distances decide. Fewer: memory is moved more often as more come.
/// More: memory that most searches do not use.
const ROOM: usize = 64;

/// A node: the children of some level that are stored side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Branch {
    level: u32,
    node: u32,
}

impl Branch {
    /// The child of a level that it is below.
    fn as_child(self) -> (usize, usize) {
        (self.level as usize + 1, self.node as usize)
    }
}

/// What is in a node. Boxes come first, then what is lower, so that of what is equally near a box is found soon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Below {
    Box(u32),
    Branch(Branch),
}

impl<S: Scalar> FrameTree<S> {
    /// Names some of the hulls or boxes of a node, with their place among the sixteen and their bounds. Leaves out
    /// hulls with none of the query's layers.
    #[inline]
    fn open<Q: Query<S>>(
        &self,
        Branch { level, node }: Branch,
        some: u32,
        query: &Q,
        mut name: impl FnMut(usize, &Aabb<S>, Below),
    ) {
        let (level, node) = (level as usize, node as usize);
        if level == 0 {
            let (ids, pack) = (self.pack(node), &self.levels.level(0)[node]);
            for lane in kernel::bits(some).filter(|&lane| ids[lane] != NONE) {
                name(lane, &pack.get(lane), Below::Box(ids[lane]));
            }
            return;
        }
        for lane in kernel::bits(some & self.levels.present(level, node)) {
            let at = node * LANES + lane;
            let hull = self.levels.get(level, at);
            if hull.is_ordered() && self.levels.are_wanted(level, at, |layers| query.wants(layers)) {
                name(lane, &hull, Below::Branch(Branch { level: level as u32 - 1, node: at as u32 }));
            }
        }
    }
}

/// The walk.
pub(in super::super) struct InOrder<'a, S: Scalar, Q: Ranked<S>> {
    tree: &'a FrameTree<S>,
    boxes: &'a Boxes<S>,
    query: Q,
    waiting: BinaryHeap<Waiting<Q::Rank>>,
    /// If distances decide: from where, and the square of the greatest one.
    near: Option<(Aabb<S>, f64)>,
    /// Hulls and boxes by the squares of their distances, rounded, whose bits are in the order of numbers.
    rough: BinaryHeap<Reverse<(u64, Below)>>,
}

impl<'a, S: Scalar, Q: Ranked<S>> InOrder<'a, S, Q> {
    pub(in super::super) fn new(tree: &'a FrameTree<S>, boxes: &'a Boxes<S>, query: Q) -> Self {
        let circle = query.circle().filter(|near| query.is_by_distance() && near.target() == query.origin());
        let near = circle.map(|near| (near.target(), near.greatest_square()));
        let room = if near.is_some() { ROOM } else { 0 };
        let (waiting, rough) = (BinaryHeap::with_capacity(room / 4), BinaryHeap::with_capacity(room));
        let mut walk = Self { tree, boxes, query, waiting, near, rough };
        let is_ordered = walk.query.bounds().is_ordered();
        if let Some(level) = tree.levels.height().checked_sub(1).filter(|_| is_ordered) {
            walk.open(Branch { level: level as u32, node: 0 });
        }
        walk
    }

    fn open(&mut self, branch: Branch) {
        let Self { tree, boxes, query, waiting, near, rough } = self;
        let lanes = tree.levels.lanes(branch.level as usize, branch.node as usize);
        if let Some((origin, most)) = near {
            let mut squares = [0.0; LANES];
            let near = kernel::near(&lanes, origin, *most, &mut squares);
            tree.open(branch, near, query, |lane, _, below| {
                let is_wanted = match below {
                    Below::Branch(_) => true,
                    Below::Box(id) => query.admits(id, boxes.layers(id)),
                };
                if is_wanted {
                    rough.push(Reverse((squares[lane].to_bits(), below)));
                }
            });
            return;
        }
        let touching = kernel::touching(&lanes, &query.bounds());
        tree.open(branch, touching, query, |_, bounds, below| {
            let (rank, first) = match below {
                Below::Branch(_) => (query.reaches(bounds).then(|| query.rank(bounds)).flatten(), 0),
                Below::Box(id) => (query.answer(id, bounds, boxes.layers(id)), id),
            };
            if let Some(rank) = rank {
                waiting.push(Waiting { rank, below, first });
            }
        });
    }

    /// What may rank as low as the first of those that wait, by its rounded distance, and whether it hardly does.
    #[inline]
    fn rough(&mut self) -> Option<(Below, bool)> {
        let square = f64::from_bits(self.rough.peek()?.0.0);
        let first = self.waiting.peek().and_then(|first| self.query.square(&first.rank));
        if first.is_some_and(|first| square > kernel::reach::<S>(first)) {
            return None;
        }
        let is_tied = first.is_some_and(|first| kernel::reach::<S>(square) >= first);
        self.rough.pop().map(|Reverse((_, below))| (below, is_tied))
    }

    /// Ranks a hull below the root, instead of opening it, next to a box that is about as near.
    fn rank(&mut self, branch: Branch) {
        let (level, at) = branch.as_child();
        if let Some(rank) = self.query.rank(&self.tree.levels.get(level, at)) {
            self.wait(Below::Branch(branch), rank, 0);
        }
    }

    /// Opens a hull that ranks lowest, or lets it wait if a box that ranks alike has a lower id than any in it.
    fn open_or_wait(&mut self, branch: Branch, rank: Q::Rank, first: u32) {
        let is_tied = first == 0 && self.waiting.peek().is_some_and(|next| next.rank == rank);
        let (level, at) = branch.as_child();
        let least = if is_tied { self.tree.least_id(level, at) } else { 0 };
        if least > 0 {
            self.wait(Below::Branch(branch), rank, least);
        } else {
            self.open(branch);
        }
    }

    fn wait(&mut self, below: Below, rank: Q::Rank, first: u32) {
        self.waiting.push(Waiting { rank, below, first });
    }

    /// Measures a box.
    #[inline]
    fn measure(&mut self, id: u32) {
        if let Some(rank) = self.query.answer(id, self.boxes.at(id), self.boxes.layers(id)) {
            self.wait(Below::Box(id), rank, id);
        }
    }
}

impl<S: Scalar, Q: Ranked<S>> Iterator for InOrder<'_, S, Q> {
    type Item = Hit<Q::Rank>;

    fn next(&mut self) -> Option<Hit<Q::Rank>> {
        loop {
            match self.rough() {
                Some((Below::Branch(branch), true)) => self.rank(branch),
                Some((Below::Branch(branch), false)) => self.open(branch),
                Some((Below::Box(id), _)) => self.measure(id),
                None => {
                    let Waiting { rank, below, first } = self.waiting.pop()?;
                    match below {
                        Below::Branch(branch) => self.open_or_wait(branch, rank, first),
                        Below::Box(id) => return Some(Hit::new(id, rank)),
                    }
                }
            }
        }
    }
}

impl<S: Scalar, Q: Ranked<S>> FusedIterator for InOrder<'_, S, Q> {}

/// A hull or a box in a heap that gives out the first one.
struct Waiting<K> {
    rank: K,
    below: Below,
    /// The id of the box, or one that is no greater than any in the hull.
    first: u32,
}

impl<K: PartialOrd> Ord for Waiting<K> {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_rank = other.rank.partial_cmp(&self.rank).unwrap_or(Ordering::Equal);
        by_rank.then_with(|| match (self.below, other.below) {
            (Below::Box(one), Below::Box(other)) => other.cmp(&one),
            _ => other.first.cmp(&self.first).then(self.below.cmp(&other.below)),
        })
    }
}

impl<K: PartialOrd> PartialOrd for Waiting<K> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<K: PartialOrd> PartialEq for Waiting<K> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<K: PartialOrd> Eq for Waiting<K> {}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use crate::geometry::{Aabb, Scalar};
    use crate::random::Random;
    use crate::{Filtered, FrameTree, Index, Layers, Near, OnLayers};

    /// In a tree with holes, a tail and layers; many boxes are as far away as others.
    fn all_that_are_near_come_in_order<S: Scalar>() {
        let mut random = Random::new(7);
        let mut somewhere = || {
            let min = [(); 2].map(|()| f64::from(random.below(40) as f32) - 20.0);
            let max = min.map(|edge| edge + f64::from(random.below(3) as f32));
            Aabb::new(min.map(S::from_f64), max.map(S::from_f64))
        };
        let boxes: Vec<Aabb<S>> = (0..900).map(|_| somewhere()).collect();
        let mut index = Index::<FrameTree<S>>::from_boxes(&boxes).expect("boxes");
        for id in 0..900 {
            match id % 6 {
                0 => assert!(index.remove(id).is_some()),
                1 => assert!(index.update(id, somewhere()).is_ok()),
                2 => assert!(index.set_layers(id, Layers::new(2, 0)).is_ok()),
                _ => {}
            }
        }
        let mut found = 0;
        for number in 0..60 {
            let (near, is_wanted) = (Near::aabb(somewhere()), |id: u32| number % 3 > 0 || id % 10 == 7);
            let near = if number % 2 == 0 { near } else { near.within(f64::from(number) / 4.0) };
            let layers = if number % 5 == 0 { 2 } else { u32::MAX };
            let on_layers = |id: u32| index.layers(id).is_some_and(|on| on.own & layers != 0);
            let asked = index.iter().filter(|&(id, _)| is_wanted(id) && on_layers(id));
            let ranked = asked.filter_map(|(id, bounds)| near.distance(&bounds).map(|far| (far.squared(), id)));
            let mut expected: Vec<(f64, u32)> = ranked.collect();
            expected.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
            let hits = index.query_in_order(OnLayers::new(Filtered(near, is_wanted), layers));
            let told: Vec<(f64, u32)> = hits.map(|hit| (hit.rank.squared(), hit.id)).collect();
            assert_eq!(told, expected, "{number}: {near:?}");
            found += told.len();
        }
        assert!(found > 5000, "{found}");
    }

    #[test]
    fn all_that_are_near_come_in_order_whatever_numbers_are() {
        all_that_are_near_come_in_order::<f32>();
        all_that_are_near_come_in_order::<f64>();
        all_that_are_near_come_in_order::<i32>();
    }
}
