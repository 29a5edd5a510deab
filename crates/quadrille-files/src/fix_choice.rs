//! What to read of a file of fixes.

/// What the coordinates of a file are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coordinates {
    /// Those of a plane.
    Plane,
    /// Degrees of longitude and latitude.
    Degrees,
}

/// The unit of heights, if a column's name says it: `altitude_ft`, `height (m)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeightUnit {
    /// 0.3048 meters.
    Foot,
    /// One meter.
    Meter,
}

impl HeightUnit {
    /// How many meters it has.
    #[must_use]
    pub const fn meters(self) -> f64 {
        match self {
            Self::Foot => 0.3048,
            Self::Meter => 1.0,
        }
    }

    /// For people.
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
    /// Whose fix it is.
    pub id: Option<String>,
    /// When: a column, or one of dates and one of times of day, as in `date+time`.
    pub time: Option<String>,
    /// How times are written, as `strftime` has it (`%d/%m/%Y %H:%M`), if not in one of the usual forms.
    pub time_format: Option<String>,
    /// x and y, or longitude and latitude.
    pub place: Option<[String; 2]>,
    /// How high.
    pub height: Option<String>,
    /// Whether heights are read at all.
    pub with_heights: bool,
    /// Whether the first row of delimited text is a header; none: what it seems to be.
    pub header: Option<bool>,
    /// What the coordinates are; if not given, the names of their columns decide.
    pub coordinates: Option<Coordinates>,
    /// Whether rows that cannot be read are counted and left out, instead of being errors.
    pub skip_invalid: bool,
}
