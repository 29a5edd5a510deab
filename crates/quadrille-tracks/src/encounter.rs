//! The results.

use crate::rules::Skipped;

/// Two tracks were within the limits from one time to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Encounter {
    /// One track: within one set the lower number, between two sets the one of the first.
    pub a: u32,
    /// The other track.
    pub b: u32,
    /// When it began.
    pub start: f64,
    /// When it ended; equal to `start` if they only touched the limit.
    pub end: f64,
    /// When they were closest to each other, horizontally; the first time if there are several.
    pub closest_time: f64,
    /// How far apart they were then, horizontally.
    pub closest_distance: f64,
    /// How far apart their heights were then; `None` if heights do not matter.
    pub closest_vertical: Option<f64>,
}

impl Encounter {
    /// How long it lasted.
    #[must_use]
    pub fn duration(&self) -> f64 {
        self.end - self.start
    }
}

/// All encounters, and statistics of the input.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// By `start`, then `a`, then `b`.
    pub encounters: Vec<Encounter>,
    /// How many tracks there are.
    pub tracks: usize,
    /// How many fixes were given.
    pub fixes: usize,
    /// How many straight pieces they form.
    pub pieces: usize,
    /// The longest time between two fixes across which a track was followed.
    pub longest_gap: f64,
    /// Which fixes were skipped.
    pub skipped: Skipped,
    /// How many pairs of tracks had an encounter.
    pub pairs: usize,
}
