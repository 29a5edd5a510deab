//! Which columns of a table make fixes.

use std::fmt::Write;

use crate::columns::Columns;
use crate::dates;
use crate::error::Error;
use crate::fix_choice::{Coordinates, FixChoice, HeightUnit};
use crate::points;
use crate::table::Row;

/// Numbers farther from zero than this are refused: their squares could overflow.
pub(crate) const FARTHEST: f64 = 1e30;

/// Names of the columns of which there may be many; the more telling first: `id` is often that of the row, and `track`
/// a heading.
const IDS: &[&str] = &[
    "mmsi",
    "icao24",
    "icao",
    "hexident",
    "icaoaddress",
    "trackid",
    "trajectoryid",
    "trajid",
    "vesselid",
    "shipid",
    "vehicleid",
    "aircraftid",
    "flightid",
    "agentid",
    "objectid",
    "personid",
    "pedestrianid",
    "pedid",
    "userid",
    "deviceid",
    "animalid",
    "individualid",
    "individuallocalidentifier",
    "taglocalidentifier",
    "taxiid",
    "busid",
    "entityid",
    "callsign",
    "flight",
    "vessel",
    "ship",
    "vehicle",
    "aircraft",
    "agent",
    "person",
    "individual",
    "animal",
    "tripid",
    "id",
    "track",
    "trackfid",
    "name",
];
const TIMES: &[&str] = &[
    "time",
    "timestamp",
    "timestampms",
    "timestamps",
    "datetime",
    "basedatetime",
    "timestamputc",
    "datetimeutc",
    "timeutc",
    "utc",
    "t",
    "ts",
    "epoch",
    "unixtime",
    "timems",
    "times",
    "timeposition",
    "recordedat",
    "date",
    "seconds",
    "frame",
    "frameid",
    "framenumber",
    "step",
];
const HEIGHTS: &[&str] = &[
    "z",
    "altitude",
    "alt",
    "altitudeft",
    "altitudem",
    "altft",
    "altm",
    "baroaltitude",
    "geoaltitude",
    "altbaro",
    "altgeom",
    "altitudebaro",
    "height",
    "heightm",
    "heightft",
    "heightaboveellipsoid",
    "heightabovemsl",
    "elevation",
    "ele",
];

/// Times of day, which have no date.
const TIMES_OF_DAY: &[&str] = &["time", "timeofday", "clock", "timeutc", "utctime", "utc"];
const DATES: &[&str] = &["date", "day", "datestamp", "dateutc", "utcdate"];

/// Which columns make a fix.
pub(crate) struct Layout {
    pub(crate) id: usize,
    pub(crate) time: usize,
    /// Times of day, if the times are only dates.
    pub(crate) of_day: Option<usize>,
    place: [usize; 2],
    pub(crate) height: Option<usize>,
    pub(crate) coordinates: Coordinates,
    pub(crate) height_unit: Option<HeightUnit>,
}

impl Layout {
    pub(crate) fn of(all: &Columns, choice: &FixChoice) -> Result<Self, String> {
        let is_complete = choice.id.is_some() && choice.time.is_some() && choice.place.is_some();
        if all.names().is_empty() && !is_complete {
            let expected = "choose them by number, such as --id 1 --time 2 --x 3 --y 4";
            return Err(format!("{} without a header; {expected}", all.count()));
        }
        let one = |chosen: &Option<String>, known: &[&str], what, option| match chosen {
            Some(chosen) => all.column(chosen),
            None => all.find(known).ok_or_else(|| none(all, what, option)),
        };
        let (time, of_day) = match &choice.time {
            Some(chosen) => times_chosen(all, chosen)?,
            None => (all.find(TIMES).ok_or_else(|| none(all, "times (time, timestamp, t or such)", "--time"))?, None),
        };
        let place = match &choice.place {
            Some([x, y]) => [all.column(x)?, all.column(y)?],
            None => by_name(all, choice.coordinates)?,
        };
        let height = match choice.with_heights {
            true => Some(one(&choice.height, HEIGHTS, "heights (altitude, z or such)", "--z")?),
            false => None,
        };
        let named = if points::is_longitude(&all.name(place[0])) { Coordinates::Degrees } else { Coordinates::Plane };
        Ok(Self {
            id: one(&choice.id, IDS, "tracks (mmsi, icao24, vehicle_id, id or such)", "--id")?,
            time,
            of_day,
            place,
            height,
            coordinates: choice.coordinates.unwrap_or(named),
            height_unit: height.and_then(|column| HeightUnit::of(&all.name(column))),
        })
    }

