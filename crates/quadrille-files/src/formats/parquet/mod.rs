//! Apache Parquet, with or without geometries (GeoParquet), read and written.
//!
//! | file | what |
//! |---|---|
//! | `rows.rs` | rows of cells |
//! | `values.rs` | what values mean according to the schema |
//! | `geo.rs` | what GeoParquet says about columns |
//! | `bounded.rs` | false lengths are found before memory is allocated |
//! | `writer.rs` | tables written |

#[cfg(feature = "parquet")]
mod bounded;
#[cfg(feature = "parquet")]
mod geo;
#[cfg(feature = "parquet")]
mod rows;
#[cfg(feature = "parquet")]
mod values;
#[cfg(feature = "parquet")]
mod writer;

use super::Format;

#[cfg(feature = "parquet")]
use rows::open;
#[cfg(feature = "parquet")]
pub use writer::ParquetWriter;

pub(super) const FORMAT: Format = Format { name: "Parquet", is: |beginning| beginning.starts_with(b"PAR1"), open };

/// This build has no reader of it, which takes long to compile.
#[cfg(not(feature = "parquet"))]
fn open(source: crate::source::Source) -> Result<Box<dyn crate::records::Records>, crate::error::Error> {
    let what = "this is Parquet, which this build does not read; a build with `--features parquet` does";
    Err(crate::error::Error::in_file(source.name, what))
}
