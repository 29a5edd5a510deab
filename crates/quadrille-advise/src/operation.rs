//! The operations by name.

use std::fmt;
use std::str::FromStr;

/// What is measured. Of each the names in the command are the names here, in lower case.
///
/// ```
/// use quadrille_advise::Operation;
///
/// assert_eq!("nearest".parse(), Ok(Operation::Nearest));
/// assert!("closest".parse::<Operation>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// Building from nothing and finding all pairs: what a program does that asks once, and what every program does
    /// first.
    First,
    /// Telling the index every box that differs from the last frame, and `maintain`; `update_all` if more than half of
    /// them do.
    Update,
    /// Finding all pairs of overlapping boxes.
    Pairs,
    /// 1,000 questions for the boxes that overlap a rectangle. Each is as large as one of the boxes and is centered on
    /// another.
    Query,
    /// 200 questions for the box nearest to a point. Each is half-way between two of the boxes.
    Nearest,
    /// 200 questions for the first box hit by a ray. Each starts half-way between two of the boxes, toward a third.
    Cast,
}

impl Operation {
    /// All of them, in the order in which they are carried out in each frame.
    pub const ALL: &[Self; 6] = &[Self::First, Self::Update, Self::Pairs, Self::Query, Self::Nearest, Self::Cast];

    /// Those that a program does in every frame.
    pub const FRAME: &[Self; 5] = &[Self::Update, Self::Pairs, Self::Query, Self::Nearest, Self::Cast];

    /// The name by which the command knows it.
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

/// A name that is no operation's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownOperation(String);

impl fmt::Display for UnknownOperation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no operation is named `{}`; there are:", self.0)?;
        Operation::ALL.iter().try_for_each(|operation| write!(f, " {operation}"))
    }
}

impl std::error::Error for UnknownOperation {}
