//! The limits of encounters.

use quadrille_tracks::{Limits, Rules, Units};

/// Limits of encounters and rules of tracks: meters and seconds in degrees, else in the units of the file.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Meet {
    /// How near two tracks come; `None` if encounters are not looked for.
    pub within: Option<f64>,
    /// How far apart their heights may be at the same time.
    pub vertical: Option<f64>,
    /// How long an encounter lasts at least.
    pub lasting: Option<f64>,
    /// Encounters of the same tracks with no more time between them are one.
    pub gap: Option<f64>,
    /// Two fixes farther apart in time than this break a track.
    pub max_gap: Option<f64>,
    /// Fixes that can only be reached faster than this are dropped.
    pub max_speed: Option<f64>,
}

impl Meet {
    pub(super) const fn rules(self, units: Units) -> Rules {
        Rules { units, max_gap: self.max_gap, max_speed: self.max_speed }
    }

    /// `None` if encounters are not looked for.
    pub(super) fn limits(self) -> Option<Limits> {
        let Self { vertical, lasting, gap, .. } = self;
        Some(Limits {
            within: self.within?,
            vertical,
            lasting: lasting.unwrap_or_default(),
            gap: gap.unwrap_or_default(),
        })
    }
}
