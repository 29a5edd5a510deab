//! **Tables, boxes and points from common file formats**: those that the `quadrille` command reads. The manual page is `docs/joins.md`.
//!
//! [`Table`] reads delimited text row by row: any usual separator, quotes, header or none, gzip or zstd, a path or standard input.
//! [`Shapes`] reads one box per row (or feature) from those tables and from GeoJSON, and keeps the columns that you name. [`Fixes`] reads
//! positions with times: tracks of ships, aircraft, animals and people. [`Source`] recognizes a file by its first bytes, not by its name.
//!
//! No row is lost and nothing is guessed silently: the results say which columns were used, and errors name the file, the line, the column
//! and the value.

#![forbid(unsafe_code)]

mod arcs;
mod attributes;
mod columns;
mod dates;
mod dialect;
mod error;
mod fields;
mod fix_choice;
mod fix_layout;
mod fixes;
mod flatgeobuf_features;
mod format;
mod geojson_features;
mod hull;
mod kinds;
mod layout;
mod longitude;
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
pub use fix_choice::{Coordinates, FixChoice, HeightUnit};
pub use fixes::Fixes;
pub use format::Format;
pub use kinds::{Kind, NamedKind};
pub use longitude::degrees_between;
#[cfg(feature = "parquet")]
pub use parquet_writer::ParquetWriter;
pub use shapes::{Choice, Shapes, Texts};
pub use source::Source;
pub use table::{Row, Table};
pub use times::Times;
