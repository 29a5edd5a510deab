//! The contenders, one file each.

mod bolt;
mod box2d;
mod broccoli;
mod flat_spatial;
mod geo_index;
mod hand_bullets;
mod hand_grid;
mod kiddo;
mod obvhs;
mod parry;
mod quadrille;
mod rstar;
mod static_aabb2d;

use ::quadrille::{Aabb, Layers};

use crate::tally::Tally;

/// What takes part in a task that is about frames.
pub trait Frames {
    /// Brings the index to date with the boxes of a frame, then reports every overlapping pair once.
    fn frame(&mut self, boxes: &[Aabb], pairs: &mut Tally);

    /// Is called before the clock is started.
    fn get_ready(&mut self) {}
}

/// What takes part in tasks in which every agent moves by itself, and by itself asks who is near.
pub trait Agents {
    /// Moves one box after the other, then does what maintenance a frame needs.
    fn moves(&mut self, boxes: &[Aabb]);

    /// Asks about one box after the other. Reports every overlapping pair once.
    fn asks(&mut self, boxes: &[Aabb], pairs: &mut Tally);
}

impl<T: Agents> Frames for T {
    fn frame(&mut self, boxes: &[Aabb], pairs: &mut Tally) {
        self.moves(boxes);
        self.asks(boxes, pairs);
    }
}

/// What takes part in tasks that are about queries to boxes which stand still.
pub trait Queries {
    /// Counts and sums up the boxes that overlap a rectangle.
    fn overlapping(&self, asked: &Aabb, found: &mut Tally);

    /// The same for many rectangles.
    fn all_overlapping(&mut self, asked: &[Aabb], found: &mut Tally) {
        asked.iter().for_each(|asked| self.overlapping(asked, found));
    }
}

/// What takes part in the task of finding neighbors: a box as its middle point, or the box itself.
pub trait Neighbors {
    /// Adds up the distances to the `k` nearest of a point, itself included if it is one of them.
    fn nearest(&self, point: [f32; 2], k: usize) -> f64;

    /// The same for many points.
    fn all_nearest(&mut self, points: &[[f32; 2]], k: usize) -> f64 {
        points.iter().map(|&point| self.nearest(point, k)).sum()
    }

    /// Counts and sums up the points within a radius.
    fn within(&self, point: [f32; 2], radius: f32, found: &mut Tally);
}

/// What takes part in the task of finding neighbors in order without knowing how many must be looked at.
pub trait InOrder {
    /// Adds up the distances to the `k` nearest of a point that are [wanted](is_wanted).
    fn nearest_wanted(&self, point: [f32; 2], k: usize) -> f64;
}

/// One box in ten, wherever it is.
fn is_wanted(id: u32) -> bool {
    id.wrapping_mul(0x9E37_79B9) < u32::MAX / 10
}

/// What is cast.
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

/// What takes part in tasks about what a ray, a segment or a moving box hits first.
pub trait Casts {
    /// When the first box is hit, in units of the motion.
    fn first(&self, cast: &Cast) -> Option<f64>;
}

/// What takes part in tasks about two sets.
pub trait Sets {
    /// Makes what it needs of both, and keeps it until the next time.
    fn build(&mut self, sets: [&[Aabb]; 2]);

    /// Reports every overlapping pair of one from each.
    fn join(&mut self, pairs: &mut Tally);
}

/// What takes part in tasks about pairs within a distance, from nothing but boxes.
pub trait Apart {
    /// The pairs of one set.
    fn within(&mut self, boxes: &[Aabb], distance: f32, pairs: &mut Tally);

    /// The pairs of one from each of two sets.
    fn across(&mut self, sets: [&[Aabb]; 2], distance: f32, pairs: &mut Tally);
}

/// What takes part in tasks in which single boxes change between queries, and no call is made for the whole frame.
pub trait Singles {
    /// Box `place` moves.
    fn update(&mut self, place: u32, old: &Aabb, new: &Aabb);

    /// Box `place` is removed, and a new one inserted under the same name.
    fn renew(&mut self, place: u32, old: &Aabb, new: &Aabb);

    /// Counts and sums up the boxes that overlap a rectangle.
    fn overlapping(&self, asked: &Aabb, found: &mut Tally);
}

/// What takes part in whole frames with layers.
pub trait Layered {
    /// Brings the index to date.
    fn update(&mut self, boxes: &[Aabb], layers: &[Layers]);

