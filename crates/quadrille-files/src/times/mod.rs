//! Times in their usual forms: dates, seconds or milliseconds since 1970, plain numbers.

mod numbers;

use std::borrow::Cow;
use std::fmt;

use crate::dates::{self, Moment, Order};
use crate::error::{Error, quote};
use crate::table::Row;
use numbers::TimeNumbers;

/// How times are written in a file. In memory they are seconds since 1970, or the numbers themselves if these are
/// plain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Times {
    /// Dates, as in `2024-05-01T12:00:00Z` or `31/05/2024 12:00`: shown as ISO 8601. Those without a zone are UTC.
    Iso {
        /// Whether they name their zones.
        has_zone: bool,
    },
    /// Numbers since 1970, and how many there are in a second.
    Since1970 {
        /// 1, 1,000 (milliseconds), a million or a billion.
        per_second: u32,
    },
    /// Numbers whose unit and origin are unknown.
    #[default]
    Plain,
}

/// Seconds since 1970 are those from March 1973 to 2286; so are milliseconds and so on.
const SECONDS: std::ops::Range<f64> = 1e8..1e10;
const UNITS: [(u32, &str); 4] =
    [(1, "seconds"), (1_000, "milliseconds"), (1_000_000, "microseconds"), (1_000_000_000, "nanoseconds")];

impl Times {
    /// The form of one number; one outside our era is plain.
    pub(crate) fn of_number(number: f64) -> Self {
        let unit = UNITS.iter().find(|(per_second, _)| SECONDS.contains(&(number / f64::from(*per_second))));
        unit.map_or(Self::Plain, |(per_second, _)| Self::Since1970 { per_second: *per_second })
    }

    /// A form of numbers by its name: `milliseconds`, `days` (dates of spreadsheets), `plain`.
    fn named(name: &str) -> Option<Self> {
        let unit = UNITS.iter().find(|(_, unit)| *unit == name);
        let unit = unit.map(|(per_second, _)| Self::Since1970 { per_second: *per_second });
        let days = (name == "days").then_some(Self::Iso { has_zone: false });
        unit.or(days).or((name == "plain").then_some(Self::Plain))
    }

    /// Whether times are written as dates instead of numbers.
    #[must_use]
    pub fn is_date(self) -> bool {
        matches!(self, Self::Iso { .. })
    }

    /// Whether times are points in the calendar, in seconds.
    #[must_use]
    pub fn is_calendar(self) -> bool {
        self != Self::Plain
    }

    /// A time for people to read: the date to the second, or to the millisecond if it is not whole; a plain number to
    /// about four digits.
    #[must_use]
    pub fn show_to_people(self, time: f64) -> String {
        match jiff::Timestamp::from_millisecond((time * 1e3).round() as i64) {
            Ok(date) if self.is_calendar() => {
                let digits = if date.subsec_millisecond() == 0 { 0 } else { 3 };
                format!("{date:.digits$}").replace('T', " ").trim_end_matches('Z').into()
            }
            _ => ((time * 1e3).round() / 1e3).to_string(),
        }
    }

    /// A time as the file would write it, to the millisecond; plain numbers exactly.
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

/// Where the times of a file are.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TimeColumns {
    /// The column of times, or of dates.
    pub(crate) time: usize,
    /// The column of times of day, if they have one of their own.
    pub(crate) of_day: Option<usize>,
    /// A column of dates that is not read. It must not change if times are plain numbers.
    pub(crate) unread: Option<usize>,
}

/// Reads the times of a file.
#[derive(Debug, Default)]
pub(crate) struct Clock {
    columns: TimeColumns,
    /// The given format, in the notation of `strftime`.
    format: Option<String>,
    /// Inferred from the first date.
    times: Option<Times>,
    /// If times are numbers, as the first is, or as was given.
    numbers: Option<TimeNumbers>,
    is_given: bool,
    /// Inferred from the first date that is valid in only one order of day and month.
    order: Option<Order>,
    undecided: Undecided,
    /// What dates are that are no ISO 8601, and the same in either order.
    in_words: Option<&'static str>,
    /// Digits of the first time of day, if it is only digits.
    width: Option<usize>,
    /// The first date that is not read, and the first that differs from it.
    unread: Option<String>,
    other_day: Option<Error>,
}

