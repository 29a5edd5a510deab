//! Enemies walk to a gate along a flow field; towers shoot the nearest enemy that no wall hides.

use bevy_app::{App, Update};
use bevy_ecs::prelude::*;
use bevy_math::Vec2;
use bevy_quadrille::paths::{Cell, CellMap, Crowd, CrowdField, PathsPlugin};
use bevy_quadrille::{BoundingBox, Boxes, Near};
use bevy_transform::components::Transform;

use crate::{app, at};

/// Walks to the gate.
#[derive(Component, Debug)]
pub struct Enemy {
    health: u32,
}

/// Shoots.
#[derive(Component, Debug)]
pub struct Tower;

/// Hides what is behind it.
#[derive(Component, Debug)]
pub struct Wall;

/// What has happened so far.
#[derive(Resource, Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Score {
    /// Enemies that appeared.
    pub came: u32,
    /// Enemies that were shot.
    pub shot: u32,
    /// Enemies that reached the gate.
    pub through: u32,
    /// Shots that hit.
    pub hits: u32,
}

/// How far a tower shoots.
const RANGE: f32 = 6.0;
const MAP: [&str; 9] = [
    "....................", "..................T.", "..###############...", "..#.............#...",
    "..#..T.......T..#...", "..#.............#...", "..#...#########.....", "..#.................",
    "....................",
];
const GATE: Cell = Cell::new(19, 0);
const CAMP: Cell = Cell::new(3, 5);

/// The map of the top of this file, row 0 below.
pub fn game() -> App {
    let mut app = app();
    let tiles: Vec<u8> = MAP.iter().rev().flat_map(|row| row.bytes()).collect();
    let map = CellMap::from_tiles(20, &tiles, |&tile| tile == b'.').expect("rows of 20");
    for (place, &tile) in tiles.iter().enumerate() {
        let center = at(map.center(Cell::new(place as u32 % 20, place as u32 / 20)));
        let bounding = BoundingBox::new(Vec2::splat(0.5)).fixed();
        match tile {
            b'#' => drop(app.world_mut().spawn((Wall, bounding, center))),
            b'T' => drop(app.world_mut().spawn((Tower, bounding, center))),
            _ => {}
        }
    }
    let map = app.world_mut().spawn(map).id();
    app.world_mut().spawn(Crowd { map, goals: vec![GATE] });
    app.add_plugins(PathsPlugin::default()).init_resource::<Score>();
    app.add_systems(Update, (invade, walk, shoot).chain());
    app
}

/// Spawns an enemy every 20 frames.
fn invade(mut frame: Local<u32>, map: Single<&CellMap>, mut score: ResMut<Score>, mut commands: Commands) {
    if (*frame).is_multiple_of(20) {
        score.came += 1;
        commands.spawn((Enemy { health: 8 }, BoundingBox::new(Vec2::splat(0.3)), at(map.center(CAMP))));
    }
    *frame += 1;
}

/// Moves enemies by a tenth of a cell per frame.
fn walk(
    mut enemies: Query<(Entity, &mut Transform), With<Enemy>>,
    map: Single<&CellMap>,
    field: Option<Single<&CrowdField>>,
    mut score: ResMut<Score>,
    mut commands: Commands,
) {
    let Some(field) = field else { return };
    for (enemy, mut place) in &mut enemies {
        let here = place.translation.truncate();
        let Some(cell) = map.cell_at(here) else { continue };
        if cell == GATE {
            score.through += 1;
            commands.entity(enemy).despawn();
        } else if let Some(next) = field.next(cell) {
            place.translation += ((map.center(next) - here).clamp_length_max(0.1)).extend(0.0);
        }
    }
}

/// Each tower shoots at the nearest enemy in sight.
fn shoot(
    towers: Query<&Transform, With<Tower>>,
    targets: Boxes<With<Enemy>>,
    walls: Boxes<With<Wall>>,
    mut enemies: Query<&mut Enemy>,
    mut score: ResMut<Score>,
    mut commands: Commands,
) {
    for tower in &towers {
        let eye = tower.translation.truncate();
        let mut in_range = targets.in_order(Near::point(eye.to_array()).within(RANGE)).map(|(enemy, _)| enemy);
        let is_seen = |enemy: &Entity| {
            targets.bounds(*enemy).is_some_and(|bounds| walls.is_clear(eye, (bounds.min + bounds.max) / 2.0))
        };
        let Some(target) = in_range.find(is_seen) else { continue };
        let Ok(mut enemy) = enemies.get_mut(target) else { continue };
        score.hits += 1;
        enemy.health = enemy.health.saturating_sub(u32::from(score.hits.is_multiple_of(8)));
        if enemy.health == 0 {
            score.shot += 1;
            commands.entity(target).try_despawn();
        }
    }
}

/// Runs it, and returns what happened.
pub fn report(frames: usize) -> String {
    let mut app = game();
    (0..frames).for_each(|_| app.update());
    format!("{frames} frames: {:?}", app.world().resource::<Score>())
}
