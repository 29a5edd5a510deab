//! Quantities on the command line: a number and its unit, as in `5nm`, `2 min` and `30km/h`.

use std::fmt;

use crate::names::without_separators;

/// A number as the user wrote it, with or without a unit.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Quantity {
    text: String,
    /// In meters, seconds or meters per second if there is a unit.
    value: f64,
    has_unit: bool,
}

impl Quantity {
    /// In meters, seconds or meters per second; a number without a unit is taken as it is.
    pub(crate) fn value(&self) -> f64 {
        self.value
    }

    pub(crate) fn has_unit(&self) -> bool {
        self.has_unit
    }

    /// As the user wrote it, or a number without a unit with the one that it was taken to have.
    pub(crate) fn in_words(&self, taken: &str) -> String {
        format!("{}{}", self.text, if self.has_unit { "" } else { taken })
    }

    /// Reads a quantity of a name, such as those in `examples`.
    fn read(text: &str, name: &str, units: &[(&str, f64)], examples: &str) -> Result<Self, String> {
        let expected = || format!("expected {name}, such as {examples}");
        let number = text.trim_end_matches(|character: char| character.is_alphabetic() || character == '/');
        let unit = &text[number.len()..];
        // On charts, M is the nautical mile; among times it may be months.
        let known = units.iter().find(|(name, _)| name.eq_ignore_ascii_case(unit) && unit != "M");
        if known.is_none() && !unit.is_empty() {
            return Err(expected());
        }
        let number: f64 =
            without_separators(number.trim()).and_then(|digits| digits.parse().ok()).ok_or_else(expected)?;
        let value = number * known.map_or(1.0, |(_, factor)| *factor);
        if value.is_finite() && number >= 0.0 {
            Ok(Self { text: text.trim().into(), value, has_unit: known.is_some() })
        } else {
            Err(format!("{name} must be finite and not negative"))
        }
    }
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Meters. The nautical mile, the mile and the foot are the international ones.
const LENGTHS: &[(&str, f64)] =
    &[("m", 1.0), ("km", 1000.0), ("nm", 1852.0), ("nmi", 1852.0), ("mi", 1609.344), ("ft", 0.3048)];
/// Seconds.
const DURATIONS: &[(&str, f64)] =
    &[("s", 1.0), ("sec", 1.0), ("ms", 1e-3), ("m", 60.0), ("min", 60.0), ("h", 3600.0), ("d", 86_400.0)];
/// Meters per second.
const SPEEDS: &[(&str, f64)] = &[
    ("m/s", 1.0),
    ("km/h", 1.0 / 3.6),
    ("kmh", 1.0 / 3.6),
    ("kn", 1852.0 / 3600.0),
    ("kt", 1852.0 / 3600.0),
    ("mph", 1609.344 / 3600.0),
    ("ft/s", 0.3048),
];

/// Reads a length: `2.5`, `500m`, `5nm`, `90ft`.
pub(crate) fn length(text: &str) -> Result<Quantity, String> {
    Quantity::read(text, "a distance", LENGTHS, "2.5, 500m, 2km, 5nm, 1mi or 90ft")
}

/// Reads a duration: `90`, `90s`, `2min`, `10m`, `1.5h`.
pub(crate) fn duration(text: &str) -> Result<Quantity, String> {
    Quantity::read(text, "a duration", DURATIONS, "90, 30s, 2min, 1.5h or 1d")
}

/// Reads a speed: `15`, `30m/s`, `2kn`.
pub(crate) fn speed(text: &str) -> Result<Quantity, String> {
    Quantity::read(text, "a speed", SPEEDS, "15, 30m/s, 2kn, 100km/h or 60mph")
}
