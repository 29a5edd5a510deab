//! Dialects of delimited text, recognized from a sample.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;

use crate::fields::{Fields, Separator};
use crate::numbers::{NO_NUMBER, is_no_number, number};
use crate::source::SAMPLE;
use crate::text_geometry;

/// How the rows of a text are written.
#[derive(Clone, Debug)]
pub(crate) struct Dialect {
    /// What separates fields.
    pub(crate) separator: Separator,
    /// What commas in numbers mean, by column.
    commas: Vec<Comma>,
    /// Whether a row is only a geometry.
    is_bare: bool,
    /// Whether the header has no name for the first column, which holds the names of rows: R's `write.table`.
    pub(crate) is_short: bool,
    /// The first rows.
    rows: Vec<Vec<Vec<u8>>>,
}

/// What a comma in the numbers of a column means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comma {
    /// `1,5` is between one and two, so `1.234` could be either.
    Decimal,
    /// So it is, and `1.234` is more than a thousand: a number of the column has both, as `1.234,5`.
    DecimalAfterPoints,
    /// Points are decimal as well: the column has numbers such as `1.5`, and none with a comma.
    DecimalPoints,
    /// `1,234` is more than a thousand.
    Thousands,
    /// Numbers such as `1,234` could be either.
    Either,
}

/// Rows of the sample that are examined.
const ROWS: usize = 50;

impl Dialect {
    /// The dialect of a text that begins like this: the first of tab, semicolon, bar, comma and blanks that divides all
    /// rows of the sample into the same number of fields, more than one. A semicolon goes before a comma, which may be
    /// part of numbers. If none does, the first that leaves the header one field short, and else the most frequent of
    /// the first four in the first row, so that errors can name the odd row. Well-known text without quotes, one a line,
    /// has commas of its own.
    pub(crate) fn of(sample: &[u8]) -> Self {
        let bytes = *b"\t;|,";
        let is_bare = has_bare_geometries(sample);
        // Single blanks last: they may be between empty fields, or in quotes that have several lines.
        let blanks = [Separator::Blanks, Separator::Byte(b' ')];
        let all = bytes.map(Separator::Byte).into_iter().chain(blanks);
        let is_one = |rows: &[Vec<Vec<u8>>], separator: &Separator| {
            let width = rows.first().map_or(0, Vec::len);
            width > 1 && rows.iter().all(|row| row.len() == width) && (!blanks.contains(separator) || has_numbers(rows))
        };
        let all = all.filter(|_| !is_bare);
        let even = all.clone().find(|separator| is_one(&rows(sample, *separator), separator));
        let is_short =
            |separator: &Separator| named(rows(sample, *separator)).is_some_and(|rows| is_one(&rows, separator));
        let short = all.filter(|_| even.is_none()).find(is_short);
        let separator = even.or(short).unwrap_or_else(|| {
            // The last of equals is taken, which is the comma.
            let first = first_rows(sample).next().unwrap_or_default();
            let count = |byte: &u8| first.iter().filter(|other| *other == byte).count();
            let most = bytes.into_iter().max_by_key(count).unwrap_or(b',');
            Separator::Byte(if is_bare { b'\t' } else { most })
        });
        let rows = rows(sample, separator);
        Self { separator, commas: commas(&rows), is_bare, is_short: short.is_some() && has_quoted_lines(sample), rows }
    }

    /// Whether the first row holds names. It does if none of its fields is a value, if it counts the columns from 0, as
    /// pandas does, or if some column has a word in the first row and numbers below, as in `name,2010,2020,x,y`.
    pub(crate) fn is_header(&self, first: &[Vec<u8>]) -> bool {
        let is_value = |field: &[u8]| is_number(field) || text_geometry::is_one(field);
        if !first.iter().any(|field| is_value(field)) {
            return true;
        }
        let next = self.rows.iter().position(|row| row == first).map_or(self.rows.len(), |at| at + 1);
        let others = || self.rows[next..].iter();
        let below = |column: usize| others().filter_map(move |row| row.get(column)).map(Vec::as_slice);
        if counts_from_0(first) {
            // Two or three small numbers may well be data.
            let is_fraction = |field: &[u8]| is_number(field) && field.contains(&b'.');
            return others().next().is_some()
                && (first.len() > 3 || (0..first.len()).all(|column| below(column).all(is_fraction)));
        }
        let is_named = |column: usize| {
            !is_value(&first[column])
                && !is_no_number(&first[column])
                && below(column).any(is_number)
                && below(column).all(|field| is_number(field) || is_no_number(field))
        };
        let are_different = || first.iter().collect::<HashSet<_>>().len() == first.len();
        let are_names = first.iter().all(|field| !is_value(field) || field.iter().all(u8::is_ascii_digit));
        are_names && are_different() && (0..first.len()).any(is_named)
    }

