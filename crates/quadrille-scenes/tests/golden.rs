//! One number a scene for every pair in every frame: the same for all structures, in debug and in release, on every machine.
//!
//! A number that changes means that a scene is another one (then its frames in `scenes.rs` change as well) or that a structure
//! loses, invents or repeats a pair (then the structures differ, and the message says which).

use quadrille::{AnyStructure, Index, StructureKind};
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
