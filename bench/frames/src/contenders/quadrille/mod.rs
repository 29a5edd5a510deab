//! Our own structures.

mod bullets;
mod casts;
mod in_order;
mod layers;
mod sets;
mod singles;

pub use bullets::{at_once as bullets_at_once, by_key as bullets_by_key, one_by_one as bullets_one_by_one};
pub use casts::casts;
pub use in_order::{first_few, in_order};
pub use layers::{as_two_sets, at_once, one_by_one, without};
pub use sets::{apart, grown, sets, sets_at_once, sets_kept};
pub use singles::singles;

use std::marker::PhantomData;
use std::ops::ControlFlow::Continue;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use quadrille::{
    Aabb, Answers, Distance, FrameTree, Handle, Hit, Index, Mobility, Near, Overlaps, Part, Space, Structure,
};
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::{Agents, Churn, Events, Frames, Lists, Neighbors, Queries, ask_for_each, movers};
use crate::tally::Tally;

struct Ours<I: Structure>(Index<I>);

fn new<I: Structure<Scalar = f32>>(boxes: &[Aabb]) -> Box<Ours<I>> {
    Box::new(Ours(Index::from_boxes(boxes).expect("scenes are valid")))
}

pub fn frames<I: Structure<Scalar = f32> + 'static>(boxes: &[Aabb]) -> Box<dyn Frames> {
    new::<I>(boxes)
}

/// An index is made of every frame's boxes and thrown away.
struct First<I>(PhantomData<I>);

pub fn first<I: Structure<Scalar = f32> + 'static>(_boxes: &[Aabb]) -> Box<dyn Frames> {
    Box::new(First::<I>(PhantomData))
}

impl<I: Structure<Scalar = f32>> Frames for First<I> {
    fn frame(&mut self, boxes: &[Aabb], pairs: &mut Tally) {
        Index::<I>::from_boxes(boxes).expect("scenes are valid").pairs().for_each(|(a, b)| pairs.pair(a, b));
    }
}

struct Build<I>(PhantomData<I>);

pub fn build<I: Structure<Scalar = f32> + 'static>(_boxes: &[Aabb]) -> Box<dyn Frames> {
    Box::new(Build::<I>(PhantomData))
}

impl<I: Structure<Scalar = f32>> Frames for Build<I> {
    fn frame(&mut self, boxes: &[Aabb], _pairs: &mut Tally) {
        std::hint::black_box(Index::<I>::from_boxes(boxes).expect("scenes are valid"));
    }
}

/// A frame tree whose frames are shared by two threads. To be measured with the wall's clock on a machine that has both
/// to spare.
struct Shared {
    index: Index<FrameTree>,
    pool: ThreadPool,
}

pub fn two_threads(boxes: &[Aabb]) -> Box<dyn Frames> {
    let pool = ThreadPoolBuilder::new().num_threads(2).build().expect("two threads");
    Box::new(Shared { index: Index::from_boxes(boxes).expect("scenes are valid"), pool })
}

impl Frames for Shared {
    /// Threads that have slept while others were measured are awake in a program that uses them all the time.
    fn get_ready(&mut self) {
        let until = Instant::now() + Duration::from_millis(1);
        self.pool.broadcast(|_| while Instant::now() < until {});
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

pub fn queries<I: Structure<Scalar = f32> + 'static>(boxes: &[Aabb]) -> Box<dyn Queries> {
    new::<I>(boxes)
}

pub fn neighbors<I: Structure<Scalar: From<f32>> + 'static>(boxes: &[Aabb]) -> Box<dyn Neighbors> {
    Box::new(middles::<I>(boxes))
}

/// The middles of boxes, as numbers of any width.
fn middles<I: Structure<Scalar: From<f32>>>(boxes: &[Aabb]) -> Ours<I> {
    let middle = |bounds: &Aabb| Aabb::from_point(bounds.center().map(I::Scalar::from));
    let points: Vec<Aabb<I::Scalar>> = boxes.iter().map(middle).collect();
    Ours(Index::from_boxes(&points).expect("scenes are valid"))
}

pub fn churn<I: Structure<Scalar = f32> + 'static>(boxes: &[Aabb]) -> Box<dyn Churn> {
    new::<I>(boxes)
}

impl<I: Structure<Scalar = f32>> Frames for Ours<I> {
    fn frame(&mut self, boxes: &[Aabb], pairs: &mut Tally) {
        self.0.update_all(boxes).expect("scenes are valid");
        let _ = self.0.pairs_visit(|a, b| {
            pairs.pair(a, b);
            Continue::<()>(())
        });
    }
}

