//! Events on ids, against all pairs of a plain list; whole frames in a world that wraps.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeSet;

use quadrille::structures::{BruteForce, Periodic, PeriodicOptions, StructureKind};
use quadrille::{Aabb, Agreement, BoxOptions, ErrorKind, Events, Index, Inside, Layers, Mobility, Overlaps, Structure};

use crate::erased::asked;
use crate::tested::{KINDS, Tested, options};

/// A box with all that goes with it.
#[derive(Clone, Copy)]
struct Body {
    bounds: Aabb,
    layers: Layers,
    mobility: Mobility,
}

/// What an index should know, written down plainly.
#[derive(Default)]
struct Plain {
    bodies: Vec<Option<Body>>,
    last: BTreeSet<(u32, u32)>,
    ended: Vec<(u32, u32)>,
}

impl Plain {
    fn ids(&self) -> Vec<u32> {
        (0..).zip(&self.bodies).filter(|(_, body)| body.is_some()).map(|(id, _)| id).collect()
    }

    fn put(&mut self, id: u32, body: Body) {
        let places = self.bodies.len().max(id as usize + 1);
        self.bodies.resize(places, None);
        self.bodies[id as usize] = Some(body);
    }

    fn remove(&mut self, id: u32) {
        self.bodies[id as usize] = None;
        let (gone, stay) = self.last.iter().partition(|&&(a, b)| a == id || b == id);
        self.last = stay;
        self.ended.extend::<BTreeSet<(u32, u32)>>(gone);
    }

    fn contacts(&self) -> BTreeSet<(u32, u32)> {
        let meets = |a: &Body, b: &Body| {
            let is_moving = [a, b].iter().any(|body| body.mobility == Mobility::Moving);
            is_moving && a.layers.meets(b.layers, Agreement::Both) && a.bounds.intersects(&b.bounds)
        };
        let body = |id: u32| self.bodies[id as usize].as_ref().expect("it is in use");
        let ids = self.ids();
        let pairs = ids.iter().flat_map(|&a| ids.iter().filter(move |&&b| a < b).map(move |&b| (a, b)));
        pairs.filter(|&(a, b)| meets(body(a), body(b))).collect()
    }

    fn step(&mut self) -> Events<u32> {
        let now = self.contacts();
        let mut events = Events::default();
        events.begin.extend(now.difference(&self.last));
        events.end.append(&mut self.ended);
        events.end.extend(self.last.difference(&now));
        events.end.sort_unstable();
        self.last = now;
        events
    }
}

struct Random(fastrand::Rng);

impl Random {
    /// A whole number below `end`.
    fn below(&mut self, end: u32) -> u32 {
        self.0.u32(..end)
    }

    fn bounds(&mut self) -> Aabb {
        let [x, y, width, height] = [60, 60, 9, 9].map(|end| self.below(end) as f32 / 2.0);
        Aabb::new([x, y], [x + width, y + height])
    }

    fn body(&mut self) -> Body {
        let layers = if self.below(3) == 0 { Layers::new(1 << self.below(3), self.below(8)) } else { Layers::ALL };
        let mobility = if self.below(4) == 0 { Mobility::Fixed } else { Mobility::Moving };
        Body { bounds: self.bounds(), layers, mobility }
    }

    fn id(&mut self, plain: &Plain) -> Option<u32> {
        let ids = plain.ids();
        (!ids.is_empty()).then(|| ids[self.below(ids.len() as u32) as usize])
    }
}

