//! The operations by name.

use std::fmt;
use std::str::FromStr;

/// What is measured. The command uses these names in lower case.
///
/// ```
/// use quadrille_advise::Operation;
///
/// assert_eq!("nearest".parse(), Ok(Operation::Nearest));
/// assert!("closest".parse::<Operation>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// Building from scratch and finding all pairs: the work of a program that asks only once, and every program's
    /// first frame.
    First,
    /// Updating every box that differs from the last frame, and `maintain`; `update_all` if more than half of them
    /// differ.
    Update,
    /// Finding all pairs of overlapping boxes.
    Pairs,
    /// 1,000 overlap tests with rectangles. Each is as large as one of the boxes and is centered on another.
    Query,
    /// 200 searches for the box nearest to a point. Each point is halfway between two boxes.
    Nearest,
    /// 200 ray casts for the first box hit. Each starts halfway between two boxes, toward a third.
    Cast,
}

impl Operation {
    /// All of them, in the order in which each frame runs them.
    pub const ALL: &[Self; 6] = &[Self::First, Self::Update, Self::Pairs, Self::Query, Self::Nearest, Self::Cast];

    /// Those that a program does every frame.
    pub const FRAME: &[Self; 5] = &[Self::Update, Self::Pairs, Self::Query, Self::Nearest, Self::Cast];

    /// The name used by the command.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Update => "update",
            Self::Pairs => "pairs",
            Self::Query => "query",
            Self::Nearest => "nearest",
            Self::Cast => "cast",
        }
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Operation {
    type Err = UnknownOperation;

    fn from_str(name: &str) -> Result<Self, UnknownOperation> {
        let known = Self::ALL.iter().copied().find(|operation| operation.name() == name);
        known.ok_or_else(|| UnknownOperation(name.into()))
    }
}

/// A name that no operation has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownOperation(String);

impl fmt::Display for UnknownOperation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no operation is named `{}`; there are:", self.0)?;
        Operation::ALL.iter().try_for_each(|operation| write!(f, " {operation}"))
    }
}

impl std::error::Error for UnknownOperation {}