    /// Reports every overlapping pair whose layers meet.
    fn pairs(&self, pairs: &mut Tally);
}

/// What takes part in the task in which boxes come and go. Boxes are called by their place in the list.
pub trait Churn {
    /// Box `place` is replaced by another: removed, and a new one inserted under the same name.
    fn replace(&mut self, place: u32, old: &Aabb, new: &Aabb);

    /// All pairs, once the replacing of a frame is over.
    fn pairs(&mut self, boxes: &[Aabb], pairs: &mut Tally);
}

/// What takes part in the loop of a simulation.
pub trait Lists {
    /// Brings the index to date with the boxes of a step, then lists every overlapping pair once, the lower id first,
    /// in any order.
    fn list(&mut self, boxes: &[Aabb], pairs: &mut Vec<(u32, u32)>);
}

/// What takes part in the task in which little moves.
pub trait Events {
    /// Takes the boxes that have changed, by their place in the list, and reports which pairs begin and which cease to
    /// overlap.
    fn frame(&mut self, changes: &[(u32, Aabb)], events: &mut [Tally; 2]);
}

/// In the task with walls, how many of the boxes, the first of them, move. All others are walls.
pub fn movers(boxes: usize) -> usize {
    boxes / 6
}

/// In the task of bullets and enemies, how many of the boxes, the first of them, are enemies. All others are bullets.
pub fn enemies(boxes: usize) -> usize {
    boxes / 5
}

/// What takes part in that task. Boxes are called by their place in the list.
pub trait Bullets {
    /// A bullet is gone, and another one is fired under the same name; between two frames in ascending order of names.
    fn renew(&mut self, place: u32, bounds: &Aabb);

    /// Takes all boxes, and reports which pairs of an enemy and a bullet begin and which cease to overlap.
    fn frame(&mut self, boxes: &[Aabb], events: &mut [Tally; 2]);
}

/// Whose it is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Ours,
    Rival,
}

/// A contender by name, and how to make it of the boxes that are there at first.
pub struct Entry<T: ?Sized> {
    pub name: &'static str,
    pub side: Side,
    pub make: fn(&[Aabb]) -> Box<T>,
    /// Does it count boxes that only touch? Ours all do. What does not is held against the pairs that do more than
    /// touch.
    pub touching: bool,
}

const fn ours<T: ?Sized>(name: &'static str, make: fn(&[Aabb]) -> Box<T>) -> Entry<T> {
    Entry { name, side: Side::Ours, make, touching: true }
}

const fn rival<T: ?Sized>(name: &'static str, make: fn(&[Aabb]) -> Box<T>) -> Entry<T> {
    Entry { name, side: Side::Rival, make, touching: true }
}

/// The first is the reference for pairs.
pub const FRAMES: &[Entry<dyn Frames>] = &[
    ours("frame-tree", quadrille::frames::<::quadrille::FrameTree>),
    ours("frame-tree 2 threads", quadrille::two_threads),
    ours("loose-grid", quadrille::frames::<::quadrille::structures::LooseGrid>),
    ours("grid", quadrille::frames::<::quadrille::structures::Grid>),
    ours("loose-quadtree", quadrille::frames::<::quadrille::structures::LooseQuadtree>),
    ours("enclosing-quadtree", quadrille::frames::<::quadrille::structures::EnclosingQuadtree>),
    ours("quadtree", quadrille::frames::<::quadrille::structures::Quadtree>),
    rival("parry2d refit", parry::refit),
    rival("parry2d rebuild", parry::rebuild),
    rival("broccoli", broccoli::frames),
    rival("box2d move", box2d::moving),
    rival("box2d rebuild", box2d::rebuilding),
    rival("static_aabb2d_index", static_aabb2d::frames),
    rival("rstar", rstar::frames),
    rival("flat_spatial", flat_spatial::frames),
    Entry { touching: false, ..rival("bolt-quadtree", bolt::frames) },
];

/// Nothing is kept from lap to lap.
pub const FIRST: &[Entry<dyn Frames>] = &[
    ours("frame-tree", quadrille::first::<::quadrille::FrameTree>),
    ours("loose-grid", quadrille::first::<::quadrille::structures::LooseGrid>),
    ours("grid", quadrille::first::<::quadrille::structures::Grid>),
    ours("loose-quadtree", quadrille::first::<::quadrille::structures::LooseQuadtree>),
    ours("enclosing-quadtree", quadrille::first::<::quadrille::structures::EnclosingQuadtree>),
    ours("quadtree", quadrille::first::<::quadrille::structures::Quadtree>),
    rival("broccoli", broccoli::first),
    rival("parry2d", parry::first),
    rival("static_aabb2d_index", static_aabb2d::frames),
    rival("geo-index", geo_index::first),
    rival("rstar", rstar::frames),
];

