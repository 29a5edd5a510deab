//! Fixes in files: positions with times.

use std::collections::HashMap;
use std::fmt::Write;
use std::path::Path;

use crate::columns::Columns;
use crate::error::Error;
use crate::points;
use crate::source::Source;
use crate::table::{Row, Table};
use crate::times::Times;

/// What the coordinates of a file are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coordinates {
    /// Those of a plane.
    Plane,
    /// Degrees of longitude and latitude.
    Degrees,
}

/// The unit of heights, if a column's name says it: `altitude_ft`, `height (m)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeightUnit {
    /// 0.3048 meters.
    Foot,
    /// One meter.
    Meter,
}

impl HeightUnit {
    /// How many meters it has.
    #[must_use]
    pub const fn meters(self) -> f64 {
        match self {
            Self::Foot => 0.3048,
            Self::Meter => 1.0,
        }
    }

    /// For people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Foot => "feet",
            Self::Meter => "meters",
        }
    }

    /// The last word of a column's name.
    fn of(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        let word = name.split(|character: char| !character.is_alphanumeric()).rfind(|word| !word.is_empty())?;
        match word {
            "ft" | "feet" => Some(Self::Foot),
            "m" | "meter" | "meters" | "metre" | "metres" => Some(Self::Meter),
            _ => None,
        }
    }
}

/// Which columns of a file of fixes to read, by name or by number from 1. The header determines those not chosen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FixChoice {
    /// Whose fix it is.
    pub id: Option<String>,
    /// When.
    pub time: Option<String>,
    /// x and y, or longitude and latitude.
    pub place: Option<[String; 2]>,
    /// How high.
    pub height: Option<String>,
    /// Whether heights are read at all.
    pub with_heights: bool,
    /// What the coordinates are; if not given, the names of their columns decide.
    pub coordinates: Option<Coordinates>,
}

/// The fixes of a file, in its order, as columns.
#[derive(Clone, Debug)]
pub struct Fixes {
    /// The file, as messages call it.
    pub name: String,
    /// How it is written: `text with commas`.
    pub format: String,
    /// What was taken as what: `id from mmsi, time from t (ISO 8601), degrees from lon, lat`.
    pub taken: String,
    /// What the coordinates are.
    pub coordinates: Coordinates,
    /// How times are written; plain if there are none.
    pub times: Times,
    /// The unit of the heights, if there are heights and the column's name says it.
    pub height_unit: Option<HeightUnit>,
    /// What the tracks are called, by number: in the order of their first fixes.
    pub ids: Vec<String>,
    /// The number of the track.
    pub track: Vec<u32>,
    /// When: seconds since 1970, or [plain](Times::Plain) numbers.
    pub time: Vec<f64>,
    /// x, or longitude.
    pub x: Vec<f64>,
    /// y, or latitude.
    pub y: Vec<f64>,
    /// How high; NaN where the field is empty.
    pub z: Option<Vec<f64>>,
    /// Rows without a track, a time or a place.
    pub skipped: u64,
    /// Lines that were comments.
    pub comments: u64,
}

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

/// Numbers farther from zero than this are refused: their squares could overflow.
const FARTHEST: f64 = 1e30;

impl Fixes {
    /// Reads a file, or standard input for the name `-`.
    ///
    /// # Errors
    /// If it cannot be read, is no text, has no such columns, or a row is no good: names the file, the line and the
    /// value.
    pub fn read(path: &Path, choice: &FixChoice) -> Result<Self, Error> {
        Self::from_source(Source::open(path)?, choice)
    }

