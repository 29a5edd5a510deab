//! The requests for paths on one map.

use std::collections::HashMap;

use bevy_ecs::entity::EntityHashMap;
use bevy_ecs::prelude::*;
use quadrille_paths::{Path, PathMap, PathQueue, Ticket};

use super::budget::PathBudget;
use super::request::PathRequest;

/// The requests for paths on one map.
#[derive(Component, Debug, Default)]
pub(crate) struct Requests {
    queue: PathQueue,
    asked: HashMap<Ticket, (Entity, PathRequest)>,
    tickets: EntityHashMap<Ticket>,
}

impl Requests {
    pub(super) fn cancel(&mut self, agent: Entity) {
        if let Some(ticket) = self.tickets.remove(&agent) {
            self.queue.cancel(ticket);
            self.asked.remove(&ticket);
        }
    }

    /// Adds a request in place of the agent's last one.
    pub(super) fn ask(&mut self, agent: Entity, request: PathRequest) {
        self.cancel(agent);
        let ticket = self.queue.push_urgent(request.from, request.to, request.priority);
        self.asked.insert(ticket, (agent, request));
        self.tickets.insert(agent, ticket);
    }

    /// Whether nobody is waiting.
    pub(super) fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    /// Answers what a part of the budget allows.
    pub(super) fn run(
        &mut self,
        map: &PathMap,
        budget: PathBudget,
        mut answer: impl FnMut(Entity, PathRequest, Option<Path>),
    ) {
        let Self { queue, asked, tickets } = self;
        let mut hand_out = |ticket, path| {
            if let Some((agent, request)) = asked.remove(&ticket) {
                tickets.remove(&agent);
                answer(agent, request, path);
            }
        };
        match budget {
            PathBudget::Corners(corners) => drop(queue.run(map, corners, &mut hand_out)),
            PathBudget::Time(time) => queue.run_for(map, time, &mut hand_out),
        }
    }
}
