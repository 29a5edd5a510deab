//! What agents on a map go by.

use std::fmt;
use std::str::FromStr;

/// What agents go by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Guide {
    /// Each has a path to B from the start, watches it, and looks for another when an edit breaks it. Who arrives starts again.
    #[default]
    Path,
    /// All read the flow field of B, from wherever they are. Who arrives begins again anywhere.
    Flow,
    /// Each has a goal of its own, asks a queue for a path and waits for its turn. Who arrives takes another goal.
    Each,
}

impl Guide {
    /// All, in the order in which they are offered.
    pub const ALL: [Self; 3] = [Self::Path, Self::Flow, Self::Each];

    /// Its name in menus and in shared views.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Flow => "flow",
            Self::Each => "each",
        }
    }

    /// Whether agents go from A to B, or to B.
    #[must_use]
    pub const fn has_ends(self) -> bool {
        !matches!(self, Self::Each)
    }
}

impl fmt::Display for Guide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Guide {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|guide| guide.name() == name)
            .ok_or_else(|| format!("agents go by {}", Self::ALL.map(Self::name).join(", ")))
    }
}
