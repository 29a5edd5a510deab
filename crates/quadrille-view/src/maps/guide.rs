//! How agents on a map find their way.

use serde::Serialize;

/// How agents find their way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Guide {
    /// Each follows its own path to B, watches it, and finds another when an edit breaks it. On arrival it starts
    /// again.
    #[default]
    Path,
    /// All follow the flow field of B from wherever they are. On arrival they start again anywhere.
    Flow,
    /// Each has its own goal, requests a path from a queue and waits for its turn. On arrival it takes another goal.
    Each,
}

impl Guide {
    /// Whether agents go from A to B, or to B.
    pub const fn has_ends(self) -> bool {
        !matches!(self, Self::Each)
    }
}

quadrille::names!(Guide, UnknownGuide, "guide":
    Path "path", Flow "flow", Each "each",
);
