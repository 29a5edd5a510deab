//! The contenders, one file each.

mod bolt;
mod box2d;
mod broccoli;
mod bvh;
mod entrant;
mod flat_spatial;
mod geo_index;
mod hand_bullets;
mod hand_frames;
mod hand_grid;
mod kiddo;
mod obvhs;
mod parry;
mod quadrille;
mod rstar;
mod static_aabb2d;

use std::hint::black_box;
use std::marker::PhantomData;
use std::time::{Duration, Instant};

use ::quadrille::structures::{EnclosingQuadtree, Grid, LooseGrid, LooseQuadtree, Quadtree};
use ::quadrille::{Aabb, FrameTree, Layers};
use rayon::{ThreadPool, ThreadPoolBuilder};

pub use self::entrant::{Anew as EntrantAnew, Entrant, Library};
use self::quadrille::{NearAtOnce, OneByOne, Ours, bullets, layers, sets};
use crate::tally::Tally;

/// A contender in tasks of whole frames.
pub trait Frames {
    /// Brings the index to date with the boxes of a frame, then reports every overlapping pair once.
    fn frame(&mut self, boxes: &[Aabb], pairs: &mut Tally);

    /// Called before the clock starts.
    fn get_ready(&mut self) {}

    /// What is wrong with the pairs of these boxes, if it can tell.
    fn explain(&mut self, _boxes: &[Aabb]) -> Option<String> {
        None
    }
}

/// A contender in tasks in which each agent moves, and looks for its neighbors, in a call of its own.
pub trait Agents {
    /// Moves the boxes one by one, then does the maintenance that a frame needs.
    fn moves(&mut self, boxes: &[Aabb]);

    /// Runs a query for each box. Reports every overlapping pair once.
    fn asks(&mut self, boxes: &[Aabb], pairs: &mut Tally);
}

impl<T: Agents> Frames for T {
    fn frame(&mut self, boxes: &[Aabb], pairs: &mut Tally) {
        self.moves(boxes);
        self.asks(boxes, pairs);
    }
}

/// What can be asked which boxes overlap a rectangle.
pub trait Search {
    fn search(&self, asked: &Aabb, found: impl FnMut(u32));

    /// Every overlapping pair once, by a query for each box.
    fn pairs_by_queries(&self, boxes: &[Aabb], pairs: &mut Tally) {
        for (a, asked) in (0..).zip(boxes) {
            self.search(asked, |b| pairs.once(a, b));
        }
    }
}

impl<T: Search> Queries for T {
    fn overlapping(&self, asked: &Aabb, found: &mut Tally) {
        self.search(asked, |id| found.one(id));
    }
}

/// A contender in tasks of queries over boxes that do not move.
pub trait Queries {
    /// Counts and sums up the boxes that overlap a rectangle.
    fn overlapping(&self, asked: &Aabb, found: &mut Tally);

    /// The same for many rectangles.
    fn all_overlapping(&mut self, asked: &[Aabb], found: &mut Tally) {
        asked.iter().for_each(|asked| self.overlapping(asked, found));
    }
}

/// A contender in tasks of finding neighbors. It stores the centers of boxes, or the boxes.
pub trait Neighbors {
    /// The sum of the distances from a point to the `k` nearest, itself included if it is one of them.
    fn nearest(&self, point: [f32; 2], k: usize) -> f64;

    /// The same for many points.
    fn all_nearest(&mut self, points: &[[f32; 2]], k: usize) -> f64 {
        points.iter().map(|&point| self.nearest(point, k)).sum()
    }

    /// Counts and sums up the points within a radius.
    fn within(&self, point: [f32; 2], radius: f32, found: &mut Tally);
}

/// A contender in the task of finding neighbors in order until enough of them pass a test.
pub trait InOrder {
    /// The sum of the distances from a point to the `k` nearest that pass [the test](is_wanted).
    fn nearest_wanted(&self, point: [f32; 2], k: usize) -> f64;
}

/// A test that one box in ten passes, wherever it is.
fn is_wanted(id: u32) -> bool {
    id.wrapping_mul(0x9E37_79B9) < u32::MAX / 10
}

