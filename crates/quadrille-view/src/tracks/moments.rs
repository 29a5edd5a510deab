//! Times in readable form: dates, or the numbers of the file.

use quadrille_files::Times;

/// Seconds of a day.
const DAY: f64 = 86_400.0;
/// Seconds between two marks of a time line.
const STEPS: [f64; 17] = [
    1.0, 2.0, 5.0, 10.0, 15.0, 30.0, 60.0, 120.0, 300.0, 600.0, 1_800.0, 3_600.0, 7_200.0, 10_800.0, 21_600.0,
    43_200.0, DAY,
];

/// How times are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moments {
    is_calendar: bool,
}

impl Moments {
    /// Those of a file: dates in UTC if its times belong to a calendar.
    pub fn new(times: Times) -> Self {
        Self { is_calendar: times.is_calendar() }
    }

    /// `2018-08-01 05:00:10`, or the number itself to a thousandth.
    pub fn show(self, time: f64) -> String {
        match self.date(time) {
            Some(date) => format!("{} {}", &date[..10], &date[11..19]),
            None => ((time * 1e3).round() / 1e3).to_string(),
        }
    }

    /// `41 s`, `2 min 5 s`, `3 h 20 min`; a number alone if the unit is not known.
    pub fn duration(self, time: f64) -> String {
        if !self.is_calendar {
            return ((time * 1e3).round() / 1e3).to_string();
        }
        let whole = time.round() as u64;
        match (whole / 3_600, whole / 60 % 60, whole % 60) {
            (0, 0, _) => format!("{} s", (time * 10.0).round() / 10.0),
            (0, minutes, seconds) => format!("{minutes} min {seconds} s"),
            (hours, minutes, _) => format!("{hours} h {minutes} min"),
        }
    }

    /// The unit of a rate.
    pub const fn rate_unit(self) -> &'static str {
        if self.is_calendar { "× real time" } else { "per second" }
    }

    /// Marks for a time line, at most `most` or so, and what is written at each.
    pub fn marks(self, [from, to]: [f64; 2], most: usize) -> Vec<(f64, String)> {
        let step = self.step((to - from) / most.max(1) as f64);
        let first = (from / step).ceil();
        // Beyond these a step is lost in rounding.
        if !(step > 0.0 && first.abs() < 1e15) {
            return Vec::new();
        }
        let marks = (0..=2 * most).map(|number| (first + number as f64) * step).take_while(|mark| *mark <= to);
        marks.map(|mark| (mark, self.mark(mark, step))).collect()
    }

    /// The least round step that is not shorter.
    fn step(self, least: f64) -> f64 {
        let of_clock = STEPS.into_iter().find(|step| self.is_calendar && *step >= least);
        let unit = if self.is_calendar { DAY } else { 1.0 };
        of_clock.unwrap_or_else(|| {
            let power = 10_f64.powf((least / unit).log10().floor());
            let round = [1.0, 2.0, 5.0, 10.0].map(|part| part * power * unit);
            round.into_iter().find(|step| *step >= least).unwrap_or(round[3])
        })
    }

    /// As much of a date as a step changes.
    fn mark(self, time: f64, step: f64) -> String {
        match self.date(time) {
            Some(date) if step >= DAY || time.rem_euclid(DAY) == 0.0 => date[..10].into(),
            Some(date) if step >= 60.0 => date[11..16].into(),
            Some(date) => date[11..19].into(),
            None => ((time * 1e6).round() / 1e6).to_string(),
        }
    }

    /// `2018-08-01T05:00:10.000Z`.
    fn date(self, time: f64) -> Option<String> {
        let date = self.is_calendar.then(|| Times::Iso { has_zone: true }.show(time))?;
        // Years beyond 9999 have no such form.
        (date.len() == 24 && date.is_ascii()).then_some(date)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DATES: Moments = Moments { is_calendar: true };
    const PLAIN: Moments = Moments { is_calendar: false };

    #[test]
    fn times_are_dates_or_numbers() {
        assert_eq!(DATES.show(1_533_099_610.4), "2018-08-01 05:00:10");
        assert_eq!(PLAIN.show(12.000_4), "12");
        let durations = [4.26, 65.0, 3_900.0].map(|time| DATES.duration(time));
        assert_eq!(durations, ["4.3 s", "1 min 5 s", "1 h 5 min"]);
        assert_eq!(PLAIN.duration(65.25), "65.25");
    }

    #[test]
    fn marks_are_round_and_not_too_many() {
        let words = |moments: Moments, span, most| -> Vec<String> {
            moments.marks(span, most).into_iter().map(|mark| mark.1).collect()
        };
        let morning = [1_533_099_600.0, 1_533_099_600.0 + 4.0 * 3_600.0];
        assert_eq!(words(DATES, morning, 4), ["05:00", "06:00", "07:00", "08:00", "09:00"]);
        let days = words(DATES, [1_533_081_600.0, 1_533_081_600.0 + 30.0 * DAY], 6);
        assert_eq!(days[..2], ["2018-08-02", "2018-08-07"].map(String::from), "{days:?}");
        assert_eq!(words(PLAIN, [0.0, 5_400.0], 6), ["0", "1000", "2000", "3000", "4000", "5000"]);
        for span in [[0.0, 0.0], [5.0, 5.0], [-1e30, 1e30], [1e30, 1e30], [0.0, 1e-9]] {
            assert!(DATES.marks(span, 8).len() <= 17 && PLAIN.marks(span, 8).len() <= 17, "{span:?}");
        }
    }
}
