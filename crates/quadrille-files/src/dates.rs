//! Dates as people and receivers write them: ISO 8601, with the year last (`31/05/2024 23:59`, `5/31/2024 11:59 PM`), with
//! the name of the month (`Tue, 30 Jul 2024 06:17:43 +0000`, `30-Jul-2024`), or in digits alone (`20240730061743`).

use jiff::civil::{DateTime, Time};
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

const NO_TIME: &str =
    "is not a time: a date is expected (2024-05-01T12:00:00Z), or a number; --time-format reads others";
const ZONE: &str = "names a zone by a word; zones are written as an offset, such as +02:00, or Z";
const TWO_DIGITS: &str = "has a year of two digits, which may be any of its three parts; \
    --time-format '%d.%m.%y %H:%M:%S' or such says which";
const DAY: f64 = 86_400.0;

/// English names; programs write their first three letters or more.
const MONTHS: [&str; 12] = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
];
const WEEKDAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/// Dates in digits alone, by their number: those of the year come first.
const DIGITS: [(usize, &str); 5] = [
    (8, "YYYYMMDD"),
    (10, "YYYYMMDDhh"),
    (12, "YYYYMMDDhhmm"),
    (14, "YYYYMMDDhhmmss"),
    (17, "YYYYMMDDhhmmss and milliseconds"),
];
/// Years of dates in digits: most other numbers are no dates then.
const YEARS: std::ops::RangeInclusive<i16> = 1970..=2099;

/// Reads a date and a time of day, or a date alone.
pub(crate) fn read(text: &str, order: Order) -> Result<Moment, &'static str> {
    // Most are written like this.
    if let Ok(moment) = parsed(text) {
        return Ok(moment);
    }
    let (date, time) = with_named_month(text).unwrap_or_else(|| with_numbers(text, order))?;
    if time.trim().is_empty() {
        return parsed(&date);
    }
    let time = without_words(&time)?;
    // Midnight at the end of a day (ISO 8601).
    let (hours, rest) = time.split_once(':').unwrap_or((&time, ""));
    let is_end = hours == "24" && rest.bytes().all(|byte| b"0:.Z".contains(&byte));
    let time = if is_end { format!("00:{rest}") } else { time };
    let moment = parsed(&format!("{date}T{time}"))?;
    Ok(Moment { seconds: moment.seconds + if is_end { DAY } else { 0.0 }, ..moment })
}

/// Reads a form in the notation of `strftime`: `%d/%m/%Y %H:%M:%S`.
pub(crate) fn read_as(text: &str, format: &str) -> Result<Moment, String> {
    let parse = |text: &str| BrokenDownTime::parse(format, text);
    let parsed = parse(text).map_err(|error| format!("is not written as {format:?}: {error}"))?;
    check_zone(parsed.offset())?;
    check_second(text, parsed.second(), |text| parse(text).ok()?.second())?;
    if let Ok(instant) = parsed.to_timestamp() {
        return Ok(Moment { seconds: seconds(instant), has_zone: true });
    }
    let date = parsed.to_date().map_err(|error| format!("is not a valid date for the format {format:?}: {error}"))?;
    let date = date.to_datetime(parsed.to_time().unwrap_or(Time::midnight()));
    let instant = Offset::UTC.to_timestamp(date).map_err(|error| error.to_string())?;
    Ok(Moment { seconds: seconds(instant), has_zone: false })
}

/// Refuses an offset that no place on the earth has.
fn check_zone(offset: Option<Offset>) -> Result<(), &'static str> {
    let is_known = offset.is_none_or(|offset| (-12 * 3600..=14 * 3600).contains(&offset.seconds()));
    if is_known { Ok(()) } else { Err("names no zone of the earth: they are from -12:00 to +14:00") }
}

/// Refuses the second 60, which receivers write if they know none, and which parsers take as 59: if 58 is written in its
/// place, they find that.
fn check_second(text: &str, second: Option<i8>, parse: impl Fn(&str) -> Option<i8>) -> Result<(), &'static str> {
    let is_second = |at: usize| parse(&[&text[..at], "58", &text[at + 2..]].concat()) == Some(58);
    let is_60 = second == Some(59) && text.match_indices("60").any(|(at, _)| is_second(at));
    if is_60 { Err("has the second 60: they are from 0 to 59") } else { Ok(()) }
}

