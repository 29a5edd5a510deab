//! When the region tree of a map divides: the library's rules, by name.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use quadrille::region::{AllSame, AtMost, Region, Rule, SmallestSide};

/// Walls in a leaf, and cells on a side of one, that can be chosen.
pub const MOST_WALLS: RangeInclusive<u32> = 1..=1_000;
/// See [`MOST_WALLS`].
pub const SMALLEST_SIDE: RangeInclusive<u32> = 1..=64;

/// The rule of a map's region tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MapRule {
    /// A leaf is all wall or all floor.
    #[default]
    AllSame,
    /// A leaf has at most this many walls.
    AtMost(u32),
    /// A leaf is all wall or all floor, or has at most this many cells on each side.
    Side(u32),
}

impl MapRule {
    /// One of each kind, in the order of the menu.
    pub const ALL: [Self; 3] = [Self::AllSame, Self::AtMost(40), Self::Side(5)];

    /// Its name in the text of a view, without its number.
    pub const fn name(self) -> &'static str {
        match self {
            Self::AllSame => "same",
            Self::AtMost(_) => "at-most",
            Self::Side(_) => "side",
        }
    }
}

impl Rule for MapRule {
    fn stops(&self, region: &Region) -> bool {
        match *self {
            Self::AllSame => AllSame.stops(region),
            Self::AtMost(objects) => AtMost { objects, slack: 0 }.stops(region),
            Self::Side(side) => (AllSame, SmallestSide(side)).stops(region),
        }
    }
}

impl fmt::Display for MapRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AllSame => f.write_str(self.name()),
            Self::AtMost(number) | Self::Side(number) => write!(f, "{}:{number}", self.name()),
        }
    }
}

impl FromStr for MapRule {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, number) = text.split_once(':').unwrap_or((text, ""));
        let within = |range: RangeInclusive<u32>| {
            let number = number.parse().ok().filter(|number| range.contains(number));
            number.ok_or_else(|| format!("{name} takes a whole number from {} to {}", range.start(), range.end()))
        };
        match name {
            "same" if number.is_empty() => Ok(Self::AllSame),
            "at-most" => within(MOST_WALLS).map(Self::AtMost),
            "side" => within(SMALLEST_SIDE).map(Self::Side),
            _ => Err("there are these rules: same at-most:N side:N".into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_read_as_they_are_written_and_others_are_rejected() {
        for rule in MapRule::ALL {
            assert_eq!(rule.to_string().parse(), Ok(rule));
        }
        for (wrong, what) in [
            ("alike", "there are these rules"),
            ("same:3", "there are these rules"),
            ("at-most", "at-most takes"),
            ("at-most:0", "at-most takes"),
            ("side:65", "side takes a whole number from 1 to 64"),
            ("side:-1", "side takes"),
        ] {
            let error = wrong.parse::<MapRule>().expect_err(wrong);
            assert!(error.starts_with(what), "{wrong}: {error}");
        }
    }
}
