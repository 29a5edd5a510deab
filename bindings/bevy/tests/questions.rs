//! Every query, with and without filters, has the answers that follow from the components by plain arithmetic, and the
//! same ones in every run on any number of threads.

use std::collections::BTreeSet;

use bevy_app::{App, FixedPostUpdate, Update};
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::prelude::*;
#[cfg(feature = "multi_threaded")]
use bevy_ecs::schedule::MultiThreadedExecutor;
use bevy_ecs::schedule::{Schedule, Schedules, SingleThreadedExecutor};
use bevy_ecs::system::RunSystemOnce;
use bevy_math::Vec2;
use bevy_math::bounding::Aabb2d;
use bevy_quadrille::{Began, BoundingBox, BoxSystems, Boxes, Ended, Layers, Near, QuadrillePlugin};
use bevy_transform::components::{GlobalTransform, Transform};
use bevy_transform::{TransformPlugin, TransformSystems};
use quadrille_scenes::Random;

#[derive(Component)]
struct Enemy;
#[derive(Component)]
struct Wall;
struct Ships;

type Rectangle = [f64; 4];

fn app() -> App {
    let mut app = App::new();
    app.add_plugins((TransformPlugin, QuadrillePlugin::default(), QuadrillePlugin::<Ships>::marked()));
    app
}

fn ask<T: 'static, P>(app: &mut App, question: impl IntoSystem<(), T, P>) -> T {
    app.world_mut().run_system_once(question).expect("the system runs")
}

fn set(found: impl IntoIterator<Item = Entity>) -> BTreeSet<Entity> {
    let found: Vec<_> = found.into_iter().collect();
    let set: BTreeSet<_> = found.iter().copied().collect();
    assert_eq!(set.len(), found.len(), "each once");
    set
}

fn whole(random: &mut Random, below: u32) -> f32 {
    random.below(below) as f32
}

fn spawn(world: &mut World, random: &mut Random) {
    let at = Transform::from_xyz(whole(random, 50), whole(random, 50), 0.0);
    let half = Vec2::new(whole(random, 4), whole(random, 4));
    let center = Vec2::new(whole(random, 3), -whole(random, 3));
    let layers = Layers::new(1 + random.below(3), 1 + random.below(3));
    let mut entity = world.spawn(at);
    if random.below(4) > 0 {
        entity.insert(BoundingBox::new(half).with_center(center).with_layers(layers));
    }
    if random.below(3) == 0 {
        entity.insert(BoundingBox::<Ships>::marked(half + 1.0));
    }
    if random.below(2) == 0 {
        entity.insert(Enemy);
    }
}

fn change(world: &mut World, random: &mut Random) {
    let all: Vec<Entity> = world.query_filtered::<Entity, (With<Transform>, Allow<Disabled>)>().iter(world).collect();
    if all.is_empty() || random.below(3) == 0 {
        return spawn(world, random);
    }
    let one = all[random.below(all.len() as u32) as usize];
    let mut entity = world.entity_mut(one);
    match random.below(9) {
        0 => drop(entity.insert(Enemy)),
        1 => drop(entity.remove::<Enemy>()),
        2 => drop(entity.insert(Disabled)),
        3 => drop(entity.remove::<Disabled>()),
        4 => drop(entity.insert(BoundingBox::new(Vec2::splat(whole(random, 3))))),
        5 => drop(entity.insert(BoundingBox::<Ships>::marked(Vec2::splat(whole(random, 3))))),
        6 => drop(entity.remove::<BoundingBox<Ships>>()),
        7 => entity.despawn(),
        _ => entity.get_mut::<Transform>().expect("all have one").translation.x = whole(random, 50),
    }
}

/// All boxes according to their components, with their layers and whether they are enemies.
fn truth<M: bevy_quadrille::Marker>(world: &mut World) -> Vec<(Entity, Rectangle, Layers, bool)> {
    let mut query = world.query::<(Entity, &GlobalTransform, &BoundingBox<M>, Has<Enemy>)>();
    let boxes = query.iter(world).map(|(entity, place, bounding, is_enemy)| {
        let (at, half) = ((place.translation().truncate() + bounding.center).as_dvec2(), bounding.half.as_dvec2());
        (entity, [at.x - half.x, at.y - half.y, at.x + half.x, at.y + half.y], bounding.layers, is_enemy)
    });
    boxes.collect()
}

