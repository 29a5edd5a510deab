//! Agents request paths on a map that changes: each route is a shortest one, each break ahead is reported once, and a
//! crowd follows its map.
#![cfg(feature = "paths")]

use bevy_app::App;
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::prelude::*;
use bevy_math::Vec2;
use bevy_quadrille::paths::quadrille_paths::{AStar, Direction};
use bevy_quadrille::paths::{
    Cell, CellMap, CellMapError, CostRule, Crowd, CrowdField, Grid, PathBudget, PathRequest, PathsPlugin, Route,
    RouteBroken, RouteFound, RouteMissing,
};
use quadrille_scenes::Random;

const SIDE: u32 = 40;

#[derive(Resource, Default)]
struct Heard {
    found: Vec<Entity>,
    missing: Vec<Entity>,
    broken: Vec<(Entity, Cell)>,
}

fn app(budget: PathBudget) -> App {
    let mut app = App::new();
    app.add_plugins(PathsPlugin { budget }).init_resource::<Heard>();
    app.add_observer(|found: On<'_, '_, RouteFound>, mut heard: ResMut<'_, Heard>| heard.found.push(found.entity));
    app.add_observer(|missing: On<'_, '_, RouteMissing>, mut heard: ResMut<'_, Heard>| {
        heard.missing.push(missing.entity);
    });
    app.add_observer(|broken: On<'_, '_, RouteBroken>, mut heard: ResMut<'_, Heard>| {
        heard.broken.push((broken.entity, broken.last));
    });
    app
}

fn cell(random: &mut Random) -> Cell {
    Cell::new(random.below(SIDE), random.below(SIDE))
}

/// The first illegal step of a route on a map, found step by step.
fn first_fault(route: &Route, grid: &Grid) -> Option<Cell> {
    let ahead = route.ahead();
    if !grid.is_free(ahead[0]) {
        return Some(ahead[0]);
    }
    let is_legal = |pair: &[Cell]| {
        Direction::between(pair[0], pair[1]).is_some_and(|way| grid.can_step(pair[0], way, CostRule::Octile))
    };
    ahead.windows(2).find(|pair| !is_legal(pair)).map(|pair| pair[0])
}

#[test]
fn routes_are_shortest_and_every_break_ahead_is_told_once() {
    let (mut breaks, mut routes) = (0, 0);
    for seed in 0..20 {
        let mut random = Random::new(seed);
        let free: Vec<bool> = (0..SIDE * SIDE).map(|_| random.below(4) > 0).collect();
        let mut app = app(PathBudget::default());
        let map = app.world_mut().spawn(CellMap::from_free(SIDE, &free).expect("a square")).id();
        let mut agents: Vec<Entity> = (0..12).map(|_| app.world_mut().spawn_empty().id()).collect();
        for _ in 0..40 {
            for &agent in &agents {
                let (from, to, choice) = (cell(&mut random), cell(&mut random), random.below(4));
                let mut entity = app.world_mut().entity_mut(agent);
                match choice {
                    0 => drop(entity.insert(PathRequest::new(map, from, to))),
                    1 => drop(entity.get_mut::<Route>().map(|mut route| route.advance())),
                    _ => {}
                }
            }
            if random.below(3) == 0 {
                let at = cell(&mut random);
                let mut map = app.world_mut().get_mut::<CellMap>(map).expect("it stays");
                let is_free = map.grid().is_free(at);
                map.set(at, !is_free);
            }
            if random.below(9) == 0 {
                let one = random.below(12) as usize;
                app.world_mut().despawn(agents[one]);
                agents[one] = app.world_mut().spawn_empty().id();
            }
            let was_broken = agents.iter().map(|&agent| app.world().get::<Route>(agent).map(Route::is_broken));
            let was_broken: Vec<_> = was_broken.collect();
            let asked: Vec<_> = agents.iter().map(|&agent| app.world().get::<PathRequest>(agent).copied()).collect();
            *app.world_mut().resource_mut::<Heard>() = Heard::default();
            app.update();

            let (world, heard) = (app.world(), app.world().resource::<Heard>());
            let grid = world.get::<CellMap>(map).expect("it stays").grid();
            let mut oracle = AStar::new();
            for (at, &agent) in agents.iter().enumerate() {
                let route = world.get::<Route>(agent);
                if let Some(request) = asked[at] {
                    assert!(world.get::<PathRequest>(agent).is_none(), "seed {seed}: the budget is ample");
                    let wanted = oracle.path(grid, CostRule::Octile, request.from, request.to);
                    assert_eq!(heard.found.contains(&agent), wanted.is_some(), "seed {seed}");
                    assert_eq!(heard.missing.contains(&agent), wanted.is_none(), "seed {seed}");
                    if let Some(wanted) = wanted {
                        let found = route.expect("it was found");
                        let walked = bevy_quadrille::paths::quadrille_paths::Path::of_cells(found.ahead().to_vec());
                        assert_eq!(walked.expect("steps").length(), wanted.length(), "seed {seed}");
                        assert_eq!(first_fault(found, grid), None, "seed {seed}");
                        routes += 1;
                        continue;
                    }
                }
                let told: Vec<_> =
                    heard.broken.iter().filter(|broken| broken.0 == agent).map(|broken| broken.1).collect();
                let Some(route) = route else { continue };
                let fault = first_fault(route, grid);
                if was_broken[at] == Some(true) {
                    assert_eq!(told, [], "seed {seed}: told before");
                } else {
                    assert_eq!(told, fault.into_iter().collect::<Vec<_>>(), "seed {seed}");
                    breaks += told.len();
                }
            }
        }
    }
    assert!(breaks > 20 && routes > 200, "{breaks} breaks, {routes} routes");
}

