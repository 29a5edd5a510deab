//! What the motions promise: the same bits everywhere, nothing outside the world, what the description of each says,
//! and the same pairs from every structure while boxes move that way.

use quadrille::structures::{AnyStructure, BruteForce, StructureKind};
use quadrille::{Aabb, Index};
use quadrille_scenes::{Body, Fnv1a, Motion, Scene, SceneKind, UnknownMotion};

fn scene(kind: SceneKind, motion: Motion, n: usize) -> Scene {
    Scene::new(kind, n, 1).with_motion(motion)
}

fn hash(scene: &Scene) -> u64 {
    let mut hash = Fnv1a::default();
    for Body { center, half, velocity } in scene.bodies() {
        [center, half, velocity].into_iter().flatten().for_each(|value| hash.add(*value));
    }
    hash.finish()
}

/// How far each box moves in one step, in mean widths.
fn moved(scene: &mut Scene) -> Vec<f64> {
    let before = scene.bodies().to_vec();
    let width = before.iter().map(|body| 2.0 * f64::from(body.half[0])).sum::<f64>() / before.len() as f64;
    scene.step();
    let pairs = before.iter().zip(scene.bodies());
    pairs
        .map(|(old, new)| [0, 1].map(|axis| f64::from(new.center[axis] - old.center[axis]) / width))
        .map(|[x, y]| x.hypot(y))
        .collect()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

#[test]
fn names_are_read_back_and_unknown_ones_refused_with_the_known() {
    for &motion in Motion::ALL {
        assert_eq!(motion.to_string().parse(), Ok(motion));
    }
    let error: UnknownMotion = "jump".parse::<Motion>().unwrap_err();
    assert!(Motion::ALL.iter().all(|motion| error.to_string().contains(motion.name())), "{error}");
}

#[test]
fn a_scene_drifts_unless_it_is_told_otherwise() {
    let mut scenes = [Scene::new(SceneKind::Mixed, 300, 1), scene(SceneKind::Mixed, Motion::Drift, 300)];
    scenes.iter_mut().for_each(|scene| (0..50).for_each(|_| scene.step()));
    assert_eq!(scenes[0], scenes[1]);
}

#[test]
fn nothing_leaves_the_world_and_nothing_is_lost() {
    for &motion in Motion::ALL {
        for &kind in SceneKind::ALL {
            for n in [0, 1, 2, 129, 500] {
                let mut scene = scene(kind, motion, n);
                let world = scene.world();
                for step in 0..150 {
                    assert_eq!((scene.boxes().len(), scene.world()), (n, world));
                    for (i, Body { center, half, .. }) in scene.bodies().iter().enumerate() {
                        let inside = |axis: usize| {
                            let slack = (world.max[axis] - world.min[axis]) * 1e-6;
                            (world.min[axis] + half[axis] - slack..=world.max[axis] - half[axis] + slack)
                                .contains(&center[axis])
                        };
                        assert!(inside(0) && inside(1), "{kind} {motion}: box {i} of {n} at {center:?} in step {step}");
                    }
                    scene.step();
                }
            }
        }
    }
}

#[test]
fn frames_are_the_same_bits_everywhere() {
    let golden = [
        (Motion::Drift, 0x7fa2_282e_2153_6aa0),
        (Motion::Flight, 0x54c5_7754_2edc_b5c7),
        (Motion::Jumps, 0xf53d_50f3_2567_17c5),
        (Motion::Turning, 0xe360_318d_83fc_a809),
        (Motion::Breathing, 0xcd42_2b8e_8792_45ea),
        (Motion::Replacement, 0x0499_17b3_ac76_5b6a),
        (Motion::Explosion, 0x1366_ebff_f100_6dc4),
        (Motion::Lanes, 0xa510_9e69_d614_2b90),
    ];
    let found: Vec<_> = Motion::ALL
        .iter()
        .map(|&motion| {
            let mut scenes =
                [SceneKind::Uniform, SceneKind::Mixed, SceneKind::Clustered].map(|kind| scene(kind, motion, 500));
            scenes.iter_mut().for_each(|scene| (0..40).for_each(|_| scene.step()));
            (motion, scenes.iter().fold(0_u64, |all, scene| all.rotate_left(1) ^ hash(scene)))
        })
        .collect();
    assert_eq!(found, golden, "{found:#018x?}");
}

#[test]
fn each_motion_moves_boxes_as_far_as_its_line_says() {
    let n = 4000;
    let far = |motion| moved(&mut scene(SceneKind::Uniform, motion, n));
    assert!(mean(&far(Motion::Drift)) < 0.125);
    let flight = far(Motion::Flight);
    assert!(
        flight.iter().filter(|&&by| (by - 10.0).abs() < 0.01).count() > n * 8 / 10,
        "but for those that meet a wall"
    );
    // The mean distance of two random points of a square is 0.52 of its side; the world is √(n / 0.2) widths wide.
    let side = (n as f64 / 0.2).sqrt();
    assert!((mean(&far(Motion::Jumps)) / side - 0.52).abs() < 0.03);
    let replaced = far(Motion::Replacement).iter().filter(|&&by| by > 0.2).count();
    assert!((n * 9 / 100..=n / 10).contains(&replaced), "{replaced} boxes were replaced");
    let lanes = far(Motion::Lanes);
    assert!(lanes.iter().filter(|&&by| (0.49..1.51).contains(&by)).count() > n * 95 / 100);
}

#[test]
fn a_turn_is_a_rotation_by_a_third_of_a_degree() {
    let mut scene = scene(SceneKind::Uniform, Motion::Turning, 500);
    let angle = |scene: &Scene, at: usize| {
        let ([x, y], middle) = (scene.bodies()[at].center, scene.world().center());
        (
            f64::from(y - middle[1]).atan2(f64::from(x - middle[0])).to_degrees(),
            f64::from(x - middle[0]).hypot(f64::from(y - middle[1])),
        )
    };
    let before: Vec<_> = (0..500).map(|at| angle(&scene, at)).collect();
    (0..100).for_each(|_| scene.step());
    for (at, (was, distance)) in before.into_iter().enumerate().filter(|(_, (_, distance))| *distance > 10.0) {
        let (is, now) = angle(&scene, at);
        assert!(((is - was).rem_euclid(360.0) - 30.0).abs() < 0.01 && (now - distance).abs() < 1e-3, "box {at}");
    }
}

#[test]
fn a_breath_and_an_explosion_come_back() {
    for (motion, frames, times) in [(Motion::Breathing, 60, 2.0), (Motion::Explosion, 16, 8.0)] {
        let mut scene = scene(SceneKind::Uniform, motion, 1000);
        let extent = |scene: &Scene| Aabb::from_boxes(&scene.boxes().collect::<Vec<_>>()).size()[0];
        let (first, small) = (scene.clone(), extent(&scene));
        (0..frames).for_each(|_| scene.step());
        let large = extent(&scene);
        let found = if motion == Motion::Breathing { small / large } else { large / small };
        assert!((f64::from(found) / times - 1.0).abs() < 0.2, "{motion}: {small} to {large}");
        (0..frames).for_each(|_| scene.step());
        assert_eq!(scene, first, "{motion}");
    }
}

#[test]
fn lanes_run_both_ways_and_do_not_touch() {
    let scene = scene(SceneKind::Uniform, Motion::Lanes, 2000);
    let boxes: Vec<_> = scene.boxes().collect();
    let east = scene.bodies().iter().filter(|body| body.velocity[0] > 0.0).count();
    assert!((900..1100).contains(&east), "{east} of 2000 go east");
    let index = Index::<BruteForce>::from_boxes(&boxes).expect("scenes have valid boxes");
    assert!(index.pairs().all(|(a, b)| scene.bodies()[a as usize].center[1] == scene.bodies()[b as usize].center[1]));
}

#[test]
fn a_speed_is_kept_but_for_what_stands_still() {
    let mut scene = Scene::new(SceneKind::Still, 2000, 1).with_speed(3.0);
    let moving = moved(&mut scene).into_iter().filter(|&by| by > 0.0).count();
    assert_eq!(moving, 100);
}

/// Every structure finds the pairs of brute force in every frame, by single updates and by whole frames.
#[test]
fn every_structure_keeps_up_with_every_motion() {
    for (&motion, &kind) in Motion::ALL.iter().zip([SceneKind::Uniform, SceneKind::Clustered].iter().cycle()) {
        let mut scene = scene(kind, motion, 700);
        let boxes: Vec<_> = scene.boxes().collect();
        let new = |kind: StructureKind| Index::<AnyStructure>::with_boxes(kind.into(), &boxes).expect("valid boxes");
        let mut indexes: Vec<_> = StructureKind::ALL.iter().map(|&kind| [new(kind), new(kind)]).collect();
        for frame in 0..24 {
            scene.step();
            let boxes: Vec<_> = scene.boxes().collect();
            let mut expected: Option<Vec<(u32, u32)>> = None;
            for (kind, [single, whole]) in StructureKind::ALL.iter().zip(&mut indexes) {
                for (id, &bounds) in (0..).zip(&boxes) {
                    single.update(id, bounds).expect("valid boxes");
                }
                single.maintain();
                whole.update_all(&boxes).expect("valid boxes");
                for index in [&*single, &*whole] {
                    index.validate().unwrap_or_else(|fault| panic!("{motion} {kind} frame {frame}: {fault}"));
                    let mut pairs: Vec<_> = index.pairs().collect();
                    pairs.sort_unstable();
                    assert_eq!(*expected.get_or_insert_with(|| pairs.clone()), pairs, "{motion} {kind} frame {frame}");
                }
            }
        }
    }
}
