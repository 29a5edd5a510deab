//! Rules and limits in the units of computation: meters and seconds if coordinates are degrees, otherwise those of the
//! files.

use quadrille_files::Fixes;
use quadrille_tracks::{Limits, Rules, Units};

use super::Asked;
use crate::failure::Failure;
use crate::quantity::Quantity;

/// The requested rules and limits; the distance is 0 if none was requested.
pub(crate) fn of(asked: &Asked, within: Option<&Quantity>, files: &[Fixes]) -> Result<(Rules, Limits), Failure> {
    let units = files[0].coordinates;
    let scale = Scale { units, is_calendar: files[0].times.is_calendar() };
    let optional = |option, asked: &Option<Quantity>, read: fn(Scale, &str, &Quantity) -> Result<f64, Failure>| {
        asked.as_ref().map(|asked| read(scale, option, asked)).transpose()
    };
    let rules = Rules {
        units,
        max_gap: optional("--max-gap", &asked.max_gap, Scale::duration)?,
        max_speed: optional("--max-speed", &asked.max_speed, Scale::speed)?,
    };
    let limits = Limits {
        within: within.map_or(Ok(0.0), |within| scale.length("--within", within))?,
        vertical: asked.vertical.as_ref().map(|vertical| height(vertical, &files[0])).transpose()?,
        lasting: optional("--for", &asked.lasting, Scale::duration)?.unwrap_or(0.0),
        gap: optional("--gap", &asked.gap, Scale::duration)?.unwrap_or(0.0),
    };
    Ok((rules, limits))
}

/// In which units lengths and times are.
#[derive(Clone, Copy)]
struct Scale {
    units: Units,
    is_calendar: bool,
}

impl Scale {
    fn length(self, option: &str, asked: &Quantity) -> Result<f64, Failure> {
        match self.units {
            Units::Degrees => Ok(asked.value()),
            Units::Plane => {
                bare(option, asked, "a plane has the units of the file (--units degrees, if these are degrees)")
            }
        }
    }

    /// If coordinates are degrees, plain times are seconds.
    fn duration(self, option: &str, asked: &Quantity) -> Result<f64, Failure> {
        match self.units {
            Units::Plane if !self.is_calendar => {
                bare(option, asked, "the times in the file are plain numbers without a known unit")
            }
            _ => Ok(asked.value()),
        }
    }

    fn speed(self, option: &str, asked: &Quantity) -> Result<f64, Failure> {
        match self.units {
            Units::Degrees => Ok(asked.value()),
            Units::Plane => bare(option, asked, "speeds on a plane are in the units of the file"),
        }
    }
}

/// A number without a unit.
fn bare(option: &str, asked: &Quantity, why: &str) -> Result<f64, Failure> {
    if asked.has_unit() {
        Err(Failure::Bad(format!("{option} {asked}: {why}; give a number without a unit")))
    } else {
        Ok(asked.value())
    }
}

/// A difference of heights in the unit of the heights.
fn height(asked: &Quantity, fixes: &Fixes) -> Result<f64, Failure> {
    match fixes.height_unit {
        Some(unit) if asked.has_unit() => Ok(asked.value() / unit.meters()),
        _ => bare("--vertical", asked, "the name of the height column does not give its unit (as altitude_ft does)"),
    }
}