#[test]
fn many_requests_take_several_frames_and_the_urgent_one_is_first() {
    let mut app = app(PathBudget::Corners(200));
    let tiles: Vec<bool> = (0..SIDE * SIDE).map(|at| at % 7 != 3 || (at / SIDE).is_multiple_of(5)).collect();
    let map = app.world_mut().spawn(CellMap::from_free(SIDE, &tiles).expect("a square")).id();
    let request = PathRequest::new(map, Cell::new(0, 0), Cell::new(38, 39));
    let agents: Vec<Entity> = (0..50).map(|_| app.world_mut().spawn(request).id()).collect();
    let urgent = app.world_mut().spawn(request.with_priority(1)).id();
    let gone = agents[7];
    while app.world().resource::<Heard>().found.is_empty() {
        app.update();
    }
    let found = &app.world().resource::<Heard>().found;
    assert_eq!(found.first(), Some(&urgent));
    let first = found.len();
    assert!(first < 40, "{first} in one frame");
    app.world_mut().entity_mut(agents[49]).remove::<PathRequest>();
    for _ in 0..200 {
        app.update();
    }
    let found = &app.world().resource::<Heard>().found;
    assert_eq!(found.len(), 50, "all but the one that was taken back");
    assert!(found.contains(&gone) && !found.contains(&agents[49]));
}

#[test]
fn a_crowd_follows_its_map() {
    let mut app = app(PathBudget::default());
    let map =
        app.world_mut().spawn(CellMap::from_free(SIDE, &vec![true; (SIDE * SIDE) as usize]).expect("a square")).id();
    let goals = vec![Cell::new(3, 3), Cell::new(30, 20)];
    let crowd = app.world_mut().spawn(Crowd { map, goals: goals.clone() }).id();
    let mut random = Random::new(1);
    for round in 0..40 {
        app.update();
        let field = app.world().get::<CrowdField>(crowd).expect("it has one");
        let grid = app.world().get::<CellMap>(map).expect("it stays").grid().clone();
        let mut oracle = AStar::new();
        for _ in 0..20 {
            let from = cell(&mut random);
            let lengths = goals.iter().filter_map(|&goal| oracle.path(&grid, CostRule::Octile, from, goal));
            let least = lengths.map(|path| path.length()).min();
            assert_eq!(field.field().length(from), least, "round {round}, from {from:?}");
            assert_eq!(field.next(from).is_some(), least.is_some());
        }
        let (at, free) = (cell(&mut random), random.below(3) == 0);
        app.world_mut()
            .get_mut::<CellMap>(map)
            .expect("it stays")
            .fill(bevy_quadrille::paths::CellRect::new(at.x, at.y, 5, 1), free);
    }
}

#[test]
fn a_request_on_no_map_is_missing_and_cells_are_where_they_were_placed() {
    let mut app = app(PathBudget::default());
    let nothing = app.world_mut().spawn_empty().id();
    let agent = app.world_mut().spawn(PathRequest::new(nothing, Cell::new(0, 0), Cell::new(1, 1))).id();
    app.update();
    assert_eq!(app.world().resource::<Heard>().missing, [agent]);
    assert!(app.world().get::<PathRequest>(agent).is_none());

    let map = CellMap::from_free(4, &[true; 12]).expect("three rows");
    let map = map.placed(Vec2::new(-10.0, 5.0), Vec2::new(2.0, 4.0));
    assert_eq!(map.cell_at(Vec2::new(-10.0, 5.0)), Some(Cell::new(0, 0)));
    assert_eq!(map.cell_at(Vec2::new(-2.1, 16.9)), Some(Cell::new(3, 2)));
    for off in [[-10.1, 6.0], [-2.0, 6.0], [-9.0, 17.0], [f32::NAN, 6.0], [f32::INFINITY, 6.0]] {
        assert_eq!(map.cell_at(off.into()), None, "{off:?}");
    }
    assert_eq!(map.center(Cell::new(3, 2)), Vec2::new(-3.0, 15.0));
    let refused =
        |width, tiles: &[bool]| CellMap::from_free(width, tiles).err().map(|fault: CellMapError| fault.to_string());
    assert_eq!(refused(5, &[true; 12]).as_deref(), Some("12 tiles do not make rows of 5"));
    assert_eq!(refused(0, &[true; 12]).as_deref(), Some("12 tiles do not make rows of 0"));
    assert_eq!(refused(1, &[]), None);
}

