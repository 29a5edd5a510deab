//! Lives of a broad phase: every mixture of changes, from one box to all of them, with boxes that leave in every frame;
//! and after each step the events are the difference of the pairs that brute force finds.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::{BTreeMap, BTreeSet};

use quadrille::structures::{Periodic, PeriodicOptions, StructureKind};
use quadrille::{Aabb, Agreement, BoxOptions, Events, FrameTree, Index, Layers, Mobility, Structure};

use crate::tested::{KINDS, Tested, options};

#[derive(Clone, Copy)]
struct Body {
    bounds: Aabb,
    layers: Layers,
    mobility: Mobility,
}

/// The boxes now, and the pairs at the last step.
#[derive(Default)]
struct Plain {
    bodies: BTreeMap<u32, Body>,
    agreement: Agreement,
    /// The side of a world that wraps.
    wraps: Option<f32>,
    last: BTreeSet<(u32, u32)>,
    ended: BTreeSet<(u32, u32)>,
}

impl Plain {
    fn remove(&mut self, id: u32) {
        self.bodies.remove(&id);
        let ends = |&(a, b): &(u32, u32)| a == id || b == id;
        let gone: Vec<_> = self.last.iter().copied().filter(ends).collect();
        gone.iter().for_each(|pair| assert!(self.last.remove(pair)));
        self.ended.extend(gone);
    }

    fn touch(&self, one: Aabb, other: Aabb) -> bool {
        let Some(side) = self.wraps else { return one.intersects(&other) };
        let offsets = (-2..=2).flat_map(|x: i8| (-2..=2).map(move |y: i8| [x, y].map(|times| f32::from(times) * side)));
        offsets.into_iter().any(|offset| one.intersects(&other.with_offset(offset)))
    }

    fn pairs(&self) -> BTreeSet<(u32, u32)> {
        let bodies: Vec<_> = self.bodies.iter().collect();
        let meet = |one: &Body, other: &Body| {
            (one.mobility == Mobility::Moving || other.mobility == Mobility::Moving)
                && self.touch(one.bounds, other.bounds)
                && one.layers.meets(other.layers, self.agreement)
        };
        let pairs = (0..bodies.len()).flat_map(|a| (a + 1..bodies.len()).map(move |b| (a, b)));
        pairs.filter(|&(a, b)| meet(bodies[a].1, bodies[b].1)).map(|(a, b)| (*bodies[a].0, *bodies[b].0)).collect()
    }

    fn step(&mut self) -> Events<u32> {
        let now = self.pairs();
        let mut events = Events::default();
        events.begin.extend(now.difference(&self.last));
        self.ended.extend(self.last.difference(&now));
        events.end.extend(std::mem::take(&mut self.ended));
        self.last = now;
        events
    }
}

/// What a life draws from.
struct Draw {
    random: fastrand::Rng,
    /// Boxes lie below this.
    world: u32,
    /// One in this many is large.
    large: u32,
    fixed: u32,
    layers: bool,
}

impl Draw {
    fn below(&mut self, end: u32) -> u32 {
        self.random.u32(..end)
    }

    fn bounds(&mut self) -> Aabb {
        let [x, y, width, height] = [self.world, self.world, 9, 9].map(|end| self.below(end) as f32 / 2.0);
        let large = if self.below(self.large) == 0 { 30.0 } else { 0.0 };
        Aabb::new([x, y], [x + width + large, y + height + large])
    }

    fn body(&mut self) -> Body {
        let some = self.layers && self.below(3) == 0;
        let layers = if some { Layers::new(1 << self.below(3), self.below(8)) } else { Layers::ALL };
        let is_fixed = self.below(100) < self.fixed;
        Body { bounds: self.bounds(), layers, mobility: if is_fixed { Mobility::Fixed } else { Mobility::Moving } }
    }

    fn id(&mut self, plain: &Plain) -> Option<u32> {
        let ids = plain.bodies.len() as u32;
        (ids > 0).then(|| *plain.bodies.keys().nth(self.below(ids) as usize).unwrap())
    }

    /// The same box, a little or far away.
    fn moved(&mut self, bounds: Aabb) -> Aabb {
        if self.below(8) == 0 {
            return self.bounds();
        }
        let [x, y] = [0, 0].map(|_: u32| self.below(9) as f32 / 4.0 - 1.0);
        bounds.with_offset([x, y])
    }
}