/// A ray, a segment or a moving box.
pub enum Cast {
    /// Without end.
    Ray {
        origin: [f32; 2],
        direction: [f32; 2],
    },
    Segment {
        from: [f32; 2],
        to: [f32; 2],
    },
    Swept {
        start: Aabb,
        motion: [f32; 2],
    },
}

/// A contender in tasks of finding what a ray, a segment or a moving box hits first.
pub trait Casts {
    /// When the first box is hit, in units of the motion.
    fn first(&self, cast: &Cast) -> Option<f64>;
}

/// A contender in tasks of joining two sets.
pub trait Sets {
    /// Prepares both sets, and keeps the result until the next call.
    fn build(&mut self, sets: [&[Aabb]; 2]);

    /// Reports every overlapping pair of a box from each set.
    fn join(&mut self, pairs: &mut Tally);
}

/// A contender in tasks of finding pairs within a distance, without an index to begin with.
pub trait Apart {
    /// The pairs of one set.
    fn within(&mut self, boxes: &[Aabb], distance: f32, pairs: &mut Tally);

    /// The pairs of a box from each of two sets.
    fn across(&mut self, sets: [&[Aabb]; 2], distance: f32, pairs: &mut Tally);
}

/// A contender in tasks in which single boxes change between queries, without a call for the whole frame.
pub trait Singles: Queries {
    /// Box `place` moves; without a call for that, it is renewed.
    fn update(&mut self, place: u32, old: &Aabb, new: &Aabb) {
        self.renew(place, old, new);
    }

    /// Box `place` is removed, and a new one inserted under the same name.
    fn renew(&mut self, place: u32, old: &Aabb, new: &Aabb);
}

/// A contender in tasks of whole frames with layers.
pub trait Layered {
    /// Brings the index to date.
    fn update(&mut self, boxes: &[Aabb], layers: &[Layers]);

    /// Reports every overlapping pair whose layers meet.
    fn pairs(&self, pairs: &mut Tally);
}

/// A contender in the loop of a simulation.
pub trait Lists {
    /// Brings the index to date with the boxes of a step, then lists every overlapping pair once, the lower id first,
    /// in any order.
    fn list(&mut self, boxes: &[Aabb], pairs: &mut Vec<(u32, u32)>);
}

/// A contender in the task in which little moves.
pub trait Events {
    /// Takes the boxes that have changed, with their positions in the list, and reports which pairs begin and end.
    fn frame(&mut self, changes: &[(u32, Aabb)], events: &mut [Tally; 2]);
}

/// In the task of bullets and enemies, this many boxes are enemies, the first in the list. All others are bullets.
pub fn enemies(boxes: usize) -> usize {
    boxes / 5
}

/// A contender in that task. `place` is the position of a box in the list.
pub trait Bullets {
    /// A bullet is replaced by a new one at the same place; between two frames, in ascending order of places.
    fn renew(&mut self, place: u32, bounds: &Aabb);

    /// Takes all boxes, and reports which pairs of an enemy and a bullet begin and end.
    fn frame(&mut self, boxes: &[Aabb], events: &mut [Tally; 2]);
}

/// Whose it is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Ours,
    Rival,
}

/// The name of a contender, and how to make it from the first boxes.
pub struct Entry<T: ?Sized> {
    pub name: &'static str,
    pub side: Side,
    pub make: fn(&[Aabb]) -> Box<T>,
    /// Does it count boxes that only touch? All of ours do. If not, it is compared with the pairs that do more than
    /// touch.
    pub touching: bool,
}

const fn ours<T: ?Sized>(name: &'static str, make: fn(&[Aabb]) -> Box<T>) -> Entry<T> {
    Entry { name, side: Side::Ours, make, touching: true }
}

const fn rival<T: ?Sized>(name: &'static str, make: fn(&[Aabb]) -> Box<T>) -> Entry<T> {
    Entry { name, side: Side::Rival, make, touching: true }
}