/// The same without the pairs.
pub const BUILD: &[Entry<dyn Frames>] = &[
    ours("frame-tree", quadrille::build::<::quadrille::FrameTree>),
    ours("loose-grid", quadrille::build::<::quadrille::structures::LooseGrid>),
    ours("grid", quadrille::build::<::quadrille::structures::Grid>),
    ours("loose-quadtree", quadrille::build::<::quadrille::structures::LooseQuadtree>),
    ours("enclosing-quadtree", quadrille::build::<::quadrille::structures::EnclosingQuadtree>),
    ours("quadtree", quadrille::build::<::quadrille::structures::Quadtree>),
    rival("broccoli", broccoli::build),
    rival("parry2d", parry::build),
    rival("static_aabb2d_index", static_aabb2d::built),
    rival("geo-index", geo_index::build),
    rival("rstar", rstar::build),
];

pub const AGENTS: &[Entry<dyn Agents>] = &[
    ours("loose-grid", quadrille::agents::<::quadrille::structures::LooseGrid>),
    ours("grid", quadrille::agents::<::quadrille::structures::Grid>),
    ours("loose-quadtree", quadrille::agents::<::quadrille::structures::LooseQuadtree>),
    ours("enclosing-quadtree", quadrille::agents::<::quadrille::structures::EnclosingQuadtree>),
    ours("quadtree", quadrille::agents::<::quadrille::structures::Quadtree>),
    rival("parry2d", parry::agents),
    rival("box2d", box2d::agents),
    rival("flat_spatial", flat_spatial::agents),
    Entry { touching: false, ..rival("bolt-quadtree", bolt::agents) },
];

pub const QUERIES: &[Entry<dyn Queries>] = &[
    ours("frame-tree", quadrille::queries::<::quadrille::FrameTree>),
    ours("loose-grid", quadrille::queries::<::quadrille::structures::LooseGrid>),
    ours("grid", quadrille::queries::<::quadrille::structures::Grid>),
    ours("loose-quadtree", quadrille::queries::<::quadrille::structures::LooseQuadtree>),
    ours("enclosing-quadtree", quadrille::queries::<::quadrille::structures::EnclosingQuadtree>),
    ours("quadtree", quadrille::queries::<::quadrille::structures::Quadtree>),
    ours("frame-tree listed", quadrille::listed::<::quadrille::FrameTree>),
    ours("frame-tree at once", quadrille::packets::<::quadrille::FrameTree>),
    ours("loose-grid at once", quadrille::packets::<::quadrille::structures::LooseGrid>),
    ours("quadtree at once", quadrille::packets::<::quadrille::structures::Quadtree>),
    ours("frame-tree par_query", quadrille::par_query),
    ours("frame-tree in rayon", quadrille::in_rayon),
    rival("parry2d", parry::queries),
    rival("box2d", box2d::queries),
    rival("static_aabb2d_index", static_aabb2d::queries),
    rival("geo-index", geo_index::queries),
    rival("rstar", rstar::queries),
    rival("flat_spatial", flat_spatial::queries),
];

pub const NEIGHBORS: &[Entry<dyn Neighbors>] = &[
    ours("frame-tree", quadrille::neighbors::<::quadrille::FrameTree>),
    ours("loose-grid", quadrille::neighbors::<::quadrille::structures::LooseGrid>),
    ours("quadtree", quadrille::neighbors::<::quadrille::structures::Quadtree>),
    ours("frame-tree at once", quadrille::neighbors_at_once::<::quadrille::FrameTree>),
    ours("frame-tree f64", quadrille::neighbors::<::quadrille::FrameTree<f64>>),
    ours("frame-tree f64 at once", quadrille::neighbors_at_once::<::quadrille::FrameTree<f64>>),
    rival("kiddo", kiddo::neighbors),
    rival("kiddo f64", kiddo::neighbors_f64),
    rival("rstar", rstar::neighbors),
    rival("static_aabb2d_index", static_aabb2d::neighbors),
];

