//! Calls for tracks.

use quadrille_bindings as core;
use quadrille_tracks as tracks;

use super::memory::{list, out, wanted};
use super::types::{Encounter, EncounterLimits, Encounters, Fixes, TrackRules, Tracks};
use super::{call, free, keep, with};
use crate::status::{Fault, Status};

/// Tracks, and the encounters found last.
pub(super) struct TracksOf {
    all: tracks::Tracks,
    has_heights: bool,
    found: Vec<Encounter>,
}

/// Makes tracks from fixes. Between two fixes a track moves straight and at constant speed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_tracks_new(fixes: Fixes, rules: TrackRules, made: *mut Tracks) -> Status {
    // SAFETY: passed on.
    call(|| unsafe {
        let (count, made) = (fixes.count, out(made, "made")?);
        let columns = tracks::Fixes {
            track: list(fixes.track, count, "track")?,
            time: list(fixes.time, count, "time")?,
            x: list(fixes.x, count, "x")?,
            y: list(fixes.y, count, "y")?,
            z: if fixes.z.is_null() { None } else { Some(list(fixes.z, count, "z")?) },
        };
        let units = if rules.is_globe == 0 { tracks::Units::Plane } else { tracks::Units::Degrees };
        let limit = |limit: f64| (limit != 0.0).then_some(limit);
        let rules = tracks::Rules { units, max_gap: limit(rules.max_gap), max_speed: limit(rules.max_speed) };
        let all = tracks::Tracks::new(&columns, &rules).map_err(|error| Fault::of_tracks(&error))?;
        keep(TracksOf { all, has_heights: !fixes.z.is_null(), found: Vec::new() }, made)
    })
}

/// Frees tracks and the encounters that they keep.
#[unsafe(no_mangle)]
pub extern "C" fn quadrille_tracks_free(tracks: Tracks) -> Status {
    free(tracks)
}

/// All encounters of two tracks, sorted by start. `found` may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_tracks_encounters(
    tracks: Tracks,
    limits: EncounterLimits,
    found: *mut Encounters,
) -> Status {
    call(|| {
        // SAFETY: passed on.
        let found = unsafe { wanted(found, "found") }?;
        with(tracks, |tracks| {
            let EncounterLimits { within, vertical, lasting, gap } = limits;
            let vertical = tracks.has_heights.then_some(vertical);
            let limits = self::tracks::Limits { within, vertical, lasting, gap };
            let met = tracks.all.encounters(&limits).map_err(|error| Fault::of_tracks(&error))?;
            let mut all = core::room(met.encounters.len())?;
            all.extend(met.encounters.iter().map(encounter));
            tracks.found = all;
            found.write(&tracks.found)
        })
    })
}

fn encounter(met: &tracks::Encounter) -> Encounter {
    Encounter {
        a: met.a,
        b: met.b,
        start: met.start,
        end: met.end,
        closest_time: met.closest_time,
        closest_distance: met.closest_distance,
        closest_vertical: met.closest_vertical.unwrap_or(f64::NAN),
    }
}

/// The encounters that the tracks keep until the next call with them other than this one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_tracks_kept(
    tracks: Tracks,
    found: *mut *const Encounter,
    count: *mut usize,
) -> Status {
    call(|| {
        // SAFETY: passed on.
        let (found, count) = unsafe { (out(found, "found")?, out(count, "count")?) };
        (*found, *count) = with(tracks, |tracks| Ok((tracks.found.as_ptr(), tracks.found.len())))?;
        Ok(())
    })
}
