//! What the scenes promise: the same bits everywhere, nothing outside the world, and what the description of each says.

use quadrille::Index;
use quadrille::structures::BruteForce;
use quadrille_scenes::{Body, Fnv1a, Scene, SceneKind, UnknownScene};

fn after(kind: SceneKind, n: usize, steps: usize) -> Scene {
    let mut scene = Scene::new(kind, n, 1);
    (0..steps).for_each(|_| scene.step());
    scene
}

fn pairs_per_box(scene: &Scene) -> f64 {
    let boxes: Vec<_> = scene.boxes().collect();
    let index = Index::<BruteForce>::from_boxes(&boxes).expect("scenes have valid boxes");
    index.pairs_count() as f64 / boxes.len() as f64
}

fn hash(scene: &Scene) -> u64 {
    let mut hash = Fnv1a::default();
    for Body { center, half, velocity } in scene.bodies() {
        [center, half, velocity].into_iter().flatten().for_each(|value| hash.add(*value));
    }
    hash.finish()
}

fn share<T>(all: &[T], count: impl Fn(&T) -> bool) -> f64 {
    all.iter().filter(|one| count(one)).count() as f64 / all.len() as f64
}

#[test]
fn names_are_read_back() {
    for &kind in SceneKind::ALL {
        assert_eq!(kind.to_string().parse(), Ok(kind));
    }
}

#[test]
fn an_unknown_name_is_told_with_the_known_ones() {
    let error: UnknownScene = "unifrom".parse::<SceneKind>().unwrap_err();
    let message = error.to_string();
    assert!(message.contains("`unifrom`"), "{message}");
    assert!(SceneKind::ALL.iter().all(|kind| message.contains(kind.name())), "{message}");
}

#[test]
fn frames_are_the_same_bits_everywhere() {
    let golden = [
        (SceneKind::Uniform, [0x1b60_ca74_bfbc_f4f5, 0x760c_2e89_2969_dff7]),
        (SceneKind::Mixed, [0xc5fc_2052_4014_6e93, 0x7d59_1772_5385_2a28]),
        (SceneKind::Clustered, [0x9b0c_5dc0_e8b8_23a2, 0xb3e2_92cc_197b_a933]),
        (SceneKind::Still, [0x877d_e055_bb42_56c4, 0xd6d5_726e_e91d_2d06]),
        (SceneKind::Pile, [0x8552_2894_e163_4137, 0xa1cc_71d1_5599_6f95]),
        (SceneKind::FpsUniform, [0x776c_7703_9bc0_e3a9, 0x6008_f41a_eadd_7550]),
        (SceneKind::FpsSphere, [0xb4c5_3cc1_a14f_86e7, 0xf095_1f49_e2cf_4edf]),
        (SceneKind::FpsSkewed, [0xf294_7d9d_1806_7271, 0xbdd1_fc0c_45d3_f47b]),
    ];
    assert!(golden.iter().map(|(kind, _)| kind).eq(SceneKind::ALL), "one line for each scene");
    for (kind, expected) in golden {
        let found = [0, 60].map(|steps| hash(&after(kind, 500, steps)));
        assert_eq!(found, expected, "{kind}: {found:#018x?}");
    }
}

#[test]
fn another_seed_is_another_scene() {
    for &kind in SceneKind::ALL {
        assert_ne!(Scene::new(kind, 500, 1), Scene::new(kind, 500, 2), "{kind}");
    }
}

#[test]
fn zero_boxes_give_an_empty_scene_with_a_world() {
    for &kind in SceneKind::ALL {
        let scene = after(kind, 0, 3);
        assert!(scene.boxes().len() == 0, "{kind}");
        assert!(scene.world().is_valid() && scene.world().area() > 0.0, "{kind}");
    }
}

#[test]
fn nothing_leaves_the_world() {
    for &kind in SceneKind::ALL {
        for n in [1, 2, 3, 65, 500] {
            let mut scene = Scene::new(kind, n, 1);
            for step in 0..300 {
                let world = scene.world();
                for (i, Body { center, half, .. }) in scene.bodies().iter().enumerate() {
                    let inside = |axis: usize| {
                        (world.min[axis] + half[axis]..=world.max[axis] - half[axis]).contains(&center[axis])
                    };
                    assert!(inside(0) && inside(1), "{kind}: box {i} of {n} at {center:?} in step {step}");
                }
                scene.step();
            }
        }
    }
}

#[test]
fn all_boxes_move_except_in_still() {
    for &kind in SceneKind::ALL {
        let moving = share(Scene::new(kind, 2000, 1).bodies(), |body| body.velocity != [0.0; 2]);
        assert_eq!(moving, if kind == SceneKind::Still { 0.05 } else { 1.0 }, "{kind}");
    }
}

