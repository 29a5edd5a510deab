//! Times that are numbers: what their unit is, judged by all of them. A first time that is missing may be written as 0.

use super::Times;
use crate::dates;
use crate::error::Error;
use crate::table::Row;

/// The numbers of a file, as they come.
#[derive(Debug, Default)]
pub(crate) struct TimeNumbers {
    /// The form of the first number.
    first: Option<Times>,
    /// The first number of another form.
    other: Option<Error>,
    /// The first that is not a date while others are.
    no_date: Option<Error>,
    /// The first, if all may be the digits of dates of another kind.
    other_digits: Option<Error>,
    /// Whether all may be times of day, or dates, in six digits.
    are_six: bool,
    /// The form of the dates, if some numbers are the digits of dates.
    width: Option<usize>,
    /// Each number as a date; NaN if it is none.
    dates: Vec<f64>,
    /// The form that was given.
    given: Option<Times>,
}

impl TimeNumbers {
    /// Numbers of a form that was given.
    pub(crate) fn given(times: Times) -> Self {
        Self { given: Some(times), ..Self::default() }
    }

    /// Takes note of a number, which comes after `count` others.
    ///
    /// # Errors
    /// Returns an error if there is no memory for it.
    pub(crate) fn take(&mut self, row: &Row<'_>, column: usize, number: f64, count: usize) -> Result<(), Error> {
        if self.given.is_some() {
            return Ok(());
        }
        // A row that was read as far as here may have been refused since.
        self.dates.truncate(count);
        let form = Times::of_number(number);
        if *self.first.get_or_insert(form) != form && self.other.is_none() {
            self.other = Some(row.error(column, AMBIGUOUS));
        }
        let is_open = count == 0 || self.are_six || self.other_digits.is_some();
        let text = if number < MIN_DATE && !is_open { "".into() } else { row.text(column).unwrap_or_default() };
        self.are_six = (count == 0 || self.are_six) && dates::may_be_of_six(&text);
        if count == 0 {
            self.other_digits = Some(row.error(column, OTHER_DIGITS));
        }
        self.other_digits = self.other_digits.take().filter(|_| dates::may_be_of_digits(&text));
        match dates::of_digits(&text).filter(|(width, _)| *width == *self.width.get_or_insert(*width)) {
            Some((_, seconds)) => {
                let room = self.dates.try_reserve(count + 1 - self.dates.len());
                room.map_err(|_| row.error(column, "is one for which there is no memory"))?;
                self.dates.resize(count, f64::NAN);
                self.dates.push(seconds);
            }
            None if self.no_date.is_none() => self.no_date = Some(row.error(column, NO_DATE)),
            None => {}
        }
        Ok(())
    }

    /// Makes seconds of the numbers, or leaves them as they are. Returns what they are, also in words.
    ///
    /// # Errors
    /// Returns an error if that can be read in two ways. The message names the first number that differs from others.
    pub(crate) fn finish(mut self, numbers: &mut [f64]) -> Result<(Times, String), Error> {
        // Those after the last date are none.
        self.dates.truncate(numbers.len());
        let dated = self.dates.iter().filter(|date| !date.is_nan()).count();
        match (self.width, self.no_date) {
            (Some(width), _) if dated == numbers.len() && dated > 0 => {
                numbers.copy_from_slice(&self.dates);
                return Ok((Times::Iso { has_zone: false }, format!("{}, taken as UTC", dates::in_letters(width))));
            }
            (Some(_), Some(error)) if 2 * dated > numbers.len() => return Err(error),
            _ => {}
        }
        let may_be_date = match self.other_digits {
            Some(error) if !numbers.iter().any(|number| NOW.contains(number)) => return Err(error),
            other_digits => other_digits.is_some(),
        };
        let (times, strangers) = match (self.given, form_of(numbers), self.other) {
            (Some(given), ..) => (given, 0),
            (None, None, Some(error)) => return Err(error),
            (None, form, _) => form.unwrap_or((Times::Plain, 0)),
        };
        let has_parts = numbers.iter().any(|number| number.fract() != 0.0);
        let is_meant = |(parts, range, _): &&(bool, std::ops::Range<f64>, &str)| {
            *parts == has_parts && numbers.iter().all(|number| range.contains(number))
        };
        let other = OTHERS.iter().find(is_meant).filter(|_| !numbers.is_empty());
        let mut words = times.to_string();
        match times {
            Times::Since1970 { per_second } => numbers.iter_mut().for_each(|number| *number /= f64::from(per_second)),
            Times::Iso { .. } => {
                words = "days of a spreadsheet, taken as UTC".into();
                numbers.iter_mut().for_each(|number| *number = (*number - DAYS.start) * 86_400.0);
            }
            Times::Plain => {}
        }
        let strangers = match strangers {
            0 => String::new(),
            count => format!("; {count} of {} would be long before the others", numbers.len()),
        };
        let other = match other {
            _ if self.given.is_some() => "",
            _ if may_be_date => ", which may be dates in digits",
            Some((.., other)) => other,
            None if self.are_six => ", which may be times of day or dates in six digits",
            None => "",
        };
        Ok((times, format!("{words}{other}{strangers}")))
    }
}