fn touch(a: &Rectangle, b: &Rectangle) -> bool {
    a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3]
}

/// The square of the distance; exact, because coordinates are whole numbers.
fn apart(a: &Rectangle, b: &Rectangle) -> f64 {
    let gap = |low: usize| (a[low] - b[low + 2]).max(b[low] - a[low + 2]).max(0.0);
    gap(0).powi(2) + gap(1).powi(2)
}

fn meet(a: Layers, b: Layers) -> bool {
    a.own & b.mask != 0 && b.own & a.mask != 0
}

#[test]
fn every_question_is_answered_as_the_components_say() {
    for seed in 0..30 {
        let (mut app, mut random) = (app(), Random::new(seed));
        for _ in 0..20 {
            for _ in 0..random.below(30) {
                change(app.world_mut(), &mut random);
            }
            app.update();
            let (all, ships) = (truth::<()>(app.world_mut()), truth::<Ships>(app.world_mut()));
            let point = Vec2::new(whole(&mut random, 50), whole(&mut random, 50));
            let spot = [f64::from(point.x), f64::from(point.y), f64::from(point.x), f64::from(point.y)];
            let enemies = || all.iter().filter(|one| one.3);

            let found = ask(&mut app, move |enemies: Boxes<'_, '_, With<Enemy>>| {
                let near = set(enemies.near(point, 7.0));
                (near, enemies.nearest(point), enemies.at(point).collect::<Vec<_>>())
            });
            let near = set(enemies().filter(|one| apart(&one.1, &spot) <= 49.0).map(|one| one.0));
            assert_eq!(found.0, near, "seed {seed}");
            let least = enemies().map(|one| apart(&one.1, &spot)).min_by(f64::total_cmp);
            assert_eq!(found.1.map(|(_, distance)| distance), least.map(|least| least.sqrt() as f32), "seed {seed}");
            assert!(found.1.is_none_or(|(entity, _)| enemies().any(|one| one.0 == entity)), "seed {seed}");
            assert_eq!(set(found.2), set(enemies().filter(|one| touch(&one.1, &spot)).map(|one| one.0)));

            let Some(&(own, bounds, layers, _)) = all.first() else { continue };
            let found = ask(&mut app, move |boxes: Boxes<'_, '_>, enemies: Boxes<'_, '_, With<Enemy>>| {
                let near = set(enemies.near_entity(own, 5.0));
                (near, boxes.nearest_to(own), set(boxes.neighbors(own)), boxes.bounds(own))
            });
            let others = || all.iter().filter(|one| one.0 != own);
            let near = others().filter(|one| one.3 && apart(&one.1, &bounds) <= 25.0);
            assert_eq!(found.0, set(near.map(|one| one.0)), "seed {seed}");
            let least = others().map(|one| apart(&one.1, &bounds)).min_by(f64::total_cmp);
            assert_eq!(found.1.map(|hit| hit.1), least.map(|least| least.sqrt() as f32), "seed {seed}");
            let neighbors = others().filter(|one| touch(&one.1, &bounds) && meet(one.2, layers));
            assert_eq!(found.2, set(neighbors.map(|one| one.0)), "seed {seed}");
            let found = found.3.expect("it has a box");
            assert_eq!([found.min, found.max].map(|corner| corner.as_dvec2().to_array()).concat(), bounds);

            let found = ask(&mut app, move |boxes: Boxes<'_, '_, Without<Enemy>>, ships: Boxes<'_, '_, (), Ships>| {
                boxes.pairs_with(&ships).collect::<Vec<_>>()
            });
            let mut pairs = Vec::new();
            for (a, one, layers, is_enemy) in &all {
                for (b, other, its, _) in &ships {
                    if !is_enemy && a != b && touch(one, other) && meet(*layers, *its) {
                        pairs.push((*a, *b));
                    }
                }
            }
            let each_once: BTreeSet<_> = found.iter().copied().collect();
            assert_eq!(found.len(), each_once.len(), "seed {seed}");
            assert_eq!(each_once, pairs.into_iter().collect(), "seed {seed}");
        }
    }
}

