//! Fields and reaches that are computed in slices.

use quadrille_bindings::Ground;
use quadrille_paths::{FlowField, GrowingField, GrowingReach, Reach};

use crate::status::Fault;

/// One of the two, and whether it is of agents.
pub(crate) enum Growing {
    Field(GrowingField, bool),
    Reach(GrowingReach, bool),
}

impl Growing {
    /// Goes on for some cells; returns the field once it is done.
    pub(crate) fn field(&mut self, ground: &Ground, cells: usize) -> Result<Option<FlowField>, Fault> {
        match self {
            Self::Field(field, is_of_agents) => Ok(ground.go_on_field(*is_of_agents, field, cells)?),
            Self::Reach(..) => Err(Fault::value("what is computed is a reach, not a flow")),
        }
    }

    /// Goes on for some cells; returns what can be reached once that is known.
    pub(crate) fn reach(&mut self, ground: &Ground, cells: usize) -> Result<Option<Reach>, Fault> {
        match self {
            Self::Reach(reach, is_of_agents) => Ok(ground.go_on_reach(*is_of_agents, reach, cells)?),
            Self::Field(..) => Err(Fault::value("what is computed is a flow, not a reach")),
        }
    }
}