fn insert<I: Structure<Scalar = f32>>(draw: &mut Draw, all: &mut Index<I>, plain: &mut Plain) {
    let body = draw.body();
    let options = BoxOptions::new().with_layers(body.layers).with_mobility(body.mobility);
    plain.bodies.insert(all.insert_with(body.bounds, options).unwrap(), body);
}

fn remove<I: Structure<Scalar = f32>>(draw: &mut Draw, all: &mut Index<I>, plain: &mut Plain) {
    let Some(id) = draw.id(plain) else { return };
    assert_eq!(all.remove(id).is_some(), plain.bodies.contains_key(&id));
    plain.remove(id);
}

/// A share of the boxes moves, one by one or in a batch, perhaps one of them twice.
fn update_some<I: Structure<Scalar = f32>>(draw: &mut Draw, all: &mut Index<I>, plain: &mut Plain, one_in: u32) {
    let ids = plain.bodies.keys().copied().filter(|_| draw.below(one_in) == 0);
    let mut ids: Vec<u32> = ids.collect();
    if draw.random.bool() {
        draw.random.shuffle(&mut ids);
        ids.extend(ids.first().copied());
    }
    let mut changes = Vec::new();
    for id in ids {
        let body = plain.bodies.get_mut(&id).unwrap();
        body.bounds = draw.moved(body.bounds);
        changes.push((id, body.bounds));
    }
    if draw.random.bool() {
        return all.update_batch(&changes).unwrap();
    }
    for (id, bounds) in changes {
        all.update(id, bounds).unwrap();
    }
}

/// One call, or several of one kind.
fn act<I: Structure<Scalar = f32>>(draw: &mut Draw, all: &mut Index<I>, plain: &mut Plain) {
    match draw.below(15) {
        0 | 1 => (0..=draw.below(8)).for_each(|_| insert(draw, all, plain)),
        2 | 3 => (0..=draw.below(4)).for_each(|_| remove(draw, all, plain)),
        4..8 => {
            let one_in = [1, 3, 10, 40, 200][draw.below(5) as usize];
            update_some(draw, all, plain, one_in);
        }
        8 | 9 => {
            // A frame in which all move, or few.
            let one_in = [1, 1, 30][draw.below(3) as usize];
            let slots = plain.bodies.last_key_value().map_or(0, |(id, _)| id + 1);
            let mut boxes = vec![Aabb::EMPTY; slots as usize];
            for (&id, body) in &mut plain.bodies {
                if draw.below(one_in) == 0 {
                    body.bounds = draw.moved(body.bounds);
                }
                boxes[id as usize] = body.bounds;
            }
            all.update_all(&boxes).unwrap();
        }
        10 => {
            let count = plain.bodies.len() as u32;
            let count = [count, count / 2, count + 9, count.saturating_sub(1), 0][draw.below(5) as usize];
            let boxes: Vec<Aabb> = (0..count).map(|_| draw.bounds()).collect();
            all.set_all(&boxes).unwrap();
            let gone: Vec<u32> = plain.bodies.range(count..).map(|(&id, _)| id).collect();
            gone.into_iter().for_each(|id| plain.remove(id));
            for (id, bounds) in (0..).zip(boxes) {
                let new = Body { bounds, layers: Layers::ALL, mobility: Mobility::Moving };
                plain.bodies.entry(id).or_insert(new).bounds = bounds;
            }
        }
        11 => {
            let (Some(id), Body { layers, mobility, .. }) = (draw.id(plain), draw.body()) else { return };
            let body = plain.bodies.get_mut(&id).unwrap();
            if draw.layers {
                assert_eq!(all.set_layers(id, layers), Ok(std::mem::replace(&mut body.layers, layers)));
            }
            assert_eq!(all.set_mobility(id, mobility), Ok(()));
            body.mobility = mobility;
        }
        12 if draw.layers => {
            let changes: Vec<_> = plain.bodies.keys().copied().filter(|_| draw.random.bool()).collect();
            let changes: Vec<_> = changes.into_iter().map(|id| (id, draw.body().layers)).collect();
            all.set_layers_batch(&changes).unwrap();
            changes.iter().for_each(|&(id, layers)| plain.bodies.get_mut(&id).unwrap().layers = layers);
            if draw.below(4) == 0 {
                plain.agreement = if draw.random.bool() { Agreement::Both } else { Agreement::Either };
                all.set_agreement(plain.agreement);
            }
        }
        13 if draw.below(12) == 0 => {
            all.clear();
            let ids: Vec<u32> = plain.bodies.keys().copied().collect();
            ids.into_iter().for_each(|id| plain.remove(id));
        }
        _ => all.maintain(),
    }
}

