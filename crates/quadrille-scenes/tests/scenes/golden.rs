//! One number a scene for every pair in every frame: the same for all structures, in debug and in release, on every
//! machine.
//!
//! A number that changes means that a scene is another one (then its frames in `scenes.rs` change as well) or that a
//! structure loses, invents or repeats a pair (then the structures differ, and the message says which).

use quadrille::structures::{AnyStructure, Periodic, PeriodicOptions, StructureKind};
use quadrille::{
    Agreement, Answers, ConvexPolygon, Distance, Events, Filtered, Handle, Index, Layers, Near, OnLayers, Overlaps,
    Space, Sweep,
};
use quadrille_scenes::{Fnv1a, Scene, SceneKind};

const BOXES: usize = 600;
const STEPS: usize = 60;

/// The sorted pairs of each frame, and how many there are, hashed one after the other.
fn hash_of_pairs(scene: SceneKind, structure: StructureKind) -> u64 {
    let mut scene = Scene::new(scene, BOXES, 1);
    let boxes: Vec<_> = scene.boxes().collect();
    let mut index = Index::<AnyStructure>::with_boxes(structure.into(), &boxes).expect("scenes have valid boxes");
    let mut hash = Fnv1a::default();
    let mut pairs = Vec::new();
    for _ in 0..STEPS {
        scene.step();
        for (id, bounds) in (0..).zip(scene.boxes()) {
            assert!(index.update(id, bounds).is_ok());
        }
        index.maintain();
        pairs.clear();
        pairs.extend(index.pairs());
        pairs.sort_unstable();
        hash.add_bits(u32::try_from(pairs.len()).expect("few boxes"));
        pairs.iter().flat_map(|&(a, b)| [a, b]).for_each(|id| hash.add_bits(id));
    }
    hash.finish()
}

/// Events of each frame, the five nearest of some places with their distances, the first three on some ways with their
/// times, and the answers to many queries, hashed one after the other. Only the last are sorted first: all others
/// have one order for all structures.
fn hash_of_answers(scene: SceneKind, structure: StructureKind) -> u64 {
    let mut scene = Scene::new(scene, BOXES, 1);
    let mut space = Space::<(), AnyStructure>::with_items(structure.into(), scene.boxes().map(|bounds| (bounds, ())))
        .expect("scenes have valid boxes");
    let handles: Vec<_> = space.iter().map(|(handle, ())| handle).collect();
    let (mut events, mut answers) = (Events::default(), Answers::new());
    let (mut nearest, mut hit) = (Vec::new(), Vec::new());
    let mut hash = Fnv1a::default();
    for _ in 0..STEPS {
        scene.step();
        let boxes: Vec<_> = scene.boxes().collect();
        for (&handle, &bounds) in handles.iter().zip(&boxes) {
            space.update(handle, bounds).expect("scenes have valid boxes");
        }
        space.maintain();
        space.step_events(&mut events);
        for (a, b) in events.begin.iter().chain(&events.end) {
            [a, b].into_iter().for_each(|handle| hash.add_bits(handle.id()));
        }
        let places: Vec<_> = boxes.iter().step_by(40).copied().collect();
        for (one, next) in places.iter().zip(&places[1..]) {
            space.query_first_few(Near::point(one.max), 5, &mut nearest);
            space.query_first_few(Sweep::segment(one.min, next.max), 3, &mut hit);
            let ranks = nearest.iter().map(|hit| (hit.id, hit.rank.squared()));
            let ranks = ranks.chain(hit.iter().map(|hit| (hit.id, hit.rank.time())));
            for (handle, rank) in ranks {
                let bits = rank.to_bits();
                [handle.id(), bits as u32, (bits >> 32) as u32].into_iter().for_each(|word| hash.add_bits(word));
            }
        }
        let queries: Vec<_> = places.iter().map(|place| Overlaps(place.with_margin(3.0))).collect();
        space.query_many(&queries, &mut answers);
        for found in answers.iter() {
            let mut ids: Vec<u32> = found.iter().copied().map(Handle::id).collect();
            ids.sort_unstable();
            ids.into_iter().for_each(|id| hash.add_bits(id));
        }
    }
    hash.finish()
}

/// Builds with assertions run one structure, that their numbers are those of release builds; `.ci/run golden` is one, and runs all.
const RUN: &[StructureKind] = if cfg!(debug_assertions) { &[StructureKind::FrameTree] } else { StructureKind::ALL };

/// One line of `golden` for each scene, and every structure that is run gives the hash in it.
fn all_agree(golden: [(SceneKind, u64); 8], hash: fn(SceneKind, StructureKind) -> u64) {
    for structure in RUN {
        let found: Vec<_> = SceneKind::ALL.iter().map(|&scene| (scene, hash(scene, *structure))).collect();
        assert_eq!(found, golden, "{structure}: {found:#018x?}");
    }
}

/// The two boxes that are nearest to each other, of those whose layers meet; of several such pairs the first.
fn nearest_pair(index: &Index<Periodic<AnyStructure>>) -> Option<(u32, u32)> {
    let mut best: Option<(Distance, (u32, u32))> = None;
    for (a, bounds) in index.iter() {
        // A little more, because the distance is rounded here.
        let limit = best.map_or(f64::INFINITY, |(distance, _)| distance.to_f64() * 1.000_001);
        let later = Filtered(Near::aabb(bounds).within(limit), move |b| a < b);
        let layers = index.layers(a)?;
        let nearest = index.query_first(OnLayers::with_agreement(later, layers, Agreement::Both));
        let is_better = |distance| best.is_none_or(|(least, _)| distance < least);
        best = nearest.filter(|hit| is_better(hit.rank)).map(|hit| (hit.rank, (a, hit.id))).or(best);
    }
    best.map(|(_, pair)| pair)
}

