//! Random programs of spawns, moves, new parents, removals and despawns: the plugin finds what plain arithmetic over
//! the components finds.

use std::collections::BTreeSet;

use bevy_app::App;
use bevy_ecs::prelude::*;
use bevy_ecs::system::RunSystemOnce;
use bevy_math::{Vec2, Vec3};
use bevy_quadrille::{Began, BoundingBox, Boxes, Ended, Layers, QuadrillePlugin};
use bevy_transform::TransformPlugin;
use bevy_transform::components::{GlobalTransform, Transform};
use quadrille_scenes::Random;

type Pair = (Entity, Entity);
type Rectangle = [f32; 4];

fn sorted(a: Entity, b: Entity) -> Pair {
    (a.min(b), a.max(b))
}

fn app() -> App {
    let mut app = App::new();
    app.add_plugins((TransformPlugin, QuadrillePlugin::default()));
    app
}

/// Small integers, so that all sums are exact and many edges touch.
fn whole(random: &mut Random, below: u32) -> f32 {
    random.below(below) as f32
}

fn place(random: &mut Random) -> Transform {
    let scale = [0.5, 1.0, 2.0][random.below(3) as usize];
    Transform::from_xyz(whole(random, 60), whole(random, 60), whole(random, 9)).with_scale(Vec3::splat(scale))
}

/// One change to the world. `all` holds entities that may still exist.
fn change(world: &mut World, all: &mut Vec<Entity>, random: &mut Random) {
    let one = all.get(random.below(all.len().max(1) as u32) as usize).copied();
    let other = all.get(random.below(all.len().max(1) as u32) as usize).copied();
    match (random.below(12), one) {
        (0..=3, _) | (_, None) => {
            let bounding = BoundingBox::new(Vec2::new(whole(random, 5), whole(random, 5)))
                .with_layers(Layers::new(1 + random.below(3), 1 + random.below(3)));
            let bounding = if random.below(4) == 0 { bounding.fixed() } else { bounding };
            all.push(world.spawn((bounding, place(random))).id());
        }
        (4..=6, Some(one)) => {
            let to = place(random);
            if let Some(mut transform) = world.get_mut::<Transform>(one) {
                *transform = to;
            }
        }
        (7, Some(one)) => {
            if let Some(mut bounding) = world.get_mut::<BoundingBox>(one) {
                bounding.half.x = whole(random, 6);
                bounding.is_fixed = random.below(2) == 0;
                bounding.layers = Layers::new(1 + random.below(3), 3);
            }
        }
        (8, Some(one)) => {
            let other = other.expect("there is one");
            let above = std::iter::successors(Some(other), |&at| world.get::<ChildOf>(at).map(ChildOf::parent));
            if above.into_iter().all(|at| at != one) {
                world.entity_mut(one).insert(ChildOf(other));
            }
        }
        (9, Some(one)) => drop(world.entity_mut(one).remove::<ChildOf>()),
        (10, Some(one)) => {
            if random.below(2) == 0 {
                world.entity_mut(one).remove::<BoundingBox>();
            } else {
                world.entity_mut(one).insert(BoundingBox::new(Vec2::splat(whole(random, 4))));
            }
        }
        (_, Some(one)) => drop(world.despawn(one)),
    }
    all.retain(|&entity| world.get_entity(entity).is_ok());
}

/// Entities with boxes, according to their components.
fn expected(world: &mut World) -> Vec<(Entity, Rectangle, Layers, bool)> {
    let mut query = world.query::<(Entity, &GlobalTransform, &BoundingBox)>();
    let boxes = query.iter(world).map(|(entity, place, bounding)| {
        let (at, scale) = (place.translation(), place.to_scale_rotation_translation().0);
        let (x, y) = (bounding.half.x * scale.x, bounding.half.y * scale.y);
        (entity, [at.x - x, at.y - y, at.x + x, at.y + y], bounding.layers, bounding.is_fixed)
    });
    boxes.collect()
}

fn touch(a: Rectangle, b: Rectangle) -> bool {
    a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3]
}

fn meet(a: Layers, b: Layers) -> bool {
    a.own & b.mask != 0 && b.own & a.mask != 0
}

