//! Agents request paths; maps answer them within a budget.

use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::prelude::*;

use super::budget::PathBudget;
use super::cell_map::CellMap;
use super::request::PathRequest;
use super::requests::Requests;
use super::route::{Route, RouteFound, RouteMissing};

/// Adds new requests, and those of agents that are no longer disabled, and cancels those that are gone.
pub(super) fn take_requests(
    (mut removed, mut gone): (RemovedComponents<'_, '_, PathRequest>, RemovedComponents<'_, '_, CellMap>),
    mut woken: RemovedComponents<'_, '_, Disabled>,
    changed: Query<'_, '_, Entity, Changed<PathRequest>>,
    all: Query<'_, '_, (Entity, &PathRequest)>,
    mut queues: Query<'_, '_, &mut Requests, Allow<Disabled>>,
    maps: Query<'_, '_, (), (With<CellMap>, Allow<Disabled>)>,
    mut commands: Commands<'_, '_>,
) {
    let asking: Vec<Entity> = changed.iter().chain(woken.read()).collect();
    let agents: Vec<Entity> = removed.read().chain(asking.iter().copied()).collect();
    for mut requests in queues.iter_mut().filter(|_| !agents.is_empty()) {
        agents.iter().for_each(|&agent| requests.cancel(agent));
    }
    if gone.read().count() > 0 {
        for (agent, &request) in all.iter().filter(|(_, request)| !maps.contains(request.map)) {
            commands.queue(move |world: &mut World| answer(world, agent, request, None));
        }
    }
    for (agent, &request) in all.iter_many(asking) {
        match queues.get_mut(request.map) {
            Ok(mut requests) if maps.contains(request.map) => requests.ask(agent, request),
            _ => commands.queue(move |world: &mut World| answer(world, agent, request, None)),
        }
    }
}

/// Answers requests within the budget. Each map that has any gets an equal part of it.
pub(super) fn run_requests(
    budget: Res<'_, PathBudget>,
    mut maps: Query<'_, '_, (&CellMap, &mut Requests), Allow<Disabled>>,
    mut commands: Commands<'_, '_>,
) {
    let busy = maps.iter().filter(|(_, requests)| !requests.is_empty()).count();
    let part = budget.part(busy);
    for (map, mut requests) in maps.iter_mut().filter(|_| busy > 0 && budget.is_some()) {
        requests.run(map, part, |agent, request, path| {
            let route = path.map(|path| Route::new(request.map, map, path));
            commands.queue(move |world: &mut World| answer(world, agent, request, route));
        });
    }
}

/// Gives an agent its answer, unless it is gone or has requested something else meanwhile. One that is disabled requests
/// it again when it is not.
fn answer(world: &mut World, agent: Entity, request: PathRequest, route: Option<Route>) {
    let Ok(mut entity) = world.get_entity_mut(agent) else { return };
    if entity.get() != Some(&request) || entity.contains::<Disabled>() {
        return;
    }
    entity.remove::<PathRequest>();
    match route {
        Some(route) => {
            entity.insert(route);
            world.trigger(RouteFound { entity: agent });
        }
        None => world.trigger(RouteMissing { entity: agent, request }),
    }
}