/// Whether points divide a date. The day then comes first.
pub(crate) fn has_points(text: &str) -> bool {
    text.trim_start().trim_start_matches(|digit: char| digit.is_ascii_digit()).starts_with('.')
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

/// A number that is a date in digits alone: how many digits, and seconds since 1970. Seconds may have decimals, and any
/// number those of a float.
pub(crate) fn of_digits(text: &str) -> Option<(usize, f64)> {
    let (digits, decimals) = text.split_once('.').unwrap_or((text, ""));
    let width = digits.len();
    let is_exact = decimals.bytes().all(|byte| byte == b'0');
    let has_form = DIGITS.iter().any(|form| form.0 == width) && (width == 14 || is_exact);
    let are_digits = digits.bytes().chain(decimals.bytes()).all(|byte| byte.is_ascii_digit());
    if !has_form || !are_digits {
        return None;
    }
    let part = |from: usize, to: usize| digits.get(from..to).map_or(Ok(0), str::parse::<i16>).ok();
    let small = |from: usize| part(from, from + 2).and_then(|number| i8::try_from(number).ok());
    let year = part(0, 4).filter(|year| YEARS.contains(year))?;
    let date = DateTime::new(year, small(4)?, small(6)?, small(8)?, small(10)?, small(12)?, 0).ok()?;
    let fraction = if is_exact { f64::from(part(14, 17)?) / 1e3 } else { format!("0.{decimals}").parse().ok()? };
    Some((width, seconds(Offset::UTC.to_timestamp(date).ok()?) + fraction))
}

/// Whether a number may be a date in digits whose year has two digits or comes last, or one with a part of a day. It may
/// have lost a zero at the front.
pub(crate) fn may_be_of_digits(text: &str) -> bool {
    let is_date = |text: &str| {
        let Some((date, rest)) = text.split_at_checked(8).filter(|(date, _)| date.is_ascii()) else { return false };
        let ([first, second], year) = ([&date[..2], &date[2..4]], &date[4..]);
        let are = |month, day| of_digits(&[year, month, day, rest].concat()).is_some();
        are(first, second) || are(second, first) || matches!(of_digits(&format!("20{text}")), Some((12.., _)))
    };
    let has_part = text.split_once('.').is_some_and(|(date, _)| matches!(of_digits(date), Some((8, _))));
    has_part || is_date(text) || is_date(&format!("0{text}"))
}

/// Whether six digits may be a time of day, or a date with a year of two digits.
pub(crate) fn may_be_of_six(text: &str) -> bool {
    text.len() == 6 && (time_in_digits(text).is_some() || of_digits(&format!("20{text}")).is_some())
}

/// The form of dates with this number of digits.
pub(crate) fn in_letters(width: usize) -> &'static str {
    DIGITS.iter().find(|form| form.0 == width).map_or("digits", |form| form.1)
}

/// A time of day of four digits or six, perhaps with decimals: how many digits, and the same with colons.
pub(crate) fn time_in_digits(text: &str) -> Option<(usize, String)> {
    let (digits, decimals) = text.split_once('.').unwrap_or((text, ""));
    if !digits.bytes().chain(decimals.bytes()).all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let is_below = |part: &str, limit: u8| part.parse::<u8>().is_ok_and(|number| number < limit);
    let (hours, minutes, seconds) = (digits.get(..2)?, digits.get(2..4)?, digits.get(4..)?);
    let is_time = is_below(hours, 25) && is_below(minutes, 60);
    match (digits.len(), decimals) {
        (4, "") if is_time => Some((4, format!("{hours}:{minutes}"))),
        (6, _) if is_time && is_below(seconds, 60) => {
            let point = if decimals.is_empty() { "" } else { "." };
            Some((6, format!("{hours}:{minutes}:{seconds}{point}{decimals}")))
        }
        _ => None,
    }
}

