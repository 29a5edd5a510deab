//! What to read from a file of fixes.

use quadrille_tracks::Units;

use crate::columns::plain;

/// The unit of heights, if the column's name says it, as `altitude_ft` and `height (m)` do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeightUnit {
    /// 0.3048 meters.
    Foot,
    /// One meter.
    Meter,
}

impl HeightUnit {
    /// Its length in meters.
    #[must_use]
    pub const fn meters(self) -> f64 {
        match self {
            Self::Foot => 0.3048,
            Self::Meter => 1.0,
        }
    }

    /// The name in messages.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Foot => "feet",
            Self::Meter => "meters",
        }
    }

    /// The last word of a column's name.
    pub(crate) fn of(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        // Receivers of aircraft define these as feet if the name has no unit.
        if ["altbaro", "altgeom"].contains(&plain(&name).as_str()) {
            return Some(Self::Foot);
        }
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
    /// The column that says which track a fix belongs to.
    pub id: Option<String>,
    /// The column of times, or one of dates and one of times of day: `date+time`.
    pub time: Option<String>,
    /// The format of times in the notation of `strftime` (`%d/%m/%Y %H:%M`), if it is none of the usual ones. Of numbers,
    /// their unit (`seconds`, `milliseconds`, `microseconds` or `nanoseconds` since 1970; `days` of a spreadsheet), or `plain`.
    pub time_format: Option<String>,
    /// The columns of x and y, or of longitude and latitude.
    pub position: Option<[String; 2]>,
    /// The column of heights.
    pub height: Option<String>,
    /// Whether heights are read at all.
    pub with_heights: bool,
    /// Whether the first row of delimited text is a header; `None` finds out.
    pub header: Option<bool>,
    /// What kind of coordinates they are; if not given, the names of their columns decide.
    pub coordinates: Option<Units>,
    /// Whether rows that cannot be read are left out and counted, instead of being errors.
    pub skip_invalid: bool,
}
