//! Our own structures.

pub mod bullets;
mod casts;
mod in_order;
pub mod layers;
pub mod sets;
mod singles;

use std::ops::ControlFlow::Continue;

use quadrille::{Aabb, Answers, Distance, FrameTree, Handle, Hit, Index, Near, Overlaps, Part, Space, Structure};
use rayon::ThreadPool;
use rayon::prelude::*;

use super::{Agents, Events, Frames, Lists, Neighbors, Queries, Search, two_threads, wake};
use crate::tally::Tally;

pub struct Ours<I: Structure>(Index<I>);

pub fn index<I: Structure<Scalar = f32>>(boxes: &[Aabb]) -> Index<I> {
    Index::from_boxes(boxes).expect("scenes are valid")
}

impl<I: Structure<Scalar = f32>> Ours<I> {
    pub fn new(boxes: &[Aabb]) -> Self {
        Self(index(boxes))
    }
}

impl<I: Structure<Scalar: From<f32>>> Ours<I> {
    /// Of the middles of boxes, as numbers of any width.
    pub fn middles(boxes: &[Aabb]) -> Self {
        let middle = |bounds: &Aabb| Aabb::from_point(bounds.center().map(I::Scalar::from));
        let points: Vec<Aabb<I::Scalar>> = boxes.iter().map(middle).collect();
        Self(Index::from_boxes(&points).expect("scenes are valid"))
    }
}

fn each_pair<I: Structure>(index: &Index<I>, mut visit: impl FnMut(u32, u32)) {
    let _ = index.pairs_visit(|a, b| {
        visit(a, b);
        Continue::<()>(())
    });
}

impl<I: Structure<Scalar = f32>> Search for Ours<I> {
    fn search(&self, asked: &Aabb, mut found: impl FnMut(u32)) {
        let _ = self.0.query_visit(Overlaps(*asked), |id| {
            found(id);
            Continue::<()>(())
        });
    }
}

/// An index is made of every frame's boxes and thrown away.
pub fn first<I: Structure<Scalar = f32>>(boxes: &[Aabb], pairs: &mut Tally) {
    index::<I>(boxes).pairs().for_each(|(a, b)| pairs.pair(a, b));
}

/// A frame tree whose frames are shared by two threads. To be measured with the wall's clock on a machine that has both
/// to spare.
pub struct Shared {
    index: Index<FrameTree>,
    pool: ThreadPool,
}

impl Shared {
    pub fn new(boxes: &[Aabb]) -> Self {
        Self { index: index(boxes), pool: two_threads() }
    }
}

impl Frames for Shared {
    fn get_ready(&mut self) {
        wake(&self.pool);
    }

    fn frame(&mut self, boxes: &[Aabb], pairs: &mut Tally) {
        let Self { index, pool } = self;
        *pairs = pool.install(|| {
            index.par_update_all(boxes).expect("scenes are valid");
            let parts: Vec<Part> = Part::all(16).collect();
            let tallies = parts.into_par_iter().map(|part| {
                let mut found = Tally::default();
                let _ = index.pairs_part_visit(part, |a, b| {
                    found.pair(a, b);
                    Continue::<()>(())
                });
                found
            });
            tallies.reduce(Tally::default, Tally::plus)
        });
    }
}

impl<I: Structure<Scalar = f32>> Frames for Ours<I> {
    fn frame(&mut self, boxes: &[Aabb], pairs: &mut Tally) {
        self.0.update_all(boxes).expect("scenes are valid");
        each_pair(&self.0, |a, b| pairs.pair(a, b));
    }
}

/// Boxes are updated and queried one by one.
pub struct OneByOne<I: Structure>(pub Ours<I>);

impl<I: Structure<Scalar = f32>> Agents for OneByOne<I> {
    fn moves(&mut self, boxes: &[Aabb]) {
        for (id, &aabb) in (0..).zip(boxes) {
            self.0.0.update(id, aabb).expect("scenes are valid");
        }
        self.0.0.maintain();
    }

    fn asks(&mut self, boxes: &[Aabb], pairs: &mut Tally) {
        self.0.pairs_by_queries(boxes, pairs);
    }
}

impl<I: Structure<Scalar = f32>> Lists for Ours<I> {
    fn list(&mut self, boxes: &[Aabb], pairs: &mut Vec<(u32, u32)>) {
        self.0.update_all(boxes).expect("scenes are valid");
        each_pair(&self.0, |a, b| pairs.push((a, b)));
    }
}

/// A space, its handles by place, and the events it reported last.
pub struct OurSpace<I: Structure> {
    space: Space<(), I>,
    handles: Vec<Handle>,
    /// A whole frame.
    boxes: Vec<Aabb>,
    /// What moves, if not all.
    moves: Vec<(Handle, Aabb)>,
    events: ::quadrille::Events,
}