/// The date in ISO 8601, and the rest, of a text whose month is a number.
fn with_numbers(text: &str, order: Order) -> Result<(String, String), &'static str> {
    let (date, time) = text.split_once(['T', 't', ' ', '_']).unwrap_or((text, ""));
    Ok((with_year_first(date, order)?, time.into()))
}

/// The date in ISO 8601.
fn with_year_first(date: &str, order: Order) -> Result<String, &'static str> {
    let Some(sign) = date.chars().find(|character| !character.is_ascii_digit()) else { return Ok(date.into()) };
    let parts: Vec<&str> = date.split(sign).collect();
    let [first, second, third] = parts[..] else { return Ok(date.into()) };
    // The fourth digit of the year: 2024/05/01.
    if begins_with_year(date) {
        return Ok(padded(first, second, third));
    }
    // Dates with points begin with the day.
    let is_day_first = order == Order::DayFirst || sign == '.';
    let [day, month] = if is_day_first { [first, second] } else { [second, first] };
    let are_digits = parts.concat().bytes().all(|byte| byte.is_ascii_digit());
    match third.len() {
        4 if "/.-".contains(sign) => Ok(padded(third, month, day)),
        2 if "/.-".contains(sign) && are_digits && first.len() <= 2 => Err(TWO_DIGITS),
        _ => Err(NO_TIME),
    }
}

/// The same of a text that names the month, whose three parts may be in any order: `30-Jul-2024 06:17`, `Jul 30, 2024`,
/// `Tue, 30 Jul 2024 06:17:43 +0000`, `Tue Jul 30 06:17:43 UTC 2024`.
fn with_named_month(text: &str) -> Option<Result<(String, String), &'static str>> {
    if !text.bytes().any(|byte| byte.is_ascii_alphabetic()) {
        return None;
    }
    let mut words: Vec<&str> = text.split([' ', ',']).filter(|word| !word.is_empty()).collect();
    if words.first().is_some_and(|word| place(&WEEKDAYS, word).is_some()) {
        words.remove(0);
    }
    let mut parts: Vec<&str> = words.first()?.split(['-', '/', '.']).collect();
    if parts.len() == 3 {
        words.remove(0);
    } else {
        // Of four words, the last one may also be a time of day without a colon: `30 Jul 24 1015`.
        let is_year_last = words.len() > 3 && words[2].contains(':') && !words[..3].iter().any(|word| is_year(word));
        let year = words.last().copied().filter(|word| is_year_last && is_year(word));
        let count = if year.is_some() { 2 } else { 3 };
        words.truncate(words.len() - usize::from(year.is_some()));
        parts = words.drain(..count.min(words.len())).chain(year).map(|word| word.trim_end_matches('.')).collect();
    }
    let (at, month) = parts.iter().enumerate().find_map(|(at, part)| Some((at, place(&MONTHS, part)?)))?;
    parts.remove(at);
    let is_short = |part: &str| part.len() <= 2 && part.bytes().all(|byte| byte.is_ascii_digit());
    Some(match parts[..] {
        [day, year] | [year, day] if is_year(year) && is_short(day) => {
            Ok((padded(year, &(month + 1).to_string(), day), words.join(" ")))
        }
        [first, second] if is_short(first) && is_short(second) => Err(TWO_DIGITS),
        _ => Err(NO_TIME),
    })
}

