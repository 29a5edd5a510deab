//! Which columns of a table make up fixes.

use std::fmt::Write;

use quadrille_tracks::Units;

use crate::columns::Columns;
use crate::dates;
use crate::error::Error;
use crate::fix_choice::{FixChoice, HeightUnit};
use crate::hull::Hull;
use crate::layout;
use crate::points;
use crate::system::System;
use crate::table::{Row, Table};
use crate::times::{TimeColumns, Times};

/// Numbers farther from zero than this are refused: their squares could overflow.
pub(crate) const MAX_NUMBER: f64 = 1e30;

/// Usual names of columns, the most specific first: `id` is often that of the row, and `track` a heading.
const IDS: &[&str] = &[
    "mmsi", "icao24", "icao", "hexident", "icaoaddress", "trackid", "trajectoryid", "trajid", "vesselid", "shipid",
    "vehicleid", "aircraftid", "flightid", "agentid", "objectid", "personid", "pedestrianid", "pedid", "userid",
    "deviceid", "animalid", "individualid", "individuallocalidentifier", "taglocalidentifier", "taxiid", "busid",
    "entityid", "callsign", "flight", "vessel", "ship", "vehicle", "aircraft", "agent", "person", "individual",
    "animal", "tripid", "id", "track", "trackfid", "name",
];
const TIMES: &[&str] = &[
    "time", "timestamp", "timestampms", "timestamps", "datetime", "basedatetime", "timestamputc", "datetimeutc",
    "timeutc", "utc", "t", "ts", "epoch", "unixtime", "timems", "times", "timeposition", "recordedat", "date",
    "seconds", "frame", "frameid", "framenumber", "step",
];
const HEIGHTS: &[&str] = &[
    "z", "altitude", "alt", "altitudeft", "altitudem", "altft", "altm", "baroaltitude", "geoaltitude", "altbaro",
    "altgeom", "altitudebaro", "height", "heightm", "heightft", "heightaboveellipsoid", "heightabovemsl", "elevation",
    "ele",
];

/// Times of day, which have no date.
const TIMES_OF_DAY: &[&str] = &["time", "timeofday", "clock", "timeutc", "utctime", "utc"];
const DATES: &[&str] = &["date", "day", "datestamp", "dateutc", "utcdate"];

/// The columns that make up a fix.
pub(crate) struct Layout {
    pub(crate) id: usize,
    pub(crate) time: usize,
    /// Times of day, if the times are only dates.
    of_day: Option<usize>,
    /// Dates that are not read.
    unread: Option<usize>,
    /// Two columns, of x and of y, or one of geometries, which are points.
    position: Vec<usize>,
    pub(crate) height: Option<usize>,
    pub(crate) coordinates: Units,
    pub(crate) height_unit: Option<HeightUnit>,
    /// The coordinate system, as soon as one is named.
    pub(crate) system: Option<System>,
}

impl Layout {
    pub(crate) fn of(table: &Table, choice: &FixChoice) -> Result<Self, String> {
        let all = table.columns();
        let is_complete = choice.id.is_some() && choice.time.is_some() && choice.position.is_some();
        if all.names().is_empty() && !is_complete {
            let expected = "choose them by number, such as --id 1 --time 2 --x 3 --y 4";
            return Err(format!("{} without a header; {expected}", all.count()));
        }
        let one = |chosen: &Option<String>, known: &[&str], what, option| match chosen {
            Some(chosen) => all.column(chosen),
            None => named(all, known, what, option),
        };
        let (time, of_day) = match &choice.time {
            Some(chosen) => times_chosen(all, chosen)?,
            None => (named(all, TIMES, "times (time, timestamp, t or such)", "--time")?, None),
        };
        let position = position_of(table, choice)?;
        if choice.coordinates != Some(Units::Plane) {
            points::check_x(&all.name(position[0])).map_err(|what| format!("{what}; --units plane takes it"))?;
        }
        let height = match choice.with_heights {
            true => Some(one(&choice.height, HEIGHTS, "heights (altitude, z or such)", "--z")?),
            false => None,
        };
        let is_own = choice.position.is_none() && position == table.records.own_shape();
        let system = table.system().filter(|_| is_own);
        let are_degrees = points::is_longitude(&all.name(position[0])) || system.is_some_and(System::is_degrees);
        let as_named = if are_degrees { Units::Degrees } else { Units::Plane };
        if let (Some(system), Some(Units::Degrees)) = (system, choice.coordinates) {
            system.check_globe()?;
        }
        Ok(Self {
            id: one(&choice.id, IDS, "tracks (mmsi, icao24, vehicle_id, id or such)", "--id")?,
            time,
            of_day,
            unread: None,
            position,
            height,
            coordinates: choice.coordinates.unwrap_or(as_named),
            height_unit: height.and_then(|column| HeightUnit::of(&all.name(column))),
            system: system.cloned(),
        })
    }