impl<I: Structure<Scalar = f32>> OurSpace<I> {
    pub fn new(boxes: &[Aabb]) -> Self {
        let items = boxes.iter().map(|&aabb| (aabb, ()));
        let mut space = Space::<(), I>::with_items(I::Options::default(), items).expect("scenes are valid");
        let handles: Vec<Handle> = space.iter().map(|(handle, ..)| handle).collect();
        let mut events = ::quadrille::Events::default();
        space.step_events(&mut events);
        Self { space, handles, boxes: Vec::new(), moves: Vec::new(), events }
    }
}

impl<I: Structure<Scalar = f32>> Events for OurSpace<I> {
    fn frame(&mut self, changes: &[(u32, Aabb)], [begin, end]: &mut [Tally; 2]) {
        if changes.len() == self.handles.len() {
            self.boxes.clear();
            self.boxes.extend(changes.iter().map(|&(_, aabb)| aabb));
            self.space.update_all(&self.boxes).expect("scenes are valid");
        } else {
            self.moves.clear();
            self.moves.extend(changes.iter().map(|&(id, aabb)| (self.handles[id as usize], aabb)));
            self.space.update_batch(&self.moves).expect("scenes are valid");
            self.space.maintain();
        }
        self.space.step_events(&mut self.events);
        self.events.begin.iter().for_each(|(a, b)| begin.pair(a.id(), b.id()));
        self.events.end.iter().for_each(|(a, b)| end.pair(a.id(), b.id()));
    }
}

/// Runs many queries at once, in one of several ways.
pub struct AtOnce<I: Structure, D> {
    index: Ours<I>,
    queries: Vec<Overlaps<f32>>,
    /// Kept to reuse its memory.
    desk: D,
    ask: fn(&Index<I>, &[Overlaps<f32>], &mut D, &mut Tally),
}

/// One query after another; all answers are kept in a list, as when they run at once.
pub fn listed(boxes: &[Aabb]) -> AtOnce<FrameTree, Vec<u32>> {
    AtOnce::new(boxes, |index, queries, list, found| {
        list.clear();
        queries.iter().for_each(|&query| list.extend(index.query(query)));
        list.iter().for_each(|&id| found.one(id));
    })
}

/// All in one call.
pub fn at_once<I: Structure<Scalar = f32>>(boxes: &[Aabb]) -> AtOnce<I, Answers> {
    AtOnce::new(boxes, |index, queries, answers, found| {
        index.query_many(queries, answers);
        answers.iter().flatten().for_each(|&id| found.one(id));
    })
}

impl<I: Structure<Scalar = f32>, D: Default> AtOnce<I, D> {
    fn new(boxes: &[Aabb], ask: fn(&Index<I>, &[Overlaps<f32>], &mut D, &mut Tally)) -> Self {
        Self { index: Ours::new(boxes), queries: Vec::new(), desk: D::default(), ask }
    }
}

impl<I: Structure<Scalar = f32>, D> Queries for AtOnce<I, D> {
    fn overlapping(&self, asked: &Aabb, found: &mut Tally) {
        self.index.overlapping(asked, found);
    }

    fn all_overlapping(&mut self, asked: &[Aabb], found: &mut Tally) {
        self.queries.clear();
        self.queries.extend(asked.iter().map(|&asked| Overlaps(asked)));
        (self.ask)(&self.index.0, &self.queries, &mut self.desk, found);
    }
}

impl<I: Structure<Scalar: From<f32>>> Neighbors for Ours<I> {
    fn nearest(&self, point: [f32; 2], k: usize) -> f64 {
        let mut hits = Vec::with_capacity(k);
        self.0.query_first_few(Near::point(point.map(I::Scalar::from)), k, &mut hits);
        hits.iter().map(|hit| hit.rank.squared().sqrt()).sum()
    }

    fn within(&self, point: [f32; 2], radius: f32, found: &mut Tally) {
        let _ = self.0.query_visit(Near::point(point.map(I::Scalar::from)).within(radius), |id| {
            found.one(id);
            Continue::<()>(())
        });
    }
}

/// All points at once.
pub struct NearAtOnce<I: Structure> {
    index: Ours<I>,
    queries: Vec<Near<I::Scalar>>,
    answers: Answers<Hit<Distance<I::Scalar>>>,
}

impl<I: Structure<Scalar: From<f32>>> NearAtOnce<I> {
    pub fn new(boxes: &[Aabb]) -> Self {
        Self { index: Ours::middles(boxes), queries: Vec::new(), answers: Answers::new() }
    }
}

impl<I: Structure<Scalar: From<f32>>> Neighbors for NearAtOnce<I> {
    fn nearest(&self, point: [f32; 2], k: usize) -> f64 {
        self.index.nearest(point, k)
    }

    fn all_nearest(&mut self, points: &[[f32; 2]], k: usize) -> f64 {
        let Self { index, queries, answers } = self;
        queries.clear();
        queries.extend(points.iter().map(|&point| Near::point(point.map(I::Scalar::from))));
        index.0.query_first_many(queries, k, answers);
        answers.iter().flatten().map(|hit| hit.rank.squared().sqrt()).sum()
    }

    fn within(&self, point: [f32; 2], radius: f32, found: &mut Tally) {
        self.index.within(point, radius, found);
    }
}
