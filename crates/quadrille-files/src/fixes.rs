//! Fixes in files: positions with times.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;

use quadrille_tracks::{Rules, Tracks, Units};

use crate::columns::plain;
use crate::error::Error;
use crate::fix_choice::{FixChoice, HeightUnit};
use crate::fix_layout::{self, FAR, Layout, MAX_NUMBER, height, within};
use crate::source::Source;
use crate::system::System;
use crate::table::{Row, Table};
use crate::text;
use crate::times::{Clock, Times};

/// Seconds since 1970 that tracks on the earth can have at most.
const MAX_SECONDS: f64 = 1e11;

const FAR_TIME: &str = "is beyond what can be computed with: 1e11 seconds; --time-format says what numbers are";
const AS_SECONDS: &str =
    "would be taken as seconds; --time-format milliseconds or plain (seconds) says what numbers are";

/// The fixes of a file, in its order, as columns.
#[derive(Clone, Debug, Default)]
pub struct Fixes {
    /// The name of the file in messages.
    pub name: String,
    /// The format: `text with commas`.
    pub format: String,
    /// Which columns were used for what: `id from mmsi, time from t (ISO 8601), degrees from lon, lat`.
    pub taken: String,
    /// What kind of coordinates they are.
    pub coordinates: Units,
    /// The coordinate system, if the file names one or its format prescribes one.
    pub system: Option<System>,
    /// The format of the times; `Plain` if there are none.
    pub times: Times,
    /// The unit of the heights, if there are heights and the name of their column says it.
    pub height_unit: Option<HeightUnit>,
    /// The ids of the tracks, in the order of their first fixes.
    pub ids: Vec<String>,
    /// The number of each fix's track.
    pub track: Vec<u32>,
    /// The times: seconds since 1970, or [plain](Times::Plain) numbers.
    pub time: Vec<f64>,
    /// x or longitude.
    pub x: Vec<f64>,
    /// y or latitude.
    pub y: Vec<f64>,
    /// Heights; NaN if the field is empty.
    pub z: Option<Vec<f64>>,
    /// Rows without a track, a time or a position.
    pub skipped: u64,
    /// Rows with latitude 91 or longitude 181, which AIS sends if the position is not known.
    pub unavailable: u64,
    /// Rows that could not be read and were left out.
    pub invalid: u64,
    /// What is wrong with the first of them.
    pub first_invalid: Option<Error>,
    /// Lines that were comments.
    pub comments: u64,
}

impl Fixes {
    /// Whether a table has columns of tracks, times and positions: those of `choice`, or columns with usual names.
    /// Reads no row.
    ///
    /// ```
    /// use quadrille_files::{FixChoice, Fixes, Source, Table};
    ///
    /// let are_in = |text: &'static str| {
    ///     let table = Table::from_source(Source::from_reader("example", text.as_bytes())?)?;
    ///     Ok::<_, quadrille_files::Error>(Fixes::are_in(&table, &FixChoice::default()))
    /// };
    /// assert!(are_in("mmsi,time,lon,lat\n7,0,8.5,47.2\n")?);
    /// assert!(!are_in("name,lon,lat\nZug,8.5,47.2\n")?);
    /// # Ok::<(), quadrille_files::Error>(())
    /// ```
    #[must_use]
    pub fn are_in(table: &Table, choice: &FixChoice) -> bool {
        table.width() > 0 && Layout::of(table, choice).is_ok()
    }

    /// Reads a file, or standard input for the name `-`.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, has no such columns, or has an invalid row. The message
    /// names the file, the line and the value.
    pub fn read(path: &Path, choice: &FixChoice) -> Result<Self, Error> {
        Self::from_source(Source::open(path)?, choice)
    }

    /// The same for an opened file.
    ///
    /// # Errors
    /// Returns the same errors as [`read`](Self::read).
    pub fn from_source(source: Source, choice: &FixChoice) -> Result<Self, Error> {
        let mut table = Table::from_source(source.with_header(choice.header))?;
        let mut fixes = Self::empty(&table, choice);
        if table.width() > 0 {
            let layout = Layout::of(&table, choice).map_err(|what| table.in_first_row(what))?;
            if table.is_without_names() {
                layout.labels().for_each(|(column, label)| table.label(column, label));
            }
            fixes.take(&mut table, layout, choice)?;
        }
        fixes.format = table.format();
        fixes.comments = table.comments();
        Ok(fixes)
    }

    /// The tracks of a file; with those of another, encounters are between the two.
    ///
    /// # Errors
    /// Returns an error if a fix or a rule cannot be used. The message names it and its value.
    pub fn tracks(&self, other: Option<&Self>, rules: &Rules) -> Result<Tracks, quadrille_tracks::Error> {
        match other {
            Some(other) => Tracks::of_two(&self.columns(), &other.columns(), rules),
            None => Tracks::new(&self.columns(), rules),
        }
    }