#[test]
fn a_ray_and_a_box_hit_the_first_that_passes_the_filter() {
    let mut app = app();
    let spawn = |app: &mut App, x: f32| {
        app.world_mut().spawn((BoundingBox::new(Vec2::ONE), Transform::from_xyz(x, 0.0, 0.0))).id()
    };
    let (friend, enemy) = (spawn(&mut app, 5.0), spawn(&mut app, 9.0));
    app.world_mut().entity_mut(enemy).insert(Enemy);
    app.update();
    let hits = ask(&mut app, |boxes: Boxes<'_, '_>, enemies: Boxes<'_, '_, With<Enemy>>| {
        let start = Aabb2d::new(Vec2::ZERO, Vec2::splat(2.0));
        let ray = |boxes: &dyn Fn(Vec2, Vec2) -> Option<(Entity, f32)>| boxes(Vec2::ZERO, Vec2::new(2.0, 0.0));
        [
            ray(&|from, to| boxes.cast(from, to)),
            ray(&|from, to| enemies.cast(from, to)),
            boxes.cast_box(start, Vec2::new(4.0, 0.0)),
            enemies.cast_box(start, Vec2::new(4.0, 0.0)),
        ]
    });
    assert_eq!(hits, [Some((friend, 2.0)), Some((enemy, 4.0)), Some((friend, 0.5)), None]);
}

/// Is a point inside a polygon, and how far is it from the outline?
fn inside(polygon: &[Vec2], point: Vec2) -> (bool, f32) {
    let (mut is_inside, mut nearest) = (false, f32::MAX);
    for (&a, &b) in polygon.iter().zip(polygon.iter().cycle().skip(1)) {
        if (a.y > point.y) != (b.y > point.y) && point.x < a.x + (b.x - a.x) * (point.y - a.y) / (b.y - a.y) {
            is_inside = !is_inside;
        }
        let along = ((point - a).dot(b - a) / (b - a).length_squared().max(1e-12)).clamp(0.0, 1.0);
        nearest = nearest.min(point.distance(a + (b - a) * along));
    }
    (is_inside, nearest)
}

#[test]
fn what_is_visible_is_what_no_wall_hides() {
    let (mut lit, mut dark) = (0, 0);
    for seed in 0..40 {
        let (mut app, mut random) = (app(), Random::new(seed));
        for _ in 0..1 + random.below(12) {
            let half = Vec2::new(1.0 + whole(&mut random, 4), 1.0 + whole(&mut random, 4));
            let at = Transform::from_xyz(whole(&mut random, 60) - 30.0, whole(&mut random, 60) - 30.0, 0.0);
            app.world_mut().spawn((Wall, BoundingBox::new(half), at));
        }
        // Not a wall: it hides nothing.
        app.world_mut().spawn((BoundingBox::new(Vec2::splat(9.0)), Transform::default()));
        app.update();
        let points: Vec<Vec2> = (0..200)
            .map(|_| Vec2::new(whole(&mut random, 400) - 200.0, whole(&mut random, 400) - 200.0) / 10.0)
            .collect();
        let seen = ask(&mut app, move |walls: Boxes<'_, '_, With<Wall>>| {
            let polygon = walls.visible(Vec2::ZERO, 20.0);
            let clear = points.iter().map(|&point| (point, walls.is_clear(Vec2::ZERO, point))).collect::<Vec<_>>();
            (polygon, clear, walls.at(Vec2::ZERO).count())
        });
        if seen.2 > 0 {
            assert!(seen.0.is_empty(), "seed {seed}: nothing is seen from within a wall");
            continue;
        }
        for (point, is_clear) in seen.1 {
            let (is_inside, from_outline) = inside(&seen.0, point);
            if from_outline > 0.05 {
                assert_eq!(is_inside, is_clear, "seed {seed}: {point}, {from_outline} from the outline");
                *(if is_clear { &mut lit } else { &mut dark }) += 1;
            }
        }
    }
    assert!(lit > 1000 && dark > 1000, "{lit} in the light, {dark} in the dark");
}

