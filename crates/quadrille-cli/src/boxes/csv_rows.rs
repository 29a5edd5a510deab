//! Boxes and points in CSV files.

use csv::{ByteRecord, Position, ReaderBuilder, Trim};
use quadrille::Aabb;

use super::quote;

/// The columns of a box and of a point that are known by name.
const BOX: [&str; 4] = ["xmin", "ymin", "xmax", "ymax"];
const POINT: [&str; 2] = ["x", "y"];

/// Reads a box or a point from each row. Blank lines are no rows.
///
/// The first row is a header if none of its fields is a number.
pub(super) fn read(text: &[u8], columns: &[String]) -> Result<Vec<Aabb<f64>>, String> {
    let mut builder = ReaderBuilder::new();
    builder.has_headers(false).flexible(true).trim(Trim::All).delimiter(delimiter(text));
    let mut reader = builder.from_reader(text);
    let mut rows = reader.byte_records().filter(|row| !row.as_ref().is_ok_and(is_blank));
    let Some(first) = rows.next().transpose().map_err(|error| error.to_string())? else { return Ok(Vec::new()) };
    let layout = Layout::of(&first, columns).map_err(|what| in_line(text, &first, &what))?;
    let data = (!layout.has_header).then_some(Ok(first)).into_iter().chain(rows);
    data.map(|row| {
        let row = row.map_err(|error| error.to_string())?;
        layout.bounds(&row).map_err(|what| in_line(text, &row, &what))
    })
    .collect()
}

/// What separates fields: whichever of comma, semicolon and tab the first line with text has most of.
fn delimiter(text: &[u8]) -> u8 {
    let line = text.split(|&byte| byte == b'\n').find(|line| !line.trim_ascii().is_empty()).unwrap_or_default();
    // The last of equals is taken, which is the comma.
    b"\t;,"
        .iter()
        .copied()
        .max_by_key(|delimiter| line.iter().filter(|byte| *byte == delimiter).count())
        .unwrap_or(b',')
}

fn is_blank(row: &ByteRecord) -> bool {
    row.iter().all(<[u8]>::is_empty) && row.len() <= 1
}

/// Which fields of a row are coordinates.
#[derive(Debug)]
struct Layout {
    has_header: bool,
    /// Fields in a row.
    width: usize,
    /// Name and position of the two coordinates of a point or the four of a box.
    coordinates: Vec<(String, usize)>,
}

impl Layout {
    fn of(first: &ByteRecord, columns: &[String]) -> Result<Self, String> {
        let has_header = !first.iter().any(|field| number(field).is_some());
        let coordinates = match (has_header, columns) {
            (true, []) => find(first, &BOX).or_else(|_| find(first, &POINT)).map_err(|_| {
                format!("no columns xmin,ymin,xmax,ymax or x,y among {}; choose some with --columns", list(first))
            }),
            (true, columns) => find(first, columns),
            (false, []) => match first.len() {
                4 => Ok(number_columns(&BOX)),
                2 => Ok(number_columns(&POINT)),
                other => Err(format!("{other} columns without a header; expected xmin,ymin,xmax,ymax or x,y")),
            },
            (false, _) => Err("--columns needs a header, and this line has numbers".into()),
        }?;
        Ok(Self { has_header, width: first.len(), coordinates })
    }

    fn bounds(&self, row: &ByteRecord) -> Result<Aabb<f64>, String> {
        if row.len() != self.width {
            return Err(format!("{} columns, expected {}: {}", row.len(), self.width, list(row)));
        }
        let mut corners = [0.0; 4];
        // Of a point, both corners are the same two columns.
        for (corner, (name, column)) in corners.iter_mut().zip(self.coordinates.iter().cycle()) {
            let field = &row[*column];
            *corner = number(field).ok_or_else(|| format!("{name} {} is not a number", quote(field)))?;
        }
        Aabb::from(corners).check().map_err(|error| format!("{error}: {}", list(row)))
    }
}

/// The columns of these names; capitals do not matter.
fn find<N: AsRef<str>>(header: &ByteRecord, names: &[N]) -> Result<Vec<(String, usize)>, String> {
    let position = |name: &N| {
        let name = name.as_ref().trim();
        let found = header.iter().position(|field| field.eq_ignore_ascii_case(name.as_bytes()));
        found
            .map(|column| (name.to_owned(), column))
            .ok_or_else(|| format!("no column {name:?} among {}", list(header)))
    };
    names.iter().map(position).collect()
}

fn number_columns(names: &[&str]) -> Vec<(String, usize)> {
    names.iter().map(|name| (*name).to_owned()).zip(0..).collect()
}

fn number(field: &[u8]) -> Option<f64> {
    std::str::from_utf8(field).ok()?.parse().ok()
}

fn list(row: &ByteRecord) -> String {
    quote(&row.iter().collect::<Vec<_>>().join(&b","[..]))
}

/// `what` is wrong, with the number of the line that the row begins in, from 1.
fn in_line(text: &[u8], row: &ByteRecord, what: &str) -> String {
    let start = row.position().map_or(0, Position::byte);
    // The reader's position is before any blank lines that precede the row.
    let (before, rest) = text.split_at(usize::try_from(start).unwrap_or(text.len()).min(text.len()));
    let blank = rest.len() - rest.trim_ascii_start().len();
    let lines = before.iter().chain(&rest[..blank]).filter(|byte| **byte == b'\n').count();
    format!("line {}: {what}", lines + 1)
}
