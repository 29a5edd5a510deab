//! How agents on a map find their way.

use std::fmt;
use std::str::FromStr;

/// How agents find their way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
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
    /// All of them, in the order of the menu.
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