/// Boxes are updated and asked about one by one.
struct OneByOne<I: Structure>(Index<I>);

pub fn agents<I: Structure<Scalar = f32> + 'static>(boxes: &[Aabb]) -> Box<dyn Agents> {
    Box::new(OneByOne::<I>(Index::from_boxes(boxes).expect("scenes are valid")))
}

impl<I: Structure<Scalar = f32>> Agents for OneByOne<I> {
    fn moves(&mut self, boxes: &[Aabb]) {
        for (id, &aabb) in (0..).zip(boxes) {
            self.0.update(id, aabb).expect("scenes are valid");
        }
        self.0.maintain();
    }

    fn asks(&mut self, boxes: &[Aabb], pairs: &mut Tally) {
        ask_for_each(boxes, |a, asked| {
            let _ = self.0.query_visit(Overlaps(*asked), |b| {
                if b > a {
                    pairs.pair(a, b);
                }
                Continue::<()>(())
            });
        });
    }
}

pub fn lists<I: Structure<Scalar = f32> + 'static>(boxes: &[Aabb]) -> Box<dyn Lists> {
    new::<I>(boxes)
}

impl<I: Structure<Scalar = f32>> Lists for Ours<I> {
    fn list(&mut self, boxes: &[Aabb], pairs: &mut Vec<(u32, u32)>) {
        self.0.update_all(boxes).expect("scenes are valid");
        let _ = self.0.pairs_visit(|a, b| {
            pairs.push((a, b));
            Continue::<()>(())
        });
    }
}

/// A space, its handles by place, and the events it reported last.
struct OurSpace<I: Structure> {
    space: Space<(), I>,
    handles: Vec<Handle>,
    /// A whole frame.
    boxes: Vec<Aabb>,
    events: ::quadrille::Events,
}

pub fn events<I: Structure<Scalar = f32> + 'static>(boxes: &[Aabb]) -> Box<dyn Events> {
    our_space::<I>(boxes, boxes.len())
}

/// The boxes that are walls are fixed.
pub fn walls<I: Structure<Scalar = f32> + 'static>(boxes: &[Aabb]) -> Box<dyn Events> {
    our_space::<I>(boxes, movers(boxes.len()))
}

fn our_space<I: Structure<Scalar = f32> + 'static>(boxes: &[Aabb], movers: usize) -> Box<dyn Events> {
    let items = boxes.iter().map(|&aabb| (aabb, ()));
    let mut space = Space::<(), I>::with_items(I::Options::default(), items).expect("scenes are valid");
    let handles: Vec<Handle> = space.iter().map(|(handle, ..)| handle).collect();
    for &handle in &handles[movers..] {
        space.set_mobility(handle, Mobility::Fixed).expect("it is there");
    }
    let mut events = ::quadrille::Events::default();
    space.step_events(&mut events);
    Box::new(OurSpace { space, handles, boxes: Vec::new(), events })
}

impl<I: Structure<Scalar = f32>> Events for OurSpace<I> {
    fn frame(&mut self, changes: &[(u32, Aabb)], [begin, end]: &mut [Tally; 2]) {
        if changes.len() == self.handles.len() {
            self.boxes.clear();
            self.boxes.extend(changes.iter().map(|&(_, aabb)| aabb));
            self.space.update_all(&self.boxes).expect("scenes are valid");
        } else {
            for &(id, aabb) in changes {
                self.space.update(self.handles[id as usize], aabb).expect("scenes are valid");
            }
            self.space.maintain();
        }
        self.space.step_events(&mut self.events);
        self.events.begin.iter().for_each(|(a, b)| begin.pair(a.id(), b.id()));
        self.events.end.iter().for_each(|(a, b)| end.pair(a.id(), b.id()));
    }
}

impl<I: Structure<Scalar = f32>> Queries for Ours<I> {
    fn overlapping(&self, asked: &Aabb, found: &mut Tally) {
        let _ = self.0.query_visit(Overlaps(*asked), |id| {
            found.one(id);
            Continue::<()>(())
        });
    }
}

/// Asked one query after another, the answers to all of which are kept in a list, as they are if asked at once.
struct Listed<I: Structure> {
    index: Ours<I>,
    list: Vec<u32>,
}

pub fn listed<I: Structure<Scalar = f32> + 'static>(boxes: &[Aabb]) -> Box<dyn Queries> {
    Box::new(Listed { index: *new::<I>(boxes), list: Vec::new() })
}