/// Entries over each of our structures, and others.
macro_rules! over_each {
    ($structure:ident => $make:expr; $($other:expr,)*) => {
        &[
            ours("frame-tree", over_each!(FrameTree, $structure => $make)),
            ours("loose-grid", over_each!(LooseGrid, $structure => $make)),
            ours("grid", over_each!(Grid, $structure => $make)),
            ours("loose-quadtree", over_each!(LooseQuadtree, $structure => $make)),
            ours("enclosing-quadtree", over_each!(EnclosingQuadtree, $structure => $make)),
            ours("quadtree", over_each!(Quadtree, $structure => $make)),
            $($other,)*
        ]
    };
    ($one:ident, $structure:ident => $make:expr) => {{
        type $structure = $one;
        $make
    }};
}

pub const FRAMES: &[Entry<dyn Frames>] = over_each![
    S => |boxes| Box::new(Ours::<S>::new(boxes));
    ours("frame-tree 2 threads", |boxes| Box::new(quadrille::Shared::new(boxes))),
    rival("parry2d refit", |boxes| Box::new(parry::Refit(parry::new(boxes)))),
    rival("parry2d rebuild", |boxes| Box::new(parry::Rebuild(parry::new(boxes)))),
    rival("parry2d 2 threads", |boxes| Box::new(parry::Shared::new(boxes))),
    rival("broccoli", |boxes| Box::new(broccoli::Broccoli(broccoli::list(boxes)))),
    rival("grid by hand", |boxes| Box::new(hand_frames::new(boxes))),
    rival("box2d move", |boxes| Box::new(box2d::Moving(box2d::Tree::new(boxes)))),
    rival("box2d rebuild", |boxes| Box::new(box2d::rebuilding(boxes))),
    rival("obvhs refit", |boxes| Box::new(obvhs::refit(boxes))),
    rival("obvhs rebuild", |boxes| Box::new(obvhs::Rebuild(obvhs::Moving::new(boxes)))),
    rival("bvh refit", |boxes| Box::new(bvh::Refit(bvh::Tree::new(boxes)))),
    rival("bvh rebuild", |boxes| Box::new(bvh::Rebuild(bvh::Tree::new(boxes)))),
    rival("static_aabb2d_index", |_| Box::new(static_aabb2d::Static::default())),
    rival("rstar", |_| Box::new(rstar::Rebuilt::default())),
    rival("flat_spatial", |boxes| Box::new(flat_spatial::Grid::new(boxes))),
    Entry { touching: false, ..rival("bolt-quadtree", |boxes| Box::new(bolt::new(boxes))) },
];

/// They keep nothing from lap to lap.
pub const FIRST: &[Entry<dyn Frames>] = over_each![
    S => |_| Box::new(Anew(quadrille::first::<S>));
    rival("broccoli", |_| Box::new(Anew(broccoli::first))),
    rival("parry2d", |_| Box::new(Anew(|boxes, pairs| parry::new(boxes).pairs(pairs)))),
    rival("static_aabb2d_index", |_| Box::new(static_aabb2d::Static::default())),
    rival("geo-index", |_| Box::new(Anew(geo_index::first))),
    rival("rstar", |_| Box::new(rstar::Rebuilt::default())),
];

/// The same without the pairs.
pub const BUILD: &[Entry<dyn Frames>] = over_each![
    S => |_| Box::new(Anew(|boxes, _| drop(black_box(quadrille::index::<S>(boxes)))));
    rival("broccoli", |_| Box::new(Anew(broccoli::build))),
    rival("parry2d", |_| Box::new(Anew(|boxes, _| drop(black_box(parry::new(boxes)))))),
    rival("static_aabb2d_index", |_| Box::new(Anew(|boxes, _| drop(black_box(static_aabb2d::new(boxes)))))),
    rival("geo-index", |_| Box::new(Anew(|boxes, _| drop(black_box(geo_index::new(boxes)))))),
    rival("rstar", |_| Box::new(Anew(|boxes, _| drop(black_box(rstar::load(boxes)))))),
];