    /// Where the times of the first row are those of a day, its date is looked for in another column.
    pub(crate) fn find_date(&mut self, all: &Columns, first: &Row<'_>, choice: &FixChoice) {
        let (Some(time), Some(date)) = (all.find(TIMES_OF_DAY), all.find(DATES)) else { return };
        if choice.time.is_none() && self.time == time && dates::is_time_of_day(&first.text(time)) {
            (self.time, self.of_day) = (date, Some(time));
        }
    }

    /// What no fix is without.
    pub(crate) fn needed(&self) -> [usize; 4] {
        [self.id, self.time, self.place[0], self.place[1]]
    }

    /// Whether the place is one that AIS sends where there is none: latitude 91 or longitude 181 (ITU-R M.1371).
    pub(crate) fn is_unavailable(&self, row: &Row<'_>) -> bool {
        let is = |column: usize, none: &str| {
            row.bytes(column).starts_with(none.as_bytes()) && row.number(column).ok() == none.parse().ok()
        };
        self.coordinates == Coordinates::Degrees && (is(self.place[0], "181") || is(self.place[1], "91"))
    }

    /// What messages call the columns where there is no header.
    pub(crate) fn labels(&self) -> impl Iterator<Item = (usize, &'static str)> {
        self.needed().into_iter().zip(["id", "time", "x", "y"]).chain(self.height.map(|column| (column, "z")))
    }

    pub(crate) fn place(&self, row: &Row<'_>) -> Result<[f64; 2], Error> {
        let [x, y] = self.place;
        let numbers = [row.number(x)?, row.number(y)?];
        match self.coordinates {
            Coordinates::Plane => {
                Ok([within(row, x, numbers[0], FARTHEST, FAR)?, within(row, y, numbers[1], FARTHEST, FAR)?])
            }
            Coordinates::Degrees => Ok([
                within(row, x, numbers[0], 360.0, "is no longitude: degrees from -360 to 360 are expected")?,
                within(row, y, numbers[1], 90.0, "is no latitude: degrees from -90 to 90 are expected")?,
            ]),
        }
    }

    /// What was taken as what.
    pub(crate) fn in_words(&self, all: &Columns, times: &str) -> String {
        let [id, mut time, x, y] = self.needed().map(|column| all.name(column));
        if let Some(of_day) = self.of_day {
            let _ = write!(time, ", {}", all.name(of_day));
        }
        let times = if times.is_empty() { String::new() } else { format!(" ({times})") };
        let coordinates = match self.coordinates {
            Coordinates::Plane => "plane",
            Coordinates::Degrees => "degrees",
        };
        let mut words = format!("id from {id}, time from {time}{times}, {coordinates} from {x}, {y}");
        if let Some(height) = self.height {
            let unit = self.height_unit.map_or(String::new(), |unit| format!(" ({})", unit.name()));
            let _ = write!(words, ", height from {}{unit}", all.name(height));
        }
        words
    }
}

/// A column of times, or one of dates and one of times of day: `date+time`.
fn times_chosen(all: &Columns, chosen: &str) -> Result<(usize, Option<usize>), String> {
    match (all.column(chosen), chosen.split_once('+')) {
        (Err(_), Some((date, of_day))) => Ok((all.column(date)?, Some(all.column(of_day)?))),
        (column, _) => Ok((column?, None)),
    }
}

/// Of files with both, degrees are taken, unless the plane was asked for.
fn by_name(all: &Columns, coordinates: Option<Coordinates>) -> Result<[usize; 2], String> {
    let known = match coordinates {
        Some(Coordinates::Plane) => [points::PLANE, points::DEGREES],
        _ => [points::DEGREES, points::PLANE],
    };
    points::find(all, &known).ok_or_else(|| none(all, "places (lon and lat, x and y or such)", "--x and --y"))
}

fn none(all: &Columns, what: &str, option: &str) -> String {
    format!("no column of {what} among {}; choose with {option}", all.list())
}

pub(crate) const FAR: &str = "is beyond what can be computed with: 1e30";

pub(crate) fn within(row: &Row<'_>, column: usize, number: f64, most: f64, what: &str) -> Result<f64, Error> {
    if number.abs() <= most { Ok(number) } else { Err(row.error(column, what)) }
}

pub(crate) fn height(row: &Row<'_>, column: usize) -> Result<f64, Error> {
    if row.is_missing(column) { Ok(f64::NAN) } else { within(row, column, row.number(column)?, FARTHEST, FAR) }
}