    /// Whether each row ends with a separator, after which nothing comes.
    pub(crate) fn ends_with_separator(&self, first: &[Vec<u8>]) -> bool {
        first.len() > 1 && self.rows.iter().all(|row| row.len() == first.len() && row.last().is_some_and(Vec::is_empty))
    }

    /// Whether a number in this field may be more or less than what it would be with a decimal point.
    pub(crate) fn is_special(&self, column: usize, field: &[u8]) -> bool {
        let has_points = [Comma::DecimalAfterPoints, Comma::Decimal];
        field.contains(&b',')
            || field.contains(&b'.') && self.commas.get(column).is_some_and(|comma| has_points.contains(comma))
    }

    /// The number in a special field, or why it is not a number.
    pub(crate) fn number(&self, column: usize, field: &[u8]) -> Result<f64, Cow<'static, str>> {
        let with = |point: Option<u8>| -> Vec<u8> {
            field.iter().filter_map(|byte| if *byte == b',' { point } else { Some(*byte) }).collect()
        };
        match self.commas.get(column) {
            Some(Comma::Decimal) if has_groups(field, b'.') => Err(
                "is a number with three decimals, or a thousand times as much, as other numbers have decimal commas: write it \
                without the point"
                    .into(),
            ),
            Some(Comma::Decimal | Comma::DecimalPoints) => number(&with(Some(b'.'))),
            Some(Comma::DecimalAfterPoints) if !field.contains(&b'.') || has_groups(field, b'.') => {
                let plain = field.iter().filter(|byte| **byte != b'.');
                number(&plain.map(|byte| if *byte == b',' { b'.' } else { *byte }).collect::<Vec<_>>())
            }
            Some(Comma::Thousands) if has_groups(field, b',') => number(&with(None)),
            Some(Comma::Either) if has_groups(field, b',') => Err(
                "is a number with three decimals, or a thousand times as much: write it with a point (`tr , .`) or without the comma (`tr -d ,`)"
                    .into(),
            ),
            _ => Err(NO_NUMBER),
        }
    }
}

/// What commas in the numbers of each column mean. In a column without commas they mean what they mean in others.
fn commas(rows: &[Vec<Vec<u8>>]) -> Vec<Comma> {
    let width = rows.iter().map(Vec::len).max().unwrap_or(0);
    let fields = |column: usize| rows.iter().filter_map(move |row| row.get(column));
    let own: Vec<_> = (0..width).map(|column| commas_of(fields(column))).collect();
    let has = [Comma::DecimalAfterPoints, Comma::Decimal].map(|comma| own.contains(&Some(comma)));
    let of_others = |column: usize| match has {
        [false, true] if fields(column).any(|field| has_decimal_point(field)) => Comma::DecimalPoints,
        [false, false] => Comma::Either,
        _ => Comma::Decimal,
    };
    let all = own.iter().enumerate();
    all.map(|(column, own)| own.filter(|own| *own != Comma::Either).unwrap_or_else(|| of_others(column))).collect()
}

/// What commas mean in one column, if any number in it has one.
fn commas_of<'a>(fields: impl Iterator<Item = &'a Vec<u8>> + Clone) -> Option<Comma> {
    let count = |field: &[u8], sign: u8| field.iter().filter(|byte| **byte == sign).count();
    let is_numeric = |field: &&Vec<u8>| {
        field.iter().any(u8::is_ascii_digit)
            && field.iter().all(|byte| byte.is_ascii_digit() || b"+-.,eE".contains(byte))
    };
    let numbers = fields.filter(is_numeric);
    let mut with_commas = numbers.clone().filter(|field| field.contains(&b',')).peekable();
    with_commas.peek()?;
    let has_points = numbers.clone().any(|field| field.contains(&b'.'));
    let is_grouped = numbers.clone().any(|field| count(field, b',') > 1);
    let has_both = |field: &&Vec<u8>| field.contains(&b',') && has_groups(field, b'.');
    let are_after_points = numbers.clone().any(|field| has_both(&field));
    let are_groups = with_commas.all(|field| has_groups(field, b','));
    Some(match (are_groups, has_points || is_grouped) {
        (true, true) => Comma::Thousands,
        (true, false) => Comma::Either,
        (false, _) if are_after_points => Comma::DecimalAfterPoints,
        (false, _) => Comma::Decimal,
    })
}

/// Whether commas, or points, divide a number into thousands: `1,234`, `-12,345,678.9`.
fn has_groups(field: &[u8], sign: u8) -> bool {
    let field = field.strip_prefix(b"-").or_else(|| field.strip_prefix(b"+")).unwrap_or(field);
    let decimal = if sign == b',' { b'.' } else { b',' };
    let whole = field.split(|byte| *byte == decimal).next().unwrap_or_default();
    let mut groups = whole.split(|byte| *byte == sign);
    let is_first = |group: &[u8]| (1..=3).contains(&group.len()) && group[0] != b'0';
    groups.next().is_some_and(is_first)
        && groups.clone().next().is_some()
        && groups.all(|group| group.len() == 3)
        && whole.iter().all(|byte| byte.is_ascii_digit() || *byte == sign)
}

