//! Kinds of files, recognized by their first bytes.

/// A kind of file. File names do not matter, because they can be wrong, and standard input has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// Lines of fields: CSV, TSV and their kin. Also what an empty file is.
    Text,
    /// A GeoJSON document, or one a line.
    GeoJson,
    /// Apache Parquet, with or without geometries.
    Parquet,
    /// FlatGeobuf.
    FlatGeobuf,
    /// The main file of an ESRI shapefile.
    Shapefile,
    /// Packed by gzip.
    Gzip,
    /// Packed by zstd.
    Zstandard,
    /// Something that is known and not read: what it is, and what to do with it.
    Foreign(&'static str, &'static str),
}

/// What is known and not read: the first bytes, what it is, and what to do.
const FOREIGN: &[(&[u8], &str, &str)] = &[
    (b"SQLite format 3\0", "a SQLite database (a GeoPackage?)", OGR),
    (b"PK\x03\x04", "a ZIP archive", "unpack it"),
    (b"BZh", "packed by bzip2", "unpack it"),
    (b"\xFD7zXZ\0", "packed by xz", "unpack it"),
    (b"\x04\x22\x4D\x18", "packed by lz4", "unpack it"),
    (b"ARROW1", "an Arrow file", PANDAS),
    (b"\xFF\xFF\xFF\xFF", "a stream of Arrow", PANDAS),
    (b"\x89HDF\r\n\x1a\n", "an HDF5 or NetCDF file", "export its table as CSV"),
    (b"CDF", "a NetCDF file", "export its table as CSV"),
    (b"Obj\x01", "an Avro file", PANDAS),
    (b"\x93NUMPY", "a NumPy array", "save it with numpy.savetxt"),
    (b"\x89PNG", "a picture", "it has no boxes"),
    (b"\xFF\xD8\xFF", "a picture", "it has no boxes"),
    (b"%PDF", "a PDF document", "it has no boxes"),
    (b"\xFF\xFE", "text in UTF-16", UTF8),
    (b"\xFE\xFF", "text in UTF-16", UTF8),
    (b"<?xml", "XML (GML, KML or GPX?)", OGR),
    (b"<kml", "KML", OGR),
    (b"<gpx", "GPX", OGR),
    (b"<!DOCTYPE html", "a web page", "download the file itself"),
    (b"<html", "a web page", "download the file itself"),
];

const OGR: &str = "`ogr2ogr -f GeoJSON out.geojson IN` makes one that can be read";
const PANDAS: &str = "save it as CSV or Parquet";
const UTF8: &str = "`iconv -f UTF-16 -t UTF-8` makes one that can be read";

impl Format {
    /// What a file is that begins like this.
    #[must_use]
    pub fn of(beginning: &[u8]) -> Self {
        let starts = |bytes: &[u8]| beginning.starts_with(bytes);
        if let Some(&(_, what, remedy)) = FOREIGN.iter().find(|(bytes, ..)| starts(bytes)) {
            return Self::Foreign(what, remedy);
        }
        match beginning {
            _ if starts(b"\x1F\x8B") => Self::Gzip,
            _ if starts(b"\x28\xB5\x2F\xFD") || is_skippable_frame(beginning) => Self::Zstandard,
            _ if starts(b"PAR1") => Self::Parquet,
            _ if starts(b"fgb\x03fgb") => Self::FlatGeobuf,
            _ if starts(b"\x00\x00\x27\x0A") => Self::Shapefile,
            _ if beginning.contains(&0) => {
                Self::Foreign("binary data of an unknown kind", "CSV, GeoJSON and others are read")
            }
            _ => Self::of_text(beginning),
        }
    }

    fn of_text(beginning: &[u8]) -> Self {
        let text = beginning.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(beginning).trim_ascii_start();
        // Features one a line may be separated by this (RFC 8142).
        let text = text.strip_prefix(b"\x1E").unwrap_or(text).trim_ascii_start();
        match text {
            [b'{', ..] => Self::GeoJson,
            [b'[', rest @ ..] if rest.trim_ascii_start().starts_with(b"{") => {
                Self::Foreign("a JSON array", "`jq -r '.[] | [.x, .y] | @csv' IN` makes a table")
            }
            _ => Self::Text,
        }
    }

    /// The usual name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::GeoJson => "GeoJSON",
            Self::Parquet => "Parquet",
            Self::FlatGeobuf => "FlatGeobuf",
            Self::Shapefile => "shapefile",
            Self::Gzip => "gzip",
            Self::Zstandard => "zstd",
            Self::Foreign(what, _) => what,
        }
    }
}

/// A frame of zstd with a comment.
fn is_skippable_frame(beginning: &[u8]) -> bool {
    matches!(beginning, [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..])
}
