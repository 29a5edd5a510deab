//! Dialects of delimited text, recognized from a sample.

use std::fmt;

use crate::fields::{Fields, Separator};

/// How the rows of a text are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dialect {
    /// What separates fields.
    pub separator: Separator,
    /// Whether numbers have a comma where others have a point: `1,5`.
    pub has_decimal_commas: bool,
}

/// Rows of the sample that are looked at.
const ROWS: usize = 50;

impl Dialect {
    /// The dialect of a text that begins like this: the first of tab, semicolon, bar, comma and blanks that divides all
    /// rows of the sample in the same number of fields, more than one. A semicolon goes before a comma, which may
    /// be part of numbers. If there is none, whichever of the first four the first row has most of, so that the row
    /// that differs can be told.
    #[must_use]
    pub fn of(sample: &[u8]) -> Self {
        let bytes = *b"\t;|,";
        let even = bytes.map(Separator::Byte).into_iter().chain([Separator::Blanks]).find(|&separator| {
            let rows = rows(sample, separator);
            let width = rows.first().map_or(0, Vec::len);
            width > 1
                && rows.iter().all(|row| row.len() == width)
                && (separator != Separator::Blanks || has_numbers(&rows))
        });
        let separator = even.unwrap_or_else(|| {
            // The last of equals is taken, which is the comma.
            let first = first_row(sample);
            let count = |byte: &u8| first.iter().filter(|other| *other == byte).count();
            Separator::Byte(bytes.into_iter().max_by_key(count).unwrap_or(b','))
        });
        Self { separator, has_decimal_commas: has_decimal_commas(sample, separator) }
    }
}

/// Texts without separators, such as `POINT (1 2)`, have blanks as well.
fn has_numbers(rows: &[Vec<Vec<u8>>]) -> bool {
    rows.iter().any(|row| row.iter().filter(|field| number(field).is_some()).count() > 1)
}

/// Whether some fields are numbers with a comma, and none with a point.
fn has_decimal_commas(sample: &[u8], separator: Separator) -> bool {
    if separator == Separator::Byte(b',') {
        return false;
    }
    let rows = rows(sample, separator);
    let mut fields = rows.iter().flatten();
    let with = |sign: u8| {
        move |field: &&Vec<u8>| {
            field.iter().filter(|byte| **byte == sign).count() == 1
                && field.iter().all(|byte| byte.is_ascii_digit() || *byte == sign || b"+-".contains(byte))
        }
    };
    !fields.clone().any(|field| with(b'.')(&field)) && fields.any(|field| with(b',')(&field))
}

fn rows(sample: &[u8], separator: Separator) -> Vec<Vec<Vec<u8>>> {
    // What comes after the last line end may be half a row.
    let end = sample.iter().rposition(|byte| *byte == b'\n').unwrap_or(sample.len());
    let mut fields = Fields::new(&sample[..end], separator);
    let mut rows = Vec::new();
    while rows.len() < ROWS && fields.read().is_ok_and(|is_row| is_row) {
        if !fields.is_comment() {
            rows.push((0..fields.len()).map(|column| fields.get(column).to_vec()).collect());
        }
    }
    rows
}

fn first_row(sample: &[u8]) -> &[u8] {
    let mut lines = sample.split(|byte| *byte == b'\n');
    lines.find(|line| !line.trim_ascii().is_empty() && !line.starts_with(b"#")).unwrap_or_default()
}

/// The number that a field is, if it is one.
pub(crate) fn number(field: &[u8]) -> Option<f64> {
    std::str::from_utf8(field).ok()?.parse().ok()
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.separator {
            Separator::Byte(b'\t') => "tabs",
            Separator::Byte(b';') => "semicolons",
            Separator::Byte(b'|') => "bars",
            Separator::Byte(_) => "commas",
            Separator::Blanks => "blanks",
        })?;
        f.write_str(if self.has_decimal_commas { ", decimal commas" } else { "" })
    }
}
