//! The answers to a query, one by one or all in a loop.

use alloc::vec::Vec;
use core::array;
use core::convert::Infallible;
use core::ops::{ControlFlow, Range};

use super::FrameTree;
use super::levels::{Packs, Reached};
use crate::geometry::{Aabb, Scalar};
use crate::kernel::{self, LANES};
use crate::query::Query;
use crate::storage::{Boxes, NONE};

/// The ids of all boxes that a query accepts, pack by pack.
pub(super) struct Search<'t, 'b, S, Q> {
    tree: &'t FrameTree<S>,
    boxes: &'b Boxes<S>,
    query: Q,
    bounds: Aabb<S>,
    packs: Packs<'t, S, Q>,
    /// What is left of packs that the query covers,
    slots: Range<usize>,
    /// and which boxes are left of one that it touches.
    touched: (usize, u32),
}

impl<'t, 'b, S: Scalar, Q: Query<S>> Search<'t, 'b, S, Q> {
    pub(super) fn new(tree: &'t FrameTree<S>, boxes: &'b Boxes<S>, query: Q) -> Self {
        let (bounds, packs) = (query.bounds(), tree.levels.search(query.clone()));
        Self { tree, boxes, query, bounds, packs, slots: 0..0, touched: (0, 0) }
    }

    /// The same ids in the same order as the iterator.
    #[inline]
    pub(super) fn visit<B>(self, mut visit: impl FnMut(u32) -> ControlFlow<B>) -> ControlFlow<B> {
        let Self { tree, boxes, query, bounds, packs, slots, touched } = self;
        let mut among = |slots: Range<usize>, (pack, touched): (usize, u32)| {
            for &id in &tree.order[slots] {
                if admits(boxes, &query, id) {
                    visit(id)?;
                }
            }
            for lane in kernel::bits(touched) {
                if let Some(id) = accepted(tree, boxes, &query, (pack, lane)) {
                    visit(id)?;
                }
            }
            ControlFlow::Continue(())
        };
        among(slots, touched)?;
        packs.visit(|reached| {
            let (slots, touched) = begin(tree, &bounds, &reached);
            among(slots, touched)
        })
    }

    /// Adds the names of the same ids in the same order: those of a pack together, so that most packs are copied.
    #[inline]
    pub(super) fn collect_into<N>(self, name: impl Fn(u32) -> N, names: &mut Vec<N>) {
        let Self { tree, boxes, query, bounds, packs, .. } = self;
        let _ = packs.visit(|reached| {
            let Reached { packs, is_covered } = reached;
            for pack in packs {
                let (mut some, mut count) = ([0; LANES], 0);
                let mut keep = |id: u32, is_answer: bool| {
                    some[count % LANES] = id;
                    count += usize::from(is_answer);
                };
                let ids = tree.pack(pack);
                if is_covered {
                    let admitted: [bool; LANES] = array::from_fn(|lane| admits(boxes, &query, ids[lane]));
                    if admitted == [true; LANES] {
                        names.extend(ids.iter().map(|&id| name(id)));
                        continue;
                    }
                    ids.iter().zip(admitted).for_each(|(&id, is_answer)| keep(id, is_answer));
                } else {
                    let touched = kernel::touching(&tree.levels.lanes(0, pack), &bounds);
                    kernel::bits(touched).for_each(|lane| {
                        keep(ids[lane], accepted(tree, boxes, &query, (pack, lane)).is_some());
                    });
                }
                names.extend(some[..count].iter().map(|&id| name(id)));
            }
            ControlFlow::<Infallible>::Continue(())
        });
    }
}

/// Is a box that the query covers an answer? A hole is none.
#[inline(always)]
fn admits<S: Scalar, Q: Query<S>>(boxes: &Boxes<S>, query: &Q, id: u32) -> bool {
    id != NONE && query.admits(id, boxes.layers(id))
}

/// The id of a box that the query touches, if it is an answer.
#[inline(always)]
fn accepted<S: Scalar, Q: Query<S>>(
    tree: &FrameTree<S>,
    boxes: &Boxes<S>,
    query: &Q,
    (pack, lane): (usize, usize),
) -> Option<u32> {
    let (id, bounds) = (tree.pack(pack)[lane], tree.levels.level(0)[pack].get(lane));
    (id != NONE && query.accepts(id, &bounds, boxes.layers(id))).then_some(id)
}

/// What to look at in packs that a query reaches: all slots of those that it covers, some boxes of another.
#[inline]
fn begin<S: Scalar>(tree: &FrameTree<S>, bounds: &Aabb<S>, reached: &Reached) -> (Range<usize>, (usize, u32)) {
    let Reached { packs, is_covered } = reached;
    if *is_covered {
        return (packs.start * LANES..packs.end * LANES, (0, 0));
    }
    (0..0, (packs.start, kernel::touching(&tree.levels.lanes(0, packs.start), bounds)))
}