    /// The same of an opened file.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn from_source(source: Source, choice: &FixChoice) -> Result<Self, Error> {
        let mut table = Table::from_source(source)?;
        let mut fixes = Self::empty(&table, choice);
        if table.width() > 0 {
            let layout = Layout::of(table.columns(), choice).map_err(|what| table.in_first_row(what))?;
            if table.header().is_empty() {
                layout.labels().for_each(|(column, label)| table.label(column, label));
            }
            fixes.take(&mut table, &layout)?;
        }
        fixes.comments = table.comments();
        Ok(fixes)
    }

    fn empty(table: &Table, choice: &FixChoice) -> Self {
        Self {
            name: table.name().into(),
            format: format!("text with {}", table.dialect()),
            taken: "no columns".into(),
            coordinates: choice.coordinates.unwrap_or(Coordinates::Plane),
            times: Times::Plain,
            height_unit: None,
            ids: Vec::new(),
            track: Vec::new(),
            time: Vec::new(),
            x: Vec::new(),
            y: Vec::new(),
            z: choice.with_heights.then(Vec::new),
            skipped: 0,
            comments: 0,
        }
    }

    fn take(&mut self, table: &mut Table, layout: &Layout) -> Result<(), Error> {
        self.coordinates = layout.coordinates;
        self.height_unit = layout.height_unit;
        let mut tracks = Tracks::default();
        let mut times = None;
        while let Some(row) = table.next_row()? {
            if layout.needed().iter().any(|column| row.is_missing(*column)) {
                self.skipped += 1;
                continue;
            }
            let times = match times {
                Some(times) => times,
                None => *times.insert(Times::of(&row, layout.time)?),
            };
            self.push(&row, layout, times, &mut tracks)?;
        }
        self.times = times.unwrap_or(Times::Plain);
        self.taken = layout.in_words(table.columns(), times);
        self.ids = tracks.ids;
        Ok(())
    }

    fn push(&mut self, row: &Row<'_>, layout: &Layout, times: Times, tracks: &mut Tracks) -> Result<(), Error> {
        let time = times.read(row, layout.time)?;
        within(row, layout.time, time, FARTHEST, FAR)?;
        let [x, y] = layout.place(row)?;
        let z = layout.height.map(|column| height(row, column)).transpose()?;
        let track = tracks
            .number(row.bytes(layout.id))
            .ok_or_else(|| row.error_of_all("there are more than four billion tracks"))?;
        self.track.push(track);
        self.time.push(time);
        self.x.push(x);
        self.y.push(y);
        if let Some(heights) = &mut self.z {
            heights.push(z.unwrap_or(f64::NAN));
        }
        Ok(())
    }
}

const FAR: &str = "is beyond what can be computed with: 1e30";

fn within(row: &Row<'_>, column: usize, number: f64, most: f64, what: &str) -> Result<f64, Error> {
    if number.abs() <= most { Ok(number) } else { Err(row.error(column, what)) }
}

fn height(row: &Row<'_>, column: usize) -> Result<f64, Error> {
    if row.is_missing(column) { Ok(f64::NAN) } else { within(row, column, row.number(column)?, FARTHEST, FAR) }
}

/// Numbers of the tracks, by what they are called.
#[derive(Default)]
struct Tracks {
    numbers: HashMap<Vec<u8>, u32>,
    ids: Vec<String>,
}

impl Tracks {
    /// `None` if there are too many.
    fn number(&mut self, id: &[u8]) -> Option<u32> {
        if let Some(number) = self.numbers.get(id) {
            return Some(*number);
        }
        let number = u32::try_from(self.ids.len()).ok()?;
        self.numbers.insert(id.to_vec(), number);
        self.ids.push(String::from_utf8_lossy(id).into_owned());
        Some(number)
    }
}

/// Which columns make a fix.
struct Layout {
    id: usize,
    time: usize,
    place: [usize; 2],
    height: Option<usize>,
    coordinates: Coordinates,
    height_unit: Option<HeightUnit>,
}