/// Dates with the day and the month in either order.
#[derive(Debug, Default)]
struct Undecided {
    /// The first of them.
    first: Option<Error>,
    /// The number of the fix, and its time if the month comes first.
    others: Vec<(usize, f64)>,
}

impl Clock {
    pub(crate) fn new(columns: TimeColumns, format: Option<String>) -> Self {
        let given = format.as_deref().and_then(Times::named);
        Self {
            columns,
            format: format.filter(|_| given.is_none()),
            numbers: given.map(TimeNumbers::given),
            is_given: given.is_some(),
            ..Self::default()
        }
    }

    /// Reads the time in a row and adds it to those of the rows before. Assumes that the day precedes the month until a
    /// date proves otherwise; earlier times are then corrected. Numbers stay as they are until all are known.
    ///
    /// # Errors
    /// Returns an error if there is none of this kind. The message names the file, the line and the value.
    pub(crate) fn read(&mut self, row: &Row<'_>, before: &mut [f64]) -> Result<f64, Error> {
        if self.numbers.is_some() || self.is_number(row) {
            return self.number(row, before.len());
        }
        let text = self.text(row)?;
        let read = match &self.format {
            Some(format) => dates::read_as(&text, format),
            None => self.date(row, &text, before).map_err(Into::into),
        };
        let error = |what: &str| row.error(self.columns.time, self.with_time_of_day(row, what));
        let Moment { seconds, has_zone } = read.map_err(|what| error(&what))?;
        match self.times.unwrap_or(Times::Iso { has_zone }) {
            Times::Iso { has_zone: true } if !has_zone => Err(error(NO_ZONE)),
            Times::Iso { has_zone: false } if has_zone => Err(error(ZONE)),
            times => {
                self.times = Some(times);
                Ok(seconds)
            }
        }
    }

    /// How times are written, and in words. Numbers become seconds if they are dates or times since 1970.
    ///
    /// # Errors
    /// Returns an error if all dates are valid with day and month in either order, or the unit of numbers is not clear.
    pub(crate) fn finish(self, numbers: &mut [f64]) -> Result<(Times, String), Error> {
        if let Some(error) = self.undecided.first {
            return Err(error);
        }
        if let Some(found) = self.numbers {
            let (times, words) = found.finish(numbers)?;
            return match self.other_day {
                Some(error) if times == Times::Plain => Err(error),
                _ => Ok((times, words)),
            };
        }
        let Some(times) = self.times else { return Ok((Times::Plain, String::new())) };
        let taken = if times == (Times::Iso { has_zone: false }) { ", taken as UTC" } else { "" };
        let words = match (self.format, self.order, self.width) {
            (Some(format), ..) => format!("{format}{taken}"),
            (None, Some(Order::DayFirst), _) => format!("day/month/year{taken}"),
            (None, Some(Order::MonthFirst), _) => format!("month/day/year{taken}"),
            (None, None, Some(width)) => format!("{} of the day{taken}", if width == 4 { "HHMM" } else { "HHMMSS" }),
            (None, None, None) => match self.in_words {
                Some(dates) => format!("{dates}{taken}"),
                None => times.to_string(),
            },
        };
        Ok((times, words))
    }

    /// Whether the first time is a number.
    fn is_number(&self, row: &Row<'_>) -> bool {
        self.times.is_none()
            && self.columns.of_day.is_none()
            && self.format.is_none()
            && row.number(self.columns.time).is_ok()
    }

    fn number(&mut self, row: &Row<'_>, count: usize) -> Result<f64, Error> {
        let column = self.columns.time;
        let number = row.number(column).map_err(|error| match row.text(column) {
            Ok(text) if dates::read(&text, Order::DayFirst).is_ok() => {
                row.error(column, if self.is_given { "is a date, no number as --time-format says" } else { DATE })
            }
            _ => error,
        })?;
        self.numbers.get_or_insert_default().take(row, column, number, count)?;
        if let (Some(unread), None) = (self.columns.unread, &self.other_day) {
            let day = row.text(unread)?;
            if *self.unread.get_or_insert_with(|| day.clone().into_owned()) != day {
                self.other_day = Some(row.error(unread, OTHER_DAY));
            }
        }
        Ok(number)
    }

