//! Lengths as benchmark files print them.

use crate::grid::Length;

/// A length read from a file, and its rounding error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Published {
    /// The number as printed.
    pub length: f64,
    /// Half a unit of the last digit printed.
    pub tolerance: f64,
}

/// The most decimals that a file prints.
///
/// Files are printed in two ways. A C++ stream shows six significant digits and drops zeros at the end, so `191.33`
/// stands for 191.330; `%.2f` shows two decimals, so the same digits stand for anything from 191.325 to 191.335. A
/// single number does not say which. The file does: among many lengths printed by a stream, some have more than two
/// decimals.
#[derive(Clone, Copy, Debug)]
pub(super) struct Decimals(usize);

impl Decimals {
    /// The digits that C and C++ print by default.
    const STREAM_DIGITS: usize = 6;

    /// The most decimals that a length in the last field of a line has; only lines that `is_query` accepts are looked
    /// at.
    pub(super) fn most_in(bytes: &[u8], is_query: impl Fn(&[u8]) -> bool) -> Self {
        let last_field = |line: &[u8]| {
            let line = line.trim_ascii_end();
            let start = line.iter().rposition(u8::is_ascii_whitespace).map_or(0, |space| space + 1);
            line[start..].iter().rev().position(|byte| *byte == b'.').unwrap_or(0)
        };
        Self(bytes.split(|byte| *byte == b'\n').filter(|line| is_query(line)).map(last_field).max().unwrap_or(0))
    }

    /// How many decimals a length with these digits was rounded to. A file without any decimals comes from a stream.
    fn shown(self, whole: &str, decimals: &str) -> usize {
        let by_stream = Self::STREAM_DIGITS.saturating_sub(whole.len());
        let most = if self.0 == 0 { by_stream } else { self.0 };
        decimals.len().max(by_stream.min(most))
    }
}

impl Published {
    /// The value of √2 used for the older files; it shows in every length with 96 diagonal steps or more.
    #[expect(clippy::approx_constant, reason = "the approximation is the point")]
    const SHORT_ROOT: f64 = 1.41421;
    /// The error that summing a few thousand steps in floating point may have added.
    const SUMMING_ERROR: f64 = 1e-8;

    /// Reads a decimal number from a file that prints this many decimals; `None` if it is not a number.
    pub(super) fn parse(text: &str, decimals: Decimals) -> Option<Self> {
        let length: f64 = text.parse().ok()?;
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let places = i32::try_from(decimals.shown(whole, fraction)).ok()?;
        Some(Self { length, tolerance: 0.5 * 10_f64.powi(-places) })
    }

    /// Whether a path of this length is what was published: with the exact root of two or the truncated one.
    #[must_use]
    pub fn matches(&self, length: Length) -> bool {
        let longest = length.as_f64();
        let shortest = f64::from(length.straight) + f64::from(length.diagonal) * Self::SHORT_ROOT;
        let slack = self.tolerance + Self::SUMMING_ERROR;
        (shortest - slack..=longest + slack).contains(&self.length)
    }
}