#[test]
fn a_map_may_be_there_before_the_plugin() {
    let mut app = App::new();
    let map = app.world_mut().spawn(CellMap::from_free(2, &[true; 4]).expect("a square")).id();
    app.add_plugins(PathsPlugin::default());
    let agent = app.world_mut().spawn(PathRequest::new(map, Cell::new(0, 0), Cell::new(1, 1))).id();
    app.update();
    assert_eq!(app.world().get::<Route>(agent).expect("it has one").next(), Some(Cell::new(1, 1)));
}

#[test]
fn requests_on_a_map_that_is_gone_are_missing() {
    let mut app = app(PathBudget::Corners(0));
    let map = app.world_mut().spawn(CellMap::from_free(2, &[true; 4]).expect("a square")).id();
    let agent = app.world_mut().spawn(PathRequest::new(map, Cell::new(0, 0), Cell::new(1, 1))).id();
    app.update();
    assert_eq!(app.world().resource::<Heard>().missing, []);
    app.world_mut().despawn(map);
    app.update();
    assert_eq!(app.world().resource::<Heard>().missing, [agent]);
}

#[test]
fn routes_on_a_map_that_is_gone_are_broken_once() {
    let mut app = app(PathBudget::default());
    let level = || CellMap::from_free(3, &[true; 9]).expect("a square");
    let [despawned, removed, kept] = [(); 3].map(|()| app.world_mut().spawn(level()).id());
    let agents = [despawned, removed, kept]
        .map(|map| app.world_mut().spawn(PathRequest::new(map, Cell::new(0, 0), Cell::new(2, 0))).id());
    app.update();
    assert_eq!(app.world().resource::<Heard>().broken, []);
    app.world_mut().get_mut::<Route>(agents[0]).expect("it has one").advance();
    app.world_mut().despawn(despawned);
    app.update();
    assert_eq!(app.world().resource::<Heard>().broken, [(agents[0], Cell::new(1, 0))], "where it stands");
    app.world_mut().entity_mut(removed).remove::<CellMap>();
    app.update();
    app.update();
    let told = [(agents[0], Cell::new(1, 0)), (agents[1], Cell::new(0, 0))];
    assert_eq!(app.world().resource::<Heard>().broken, told);
    let is_broken = agents.map(|agent| app.world().get::<Route>(agent).expect("it stays").is_broken());
    assert_eq!(is_broken, [true, true, false]);
    // The answer to a new request is that there is no map.
    let again = app.world().get::<Route>(agents[0]).expect("it stays").request_from(Cell::new(1, 0));
    app.world_mut().entity_mut(agents[0]).insert(again);
    app.update();
    assert_eq!(app.world().resource::<Heard>().missing, [agents[0]]);
}

#[test]
fn a_map_that_was_removed_from_its_entity_is_no_map() {
    let mut app = app(PathBudget::Corners(0));
    let map = app.world_mut().spawn(CellMap::from_free(2, &[true; 4]).expect("a square")).id();
    let request = PathRequest::new(map, Cell::new(0, 0), Cell::new(1, 1));
    let before = app.world_mut().spawn(request).id();
    app.update();
    app.world_mut().entity_mut(map).remove::<CellMap>();
    app.update();
    let after = app.world_mut().spawn(request).id();
    app.update();
    assert_eq!(app.world().resource::<Heard>().missing, [before, after]);
}

#[test]
fn another_map_over_the_first_is_another_level() {
    let mut app = app(PathBudget::default());
    let map = app.world_mut().spawn(CellMap::from_free(9, &[true; 81]).expect("a square")).id();
    let agent = app.world_mut().spawn(PathRequest::new(map, Cell::new(0, 0), Cell::new(8, 8))).id();
    let crowd = app.world_mut().spawn(Crowd { map, goals: vec![Cell::new(8, 0)] }).id();
    app.update();
    assert_eq!(app.world().resource::<Heard>().found, [agent]);
    app.world_mut().entity_mut(map).insert(CellMap::from_free(20, &[true; 400]).expect("a square"));
    app.update();
    let next = app.world().get::<CrowdField>(crowd).expect("it has one").next(Cell::new(19, 0));
    assert_eq!(next, Some(Cell::new(18, 0)), "a larger level");
    app.world_mut().entity_mut(map).insert(CellMap::from_free(4, &[true; 16]).expect("a square"));
    app.update();
    let field = app.world().get::<CrowdField>(crowd).expect("it has one");
    assert_eq!(field.next(Cell::new(0, 0)), None, "its goal is off the smaller level");
    assert_eq!(app.world().resource::<Heard>().broken, [(agent, Cell::new(3, 3))]);
}