impl Layout {
    fn of(all: &Columns, choice: &FixChoice) -> Result<Self, String> {
        let is_complete = choice.id.is_some() && choice.time.is_some() && choice.place.is_some();
        if all.names().is_empty() && !is_complete {
            let expected = "choose them by number, such as --id 1 --time 2 --x 3 --y 4";
            return Err(format!("{} without a header; {expected}", all.count()));
        }
        let one = |chosen: &Option<String>, known: &[&str], what, option| match chosen {
            Some(chosen) => all.column(chosen),
            None => all.find(known).ok_or_else(|| none(all, what, option)),
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
            time: one(&choice.time, TIMES, "times (time, timestamp, t or such)", "--time")?,
            place,
            height,
            coordinates: choice.coordinates.unwrap_or(named),
            height_unit: height.and_then(|column| HeightUnit::of(&all.name(column))),
        })
    }

    /// What no fix is without.
    fn needed(&self) -> [usize; 4] {
        [self.id, self.time, self.place[0], self.place[1]]
    }

    /// What messages call the columns where there is no header.
    fn labels(&self) -> impl Iterator<Item = (usize, &'static str)> {
        self.needed().into_iter().zip(["id", "time", "x", "y"]).chain(self.height.map(|column| (column, "z")))
    }

    fn place(&self, row: &Row<'_>) -> Result<[f64; 2], Error> {
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
    fn in_words(&self, all: &Columns, times: Option<Times>) -> String {
        let [id, time, x, y] = self.needed().map(|column| all.name(column));
        let times = times.map_or(String::new(), |times| format!(" ({times})"));
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

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &'static str, choice: &FixChoice) -> Result<Fixes, Error> {
        Fixes::from_source(Source::from_reader("f", text.as_bytes())?, choice)
    }

    #[test]
    fn columns_are_told_by_their_names() {
        let text = "id,MMSI,BaseDateTime,LAT,LON,altitude_ft\n1,a,2024-05-01T00:00:00,47.5,8.5,1000\n2,b,2024-05-01T00:00:01,47,8,\n";
        let fixes = read(text, &FixChoice { with_heights: true, ..FixChoice::default() }).unwrap();
        assert_eq!((fixes.track, fixes.x, fixes.y), (vec![0, 1], vec![8.5, 8.0], vec![47.5, 47.0]));
        assert_eq!((fixes.ids, fixes.time[1] - fixes.time[0]), (vec!["a".into(), "b".into()], 1.0));
        assert!(fixes.z.is_some_and(|z| z[0] == 1000.0 && z[1].is_nan()));
        assert_eq!((fixes.coordinates, fixes.height_unit), (Coordinates::Degrees, Some(HeightUnit::Foot)));
        let taken = "id from MMSI, time from BaseDateTime (ISO 8601, taken as UTC), degrees from LON, LAT, height from altitude_ft (feet)";
        assert_eq!(fixes.taken, taken);
    }

    #[test]
    fn rows_without_a_place_are_counted() {
        let fixes = read("t;id;x;y\n1;a;1,5;2\n2;a;;\n3;;1;1\nNA;a;1;1\n", &FixChoice::default()).unwrap();
        assert_eq!((fixes.x, fixes.skipped, fixes.times), (vec![1.5], 3, Times::Plain));
    }

    #[test]
    fn a_file_without_a_header_needs_numbers() {
        let text = "0.0\t1\t9.5\t6\n10\t2\t1\t3\n";
        let error = read(text, &FixChoice::default()).unwrap_err().to_string();
        assert!(error.starts_with("f: line 1: 4 columns without a header; choose them by number"), "{error}");
        let [id, time, x, y] = ["2", "1", "3", "4"].map(String::from);
        let choice = FixChoice { id: Some(id), time: Some(time), place: Some([x, y]), ..FixChoice::default() };
        let fixes = read(text, &choice).unwrap();
        assert_eq!((fixes.time, fixes.y), (vec![0.0, 10.0], vec![6.0, 3.0]));
    }

    #[test]
    fn faults_are_told_with_line_column_and_value() {
        for (text, what) in [
            ("id,t,lon,lat\na,1,8,91\n", "f: line 2: lat \"91\" is no latitude"),
            ("id,t,lon,lat\na,1,8,9\n\na,noon,8,9\n", "f: line 4: t \"noon\" is not a number"),
            ("id,t,x,y\na,2024-05-01,8,9\na,7,8,9\n", "f: line 3: t \"7\" is no time"),
            ("id,t,x,y\na,1,8,1e31\n", "f: line 2: y \"1e31\" is beyond"),
            ("id,t,x,y\na,1,8,nan\n", "f: line 2: y \"nan\" is not a finite number"),
            (
                "id,t,a,b\nc,1,8,9\n",
                "no column of places (lon and lat, x and y or such) among \"id,t,a,b\"; choose with --x and --y",
            ),
            ("{}", "f: this is GeoJSON"),
        ] {
            let error = read(text, &FixChoice::default()).unwrap_err().to_string();
            assert!(error.contains(what), "{error}");
        }
    }
}