fn is_year(word: &str) -> bool {
    word.len() == 4 && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Which of these names a word is or abbreviates.
fn place(names: &[&str], word: &str) -> Option<usize> {
    let word = word.trim_end_matches('.').to_ascii_lowercase();
    names.iter().position(|name| word.len() >= 3 && name.starts_with(&word))
}

fn padded(year: &str, month: &str, day: &str) -> String {
    format!("{year}-{month:0>2}-{day:0>2}")
}

/// A time of day as in ISO 8601: the zone is an offset or `Z`, and there is no `AM` or `PM`. Go writes an offset and its
/// name, and perhaps its own clock (`m=+1.5`); others write names in parentheses.
fn without_words(time: &str) -> Result<String, &'static str> {
    let time = time.trim().to_ascii_uppercase();
    let time = time.split('(').next().unwrap_or_default();
    let time = time.split(" M=").next().unwrap_or_default();
    let is_name = |character: char| character.is_ascii_alphabetic();
    let is_utc = |name: &str| ["UTC", "GMT", "UT", "Z"].contains(&name);
    let (clock, rest) = run(time, |character| character.is_ascii_digit() || ":.,".contains(character));
    let (half, after) = run(rest, is_name);
    let (half, rest) = if ["AM", "PM"].contains(&half) { (half, after) } else { ("", rest) };
    let (zone, rest) = run(rest, is_name);
    let (offset, rest) = run(rest, |character| character.is_ascii_digit() || "+-:".contains(character));
    let (name, rest) = run(rest, is_name);
    let is_zero = offset.bytes().all(|byte| b"+-:0".contains(&byte));
    if rest.starts_with('[') || !(clock.is_empty() || zone.is_empty() || is_utc(zone)) {
        return Err(ZONE);
    }
    if clock.is_empty() || !rest.is_empty() || !name.is_empty() && (offset.is_empty() || is_utc(name) && !is_zero) {
        return Err(NO_TIME);
    }
    let offset = if offset.is_empty() && !zone.is_empty() { "Z" } else { offset };
    Ok(in_24_hours(clock, half).ok_or(NO_TIME)? + offset)
}

/// The beginning of a text, and the rest without blanks before it.
fn run(text: &str, is_in: impl Fn(char) -> bool) -> (&str, &str) {
    let (beginning, rest) = text.split_at(text.find(|character| !is_in(character)).unwrap_or(text.len()));
    (beginning, rest.trim_start())
}

/// A time of day, with or without AM or PM.
fn in_24_hours(clock: &str, half: &str) -> Option<String> {
    if half.is_empty() {
        return Some(padded_hours(clock));
    }
    let (hours, rest) = clock.split_once(':').unwrap_or((clock, "00"));
    let hours = hours.parse::<u32>().ok().filter(|hours| (1..=12).contains(hours))?;
    Some(format!("{:02}:{rest}", hours % 12 + if half == "PM" { 12 } else { 0 }))
}

/// `0:05` and `7:30` are written with one digit.
fn padded_hours(time: &str) -> String {
    let is_short = time.as_bytes().get(1) == Some(&b':');
    if is_short { format!("0{time}") } else { time.into() }
}

fn parsed(text: &str) -> Result<Moment, &'static str> {
    let pieces = Pieces::parse(text).map_err(|_| NO_TIME)?;
    let offset = pieces.to_numeric_offset();
    if pieces.time_zone_annotation().is_some() && offset.is_none() {
        return Err(ZONE);
    }
    check_zone(offset)?;
    let second = |pieces: &Pieces<'_>| pieces.time().map(Time::second);
    check_second(text, second(&pieces), |text| second(&Pieces::parse(text).ok()?))?;
    let date = pieces.date().to_datetime(pieces.time().unwrap_or(Time::midnight()));
    let instant = offset.unwrap_or(Offset::UTC).to_timestamp(date).map_err(|_| NO_TIME)?;
    Ok(Moment { seconds: seconds(instant), has_zone: offset.is_some() })
}

/// Whole seconds and their parts are each exact; the sum is to a quarter of a microsecond.
fn seconds(instant: jiff::Timestamp) -> f64 {
    instant.as_second() as f64 + f64::from(instant.subsec_nanosecond()) * 1e-9
}

