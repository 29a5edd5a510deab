//! The errors and their messages.

use std::fmt;

use quadrille::BoundsError;

use crate::operation::Operation;

/// Why there is no advice. [`Display`](fmt::Display) says what was wrong, with the values.
#[derive(Clone, PartialEq)]
pub struct Error(Kind);

#[derive(Clone, PartialEq)]
enum Kind {
    NoFrames,
    NoOperations,
    Length { frame: usize, found: usize, expected: usize },
    Bounds { frame: usize, position: usize, error: BoundsError },
    Refused(quadrille::Error),
    Disagreement { operation: Operation, frame: usize, structures: [String; 2], answers: [String; 2] },
}

impl Error {
    pub(crate) fn no_frames() -> Self {
        Self(Kind::NoFrames)
    }

    pub(crate) fn no_operations() -> Self {
        Self(Kind::NoOperations)
    }

    pub(crate) fn length(frame: usize, found: usize, expected: usize) -> Self {
        Self(Kind::Length { frame, found, expected })
    }

    pub(crate) fn bounds(frame: usize, position: usize, error: BoundsError) -> Self {
        Self(Kind::Bounds { frame, position, error })
    }

    /// Two structures give different answers. Their names and what each found should help to find the bug.
    pub(crate) fn disagreement(
        operation: Operation,
        frame: usize,
        structures: [String; 2],
        answers: [String; 2],
    ) -> Self {
        Self(Kind::Disagreement { operation, frame, structures, answers })
    }
}

impl From<quadrille::Error> for Error {
    fn from(error: quadrille::Error) -> Self {
        Self(Kind::Refused(error))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::NoFrames => write!(f, "there are no frames; at least one is needed"),
            Kind::NoOperations => write!(f, "there are no operations to measure"),
            Kind::Length { frame, found, expected } => {
                write!(f, "frame {frame} has {found} boxes and frame 0 has {expected}; all frames need the same boxes")
            }
            Kind::Bounds { frame, position, error } => write!(f, "frame {frame}, box {position}: {error}"),
            Kind::Refused(error) => write!(f, "{error}"),
            Kind::Disagreement { operation, frame, structures: [a, b], answers: [of_a, of_b] } => write!(
                f,
                "{a} and {b} disagree about {operation} in frame {frame} ({of_a}, {of_b}), which is a bug of the library"
            ),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Error({self})")
    }
}

impl std::error::Error for Error {}