#[test]
fn cells_that_are_blocked_or_off_the_map_are_missing() {
    let mut app = app(PathBudget::default());
    let map = app.world_mut().spawn(CellMap::from_free(3, &[true, false, true]).expect("a row")).id();
    let crowd = app.world_mut().spawn(Crowd { map, goals: vec![Cell::new(7, 7), Cell::new(1, 0)] }).id();
    let ways = [(0, 1), (1, 0), (0, 2), (0, 3), (3, 0), (u32::MAX, u32::MAX)];
    let ask = |(from, to)| PathRequest::new(map, Cell::new(from, 0), Cell::new(to, to));
    let mut agents: Vec<Entity> = ways.map(|way| app.world_mut().spawn(ask(way)).id()).into();
    app.update();
    let mut missing = app.world().resource::<Heard>().missing.clone();
    missing.sort();
    agents.sort();
    assert_eq!(missing, agents);
    assert_eq!(app.world().get::<CrowdField>(crowd).expect("it has one").next(Cell::new(0, 0)), None);
}

#[test]
fn what_a_disabled_agent_has_missed_is_made_up_for() {
    let mut app = app(PathBudget::default());
    let level = || CellMap::from_free(9, &[true; 81]).expect("a square");
    let map = app.world_mut().spawn(level()).id();
    let request = PathRequest::new(map, Cell::new(0, 4), Cell::new(8, 4));
    let walker = app.world_mut().spawn(request).id();
    let crowd = app.world_mut().spawn(Crowd { map, goals: vec![Cell::new(8, 4)] }).id();
    app.update();
    let asking = app.world_mut().spawn((request, Disabled)).id();
    for agent in [walker, crowd] {
        app.world_mut().entity_mut(agent).insert(Disabled);
    }
    app.world_mut().get_mut::<CellMap>(map).expect("it stays").set(Cell::new(4, 4), false);
    app.world_mut().get_mut::<Crowd>(crowd).expect("it stays").goals = vec![Cell::new(0, 0)];
    for _ in 0..3 {
        app.update();
    }
    let heard = app.world().resource::<Heard>();
    assert_eq!((heard.found.as_slice(), heard.broken.as_slice()), (&[walker][..], &[][..]));
    for agent in [walker, crowd, asking] {
        app.world_mut().entity_mut(agent).remove::<Disabled>();
    }
    app.update();
    app.update();
    let heard = app.world().resource::<Heard>();
    assert_eq!(heard.found, [walker, asking]);
    assert_eq!(heard.broken, [(walker, Cell::new(3, 4))]);
    let field = app.world().get::<CrowdField>(crowd).expect("it has one");
    assert_eq!(field.next(Cell::new(1, 0)), Some(Cell::new(0, 0)));
}

#[test]
fn an_agent_that_falls_asleep_before_its_answer_gets_it_when_it_wakes() {
    let mut app = app(PathBudget::Corners(0));
    let map = app.world_mut().spawn(CellMap::from_free(2, &[true; 4]).expect("a square")).id();
    let agent = app.world_mut().spawn(PathRequest::new(map, Cell::new(0, 0), Cell::new(1, 1))).id();
    app.update();
    app.world_mut().entity_mut(agent).insert(Disabled);
    app.world_mut().insert_resource(PathBudget::default());
    app.update();
    assert_eq!(app.world().resource::<Heard>().found, []);
    app.world_mut().entity_mut(agent).remove::<Disabled>();
    app.update();
    assert_eq!(app.world().resource::<Heard>().found, [agent]);
}

#[test]
fn a_disabled_map_is_still_a_map() {
    let mut app = app(PathBudget::default());
    let level = || CellMap::from_free(2, &[true; 4]).expect("a square");
    let [hidden, shown] = [(); 2].map(|()| app.world_mut().spawn(level()).id());
    let ask = |app: &mut App| app.world_mut().spawn(PathRequest::new(hidden, Cell::new(0, 0), Cell::new(1, 1))).id();
    let before = ask(&mut app);
    app.update();
    app.world_mut().entity_mut(hidden).insert(Disabled);
    app.world_mut().get_mut::<CellMap>(shown).expect("it stays").set(Cell::new(1, 0), false);
    let after = ask(&mut app);
    app.update();
    let heard = app.world().resource::<Heard>();
    assert_eq!((heard.found.as_slice(), heard.missing.len(), heard.broken.len()), (&[before, after][..], 0, 0));
}