    /// The columns of the fixes themselves.
    #[must_use]
    pub fn columns(&self) -> quadrille_tracks::Fixes<'_> {
        let Self { track, time, x, y, z, .. } = self;
        quadrille_tracks::Fixes { track, time, x, y, z: z.as_deref() }
    }

    fn empty(table: &Table, choice: &FixChoice) -> Self {
        Self {
            name: table.name().into(),
            format: table.format(),
            taken: "no columns".into(),
            coordinates: choice.coordinates.unwrap_or_default(),
            z: choice.with_heights.then(Vec::new),
            ..Self::default()
        }
    }

    fn take(&mut self, table: &mut Table, mut layout: Layout, choice: &FixChoice) -> Result<(), Error> {
        self.coordinates = layout.coordinates;
        self.height_unit = layout.height_unit;
        let columns = table.columns().clone();
        // The date may turn out to have a column of its own.
        table.choose(&layout.columns().into_iter().chain(fix_layout::date(&columns)).collect::<Vec<_>>())?;
        let mut tracks = Numbers::default();
        let mut clock = None;
        loop {
            let is_ragged = match table.next_row() {
                Ok(None) => break,
                Ok(Some(row)) if layout.is_missing(&row) => {
                    self.skipped += 1;
                    continue;
                }
                Ok(Some(row)) => {
                    let clock = match &mut clock {
                        Some(clock) => clock,
                        None => {
                            layout.find_date(&columns, &row, choice)?;
                            clock.insert(Clock::new(layout.times(), choice.time_format.clone()))
                        }
                    };
                    self.take_row(&row, &mut layout, clock, &mut tracks, choice.skip_invalid)?;
                    continue;
                }
                Err(error) => Err(error),
            };
            let may_go_on = choice.skip_invalid && table.records.is_ragged();
            self.forgive(is_ragged, may_go_on)?;
        }
        let unknown = Ok((Times::Plain, String::new()));
        let (times, words) = clock.map_or(unknown, |clock| clock.finish(&mut self.time))?;
        self.times = times;
        self.check_times(&columns.name(layout.time), choice)?;
        self.taken = layout.in_words(&columns, (times, &words));
        self.ids = tracks.ids;
        self.check_tracks(&columns.name(layout.id), choice)?;
        self.system = layout.system;
        Ok(())
    }

    /// Counts a row that cannot be read, if such rows may be skipped.
    fn forgive(&mut self, taken: Result<(), Error>, is_forgiven: bool) -> Result<(), Error> {
        match taken {
            Err(error) if is_forgiven => {
                self.invalid += 1;
                self.first_invalid.get_or_insert(error);
                Ok(())
            }
            taken => taken,
        }
    }

    /// Takes a row. One that cannot be read may be skipped; without memory, all others would be.
    fn take_row(
        &mut self,
        row: &Row<'_>,
        layout: &mut Layout,
        clock: &mut Clock,
        tracks: &mut Numbers,
        may_skip: bool,
    ) -> Result<(), Error> {
        match self.read_row(row, layout, clock) {
            Ok(Some(fix)) => self.push(row, &fix, tracks),
            read => self.forgive(read.map(drop), may_skip),
        }
    }

    /// The fix in a row; `None` if there is none, which is counted.
    fn read_row<'a>(
        &mut self,
        row: &Row<'a>,
        layout: &mut Layout,
        clock: &mut Clock,
    ) -> Result<Option<Fix<'a>>, Error> {
        if layout.is_missing(row) {
            self.skipped += 1;
            return Ok(None);
        }
        if layout.is_unavailable(row) {
            self.unavailable += 1;
            return Ok(None);
        }
        let Some(at) = layout.position(row)? else {
            self.skipped += 1;
            return Ok(None);
        };
        let height = layout.height.map(|column| height(row, column)).transpose()?;
        let time = clock.read(row, &mut self.time)?;
        within(row, layout.time, time, MAX_NUMBER, FAR)?;
        Ok(Some(Fix { id: row.bytes(layout.id)?, time, at, height: height.unwrap_or(f64::NAN) }))
    }

    fn push(&mut self, row: &Row<'_>, fix: &Fix<'_>, tracks: &mut Numbers) -> Result<(), Error> {
        let no_memory = |count, what| row.error_of_all(format_args!("there is no memory for more than {count} {what}"));
        self.reserve().ok_or_else(|| no_memory(self.track.len(), "fixes"))?;
        let track = tracks.number(&fix.id).ok_or_else(|| no_memory(tracks.ids.len(), "tracks"))?;
        let [x, y] = fix.at;
        self.track.push(track);
        self.time.push(fix.time);
        self.x.push(x);
        self.y.push(y);
        if let Some(heights) = &mut self.z {
            heights.push(fix.height);
        }
        Ok(())
    }

    /// Makes room for one more.
    fn reserve(&mut self) -> Option<()> {
        let Self { track, time, x, y, z, .. } = self;
        track.try_reserve(1).ok()?;
        [time, x, y].into_iter().chain(z).try_for_each(|column| column.try_reserve(1).ok())
    }

    /// Fails if a time is beyond what tracks on the earth can have, or would be taken as seconds beside the name of
    /// another unit. Both are known only when all times are.
    fn check_times(&self, column: &str, choice: &FixChoice) -> Result<(), Error> {
        let is_named = self.times == Times::Plain && choice.time_format.is_none() && plain(column).ends_with("ms");
        let (most, what) = if is_named { (-1.0, AS_SECONDS) } else { (MAX_SECONDS, FAR_TIME) };
        let is_wrong = |time: &&f64| self.coordinates == Units::Degrees && time.abs() > most;
        let told =
            |time: &f64| Err(Error::in_file(&self.name, format!("{column} {:?} {what}", self.times.show(*time))));
        self.time.iter().find(is_wrong).map_or(Ok(()), told)
    }

    /// Fails if each of several fixes has a track of its own and the column often numbers rows. Ships and aircraft may
    /// well be seen only once each.
    fn check_tracks(&self, column: &str, choice: &FixChoice) -> Result<(), Error> {
        const MIN_CHECKED: usize = 3;
        let is_chosen = choice.id.is_some() || !["id", "objectid"].contains(&plain(column).as_str());
        if is_chosen || self.ids.len() < MIN_CHECKED || self.ids.len() < self.track.len() {
            return Ok(());
        }
        let remedy = "--id names the column of tracks (this one, if each of them has been seen but once)";
        let what = format!(
            "each of {} fixes has a track of its own: {column:?} seems to number rows; {remedy}",
            self.track.len()
        );
        Err(Error::in_file(&self.name, what))
    }
}

