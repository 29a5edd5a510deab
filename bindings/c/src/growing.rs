//! Fields and reaches that are computed in slices.

use quadrille_bindings::Ground;
use quadrille_paths::{FlowField, GrowingField, GrowingReach, Reach};

use crate::status::Fault;

/// One of the two, of agents or not.
pub(crate) struct Growing {
    pub(crate) what: What,
    pub(crate) is_of_agents: bool,
}

pub(crate) enum What {
    Field(GrowingField),
    Reach(GrowingReach),
}

impl Growing {
    /// Goes on for some cells; returns the field once it is done.
    pub(crate) fn field(&mut self, ground: &Ground, cells: usize) -> Result<Option<FlowField>, Fault> {
        match &mut self.what {
            What::Field(field) => Ok(ground.go_on_field((None, self.is_of_agents), field, cells)?),
            What::Reach(_) => Err(Fault::value("what is computed is a reach, not a flow")),
        }
    }

    /// Goes on for some cells; returns what can be reached once that is known.
    pub(crate) fn reach(&mut self, ground: &Ground, cells: usize) -> Result<Option<Reach>, Fault> {
        match &mut self.what {
            What::Reach(reach) => Ok(ground.go_on_reach((None, self.is_of_agents), reach, cells)?),
            What::Field(_) => Err(Fault::value("what is computed is a flow, not a reach")),
        }
    }
}
