//! Rules and limits in the units of computation: meters and seconds if coordinates are degrees, otherwise those of the
//! files.

use quadrille_files::Fixes;
use quadrille_tracks::{Limits, Rules, Units};

use super::Asked;
use crate::failure::Failure;
use crate::quantity::Quantity;

/// The requested rules and limits; the distance is 0 if none was requested.
pub(crate) fn of(asked: &Asked, within: Option<&Quantity>, files: &[Fixes]) -> Result<(Rules, Limits), Failure> {
    // Without fixes, nothing says what units are, and none are wrong.
    let known = files.iter().find(|file| !file.track.is_empty());
    let units = known.unwrap_or(&files[0]).coordinates;
    let is_plane = known.is_some() && units == Units::Plane;
    let lengths = is_plane.then_some("a plane has the units of the file (--units degrees, if these are degrees)");
    // If coordinates are degrees, plain times are seconds.
    let are_plain = is_plane && !known.is_some_and(|file| file.times.is_calendar());
    let times = are_plain.then_some("the times in the file are plain numbers without a known unit");
    let speeds = is_plane.then_some("speeds on a plane are in the units of the file");
    let read =
        |option, asked: Option<&Quantity>, why_bare| asked.map(|asked| value(option, asked, why_bare)).transpose();
    let rules = Rules {
        units,
        max_gap: read("--max-gap", asked.max_gap.as_ref(), times)?,
        max_speed: read("--max-speed", asked.max_speed.as_ref(), speeds)?,
    };
    let limits = Limits {
        within: read("--within", within, lengths)?.unwrap_or(0.0),
        vertical: asked.vertical.as_ref().map(|vertical| height(vertical, known)).transpose()?,
        lasting: read("--for", asked.lasting.as_ref(), times)?.unwrap_or(0.0),
        gap: read("--gap", asked.gap.as_ref(), times)?.unwrap_or(0.0),
    };
    Ok((rules, limits))
}

/// A number; if there is a reason why it must be bare, without a unit.
fn value(option: &str, asked: &Quantity, why_bare: Option<&str>) -> Result<f64, Failure> {
    match why_bare {
        Some(why) if asked.has_unit() => {
            Err(Failure::Bad(format!("{option} {asked}: {why}; give a number without a unit")))
        }
        _ => Ok(asked.value()),
    }
}

/// A difference of heights in the unit of the heights.
fn height(asked: &Quantity, known: Option<&Fixes>) -> Result<f64, Failure> {
    match known.map(|fixes| fixes.height_unit) {
        None => Ok(asked.value()),
        Some(Some(unit)) if asked.has_unit() => Ok(asked.value() / unit.meters()),
        _ => {
            let why = "the name of the height column does not give its unit (as altitude_ft does)";
            value("--vertical", asked, Some(why))
        }
    }
}
