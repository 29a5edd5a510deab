//! Index, Space and Keyed as collections: whole frames with births and deaths, things changed two at once, std's
//! traits.

use quadrille::{
    Aabb, AnyStructure, At, ErrorKind, Events, Handle, Index, Inside, Keyed, Layers, Margin, Near, Overlaps, Periodic,
    PeriodicOptions, Quadtree, Space, Structure, StructureKind,
};

use crate::erased::{asked, ranked};

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
    for &kind in StructureKind::ALL {
        let mut index = Index::<AnyStructure>::new(kind.into()).unwrap();
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
    let options = PeriodicOptions::new(world).with_structure(StructureKind::FrameTree.into());
    let mut torus = Index::<Periodic<AnyStructure>>::new(options).unwrap();
    for count in [50, 80, 20, 21] {
        let boxes = random.boxes(count);
        torus.set_all(&boxes).unwrap();
        torus.validate().unwrap();
        assert!(torus.iter().eq((0..).zip(boxes)));
    }
}

#[test]
fn a_frame_of_a_space_skips_free_ids_with_margins_and_without() {
    frames_skip_free_ids::<AnyStructure>(&StructureKind::Quadtree.into());
    frames_skip_free_ids::<AnyStructure>(&StructureKind::FrameTree.into());
    let options = PeriodicOptions::new(Aabb::new([0.0, 0.0], [128.0, 128.0]));
    frames_skip_free_ids::<Periodic<AnyStructure>>(&options.with_structure(StructureKind::LooseGrid.into()));
}

