//! What a player shows, in numbers.

use super::player::Player;
use crate::figures::quoted;

impl Player {
    /// As a JSON object.
    #[must_use]
    pub fn figures_json(&self) -> String {
        let found = self.found();
        let lit = self.lit().iter().filter(|lit| lit.glow >= 1.0).count();
        format!(
            "{{\"file\":{},\"tracks\":{},\"fixes\":{},\"pairs\":{},\"encounters\":{},\"at\":{},\"present\":{},\"in_progress\":{lit}}}",
            quoted(self.title()),
            self.count(),
            self.fixes(),
            found.pairs,
            found.encounters.len(),
            self.at(),
            self.present().count(),
        )
    }
}
