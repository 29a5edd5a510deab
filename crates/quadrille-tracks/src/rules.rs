//! How fixes become tracks.

use crate::error::Error;
use crate::ground::Ground;

/// What the coordinates are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Units {
    /// A plane, in any unit of length.
    #[default]
    Plane,
    /// Longitude and latitude in degrees on the WGS 84 ellipsoid; distances are in meters, times in seconds.
    Degrees,
}

quadrille::names!(Units, UnknownUnits, "kind of coordinates": Plane "plane", Degrees "degrees");

/// How fixes become tracks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rules {
    /// What the coordinates are.
    pub units: Units,
    /// Breaks a track between two fixes that are farther apart in time than this: it is nowhere in between. `None`:
    /// never.
    pub max_gap: Option<f64>,
    /// A fix that could only be reached from the one before it at a greater speed is skipped. The first fix of a track,
    /// and the first after a [gap](Self::max_gap), is always kept. `None`: every fix is. In [`Units::Degrees`]: meters
    /// per second.
    pub max_speed: Option<f64>,
}

/// Fixes that were skipped, by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Skipped {
    /// The same track, time and position as another fix.
    pub repeated: usize,
    /// The same track and time as another fix, at another position: the first one given counts, of those that
    /// [`Rules::max_speed`] does not rule out.
    pub conflicting: usize,
    /// Impossible to reach at [`Rules::max_speed`].
    pub too_fast: usize,
    /// Without a height, if heights matter.
    pub no_height: usize,
}

impl Skipped {
    /// All of them.
    #[must_use]
    pub fn total(&self) -> usize {
        self.repeated + self.conflicting + self.too_fast + self.no_height
    }
}

/// A fix in the ground's own coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stop<const D: usize> {
    pub(crate) time: f64,
    pub(crate) position: [f64; D],
    pub(crate) height: f64,
}

/// What becomes of a fix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The track continues to it.
    GoesOn,
    /// The track begins with it, or begins again.
    Begins,
    Skipped,
}

impl Rules {
    /// Tracks without breaks; all fixes are kept.
    #[must_use]
    pub const fn new(units: Units) -> Self {
        Self { units, max_gap: None, max_speed: None }
    }

    /// # Errors
    /// Returns an error that names the value that cannot be used.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let positive = |what, value: Option<f64>| match value {
            Some(value) if value.is_nan() || value <= 0.0 => Err(Error::option(what, value, "it must be above zero")),
            _ => Ok(()),
        };
        positive("the gap that breaks a track", self.max_gap)?;
        positive("the maximum speed", self.max_speed)
    }

    /// What becomes of the next fix of a track, whose last one that counted was `last`. Fixes come in order of time.
    pub(crate) fn judge<G: Ground<D>, const D: usize>(
        &self,
        last: Option<&Stop<D>>,
        next: &Stop<D>,
        skipped: &mut Skipped,
    ) -> Verdict {
        if next.height.is_nan() {
            skipped.no_height += 1;
            return Verdict::Skipped;
        }
        let Some(last) = last else { return Verdict::Begins };
        let took = next.time - last.time;
        if took <= 0.0 {
            let same = last.position == next.position && last.height == next.height;
            *(if same { &mut skipped.repeated } else { &mut skipped.conflicting }) += 1;
            return Verdict::Skipped;
        }
        if self.max_gap.is_some_and(|longest| took > longest) {
            return Verdict::Begins;
        }
        if self.max_speed.is_some_and(|fastest| G::distance(&last.position, &next.position) > fastest * took) {
            skipped.too_fast += 1;
            return Verdict::Skipped;
        }
        Verdict::GoesOn
    }
}