/// One call, to both.
fn act<I: Structure<Scalar = f32>>(random: &mut Random, all: &mut Index<I>, plain: &mut Plain) {
    match random.below(11) {
        0..3 => {
            let body = random.body();
            let options = BoxOptions::new().with_layers(body.layers).with_mobility(body.mobility);
            plain.put(all.insert_with(body.bounds, options).unwrap(), body);
        }
        3 => {
            let Some(id) = random.id(plain) else { return };
            assert_eq!(all.remove(id), plain.bodies[id as usize].map(|body| body.bounds));
            assert_eq!(all.remove(id), None);
            plain.remove(id);
        }
        4..7 => {
            let (Some(id), bounds) = (random.id(plain), random.bounds()) else { return };
            let body = plain.bodies[id as usize].as_mut().unwrap();
            assert_eq!(all.update(id, bounds), Ok(std::mem::replace(&mut body.bounds, bounds)));
        }
        7 => {
            let count = random.below(30);
            let boxes: Vec<Aabb> = (0..count).map(|_| random.bounds()).collect();
            all.set_all(&boxes).unwrap();
            let gone = plain.ids().into_iter().filter(|&id| id >= count);
            gone.for_each(|id| plain.remove(id));
            plain.bodies.resize(boxes.len(), None);
            for (body, bounds) in plain.bodies.iter_mut().zip(boxes) {
                let old = body.unwrap_or(Body { bounds, layers: Layers::ALL, mobility: Mobility::Moving });
                *body = Some(Body { bounds, ..old });
            }
        }
        8 => {
            let places = plain.bodies.len();
            let (boxes, layers): (Vec<_>, Vec<_>) =
                (0..places).map(|_| random.body()).map(|body| (body.bounds, body.layers)).unzip();
            let with_layers = random.below(2) == 0;
            all.update_all(&boxes).unwrap();
            if with_layers {
                let changes: Vec<_> = plain.ids().into_iter().map(|id| (id, layers[id as usize])).collect();
                all.set_layers_batch(&changes).unwrap();
            }
            for (k, body) in plain.bodies.iter_mut().enumerate() {
                let new = |old: &Body| Body {
                    bounds: boxes[k],
                    layers: if with_layers { layers[k] } else { old.layers },
                    ..*old
                };
                *body = body.as_ref().map(new);
            }
        }
        9 => {
            let (Some(id), Body { layers, mobility, .. }) = (random.id(plain), random.body()) else { return };
            let body = plain.bodies[id as usize].as_mut().unwrap();
            assert_eq!(all.set_layers(id, layers), Ok(body.layers));
            assert_eq!(all.set_mobility(id, mobility), Ok(()));
            (body.layers, body.mobility) = (layers, mobility);
        }
        _ => all.maintain(),
    }
}

fn agrees<I: Structure<Scalar = f32>>(all: &Index<I>, plain: &Plain) {
    all.validate().unwrap();
    let bodies = (0..).zip(&plain.bodies).filter_map(|(id, body)| Some((id, (*body)?)));
    assert!(all.iter().eq(bodies.clone().map(|(id, body)| (id, body.bounds))));
    assert!(bodies.clone().all(|(id, body)| all.layers(id) == Some(body.layers)));
    assert!(bodies.clone().all(|(id, body)| all.mobility(id) == Some(body.mobility)));
    let place = Aabb::new([5.0, 5.0], [18.0, 18.0]);
    let mut found: Vec<u32> = all.query(asked(&Overlaps(place))).collect();
    found.sort_unstable();
    assert!(found.into_iter().eq(bodies.filter(|(_, body)| body.bounds.intersects(&place)).map(|(id, _)| id)));
}

#[test]
fn events_on_ids_are_the_differences_of_all_pairs() {
    for (kind, seed) in KINDS.iter().flat_map(|&kind| (0..8).map(move |seed| (kind, seed))) {
        let mut random = Random(fastrand::Rng::with_seed(seed));
        let mut all = Index::<Tested>::new(options(kind)).unwrap();
        let (mut plain, mut events) = (Plain::default(), Events::default());
        for _ in 0..60 {
            for _ in 0..=random.below(6) {
                act(&mut random, &mut all, &mut plain);
            }
            agrees(&all, &plain);
            let before = plain.last.clone();
            all.step_events(&mut events);
            assert_eq!(events, plain.step(), "{kind} {seed}");
            assert_eq!(all.contacts().collect::<BTreeSet<_>>(), plain.last);
            assert_eq!(
                all.staying().collect::<BTreeSet<_>>(),
                plain.last.intersection(&before).copied().collect::<BTreeSet<_>>()
            );
        }
        all.clear();
        plain.ids().into_iter().for_each(|id| plain.remove(id));
        all.step_events(&mut events);
        assert_eq!(events, plain.step());
    }
}

