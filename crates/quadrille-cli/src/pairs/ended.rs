//! What is done with each pair, and why that may end early.

use std::io;
use std::ops::ControlFlow;

use quadrille_shapes::Fault;

use crate::failure::Failure;

/// What is done with each pair, given by the numbers of its boxes. Within one set, the first number is the lower one,
/// if the query is the same for both.
pub(super) type Visit<'v> = &'v mut dyn FnMut(u32, u32) -> ControlFlow<Ended>;

/// Why no more pairs are written.
#[derive(Debug)]
pub(super) enum Ended {
    Failed(Failure),
    /// The result cannot be written.
    Unwritten(io::Error),
    /// The requested number of pairs has been found.
    Enough,
}

impl From<Fault> for Ended {
    /// All geometries have been checked, so it is memory.
    fn from(fault: Fault) -> Self {
        Self::Failed(Failure::Bad(match fault {
            Fault::Memory => {
                "not enough memory for the pairs that intersect, which are all but the disjoint ones".into()
            }
            other => other.to_string(),
        }))
    }
}

impl From<quadrille_scale::Error> for Ended {
    fn from(error: quadrille_scale::Error) -> Self {
        Self::Failed(error.into())
    }
}

impl From<Ended> for io::Error {
    /// [`Target::write`](crate::output::Target::write) unpacks the failure.
    fn from(ended: Ended) -> Self {
        match ended {
            Ended::Failed(failure) => Self::other(failure),
            Ended::Unwritten(error) => error,
            Ended::Enough => io::ErrorKind::BrokenPipe.into(),
        }
    }
}

impl From<Ended> for Failure {
    fn from(ended: Ended) -> Self {
        io::Error::from(ended).into()
    }
}