pub const AGENTS: &[Entry<dyn Agents>] = over_each![
    S => |boxes| Box::new(OneByOne(Ours::<S>::new(boxes)));
    rival("parry2d", |boxes| Box::new(parry::Asked(parry::Refit(parry::new(boxes))))),
    rival("box2d", |boxes| Box::new(box2d::Moving(box2d::Tree::new(boxes)))),
    rival("flat_spatial", |boxes| Box::new(flat_spatial::Grid::new(boxes))),
    Entry { touching: false, ..rival("bolt-quadtree", |boxes| Box::new(bolt::new(boxes))) },
];

pub const QUERIES: &[Entry<dyn Queries>] = over_each![
    S => |boxes| Box::new(Ours::<S>::new(boxes));
    ours("frame-tree listed", |boxes| Box::new(quadrille::listed(boxes))),
    ours("frame-tree at once", |boxes| Box::new(quadrille::at_once::<FrameTree>(boxes))),
    ours("loose-grid at once", |boxes| Box::new(quadrille::at_once::<LooseGrid>(boxes))),
    ours("quadtree at once", |boxes| Box::new(quadrille::at_once::<Quadtree>(boxes))),
    rival("parry2d", |boxes| Box::new(parry::new(boxes))),
    rival("box2d", |boxes| Box::new(box2d::Tree::new(boxes))),
    rival("static_aabb2d_index", |boxes| Box::new(static_aabb2d::new(boxes))),
    rival("geo-index", |boxes| Box::new(geo_index::new(boxes))),
    rival("rstar", |boxes| Box::new(rstar::load(boxes))),
    rival("flat_spatial", |boxes| Box::new(flat_spatial::Grid::new(boxes))),
];

pub const NEIGHBORS: &[Entry<dyn Neighbors>] = &[
    ours("frame-tree", |boxes| Box::new(Ours::<FrameTree>::middles(boxes))),
    ours("loose-grid", |boxes| Box::new(Ours::<LooseGrid>::middles(boxes))),
    ours("quadtree", |boxes| Box::new(Ours::<Quadtree>::middles(boxes))),
    ours("frame-tree at once", |boxes| Box::new(NearAtOnce::<FrameTree>::new(boxes))),
    ours("frame-tree f64", |boxes| Box::new(Ours::<FrameTree<f64>>::middles(boxes))),
    ours("frame-tree f64 at once", |boxes| Box::new(NearAtOnce::<FrameTree<f64>>::new(boxes))),
    rival("kiddo", |boxes| Box::new(kiddo::new(boxes))),
    rival("kiddo f64", |boxes| Box::new(kiddo::wide(boxes))),
    rival("rstar", |boxes| Box::new(rstar::points(boxes))),
    rival("static_aabb2d_index", |boxes| Box::new(static_aabb2d::points(boxes))),
];

pub const IN_ORDER: &[Entry<dyn InOrder>] = over_each![
    S => |boxes| Box::new(Ours::<S>::middles(boxes));
    rival("rstar", |boxes| Box::new(rstar::points(boxes))),
    rival("static_aabb2d_index", |boxes| Box::new(static_aabb2d::points(boxes))),
];

pub const CASTS: &[Entry<dyn Casts>] = over_each![
    S => |boxes| Box::new(Ours::<S>::new(boxes));
    rival("parry2d", |boxes| Box::new(parry::Cases::new(boxes))),
    rival("obvhs", |boxes| Box::new(obvhs::two(boxes))),
    rival("obvhs cwbvh", |boxes| Box::new(obvhs::eight(boxes))),
];

pub const STEPS: &[Entry<dyn Lists>] = &[
    ours("frame-tree", |boxes| Box::new(Ours::<FrameTree>::new(boxes))),
    ours("loose-grid", |boxes| Box::new(Ours::<LooseGrid>::new(boxes))),
    rival("parry2d refit", |boxes| Box::new(parry::Refit(parry::new(boxes)))),
];

