//! What must be true of each example.

use std::collections::{BTreeMap, BTreeSet};

use bevy_ecs::prelude::*;
use bevy_math::{Rect, Vec2};
use bevy_quadrille::BoundingBox;
use bevy_quadrille::paths::{Cell, CellMap};
use bevy_quadrille_examples::{bullet_storm, city, flock, picking, tower_defence};
use bevy_transform::components::Transform;

#[test]
fn birds_come_to_fly_one_way() {
    let mut app = flock::game(400);
    assert!(flock::order(&mut app) < 0.3);
    (0..200).for_each(|_| app.update());
    assert!(flock::order(&mut app) > 0.7, "{}", flock::order(&mut app));
}

#[test]
fn towers_shoot_what_they_see() {
    let mut app = tower_defence::game();
    (0..600).for_each(|_| app.update());
    let score = *app.world().resource::<tower_defence::Score>();
    let alive = app.world_mut().query::<&tower_defence::Enemy>().iter(app.world()).count() as u32;
    assert_eq!(score.came, score.shot + score.through + alive, "{score:?}");
    assert!(score.shot > 0 && score.hits >= 64 * score.shot, "{score:?}");
}

#[test]
fn the_mouse_picks_the_card_on_top_and_selects_what_it_touches() {
    let mut app = picking::game(300);
    app.update();
    let mut cards = app.world_mut().query_filtered::<(Entity, &Transform), With<BoundingBox>>();
    let cards: Vec<(Entity, Transform)> = cards.iter(app.world()).map(|(card, place)| (card, *place)).collect();
    let mut found = 0;
    for step in 0..100 {
        let at = Vec2::new((step % 10) as f32 * 10.0 - 45.0, (step / 10) as f32 * 10.0 - 45.0);
        let selection = Rect::from_center_size(at, Vec2::new(11.0, 4.0));
        *app.world_mut().resource_mut::<picking::Mouse>() = picking::Mouse { at, selection: Some(selection) };
        app.update();
        let touched = |area: Rect| {
            cards.iter().filter(move |(_, place)| {
                let apart = (place.translation.truncate() - area.center()).abs();
                apart.cmple(Vec2::new(2.0, 3.0) + area.half_size()).all()
            })
        };
        let top = touched(Rect::from_corners(at, at)).max_by(|a, b| a.1.translation.z.total_cmp(&b.1.translation.z));
        let picked = app.world().resource::<picking::Picked>();
        assert_eq!(picked.top, top.map(|card| card.0), "{at}");
        let selected: BTreeSet<Entity> = touched(selection).map(|card| card.0).collect();
        assert_eq!(picked.selected.len(), selected.len());
        assert_eq!(picked.selected.iter().copied().collect::<BTreeSet<_>>(), selected);
        found += usize::from(picked.top.is_some());
    }
    assert!(found > 20, "{found}");
}

#[test]
fn every_bullet_flies_or_has_hit_a_ship() {
    let mut app = bullet_storm::game(50_000);
    (0..20).for_each(|_| app.update());
    let left = app.world_mut().query::<&bullet_storm::Bullet>().iter(app.world()).count();
    let hits: u32 = app.world_mut().query::<&bullet_storm::Ship>().iter(app.world()).map(|ship| ship.hits).sum();
    assert!(hits > 1000, "{hits}");
    // A bullet may meet two ships at once.
    assert!(left + hits as usize >= 50_000 && left < 50_000, "{left} left, {hits} hits");
}

#[test]
fn nobody_walks_through_a_closed_door() {
    let mut app = city::game(300);
    let mut before = BTreeMap::new();
    for frame in 0..300 {
        app.update();
        let mut map = app.world_mut().query::<&CellMap>();
        let grid = map.single(app.world()).expect("one map").grid().clone();
        let mut walkers = app.world_mut().query::<(Entity, &city::Walker)>();
        let now: BTreeMap<Entity, Cell> = walkers.iter(app.world()).map(|(walker, place)| (walker, place.at)).collect();
        for (walker, at) in &now {
            assert!(grid.is_free(*at), "frame {frame}: {walker} stands in a wall");
            let was = before.get(walker).unwrap_or(at);
            assert!(at.x.abs_diff(was.x) <= 1 && at.y.abs_diff(was.y) <= 1, "frame {frame}: {walker} jumped");
        }
        before = now;
    }
    let told = *app.world().resource::<city::Told>();
    assert!(told.found > 500 && told.arrived > 300 && told.broken > 20, "{told:?}");
}
