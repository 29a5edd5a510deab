//! Options of `near` and `view` for files of fixes: columns and limits.

use std::ffi::OsString;
use std::path::Path;

use clap::Args;
use quadrille_files::{FixChoice, Fixes, Times};
use quadrille_tracks::Units;

use crate::failure::Failure;
use crate::quantity::{self, Quantity};
use crate::{names, text};

/// Columns of the files and limits of encounters, other than the distance.
#[derive(Args, Debug)]
pub(crate) struct Asked {
    /// Largest difference in height at the same time: 1000ft or 300m if the column's name gives its unit, otherwise a
    /// number
    #[arg(long, value_name = "HEIGHT", value_parser = quantity::length, allow_hyphen_values = true)]
    pub(super) vertical: Option<Quantity>,
    /// Only encounters that last at least this long: 90s, 2min, 1.5h; a number is seconds, or on a plane in the unit of
    /// plain times
    #[arg(long = "for", value_name = "DURATION", value_parser = quantity::duration, allow_hyphen_values = true)]
    pub(super) lasting: Option<Quantity>,
    /// Merge encounters of the same two tracks that are no farther apart in time than this: 5min; a number as for --for
    #[arg(long, value_name = "DURATION", value_parser = quantity::duration, allow_hyphen_values = true)]
    pub(super) gap: Option<Quantity>,
    /// Split a track at gaps longer than this: 15min; a number as for --for. Recommended unless every track is received without interruption
    #[arg(long, value_name = "DURATION", value_parser = quantity::duration, allow_hyphen_values = true)]
    pub(super) max_gap: Option<Quantity>,
    /// Drop fixes that could only be reached faster than this: 40kn, 30m/s, 100km/h; a number is meters per second, or
    /// on a plane in the units of the file
    #[arg(long, value_name = "SPEED", value_parser = quantity::speed, allow_hyphen_values = true)]
    pub(super) max_speed: Option<Quantity>,
    /// Column of track ids, by name or by number from 1; FILE2 uses the same, or a second one after a comma
    #[arg(long, value_name = "COLUMN", value_delimiter = ',')]
    id: Vec<String>,
    /// Column of times, or one of dates and one of times of day: date+time
    #[arg(long, value_name = "COLUMN", value_delimiter = ',')]
    time: Vec<String>,
    /// The format of times, as for strftime: '%d/%m/%Y %H:%M:%S'; of numbers: seconds, milliseconds, microseconds or
    /// nanoseconds (since 1970), days (of a spreadsheet), or plain [default: ISO 8601, day/month/year or month/day/year if a date decides, or
    /// numbers]
    #[arg(long, value_name = "FORMAT")]
    time_format: Option<String>,
    /// Take dates without a zone for UTC although the times of the other file have a zone or are since 1970
    #[arg(long)]
    utc: bool,
    /// Column of x, or longitudes
    #[arg(long, value_name = "COLUMN", value_delimiter = ',', requires = "y")]
    x: Vec<String>,
    /// Column of y, or latitudes
    #[arg(long, value_name = "COLUMN", value_delimiter = ',', requires = "x")]
    y: Vec<String>,
    /// Column of heights
    #[arg(long, value_name = "COLUMN", value_delimiter = ',', requires = "vertical")]
    z: Vec<String>,
    /// Does the first row hold column names? yes or no [default: detected, and reported]
    #[arg(long, value_name = "ANSWER", value_parser = names::yes_or_no, value_delimiter = ',')]
    header: Vec<bool>,
    /// What the coordinates are: of a plane in any unit, or longitude and latitude [default: inferred from the column
    /// names]
    #[arg(long, value_name = "NAME", value_parser = names::one_of(Units::ALL, Units::name))]
    units: Option<Units>,
    /// Count and leave out rows that cannot be read, instead of stopping at the first
    #[arg(long)]
    skip_invalid: bool,
}

impl Asked {
    /// Checks what can be checked before anything is read.
    pub(crate) fn check(&self, inputs: &[&Path]) -> Result<(), Failure> {
        let Self { id, time, x, y, z, header, .. } = self;
        let columns = [("--id", id), ("--time", time), ("--x", x), ("--y", y), ("--z", z)];
        let columns = columns.into_iter().map(|(option, columns)| (option, columns.len(), "columns"));
        for (option, count, what) in columns.chain([("--header", header.len(), "answers")]) {
            if count > inputs.len() {
                let files = text::count(inputs.len() as u64, "file");
                return Err(Failure::Bad(format!("{option} names {count} {what} for {files}")));
            }
        }
        Ok(())
    }

    /// Whether any of it is set.
    pub(crate) fn is_set(&self) -> bool {
        self.is_of_tracks() || !self.id.is_empty() || !self.header.is_empty() || self.skip_invalid
    }