pub const EVENTS: &[Entry<dyn Events>] = &[
    ours("space of loose-grid", |boxes| Box::new(quadrille::OurSpace::<LooseGrid>::new(boxes))),
    ours("space of loose-quadtree", |boxes| Box::new(quadrille::OurSpace::<LooseQuadtree>::new(boxes))),
    ours("space of frame-tree", |boxes| Box::new(quadrille::OurSpace::<FrameTree>::new(boxes))),
    rival("parry2d pairs kept", |boxes| Box::new(parry::Changes::new(boxes))),
    // Finds the pairs of fat boxes of which one has changed, and reports neither beginnings nor ends: a lower bound.
    Entry {
        touching: false,
        ..rival("parry2d traversal", |boxes| Box::new(parry::Traversal(parry::Changes::new(boxes))))
    },
];

pub const BULLETS: &[Entry<dyn Bullets>] = &[
    ours("space", |boxes| Box::new(bullets::at_once(boxes))),
    ours("space one by one", |boxes| Box::new(bullets::one_by_one(boxes))),
    rival("grid by hand", |boxes| Box::new(hand_bullets::new(boxes))),
];

/// These do not take part in joining alone: one keeps no index, and one differs only in how its index was built.
pub const SETS_IN_FRAMES: [&str; 2] = ["frame-tree at once", "frame-tree kept"];

pub const SETS: &[Entry<dyn Sets>] = &[
    ours("frame-tree", |_| Box::new(BothBuilt::new(quadrille::index::<FrameTree>, sets::join))),
    ours(SETS_IN_FRAMES[0], |_| Box::new(sets::Unkept::default())),
    ours(SETS_IN_FRAMES[1], |_| Box::new(sets::Kept::default())),
    ours("loose-grid", |_| Box::new(BothBuilt::new(quadrille::index::<LooseGrid>, sets::join))),
    ours("quadtree", |_| Box::new(BothBuilt::new(quadrille::index::<Quadtree>, sets::join))),
    rival("geo-index", |_| Box::new(BothBuilt::new(geo_index::new, geo_index::join))),
    rival("geo-index one by one", |_| Box::new(OneBuilt::new(geo_index::new))),
    rival("rstar", |_| Box::new(BothBuilt::new(rstar::load, rstar::join))),
    rival("rstar one by one", |_| Box::new(OneBuilt::new(rstar::load))),
    // Has no join of two indexes.
    rival("static_aabb2d_index", |_| Box::new(OneBuilt::new(static_aabb2d::new))),
    Entry { touching: false, ..rival("broccoli", |_| Box::new(broccoli::Two::default())) },
];

pub const APART: &[Entry<dyn Apart>] = &[
    ours("frame-tree", |_| Box::new(sets::Near::<FrameTree>(PhantomData))),
    ours("loose-grid", |_| Box::new(sets::Near::<LooseGrid>(PhantomData))),
    ours("frame-tree grown by hand", |_| Box::new(sets::Grown)),
    rival("grid by hand", |_| Box::new(hand_grid::ByHand)),
    rival("rstar", |_| Box::new(rstar::Asked)),
];

pub const SINGLES: &[Entry<dyn Singles>] = over_each![
    S => |boxes| Box::new(Ours::<S>::new(boxes));
    rival("box2d", |boxes| Box::new(box2d::Tree::new(boxes))),
    rival("rstar", |boxes| Box::new(rstar::load(boxes))),
];

/// It is told which boxes are bullets, so it takes part only in finding their pairs.
pub const LAYERED_APART: &str = "frame-tree as two sets";

pub const LAYERED: &[Entry<dyn Layered>] = &[
    ours("frame-tree", |boxes| Box::new(layers::at_once(boxes))),
    ours(LAYERED_APART, |_| Box::new(layers::AsTwoSets::default())),
    ours("frame-tree one by one", |boxes| Box::new(layers::one_by_one(boxes))),
    Entry { touching: false, ..ours("frame-tree without layers", |boxes| Box::new(layers::without(boxes))) },
];

fn two_threads() -> ThreadPool {
    ThreadPoolBuilder::new().num_threads(2).build().expect("two threads")
}