#[test]
fn a_world_that_changes_is_followed() {
    for seed in 0..40 {
        let mut random = Random::new(seed);
        let (mut app, mut all, mut before) = (app(), Vec::new(), BTreeSet::<Pair>::new());
        for _ in 0..30 {
            for _ in 0..random.below(40) {
                change(app.world_mut(), &mut all, &mut random);
            }
            app.update();
            let boxes = expected(app.world_mut());
            let mut pairs = BTreeSet::new();
            for (at, &(a, one, layers, is_fixed)) in boxes.iter().enumerate() {
                for &(b, other, its, stays) in &boxes[..at] {
                    if touch(one, other) && meet(layers, its) && !(is_fixed && stays) {
                        pairs.insert(sorted(a, b));
                    }
                }
            }
            let mut messages = app.world_mut().resource_mut::<Messages<Began>>();
            let began: Vec<Pair> = messages.drain().map(|met| sorted(met.a, met.b)).collect();
            let mut messages = app.world_mut().resource_mut::<Messages<Ended>>();
            let ended: Vec<Pair> = messages.drain().map(|met| sorted(met.a, met.b)).collect();
            // Replacing a box ends its contacts and begins them again; both are reported.
            let mut now = before.clone();
            for pair in &ended {
                assert!(now.remove(pair), "seed {seed}: ended, but had not begun");
            }
            for &pair in &began {
                assert!(now.insert(pair), "seed {seed}: began twice");
            }
            assert_eq!(now, pairs, "seed {seed}");
            before = pairs;

            let window = [whole(&mut random, 60), whole(&mut random, 60)];
            let window = [window[0], window[1], window[0] + 9.0, window[1] + 5.0];
            let wanted: BTreeSet<Entity> = boxes.iter().filter(|one| touch(one.1, window)).map(|one| one.0).collect();
            let found = app
                .world_mut()
                .run_system_once(move |boxes: Boxes<'_, '_>| {
                    let found = boxes.overlapping(Vec2::new(window[0], window[1]), Vec2::new(window[2], window[3]));
                    found.collect::<Vec<_>>()
                })
                .expect("the system runs");
            assert_eq!(found.len(), wanted.len(), "seed {seed}: each once");
            assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), wanted, "seed {seed}");
        }
    }
}

#[test]
fn what_is_despawned_is_no_answer_even_before_the_next_frame() {
    let mut app = app();
    let one = app.world_mut().spawn((BoundingBox::new(Vec2::ONE), Transform::default())).id();
    let other = app.world_mut().spawn((BoundingBox::new(Vec2::ONE), Transform::from_xyz(5.0, 0.0, 0.0))).id();
    app.update();
    let nearest = |app: &mut App| {
        app.world_mut().run_system_once(|boxes: Boxes<'_, '_>| boxes.nearest(Vec2::ZERO)).expect("the system runs")
    };
    assert_eq!(nearest(&mut app), Some((one, 0.0)));
    app.world_mut().despawn(one);
    assert_eq!(nearest(&mut app), Some((other, 4.0)));
    let hit = app.world_mut().run_system_once(|boxes: Boxes<'_, '_>| boxes.cast(Vec2::new(0.0, 0.5), Vec2::X));
    assert_eq!(hit.expect("the system runs"), Some((other, 4.0)));
}

#[test]
fn boxes_turn_with_their_entities_and_their_parents() {
    let mut app = app();
    let quarter = Transform::from_rotation(bevy_math::Quat::from_rotation_z(std::f32::consts::FRAC_PI_2));
    let parent = app.world_mut().spawn(quarter).id();
    let child = (BoundingBox::new(Vec2::new(3.0, 1.0)), Transform::from_xyz(10.0, 0.0, 0.0), ChildOf(parent));
    let child = app.world_mut().spawn(child).id();
    app.update();
    let at = |app: &mut App, x: f32, y: f32| {
        let found = move |boxes: Boxes<'_, '_>| boxes.at(Vec2::new(x, y)).collect::<Vec<_>>();
        app.world_mut().run_system_once(found).expect("the system runs")
    };
    assert_eq!(at(&mut app, 0.9, 12.9), [child]);
    assert_eq!(at(&mut app, 2.9, 10.0), []);
}