impl<I: Structure<Scalar = f32>> Queries for Listed<I> {
    fn overlapping(&self, asked: &Aabb, found: &mut Tally) {
        self.index.overlapping(asked, found);
    }

    fn all_overlapping(&mut self, asked: &[Aabb], found: &mut Tally) {
        let Self { index, list } = self;
        list.clear();
        asked.iter().for_each(|&asked| list.extend(index.0.query(Overlaps(asked))));
        list.iter().for_each(|&id| found.one(id));
    }
}

/// Asked many queries at once.
struct Packets<I: Structure> {
    index: Ours<I>,
    queries: Vec<Overlaps<f32>>,
    answers: Answers,
}

pub fn packets<I: Structure<Scalar = f32> + 'static>(boxes: &[Aabb]) -> Box<dyn Queries> {
    Box::new(Packets { index: *new::<I>(boxes), queries: Vec::new(), answers: Answers::default() })
}

impl<I: Structure<Scalar = f32>> Queries for Packets<I> {
    fn overlapping(&self, asked: &Aabb, found: &mut Tally) {
        self.index.overlapping(asked, found);
    }

    fn all_overlapping(&mut self, asked: &[Aabb], found: &mut Tally) {
        let Self { index, queries, answers } = self;
        queries.clear();
        queries.extend(asked.iter().map(|&asked| Overlaps(asked)));
        index.0.query_many(queries, answers);
        answers.iter().flatten().for_each(|&id| found.one(id));
    }
}

/// The pool of one thread, this one, so that its clock sees all that is done.
fn pool() -> &'static ThreadPool {
    static POOL: OnceLock<ThreadPool> = OnceLock::new();
    POOL.get_or_init(|| ThreadPoolBuilder::new().num_threads(1).use_current_thread().build().expect("a pool"))
}

/// Queries that rayon hands out: by our method, or by hand, what each finds in a list of its own.
struct Handed<const OURS: bool> {
    index: Ours<FrameTree>,
    queries: Vec<Overlaps<f32>>,
    answers: Answers,
}

pub fn par_query(boxes: &[Aabb]) -> Box<dyn Queries> {
    Box::new(Handed::<true> { index: *new(boxes), queries: Vec::new(), answers: Answers::default() })
}

pub fn in_rayon(boxes: &[Aabb]) -> Box<dyn Queries> {
    Box::new(Handed::<false> { index: *new(boxes), queries: Vec::new(), answers: Answers::default() })
}

impl<const OURS: bool> Queries for Handed<OURS> {
    fn overlapping(&self, asked: &Aabb, found: &mut Tally) {
        self.index.overlapping(asked, found);
    }

    fn all_overlapping(&mut self, asked: &[Aabb], found: &mut Tally) {
        let Self { index: Ours(index), queries, answers } = self;
        queries.clear();
        queries.extend(asked.iter().map(|&asked| Overlaps(asked)));
        if OURS {
            pool().install(|| index.par_query(queries, answers));
            answers.iter().flatten().for_each(|&id| found.one(id));
        } else {
            let lists: Vec<Vec<u32>> =
                pool().install(|| queries.par_iter().map(|&query| index.query(query).collect()).collect());
            lists.iter().flatten().for_each(|&id| found.one(id));
        }
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
struct AtOnce<I: Structure> {
    index: Ours<I>,
    queries: Vec<Near<I::Scalar>>,
    answers: Answers<Hit<Distance<I::Scalar>>>,
}

pub fn neighbors_at_once<I: Structure<Scalar: From<f32>> + 'static>(boxes: &[Aabb]) -> Box<dyn Neighbors> {
    Box::new(AtOnce { index: middles::<I>(boxes), queries: Vec::new(), answers: Answers::new() })
}

impl<I: Structure<Scalar: From<f32>>> Neighbors for AtOnce<I> {
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

impl<I: Structure<Scalar = f32>> Churn for Ours<I> {
    fn replace(&mut self, place: u32, _old: &Aabb, new: &Aabb) {
        self.0.remove(place);
        // The last id that was freed is given out first.
        assert_eq!(self.0.insert(*new), Ok(place));
    }

    fn pairs(&mut self, _boxes: &[Aabb], pairs: &mut Tally) {
        self.0.maintain();
        let _ = self.0.pairs_visit(|a, b| {
            pairs.pair(a, b);
            Continue::<()>(())
        });
    }
}