    fn text<'a>(&mut self, row: &Row<'a>) -> Result<Cow<'a, str>, Error> {
        let date = row.text(self.columns.time)?;
        let Some(column) = self.columns.of_day else { return Ok(date) };
        let time = row.text(column)?;
        let is_digits = !time.is_empty() && time.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        if !is_digits || self.format.is_some() {
            return Ok(format!("{date} {time}").into());
        }
        let of_day = dates::time_in_digits(&time).filter(|(width, _)| *self.width.get_or_insert(*width) == *width);
        let (_, time) = of_day.ok_or_else(|| row.error(column, NO_TIME_OF_DAY))?;
        Ok(format!("{date} {time}").into())
    }

    fn with_time_of_day(&self, row: &Row<'_>, what: &str) -> String {
        let of_day = self.columns.of_day.and_then(|of_day| row.bytes(of_day).ok());
        of_day.map_or_else(|| what.into(), |of_day| format!("with {} {what}", quote(&of_day)))
    }

    fn date(&mut self, row: &Row<'_>, text: &str, before: &mut [f64]) -> Result<Moment, &'static str> {
        if let (Some(order), _) | (None, Some(order)) =
            (self.order, dates::begins_with_year(text).then_some(Order::DayFirst))
        {
            return dates::read(text, order);
        }
        match [Order::DayFirst, Order::MonthFirst].map(|order| dates::read(text, order)) {
            [Ok(date), Ok(other)] => {
                if date == other {
                    self.in_words.get_or_insert(if dates::has_points(text) { "day.month.year" } else { "dates" });
                } else {
                    self.undecided.first.get_or_insert_with(|| row.error(self.columns.time, EITHER));
                    self.undecided.others.push((before.len(), other.seconds));
                }
                Ok(date)
            }
            [Ok(date), Err(_)] => {
                self.decide(Order::DayFirst, before);
                Ok(date)
            }
            [Err(_), Ok(date)] => {
                self.decide(Order::MonthFirst, before);
                Ok(date)
            }
            [Err(what), Err(_)] => Err(what),
        }
    }

    fn decide(&mut self, order: Order, before: &mut [f64]) {
        self.order = Some(order);
        let undecided = std::mem::take(&mut self.undecided);
        if order == Order::MonthFirst {
            undecided.others.into_iter().for_each(|(fix, time)| before[fix] = time);
        }
    }
}

const NO_ZONE: &str = "has no zone, but the times before it have one";
const ZONE: &str = "has a zone, but the times before it have none";
const NO_TIME_OF_DAY: &str = "is not a time of day like the others: four digits (HHMM) or six (HHMMSS) are expected in all \
    rows, with their leading zeros, or colons";
const DATE: &str = "is a date, but the first time is a number";
const OTHER_DAY: &str = "is another day than in the first row, but times are plain numbers; \
    --time DATE+TIME joins two columns, --time TIME takes the times alone";
const EITHER: &str = "may begin with the day or with the month, like all dates of the file; \
    --time-format '%d/%m/%Y %H:%M:%S' or '%m/%d/%Y %H:%M:%S' says which";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_shown_as_they_were_written() {
        let time = 1_714_564_800.125_4;
        let since_1970 = |per_second| Times::Since1970 { per_second }.show(time);
        assert_eq!([1, 1_000, 1_000_000].map(since_1970), ["1714564800.125", "1714564800125", "1714564800125000"]);
        assert_eq!(Times::Iso { has_zone: true }.show(time), "2024-05-01T12:00:00.125Z");
        assert_eq!(Times::Iso { has_zone: false }.show(time), "2024-05-01T12:00:00.125");
        assert_eq!(Times::Plain.show(2.5), "2.5");
        for times in [Times::Since1970 { per_second: 1_000 }, Times::Iso { has_zone: true }] {
            assert_eq!(times.show_to_people(time), "2024-05-01 12:00:00.125");
            assert_eq!(times.show_to_people(time.floor()), "2024-05-01 12:00:00");
        }
        assert_eq!(Times::Plain.show_to_people(2.5), "2.5");
    }
}