/// Seconds from 2001 to 2033. As such, dates in digits are rather before or after that.
const NOW: std::ops::Range<f64> = 1e9..2e9;

/// Days from 1970 to 2099, counted as spreadsheets do.
const DAYS: std::ops::Range<f64> = 25_569.0..73_051.0;

/// What else numbers may be, from 1970 to 2099: some if they have parts, some if they are whole.
const OTHERS: [(bool, std::ops::Range<f64>, &str); 6] = [
    (true, DAYS, ", which may be days of a spreadsheet: --time-format days"),
    (true, 719_529.0..767_011.0, ", which may be days since the year 0"),
    (true, 2_440_587.5..2_488_069.5, ", which may be Julian days"),
    (true, 1_970.0..2_100.0, ", which may be years"),
    (false, 116_444_736e9..157_469_184e9, ", which may be ticks of 100 ns since 1601"),
    (false, 621_355_968e9..662_380_416e9, ", which may be ticks of 100 ns since the year 1"),
];

/// No smaller number is the digits of a date.
const MIN_DATE: f64 = 19_700_101.0;

const AMBIGUOUS: &str = "differs from other times so much that their unit is not clear; \
    --time-format seconds, milliseconds, microseconds or nanoseconds (since 1970) or plain says what they are";
const OTHER_DIGITS: &str = "may be a date whose year has two digits or comes last, or with a part of a day, like all others; \
    --time-format '%y%m%d%H%M%S', '%d%m%Y' or such reads it, \
    --time-format seconds or milliseconds (since 1970) or plain takes it for a number";
const NO_DATE: &str = "is not a date, while most others are dates in digits; \
    --time-format '%Y%m%d%H%M%S' or such reads them, --time-format plain takes them for numbers";

/// What numbers are, and how many strangers are among them: a few that are far from the others, as 0 is from all times
/// of our era. `None` if that is not clear.
fn form_of(numbers: &[f64]) -> Option<(Times, usize)> {
    let (mut era, mut is_one_unit, mut strangers) = (None, true, 0);
    let (mut least, mut most, mut farthest) = (f64::INFINITY, 0.0_f64, 0.0_f64);
    for number in numbers {
        match Times::of_number(*number) {
            Times::Plain => {
                strangers += 1;
                farthest = farthest.max(number.abs());
            }
            form => {
                is_one_unit &= *era.get_or_insert(form) == form;
                (least, most) = (least.min(*number), most.max(*number));
            }
        }
    }
    match era {
        // Numbers that began small may only have grown.
        Some(_) if farthest >= least / 2.0 => Some((Times::Plain, 0)),
        Some(era) => (is_one_unit && (strangers == 0 || most < 2.0 * least)).then_some((era, strangers)),
        None => Some((Times::Plain, 0)),
    }
}
