//! Tracks in memory, and their queries.

use crate::approach::Reach;
use crate::encounter::{Encounter, Found};
use crate::error::Error;
use crate::fixes::Fixes;
use crate::ground::{Globe, Ground, On, Plane, on_ground};
use crate::limits::Limits;
use crate::memory::with_room;
use crate::motion::{Motion, Run};
use crate::rules::{Rules, Units};
use crate::slabs::sweep;

/// All encounters of the tracks formed by some fixes: [`Tracks::new`] and [`Tracks::encounters`] in one call.
///
/// Takes about 1 µs per fix, and 32 (plane) or 40 bytes per fix besides the fixes; another 32 while tracks are built.
///
/// # Errors
/// Returns an error if a fix or an option cannot be used. The message names it and its value.
pub fn encounters(fixes: &Fixes<'_>, rules: &Rules, limits: &Limits) -> Result<Found, Error> {
    Tracks::new(fixes, rules)?.encounters(limits)
}

/// Tracks, built from fixes: where each was, and which of them met.
#[derive(Clone, Debug)]
pub struct Tracks {
    motion: On<Motion<Plane, 2>, Motion<Globe, 3>>,
    rules: Rules,
}

/// Where a track was at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Position {
    /// When.
    pub time: f64,
    /// x, or longitude in degrees.
    pub x: f64,
    /// y, or latitude in degrees.
    pub y: f64,
}

impl Tracks {
    /// Tracks from fixes in any order. O(n) if each track's fixes are in order of time, otherwise O(n log n).
    ///
    /// # Errors
    /// Returns an error if a fix or a rule cannot be used. The message names it and its value.
    pub fn new(fixes: &Fixes<'_>, rules: &Rules) -> Result<Self, Error> {
        Self::of_sets(&[*fixes], rules)
    }

    /// Tracks of two sets: encounters are then those between a track of the first and a track of the second.
    ///
    /// # Errors
    /// Returns an error if a fix or a rule cannot be used. The message names it, its value, and its position within its set.
    pub fn of_two(first: &Fixes<'_>, second: &Fixes<'_>, rules: &Rules) -> Result<Self, Error> {
        Self::of_sets(&[*first, *second], rules)
    }

    fn of_sets(sets: &[Fixes<'_>], rules: &Rules) -> Result<Self, Error> {
        rules.check()?;
        let motion = match rules.units {
            Units::Plane => On::Plane(Motion::new(sets, rules)?),
            Units::Degrees => On::Globe(Motion::new(sets, rules)?),
        };
        Ok(Self { motion, rules: *rules })
    }

    /// All encounters, ordered by start, then by the tracks.
    ///
    /// # Errors
    /// Returns an error if a limit cannot be used. The message names its value.
    pub fn encounters(&self, limits: &Limits) -> Result<Found, Error> {
        self.encounters_while(limits, || true)
    }

    /// [`encounters`](Self::encounters) that can be stopped: `may_go_on` is called every few microseconds.
    ///
    /// # Errors
    /// Returns an error if a limit cannot be used (the message names its value), or if `may_go_on` says no ([`Error::is_stopped`]).
    pub fn encounters_while(&self, limits: &Limits, mut may_go_on: impl FnMut() -> bool) -> Result<Found, Error> {
        limits.check(&self.rules)?;
        on_ground!(&self.motion, motion => found_in(motion, limits, &mut may_go_on))
    }

    /// The accepted fixes of each track and the points between, in order of time: one list for each part without a
    /// break.
    pub fn runs(&self) -> impl Iterator<Item = (u32, Vec<Position>)> {
        (0..on_ground!(&self.motion, motion => motion.runs.len())).map(|run| {
            on_ground!(&self.motion, motion => {
                let run = motion.runs[run];
                (motion.names[run.track as usize], positions(motion, &run, f64::NEG_INFINITY, f64::INFINITY))
            })
        })
    }

    /// The path of a track from one time to another: its positions at these times and at the fixes between, one list
    /// for each part without a break. With two sets, `second` says in which to look. Empty if the track is nowhere
    /// then, or unknown. Takes time proportional to the fixes between, and a binary search.
    #[must_use]
    pub fn path(&self, track: u32, second: bool, from: f64, to: f64) -> Vec<Vec<Position>> {
        on_ground!(&self.motion, motion => path_of(motion, track, second, from, to))
    }
}

fn found_in<G: Ground<D>, const D: usize>(
    motion: &Motion<G, D>,
    limits: &Limits,
    may_go_on: &mut dyn FnMut() -> bool,
) -> Result<Found, Error> {
    let with_heights = limits.vertical.is_some();
    if with_heights && motion.heights.len() < motion.times.len() {
        return Err(Error::new("a vertical limit needs heights, and there are none"));
    }
    let reach = Reach::new::<G, D>(limits);
    let (meetings, pairs) = sweep(motion, limits.within, &reach, limits.gap, may_go_on)?.finish(limits);
    let name = |track: u32| motion.names[track as usize];
    let mut encounters = with_room(meetings.len(), "encounters")?;
    encounters.extend(meetings.iter().map(|meeting| meeting.encounter::<G, D>(meeting.pair.map(name), &reach)));
    encounters.sort_unstable_by(|one: &Encounter, other: &Encounter| {
        one.start.total_cmp(&other.start).then((one.a, one.b).cmp(&(other.a, other.b)))
    });
    Ok(Found {
        encounters,
        tracks: motion.names.len(),
        fixes: motion.fixes,
        pieces: motion.pieces(),
        longest_gap: motion.longest_gap,
        skipped: motion.skipped,
        pairs,
    })
}

fn path_of<G: Ground<D>, const D: usize>(
    motion: &Motion<G, D>,
    track: u32,
    second: bool,
    from: f64,
    to: f64,
) -> Vec<Vec<Position>> {
    let first_set = motion.first_set.map_or(motion.names.len(), |first_set| first_set as usize);
    let names = if second { &motion.names[first_set..] } else { &motion.names[..first_set] };
    let Ok(position) = names.binary_search(&track) else { return Vec::new() };
    let track = u32::try_from(if second { position + first_set } else { position }).expect("a track's number");
    // Runs are in order of track and time.
    let begin =
        motion.runs.partition_point(|run| run.track < track || run.track == track && motion.time(run.last) < from);
    let runs = motion.runs[begin..].iter().take_while(|run| run.track == track);
    runs.map(|run| positions(motion, run, from, to)).take_while(|positions| !positions.is_empty()).collect()
}

/// Where a run was from one time to another.
fn positions<G: Ground<D>, const D: usize>(motion: &Motion<G, D>, run: &Run, from: f64, to: f64) -> Vec<Position> {
    let [from, to] = [from.max(motion.time(run.first)), to.min(motion.time(run.last))];
    if from > to {
        return Vec::new();
    }
    let at = |point: u32, time: f64| {
        let [x, y] = G::coordinates(&motion.piece(run, point).at(time).position);
        Position { time, x, y }
    };
    let times = &motion.times[run.first as usize..=run.last as usize];
    let number = |position: usize| run.first + u32::try_from(position).expect("a point's number");
    let [begin, end] = [times.partition_point(|time| *time <= from), times.partition_point(|time| *time < to)];
    let between = (begin..end).map(|position| at(number(position), times[position]));
    let mut positions = vec![at(number(begin - 1), from)];
    positions.extend(between);
    if to > from {
        positions.push(at(number(end.max(begin) - 1), to));
    }
    positions
}
