//! `parry2d::partitioning::Bvh`, used as the broad phase of Rapier uses it: leaves are updated without their ancestors,
//! one refit brings those to date and puts nodes in depth-first order, and a few subtrees are rebuilt in every frame.
//! No margin: pairs must be exact.

use hashbrown::HashMap;
use parry2d::bounding_volume::Aabb as Bounds;
use parry2d::math::{Real, Vector};
use parry2d::partitioning::{Bvh, BvhBuildStrategy, BvhLeafUpdateStatus, BvhWorkspace};
use parry2d::query::{Ray, RayCast};
use quadrille::Aabb;
use rayon::ThreadPool;

use super::{Agents, Cast, Casts, Events, Frames, Lists, Search, two_threads, wake};
use crate::tally::Tally;

pub struct Parry {
    bvh: Bvh,
    workspace: BvhWorkspace,
}

pub struct Refit(pub Parry);
pub struct Rebuild(pub Parry);

/// Refitted, then queried with each box.
pub struct Asked(pub Refit);

fn bounds(aabb: &Aabb) -> Bounds {
    Bounds::new(Vector::from(aabb.min), Vector::from(aabb.max))
}

pub fn new(boxes: &[Aabb]) -> Parry {
    let leaves: Vec<Bounds> = boxes.iter().map(bounds).collect();
    Parry { bvh: Bvh::from_leaves(BvhBuildStrategy::default(), &leaves), workspace: BvhWorkspace::default() }
}

impl Parry {
    fn update(&mut self, boxes: &[Aabb]) {
        for (id, aabb) in (0..).zip(boxes) {
            self.bvh.insert_or_update_partially(bounds(aabb), id, 0.0);
        }
    }

    pub fn pairs(&mut self, pairs: &mut Tally) {
        self.bvh.traverse_bvtt_single_tree::<false>(&mut self.workspace, &mut |a, b| pairs.pair(a, b));
    }
}

impl Refit {
    fn follow(&mut self, boxes: &[Aabb]) {
        self.0.update(boxes);
        self.0.bvh.refit(&mut self.0.workspace);
        self.0.bvh.optimize_incremental(&mut self.0.workspace);
    }
}

impl Frames for Refit {
    fn frame(&mut self, boxes: &[Aabb], pairs: &mut Tally) {
        self.follow(boxes);
        self.0.pairs(pairs);
    }
}

impl Agents for Asked {
    fn moves(&mut self, boxes: &[Aabb]) {
        self.0.follow(boxes);
    }

    fn asks(&mut self, boxes: &[Aabb], pairs: &mut Tally) {
        self.0.0.pairs_by_queries(boxes, pairs);
    }
}

impl Lists for Refit {
    fn list(&mut self, boxes: &[Aabb], pairs: &mut Vec<(u32, u32)>) {
        self.follow(boxes);
        let Parry { bvh, workspace } = &mut self.0;
        bvh.traverse_bvtt_single_tree::<false>(workspace, &mut |a, b| pairs.push((a.min(b), a.max(b))));
    }
}

impl Frames for Rebuild {
    fn frame(&mut self, boxes: &[Aabb], pairs: &mut Tally) {
        self.0.update(boxes);
        self.0.bvh.rebuild(&mut self.0.workspace, BvhBuildStrategy::default());
        self.0.pairs(pairs);
    }
}

/// Refitted by two threads, which `parry2d` offers for updates, refitting and pairs.
pub struct Shared {
    parry: Parry,
    pool: ThreadPool,
    updates: Vec<(Bounds, u32, Real)>,
    statuses: Vec<BvhLeafUpdateStatus>,
}

impl Shared {
    pub fn new(boxes: &[Aabb]) -> Self {
        Self { parry: new(boxes), pool: two_threads(), updates: Vec::new(), statuses: Vec::new() }
    }
}

impl Frames for Shared {
    fn get_ready(&mut self) {
        wake(&self.pool);
    }

    fn frame(&mut self, boxes: &[Aabb], pairs: &mut Tally) {
        let Self { parry: Parry { bvh, workspace }, pool, updates, statuses } = self;
        updates.clear();
        updates.extend((0..).zip(boxes).map(|(id, aabb)| (bounds(aabb), id, 0.0)));
        let found = pool.install(|| {
            bvh.insert_or_update_batch_partially_parallel(updates, statuses);
            bvh.refit_parallel(workspace);
            bvh.optimize_incremental(workspace);
            bvh.traverse_bvtt_single_tree_parallel::<false>()
        });
        found.into_iter().for_each(|(a, b)| pairs.pair(a, b));
    }
}

/// With the boxes, which the hierarchy hands out by number only.
pub struct Cases(Parry, Vec<Bounds>);

impl Cases {
    pub fn new(boxes: &[Aabb]) -> Self {
        Self(new(boxes), boxes.iter().map(bounds).collect())
    }
}

