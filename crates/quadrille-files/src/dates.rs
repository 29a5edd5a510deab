//! Dates as people and receivers write them: ISO 8601, or with the year last (`31/05/2024 23:59`, `5/31/2024 11:59
//! PM`).

use jiff::civil::Time;
use jiff::fmt::strtime::BrokenDownTime;
use jiff::fmt::temporal::Pieces;
use jiff::tz::Offset;

/// Whether day or month comes first in a date that ends with the year.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    DayFirst,
    MonthFirst,
}

/// A moment that was read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Moment {
    /// Since 1970.
    pub(crate) seconds: f64,
    /// Whether it names its zone; otherwise it is read as UTC.
    pub(crate) has_zone: bool,
}

const NO_TIME: &str = "is no time: a date is expected (2024-05-01T12:00:00Z), or a number; --time-format reads others";
const DAY: f64 = 86_400.0;

/// Reads a date and a time of day, or a date alone.
pub(crate) fn read(text: &str, order: Order) -> Result<Moment, &'static str> {
    // Most are written like this.
    if let Ok(moment) = parsed(text) {
        return Ok(moment);
    }
    let (date, time) = text.split_once(['T', 't', ' ']).unwrap_or((text, ""));
    let date = with_year_first(date, order).ok_or(NO_TIME)?;
    if time.trim().is_empty() {
        return parsed(&date);
    }
    let time = without_words(time);
    // Midnight at the end of a day (ISO 8601).
    let (hours, rest) = time.split_once(':').unwrap_or((&time, ""));
    let is_end = hours == "24" && rest.bytes().all(|byte| b"0:.Z".contains(&byte));
    let time = if is_end { format!("00:{rest}") } else { time };
    let moment = parsed(&format!("{date}T{time}"))?;
    Ok(Moment { seconds: moment.seconds + if is_end { DAY } else { 0.0 }, ..moment })
}

/// Reads a form in the notation of `strftime`: `%d/%m/%Y %H:%M:%S`.
pub(crate) fn read_as(text: &str, format: &str) -> Result<Moment, String> {
    let parsed =
        BrokenDownTime::parse(format, text).map_err(|error| format!("is not written as {format:?}: {error}"))?;
    check_zone(parsed.offset())?;
    if let Ok(instant) = parsed.to_timestamp() {
        return Ok(Moment { seconds: seconds(instant), has_zone: true });
    }
    let date = parsed.to_date().map_err(|error| format!("is no date by {format:?}: {error}"))?;
    let date = date.to_datetime(parsed.to_time().unwrap_or(Time::midnight()));
    let instant = Offset::UTC.to_timestamp(date).map_err(|error| error.to_string())?;
    Ok(Moment { seconds: seconds(instant), has_zone: false })
}

/// Refuses an offset that no place on the earth has.
fn check_zone(offset: Option<Offset>) -> Result<(), &'static str> {
    let is_known = offset.is_none_or(|offset| (-12 * 3600..=14 * 3600).contains(&offset.seconds()));
    if is_known { Ok(()) } else { Err("names no zone of the earth: they are from -12:00 to +14:00") }
}

/// Whether day and month may be read in either order.
pub(crate) fn begins_with_year(text: &str) -> bool {
    text.len() >= 4 && text.bytes().take(4).all(|byte| byte.is_ascii_digit())
}

/// Whether a text is a time of day, without a date.
pub(crate) fn is_time_of_day(text: &str) -> bool {
    text.contains(':')
        && !text.contains(['/', '-', 'T', ' '])
        && text.split(':').all(|part| part.parse::<f64>().is_ok())
}

/// The date in ISO 8601; `None` if it is not a date.
fn with_year_first(date: &str, order: Order) -> Option<String> {
    let Some(sign) = date.chars().find(|character| !character.is_ascii_digit()) else { return Some(date.into()) };
    let parts: Vec<&str> = date.split(sign).collect();
    let [first, second, third] = parts[..] else { return Some(date.into()) };
    // The fourth digit of the year: 2024/05/01.
    if begins_with_year(date) {
        return Some(padded(first, second, third));
    }
    // Dates with points begin with the day.
    let is_day_first = order == Order::DayFirst || sign == '.';
    let [day, month] = if is_day_first { [first, second] } else { [second, first] };
    (third.len() == 4 && "/.-".contains(sign)).then(|| padded(third, month, day))
}

fn padded(year: &str, month: &str, day: &str) -> String {
    format!("{year}-{month:0>2}-{day:0>2}")
}

/// A time of day as in ISO 8601: zones, AM and PM are attached, not separate words.
fn without_words(time: &str) -> String {
    let time = time.trim().to_ascii_uppercase();
    let ends = |word: &str| time.strip_suffix(word).map(str::trim_end);
    if let Some(time) = ends("UTC").or(ends("GMT")).or(ends("Z")) {
        return format!("{time}Z");
    }
    // Offsets may follow a blank.
    if let Some((time, offset)) = time.rsplit_once(' ').filter(|(_, offset)| offset.starts_with(['+', '-'])) {
        return padded_hours(time.trim_end()) + offset;
    }
    let half = ends("AM").map(|time| (time, 0)).or(ends("PM").map(|time| (time, 12)));
    let Some((time, later)) = half else { return padded_hours(&time) };
    let (hours, rest) = time.split_once(':').unwrap_or((time, "00"));
    match hours.parse::<u32>() {
        Ok(hours @ 1..=12) => format!("{:02}:{rest}", hours % 12 + later),
        // Is rejected unchanged.
        _ => format!("{time} of 12"),
    }
}