    /// If the first row has a time of day, its date is looked up in another column.
    ///
    /// # Errors
    /// Returns an error if it is a number that may be a time of day.
    pub(crate) fn find_date(&mut self, all: &Columns, first: &Row<'_>, choice: &FixChoice) -> Result<(), Error> {
        if choice.time.is_some() {
            return Ok(());
        }
        // A given format says what the time is by itself.
        let has_format = choice.time_format.is_some();
        let Some(date) = date(all).filter(|date| *date != self.time) else { return Ok(()) };
        let Some(time) = all.find(TIMES_OF_DAY).filter(|time| *time == self.time) else {
            self.unread = Some(date).filter(|_| !has_format);
            return Ok(());
        };
        let text = first.text(time)?;
        if dates::is_time_of_day(&text) || !has_format && dates::time_in_digits(&text).is_some() {
            self.time = all.only(date).map_err(|what| first.error(date, what))?;
            self.of_day = Some(time);
            return Ok(());
        }
        let is_plain = |number| Times::of_number(number) == Times::Plain && dates::of_digits(&text).is_none();
        if has_format || !first.number(time).is_ok_and(is_plain) {
            return Ok(());
        }
        let [time_name, date_name] = [time, date].map(|column| all.name(column));
        let what = format!(
            "is a number beside a column of dates; --time {date_name}+{time_name} joins them (HHMM or HHMMSS, with leading \
            zeros), --time {time_name} takes the numbers alone"
        );
        Err(first.error(time, what))
    }

    /// Where times are.
    pub(crate) fn times(&self) -> TimeColumns {
        TimeColumns { time: self.time, of_day: self.of_day, unread: self.unread }
    }

    /// The columns that are read.
    pub(crate) fn columns(&self) -> Vec<usize> {
        [self.id, self.time]
            .into_iter()
            .chain(self.of_day)
            .chain(self.position.iter().copied())
            .chain(self.height)
            .collect()
    }

    /// Whether a row lacks something that every fix needs.
    pub(crate) fn is_missing(&self, row: &Row<'_>) -> bool {
        [self.id, self.time].iter().chain(&self.of_day).chain(&self.position).any(|column| row.is_no_number(*column))
    }

    /// Whether the position is what AIS sends for an unknown one: latitude 91 or longitude 181 (ITU-R M.1371).
    pub(crate) fn is_unavailable(&self, row: &Row<'_>) -> bool {
        let is = |column: usize, none: &str| {
            row.bytes(column).is_ok_and(|text| text.starts_with(none.as_bytes()))
                && row.number(column).ok() == none.parse().ok()
        };
        self.coordinates == Units::Degrees
            && if let [x, y] = self.position[..] {
                is(x, "181") || is(y, "91")
            } else {
                let position = self.read_position(row, Hull::new(false)).ok().flatten();
                position.is_some_and(|[x, y]| x == 181.0 || y == 91.0)
            }
    }

    /// Names of the columns in messages if there is no header.
    pub(crate) fn labels(&self) -> impl Iterator<Item = (usize, &'static str)> {
        let names = if self.position.len() == 2 { &["x", "y"][..] } else { &["geometry"] };
        let position = self.position.iter().copied().zip(names.iter().copied());
        let height = self.height.map(|column| (column, "z"));
        [(self.id, "id"), (self.time, "time")].into_iter().chain(position).chain(height)
    }

    /// The position in a row; `None` if the geometry is empty.
    pub(crate) fn position(&mut self, row: &Row<'_>) -> Result<Option<[f64; 2]>, Error> {
        let mut named = None;
        let hull = Hull::new(self.coordinates == Units::Degrees).naming(&mut named);
        let Some([x, y]) = self.read_position(row, hull)? else { return Ok(None) };
        let (first, last) = (self.position[0], self.position[self.position.len() - 1]);
        System::agree(&mut self.system, named).map_err(|what| row.error(first, what))?;
        match self.coordinates {
            Units::Plane => Ok(Some([within(row, first, x, MAX_NUMBER, FAR)?, within(row, last, y, MAX_NUMBER, FAR)?])),
            Units::Degrees => Ok(Some([
                within(row, first, x, 360.0, "is not a longitude: degrees from -360 to 360 are expected")?,
                within(row, last, y, 90.0, "is not a latitude: degrees from -90 to 90 are expected")?,
            ])),
        }
    }