/// `again` may put another one in the place of the index.
fn live<I: Structure<Scalar = f32>>(
    seed: u64,
    [boxes, steps]: [u32; 2],
    wraps: Option<f32>,
    options: I::Options,
    mut again: impl FnMut(&mut Draw, &mut Index<I>),
) {
    let mut random = fastrand::Rng::with_seed(seed);
    let draw = |random: &mut fastrand::Rng, of: &[u32]| of[random.usize(..of.len())];
    let mut draw = Draw {
        world: draw(&mut random, &[10, 60, 300]),
        large: draw(&mut random, &[20, 1000]),
        fixed: draw(&mut random, &[0, 0, 20, 90]),
        layers: random.u32(..3) == 0,
        random,
    };
    let mut all = Index::<I>::new(options).unwrap();
    let (mut plain, mut events) = (Plain { wraps, ..Plain::default() }, Events::default());
    (0..boxes).for_each(|_| insert(&mut draw, &mut all, &mut plain));
    let leave = draw.below(3);
    for step in 0..steps {
        for _ in 0..draw.below(5) {
            act(&mut draw, &mut all, &mut plain);
        }
        // In some lives, boxes come and go in every frame.
        (0..leave).for_each(|_| remove(&mut draw, &mut all, &mut plain));
        (0..leave).for_each(|_| insert(&mut draw, &mut all, &mut plain));
        all.validate().unwrap();
        again(&mut draw, &mut all);
        assert!(all.contacts().eq(plain.last.iter().copied()), "seed {seed}, contacts before step {step}");
        let before = plain.last.clone();
        all.step_events(&mut events);
        assert_eq!(events, plain.step(), "seed {seed}, step {step}");
        assert!(all.contacts().eq(plain.last.iter().copied()), "seed {seed}, contacts after step {step}");
        assert!(all.staying().eq(plain.last.intersection(&before).copied()), "seed {seed}, step {step}");
        all.validate().unwrap();
    }
}

#[test]
fn events_of_frame_trees() {
    for seed in 0..60 {
        let boxes = [0, 15, 60, 200, 500][seed as usize % 5];
        live::<FrameTree>(seed, [boxes, 40], None, (), |_, _| ());
    }
}

#[test]
fn events_of_every_structure() {
    for (kind, seed) in KINDS.iter().flat_map(|&kind| (100..110).map(move |seed| (kind, seed))) {
        live::<Tested>(seed, [[10, 80, 300][seed as usize % 3], 25], None, options(kind), |_, _| ());
    }
}

#[test]
#[cfg(feature = "snapshot")]
fn what_is_restored_lives_the_same_life() {
    for seed in 200..230 {
        let boxes = [10, 80, 300][seed as usize % 3];
        live::<Tested>(seed, [boxes, 25], None, options(StructureKind::FrameTree), |draw, all| {
            let bytes = all.to_bytes().unwrap();
            let restored = Index::from_bytes(&bytes).unwrap();
            assert!(Index::<Tested>::to_bytes(&restored).unwrap() == bytes);
            if draw.random.bool() {
                *all = restored;
            }
        });
    }
}

#[test]
fn events_in_a_world_that_wraps() {
    const SIDE: f32 = 200.0;
    for (kind, seed) in [StructureKind::FrameTree, StructureKind::Grid]
        .into_iter()
        .flat_map(|kind| (300..306).map(move |seed| (kind, seed)))
    {
        let options = PeriodicOptions::new(Aabb::new([0.0; 2], [SIDE; 2])).with_structure(options(kind));
        live::<Periodic<Tested>>(seed, [120, 25], Some(SIDE), options, |_, _| ());
    }
}
