//! Lengths as benchmark files print them.

use crate::cost::Length;

/// A length read from a file, and how far off it may be for having been printed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Published {
    /// The number as printed.
    pub length: f64,
    /// Half a unit of its last digit.
    pub tolerance: f64,
}

impl Published {
    /// The digits that C and C++ print when not told otherwise; trailing zeros are left out.
    const USUAL_DIGITS: usize = 6;
    /// The root of two of those who made the older files; they show up in every length with 96 diagonal steps.
    #[expect(clippy::approx_constant, reason = "the approximation is the point")]
    const SHORT_ROOT: f64 = 1.41421;
    /// What summing up a few thousand steps in floating point may have added.
    const SUMMING_ERROR: f64 = 1e-8;

    /// Reads a decimal number; `None` if it is none.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let length: f64 = text.parse().ok()?;
        let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
        let places = decimals.len().max(Self::USUAL_DIGITS.saturating_sub(whole.len()));
        Some(Self { length, tolerance: 0.5 * 10_f64.powi(-i32::try_from(places).ok()?) })
    }

    /// Whether a path of this length is what was published: with the root of two as it is or as it was cut.
    #[must_use]
    pub fn matches(&self, length: Length) -> bool {
        let longest = length.as_f64();
        let shortest = f64::from(length.straight) + f64::from(length.diagonal) * Self::SHORT_ROOT;
        let slack = self.tolerance + Self::SUMMING_ERROR;
        (shortest - slack..=longest + slack).contains(&self.length)
    }
}
