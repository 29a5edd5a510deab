//! Times in their usual forms: ISO 8601, seconds or milliseconds since 1970, plain numbers.

use std::fmt;

use jiff::civil::Time;
use jiff::fmt::temporal::Pieces;
use jiff::tz::Offset;

use crate::error::Error;
use crate::table::Row;

/// How the times of a file are written. In memory they are seconds since 1970, or the numbers themselves if those are
/// plain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Times {
    /// ISO 8601, as in `2024-05-01T12:00:00Z` or `2024-05-01 12:00`. Those without a zone are UTC.
    Iso {
        /// Whether the first one names its zone.
        has_zone: bool,
    },
    /// Numbers since 1970, and how many there are in a second.
    Since1970 {
        /// 1, 1,000 (milliseconds), a million or a billion.
        per_second: u32,
    },
    /// Numbers whose unit and origin are unknown.
    Plain,
}

/// Seconds since 1970 are those from March 1973 to 2286; so are milliseconds and so on.
const SECONDS: std::ops::Range<f64> = 1e8..1e10;
const UNITS: [(u32, &str); 4] =
    [(1, "seconds"), (1_000, "milliseconds"), (1_000_000, "microseconds"), (1_000_000_000, "nanoseconds")];

impl Times {
    /// How times are written, told by the first of them. Numbers that could not be of our days are plain.
    ///
    /// # Errors
    /// If it is no time: names the file, the line and the value.
    pub(crate) fn of(row: &Row<'_>, column: usize) -> Result<Self, Error> {
        let Ok(number) = row.number(column) else {
            let (_, has_zone) = iso(row, column)?;
            return Ok(Self::Iso { has_zone });
        };
        let unit = UNITS.iter().find(|(per_second, _)| SECONDS.contains(&(number / f64::from(*per_second))));
        Ok(unit.map_or(Self::Plain, |(per_second, _)| Self::Since1970 { per_second: *per_second }))
    }

    /// The time in a field.
    ///
    /// # Errors
    /// If there is none of this kind: names the file, the line and the value.
    pub(crate) fn read(self, row: &Row<'_>, column: usize) -> Result<f64, Error> {
        match self {
            Self::Iso { .. } => iso(row, column).map(|(seconds, _)| seconds),
            Self::Since1970 { per_second } => Ok(row.number(column)? / f64::from(per_second)),
            Self::Plain => row.number(column),
        }
    }

    /// Whether times are written as dates, and not as numbers.
    #[must_use]
    pub fn is_date(self) -> bool {
        matches!(self, Self::Iso { .. })
    }

    /// Whether times belong to a calendar, and the unit is a second.
    #[must_use]
    pub fn is_calendar(self) -> bool {
        self != Self::Plain
    }

    /// A time as the file would have it, to the millisecond (plain numbers: exactly).
    #[must_use]
    pub fn show(self, time: f64) -> String {
        // Saturates, and is then no date.
        let milliseconds = || (time * 1e3).round() as i64;
        match self {
            Self::Plain => time.to_string(),
            Self::Since1970 { per_second: 1 } => format!("{time:.3}"),
            Self::Since1970 { per_second } => (i128::from(milliseconds()) * i128::from(per_second / 1000)).to_string(),
            Self::Iso { has_zone } => match jiff::Timestamp::from_millisecond(milliseconds()) {
                Ok(date) if has_zone => format!("{date:.3}"),
                Ok(date) => format!("{date:.3}").trim_end_matches('Z').into(),
                Err(_) => time.to_string(),
            },
        }
    }
}

impl fmt::Display for Times {
    /// For people: `milliseconds since 1970`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Iso { has_zone: true } => f.write_str("ISO 8601"),
            Self::Iso { has_zone: false } => f.write_str("ISO 8601, taken as UTC"),
            Self::Since1970 { per_second } => {
                let unit = UNITS.iter().find(|unit| unit.0 == *per_second).map_or("ticks", |unit| unit.1);
                write!(f, "{unit} since 1970")
            }
            Self::Plain => f.write_str("plain numbers"),
        }
    }
}

/// Seconds since 1970, and whether a zone was named.
fn iso(row: &Row<'_>, column: usize) -> Result<(f64, bool), Error> {
    parsed(row.bytes(column)).map_err(|what| row.error(column, what))
}

fn parsed(text: &[u8]) -> Result<(f64, bool), &'static str> {
    const NO_TIME: &str = "is no time: ISO 8601 is expected (2024-05-01T12:00:00Z), or a number";
    let pieces = Pieces::parse(text).map_err(|_| NO_TIME)?;
    if pieces.time_zone_annotation().is_some() {
        return Err("names a zone by a word; zones are written as an offset, such as +02:00, or Z");
    }
    let offset = pieces.to_numeric_offset();
    let date = pieces.date().to_datetime(pieces.time().unwrap_or(Time::midnight()));
    let instant = offset.unwrap_or(Offset::UTC).to_timestamp(date).map_err(|_| NO_TIME)?;
    // Whole seconds and their parts are each exact; the sum is to a quarter of a microsecond.
    let seconds = instant.as_second() as f64;
    Ok((seconds + f64::from(instant.subsec_nanosecond()) * 1e-9, offset.is_some()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_in_their_forms() {
        let noon = 1_714_564_800.0;
        for text in [
            "2024-05-01T12:00:00Z",
            "2024-05-01 12:00:00",
            "2024-05-01T12:00",
            "2024-05-01T14:00:00+02:00",
            "20240501T120000Z",
            "2024-05-01T12:00:00.000Z",
            "2024-05-01 07:00:00-0500",
            "2024-05-01T12:00:00+00",
        ] {
            assert_eq!(parsed(text.as_bytes()).map(|(seconds, _)| seconds), Ok(noon), "{text}");
        }
        assert_eq!(parsed(b"2024-05-01"), Ok((noon - 43_200.0, false)));
        assert_eq!(parsed(b"1969-12-31T23:59:59.25Z"), Ok((-0.75, true)));
        for text in [
            "",
            "noon",
            "2024-13-01",
            "01/05/2024 12:00",
            "2024-05-01T25:00",
            "2024-05-01T12:00[Europe/Zurich]",
            "\u{fffd}",
        ] {
            assert!(parsed(text.as_bytes()).is_err(), "{text}");
        }
    }

    #[test]
    fn times_are_shown_as_they_were_written() {
        let time = 1_714_564_800.125_4;
        let since_1970 = |per_second| Times::Since1970 { per_second }.show(time);
        assert_eq!([1, 1_000, 1_000_000].map(since_1970), ["1714564800.125", "1714564800125", "1714564800125000"]);
        assert_eq!(Times::Iso { has_zone: true }.show(time), "2024-05-01T12:00:00.125Z");
        assert_eq!(Times::Iso { has_zone: false }.show(time), "2024-05-01T12:00:00.125");
        assert_eq!(Times::Plain.show(2.5), "2.5");
    }
}