pub const IN_ORDER: &[Entry<dyn InOrder>] = &[
    ours("frame-tree", quadrille::in_order::<::quadrille::FrameTree>),
    ours("loose-grid", quadrille::in_order::<::quadrille::structures::LooseGrid>),
    ours("grid", quadrille::in_order::<::quadrille::structures::Grid>),
    ours("loose-quadtree", quadrille::in_order::<::quadrille::structures::LooseQuadtree>),
    ours("enclosing-quadtree", quadrille::in_order::<::quadrille::structures::EnclosingQuadtree>),
    ours("quadtree", quadrille::in_order::<::quadrille::structures::Quadtree>),
    ours("frame-tree first few", quadrille::first_few),
    rival("rstar", rstar::in_order),
    rival("static_aabb2d_index", static_aabb2d::in_order),
];

pub const CASTS: &[Entry<dyn Casts>] = &[
    ours("frame-tree", quadrille::casts::<::quadrille::FrameTree>),
    ours("loose-grid", quadrille::casts::<::quadrille::structures::LooseGrid>),
    ours("grid", quadrille::casts::<::quadrille::structures::Grid>),
    ours("loose-quadtree", quadrille::casts::<::quadrille::structures::LooseQuadtree>),
    ours("enclosing-quadtree", quadrille::casts::<::quadrille::structures::EnclosingQuadtree>),
    ours("quadtree", quadrille::casts::<::quadrille::structures::Quadtree>),
    rival("parry2d", parry::casts),
    rival("obvhs", obvhs::two),
    rival("obvhs cwbvh", obvhs::eight),
];

pub const CHURN: &[Entry<dyn Churn>] = &[
    ours("frame-tree", quadrille::churn::<::quadrille::FrameTree>),
    ours("loose-grid", quadrille::churn::<::quadrille::structures::LooseGrid>),
    ours("grid", quadrille::churn::<::quadrille::structures::Grid>),
    ours("loose-quadtree", quadrille::churn::<::quadrille::structures::LooseQuadtree>),
    ours("quadtree", quadrille::churn::<::quadrille::structures::Quadtree>),
    rival("parry2d", parry::churn),
    rival("box2d", box2d::churn),
    rival("rstar", rstar::churn),
];

pub const STEPS: &[Entry<dyn Lists>] = &[
    ours("frame-tree", quadrille::lists::<::quadrille::FrameTree>),
    ours("loose-grid", quadrille::lists::<::quadrille::structures::LooseGrid>),
    rival("parry2d refit", parry::lists),
];

/// What takes part where most boxes never move.
pub const WALLS: &[Entry<dyn Events>] = &[
    ours("space of loose-grid", quadrille::walls::<::quadrille::structures::LooseGrid>),
    ours("space of frame-tree", quadrille::walls::<::quadrille::FrameTree>),
    // Without the walls: a lower bound.
    Entry {
        touching: false,
        ..ours("space without walls", |boxes| {
            quadrille::events::<::quadrille::FrameTree>(&boxes[..movers(boxes.len())])
        })
    },
    rival("parry2d pairs kept", parry::events),
];

pub const EVENTS: &[Entry<dyn Events>] = &[
    ours("space of loose-grid", quadrille::events::<::quadrille::structures::LooseGrid>),
    ours("space of loose-quadtree", quadrille::events::<::quadrille::structures::LooseQuadtree>),
    ours("space of frame-tree", quadrille::events::<::quadrille::FrameTree>),
    rival("parry2d pairs kept", parry::events),
    // Finds the pairs of fat boxes of which one has changed, and reports neither beginnings nor ends: a lower bound.
    Entry { touching: false, ..rival("parry2d traversal", parry::traversal) },
];

pub const BULLETS: &[Entry<dyn Bullets>] = &[
    ours("space", quadrille::bullets_at_once),
    ours("space one by one", quadrille::bullets_one_by_one),
    ours("space by key", quadrille::bullets_by_key),
    rival("grid by hand", hand_bullets::bullets),
];

/// Those that have no part in joining alone: one keeps no index, and one differs by how it has come about.
pub const SETS_IN_FRAMES: [&str; 2] = ["frame-tree at once", "frame-tree kept"];

