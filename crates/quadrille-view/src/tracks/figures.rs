//! What a player shows, in numbers.

use serde::Serialize;

use super::player::Player;

/// The figures of tracks.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TrackFigures<'a> {
    file: &'a str,
    tracks: usize,
    fixes: usize,
    pairs: usize,
    encounters: usize,
    /// The present time.
    at: f64,
    /// Tracks that are somewhere at the present time.
    present: usize,
    /// Encounters at the present time.
    in_progress: usize,
}

impl<'a> TrackFigures<'a> {
    /// Takes all figures.
    pub fn new(player: &'a Player) -> Self {
        let found = &player.found;
        Self {
            file: &player.title,
            tracks: player.count(),
            fixes: player.fixes,
            pairs: found.pairs,
            encounters: found.encounters.len(),
            at: player.at,
            present: player.present().count(),
            in_progress: player.lit().iter().filter(|lit| lit.glow >= 1.0).count(),
        }
    }
}
