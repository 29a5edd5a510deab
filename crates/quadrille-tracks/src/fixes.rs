//! The input: positions with times.

use crate::error::Error;
use crate::memory::with_room;
use crate::rules::Units;

/// Numbers farther from zero than this are refused, so that no product overflows.
pub(crate) const MAX_NUMBER: f64 = 1e30;
/// Seconds since 1970 in the year 5138. Milliseconds since then, taken for seconds, would make every gap too long.
const MAX_SECONDS: f64 = 1e11;

/// Fixes as columns of equal length, in any order.
#[derive(Clone, Copy, Debug)]
pub struct Fixes<'a> {
    /// Which track it belongs to: any numbers.
    pub track: &'a [u32],
    /// When: in seconds for [`Units::Degrees`], between -1e11 and 1e11; otherwise in any unit.
    pub time: &'a [f64],
    /// Where: x, or longitude in degrees.
    pub x: &'a [f64],
    /// Where: y, or latitude in degrees.
    pub y: &'a [f64],
    /// Height, in any unit. NaN if unknown; such a fix is skipped. `None` if heights do not matter.
    pub z: Option<&'a [f64]>,
}

/// One fix; see [`Fixes`] for the units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fix {
    /// Which track it belongs to.
    pub track: u32,
    /// When.
    pub time: f64,
    /// x, or longitude in degrees.
    pub x: f64,
    /// y, or latitude in degrees.
    pub y: f64,
    /// Height; 0 if heights do not matter, NaN if unknown.
    pub z: f64,
}

impl Fixes<'_> {
    pub(crate) fn get(&self, position: usize) -> Fix {
        Fix {
            track: self.track[position],
            // Never -0.0.
            time: self.time[position] + 0.0,
            x: self.x[position],
            y: self.y[position],
            z: self.z.map_or(0.0, |z| z[position]),
        }
    }

    /// # Errors
    /// Returns an error if columns differ in length, or a number cannot be used. The message names the fix and the value.
    pub(crate) fn check(&self, units: Units) -> Result<(), Error> {
        let fixes = self.track.len();
        if u32::try_from(fixes).is_err() {
            return Err(Error::too_many(fixes));
        }
        let columns = [("times", self.time), ("values of x", self.x), ("values of y", self.y)];
        let columns = columns.into_iter().chain(self.z.map(|z| ("values of z", z)));
        for (what, length) in columns.map(|(what, column)| (what, column.len())) {
            if length != fixes {
                let told = format!("there are {length} {what}, but {fixes} fixes have a track");
                return Err(Error::new(told));
            }
        }
        (0..fixes).try_for_each(|position| self.get(position).check(position, units))
    }
}

impl Fix {
    /// # Errors
    /// Returns an error if a number cannot be used. The message names it and the fix's position.
    pub(crate) fn check(&self, position: usize, units: Units) -> Result<(), Error> {
        let within = |what, value: f64, most: f64, rule| {
            let wrong = || Error::in_fix(position, format_args!("{what} is {value}; {rule}"));
            if value.abs() <= most { Ok(()) } else { Err(wrong()) }
        };
        match units {
            Units::Plane => {
                within("time", self.time, MAX_NUMBER, "a time is a number between -1e30 and 1e30")?;
                within("x", self.x, MAX_NUMBER, "a coordinate is a number between -1e30 and 1e30")?;
                within("y", self.y, MAX_NUMBER, "a coordinate is a number between -1e30 and 1e30")?;
            }
            Units::Degrees => {
                let rule = "with degrees, times are in seconds, between -1e11 and 1e11: divide milliseconds by 1000";
                within("time", self.time, MAX_SECONDS, rule)?;
                within("longitude", self.x, 360.0, "degrees are between -360 and 360")?;
                within("latitude", self.y, 90.0, "degrees are between -90 and 90")?;
            }
        }
        let height = if self.z.is_nan() { 0.0 } else { self.z };
        within("height", height, MAX_NUMBER, "a height is a number between -1e30 and 1e30, or NaN if unknown")
    }
}

/// Fixes by track and time.
pub(crate) struct Groups {
    names: Vec<u32>,
    /// Where each track's fixes begin, and the end of the last.
    starts: Vec<u32>,
    fixes: Vec<Row>,
}

/// A fix whose track is known.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Row {
    pub(crate) time: f64,
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) z: f64,
}

impl Groups {
    /// Sorts by counting, since tracks are few; then each track by time, unless it is in order. Equal times stay in the
    /// order they came in. Fixes are copied to their tracks, because fetching each from far away
    /// later would miss the cache.
    ///
    /// # Errors
    /// Returns an error if memory runs out.
    pub(crate) fn new(fixes: &Fixes<'_>) -> Result<Self, Error> {
        let names = distinct(fixes.track);
        let rank = Ranks::new(&names);
        let mut starts = vec![0_u32; names.len() + 1];
        for &name in fixes.track {
            starts[rank.of(name) + 1] += 1;
        }
        for track in 0..names.len() {
            starts[track + 1] += starts[track];
        }
        let mut next = starts.clone();
        let mut rows = with_room(fixes.track.len(), "fixes")?;
        rows.resize(fixes.track.len(), Row::default());
        for (position, &name) in fixes.track.iter().enumerate() {
            let row = &mut next[rank.of(name)];
            let Fix { time, x, y, z, .. } = fixes.get(position);
            rows[*row as usize] = Row { time, x, y, z };
            *row += 1;
        }
        for ends in starts.windows(2) {
            let track = &mut rows[ends[0] as usize..ends[1] as usize];
            if !track.is_sorted_by_key(|row| row.time) {
                track.sort_by(|a, b| a.time.total_cmp(&b.time));
            }
        }
        Ok(Self { names, starts, fixes: rows })
    }

    /// Each track's name and its fixes, in order of time.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &[Row])> {
        let tracks = self.starts.windows(2).map(|ends| &self.fixes[ends[0] as usize..ends[1] as usize]);
        self.names.iter().copied().zip(tracks)
    }
}

/// All different numbers, ascending. Those of neighbors are often the same.
fn distinct(numbers: &[u32]) -> Vec<u32> {
    let mut known = std::collections::HashSet::new();
    let mut before = None;
    for &number in numbers {
        if before != Some(number) {
            known.insert(number);
            before = Some(number);
        }
    }
    let mut known: Vec<_> = known.into_iter().collect();
    known.sort_unstable();
    known
}

/// The position of a number among the different ones.
struct Ranks<'a> {
    names: &'a [u32],
    /// By number, if they are dense enough.
    table: Vec<u32>,
}

impl<'a> Ranks<'a> {
    fn new(names: &'a [u32]) -> Self {
        let positions = names.last().map_or(0, |&last| (last as usize).saturating_add(1));
        let mut table = Vec::new();
        if positions <= 16 * names.len() + 1024 {
            table.resize(positions, 0);
            for (rank, &name) in (0..).zip(names) {
                table[name as usize] = rank;
            }
        }
        Self { names, table }
    }

    fn of(&self, name: u32) -> usize {
        match self.table.get(name as usize) {
            Some(&rank) => rank as usize,
            None => self.names.partition_point(|&known| known < name),
        }
    }
}
