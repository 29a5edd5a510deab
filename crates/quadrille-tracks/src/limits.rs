//! What counts as an encounter.

use crate::error::Error;
use crate::fixes::MAX_NUMBER;
use crate::ground::MAX_ON_GLOBE;
use crate::rules::{Rules, Units};

/// What counts as an encounter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// How far apart two tracks may be; on the globe in meters, at most 1,000 km.
    pub within: f64,
    /// How far apart their heights may be at the same time, in the unit of the heights. `None`: heights do not matter.
    pub vertical: Option<f64>,
    /// The minimum duration, bridged gaps included. 0: an instant is enough.
    pub lasting: f64,
    /// Encounters of the same two tracks that are no farther apart in time than this are merged.
    pub gap: f64,
}

impl Limits {
    /// Within a distance, for any length of time.
    #[must_use]
    pub const fn within(within: f64) -> Self {
        Self { within, vertical: None, lasting: 0.0, gap: 0.0 }
    }

    /// # Errors
    /// Returns an error that names the value that cannot be used.
    pub(crate) fn check(&self, rules: &Rules) -> Result<(), Error> {
        let (farthest, rule) = match rules.units {
            Units::Plane => (MAX_NUMBER, "it must be between 0 and 1e30"),
            Units::Degrees => (MAX_ON_GLOBE, "it must be between 0 and 1,000,000 meters"),
        };
        let between = |what, value: f64, most: f64, rule| {
            if (0.0..=most).contains(&value) { Ok(()) } else { Err(Error::option(what, value, rule)) }
        };
        between("the distance", self.within, farthest, rule)?;
        between("the vertical distance", self.vertical.unwrap_or(0.0), MAX_NUMBER, "it must be between 0 and 1e30")?;
        between("the shortest duration", self.lasting, MAX_NUMBER, "it must be between 0 and 1e30")?;
        between("the gap to bridge", self.gap, MAX_NUMBER, "it must be between 0 and 1e30")?;
        match rules.max_gap {
            Some(max_gap) if self.gap > max_gap => Err(Error::new(format!(
                "the gap to bridge is {}, longer than the gap that breaks a track, {max_gap}; an encounter cannot go on where a \
                 track is broken",
                self.gap
            ))),
            _ => Ok(()),
        }
    }
}