#[test]
fn a_cone_sees_what_is_in_it() {
    let mut app = app();
    let spots = [[5.0, 0.0], [5.0, 4.0], [-5.0, 0.0], [12.0, 0.0]];
    let all =
        spots.map(|[x, y]| app.world_mut().spawn((BoundingBox::new(Vec2::ONE), Transform::from_xyz(x, y, 0.0))).id());
    app.update();
    let seen = ask(&mut app, |boxes: Boxes<'_, '_>| {
        boxes.in_cone(Vec2::ZERO, Vec2::new(10.0, 0.0), 0.5).map(|found| found.collect::<Vec<_>>())
    });
    // The cone reaches only the corner (6, 3) of the second.
    assert_eq!(set(seen.expect("a cone")), set([all[0], all[1]]));
    let refused = ask(&mut app, |boxes: Boxes<'_, '_>| boxes.in_cone(Vec2::ZERO, Vec2::X, f32::NAN).is_err());
    assert!(refused);
}

#[test]
fn a_disabled_entity_is_no_answer_and_comes_back() {
    let mut app = app();
    let one = app.world_mut().spawn((BoundingBox::new(Vec2::ONE), Transform::default())).id();
    let other = app.world_mut().spawn((BoundingBox::new(Vec2::ONE), Transform::default())).id();
    app.update();
    app.world_mut().resource_mut::<Messages<Began>>().clear();
    let count = |app: &mut App| ask(app, |boxes: Boxes<'_, '_>| boxes.at(Vec2::ZERO).count());
    app.world_mut().entity_mut(one).insert(Disabled);
    assert_eq!(count(&mut app), 1, "even before the next frame");
    app.update();
    let told = |app: &mut App| {
        let began = app.world_mut().resource_mut::<Messages<Began>>().drain().count();
        (began, app.world_mut().resource_mut::<Messages<Ended>>().drain().count())
    };
    assert_eq!(told(&mut app), (0, 1), "{one} has left {other}");
    app.world_mut().entity_mut(one).remove::<Disabled>();
    app.update();
    assert_eq!(count(&mut app), 2);
    assert_eq!(told(&mut app), (1, 0));
}

#[test]
fn in_a_fixed_schedule_boxes_are_where_entities_are_now() {
    #[derive(Resource, Default)]
    struct Seen(Vec<f32>);
    let mut app = App::new();
    app.add_plugins((TransformPlugin, QuadrillePlugin::default().in_schedule(FixedPostUpdate)));
    app.init_resource::<Seen>();
    app.add_systems(
        FixedPostUpdate,
        (
            (|mut all: Query<'_, '_, &mut Transform, With<Enemy>>| {
                all.iter_mut().for_each(|mut place| place.translation.x += 1.0);
            })
            .before(TransformSystems::Propagate),
            (|boxes: Boxes<'_, '_>, mut seen: ResMut<'_, Seen>| {
                seen.0.extend(boxes.iter().map(|(_, bounds)| bounds.min.x));
            })
            .after(BoxSystems),
        ),
    );
    let parent = app.world_mut().spawn((Enemy, Transform::default())).id();
    app.world_mut().spawn((BoundingBox::new(Vec2::ONE), Transform::from_xyz(10.0, 0.0, 0.0), ChildOf(parent)));
    // Time does not matter here: the schedule is run by hand.
    for _ in 0..3 {
        app.world_mut().run_schedule(FixedPostUpdate);
    }
    assert_eq!(app.world().resource::<Seen>().0, [10.0, 11.0, 12.0]);
}

