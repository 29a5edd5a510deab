//! Boxes and points in files.

mod csv_rows;
mod geojson_features;

use std::fs;
use std::path::Path;

use quadrille::Aabb;

use crate::failure::Failure;

/// Reads the boxes of a file, in its order. A file that begins with `{` is GeoJSON, any other is CSV.
///
/// `columns` names the columns of a CSV file to read; empty: what its header or the number of its columns says. A failure
/// names the file, the line or feature, and the value.
pub(crate) fn read(path: &Path, columns: &[String]) -> Result<Vec<Aabb<f64>>, Failure> {
    let bytes = fs::read(path).map_err(|error| Failure::in_file(path, error))?;
    let text = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&bytes);
    let boxes = match text.trim_ascii_start().first() {
        Some(b'{') => geojson_features::read(text),
        _ => csv_rows::read(text, columns),
    };
    boxes.map_err(|what| Failure::in_file(path, what))
}

/// Checks the number of columns named, before anything is read.
pub(crate) fn check_columns(columns: &[String]) -> Result<(), Failure> {
    match columns.len() {
        0 | 2 | 4 => Ok(()),
        other => Err(Failure::Bad(format!("--columns names {other} columns; points need 2 and boxes 4"))),
    }
}

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// A value of a file for a message: in quotes, on one line, not too long.
fn quote(value: &[u8]) -> String {
    const LONGEST: usize = 100;
    let text = String::from_utf8_lossy(value);
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{:?}…", &text[..end]),
        None => format!("{text:?}"),
    }
}
