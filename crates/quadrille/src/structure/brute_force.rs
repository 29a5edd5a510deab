//! A plain list: every query looks at every box.

use core::marker::PhantomData;
use core::ops::ControlFlow;

use super::{Node, NodeKind, Part, Stats, Structure};
use crate::error::{Corruption, Error};
use crate::executor::Executor;
use crate::geometry::{Aabb, Scalar};
use crate::query::{Query, is_answer};
use crate::storage::Boxes;

/// No structure at all: every query looks at every box. **The oracle** against which all other structures are
/// tested.
///
/// In the manual: `docs/structures/brute-force.md`.
///
/// - **Best for:** a few dozen boxes at most; the reference in all tests.
/// - **Avoid for:** many boxes. All pairs of 10,000 boxes are 50 million comparisons.
/// - **Order of answers**, in this version: by id; pairs by lower id, then higher.
/// - **Cost:** `insert`: constant. `remove`: constant. `update`: constant. `query`: all boxes. `pairs`: all boxes,
///   squared and halved. `maintain`: nothing.
/// - **Memory:** 16 bytes per box (`f32`): the box itself.
#[derive(Clone, Copy, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BruteForce<S = f32> {
    scalar: PhantomData<S>,
}

impl<S: Scalar> Structure for BruteForce<S> {
    const NAME: &'static str = "brute-force";
    type Scalar = S;
    type Options = ();
    type Askers = super::FrameTree<S>;
    type Compiler = crate::compiled::Caller;

    fn new((): ()) -> Result<Self, Error> {
        Ok(Self { scalar: PhantomData })
    }

    fn options(&self) {}

    fn build_with(&mut self, _boxes: &Boxes<S>, _executor: &impl Executor) {}
    fn fits(&self, _boxes: &Boxes<S>) -> bool {
        true
    }
    fn insert(&mut self, _boxes: &Boxes<S>, _id: u32) {}
    fn remove(&mut self, _boxes: &Boxes<S>, _id: u32) {}
    fn update(&mut self, _boxes: &Boxes<S>, _id: u32, _old: Aabb<S>) {}
    fn set_layers(&mut self, _boxes: &Boxes<S>, _id: u32) {}
    fn clear(&mut self) {}
    fn reserve(&mut self, _additional: usize) {}
    fn maintain_with(&mut self, _boxes: &Boxes<S>, _executor: &impl Executor) {}

    fn search<Q: Query<S>>(&self, boxes: &Boxes<S>, query: Q) -> impl Iterator<Item = u32> {
        boxes.iter().map(|(id, _)| id).filter(move |&id| is_answer(&query, boxes, id))
    }

    fn search_pairs(&self, boxes: &Boxes<S>, part: Part) -> impl Iterator<Item = (u32, u32)> {
        let mut rest = boxes.iter();
        let firsts = core::iter::from_fn(move || rest.next().map(|first| (first, rest.clone())));
        part.of(firsts, boxes.len()).flat_map(move |((a, bounds), rest)| {
            rest.filter(move |(b, other)| bounds.intersects(other) & boxes.meet(a, *b)).map(move |(b, _)| (a, b))
        })
    }

    fn visit_lists<B>(
        &self,
        boxes: &Boxes<S>,
        mut visit: impl FnMut(Node<S>, &mut dyn Iterator<Item = u32>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let bounds = Aabb::from_boxes(boxes.all());
        if boxes.is_empty() {
            return ControlFlow::Continue(());
        }
        let node = Node { bounds, depth: 0, population: boxes.len(), kind: NodeKind::Hull };
        visit(node, &mut boxes.iter().map(|(id, _)| id))
    }

    fn stats(&self, boxes: &Boxes<S>) -> Stats {
        Stats { nodes: 1, leaves: 1, listed: boxes.len(), longest_list: boxes.len(), ..Stats::default() }
    }

    fn validate(&self, _boxes: &Boxes<S>) -> Result<(), Corruption> {
        Ok(())
    }
}
