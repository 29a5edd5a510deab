//! A crowd in a city whose doors open and close. Everybody walks a shortest path, and requests another one when a door
//! closes ahead.

use bevy_app::{App, Update};
use bevy_ecs::prelude::*;
use bevy_quadrille::paths::{
    Cell, CellMap, PathBudget, PathRequest, PathsPlugin, Route, RouteBroken, RouteFound, RouteMissing,
};
use quadrille_scenes::Random;

/// Where somebody is.
#[derive(Component, Debug)]
pub struct Walker {
    /// Its cell.
    pub at: Cell,
}

/// What has happened so far.
#[derive(Resource, Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Told {
    /// Paths found.
    pub found: u32,
    /// Paths that a door has closed.
    pub broken: u32,
    /// Requests without a path.
    pub missing: u32,
    /// Goals reached.
    pub arrived: u32,
}

/// Blocks of houses: every 8th row and column is wall, with doors in it.
pub const SIDE: u32 = 64;

fn is_wall(cell: Cell) -> bool {
    cell.x % 8 == 7 || cell.y % 8 == 7
}

fn is_door(cell: Cell) -> bool {
    is_wall(cell) && (cell.x % 8 == 3 || cell.y % 8 == 3)
}

fn somewhere(random: &mut Random) -> Cell {
    let cell = || Cell::new(random.below(SIDE), random.below(SIDE));
    std::iter::repeat_with(cell).find(|&cell| !is_wall(cell)).unwrap_or_default()
}

/// Random numbers of the game.
#[derive(Resource, Debug)]
struct Dice(Random);

/// How many people.
pub fn game(people: u32) -> App {
    let (mut app, mut random) = (App::new(), Random::new(5));
    let free: Vec<bool> = (0..SIDE * SIDE)
        .map(|at| Cell::new(at % SIDE, at / SIDE))
        .map(|cell| !is_wall(cell) || is_door(cell))
        .collect();
    let map = app.world_mut().spawn(CellMap::from_free(SIDE, &free).expect("a square")).id();
    for _ in 0..people {
        let from = somewhere(&mut random);
        let request = PathRequest::new(map, from, somewhere(&mut random));
        app.world_mut().spawn((Walker { at: from }, request));
    }
    app.insert_resource(Dice(random)).init_resource::<Told>();
    app.add_plugins(PathsPlugin { budget: PathBudget::Corners(5000) });
    app.add_observer(|_: On<RouteFound>, mut told: ResMut<Told>| told.found += 1);
    app.add_observer(turn_back).add_observer(give_up);
    app.add_systems(Update, (walk, doors).chain());
    app
}

/// Moves everybody by one cell per frame. Those who have arrived get another goal.
fn walk(
    mut walkers: Query<(Entity, &mut Walker, &mut Route), Without<PathRequest>>,
    mut dice: ResMut<Dice>,
    mut told: ResMut<Told>,
    mut commands: Commands,
) {
    for (entity, mut walker, mut route) in &mut walkers {
        if let Some(next) = route.next() {
            route.advance();
            walker.at = next;
        } else {
            told.arrived += 1;
            let goal = somewhere(&mut dice.0);
            let request = PathRequest { to: goal, ..route.request_from(walker.at) };
            commands.entity(entity).insert(request);
        }
    }
}

/// Opens or closes a door, unless somebody is in it.
fn doors(mut map: Single<&mut CellMap>, walkers: Query<&Walker>, mut dice: ResMut<Dice>) {
    let (x, y) = (8 * dice.0.below(SIDE / 8), 8 * dice.0.below(SIDE / 8));
    let cell = if dice.0.below(2) == 0 { Cell::new(x + 7, y + 3) } else { Cell::new(x + 3, y + 7) };
    if walkers.iter().all(|walker| walker.at != cell) {
        let is_open = map.grid().is_free(cell);
        map.set(cell, !is_open);
    }
}

/// A door closed ahead: requests another path from here.
fn turn_back(
    broken: On<RouteBroken>,
    walkers: Query<(&Walker, &Route)>,
    mut told: ResMut<Told>,
    mut commands: Commands,
) {
    if let Ok((walker, route)) = walkers.get(broken.entity) {
        told.broken += 1;
        commands.entity(broken.entity).insert(route.request_from(walker.at).with_priority(1));
    }
}

/// There is no path: requests one to another goal.
fn give_up(missing: On<RouteMissing>, mut dice: ResMut<Dice>, mut told: ResMut<Told>, mut commands: Commands) {
    told.missing += 1;
    let request = PathRequest { to: somewhere(&mut dice.0), ..missing.request };
    commands.entity(missing.entity).insert(request);
}

/// Runs it, and returns what happened.
pub fn report(frames: usize) -> String {
    let mut app = game(300);
    (0..frames).for_each(|_| app.update());
    format!("300 people, {frames} frames: {:?}", app.world().resource::<Told>())
}