/// All answers and events of a program, in order.
fn run(seed: u64, set_executor: impl Fn(&mut Schedule)) -> Vec<String> {
    let (mut app, mut random) = (app(), Random::new(seed));
    #[derive(Resource, Default)]
    struct Told(Vec<String>);
    app.init_resource::<Told>();
    app.add_systems(
        Update,
        |boxes: Boxes<'_, '_, With<Enemy>>, mut began: MessageReader<'_, '_, Began>, mut told: ResMut<'_, Told>| {
            told.0.push(format!("{:?}", boxes.pairs().collect::<Vec<_>>()));
            told.0.push(format!("{:?}", boxes.in_order(Near::point([25.0, 25.0])).collect::<Vec<_>>()));
            told.0.push(format!("{:?}", began.read().collect::<Vec<_>>()));
        },
    );
    let mut schedules = app.world_mut().resource_mut::<Schedules>();
    schedules.iter_mut().for_each(|(_, schedule)| set_executor(schedule));
    for _ in 0..30 {
        for _ in 0..random.below(30) {
            change(app.world_mut(), &mut random);
        }
        app.update();
    }
    std::mem::take(&mut app.world_mut().resource_mut::<Told>().0)
}

#[test]
fn runs_and_threads_make_no_difference() {
    for seed in 0..5 {
        let one_thread = |schedule: &mut Schedule| {
            schedule.set_executor(SingleThreadedExecutor::new());
        };
        let once = run(seed, one_thread);
        assert!(once.iter().map(String::len).sum::<usize>() > 10_000);
        assert_eq!(once, run(seed, one_thread));
        #[cfg(feature = "multi_threaded")]
        assert_eq!(
            once,
            run(seed, |schedule| {
                schedule.set_executor(MultiThreadedExecutor::new());
            })
        );
    }
}

#[test]
fn another_box_over_the_first_keeps_its_contacts() {
    let mut app = app();
    let [one, _] =
        [0.0, 1.0].map(|x| app.world_mut().spawn((BoundingBox::new(Vec2::ONE), Transform::from_xyz(x, 0.0, 0.0))).id());
    app.update();
    app.world_mut().resource_mut::<Messages<Began>>().clear();
    app.world_mut().entity_mut(one).insert(BoundingBox::new(Vec2::splat(3.0)));
    app.update();
    assert_eq!(app.world_mut().resource_mut::<Messages<Began>>().drain().count(), 0);
    let found = ask(&mut app, |boxes: Boxes<'_, '_>| boxes.at(Vec2::new(-2.5, 0.0)).collect::<Vec<_>>());
    assert_eq!(found, [one]);
}

#[test]
fn questions_about_no_place_have_no_answers() {
    let mut app = app();
    let own = app.world_mut().spawn((BoundingBox::new(Vec2::ONE), Transform::default())).id();
    app.world_mut().spawn((BoundingBox::new(Vec2::ONE), Transform::from_xyz(3.0, 0.0, 0.0)));
    app.update();
    let gone = app.world_mut().spawn_empty().id();
    app.world_mut().despawn(gone);
    let count = ask(&mut app, move |boxes: Boxes<'_, '_>| {
        let nowhere = Vec2::new(f32::NAN, 0.0);
        let counts = [
            boxes.at(nowhere).count() + boxes.near(nowhere, 5.0).count() + boxes.near(Vec2::ZERO, f32::NAN).count(),
            boxes.near(Vec2::ZERO, -1.0).count() + boxes.near_entity(own, f32::NAN).count(),
            boxes.overlapping(nowhere, Vec2::ONE).count() + boxes.overlapping(Vec2::ONE, -Vec2::ONE).count(),
            boxes.neighbors(gone).count() + boxes.near_entity(gone, 9.0).count(),
            boxes.visible(nowhere, 5.0).len() + boxes.visible(Vec2::splat(9.0), -1.0).len(),
        ];
        let hits = [
            boxes.cast(nowhere, Vec2::X),
            boxes.cast(Vec2::new(-9.0, 0.0), nowhere),
            boxes.cast(Vec2::new(-9.0, 0.0), Vec2::ZERO),
            boxes.cast_box(Aabb2d::new(nowhere, Vec2::ONE), Vec2::X),
            boxes.nearest(nowhere),
            boxes.nearest_to(gone),
        ];
        counts.iter().sum::<usize>() + hits.iter().flatten().count()
    });
    assert_eq!(count, 0);
}