/// In a world that wraps, with boxes on three layers: the pairs of every tenth frame, what is in a triangle, the two
/// that are nearest to each other, and who meets whom on the way, hashed one after the other.
fn hash_across_seams(scene: SceneKind, structure: StructureKind) -> u64 {
    let mut scene = Scene::new(scene, BOXES, 1);
    let (world, structure) = (scene.world(), structure.into());
    let options = PeriodicOptions::new(world).with_structure(structure);
    let mut index = Index::<Periodic<AnyStructure>>::new(options).expect("scenes have worlds with an area");
    scene.boxes().for_each(|bounds| assert!(index.insert(bounds).is_ok(), "no box is larger than the world"));
    for id in 0..BOXES as u32 {
        let layers = Layers { own: 1 << (id % 3), mask: [0b111, 0b011, 0b110][id as usize % 3] };
        assert_eq!(index.set_layers(id, layers), Ok(Layers::ALL));
    }
    let [width, height] = world.size();
    let motions: Vec<_> =
        (0..BOXES).map(|id| [width / 64.0 * (id % 5) as f32, height / 64.0 * (id % 7) as f32]).collect();
    let mut hash = Fnv1a::default();
    let mut impacts = Vec::new();
    for _ in 0..STEPS / 10 {
        (0..10).for_each(|_| scene.step());
        let boxes: Vec<_> = scene.boxes().collect();
        index.update_all(&boxes).expect("scenes have valid boxes");
        let mut pairs: Vec<_> = index.pairs().collect();
        pairs.sort_unstable();
        let middle = world.center();
        let corners = [middle, [middle[0] + width, middle[1]], [middle[0], middle[1] + height / 2.0]];
        let triangle = ConvexPolygon::new(&corners).expect("a triangle");
        let mut within: Vec<_> = index.query(&triangle).collect();
        within.sort_unstable();
        let nearest = nearest_pair(&index).expect("there are many boxes");
        index.impacts(|id| motions[id as usize], &mut impacts).expect("motions are short");
        let pairs = pairs.into_iter().chain([nearest]);
        let ids = pairs.chain(impacts.iter().map(|impact| (impact.a, impact.b))).flat_map(|(a, b)| [a, b]);
        ids.chain(within).for_each(|id| hash.add_bits(id));
    }
    hash.finish()
}

#[test]
fn layers_polygons_and_impacts_in_worlds_that_wrap_are_the_same_for_every_structure_everywhere() {
    let golden = [
        (SceneKind::Uniform, 0xb4e1_deea_a082_fa5c),
        (SceneKind::Mixed, 0x25fb_cfc5_11b9_bf35),
        (SceneKind::Clustered, 0x0941_df14_fb9b_b9e6),
        (SceneKind::Still, 0xd75f_bac2_3e17_7759),
        (SceneKind::Pile, 0x53f1_36fe_9d4a_69cf),
        (SceneKind::FpsUniform, 0xa6a3_eb14_a36b_a105),
        (SceneKind::FpsSphere, 0x139d_567d_c7b3_11b3),
        (SceneKind::FpsSkewed, 0x7573_64d5_20e9_cbea),
    ];
    all_agree(golden, hash_across_seams);
}

#[test]
fn sixty_steps_of_events_and_ordered_answers_are_the_same_for_every_structure_everywhere() {
    let golden = [
        (SceneKind::Uniform, 0xca04_fcf9_996c_a33d),
        (SceneKind::Mixed, 0xdb0c_3cfa_a877_bb5b),
        (SceneKind::Clustered, 0x9812_d003_3855_89a7),
        (SceneKind::Still, 0x99e9_b8d6_7708_83df),
        (SceneKind::Pile, 0x3519_6909_5d07_3a68),
        (SceneKind::FpsUniform, 0x6968_26cb_e357_4349),
        (SceneKind::FpsSphere, 0x8bdd_e9d2_a18a_19f0),
        (SceneKind::FpsSkewed, 0x525e_ba23_b848_a3d1),
    ];
    all_agree(golden, hash_of_answers);
}

#[test]
fn sixty_steps_of_pairs_are_the_same_for_every_structure_everywhere() {
    let golden = [
        (SceneKind::Uniform, 0xf176_9b82_3091_391d),
        (SceneKind::Mixed, 0xd9fb_d766_7625_75bc),
        (SceneKind::Clustered, 0x3293_ad18_e23a_f6d9),
        (SceneKind::Still, 0x2abf_ad3d_dfa9_8997),
        (SceneKind::Pile, 0x561e_1d6b_342c_3fa4),
        (SceneKind::FpsUniform, 0x8d34_5444_a1d4_0704),
        (SceneKind::FpsSphere, 0x9702_4186_b3a4_720e),
        (SceneKind::FpsSkewed, 0xd886_ccce_125e_c275),
    ];
    all_agree(golden, hash_of_pairs);
}