#[cfg(test)]
pub(crate) mod tests {
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
    fn the_second_60_is_refused() {
        for text in [
            "2024-05-01T12:00:60Z", "2024-05-01 12:00:60", "20240501T120060Z", "2024-05-01T12:00:60.5+02:00",
            "01/05/2024 12:00:60", "1/5/2024 12:00:60 PM", "Wed, 01 May 2024 12:00:60 GMT", "2016-12-31T23:59:60Z",
            "1960-05-01T12:59:60",
        ] {
            let refused = read(text, Order::DayFirst).unwrap_err();
            assert!(refused.contains("second 60"), "{text}: {refused}");
        }
        for (text, format) in [
            ("1/5/24 12.00.60", "%d/%m/%y %H.%M.%S"),
            ("60 59 12 1/5/1960", "%S %M %H %d/%m/%Y"),
            ("2024-05-01 12:00:60 +0200", "%F %T %z"),
            ("20240501120060", "%Y%m%d%H%M%S"),
        ] {
            let refused = read_as(text, format).unwrap_err();
            assert!(refused.contains("second 60"), "{text}: {refused}");
        }
        for text in
            ["1960-05-01T12:00:59Z", "2024-05-01T12:00:59.60", "2024-05-01T12:00:59.6060Z", "2024-05-01T12+06:00"]
        {
            assert!(read(text, Order::DayFirst).is_ok(), "{text}");
        }
        for (text, format) in [
            ("1960-05-01 12:00:59", "%F %T"),
            ("12:00:59.60 2024-05-01", "%H:%M:%S%.f %F"),
            // At second 59, and at another.
            ("1560600059", "%s"),
            ("1714564860", "%s"),
        ] {
            assert!(read_as(text, format).is_ok(), "{text}");
        }
    }

    /// Spellings of one moment, to the minute, second or part of a second that they name.
    pub(crate) const SPELLINGS: [&str; 54] = [
        "2024-07-30T06:17:43Z[UTC]",
        "2024-07-30T08:17:43+02:00[Europe/Zurich]",
        "2024-07-30T06:17:43Z",
        "2024-07-30 06:17:43",
        "2024-07-30t06:17:43z",
        "2024-07-30T06:17:43.000Z",
        "2024-07-30 06:17:43,000",
        "2024-07-30T06:17:43+00:00",
        "2024-07-30T08:17:43+02:00",
        "2024-07-30 08:17:43+0200",
        "2024-07-30 08:17:43 +02",
        "20240730T061743Z",
        "20240730T061743",
        "20240730 06:17:43",
        "2024/07/30 06:17:43",
        "2024.07.30 06:17:43",
        "2024-7-30 6:17:43",
        "2024-07-30_06:17:43",
        "2024-07-30 06:17:43 UTC",
        "2024-07-30 06:17:43 GMT",
        "2024-07-30 6:17:43 AM",
        "2024-07-30 06:17:43AM",
        "2024-07-30 06:17:43 AM UTC",
        "2024-07-30 06:17:43.000000000 +0000 UTC",
        "2024-07-30 06:17:43 +0000 UTC m=+0.000012",
        "2024-07-30 08:17:43 +0200 CEST",
        "30/07/2024 06:17:43",
        "30.07.2024 06:17:43",
        "30-07-2024 06:17:43",
        "30/7/2024 6:17:43",
        "30/07/2024 08:17:43 +0200",
        "30/07/2024 06:17:43 AM",
        "Tue, 30 Jul 2024 06:17:43 +0000",
        "Tue, 30 Jul 2024 06:17:43 GMT",
        "Tue, 30 Jul 2024 08:17:43 +0200",
        "30 Jul 2024 06:17:43 UT",
        "30 Jul 2024 06:17:43",
        "30-Jul-2024 06:17:43",
        "30-JUL-2024 06:17:43",
        "30/Jul/2024 06:17:43",
        "30.Jul.2024 06:17:43",
        "2024-Jul-30 06:17:43",
        "2024 Jul 30 06:17:43",
        "30 July 2024 06:17:43",
        "30. July 2024 6:17:43",
        "July 30, 2024 06:17:43",
        "Jul 30, 2024 6:17:43 AM",
        "Tue Jul 30 06:17:43 2024",
        "Tue Jul 30 06:17:43 UTC 2024",
        "Tue Jul 30 2024 08:17:43 GMT+0200 (Central European Summer Time)",
        "Tuesday, July 30, 2024 06:17:43 AM",
        "Tue Jul 30 2024 06:17:43",
        "Tues. 30 Jul. 2024 06:17:43",
        "Tue, 30 Jul 2024 06:17:43 +0000 (UTC)",
    ];