pub const SETS: &[Entry<dyn Sets>] = &[
    ours("frame-tree", quadrille::sets::<::quadrille::FrameTree>),
    ours(SETS_IN_FRAMES[0], quadrille::sets_at_once),
    ours(SETS_IN_FRAMES[1], quadrille::sets_kept),
    ours("loose-grid", quadrille::sets::<::quadrille::structures::LooseGrid>),
    ours("quadtree", quadrille::sets::<::quadrille::structures::Quadtree>),
    rival("geo-index", geo_index::sets),
    rival("geo-index one by one", geo_index::sets_one_by_one),
    rival("rstar", rstar::sets),
    rival("rstar one by one", rstar::sets_one_by_one),
    rival("static_aabb2d_index", static_aabb2d::sets),
    Entry { touching: false, ..rival("broccoli", broccoli::sets) },
];

pub const APART: &[Entry<dyn Apart>] = &[
    ours("frame-tree", quadrille::apart::<::quadrille::FrameTree>),
    ours("loose-grid", quadrille::apart::<::quadrille::structures::LooseGrid>),
    ours("frame-tree grown by hand", quadrille::grown::<::quadrille::FrameTree>),
    rival("grid by hand", hand_grid::apart),
    rival("rstar", rstar::apart),
];

pub const SINGLES: &[Entry<dyn Singles>] = &[
    ours("frame-tree", quadrille::singles::<::quadrille::FrameTree>),
    ours("loose-grid", quadrille::singles::<::quadrille::structures::LooseGrid>),
    ours("grid", quadrille::singles::<::quadrille::structures::Grid>),
    ours("loose-quadtree", quadrille::singles::<::quadrille::structures::LooseQuadtree>),
    ours("enclosing-quadtree", quadrille::singles::<::quadrille::structures::EnclosingQuadtree>),
    ours("quadtree", quadrille::singles::<::quadrille::structures::Quadtree>),
    rival("box2d", box2d::singles),
    rival("rstar", rstar::singles),
];

/// The one that knows which boxes are bullets, and so has a part in their pairs alone.
pub const LAYERED_APART: &str = "frame-tree as two sets";

pub const LAYERED: &[Entry<dyn Layered>] = &[
    ours("frame-tree", quadrille::at_once),
    ours(LAYERED_APART, quadrille::as_two_sets),
    ours("frame-tree one by one", quadrille::one_by_one),
    Entry { touching: false, ..ours("frame-tree without layers", quadrille::without) },
];

/// Are two boxes within a distance? In `f64`, where gaps and squares of such numbers are as good as exact.
fn are_near(one: &Aabb, other: &Aabb, distance: f32) -> bool {
    let gap = |axis: usize| {
        let gap = |low: &Aabb, high: &Aabb| f64::from(high.min[axis]) - f64::from(low.max[axis]);
        gap(one, other).max(gap(other, one)).max(0.0)
    };
    let (x, y, distance) = (gap(0), gap(1), f64::from(distance));
    x * x + y * y <= distance * distance
}

/// Reports each pair of a box and an overlapping one with a higher number, by asking about every box in turn.
fn ask_for_each(boxes: &[Aabb], mut ask: impl FnMut(u32, &Aabb)) {
    for (id, bounds) in (0..).zip(boxes) {
        ask(id, bounds);
    }
}

/// Two sets of which only the smaller is built, and asked for each box of the larger one.
struct OneBuilt<T, B, A> {
    larger: Vec<Aabb>,
    is_first_larger: bool,
    smaller: Option<T>,
    build: B,
    ask: A,
}

impl<T, B: FnMut(&[Aabb]) -> T, A: FnMut(&T, &Aabb, &mut dyn FnMut(u32))> OneBuilt<T, B, A> {
    fn new(build: B, ask: A) -> Self {
        Self { larger: Vec::new(), is_first_larger: false, smaller: None, build, ask }
    }
}

impl<T, B: FnMut(&[Aabb]) -> T, A: FnMut(&T, &Aabb, &mut dyn FnMut(u32))> Sets for OneBuilt<T, B, A> {
    fn build(&mut self, [one, other]: [&[Aabb]; 2]) {
        self.is_first_larger = one.len() >= other.len();
        let (larger, smaller) = if self.is_first_larger { (one, other) } else { (other, one) };
        self.larger = larger.to_vec();
        self.smaller = Some((self.build)(smaller));
    }

    fn join(&mut self, pairs: &mut Tally) {
        let tree = self.smaller.as_ref().expect("built before");
        ask_for_each(&self.larger, |asking, asked| {
            (self.ask)(tree, asked, &mut |found| {
                let (a, b) = if self.is_first_larger { (asking, found) } else { (found, asking) };
                pairs.across(a, b);
            });
        });
    }
}