    /// Whether anything is set that only tracks have; boxes have ids, headers and invalid rows, too.
    pub(crate) fn is_of_tracks(&self) -> bool {
        let Self { vertical, lasting, gap, max_gap, max_speed, time, time_format, utc, x, y, z, units, .. } = self;
        let limits = [vertical, lasting, gap, max_gap, max_speed];
        let columns = [time, x, y, z];
        limits.iter().any(|limit| limit.is_some())
            || columns.iter().any(|column| !column.is_empty())
            || time_format.is_some()
            || *utc
            || units.is_some()
    }

    /// The columns of a file and its units, in the notation of the options.
    pub(crate) fn columns(&self, file: usize) -> Vec<OsString> {
        let FixChoice { id, time, time_format, position, height, header, coordinates, skip_invalid, .. } =
            self.choice(file);
        let [x, y] = position.map_or([None, None], |columns| columns.map(Some));
        let skips = skip_invalid.then(|| "invalid".into());
        let options = [
            ("--id", id),
            ("--time", time),
            ("--time-format", time_format),
            ("--x", x),
            ("--y", y),
            ("--z", height),
            ("--units", coordinates.map(|units| units.name().into())),
            ("--header", header.map(|header| if header { "yes" } else { "no" }.into())),
            ("--skip", skips),
        ];
        let options = options.into_iter().filter_map(|(option, column)| Some([option.into(), column?.into()]));
        options.flatten().collect()
    }

    /// One file, or two that are comparable.
    pub(crate) fn read(&self, inputs: &[&Path]) -> Result<Vec<Fixes>, Failure> {
        let read = |(number, path): (usize, &&Path)| Fixes::read(path, &self.choice(number));
        let mut files = inputs.iter().enumerate().map(read).collect::<Result<Vec<_>, _>>()?;
        if let [first, second] = files.as_mut_slice() {
            agree(first, second, self.utc)?;
        }
        Ok(files)
    }

    /// What to read of a file.
    pub(crate) fn choice(&self, file: usize) -> FixChoice {
        let column = |columns: &[String]| columns.get(file).or(columns.first()).cloned();
        FixChoice {
            id: column(&self.id),
            time: column(&self.time),
            time_format: self.time_format.clone(),
            position: column(&self.x).zip(column(&self.y)).map(|(x, y)| [x, y]),
            height: column(&self.z),
            with_heights: self.vertical.is_some(),
            header: self.header.get(file).or(self.header.first()).copied(),
            coordinates: self.units,
            skip_invalid: self.skip_invalid,
        }
    }
}

/// Makes two files comparable, or returns why they are not. Heights of the second are converted if necessary.
fn agree(first: &Fixes, second: &mut Fixes, is_utc: bool) -> Result<(), Failure> {
    if first.track.is_empty() || second.track.is_empty() {
        return Ok(());
    }
    let differ = |what: &str, one: &str, other: &str| {
        Err(Failure::Bad(format!("{what} of {} are {one}, and those of {} are {other}", first.name, second.name)))
    };
    if first.coordinates != second.coordinates {
        let words = |fixes: &Fixes| if fixes.coordinates == Units::Degrees { "degrees" } else { "those of a plane" };
        return differ("coordinates", words(first), &format!("{}; use --units to set both", words(second)));
    }
    match (&first.system, &second.system) {
        (Some(one), Some(other)) if one.is_apart(other) => {
            return differ("coordinates", &format!("in {one}"), &format!("in {other}"));
        }
        _ => {}
    }
    if first.times.is_calendar() != second.times.is_calendar() {
        return differ("times", &first.times.to_string(), &second.times.to_string());
    }
    let are_local = |fixes: &Fixes| fixes.times == Times::Iso { has_zone: false };
    if !is_utc && are_local(first) != are_local(second) {
        let words = |fixes: &Fixes| match fixes.times {
            Times::Iso { has_zone: true } => "dates with a zone".into(),
            Times::Iso { has_zone: false } => "dates without a zone".into(),
            numbers => numbers.to_string(),
        };
        return differ("times", &words(first), &format!("{}; --utc takes dates without a zone for UTC", words(second)));
    }
    match (first.height_unit, second.height_unit) {
        (one, other) if one == other => {}
        (Some(one), Some(other)) => {
            let factor = other.meters() / one.meters();
            second.z.iter_mut().flatten().for_each(|height| *height *= factor);
        }
        _ => return differ("heights", unit_in_words(first), unit_in_words(second)),
    }
    Ok(())
}

fn unit_in_words(fixes: &Fixes) -> &'static str {
    fixes.height_unit.map_or("in a unit that the column name does not give", |unit| unit.name())
}