    /// Spellings that are refused, and a word of the reason.
    pub(crate) const REFUSED: [(&str, &str); 27] = [
        ("30 Jul 24 1015", "two digits"),
        ("30 Jul 12 2359", "two digits"),
        ("2024-07-30-06:17:43", "not a time"),
        ("2024-W31-2", "not a time"),
        ("2024-212", "not a time"),
        ("30/07/24 06:17:43", "two digits"),
        ("30.07.24", "two digits"),
        ("30-07-24 06:17", "two digits"),
        ("24-07-30 06:17:43", "two digits"),
        ("30-Jul-24 06:17:43", "two digits"),
        ("30 Jul 24", "two digits"),
        ("2024-07-30 06:17:43 CEST", "zone"),
        ("Tue, 30 Jul 2024 06:17:43 EST", "zone"),
        ("2024-07-30T06:17:43[Europe/Zurich]", "zone"),
        ("2024-07-30 06:17:43 +0200 UTC", "not a time"),
        ("2024-07-30 06:17:43 UTC UTC", "not a time"),
        ("2024-07-30 06:17:43 GMT+2", "not a time"),
        ("30. Juli 2024", "not a time"),
        ("30 Ju 2024", "not a time"),
        ("31 Jun 2024", "not a time"),
        ("Jul 2024", "not a time"),
        ("2024", "not a time"),
        ("2024-07", "not a time"),
        ("Tue", "not a time"),
        ("2024-07-30 25:17", "not a time"),
        ("2024-07-30 13:17 AM", "not a time"),
        ("May 30 06:17", "not a time"),
    ];

    #[test]
    fn a_moment_is_read_in_all_its_spellings() {
        for text in SPELLINGS {
            for order in [Order::DayFirst, Order::MonthFirst] {
                let is_day_first = ["30/0", "30/7", "30-0"].iter().any(|day| text.starts_with(day));
                if !(is_day_first && order == Order::MonthFirst) {
                    assert_eq!(seconds_of(text, order), Some(1_722_320_263.0), "{text}");
                }
            }
        }
        for (text, what) in REFUSED {
            let refused = read(text, Order::DayFirst).unwrap_err();
            assert!(refused.contains(what), "{text}: {refused}");
        }
        for text in ["30 Jul 2024", "30-Jul-2024", "July 30, 2024", "2024-Jul-30", "20240730"] {
            assert_eq!(seconds_of(text, Order::MonthFirst), Some(1_722_297_600.0), "{text}");
        }
        let go = "2024-07-30 06:17:43.375540658 +0000 UTC";
        assert_eq!(read(go, Order::DayFirst), Ok(Moment { seconds: 1_722_320_263.375_540_7, has_zone: true }));
    }

    #[test]
    fn digits_alone_are_dates_if_they_can_be() {
        for (text, expected) in [
            ("20240730", Some((8, 1_722_297_600.0))),
            ("20240730.0", Some((8, 1_722_297_600.0))),
            ("2024073006", Some((10, 1_722_319_200.0))),
            ("202407300617", Some((12, 1_722_320_220.0))),
            ("20240730061743", Some((14, 1_722_320_263.0))),
            ("20240730061743.25", Some((14, 1_722_320_263.25))),
            ("20240730061743250", Some((17, 1_722_320_263.25))),
            ("19691231", None),
            ("21000101", None),
            ("20240732", None),
            ("20240230", None),
            ("2024073024", None),
            ("20240730.5", None),
            ("2024073", None),
            ("-20240730", None),
            ("2.0240730", None),
            ("1722320263", None),
            ("1722320263000", None),
        ] {
            assert_eq!(of_digits(text), expected, "{text}");
        }
        for (text, expected) in [
            ("0617", Some("06:17")),
            ("061743", Some("06:17:43")),
            ("061743.25", Some("06:17:43.25")),
            ("2400", Some("24:00")),
            ("617", None),
            ("61743", None),
            ("0660", None),
            ("061760", None),
            ("2500", None),
            ("0617.5", None),
            ("", None),
            ("06:17", None),
            ("+617", None),
        ] {
            assert_eq!(time_in_digits(text).map(|(_, time)| time).as_deref(), expected, "{text}");
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
