//! Numbers in text, and what is written where a value is missing.

use std::borrow::Cow;

/// Parses a number.
pub(crate) fn number(text: &[u8]) -> Result<f64, Cow<'static, str>> {
    std::str::from_utf8(text).ok().and_then(|text| text.parse().ok()).ok_or(NO_NUMBER)
}

pub(crate) const NO_NUMBER: Cow<'static, str> = Cow::Borrowed("is not a number");

/// The number, if it is finite.
pub(crate) fn finite(number: f64) -> Result<f64, Cow<'static, str>> {
    if number.is_finite() { Ok(number) } else { Err("is not a finite number".into()) }
}

/// Whether a text means that the value is missing.
pub(crate) fn is_missing(text: &[u8]) -> bool {
    is_one_of(text, &["", "null", "na", "n/a", "none", "\\n"])
}

/// Whether a text means that a number, or a time, is missing.
pub(crate) fn is_no_number(text: &[u8]) -> bool {
    is_missing(text) || is_one_of(text, &["nan", "-nan", "nat", "#n/a", "#na", "<na>", "-", "--"])
}

fn is_one_of(text: &[u8], words: &[&str]) -> bool {
    text.len() <= 4 && words.iter().any(|word| text.eq_ignore_ascii_case(word.as_bytes()))
}