#[test]
fn pairs_grow_with_the_boxes_and_no_faster() {
    for &kind in SceneKind::ALL {
        let [few, many] = [2000, 8000].map(|n| pairs_per_box(&Scene::new(kind, n, 1)));
        // The circle's pairs per box grow as n^¼, here √2; the rest is chance.
        let most = if kind == SceneKind::FpsSphere { 1.75 } else { 1.25 };
        assert!((0.75..most).contains(&(many / few)), "{kind}: {few} pairs a box become {many}");
    }
}

#[test]
fn moving_keeps_a_scene_what_it_is() {
    for &kind in SceneKind::ALL {
        let [first, later] = [0, 300].map(|steps| pairs_per_box(&after(kind, 4000, steps)));
        assert!((0.75..1.25).contains(&(later / first)), "{kind}: {first} pairs a box become {later}");
    }
}

#[test]
fn uniform_covers_a_fifth() {
    for kind in [SceneKind::Uniform, SceneKind::Still] {
        let scene = Scene::new(kind, 1000, 1);
        let covered: f64 = scene.boxes().map(|bounds| bounds.area()).sum();
        assert!((covered / scene.world().area() - 0.2).abs() < 1e-3, "{kind}");
    }
}

#[test]
fn mixed_has_as_many_boxes_in_each_octave_and_eight_giants() {
    let scene = Scene::new(SceneKind::Mixed, 10_000, 1);
    let giants = scene.world().size()[0] / 16.0;
    for octave in 0..5 {
        let smallest = 0.5 * (1 << octave) as f32;
        let inside = share(scene.bodies(), |body| (smallest..2.0 * smallest).contains(&body.half[0]));
        assert!((inside - 0.2).abs() < 0.02, "{inside} of all in octave {octave}");
    }
    assert_eq!(scene.bodies().iter().filter(|body| body.half == [giants; 2]).count(), 8);
}

#[test]
fn clustered_fills_little_of_a_world_25_times_emptier() {
    let [scene, uniform] = [SceneKind::Clustered, SceneKind::Uniform].map(|kind| after(kind, 20_000, 60));
    assert!((scene.world().area() / uniform.world().area() - 25.0).abs() < 0.01);
    // A grid of 100 × 100: a cluster has a deviation of 0.6 of its cells, and 64 clusters of 6 × 6 cells cannot fill a
    // quarter of it.
    let mut full = [[false; 100]; 100];
    let cell = scene.world().size()[0] / 100.0;
    for body in scene.bodies() {
        let [column, row] = body.center.map(|at| (at / cell) as usize);
        full[row][column] = true;
    }
    let full = share(full.as_flattened(), |full| *full);
    assert!((0.01..0.25).contains(&full), "{full} of the cells are in use");
}

#[test]
fn heaps_of_64_stay_heaps() {
    let scene = after(SceneKind::Pile, 1280, 300);
    for heap in scene.bodies().chunks(128) {
        assert!(heap.iter().step_by(2).all(|body| body == &heap[0]), "even places are one heap");
        assert!(heap.iter().skip(1).step_by(2).all(|body| body.center != heap[0].center), "odd places are not in it");
    }
}

#[test]
fn fps_boxes_have_the_published_sizes() {
    let n = 4096;
    let largest = |kind| {
        let scene = Scene::new(kind, n, 1);
        let sides = scene.bodies().iter().map(|body| body.half.map(|half| 2.0 * half));
        sides.fold([0.0_f32; 2], |largest, side| [largest[0].max(side[0]), largest[1].max(side[1])])
    };
    // √4096 = 64 and 4096^¾ = 512; the largest of 4096 random numbers is within a hundredth of its bound.
    for (kind, bound) in [
        (SceneKind::FpsUniform, [1.0 / 64.0; 2]),
        (SceneKind::FpsSphere, [2.0 / 8.0 / 512.0; 2]),
        (SceneKind::FpsSkewed, [1.0 / 4096.0, 0.5]),
    ] {
        let found = largest(kind);
        assert!((0..2).all(|axis| (0.99 * bound[axis]..=bound[axis]).contains(&found[axis])), "{kind}: {found:?}");
    }
}

#[test]
fn the_circle_stays_a_circle() {
    for body in after(SceneKind::FpsSphere, 4000, 300).bodies() {
        let [x, y] = body.center.map(|at| f64::from(at) - 0.5);
        assert!((x.hypot(y) - 0.5).abs() < 1e-4, "{:?} is off the circle", body.center);
    }
}
