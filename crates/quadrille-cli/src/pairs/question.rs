//! What is asked of the files.

use clap::ValueEnum;

use super::Pairs;
use crate::failure::Failure;

/// How distances are measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Metric {
    /// In the unit of the coordinates, on a plane
    Plane,
    /// In metres on the earth (WGS 84); coordinates are degrees of longitude and latitude
    Geodesic,
}

/// Which pairs are wanted. Distances are in the unit of the coordinates, or in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Question {
    Overlap,
    /// The first lies inside the second.
    Inside,
    /// The first contains the second.
    Contains,
    Within(f64),
    /// So many nearest of each, no farther away than `most`.
    Nearest {
        count: u32,
        most: f64,
    },
}

impl Question {
    pub(super) fn of(asked: &Pairs) -> Result<Self, Failure> {
        let read = |option, text: &str| distance(text, asked.metric).map_err(|what| wrong(option, text, what));
        Ok(match asked {
            Pairs { within: Some(text), .. } => Self::Within(read("--within", text)?),
            Pairs { nearest: Some(count), max, .. } => {
                let most = max.as_ref().map_or(Ok(f64::INFINITY), |text| read("--max", text))?;
                Self::Nearest { count: *count, most }
            }
            Pairs { inside: true, .. } => Self::Inside,
            Pairs { contains: true, .. } => Self::Contains,
            _ => Self::Overlap,
        })
    }

    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Overlap => "overlap",
            Self::Inside => "inside",
            Self::Contains => "contains",
            Self::Within(_) => "within",
            Self::Nearest { .. } => "nearest",
        }
    }
}

fn wrong(option: &str, text: &str, what: &str) -> Failure {
    Failure::Bad(format!("invalid value '{text}' for '{option} <DISTANCE>': {what}"))
}

/// Units of length in metres. The nautical mile, the mile and the foot are the international ones.
const UNITS: [(&str, f64); 6] =
    [("km", 1000.0), ("nm", 1852.0), ("mi", 1609.344), ("ft", 0.3048), ("NM", 1852.0), ("m", 1.0)];

/// A distance as people write it: `500`, and `500m` or `2.5 km` where the unit is the metre.
fn distance(text: &str, metric: Metric) -> Result<f64, &'static str> {
    let unit = UNITS.iter().find(|(unit, _)| text.ends_with(unit));
    let (number, factor) = match (unit, metric) {
        (None, _) => (text, 1.0),
        (Some(_), Metric::Plane) => {
            return Err("units are for --metric geodesic; on the plane, they are those of the file");
        }
        (Some((unit, factor)), Metric::Geodesic) => (text.strip_suffix(unit).unwrap_or(text), *factor),
    };
    let number: f64 = number.trim().replace('_', "").parse().map_err(|_| "a distance is expected, such as 2.5")?;
    if number.is_finite() && number >= 0.0 { Ok(number * factor) } else { Err("a distance is finite and not negative") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_read_with_their_units() {
        let geodesic = |text| distance(text, Metric::Geodesic);
        let good = ["500", "0.5km", "2 nm", "1mi", "90ft", "1e3 m", "1_000m"];
        assert_eq!(good.map(geodesic), [500.0, 500.0, 3704.0, 1609.344, 90.0 * 0.3048, 1000.0, 1000.0].map(Ok));
        for bad in ["", "m", "five", "-1", "inf", "nan", "5 parsec"] {
            assert!(geodesic(bad).is_err(), "{bad}");
        }
        assert_eq!(distance("2.5", Metric::Plane), Ok(2.5));
        assert!(distance("2.5km", Metric::Plane).is_err());
    }
}
