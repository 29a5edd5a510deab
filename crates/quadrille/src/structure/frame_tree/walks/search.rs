//! The answers to a query, one by one or all in a loop.

use alloc::vec::Vec;
use core::array;
use core::convert::Infallible;
use core::ops::{ControlFlow, Range};

use super::super::tree::FrameTree;
use super::walk::{ALL, Advance, Reached, Touched, Walk};
use crate::geometry::Scalar;
use crate::kernel::{self, LANES};
use crate::query::Query;
use crate::storage::{Boxes, NONE};

/// The ids of all boxes that a query accepts, pack by pack.
pub(in super::super) struct Search<'t, 'b, S: Scalar, Q> {
    tree: &'t FrameTree<S>,
    boxes: &'b Boxes<S>,
    query: Q,
    walk: Walk<'t, S>,
    /// Packs that have been reached, the next one last.
    reached: Reached,
    here: Here,
}

/// Where a search is.
#[derive(Clone, Default)]
struct Here {
    /// What is left of packs that the query covers,
    slots: Range<usize>,
    /// or what is left of one that it touches: its boxes that may be answers, and those that are if it admits them.
    pack: usize,
    lanes: u32,
    sure: u32,
}

impl<'t, 'b, S: Scalar, Q: Query<S>> Search<'t, 'b, S, Q> {
    #[inline]
    pub(in super::super) fn new(tree: &'t FrameTree<S>, boxes: &'b Boxes<S>, query: Q) -> Self {
        let walk = Walk::new(&tree.levels, &query);
        Self { tree, boxes, query, walk, reached: Reached::new(), here: Here::default() }
    }

    /// Goes on to the next packs.
    #[inline(always)]
    fn advance(&mut self) -> Option<()> {
        if self.reached.is_empty() {
            let Self { walk, query, reached, .. } = self;
            let mut next = Advance { walk, query, reached, covered: 0..0 };
            if !S::walk(&mut next) {
                return None;
            }
            let packs = next.covered;
            self.here = Here { slots: packs.start * LANES..packs.end * LANES, ..Here::default() };
        }
        if let Some(Touched { pack, lanes, sure }) = self.reached.pop() {
            let pack = pack as usize;
            self.here = if sure == ALL {
                Here { slots: pack * LANES..(pack + 1) * LANES, ..Here::default() }
            } else {
                Here { slots: 0..0, pack, lanes, sure }
            };
        }
        Some(())
    }

    /// The same ids in the same order as the iterator.
    #[inline]
    pub(in super::super) fn visit<B>(mut self, mut visit: impl FnMut(u32) -> ControlFlow<B>) -> ControlFlow<B> {
        loop {
            let Self { tree, boxes, query, here, .. } = &self;
            let Range { start, end } = here.slots;
            if tree.holes == 0 {
                for &id in tree.order[..end.min(tree.used)].get(start..).unwrap_or_default() {
                    if query.admits(id, boxes.layers(id)) {
                        visit(id)?;
                    }
                }
            } else {
                for &id in &tree.order[start..end] {
                    if admits(boxes, query, id) {
                        visit(id)?;
                    }
                }
            }
            for lane in kernel::bits(here.lanes) {
                if let Some(id) = accepted(tree, boxes, query, here, lane) {
                    visit(id)?;
                }
            }
            if self.advance().is_none() {
                return ControlFlow::Continue(());
            }
        }
    }

    /// Adds the names of the same ids in the same order: those of a pack together, so that most packs are copied.
    #[inline]
    pub(in super::super) fn collect_into<N>(mut self, name: impl Fn(u32) -> N, names: &mut Vec<N>) {
        while self.advance().is_some() {
            let Self { tree, boxes, query, here, .. } = &self;
            if here.lanes != 0 {
                let is_answer = |lane: &usize| accepted(tree, boxes, query, here, *lane).is_some();
                add(tree.pack(here.pack), kernel::bits(here.lanes).filter(is_answer), &name, names);
            }
            for pack in here.slots.start / LANES..here.slots.end / LANES {
                let ids = tree.pack(pack);
                let admitted: [bool; LANES] = array::from_fn(|lane| admits(boxes, query, ids[lane]));
                if admitted == [true; LANES] {
                    names.extend(ids.iter().map(|&id| name(id)));
                } else {
                    add(ids, (0..LANES).filter(|&lane| admitted[lane]), &name, names);
                }
            }
        }
    }
}