/// `0:05` and `7:30` are written with one digit.
fn padded_hours(time: &str) -> String {
    let is_short = time.as_bytes().get(1) == Some(&b':');
    if is_short { format!("0{time}") } else { time.into() }
}

fn parsed(text: &str) -> Result<Moment, &'static str> {
    let pieces = Pieces::parse(text).map_err(|_| NO_TIME)?;
    if pieces.time_zone_annotation().is_some() {
        return Err("names a zone by a word; zones are written as an offset, such as +02:00, or Z");
    }
    let offset = pieces.to_numeric_offset();
    check_zone(offset)?;
    let date = pieces.date().to_datetime(pieces.time().unwrap_or(Time::midnight()));
    let instant = offset.unwrap_or(Offset::UTC).to_timestamp(date).map_err(|_| NO_TIME)?;
    Ok(Moment { seconds: seconds(instant), has_zone: offset.is_some() })
}

/// Whole seconds and their parts are each exact; the sum is to a quarter of a microsecond.
fn seconds(instant: jiff::Timestamp) -> f64 {
    instant.as_second() as f64 + f64::from(instant.subsec_nanosecond()) * 1e-9
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOON: f64 = 1_714_564_800.0;

    fn seconds_of(text: &str, order: Order) -> Option<f64> {
        read(text, order).ok().map(|moment| moment.seconds)
    }

    #[test]
    fn dates_are_read_in_their_forms() {
        for text in [
            "2024-05-01T12:00:00Z", "2024-05-01 12:00:00", "2024-05-01T12:00", "2024-05-01T14:00:00+02:00",
            "20240501T120000Z", "2024-05-01T12:00:00.000Z", "2024-05-01 07:00:00-0500", "2024-05-01T12:00:00+00",
            "2024-05-01 12:00:00 UTC", "2024-05-01 12:00 gmt", "2024-05-01 12:00:00 Z", "2024-05-01 13:00:00 +0100",
            "01/05/2024 7:00 -05:00", "2024/05/01 12:00:00+00", "2024-5-1 12:00", "01/05/2024 12:00:00",
            "1/5/2024 12:00", "01.05.2024 12:00:00", "01-05-2024 12:00", "1/5/2024 12:00 PM", "1/5/2024 12:00:00.0 pm",
        ] {
            assert_eq!(seconds_of(text, Order::DayFirst), Some(NOON), "{text}");
        }
        for text in ["5/1/2024 12:00", "05/01/2024 12:00:00 UTC", "01.05.2024 12:00", "2024-05-01 12:00:00"] {
            assert_eq!(seconds_of(text, Order::MonthFirst), Some(NOON), "{text}");
        }
        assert_eq!(read("2024-05-01", Order::DayFirst), Ok(Moment { seconds: NOON - DAY / 2.0, has_zone: false }));
        assert_eq!(read("1969-12-31T23:59:59.25Z", Order::DayFirst), Ok(Moment { seconds: -0.75, has_zone: true }));
        assert_eq!(seconds_of("2024-04-30T24:00:00", Order::DayFirst), Some(NOON - DAY / 2.0));
        assert_eq!(seconds_of("30/04/2024 24:00:00 UTC", Order::DayFirst), Some(NOON - DAY / 2.0));
        assert_eq!(seconds_of("1/5/2024 0:05", Order::DayFirst), Some(NOON - DAY / 2.0 + 300.0));
        assert_eq!(seconds_of("1/5/2024 12:05 AM", Order::DayFirst), Some(NOON - DAY / 2.0 + 300.0));
    }

    #[test]
    fn what_is_no_date_is_refused() {
        for text in [
            "", "noon", "2024-13-01", "13/13/2024 12:00", "31/02/2024", "1/5/24 12:00", "1/5/2024 13:00 PM",
            "1/5/2024 0:00 AM", "2024-05-01T24:00:01", "2024-05-01T25:00", "2024-05-01T12:00[Europe/Zurich]",
            "2024-05-01 12:00 EST", "2024-05-01 12:00 +x", "2024-05-01T12:00:00+25:00", "2024-05-01 12:00 -1201",
            "2024-05-01T12:00+14:01", "01/05/2024 12:00 +2500", "12:00:00", "1/2/3/2024", "\u{fffd}",
        ] {
            for order in [Order::DayFirst, Order::MonthFirst] {
                assert!(read(text, order).is_err(), "{text}");
            }
        }
    }

    #[test]
    fn a_form_that_is_given_is_read_as_it_is() {
        let read = |text, format| read_as(text, format).ok();
        let noon = |has_zone| Some(Moment { seconds: NOON, has_zone });
        assert_eq!(read("1/5/24 12.00", "%d/%m/%y %H.%M"), noon(false));
        assert_eq!(read("05/01/2024 02:00:00 PM +0200", "%m/%d/%Y %I:%M:%S %p %z"), noon(true));
        assert_eq!(read("2024-05-01", "%Y-%m-%d").map(|moment| moment.seconds), Some(NOON - DAY / 2.0));
        assert_eq!(read("2024-05-01", "%d/%m/%Y"), None);
        assert_eq!(read("12:00", "%H:%M"), None);
        assert_eq!(read("2024-05-01 12:00 +2500", "%Y-%m-%d %H:%M %z"), None);
    }
}
