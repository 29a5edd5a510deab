//! One number a scene for every pair in every frame: the same for all structures, in debug and in release, on every machine.
//!
//! A number that changes means that a scene is another one (then its frames in `scenes.rs` change as well) or that a structure
//! loses, invents or repeats a pair (then the structures differ, and the message says which).

use quadrille::{Answers, AnyStructure, Events, Handle, Index, Margin, Near, Overlaps, Space, StructureKind, Sweep};
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

/// Events of each frame, the five nearest of some places with their distances, the first three on some ways with their times, and the
/// answers to many questions, hashed one after the other. Only the last are sorted first: all others have one order for all structures.
fn hash_of_answers(scene: SceneKind, structure: StructureKind) -> u64 {
    let mut scene = Scene::new(scene, BOXES, 1);
    let mut space = Space::<(), AnyStructure>::with_items(structure.into(), scene.boxes().map(|bounds| (bounds, ())))
        .expect("scenes have valid boxes");
    space.set_margin(Margin::Relative(0.25));
    let handles: Vec<_> = space.iter().map(|(handle, ())| handle).collect();
    let (mut events, mut answers) = (Events::default(), Answers::new());
    let (mut nearest, mut hit) = (Vec::new(), Vec::new());
    let mut hash = Fnv1a::default();
    for _ in 0..STEPS {
        scene.step();
        let boxes: Vec<_> = scene.boxes().collect();
        let moves: Vec<_> = handles.iter().copied().zip(boxes.iter().copied()).collect();
        space.update_batch(&moves).expect("scenes have valid boxes");
        space.maintain();
        space.step_events(&mut events);
        for (a, b) in events.begin.iter().chain(&events.end) {
            [a, b].into_iter().for_each(|handle| hash.add_bits(handle.id()));
        }
        let places: Vec<_> = boxes.iter().step_by(40).copied().collect();
        for (one, next) in places.iter().zip(&places[1..]) {
            space.query_first_into(Near::point(one.max), 5, &mut nearest);
            space.query_first_into(Sweep::segment(one.min, next.max), 3, &mut hit);
            let ranks = nearest.iter().map(|hit| (hit.id, hit.rank.squared()));
            let ranks = ranks.chain(hit.iter().map(|hit| (hit.id, hit.rank.time())));
            for (handle, rank) in ranks {
                let bits = rank.to_bits();
                [handle.id(), bits as u32, (bits >> 32) as u32].into_iter().for_each(|word| hash.add_bits(word));
            }
        }
        let questions: Vec<_> = places.iter().map(|place| Overlaps(place.with_margin(3.0))).collect();
        space.query_many(&questions, &mut answers);
        for found in answers.iter() {
            let mut ids: Vec<u32> = found.iter().copied().map(Handle::id).collect();
            ids.sort_unstable();
            ids.into_iter().for_each(|id| hash.add_bits(id));
        }
    }
    hash.finish()
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
    let found: Vec<_> =
        SceneKind::ALL.iter().map(|&scene| (scene, hash_of_answers(scene, StructureKind::BruteForce))).collect();
    assert_eq!(found, golden, "by brute force: {found:#018x?}");
    for (scene, expected) in golden {
        for &structure in StructureKind::ALL {
            assert_eq!(hash_of_answers(scene, structure), expected, "{scene} with {structure}");
        }
    }
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
    assert!(golden.iter().map(|(scene, _)| scene).eq(SceneKind::ALL), "one line for each scene");
    let found = SceneKind::ALL.iter().map(|&scene| (scene, hash_of_pairs(scene, StructureKind::BruteForce)));
    let found: Vec<_> = found.collect();
    assert_eq!(found, golden, "by brute force: {found:#018x?}");
    for (scene, expected) in golden {
        for &structure in StructureKind::ALL {
            assert_eq!(hash_of_pairs(scene, structure), expected, "{scene} with {structure}");
        }
    }
}
