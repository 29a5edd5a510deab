//! Errors in the input.

use std::fmt;

/// Something is wrong with a fix or an option; the message names the value and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Error(Kind);

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    /// A number of a fix that cannot be used.
    Value {
        position: usize,
        what: &'static str,
        value: f64,
        rule: &'static str,
    },
    Lengths {
        what: &'static str,
        length: usize,
        fixes: usize,
    },
    Option {
        what: &'static str,
        value: f64,
        rule: &'static str,
    },
    NoHeights,
    GapBeyondBreak {
        gap: f64,
        max_gap: f64,
    },
    TooMany {
        fixes: usize,
    },
    TooLong {
        pieces: f64,
    },
    NoMemory {
        what: &'static str,
        count: usize,
    },
    Stopped,
    Late {
        position: usize,
        time: f64,
        now: f64,
    },
}

impl Error {
    pub(crate) fn value(position: usize, what: &'static str, value: f64, rule: &'static str) -> Self {
        Self(Kind::Value { position, what, value, rule })
    }

    pub(crate) fn lengths(what: &'static str, length: usize, fixes: usize) -> Self {
        Self(Kind::Lengths { what, length, fixes })
    }

    pub(crate) fn option(what: &'static str, value: f64, rule: &'static str) -> Self {
        Self(Kind::Option { what, value, rule })
    }

    pub(crate) fn no_heights() -> Self {
        Self(Kind::NoHeights)
    }

    pub(crate) fn gap_beyond_break(gap: f64, max_gap: f64) -> Self {
        Self(Kind::GapBeyondBreak { gap, max_gap })
    }

    pub(crate) fn too_many(fixes: usize) -> Self {
        Self(Kind::TooMany { fixes })
    }

    pub(crate) fn too_long(pieces: f64) -> Self {
        Self(Kind::TooLong { pieces })
    }

    pub(crate) fn no_memory(what: &'static str, count: usize) -> Self {
        Self(Kind::NoMemory { what, count })
    }

    pub(crate) fn stopped() -> Self {
        Self(Kind::Stopped)
    }

    pub(crate) fn late(position: usize, time: f64, now: f64) -> Self {
        Self(Kind::Late { position, time, now })
    }

    /// Has memory run out?
    #[must_use]
    pub fn is_memory(&self) -> bool {
        matches!(self.0, Kind::NoMemory { .. })
    }

    /// Did the caller stop the search?
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.0 == Kind::Stopped
    }

    /// The position of the fix in question, counted from 0, if the error is about one.
    #[must_use]
    pub fn position(&self) -> Option<usize> {
        match self.0 {
            Kind::Value { position, .. } | Kind::Late { position, .. } => Some(position),
            _ => None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Value { position, what, value, rule } => write!(f, "fix {position}: {what} is {value}; {rule}"),
            Kind::Lengths { what, length, fixes } => {
                write!(f, "`{what}` has {length} values, but there are {fixes} track numbers")
            }
            Kind::Option { what, value, rule } => write!(f, "{what} is {value}; {rule}"),
            Kind::Stopped => f.write_str("the search was stopped"),
            Kind::NoHeights => f.write_str("a vertical limit needs heights, and there are none"),
            Kind::GapBeyondBreak { gap, max_gap } => write!(
                f,
                "the gap to bridge is {gap}, longer than the gap that breaks a track, {max_gap}; an encounter cannot go on where a \
                 track is broken"
            ),
            Kind::TooMany { fixes } => write!(f, "there are {fixes} fixes; at most {} can be taken", u32::MAX),
            Kind::TooLong { pieces } => write!(
                f,
                "the ways between fixes are so long that they need more than {pieces} pieces; a maximum speed or gap removes \
                 impossible ones"
            ),
            Kind::NoMemory { what, count } => write!(f, "there is no memory for {count} {what}"),
            Kind::Late { position, time, now } => {
                write!(
                    f,
                    "fix {position}: its time is {time}, before that of the fix before it, {now}; a stream is in order of time"
                )
            }
        }
    }
}

impl std::error::Error for Error {}