impl<S: Scalar, Q: Query<S>> Iterator for Search<'_, '_, S, Q> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        let Self { tree, boxes, query, bounds, packs, slots, touched } = self;
        loop {
            for slot in slots.by_ref() {
                let id = tree.order[slot];
                if admits(boxes, query, id) {
                    return Some(id);
                }
            }
            let (pack, lanes) = touched;
            while *lanes != 0 {
                let lane = lanes.trailing_zeros() as usize % LANES;
                *lanes &= *lanes - 1;
                if let Some(id) = accepted(tree, boxes, query, (*pack, lane)) {
                    return Some(id);
                }
            }
            (*slots, *touched) = begin(tree, bounds, &packs.next()?);
        }
    }

    /// What `for_each`, `count` and `collect` go through.
    #[inline]
    fn fold<A, F: FnMut(A, u32) -> A>(self, first: A, mut add: F) -> A {
        let mut sum = Some(first);
        let all = self.visit(|id| {
            sum = sum.take().map(|sum| add(sum, id));
            ControlFlow::<Infallible>::Continue(())
        });
        match (all, sum) {
            (ControlFlow::Continue(()), Some(sum)) => sum,
            _ => unreachable!("nothing stops it, and what is taken is put back"),
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;
    use core::ops::ControlFlow;

    use crate::geometry::Aabb;
    use crate::query::{At, Inside, Near, OnLayers, Overlaps, Query};
    use crate::random::Random;
    use crate::storage::Layers;
    use crate::{Answers, FrameTree, Index};

    /// One by one, in a loop, by a visitor, some of them before the others, or stopped: the same ids, in the same order.
    fn check<Q: Query<f32>>(index: &Index<FrameTree>, query: Q, is_answer: impl Fn(u32, &Aabb<f32>) -> bool) -> usize {
        let mut one_by_one = index.query(query.clone());
        let mut answers: Vec<u32> = core::iter::from_fn(|| one_by_one.next()).collect();
        assert_eq!(index.query(query.clone()).collect::<Vec<u32>>(), answers, "one by one");
        let mut many = Answers::new();
        index.query_many(core::slice::from_ref(&query), &mut many);
        assert_eq!(many.of(0), answers, "pack by pack");
        for first in [1, answers.len() / 2, answers.len()] {
            let (mut rest, mut all) = (index.query(query.clone()), Vec::new());
            all.extend((0..first).map_while(|_| rest.next()));
            rest.for_each(|id| all.push(id));
            assert_eq!(all, answers, "{first} one by one, and then the others");
            let mut all = Vec::new();
            let stopped = index.query_visit(query.clone(), |id| {
                all.push(id);
                if all.len() == first { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            assert_eq!(all, answers[..all.len()], "visited");
            assert_eq!(stopped.is_break(), all.len() == first && first > 0);
            assert!(stopped.is_break() || all.len() == answers.len(), "all are visited");
        }
        let count = answers.len();
        answers.sort_unstable();
        let expected = index.iter().filter(|(id, bounds)| is_answer(*id, bounds)).map(|(id, _)| id);
        assert!(expected.eq(answers), "brute force finds others");
        count
    }

    #[test]
    fn every_way_to_ask_gives_the_same_ids_in_the_same_order() {
        let mut random = Random::new(5);
        let mut somewhere = || {
            let min = [(); 2].map(|()| random.below(300) as f32);
            Aabb::new(min, min.map(|edge| edge + random.below(9) as f32))
        };
        let boxes: Vec<Aabb<f32>> = (0..3000).map(|_| somewhere()).collect();
        let layers: Vec<Layers> = (0..3000).map(|k| Layers::new(1 << (k % 3), !0)).collect();
        for has_layers in [false, true] {
            let mut index = Index::<FrameTree>::from_boxes(&boxes).expect("boxes");
            if has_layers {
                index.update_all_with_layers(&boxes, &layers).expect("boxes");
            }
            (0..3000).filter(|id| id % 7 == 0).for_each(|id| assert!(index.remove(id).is_some()));
            (0..200).for_each(|_| assert!(index.insert(somewhere()).is_ok()));
            let layers: Vec<Layers> =
                (0..3000).map(|id| if has_layers && id % 7 != 0 { layers[id] } else { Layers::ALL }).collect();
            let mut found = 0;
            for k in 0..60 {
                let at = somewhere();
                let asked = at.with_margin([0.0, 3.0, 40.0, 400.0][k % 4]);
                found += check(&index, Overlaps(asked), |_, bounds| asked.intersects(bounds));
                found += check(&index, Inside(asked), |_, bounds| asked.contains(bounds));
                found += check(&index, At(at.min), |_, bounds| bounds.contains_point(at.min));
                let on = OnLayers::new(Overlaps(asked), 2);
                let is_on = |id: u32, bounds: &Aabb<f32>| layers[id as usize].own & 2 != 0 && asked.intersects(bounds);
                found += check(&index, on, is_on);
                let near = |_, bounds: &Aabb<f32>| bounds.distance_squared(&Aabb::from_point(at.min)) <= 25.0;
                found += check(&index, Near::point(at.min).within(5.0), near);
            }
            assert!(found > 10_000, "{found} are few");
        }
    }
}
