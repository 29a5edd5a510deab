//! Index and Space as collections: whole frames with births and deaths, things changed two at once, std's
//! traits.

use quadrille::structures::{Periodic, PeriodicOptions, Quadtree, StructureKind};
use quadrille::{Aabb, Events, Handle, Index, Layers, Near, Overlaps, Space, Structure};

use crate::erased::ranked;
use crate::tested::{KINDS, Tested, options};

struct Random(fastrand::Rng);

impl Random {
    fn new(seed: u64) -> Self {
        Self(fastrand::Rng::with_seed(seed))
    }

    fn below(&mut self, limit: u32) -> u32 {
        self.0.u32(..limit)
    }

    fn bounds(&mut self) -> Aabb {
        let [x, y] = [self.below(400), self.below(400)].map(|at| at as f32 / 4.0);
        Aabb::new([x, y], [x + self.below(12) as f32 / 4.0, y + self.below(12) as f32 / 4.0])
    }

    fn boxes(&mut self, count: u32) -> Vec<Aabb> {
        (0..count).map(|_| self.bounds()).collect()
    }
}

fn sorted<T: Ord>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut items: Vec<T> = items.into_iter().collect();
    items.sort_unstable();
    items
}

fn overlapping(boxes: &[Aabb]) -> Vec<(u32, u32)> {
    let ids = 0..boxes.len() as u32;
    let pairs = ids.clone().flat_map(|a| (a + 1..ids.end).map(move |b| (a, b)));
    pairs.filter(|&(a, b)| boxes[a as usize].intersects(&boxes[b as usize])).collect()
}

#[test]
fn a_frame_with_births_and_deaths_is_exactly_the_slice() {
    let mut random = Random::new(7);
    for &kind in KINDS {
        let mut index = Index::<Tested>::new(options(kind)).unwrap();
        for (frame, count) in [300, 310, 290, 290, 0, 40, 3, 300, 150, 151].into_iter().enumerate() {
            let boxes = random.boxes(count);
            index.set_all(&boxes).unwrap();
            index.validate().unwrap();
            assert!(index.iter().eq((0..).zip(boxes.iter().copied())), "{kind} {frame}");
            assert_eq!(sorted(index.pairs()), overlapping(&boxes), "{kind} {frame}");
            // Holes anywhere, and ids beyond.
            for _ in 0..5 {
                index.remove(random.below(300));
                index.insert(random.bounds()).unwrap();
                index.remove(random.below(300));
            }
            if frame == 3 {
                let id = index.iter().next().unwrap().0;
                index.set_layers(id, Layers::ALL).unwrap();
            }
        }
        let before: Vec<_> = index.iter().collect();
        let error = index.set_all(&[Aabb::EVERYTHING]).unwrap_err();
        assert_eq!(error.position(), Some(0));
        assert!(index.iter().eq(before), "nothing has changed");
    }
    let world = Aabb::new([0.0, 0.0], [100.0, 100.0]);
    let options = PeriodicOptions::new(world).with_structure(options(StructureKind::FrameTree));
    let mut torus = Index::<Periodic<Tested>>::new(options).unwrap();
    for count in [50, 80, 20, 21] {
        let boxes = random.boxes(count);
        torus.set_all(&boxes).unwrap();
        torus.validate().unwrap();
        assert!(torus.iter().eq((0..).zip(boxes)));
    }
}

#[test]
fn a_frame_of_a_space_skips_free_ids() {
    frames_skip_free_ids::<Tested>(&options(StructureKind::Quadtree));
    frames_skip_free_ids::<Tested>(&options(StructureKind::FrameTree));
    let world = PeriodicOptions::new(Aabb::new([0.0, 0.0], [128.0, 128.0]));
    frames_skip_free_ids::<Periodic<Tested>>(&world.with_structure(options(StructureKind::LooseGrid)));
}

fn frames_skip_free_ids<I: Structure<Scalar = f32, Options: std::fmt::Debug>>(options: &I::Options) {
    let mut random = Random::new(11);
    let first: Vec<(Aabb, u32)> = (0..120).map(|n| (random.bounds(), n)).collect();
    let mut space = Space::<u32, I>::with_items(options.clone(), first).expect("valid boxes");
    let mut twin = space.clone();
    for round in 0..6 {
        let gone: Vec<Handle> = space.iter().map(|(handle, _)| handle).filter(|_| random.below(9) == 0).collect();
        for handle in gone {
            assert_eq!(space.remove(handle), twin.remove(handle));
        }
        let mut boxes = random.boxes(120);
        let handles: Vec<Handle> = space.iter().map(|(handle, _)| handle).collect();
        for handle in &handles {
            twin.update(*handle, boxes[handle.id() as usize]).expect("sound");
        }
        let nan = Aabb { min: [f32::NAN; 2], max: [0.0; 2] };
        let is_free = |id: usize| handles.iter().all(|handle| handle.id() as usize != id);
        (0..120).filter(|&id| is_free(id)).for_each(|id| boxes[id] = nan);
        space.update_all(&boxes).expect("sound");
        space.validate().expect("sound");
        for &handle in &handles {
            assert_eq!(space.bounds(handle), twin.bounds(handle), "{options:?} round {round}");
        }
        let names = |space: &Space<u32, I>| sorted(space.pairs().map(|((a, _), (b, _))| (a, b)));
        assert_eq!(names(&space), names(&twin), "{options:?} round {round}");
        let [mut events, mut other] = [Events::default(), Events::default()];
        space.step_events(&mut events);
        twin.step_events(&mut other);
        assert_eq!(events, other, "{options:?} round {round}");
    }
}