impl Casts for Cases {
    fn first(&self, cast: &Cast) -> Option<f64> {
        let Self(Parry { bvh, .. }, boxes) = self;
        let ray = |origin: [f32; 2], motion: [f32; 2]| Ray::new(Vector::from(origin), Vector::from(motion));
        let first = |ray: Ray, end: f32| {
            bvh.cast_ray(&ray, end, |at, best| boxes[at as usize].cast_local_ray(&ray, best, true))
        };
        let hit = match *cast {
            Cast::Ray { origin, direction } => first(ray(origin, direction), f32::MAX),
            Cast::Segment { from, to } => first(ray(from, [to[0] - from[0], to[1] - from[1]]), 1.0),
            // A moving box against a box is its middle against the other box grown by half of it.
            Cast::Swept { start, motion } => {
                let (ray, half) = (ray(start.center(), motion), Vector::from(start.size().map(|side| side / 2.0)));
                let grown = |aabb: &Bounds| Bounds::new(aabb.mins - half, aabb.maxs + half);
                bvh.find_best(
                    1.0,
                    |node, best| grown(&node.aabb()).cast_local_ray(&ray, best, true).unwrap_or(f32::MAX),
                    |at, best| grown(&boxes[at as usize]).cast_local_ray(&ray, best, true),
                )
            }
        };
        hit.map(|(_, time)| f64::from(time))
    }
}

impl Search for Parry {
    fn search(&self, asked: &Aabb, found: impl FnMut(u32)) {
        self.bvh.intersect_aabb(&bounds(asked)).for_each(found);
    }
}

/// Pairs of fat boxes are kept from frame to frame, as the broad phase of Rapier does it, and whether the boxes
/// themselves overlap.
pub struct Changes {
    parry: Parry,
    boxes: Vec<Aabb>,
    pairs: HashMap<(u32, u32), bool>,
    margin: f32,
}

/// The traversal alone, without keeping anything.
pub struct Traversal(pub Changes);

impl Changes {
    pub fn new(boxes: &[Aabb]) -> Self {
        let mut widths: Vec<f32> = boxes.iter().map(|aabb| aabb.size()[0]).collect();
        let (_, &mut width, _) = widths.select_nth_unstable_by(boxes.len() / 2, f32::total_cmp);
        let (parry, boxes) = (new(boxes), boxes.to_vec());
        let mut this = Self { parry, boxes, pairs: HashMap::new(), margin: width / 10.0 };
        for (id, aabb) in (0..).zip(&this.boxes) {
            this.parry.bvh.insert_or_update_partially(bounds(&aabb.with_margin(this.margin)), id, 0.0);
        }
        this.parry.bvh.refit(&mut this.parry.workspace);
        let Self { parry: Parry { bvh, workspace }, pairs, boxes, .. } = &mut this;
        bvh.traverse_bvtt_single_tree::<false>(workspace, &mut |a, b| {
            let key = (a.min(b), a.max(b));
            pairs.insert(key, boxes[a as usize].intersects(&boxes[b as usize]));
        });
        this
    }

    fn update(&mut self, changes: &[(u32, Aabb)]) {
        for &(id, aabb) in changes {
            self.boxes[id as usize] = aabb;
            self.parry.bvh.insert_or_update_partially(bounds(&aabb), id, self.margin);
        }
        // In this order: what is rebuilt before the refit keeps its marks of change.
        self.parry.bvh.optimize_incremental(&mut self.parry.workspace);
        self.parry.bvh.refit(&mut self.parry.workspace);
    }
}

impl Events for Changes {
    fn frame(&mut self, changes: &[(u32, Aabb)], [begin, end]: &mut [Tally; 2]) {
        self.update(changes);
        let Self { parry: Parry { bvh, workspace }, boxes, pairs, .. } = self;
        bvh.traverse_bvtt_single_tree::<true>(workspace, &mut |a, b| {
            pairs.entry((a.min(b), a.max(b))).or_insert(false);
        });
        pairs.retain(|&(a, b), touched| {
            let touch = boxes[a as usize].intersects(&boxes[b as usize]);
            if touch != *touched {
                (if touch { &mut *begin } else { &mut *end }).pair(a, b);
                *touched = touch;
            }
            let node = |id: u32| bvh.leaf_node(id).expect("no box is removed");
            touch || node(a).intersects(node(b))
        });
    }
}

impl Events for Traversal {
    fn frame(&mut self, changes: &[(u32, Aabb)], [found, _]: &mut [Tally; 2]) {
        self.0.update(changes);
        let Parry { bvh, workspace } = &mut self.0.parry;
        bvh.traverse_bvtt_single_tree::<true>(workspace, &mut |a, b| found.pair(a, b));
    }
}
