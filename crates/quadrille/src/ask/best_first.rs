//! All answers in order, lazily, from a tree of hulls.
//!
//! Hulls and boxes wait in one queue, the lowest rank first. A box that leaves it is an answer; a hull is replaced by
//! its contents: no hull is opened that ranks above the answers taken. Of equal ranks, hulls come first, because they
//! may hold the box with the lowest id.
//!
//! G. Hjaltason and H. Samet, *Distance browsing in spatial databases*, 1999.

use alloc::collections::BinaryHeap;
use core::cmp::Ordering;
use core::iter::FusedIterator;

use super::{Order, Resolver};
use crate::geometry::Scalar;
use crate::query::{Hit, Ranked};
use crate::storage::Boxes;
use crate::structure::{Below, Branch, FrameTree};

/// The walk.
pub(super) struct BestFirst<'a, S: Scalar, R: Resolver<S>, Q: Ranked<S>> {
    tree: &'a FrameTree<S>,
    boxes: &'a Boxes<S>,
    resolver: R,
    query: Q,
    waiting: BinaryHeap<Waiting<Q::Rank, R::Order>>,
}

impl<'a, S: Scalar, R: Resolver<S>, Q: Ranked<S>> BestFirst<'a, S, R, Q> {
    pub(super) fn new(tree: &'a FrameTree<S>, boxes: &'a Boxes<S>, resolver: R, query: Q) -> Self {
        let mut walk = Self { tree, boxes, resolver, query, waiting: BinaryHeap::new() };
        if let Some(root) = tree.root().filter(|_| walk.query.bounds().is_ordered()) {
            walk.open(root);
        }
        walk
    }

    fn open(&mut self, branch: Branch) {
        let Self { tree, boxes, resolver, query, waiting } = self;
        let (order, bounds) = (resolver.order(), query.bounds());
        tree.open(branch, query, &bounds, |bounds, below| {
            let rank = match below {
                Below::Branch(_) => query.reaches(bounds).then(|| query.rank(bounds)).flatten(),
                Below::Box(id) => query.answer(id, &resolver.exact(id, bounds), boxes.layers(id)),
            };
            if let Some(rank) = rank {
                waiting.push(Waiting { rank, below, order });
            }
        });
    }
}

impl<S: Scalar, R: Resolver<S>, Q: Ranked<S>> Iterator for BestFirst<'_, S, R, Q> {
    type Item = Hit<Q::Rank>;

    fn next(&mut self) -> Option<Hit<Q::Rank>> {
        loop {
            let Waiting { rank, below, .. } = self.waiting.pop()?;
            match below {
                Below::Branch(branch) => self.open(branch),
                Below::Box(id) => return Some(Hit::new(id, rank)),
            }
        }
    }
}

impl<S: Scalar, R: Resolver<S>, Q: Ranked<S>> FusedIterator for BestFirst<'_, S, R, Q> {}

/// A hull or a box in a heap that gives out the first one.
struct Waiting<K, O> {
    rank: K,
    below: Below,
    order: O,
}

impl<K: PartialOrd, O: Order> Ord for Waiting<K, O> {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_rank = other.rank.partial_cmp(&self.rank).unwrap_or(Ordering::Equal);
        by_rank.then_with(|| match (self.below, other.below) {
            (Below::Branch(_), Below::Branch(_)) => Ordering::Equal,
            (Below::Branch(_), Below::Box(_)) => Ordering::Greater,
            (Below::Box(_), Below::Branch(_)) => Ordering::Less,
            (Below::Box(one), Below::Box(other)) => self.order.compare(other, one),
        })
    }
}

impl<K: PartialOrd, O: Order> PartialOrd for Waiting<K, O> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<K: PartialOrd, O: Order> PartialEq for Waiting<K, O> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<K: PartialOrd, O: Order> Eq for Waiting<K, O> {}