/// Adds the names of some of the ids in a pack.
#[inline(always)]
fn add<N>(ids: &[u32; LANES], lanes: impl Iterator<Item = usize>, name: impl Fn(u32) -> N, names: &mut Vec<N>) {
    let (mut some, mut count) = ([0; LANES], 0);
    for lane in lanes {
        some[count % LANES] = ids[lane];
        count += 1;
    }
    names.extend(some[..count].iter().map(|&id| name(id)));
}

/// Is a box that the query covers an answer? A hole never is.
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
    here: &Here,
    lane: usize,
) -> Option<u32> {
    let id = tree.pack(here.pack)[lane];
    let is_answer = if here.sure >> lane & 1 != 0 {
        admits(boxes, query, id)
    } else {
        id != NONE && query.accepts(id, &tree.levels.level(0)[here.pack].get(lane), boxes.layers(id))
    };
    is_answer.then_some(id)
}

impl<S: Scalar, Q: Query<S>> Iterator for Search<'_, '_, S, Q> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        loop {
            let Self { tree, boxes, query, here, .. } = self;
            for slot in here.slots.by_ref() {
                let id = tree.order[slot];
                if admits(boxes, query, id) {
                    return Some(id);
                }
            }
            while here.lanes != 0 {
                let lane = here.lanes.trailing_zeros() as usize % LANES;
                here.lanes &= here.lanes - 1;
                if let Some(id) = accepted(tree, boxes, query, here, lane) {
                    return Some(id);
                }
            }
            self.advance()?;
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

    use crate::geometry::{Aabb, Scalar};
    use crate::query::{At, Filtered, Inside, Near, OnLayers, Overlaps, Query};
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
                let layers: Vec<_> = (0..).zip(layers.iter().copied()).collect();
                index.set_layers_batch(&layers).expect("as many layers as boxes");
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

    /// Circles of any size with many boxes on their edge find the boxes that pass one by one, in trees with holes, a
    /// tail and boxes far away, with a query around the circle and without.
    fn circles_find_what_is_near<S: Scalar>(radii: &[f64]) {
        let mut random = Random::new(11);
        let mut somewhere = |far: f64| {
            let min = [(); 2].map(|()| f64::from(random.below(60) as f32) - 30.0 + far);
            let max = min.map(|edge| edge + f64::from(random.below(3) as f32));
            Aabb::new(min.map(S::from_f64), max.map(S::from_f64))
        };
        let mut boxes: Vec<Aabb<S>> = (0..3000).map(|_| somewhere(0.0)).collect();
        boxes.extend((0..40).map(|_| somewhere(1e9)));
        let mut index = Index::<FrameTree<S>>::from_boxes(&boxes).expect("boxes");
        let (mut found, mut rest) = (0, 0);
        for round in 0..3 {
            for (k, &radius) in radii.iter().cycle().take(4 * radii.len()).enumerate() {
                let far = if k % 7 == 3 { 1e9 } else { 0.0 };
                let near = Near::aabb(somewhere(far)).within(radius);
                let moved = near.with_offset([S::from_f64(1.0), S::ZERO]);
                for near in [near, moved] {
                    let expected: Vec<u32> = index
                        .iter()
                        .filter(|(_, bounds)| near.target().distance_squared(bounds) <= radius * radius)
                        .map(|(id, _)| id)
                        .collect();
                    let mut answers: Vec<u32> = index.query(near).collect();
                    answers.sort_unstable();
                    assert_eq!(answers, expected, "within {radius} of {:?}", near.target());
                    let mut odd: Vec<u32> = index.query(Filtered(near, |id| id % 2 == 1)).collect();
                    odd.sort_unstable();
                    assert!(odd.iter().eq(expected.iter().filter(|&id| id % 2 == 1)), "the odd ones");
                    let mut many = Answers::new();
                    index.query_many(&[near], &mut many);
                    assert_eq!(many.of(0).len(), expected.len(), "at once");
                    found += expected.len();
                    rest += index.len() - expected.len();
                }
            }
            for id in (round..3000).step_by(9) {
                if round == 1 {
                    index.remove(id);
                } else {
                    index.update(id, somewhere(0.0)).expect("a box");
                }
            }
        }
        assert!(found > 10_000 && rest > 10_000, "{found} found, {rest} not");
    }

    #[test]
    fn circles_of_any_size_find_what_is_near() {
        let radii = [0.0, 1.0, 5.0, 13.0, 25.0, 1e10];
        circles_find_what_is_near::<i32>(&radii);
        circles_find_what_is_near::<f32>(&[&radii[..], &[1e-30, 0.75, 1e25]].concat());
        circles_find_what_is_near::<f64>(&[&radii[..], &[1e-30, 0.75, 1e100]].concat());
    }
}