    /// The same as the file has it.
    fn read_position(&self, row: &Row<'_>, hull: Hull<'_>) -> Result<Option<[f64; 2]>, Error> {
        if let [x, y] = self.position[..] {
            return Ok(Some([row.number(x)?, row.number(y)?]));
        }
        let geometry = self.position[0];
        match row.bounds(geometry, hull)? {
            Some(bounds) if bounds.min == bounds.max => Ok(Some(bounds.min)),
            Some(_) => Err(row.error(geometry, "is not a point: each fix needs one position")),
            None => Ok(None),
        }
    }

    /// What each column was used for.
    pub(crate) fn in_words(&self, all: &Columns, (times, words): (Times, &str)) -> String {
        let [id, mut time] = [self.id, self.time].map(|column| all.name(column));
        let position: Vec<_> = self.position.iter().map(|column| all.name(*column)).collect();
        if let Some(of_day) = self.of_day {
            let _ = write!(time, ", {}", all.name(of_day));
        }
        let unit = if (times, self.coordinates) == (Times::Plain, Units::Degrees) { ", taken as seconds" } else { "" };
        let times = if words.is_empty() { String::new() } else { format!(" ({words}{unit})") };
        let (units, position) = (self.coordinates, position.join(", "));
        let mut words = format!("id from {id}, time from {time}{times}, {units} from {position}");
        if let Some(height) = self.height {
            let unit = self.height_unit.map_or(String::new(), |unit| format!(" ({})", unit.name()));
            let _ = write!(words, ", height from {}{unit}", all.name(height));
        }
        words
    }
}

/// The columns of positions: the chosen ones, or the format's own, or those found by their names.
fn position_of(table: &Table, choice: &FixChoice) -> Result<Vec<usize>, String> {
    let all = table.columns();
    match (&choice.position, table.records.own_shape()) {
        (Some([x, y]), _) => Ok(vec![all.column(x)?, all.column(y)?]),
        (None, own @ ([_] | [_, _])) => Ok(own.to_vec()),
        (None, _) => {
            by_name(all, choice.coordinates).or_else(|what| Ok(vec![all.only(layout::geometry(all).ok_or(what)?)?]))
        }
    }
}

/// The column of dates that may go with times of day.
pub(crate) fn date(all: &Columns) -> Option<usize> {
    all.find(DATES)
}

/// A column of times, or one of dates and one of times of day: `date+time`.
fn times_chosen(all: &Columns, chosen: &str) -> Result<(usize, Option<usize>), String> {
    match (all.column(chosen), chosen.split_once('+')) {
        (Err(_), Some((date, of_day))) => Ok((all.column(date)?, Some(all.column(of_day)?))),
        (column, _) => Ok((column?, None)),
    }
}

/// The columns of positions by name: degrees if a file has both, unless the plane was requested.
fn by_name(all: &Columns, coordinates: Option<Units>) -> Result<Vec<usize>, String> {
    let known = match coordinates {
        Some(Units::Plane) => [points::PLANE, points::DEGREES],
        _ => [points::DEGREES, points::PLANE],
    };
    let [x, y] =
        points::find(all, &known).ok_or_else(|| none(all, "places (lon and lat, x and y or such)", "--x and --y"))?;
    Ok(vec![all.only(x)?, all.only(y)?])
}

/// The column with the first of these names that any column has.
fn named(all: &Columns, known: &[&str], what: &str, option: &str) -> Result<usize, String> {
    all.only(all.find(known).ok_or_else(|| none(all, what, option))?)
}

fn none(all: &Columns, what: &str, option: &str) -> String {
    format!("no column of {what} among {}; choose with {option}", all.list())
}

pub(crate) const FAR: &str = "is beyond what can be computed with: 1e30";

pub(crate) fn within(row: &Row<'_>, column: usize, number: f64, most: f64, what: &str) -> Result<f64, Error> {
    if number.abs() <= most { Ok(number) } else { Err(row.error(column, what)) }
}

pub(crate) fn height(row: &Row<'_>, column: usize) -> Result<f64, Error> {
    if row.is_no_number(column) { Ok(f64::NAN) } else { within(row, column, row.number(column)?, MAX_NUMBER, FAR) }
}