fn frames_skip_free_ids<I: Structure<Scalar = f32, Options: std::fmt::Debug>>(options: &I::Options) {
    for margin in [Margin::None, Margin::Absolute(1.0), Margin::Stretched { margin: 0.5, steps: 3.0 }] {
        let mut random = Random::new(11);
        let first: Vec<(Aabb, u32)> = (0..120).map(|n| (random.bounds(), n)).collect();
        let mut space = Space::<u32, I>::with_items(options.clone(), first).expect("valid boxes");
        let mut twin = space.clone();
        for round in 0..6 {
            if round == 1 {
                space.set_margin(margin);
                twin.set_margin(margin);
            }
            if round == 4 {
                space.set_margin(Margin::None);
                twin.set_margin(Margin::None);
            }
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
                assert_eq!(space.bounds(handle), twin.bounds(handle), "{options:?} {margin:?} round {round}");
            }
            let names = |space: &Space<u32, I>| sorted(space.pairs().map(|((a, _), (b, _))| (a, b)));
            assert_eq!(names(&space), names(&twin), "{options:?} {margin:?} round {round}");
            let [mut events, mut other] = [Events::default(), Events::default()];
            space.step_events(&mut events);
            twin.step_events(&mut other);
            assert_eq!(events, other, "{options:?} {margin:?} round {round}");
        }
        let is_fat = space.index().iter().any(|(id, fat)| {
            let handle = space.iter().map(|(handle, _)| handle).find(|handle| handle.id() == id);
            handle.and_then(|handle| space.bounds(handle)) != Some(fat)
        });
        assert!(!is_fat, "without margins a frame leaves no fat box");
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
    space.set_margin(Margin::Absolute(3.0));
    boxes.iter().zip(space.iter().map(|(handle, _)| handle).collect::<Vec<_>>()).for_each(|(&bounds, handle)| {
        space.update(handle, bounds).unwrap();
    });
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
fn queries_are_restricted_by_things_and_keys() {
    let mut random = Random::new(5);
    let boxes = random.boxes(200);
    let kind = StructureKind::FrameTree;
    let space = Space::<u32, AnyStructure>::with_items(kind.into(), boxes.iter().copied().zip(0..)).unwrap();
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

    let mut keyed = Keyed::<u32, AnyStructure>::new(kind.into()).unwrap();
    keyed.extend(boxes.iter().zip(0..).map(|(&bounds, n)| (1000 - n, bounds)));
    let even = keyed.filtered(near, |key| key % 2 == 0);
    assert_eq!(keyed.query_first(ranked(&even)).map(|hit| hit.id), Some(1000 - expected[0]));
}

#[test]
fn ties_of_keys_break_by_key() {
    let mut keyed = Keyed::<u32, AnyStructure>::new(StructureKind::FrameTree.into()).unwrap();
    let near = Near::point([0.0, 0.0]);
    for key in [9, 5, 3] {
        keyed.set(key, Aabb::new([1.0, 1.0], [2.0, 2.0])).unwrap();
    }
    assert_eq!(keyed.query_in_order(ranked(&near)).map(|hit| hit.id).collect::<Vec<_>>(), [3, 5, 9]);
    let mut hits = Vec::new();
    keyed.query_first_few(ranked(&near), 2, &mut hits);
    assert_eq!(hits.iter().map(|hit| hit.id).collect::<Vec<_>>(), [3, 5]);
    let mut pairs: Vec<_> = keyed.pairs().collect();
    pairs.sort_unstable();
    assert_eq!(pairs, [(3, 5), (3, 9), (5, 9)]);
}

#[test]
fn events_come_by_key_also_of_keys_that_are_gone() {
    let mut keyed = Keyed::<&str>::default();
    let here = Aabb::new([0.0, 0.0], [1.0, 1.0]);
    keyed.extend([("zebra", here), ("ant", here), ("crow", here.with_offset([9.0, 0.0]))]);
    let mut events = Events::default();
    keyed.step_events(&mut events);
    assert_eq!((events.begin.clone(), events.end.clone()), (vec![("ant", "zebra")], vec![]));
    keyed.remove("zebra");
    keyed.set("crow", here).unwrap();
    keyed.step_events(&mut events);
    assert_eq!((events.begin.clone(), events.end.clone()), (vec![("ant", "crow")], vec![("ant", "zebra")]));
    assert_eq!(keyed.contacts().collect::<Vec<_>>(), [("ant", "crow")]);
    keyed.clear();
    keyed.step_events(&mut events);
    assert_eq!((events.begin.clone(), events.end.clone()), (vec![], vec![("ant", "crow")]));
    keyed.step_events(&mut events);
    assert_eq!(events, Events::default());
    keyed.validate().unwrap();
}

#[test]
fn keys_are_asked_in_all_forms() {
    let boxes = [[0.0, 0.0, 2.0, 2.0], [1.0, 1.0, 3.0, 3.0], [9.0, 9.0, 9.5, 9.5]].map(Aabb::from);
    let mut keyed: Keyed<char> = ['c', 'b', 'a'].into_iter().zip(boxes).collect();
    let other: Keyed<u8> = [(7, boxes[2])].into_iter().collect();
    assert_eq!(keyed.query_count(asked(&At([1.5, 1.5]))), 2);
    assert_eq!(sorted(keyed.pairs()), [('b', 'c')]);
    assert_eq!(keyed.pairs_count(), 1);
    assert_eq!(keyed.pairs_with(&other).collect::<Vec<_>>(), [('a', 7)]);
    assert_eq!(keyed.iter().map(|(key, _)| key).collect::<String>(), "abc");
    keyed.update_all(|key| Aabb::from_point([f32::from(key as u8), 0.0])).unwrap();
    assert_eq!(keyed.get('b'), Some(Aabb::from_point([98.0, 0.0])));
    keyed.set_layers_batch(&[('a', Layers::NONE), ('b', Layers::ALL)]).unwrap();
    let error = keyed.set_layers_batch(&[('b', Layers::NONE), ('x', Layers::ALL)]).unwrap_err();
    assert_eq!((error.kind(), error.position()), (ErrorKind::UnknownKey, Some(1)));
    assert_eq!(error.to_string(), "entry 1: no box has this key");
    assert_eq!((keyed.layers('a'), keyed.layers('b')), (Some(Layers::NONE), Some(Layers::ALL)));
    assert_eq!(keyed.query_count(asked(&Inside(Aabb::new([97.5, -1.0], [100.0, 1.0])))), 2);
    keyed.validate().unwrap();
}

#[test]
fn collections_are_collections() {
    let mut random = Random::new(9);
    let boxes = random.boxes(50);
    let mut index: Index<Quadtree> = boxes.iter().copied().collect();
    index.extend([boxes[0]]);
    assert_eq!(index.iter().len(), 51);
    let in_west = Overlaps(Aabb::new([0.0, 0.0], [50.0, 200.0]));
    let in_east = Overlaps(Aabb::new([50.5, 0.0], [200.0, 200.0]));
    index.retain(|id, bounds| id % 2 == 0 && bounds.min[0] > 50.0);
    assert!(index.query_count(in_west) == 0 && !index.is_empty());
    assert!(index.iter().all(|(id, bounds)| id % 2 == 0 && bounds.min[0] > 50.0));
    index.validate().unwrap();
    let kept: Vec<(u32, Aabb)> = index.iter().collect();
    assert!(index.clone().into_iter().eq(kept.iter().copied()) && index.drain().eq(kept) && index.is_empty());

    let mut keyed: Keyed<u32> = (0..).zip(boxes.iter().map(|bounds| bounds.with_margin(5.0))).collect();
    let mut met = Events::default();
    keyed.step_events(&mut met);
    let all: Vec<(u32, Aabb)> = keyed.iter().collect();
    assert!(keyed.clone().into_iter().eq(all.iter().copied()) && keyed.drain().eq(all) && keyed.is_empty());
    let mut events = Events::default();
    keyed.step_events(&mut events);
    assert!(events.begin.is_empty() && events.end == met.begin && !events.end.is_empty(), "what was drained has ended");

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
    let left = space.len();
    let copy = space.clone();
    let drained: Vec<(Aabb, usize)> = space.drain().collect();
    assert_eq!((drained.len(), space.len()), (left, 0));
    assert!(drained.iter().all(|&(bounds, n)| boxes[n - 1000] == bounds));
    let entries = copy.entries().map(|(handle, bounds, &n)| (handle, bounds, n)).collect::<Vec<_>>();
    assert!(entries.iter().all(|&(handle, bounds, n)| copy.bounds(handle) == Some(bounds) && copy[handle] == n));
    let found: Vec<_> = copy.query_entries(in_east).map(|(handle, bounds, &n)| (handle, bounds, n)).collect();
    assert!(
        sorted(found.iter().map(|entry| entry.2)) == sorted(copy.query(in_east).map(|(_, &n)| n)) && !found.is_empty()
    );
    assert!(found.iter().all(|entry| entries.contains(entry)));
    assert!(copy.into_iter().eq(drained));
    space.step_events(&mut events);
    assert_eq!(events.end.len(), met, "everything has ended");
    space.validate().unwrap();
}