/// A heap in which everything meets a giant and dozens of others: what a walk over all pairs finds comes in another
/// order after every jump, and rows of contacts grow and shrink.
#[test]
fn events_of_a_heap_are_the_differences_of_all_pairs() {
    const BOXES: u32 = 100;
    for (kind, seed) in KINDS.iter().flat_map(|&kind| (0..3).map(move |seed| (kind, seed))) {
        let mut random = Random(fastrand::Rng::with_seed(seed));
        let mut all = Index::<Tested>::new(options(kind)).unwrap();
        let (mut plain, mut events) = (Plain::default(), Events::default());
        for id in 0..BOXES {
            let body = Body { bounds: random.bounds(), layers: Layers::ALL, mobility: Mobility::Moving };
            plain.put(id, body);
            all.insert(body.bounds).unwrap();
        }
        let giant = random.below(BOXES);
        for frame in 0..40 {
            // From equal boxes to boxes that rarely meet, and how far those jump that do.
            let (spread, jump) = ([0, 12, 40, 120][random.below(4) as usize], [1, 4, 40][random.below(3) as usize]);
            let boxes: Vec<Aabb> = plain
                .bodies
                .iter()
                .enumerate()
                .map(|(id, body)| {
                    let mut step = |range: u32| random.below(2 * range + 1) as f32 / 4.0 - range as f32 / 4.0;
                    let [x, y] = match body {
                        Some(body) if frame % 4 != 0 => body.bounds.min.map(|at| at + step(jump)),
                        _ => [step(spread), step(spread)],
                    };
                    let side = if id as u32 == giant { 90.0 } else { 4.0 };
                    Aabb::new([x, y], [x + side, y + side])
                })
                .collect();
            match random.below(4) {
                0 => {
                    for id in plain.ids().into_iter().step_by(random.below(20) as usize + 1) {
                        all.update(id, boxes[id as usize]).unwrap();
                        plain.bodies[id as usize].as_mut().unwrap().bounds = boxes[id as usize];
                    }
                }
                1 => {
                    let id = random.id(&plain).unwrap();
                    all.remove(id).unwrap();
                    plain.remove(id);
                    let bounds = boxes[(id as usize + 1) % boxes.len()];
                    let body = Body { bounds, layers: Layers::ALL, mobility: Mobility::Moving };
                    plain.put(all.insert(bounds).unwrap(), body);
                }
                _ => {
                    all.update_all(&boxes).unwrap();
                    plain
                        .bodies
                        .iter_mut()
                        .zip(boxes)
                        .for_each(|(body, bounds)| body.as_mut().unwrap().bounds = bounds);
                }
            }
            all.step_events(&mut events);
            assert_eq!(events, plain.step(), "{kind} {seed}, frame {frame}");
            assert!(all.contacts().is_sorted_by_key(|(low, _)| low));
            assert_eq!(all.contacts().collect::<BTreeSet<_>>(), plain.last);
            assert_eq!(all.contacts().count(), plain.last.len(), "each once");
            all.validate().unwrap();
        }
    }
}