/// What a row says.
struct Fix<'a> {
    id: Cow<'a, [u8]>,
    time: f64,
    at: [f64; 2],
    /// NaN if there is none.
    height: f64,
}

/// Numbers of the tracks, by name.
#[derive(Default)]
struct Numbers {
    numbers: HashMap<Vec<u8>, u32>,
    ids: Vec<String>,
}

impl Numbers {
    /// `None` if there are too many, for the numbers or for the memory.
    fn number(&mut self, id: &[u8]) -> Option<u32> {
        if let Some(number) = self.numbers.get(id) {
            return Some(*number);
        }
        let number = u32::try_from(self.ids.len()).ok()?;
        self.numbers.try_reserve(1).ok()?;
        self.ids.try_reserve(1).ok()?;
        self.numbers.insert(id.to_vec(), number);
        self.ids.push(text::decoded(id.into()).0.into_owned());
        Some(number)
    }
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
        assert_eq!((fixes.coordinates, fixes.height_unit), (Units::Degrees, Some(HeightUnit::Foot)));
        let taken = "id from MMSI, time from BaseDateTime (ISO 8601, taken as UTC), degrees from LON, LAT, height from altitude_ft (feet)";
        assert_eq!(fixes.taken, taken);
    }

    #[test]
    fn units_of_heights_are_in_their_names() {
        use HeightUnit::{Foot, Meter};
        for (name, unit) in [
            ("alt_baro", Some(Foot)),
            ("Alt Geom", Some(Foot)),
            ("altitude_ft", Some(Foot)),
            ("height (m)", Some(Meter)),
            ("alt_baro_m", Some(Meter)),
            ("altitude", None),
            ("baroaltitude", None),
        ] {
            assert_eq!(HeightUnit::of(name), unit, "{name}");
        }
    }

    #[test]
    fn rows_without_a_place_are_counted() {
        let fixes = read("t;id;x;y\n1;a;1,5;2\n2;a;;\n3;;1;1\nNA;a;1;1\n", &FixChoice::default()).unwrap();
        assert_eq!((fixes.x, fixes.skipped, fixes.times), (vec![1.5], 3, Times::Plain));
        // As pandas writes what is missing: as numbers, and as texts.
        let text =
            "t,id,x,y\n2024-05-01,1.0,1,1\nNaT,1.0,2,2\n2024-05-01,nan,3,3\n2024-05-02,<NA>,4,4\n2024-05-02,-,5,5\n";
        let fixes = read(text, &FixChoice::default()).unwrap();
        assert_eq!((fixes.x, fixes.skipped, fixes.ids), (vec![1.0], 4, vec!["1.0".to_owned()]));
    }

    #[test]
    fn dates_with_the_day_first_are_told_from_those_with_the_month_first() {
        let read = |dates: [&str; 3], format: Option<&str>| {
            let rows = dates.map(|date| format!("1,{date},8,47\n")).concat();
            let text = format!("mmsi,# Timestamp,lon,lat\n{rows}");
            let choice = FixChoice { time_format: format.map(Into::into), ..FixChoice::default() };
            Fixes::from_source(Source::from_reader("f", std::io::Cursor::new(text.into_bytes()))?, &choice)
        };
        let day_first = read(["01/02/2024 00:00:00", "12/02/2024 00:00", "13/02/2024 00:00"], None).unwrap();
        assert_eq!(
            day_first.time.iter().map(|time| (time - day_first.time[0]) / 86_400.0).collect::<Vec<_>>(),
            [0.0, 11.0, 12.0]
        );
        assert!(
            day_first.taken.contains("time from # Timestamp (day/month/year, taken as UTC)"),
            "{}",
            day_first.taken
        );
        let month_first = read(["02/01/2024 00:00:00", "02/12/2024 00:00", "02/13/2024 00:00"], None).unwrap();
        assert_eq!(month_first.time, day_first.time);
        assert!(month_first.taken.contains("month/day/year"), "{}", month_first.taken);
        for (time, words) in [("05.06.2024 12:00", "day.month.year"), ("5-Jun-2024 12:00", "dates")] {
            let fixes = read_times("t", &[time], &FixChoice::default()).unwrap();
            assert!(fixes.taken.contains(&format!("time from t ({words}, taken as UTC)")), "{}", fixes.taken);
        }
        // Either way the same.
        assert!(read(["01/01/2024 00:00", "02/02/2024 00:00", "03/03/2024 00:00"], None).is_ok());
        let error = read(["01/01/2024 00:00", "01/02/2024 00:00", "03/03/2024 00:00"], None).unwrap_err().to_string();
        assert!(error.starts_with("f: line 3: # Timestamp \"01/02/2024 00:00\" may begin with the day"), "{error}");
        assert!(error.contains("--time-format '%d/%m/%Y %H:%M:%S'"), "{error}");
        let given = read(["01/02/2024 00:00", "12/02/2024 00:00", "11/02/2024 00:00"], Some("%d/%m/%Y %H:%M")).unwrap();
        assert_eq!(given.time[..2], day_first.time[..2]);
        let error = read(["13/02/2024 00:00", "02/13/2024 00:00", "1/1/2024 00:00"], None).unwrap_err().to_string();
        assert!(error.contains("line 3") && error.contains("is not a time"), "{error}");
    }

    #[test]
    fn dates_and_times_of_day_may_have_columns_of_their_own() {
        let text = "date,time,name,x,y\n2024-05-01,23:59:59,a,1,2\n2024-05-01,24:00:00,a,1,2\n";
        let found = read(text, &FixChoice::default()).unwrap();
        assert_eq!((found.time[1] - found.time[0], found.times), (1.0, Times::Iso { has_zone: false }));
        assert!(found.taken.contains("time from date, time (ISO 8601"), "{}", found.taken);
        let chosen = FixChoice { time: Some("1+2".into()), ..FixChoice::default() };
        assert_eq!(read(text, &chosen).unwrap().time, found.time);
        let error =
            read("date,time,name,x,y\n2024-05-01,1:2:3:4,a,1,2\n", &FixChoice::default()).unwrap_err().to_string();
        assert!(error.contains("date \"2024-05-01\" with \"1:2:3:4\" is not a time"), "{error}");
    }

    /// Reads a file with these times, separated by semicolons.
    fn read_times(header: &str, times: &[&str], choice: &FixChoice) -> Result<Fixes, Error> {
        let rows: String = times.iter().map(|time| format!("a;{time};0;0\n")).collect();
        let text = format!("id;{header};x;y\n{rows}");
        Fixes::from_source(Source::from_reader("f", std::io::Cursor::new(text.into_bytes()))?, choice)
    }

    #[test]
    fn spellings_of_dates_are_read_or_refused_alone_and_after_a_zero() {
        use crate::dates::tests::{REFUSED, SPELLINGS};
        let digits = ["20240730061743", "20240730061743.0", "20240730061743000"];
        for text in SPELLINGS.iter().chain(&digits) {
            let fixes = read_times("t", &[text, text], &FixChoice::default()).unwrap();
            assert_eq!((fixes.time, fixes.times.is_date()), (vec![1_722_320_263.0; 2], true), "{text}");
            for times in [["0", text, text], [text, text, "0"]] {
                let refused = read_times("t", &times, &FixChoice::default()).unwrap_err().to_string();
                let line = if times[0] == "0" && !digits.contains(text) { 3 } else { 2 };
                let line = if times[2] == "0" { 4 } else { line };
                assert!(refused.contains(&format!("f: line {line}: t ")), "{refused}");
                assert!(refused.contains("is a date, but") || refused.contains("is not a"), "{refused}");
            }
        }
        for (text, what) in REFUSED {
            let read =
                |first| read_times("t", &[first, text], &FixChoice::default()).map_err(|error| error.to_string());
            match read(text) {
                Err(refused) => assert!(refused.contains("f: line 2: ") && refused.contains(what), "{refused}"),
                // A number like others.
                Ok(fixes) => assert_eq!((text, fixes.times), ("2024", Times::Plain)),
            }
            assert!(text == "2024" || read("0").is_err_and(|refused| refused.contains("line 3")), "{text}");
        }
    }

    #[test]
    fn all_times_have_a_zone_or_none_has() {
        let zoned = ["2024-05-01T12:00:00Z", "2024-05-01T14:00:00+02:00"];
        assert!(read_times("t", &zoned, &FixChoice::default()).is_ok());
        let plain = "2024-05-01T12:00:00";
        for (times, what) in [
            ([zoned[0], zoned[1], plain], "has no zone, but the times before it have one"),
            ([plain, plain, zoned[1]], "has a zone, but the times before it have none"),
        ] {
            let refused = read_times("t", &times, &FixChoice::default()).unwrap_err().to_string();
            assert_eq!(refused, format!("f: line 4: t {:?} {what}", times[2]));
        }
        let joined = FixChoice { time: Some("date+time".into()), ..FixChoice::default() };
        let refused = read_times("date;time", &["2024-05-01;12:00Z", "2024-05-02;12:00"], &joined);
        let what = "f: line 3: date \"2024-05-02\" with \"12:00\" has no zone, but the times before it have one";
        assert_eq!(refused.unwrap_err().to_string(), what);
    }

    #[test]
    fn the_unit_of_numbers_is_that_of_all() {
        let form = |times: &[&str]| match read_times("t", times, &FixChoice::default()) {
            Ok(fixes) => (fixes.taken.split(['(', ')']).nth(1).unwrap_or_default().to_owned(), fixes.time),
            Err(error) => (error.to_string(), Vec::new()),
        };
        let seconds = 1_722_320_263.0;
        for (times, words, first) in [
            (&["1722320263000", "1722320264000"][..], "milliseconds since 1970", seconds),
            (&["1722320263", "1722320264"], "seconds since 1970", seconds),
            (&["1722320263000000", "1722320264000000"], "microseconds since 1970", seconds),
            (
                &["0", "1722320263000", "1722320264000"],
                "milliseconds since 1970; 1 of 3 would be long before the others",
                0.0,
            ),
            (
                &["0", "-1", "1722320263", "1722320264"],
                "seconds since 1970; 2 of 4 would be long before the others",
                0.0,
            ),
            (&["1722320263000", "5"], "milliseconds since 1970; 1 of 2 would be long before the others", seconds),
            (&["1712310523", "1712310524"], "seconds since 1970, which may be dates in digits", 1_712_310_523.0),
            (&["1712310523", "1712310560"], "seconds since 1970", 1_712_310_523.0),
            (
                &["45678.25", "45679"],
                "plain numbers, which may be days of a spreadsheet: --time-format days",
                45_678.25,
            ),
            (&["45678", "45679"], "plain numbers", 45_678.0),
            (&["739007.5", "739008.5"], "plain numbers, which may be days since the year 0", 739_007.5),
            (&["2460431.5", "2460432.5"], "plain numbers, which may be Julian days", 2_460_431.5),
            (&["2024.33", "2024.34"], "plain numbers, which may be years", 2024.33),
            (&["2024", "2025"], "plain numbers", 2024.0),
            (
                &["133590000000000000", "133590000010000000"],
                "nanoseconds since 1970, which may be ticks of 100 ns since 1601",
                133_590_000.0,
            ),
            (
                &["638500000000000000", "638500000010000000"],
                "nanoseconds since 1970, which may be ticks of 100 ns since the year 1",
                638_500_000.0,
            ),
            (&["1.5", "45679"], "plain numbers", 1.5),
            (&["0", "1", "2"], "plain numbers", 0.0),
            (&["0", "60000000", "120000000", "999999999999"], "plain numbers", 0.0),
            (&["20240730", "20240731"], "YYYYMMDD, taken as UTC", 1_722_297_600.0),
            (&["2024073006", "2024073007"], "YYYYMMDDhh, taken as UTC", 1_722_319_200.0),
            (&["202407300617", "202407300618"], "YYYYMMDDhhmm, taken as UTC", 1_722_320_220.0),
            (&["201012120617", "201012120618"], "YYYYMMDDhhmm, taken as UTC", 1_292_134_620.0),
            (&["240730061743", "240730069943"], "milliseconds since 1970", 240_730_061.743),
            // One of many is a date by chance.
            (&["20240730", "20240740", "20240750", "20240760"], "plain numbers", 20_240_730.0),
        ] {
            let (found, time) = form(times);
            assert_eq!((found.as_str(), time.first()), (words, Some(&first)), "{times:?}");
        }
        for (times, what) in [
            (&["0", "100000000", "200000000", "300000000"][..], "line 3: t \"100000000\" differs from other times"),
            (&["1722320263", "1722320263000"], "line 3: t \"1722320263000\" differs"),
            (&["2407300617", "2407300618"], "line 2: t \"2407300617\" may be a date whose year has two digits"),
            (&["0907300617", "0907300618"], "line 2: t \"0907300617\" may be a date whose year has two digits"),
            (&["20240730.25", "20240731.5"], "line 2: t \"20240730.25\" may be a date"),
            (&["20240730", "20240731", "20240732"], "line 4: t \"20240732\" is not a date, while most others are"),
            (&["0", "20240730061743", "20240730061744"], "line 2: t \"0\" is not a date"),
            (&["240730061743", "240730061843"], "line 2: t \"240730061743\" may be a date whose year has two digits"),
        ] {
            let (refused, _) = form(times);
            assert!(refused.contains(what) && refused.contains("--time-format"), "{refused}");
        }
        let given = |format: &str, times: &[&str]| {
            let choice = FixChoice { time_format: Some(format.into()), ..FixChoice::default() };
            read_times("t", times, &choice).map(|fixes| (fixes.time, fixes.times))
        };
        let ticks = ["0", "100000000", "300000000"];
        assert_eq!(given("plain", &ticks), Ok((vec![0.0, 1e8, 3e8], Times::Plain)));
        assert_eq!(given("milliseconds", &ticks), Ok((vec![0.0, 1e5, 3e5], Times::Since1970 { per_second: 1_000 })));
        assert_eq!(given("plain", &["20240730", "20240731"]), Ok((vec![20_240_730.0, 20_240_731.0], Times::Plain)));
        assert_eq!(
            given("milliseconds", &["2024-07-30"]).unwrap_err().to_string(),
            "f: line 2: t \"2024-07-30\" is a date, no number as --time-format says"
        );
        assert!(given("%s", &["1722320263"]).is_ok_and(|(time, times)| time == [seconds] && times.is_date()));
    }

    #[test]
    fn dates_in_digits_are_no_numbers_unnoticed() {
        let mut random = fastrand::Rng::with_seed(1);
        let mut check = |form: &str, is_bare: bool, told: &str| {
            // From 1970 to 2099.
            let dates: [_; 3] = std::array::from_fn(|_| jiff::Timestamp::from_second(random.i64(0..4_102_444_800)));
            let dates = dates.map(|date| date.unwrap().strftime(form).to_string());
            let texts = dates.each_ref().map(|date| if is_bare { date.trim_start_matches('0') } else { date.as_str() });
            let read = read_times("t", &texts, &FixChoice::default());
            let is_noted = match &read {
                Ok(fixes) => fixes.taken.contains(told),
                Err(error) => error.to_string().starts_with("f: line ") && error.to_string().contains("--time-format"),
            };
            assert!(is_noted, "{form} {texts:?}: {read:?}");
        };
        for _ in 0..200 {
            for form in ["", "%H", "%H%M", "%H%M%S", "%H%M%S000"] {
                for date in ["%d%m%Y", "%m%d%Y", "%y%m%d"].iter().filter(|date| form.len() > 2 || date.ends_with('Y')) {
                    for is_bare in [false, true] {
                        check(&format!("{date}{form}"), is_bare, "seconds since 1970, which may be dates in digits");
                    }
                }
            }
            for form in ["%d%m%Y %H:%M:%S", "%m%d%YT%H%M%S", "%d%m%y %H:%M"] {
                check(form, false, "none is read");
            }
            for form in ["%y%m%d", "%H%M%S"] {
                check(form, false, "which may be times of day or dates in six digits");
            }
        }
    }

    #[test]
    fn times_of_day_in_digits_are_joined_with_their_dates() {
        let read = |times: &[&str], time: Option<&str>| {
            let choice = FixChoice { time: time.map(Into::into), ..FixChoice::default() };
            read_times("date;time", times, &choice)
        };
        for (times, words) in [
            (["2024-07-30;061730", "2024-07-31;061730"], "HHMMSS of the day, taken as UTC"),
            (["20240730;0617", "20240731;0617"], "HHMM of the day, taken as UTC"),
            (["30/07/2024;061730.5", "31/07/2024;061730.5"], "day/month/year, taken as UTC"),
            (["2024-07-30;06:17:30", "2024-07-31;06:17:30"], "ISO 8601, taken as UTC"),
            (["30 Jul 2024;235959", "31 Jul 2024;235959"], "HHMMSS of the day, taken as UTC"),
        ] {
            for choice in [None, Some("date+time")] {
                // A row without a time comes first and last, and is left out.
                let fixes = read(&["2024-07-29;", times[0], times[1], "2024-08-01;"], choice).unwrap();
                assert_eq!((fixes.time.len(), fixes.skipped), (2, 2));
                assert_eq!(fixes.time[1] - fixes.time[0], 86_400.0);
                assert!(fixes.taken.contains(&format!("time from date, time ({words})")), "{}", fixes.taken);
            }
        }
        let epoch = read(&["2024-07-30;1722320263", "2024-07-31;1722406663"], None).unwrap();
        assert!(epoch.taken.contains("time from time (seconds since 1970)"), "{}", epoch.taken);
        for (times, what) in [
            (
                &["2024-07-30;61730"][..],
                "line 2: time \"61730\" is a number beside a column of dates; --time date+time joins",
            ),
            (&["2024-07-30;0"], "line 2: time \"0\" is a number beside"),
            (&["2024-07-30;061730", "2024-07-30;61731"], "line 3: time \"61731\" is not a time of day like the others"),
            (&["2024-07-30;061730", "2024-07-30;0618"], "line 3: time \"0618\" is not a time of day like the others"),
            (&["2024-07-30;061730", "2024-07-30;061760"], "line 3: time \"061760\" is not a time of day"),
        ] {
            let refused = read(times, None).unwrap_err().to_string();
            assert!(refused.contains(what), "{refused}");
        }
        assert_eq!(read(&["2024-07-30;61730"], Some("time")).unwrap().time, [61_730.0]);
        let given = |format: &str| {
            let choice = FixChoice { time_format: Some(format.into()), ..FixChoice::default() };
            read_times("date;time", &["2024-07-30;0617", "2024-07-31;0617"], &choice).map(|fixes| fixes.time)
        };
        assert_eq!(given("plain"), Ok(vec![617.0; 2]));
        assert!(given("%Y-%m-%d %H%M").is_err_and(|error| error.to_string().contains("time \"0617\"")));
        let choice = FixChoice {
            time: Some("date+time".into()),
            time_format: Some("%Y-%m-%d %H%M".into()),
            ..FixChoice::default()
        };
        let joined = read_times("date;time", &["2024-07-30;0617", "2024-07-31;0617"], &choice).unwrap().time;
        assert_eq!(joined[1] - joined[0], 86_400.0);
        // Other plain numbers may not go on over days that are not read.
        let other = |rows: &[&str]| read_times("date;t", rows, &FixChoice::default());
        assert_eq!(other(&["2024-07-30;5", "2024-07-30;6"]).unwrap().time, [5.0, 6.0]);
        let refused = other(&["2024-07-30;5", "2024-07-31;6"]).unwrap_err().to_string();
        assert!(refused.contains("line 3: date \"2024-07-31\" is another day than in the first row"), "{refused}");
    }

    #[test]
    fn places_that_are_not_available_are_counted_and_bad_rows_if_asked() {
        let text =
            "mmsi,t,lat,lon\n1,1,47,8\n1,2,91.000000,0\n1,3,47,181\n1,4,47,9\n1,5,north,9\n1,6\n1,7,92,9\n1,8,47,9\n";
        let error = read(text, &FixChoice::default()).unwrap_err().to_string();
        assert!(error.contains("line 6: lat \"north\""), "{error}");
        let found = read(text, &FixChoice { skip_invalid: true, ..FixChoice::default() }).unwrap();
        assert_eq!((found.time, found.unavailable, found.invalid), (vec![1.0, 4.0, 8.0], 2, 3));
        assert!(found.first_invalid.unwrap().to_string().contains("line 6"));
        // On a plane these are ordinary numbers.
        assert_eq!(read("id,t,x,y\na,1,181,91\n", &FixChoice::default()).unwrap().unavailable, 0);
    }

    #[test]
    fn what_ends_the_reading_is_no_bad_row() {
        /// Tells once that what came before it is damaged, as a checksum does.
        struct Damaged(bool);
        impl std::io::Read for Damaged {
            fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
                if std::mem::replace(&mut self.0, true) { Ok(0) } else { Err(std::io::Error::other("damaged")) }
            }
        }
        let choice = FixChoice { skip_invalid: true, ..FixChoice::default() };
        let fixes = "id,t,x,y\n1,1,1,1\n1\n".to_owned() + &"1,2,2,2\n".repeat(10_000);
        for rest in ["1", "1,3,", "1,3,3,3"] {
            let text = std::io::Cursor::new(format!("{fixes}{rest}").into_bytes());
            let source = Source::from_reader("f", std::io::Read::chain(text, Damaged(false))).unwrap();
            assert_eq!(
                Fixes::from_source(source, &choice).unwrap_err().to_string(),
                "f: line 10004: damaged",
                "{rest}"
            );
        }
        for (row, told) in [(",".repeat(100_000), "more than 65536 fields"), ("1,3,\"".into(), "a quote is not closed")]
        {
            let text = std::io::Cursor::new(format!("{fixes}{row}\n1,4,4,4\n").into_bytes());
            let error = Fixes::from_source(Source::from_reader("f", text).unwrap(), &choice).unwrap_err().to_string();
            assert!(error.contains("line 10004") && error.contains(told), "{error}");
        }
    }

    #[test]
    fn numbers_of_rows_are_not_taken_for_tracks() {
        let text = "id,name,t,x,y\n1,a,1,8,9\n2,a,2,8,9\n3,b,2,8,9\n";
        let error = read(text, &FixChoice::default()).unwrap_err().to_string();
        assert!(error.contains("each of 3 fixes has a track of its own: \"id\" seems to number rows; --id"), "{error}");
        for (id, tracks) in [("name", 2), ("id", 3)] {
            assert_eq!(
                read(text, &FixChoice { id: Some(id.into()), ..FixChoice::default() }).unwrap().ids.len(),
                tracks
            );
        }
    }

    #[test]
    fn fixes_come_in_any_format() {
        let feature = |id: &str, t: u32, x: &str| {
            format!(
                r#"{{"type":"Feature","properties":{{"id":"{id}","t":{t}}},"geometry":{{"type":"Point","coordinates":[{x},47]}}}}"#
            )
        };
        let features = [feature("a", 1, "8.5"), feature("b", 1, "9"), feature("a", 2, "8")];
        let empty = r#"{"type":"Feature","properties":{"id":"b","t":3},"geometry":null}"#;
        let geojson = features.join("\n") + empty;
        let json = r#"[{"t":1,"id":"a","lon":8.5,"lat":47},{"t":1,"id":"b","lon":9,"lat":47},{"t":2,"id":"a","lon":8,"lat":47},{"t":3,"id":"b","lon":null,"lat":null}]"#;
        let wkt = "id,t,wkt\na,1,POINT(8.5 47)\nb,1,POINT(9 47)\na,2,POINT(8 47)\nb,3,POINT EMPTY\n";
        let text = "id,t,lon,lat\na,1,8.5,47\nb,1,9,47\na,2,8,47\nb,3,NaN,-\n";
        for (file, format, position, is_degrees) in [
            (geojson.as_str(), "GeoJSON", "degrees from geometry", true),
            (json, "JSON", "degrees from lon, lat", true),
            (wkt, "text with commas, header", "plane from wkt", false),
            (text, "text with commas, header", "degrees from lon, lat", true),
        ] {
            let source = Source::from_reader("f", std::io::Cursor::new(file.to_owned().into_bytes())).unwrap();
            let fixes = Fixes::from_source(source, &FixChoice::default()).unwrap();
            assert_eq!((fixes.x, fixes.y, fixes.track), (vec![8.5, 9.0, 8.0], vec![47.0; 3], vec![0, 1, 0]), "{file}");
            assert_eq!((fixes.ids, fixes.time, fixes.skipped), (vec!["a".into(), "b".into()], vec![1.0, 1.0, 2.0], 1));
            assert_eq!((fixes.format.as_str(), fixes.coordinates == Units::Degrees), (format, is_degrees));
            assert!(fixes.taken.ends_with(position), "{}", fixes.taken);
        }
        let line = "id,t,wkt\na,1,\"LINESTRING(8 47,9 47)\"\n";
        assert!(read(line, &FixChoice::default()).unwrap_err().to_string().contains("is not a point"));
    }

    #[test]
    fn all_fixes_are_in_one_system() {
        let text = "id\tt\twkt\na\t1\tSRID=25832;POINT(8 47)\na\t2\tPOINT(9 47)\nb\t1\tSRID=25833;POINT(9 47)\n";
        let read = |skip_invalid| read(text, &FixChoice { skip_invalid, ..FixChoice::default() });
        let refused = read(false).unwrap_err().to_string();
        assert!(
            refused.starts_with("f: line 4: wkt \"SRID=25833;POINT(9 47)\" is in EPSG:25833, but others"),
            "{refused}"
        );
        assert_eq!(read(true).map(|fixes| (fixes.time, fixes.invalid)), Ok((vec![1.0, 2.0], 1)));
    }

    #[test]
    fn columns_that_one_name_finds_are_refused() {
        for (text, columns) in [
            ("id,t,lon,lat,LON\na,1,8,47,9\n", "columns 3 and 5 both have the name \"lon\" or \"LON\""),
            ("id,ts,t_s,x,y\na,1,2,8,47\n", "columns 2 and 3 both have the name \"ts\" or \"t_s\""),
            ("id,t,wkt,WKT\na,1,POINT(1 2),POINT(3 4)\n", "columns 3 and 4 both have the name \"wkt\" or \"WKT\""),
            (
                "id,date,time,Date,x,y\na,2024-05-01,06:00,2024-05-02,8,9\n",
                "columns 2 and 4 both have the name \"date\"",
            ),
        ] {
            let refused = read(text, &FixChoice::default()).unwrap_err().to_string();
            assert!(refused.contains(columns), "{refused}");
        }
        let choice = FixChoice { position: Some(["LON".into(), "lat".into()]), ..FixChoice::default() };
        assert_eq!(read("id,t,lon,lat,LON\na,1,8,47,9\n", &choice).unwrap().x, [9.0]);
    }

    #[test]
    fn a_file_without_a_header_needs_numbers() {
        let text = "0.0\t1\t9.5\t6\n10\t2\t1\t3\n";
        let error = read(text, &FixChoice::default()).unwrap_err().to_string();
        assert!(error.starts_with("f: line 1: 4 columns without a header; choose them by number"), "{error}");
        let [id, time, x, y] = ["2", "1", "3", "4"].map(String::from);
        let choice = FixChoice { id: Some(id), time: Some(time), position: Some([x, y]), ..FixChoice::default() };
        let fixes = read(text, &choice).unwrap();
        assert_eq!((fixes.time, fixes.y), (vec![0.0, 10.0], vec![6.0, 3.0]));
    }

    #[test]
    fn faults_are_told_with_line_column_and_value() {
        for (text, what) in [
            ("id,t,lon,lat\na,1,8,92\n", "f: line 2: lat \"92\" is not a latitude"),
            ("id,t,lon,lat\na,1,8,9\n\na,noon,8,9\n", "f: line 4: t \"noon\" is not a number"),
            ("id,t,x,y\na,2024-05-01,8,9\na,7,8,9\n", "f: line 3: t \"7\" is not a time"),
            ("id,t,x,y\na,1,8,1e31\n", "f: line 2: y \"1e31\" is beyond"),
            ("id,t,x,y\na,1,8,inf\n", "f: line 2: y \"inf\" is not a finite number"),
            (
                "id,t,lon,lat\na,2024-05-01,8,9\na,9999-01-01,8,9\n",
                "f: t \"9999-01-01T00:00:00.000\" is beyond what can be computed with: 1e11 seconds; --time-format",
            ),
            (
                "id,t,lon,lat\na,1714564800000,8,9\na,-62135596800000,8,9\n",
                "f: t \"1714564800000\" is beyond what can be computed with: 1e11 seconds; --time-format",
            ),
            (
                "id,time_ms,lon,lat\na,0,8,9\na,1000,8,9\n",
                "f: time_ms \"0\" would be taken as seconds; --time-format milliseconds",
            ),
            (
                "id,t,a,b\nc,1,8,9\n",
                "no column of places (lon and lat, x and y or such) among \"id,t,a,b\"; choose with --x and --y",
            ),
            ("{}", "f: it is JSON, but neither features"),
        ] {
            let error = read(text, &FixChoice::default()).unwrap_err().to_string();
            assert!(error.contains(what), "{error}");
        }
    }
}