#[test]
fn sets_of_boxes_do_not_know_each_other_and_observers_hear() {
    struct Ships;
    let mut app = app();
    app.add_plugins(QuadrillePlugin::<Ships>::marked().with_observers());
    #[derive(Resource, Default)]
    struct Heard(Vec<Pair>);
    app.init_resource::<Heard>();
    app.add_observer(|event: On<'_, '_, Began<Ships>>, mut heard: ResMut<'_, Heard>| {
        heard.0.push(sorted(event.a, event.b))
    });
    let usual = app.world_mut().spawn((BoundingBox::new(Vec2::ONE), Transform::default())).id();
    let ships = [0.0, 1.0].map(|x| {
        app.world_mut().spawn((BoundingBox::<Ships>::marked(Vec2::ONE), Transform::from_xyz(x, 0.0, 0.0))).id()
    });
    app.update();
    assert_eq!(app.world().resource::<Heard>().0, [sorted(ships[0], ships[1])]);
    let found = app.world_mut().run_system_once(|boxes: Boxes<'_, '_>| boxes.at(Vec2::ZERO).collect::<Vec<_>>());
    assert_eq!(found.expect("the system runs"), [usual]);
}

#[test]
fn a_box_that_is_not_finite_is_named_and_the_others_are_followed() {
    let mut app = app();
    app.set_error_handler(|error, _| assert!(error.to_string().contains("is not finite"), "{error}"));
    let good = app.world_mut().spawn((BoundingBox::new(Vec2::ONE), Transform::default())).id();
    app.world_mut().spawn((BoundingBox::new(Vec2::ONE), Transform::from_xyz(f32::NAN, 0.0, 0.0)));
    app.update();
    let found = app.world_mut().run_system_once(|boxes: Boxes<'_, '_>| boxes.at(Vec2::ZERO).collect::<Vec<_>>());
    assert_eq!(found.expect("the system runs"), [good]);
}

#[test]
fn a_box_turned_inside_out_is_named_and_the_others_are_followed() {
    let mut app = app();
    app.set_error_handler(|error, _| assert!(error.to_string().contains("inside out"), "{error}"));
    let spawn = |app: &mut App, x: f32| {
        app.world_mut().spawn((BoundingBox::new(Vec2::ONE), Transform::from_xyz(x, 0.0, 0.0))).id()
    };
    let before = spawn(&mut app, 0.0);
    let wrong = app.world_mut().spawn((BoundingBox::new(Vec2::new(-1.0, 1.0)), Transform::default())).id();
    let after = spawn(&mut app, 0.5);
    let at = |app: &mut App, x: f32| {
        let found = move |boxes: Boxes<'_, '_>| boxes.at(Vec2::new(x, 0.0)).collect::<BTreeSet<_>>();
        app.world_mut().run_system_once(found).expect("the system runs")
    };
    app.update();
    assert_eq!(at(&mut app, 0.25), BTreeSet::from([before, after]));
    // A box that was valid until now stays where it was, and all others move, in this frame and from then on.
    app.world_mut().get_mut::<BoundingBox>(wrong).expect("it has one").half.x = 1.0;
    app.update();
    assert_eq!(at(&mut app, 0.25), BTreeSet::from([before, wrong, after]));
    for x in [10.0, 20.0] {
        app.world_mut().get_mut::<BoundingBox>(wrong).expect("it has one").half.y = -1.0;
        for entity in [before, after] {
            app.world_mut().get_mut::<Transform>(entity).expect("it has one").translation.x = x;
        }
        app.update();
        assert_eq!(at(&mut app, x), BTreeSet::from([before, after]));
        assert_eq!(at(&mut app, 0.25), BTreeSet::from([wrong]));
    }
}

#[test]
fn layers_that_change_while_a_box_is_not_finite_are_not_lost() {
    let mut app = app();
    app.set_error_handler(|error, _| assert!(error.to_string().contains("is not finite"), "{error}"));
    let [one, other] = [(); 2].map(|()| app.world_mut().spawn(BoundingBox::new(Vec2::ONE)).id());
    app.update();
    let neighbors = |app: &mut App| {
        let found = move |boxes: Boxes<'_, '_>| boxes.neighbors(one).collect::<Vec<_>>();
        app.world_mut().run_system_once(found).expect("the system runs")
    };
    assert_eq!(neighbors(&mut app), [other]);
    app.world_mut().get_mut::<Transform>(one).expect("it has one").translation.x = f32::NAN;
    app.world_mut().get_mut::<BoundingBox>(one).expect("it has one").layers = Layers::new(2, 2);
    app.world_mut().get_mut::<BoundingBox>(other).expect("it has one").layers = Layers::new(1, 1);
    app.update();
    app.world_mut().get_mut::<Transform>(one).expect("it has one").translation.x = 0.0;
    app.update();
    assert_eq!(neighbors(&mut app), []);
}