/// Whole frames take boxes that lie anywhere, and bring them home.
#[test]
fn whole_frames_go_around_the_world() {
    fn check(kind: StructureKind) {
        let world = Aabb::new([0.0, 0.0], [30.0, 30.0]);
        let options = PeriodicOptions::new(world).with_structure(options(kind));
        let mut all = Index::<Periodic<Tested>>::new(options).unwrap();
        let mut one_by_one = Index::<Periodic<BruteForce>>::new(PeriodicOptions::new(world)).unwrap();
        let mut random = Random(fastrand::Rng::with_seed(3));
        let [mut events, mut expected] = [Events::default(), Events::default()];
        for frame in 0..20 {
            let count = 20 + random.below(9);
            let boxes: Vec<Aabb> = (0..count).map(|_| random.bounds().with_offset([-15.0, 45.0])).collect();
            all.set_all(&boxes).unwrap();
            // The last freed is the first given out again.
            for id in (count..one_by_one.len() as u32).rev() {
                one_by_one.remove(id);
            }
            for (id, &bounds) in (0..).zip(&boxes) {
                if one_by_one.update(id, bounds).is_err() {
                    assert_eq!(one_by_one.insert(bounds), Ok(id));
                }
            }
            let moved: Vec<Aabb> = boxes.iter().map(|bounds| bounds.with_offset([0.5, -0.25])).collect();
            if frame % 2 == 0 {
                all.update_all(&moved).unwrap();
                for (id, &bounds) in (0..).zip(&moved) {
                    one_by_one.update(id, bounds).unwrap();
                }
            }
            all.validate().unwrap();
            assert!(all.iter().eq(one_by_one.iter()));
            all.step_events(&mut events);
            one_by_one.step_events(&mut expected);
            assert_eq!(events, expected);
        }
    }
    [StructureKind::FrameTree, StructureKind::Grid, StructureKind::LooseQuadtree].into_iter().for_each(check);
}

/// Two boxes leave the places where they touched, directly or across a seam, and no box is near there any more.
#[test]
fn contacts_end_where_nothing_is_left_in_a_world_that_wraps() {
    let place = |x: f32, y: f32| Aabb::from_center([x, y], [1.0, 1.0]);
    for [one, other] in [[place(5.0, 5.0), place(6.0, 6.0)], [place(98.5, 1.5), place(0.5, 99.5)]] {
        let options = PeriodicOptions::new(Aabb::new([0.0; 2], [100.0; 2]));
        let crowd = (0..40_u8).map(|k| Aabb::from_point([40.0 + f32::from(k) / 4.0, 50.0]));
        let boxes: Vec<Aabb> = [one, other].into_iter().chain(crowd).collect();
        let mut all = Index::<Periodic<BruteForce>>::with_boxes(options, &boxes).unwrap();
        let mut events = Events::default();
        all.step_events(&mut events);
        assert!(events.begin.contains(&(0, 1)));
        all.update(0, place(40.0, 60.0)).unwrap();
        all.update(1, place(50.0, 60.0)).unwrap();
        all.maintain();
        all.step_events(&mut events);
        assert_eq!(events.end, [(0, 1)]);
        all.validate().unwrap();
    }
}

#[test]
fn ids_that_are_free_are_refused_and_nothing_has_changed() {
    let here = Aabb::new([0.0, 0.0], [1.0, 1.0]);
    let mut all = Index::<Tested>::with_boxes(options(StructureKind::Quadtree), &[here; 3]).unwrap();
    assert_eq!(all.remove(1), Some(here));
    let errors = [
        all.update(1, here).map(drop),
        all.set_layers(1, Layers::NONE).map(drop),
        all.set_layers_batch(&[(0, Layers::NONE), (1, Layers::NONE)]),
        all.set_mobility(1, Mobility::Fixed),
        all.update_all(&[here; 4]),
    ];
    assert_eq!(errors.map(|error| error.unwrap_err().kind()), [ErrorKind::UnknownId; 5]);
    assert_eq!(all.update_all(&[here; 2]).unwrap_err().kind(), ErrorKind::MissingBox);
    let bad = Aabb { min: [0.0, 2.0], max: [1.0, 1.0] };
    let error = all.set_all(&[here, bad]).unwrap_err();
    assert_eq!((error.kind(), error.position()), (ErrorKind::InvalidBounds, Some(1)));
    assert_eq!((all.len(), all.get(1), all.mobility(1)), (2, None, None));
    assert!(all.layers(0) == Some(Layers::ALL) && all.query_count(asked(&Inside(here))) == 2);
    all.validate().unwrap();
}