/// Wakes threads that slept while others were measured: in a program that always uses them, they are awake.
fn wake(pool: &ThreadPool) {
    let until = Instant::now() + Duration::from_millis(1);
    pool.broadcast(|_| while Instant::now() < until {});
}

/// A contender that keeps nothing from lap to lap.
struct Anew(fn(&[Aabb], &mut Tally));

impl Frames for Anew {
    fn frame(&mut self, boxes: &[Aabb], pairs: &mut Tally) {
        (self.0)(boxes, pairs);
    }
}

/// A fat box around each box, renewed when the box leaves it.
struct Fat {
    /// How much wider: Box2D adds a tenth of a meter to things of about a meter; here, it is a tenth of the mean size.
    margin: f32,
    boxes: Vec<Aabb>,
}

impl Fat {
    fn new(boxes: &[Aabb]) -> Self {
        let size: f32 = boxes.iter().map(|aabb| aabb.size()[0].min(aabb.size()[1])).sum();
        let margin = 0.1 * size / boxes.len().max(1) as f32;
        Self { margin, boxes: boxes.iter().map(|aabb| aabb.with_margin(margin)).collect() }
    }

    /// Calls a function for each fat box that is renewed.
    fn follow(&mut self, boxes: &[Aabb], mut renew: impl FnMut(usize, &Aabb)) {
        for (at, (fat, aabb)) in self.boxes.iter_mut().zip(boxes).enumerate() {
            if !fat.contains(aabb) {
                *fat = aabb.with_margin(self.margin);
                renew(at, fat);
            }
        }
    }
}

/// Are two boxes within a distance? Computed in `f64`, in which gaps and squares of such numbers are nearly exact.
fn are_near(one: &Aabb, other: &Aabb, distance: f32) -> bool {
    let gap = |axis: usize| {
        let gap = |low: &Aabb, high: &Aabb| f64::from(high.min[axis]) - f64::from(low.max[axis]);
        gap(one, other).max(gap(other, one)).max(0.0)
    };
    let (x, y, distance) = (gap(0), gap(1), f64::from(distance));
    x * x + y * y <= distance * distance
}

/// Indexes of both sets, walked together.
struct BothBuilt<T> {
    both: Option<[T; 2]>,
    build: fn(&[Aabb]) -> T,
    join: fn(&[T; 2], &mut Tally),
}

impl<T> BothBuilt<T> {
    fn new(build: fn(&[Aabb]) -> T, join: fn(&[T; 2], &mut Tally)) -> Self {
        Self { both: None, build, join }
    }
}

impl<T> Sets for BothBuilt<T> {
    fn build(&mut self, sets: [&[Aabb]; 2]) {
        self.both = Some(sets.map(self.build));
    }

    fn join(&mut self, pairs: &mut Tally) {
        (self.join)(self.both.as_ref().expect("built before"), pairs);
    }
}

/// An index of the smaller set, queried with each box of the larger one.
struct OneBuilt<T> {
    larger: Vec<Aabb>,
    is_first_larger: bool,
    smaller: Option<T>,
    build: fn(&[Aabb]) -> T,
}

impl<T> OneBuilt<T> {
    fn new(build: fn(&[Aabb]) -> T) -> Self {
        Self { larger: Vec::new(), is_first_larger: false, smaller: None, build }
    }
}

impl<T: Search> Sets for OneBuilt<T> {
    fn build(&mut self, [one, other]: [&[Aabb]; 2]) {
        self.is_first_larger = one.len() >= other.len();
        let (larger, smaller) = if self.is_first_larger { (one, other) } else { (other, one) };
        self.larger = larger.to_vec();
        self.smaller = Some((self.build)(smaller));
    }

    fn join(&mut self, pairs: &mut Tally) {
        let tree = self.smaller.as_ref().expect("built before");
        for (asking, asked) in (0..).zip(&self.larger) {
            tree.search(asked, |found| {
                let (a, b) = if self.is_first_larger { (asking, found) } else { (found, asking) };
                pairs.across(a, b);
            });
        }
    }
}