/// Whether a number has a point that cannot be between thousands.
fn has_decimal_point(field: &[u8]) -> bool {
    field.contains(&b'.') && !has_groups(field, b'.') && number(field).is_ok()
}

/// Whether a field is a number, perhaps with a comma.
fn is_number(field: &[u8]) -> bool {
    let plain: Vec<u8> = field.iter().copied().filter(|byte| *byte != b',').collect();
    field.first().is_some_and(|first| *first != b',') && number(&plain).is_ok()
}

/// Whether fields are 0, 1, 2 and so on, perhaps after an empty one: column numbers instead of names.
pub(crate) fn counts_from_0(fields: &[Vec<u8>]) -> bool {
    let rest = fields.strip_prefix(&[Vec::new()][..]).unwrap_or(fields);
    rest.len() > 1 && rest.iter().enumerate().all(|(number, field)| *field == number.to_string().into_bytes())
}

/// Whether one of the first two rows begins with a geometry in well-known text, without quotes.
fn has_bare_geometries(sample: &[u8]) -> bool {
    first_rows(sample).take(2).any(|line| {
        let line = line.trim_ascii_start();
        let begin = line.split(|byte| *byte == b'(').next().unwrap_or_default();
        let kind = begin.rsplit(|byte| *byte == b';').next().unwrap_or_default();
        let is_alone = kind.len() == begin.len() || begin.to_ascii_uppercase().starts_with(b"SRID=");
        let is_bare = is_alone && kind.iter().all(|byte| byte.is_ascii_alphabetic() || *byte == b' ');
        is_bare && text_geometry::is_one(line)
    })
}

/// Whether all lines begin with a quote, as those of R do: elsewhere, a name may as well be missing at the end.
fn has_quoted_lines(sample: &[u8]) -> bool {
    first_rows(sample).take(ROWS).all(|line| line.starts_with(b"\""))
}

/// Rows below names, with one more for their first column, which has none. A separator may also end each row.
fn named(mut rows: Vec<Vec<Vec<u8>>>) -> Option<Vec<Vec<Vec<u8>>>> {
    let (first, others) = rows.split_first_mut()?;
    let are_names = first.len() > 1 && !first.iter().any(|field| is_number(field) || text_geometry::is_one(field));
    let is_closed = others.iter().all(|row| row.last().is_some_and(Vec::is_empty));
    first.insert(0, Vec::new());
    (are_names && !is_closed).then_some(rows)
}

/// Texts without separators, such as `POINT (1 2)`, have blanks as well.
fn has_numbers(rows: &[Vec<Vec<u8>>]) -> bool {
    let is_one = |field: &&Vec<u8>| is_number(field) && !field.ends_with(b",");
    rows.iter().any(|row| row.iter().filter(is_one).count() > 1)
}

fn rows(sample: &[u8], separator: Separator) -> Vec<Vec<Vec<u8>>> {
    // After the last line break there may be half a row, unless all of the file is here. A byte order mark has been removed.
    let is_all = sample.len() < SAMPLE - 3;
    let end = sample.iter().rposition(|byte| *byte == b'\n').filter(|_| !is_all).unwrap_or(sample.len());
    let mut fields = Fields::new(&sample[..end], separator);
    let mut rows: Vec<Vec<_>> = Vec::new();
    while rows.len() < ROWS && fields.read().is_ok_and(|is_row| is_row) {
        if !fields.is_comment() || rows.first().is_some_and(|first| first.len() == fields.len()) {
            rows.push((0..fields.len()).map(|column| fields.get(column).to_vec()).collect());
        }
    }
    rows
}

fn first_rows(sample: &[u8]) -> impl Iterator<Item = &[u8]> {
    let lines = sample.split(|byte| matches!(byte, b'\n' | b'\r'));
    lines.filter(|line| !line.trim_ascii().is_empty() && !line.starts_with(b"#"))
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_bare {
            return f.write_str("well-known text, one geometry a line");
        }
        f.write_str("text with ")?;
        f.write_str(match self.separator {
            Separator::Byte(b'\t') => "tabs",
            Separator::Byte(b';') => "semicolons",
            Separator::Byte(b'|') => "bars",
            Separator::Byte(b' ') | Separator::Blanks => "blanks",
            Separator::Byte(_) => "commas",
        })?;
        let has = |comma| self.commas.contains(&comma);
        let has_points = has(Comma::DecimalAfterPoints);
        f.write_str(if has(Comma::Decimal) || has_points { ", decimal commas" } else { "" })?;
        f.write_str(if has_points { ", points between thousands" } else { "" })?;
        f.write_str(if has(Comma::Thousands) { ", commas between thousands" } else { "" })
    }
}