#[test]
fn several_things_are_changed_at_once() {
    let mut space: Space<u32> = (0..10).map(|n| (Aabb::from_point([n as f32, 0.0]), n)).collect();
    let handles: Vec<Handle> = space.iter().map(|(handle, _)| handle).collect();
    let [a, b, c] = space.get_disjoint_mut([handles[7], handles[2], handles[5]]).unwrap();
    (*a, *b, *c) = (*b, *c, *a);
    assert_eq!([space[handles[7]], space[handles[2]], space[handles[5]]], [2, 5, 7]);
    assert!(space.get_disjoint_mut([handles[1], handles[3], handles[1]]).is_none());
    assert_eq!(space.get_disjoint_mut([]), Some([]));
    space.remove(handles[3]);
    assert!(space.get_disjoint_mut([handles[1], handles[3]]).is_none(), "a stale handle");

    let mut space = Space::<Vec<u32>>::default();
    let mut random = Random::new(3);
    let boxes = random.boxes(80);
    space.extend(boxes.iter().map(|&bounds| (bounds, vec![])));
    space.pairs_mut(|(a, others_of_a), (b, others_of_b)| {
        others_of_a.push(b.id());
        others_of_b.push(a.id());
    });
    let met = overlapping(&boxes);
    for (handle, others) in &space {
        let id = handle.id();
        let partner = |&(a, b): &(u32, u32)| if a == id { Some(b) } else { (b == id).then_some(a) };
        assert_eq!(sorted(others.iter().copied()), sorted(met.iter().filter_map(partner)));
    }
    let near = Near::point((50.0, 50.0)).within(20.0);
    space.query_mut(near, |_, others| others.push(1000));
    for (handle, others) in &space {
        assert_eq!(others.contains(&1000), near.distance(&boxes[handle.id() as usize]).is_some());
    }
}

#[test]
fn queries_are_restricted_by_things() {
    let mut random = Random::new(5);
    let boxes = random.boxes(200);
    let kind = StructureKind::FrameTree;
    let space = Space::<u32, Tested>::with_items(options(kind), boxes.iter().copied().zip(0..)).unwrap();
    let near = Near::point([50.0, 50.0]);
    let even = space.filtered(near, |(_, n)| n % 2 == 0);
    let even = ranked(&even);
    let nearest: Vec<u32> = space.query_in_order(even).take(5).map(|hit| *hit.thing).collect();
    let all = space.query_in_order(ranked(&near)).map(|hit| *hit.thing);
    assert!(all.filter(|n| n % 2 == 0).take(5).eq(nearest.iter().copied()));
    let mut expected: Vec<u32> = (0..200).step_by(2).collect();
    let distance = |n: u32| near.distance(&boxes[n as usize]);
    expected.sort_by(|&a, &b| distance(a).partial_cmp(&distance(b)).unwrap());
    assert_eq!(nearest, expected[..5]);
    assert_eq!(space.query_first(even).map(|hit| *hit.thing), Some(expected[0]));
    assert_eq!(space.query_count(even), 100);
}

#[test]
fn collections_are_collections() {
    let mut random = Random::new(9);
    let boxes = random.boxes(50);
    let mut index: Index<Quadtree> = boxes.iter().copied().collect();
    index.extend([boxes[0]]);
    assert_eq!(index.iter().len(), 51);
    let in_west = Overlaps(Aabb::new([0.0, 0.0], [50.0, 200.0]));
    index.retain(|id, bounds| id % 2 == 0 && bounds.min[0] > 50.0);
    assert!(index.query_count(in_west) == 0 && !index.is_empty());
    assert!(index.iter().all(|(id, bounds)| id % 2 == 0 && bounds.min[0] > 50.0));
    index.validate().unwrap();
    let kept: Vec<(u32, Aabb)> = index.iter().collect();
    assert!(index.into_iter().eq(kept));

    let mut space: Space<usize> = boxes.iter().copied().zip(0..).collect();
    let mut events = Events::default();
    space.step_events(&mut events);
    let met = events.begin.len();
    let third = space.iter().nth(3).unwrap().0;
    space.retain(|_, n| *n != 3);
    assert_eq!((space.len(), space.iter().len(), space.get(third)), (49, 49, None));
    for (_, n) in &mut space {
        *n += 1000;
    }
    let copy = space.clone();
    let drained: Vec<(Aabb, usize)> = copy.clone().into_iter().collect();
    assert_eq!(drained.len(), space.len());
    space.clear();
    assert!(drained.iter().all(|&(bounds, n)| boxes[n - 1000] == bounds));
    let entries = copy.entries().map(|(handle, bounds, &n)| (handle, bounds, n)).collect::<Vec<_>>();
    assert!(entries.iter().all(|&(handle, bounds, n)| copy.bounds(handle) == Some(bounds) && copy[handle] == n));
    assert!(copy.iter().map(|(_, &n)| n).eq(drained.iter().map(|&(_, n)| n)));
    space.step_events(&mut events);
    assert_eq!(events.end.len(), met, "everything has ended");
    space.validate().unwrap();
}
