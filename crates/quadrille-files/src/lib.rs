//! **Files that people have**, as tables, boxes and points: the formats and dialects of the `quadrille` command.
//!
//! [`Table`] reads delimited text row by row: any usual separator, quotes, header or none, gzip or zstd, a path or
//! standard input. [`Shapes`] reads a box a row (or feature) from those tables and from GeoJSON, and whatever texts of
//! the rows are to be kept. [`Fixes`] reads where things were at what time: tracks of ships, aircraft, animals and
//! people. [`Source`] tells what a file is by its first bytes, whatever its name.
//!
//! Nothing is lost and nothing is guessed in silence: what is read says which columns it was, and errors name the file,
//! the line, the column and the value.

#![forbid(unsafe_code)]

mod arcs;
mod attributes;
mod columns;
mod dialect;
mod error;
mod fields;
mod fixes;
mod flatgeobuf_features;
mod format;
mod geojson_features;
mod hull;
mod kinds;
mod layout;
#[cfg(feature = "parquet")]
mod parquet_rows;
#[cfg(feature = "parquet")]
mod parquet_writer;
mod points;
mod reading;
mod shapefile_records;
mod shapes;
mod source;
mod table;
mod text_geometry;
mod times;
mod wkb;

pub use dialect::Dialect;
pub use error::{Error, quote};
pub use fields::Separator;
pub use fixes::{Coordinates, FixChoice, Fixes, HeightUnit};
pub use format::Format;
pub use kinds::{Kind, NamedKind};
#[cfg(feature = "parquet")]
pub use parquet_writer::ParquetWriter;
pub use shapes::{Choice, Shapes, Texts};
pub use source::Source;
pub use table::{Row, Table};
pub use times::Times;
