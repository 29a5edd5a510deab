//! **Tables, boxes and points from common file formats**: those that the `quadrille` command reads. The manual page is
//! `docs/joins.md`.
//!
//! [`Table`] reads a file of any of them row by row: delimited text with any usual separator, quotes, header or none;
//! JSON and GeoJSON, FlatGeobuf, shapefiles, Parquet; gzip or zstd, a path or standard input. [`Shapes`] takes one box
//! from each row and keeps the columns that you name. [`Fixes`] takes positions with times: tracks of ships, aircraft,
//! animals and people. A file is recognized by its first bytes, not by its name.
//!
//! No row is lost and nothing is guessed silently: the results say which columns were used, and errors name the file,
//! the line, the column and the value.
//!
//! # How it works, and where
//!
//! | file | contents |
//! |---|---|
//! | `source.rs`, `guard.rs` | opens files and unpacks them; panics of other people's parsers become errors |
//! | `formats/` | one reader a format: from row to row (`records.rs` says what each can do) |
//! | `fields.rs`, `dialect.rs`, `text.rs` | delimited text: fields, separators recognized from a sample, encodings |
//! | `attributes.rs`, `rings.rs` | of shapefiles: the table, and which rings are holes |
//! | `table.rs`, `columns.rs` | a file of any format as a table: columns by name or number |
//! | `layout.rs`, `fix_layout.rs`, `points.rs` | which columns hold boxes, which fixes, and the usual names of points |
//! | `reading.rs`, `shapes.rs` | boxes and geometries: how they are read, and the result |
//! | `fixes.rs`, `fix_choice.rs` | fixes: how they are read, and what can be chosen |
//! | `hull.rs` | the box around the positions of a geometry, and the geometry itself if it is kept |
//! | `text_geometry.rs`, `wkt.rs`, `wkb.rs`, `geojson_geometry.rs` | geometries in cells |
//! | `times/`, `dates.rs`, `numbers.rs` | times in their forms; dates as text; numbers, and what stands for a missing one |
//! | `system.rs`, `epsg.rs` | coordinate systems that files name, and which of them are degrees |
//! | `kinds.rs` | the kinds of columns that can be written |
//! | `error.rs` | errors that name the file |

#![forbid(unsafe_code)]

mod attributes;
mod columns;
mod dates;
mod dialect;
mod epsg;
mod error;
mod fields;
mod fix_choice;
mod fix_layout;
mod fixes;
mod formats;
mod geojson_geometry;
mod guard;
mod hull;
mod kinds;
mod layout;
mod numbers;
mod points;
mod reading;
mod records;
mod rings;
mod shapes;
mod source;
mod system;
mod table;
mod text;
mod text_geometry;
mod times;
mod wkb;
mod wkt;

pub use error::{Error, quote};
pub use fix_choice::{FixChoice, HeightUnit};
pub use fixes::Fixes;
#[cfg(feature = "parquet")]
pub use formats::ParquetWriter;
pub use kinds::{Kind, NamedKind};
pub use shapes::{Choice, Shapes, Texts};
pub use source::Source;
pub use system::System;
pub use table::{Row, Table};
pub use times::Times;
