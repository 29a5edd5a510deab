//! Formats of files. A new one is a file in this folder, and its name in the list `ALL`.
//!
//! Formats are recognized by their first bytes. File names do not matter, because they can be wrong, and standard input
//! has none.

mod delimited;
mod flatgeobuf;
mod json;
mod parquet;
mod shapefile;

use crate::error::Error;
use crate::records::Records;
use crate::source::Source;

/// A kind of file that is read.
pub(crate) struct Format {
    /// The usual name.
    name: &'static str,
    /// Whether a file that begins like this is one.
    is: fn(&[u8]) -> bool,
    /// Reads up to the columns.
    open: fn(Source) -> Result<Box<dyn Records>, Error>,
}

/// The first that matches counts; text is the last.
const ALL: &[Format] = &[parquet::FORMAT, flatgeobuf::FORMAT, shapefile::FORMAT, json::FORMAT, delimited::FORMAT];

#[cfg(feature = "parquet")]
pub use self::parquet::ParquetWriter;

/// The format of a file that begins like this, or what else it is, and what to do about it.
fn of(beginning: &[u8]) -> Result<&'static Format, [&'static str; 2]> {
    if let Some(&(_, what, remedy)) = FOREIGN.iter().find(|(bytes, ..)| beginning.starts_with(bytes)) {
        return Err([what, remedy]);
    }
    if beginning.starts_with(b"\x00\x00\x27\x0A") && beginning.get(100..104) == Some(&[0, 0, 0, 50]) {
        return Err(["the index (.shx) of a shapefile", "name the .shp file beside it"]);
    }
    // Text matches everything.
    let format = ALL.iter().find(|format| (format.is)(beginning)).unwrap_or(&delimited::FORMAT);
    let is_text = !beginning.contains(&0);
    match format.name {
        "text" if is_dbase(beginning) => Err(["the table (.dbf) of a shapefile", "name the .shp file beside it"]),
        "text" if !is_text => Err(["binary data of an unknown kind", "CSV, GeoJSON and others are read"]),
        _ => Ok(format),
    }
}

/// Opens a file as a table.
pub(crate) fn open(source: Source) -> Result<Box<dyn Records>, Error> {
    match of(&source.sample) {
        Ok(format) => (format.open)(source),
        Err([what, remedy]) => Err(Error::in_file(source.name, format_args!("this is {what}; {remedy}"))),
    }
}

/// A version, a date of this or the last century, and a header of some blocks of 32 bytes and one more.
fn is_dbase(beginning: &[u8]) -> bool {
    let [3 | 0x30 | 0x31 | 0x83 | 0x8B | 0xF5, _, month, day, _, _, _, _, low, high, ..] = *beginning else {
        return false;
    };
    (1..=12).contains(&month)
        && (1..=31).contains(&day)
        && u16::from_le_bytes([low, high]) > 32
        && beginning.contains(&0)
}

/// Known formats that are not read: the first bytes, what it is, and what to do.
const FOREIGN: &[(&[u8], &str, &str)] = &[
    (b"SQLite format 3\0", "a SQLite database (a GeoPackage?)", OGR),
    (b"PK\x03\x04", "a ZIP archive", "unpack it"),
    (b"BZh", "packed by bzip2", "unpack it"),
    (b"\xFD7zXZ\0", "packed by xz", "unpack it"),
    (b"\x04\x22\x4D\x18", "packed by lz4", "unpack it"),
    (b"fgb\x02fgb", "FlatGeobuf of version 2", OGR),
    (b"ARROW1", "an Arrow file", PANDAS),
    (b"\xFF\xFF\xFF\xFF", "a stream of Arrow", PANDAS),
    (b"\x89HDF\r\n\x1a\n", "an HDF5 or NetCDF file", "export its table as CSV"),
    (b"CDF", "a NetCDF file", "export its table as CSV"),
    (b"Obj\x01", "an Avro file", PANDAS),
    (b"\x93NUMPY", "a NumPy array", "save it with numpy.savetxt"),
    (b"\xFF\xFE\0\0", "text in UTF-32", UTF_8),
    (b"\0\0\xFE\xFF", "text in UTF-32", UTF_8),
    (b"\x89PNG", "a picture", "it has no boxes"),
    (b"\xFF\xD8\xFF", "a picture", "it has no boxes"),
    (b"%PDF", "a PDF document", "it has no boxes"),
    (b"<?xml", "XML (GML, KML or GPX?)", GPX),
    (b"<kml", "KML", OGR),
    (b"<gpx", "GPX", GPX),
    (b"<!DOCTYPE html", "a web page", "download the file itself"),
    (b"<html", "a web page", "download the file itself"),
];

const OGR: &str = "`ogr2ogr -f GeoJSON out.geojson IN` makes one that can be read";
const GPX: &str =
    "`ogr2ogr -f GeoJSON out.geojson IN` makes one that can be read (of the tracks of GPX: `… IN track_points`)";
const UTF_8: &str = "save it as UTF-8";
const PANDAS: &str = "save it as CSV or Parquet";
