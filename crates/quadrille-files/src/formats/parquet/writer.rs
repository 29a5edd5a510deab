//! Tables written as Parquet.

use std::fmt::{self, Debug};
use std::io::{self, Write};
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;

use crate::kinds::{Kind, NamedKind};

/// Rows of a group: some megabytes of memory.
const GROUP: usize = 1 << 18;

/// Writes a table as Parquet: a value for each column, in order, then the end of the row, and so on.
pub struct ParquetWriter<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    columns: Vec<Values>,
    /// The column that is written next.
    next: usize,
    rows: usize,
}

enum Values {
    Whole(Vec<i64>),
    Number(Vec<f64>),
    Text(Vec<ByteArray>),
}

impl<W: Write + Send> Debug for ParquetWriter<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ParquetWriter").field("rows", &self.rows).finish_non_exhaustive()
    }
}

impl<W: Write + Send> ParquetWriter<W> {
    /// Begins a table with these columns.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn new(file: W, columns: &[NamedKind]) -> io::Result<Self> {
        let fields = columns.iter().map(|(name, kind)| {
            let (physical, logical) = match kind {
                Kind::Whole => (Physical::INT64, None),
                Kind::Number => (Physical::DOUBLE, None),
                Kind::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
            };
            let field = Type::primitive_type_builder(name, physical).with_repetition(Repetition::REQUIRED);
            field.with_logical_type(logical).build().map(Arc::new)
        });
        let fields = fields.collect::<Result<Vec<_>, _>>().map_err(plain)?;
        let schema = Type::group_type_builder("schema").with_fields(fields).build().map_err(plain)?;
        // Row numbers hardly repeat, so a dictionary would be useless.
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_dictionary_enabled(false);
        let writer = SerializedFileWriter::new(file, Arc::new(schema), Arc::new(properties.build())).map_err(plain)?;
        let columns = columns.iter().map(|(_, kind)| match kind {
            Kind::Whole => Values::Whole(Vec::new()),
            Kind::Number => Values::Number(Vec::new()),
            Kind::Text => Values::Text(Vec::new()),
        });
        Ok(Self { writer, columns: columns.collect(), next: 0, rows: 0 })
    }

    /// Writes a whole number.
    ///
    /// # Panics
    /// Panics if the column is of another kind.
    pub fn whole(&mut self, value: i64) {
        let Values::Whole(values) = self.next_column() else { panic!("the column has no whole numbers") };
        values.push(value);
    }

    /// Writes a number.
    ///
    /// # Panics
    /// Panics if the column is of another kind.
    pub fn number(&mut self, value: f64) {
        let Values::Number(values) = self.next_column() else { panic!("the column has no numbers") };
        values.push(value);
    }

    /// Writes a text.
    ///
    /// # Panics
    /// Panics if the column is of another kind.
    pub fn text(&mut self, value: &str) {
        let Values::Text(values) = self.next_column() else { panic!("the column has no texts") };
        values.push(value.into());
    }

    fn next_column(&mut self) -> &mut Values {
        self.next += 1;
        &mut self.columns[self.next - 1]
    }

    /// Ends a row.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn end_row(&mut self) -> io::Result<()> {
        debug_assert_eq!(self.next, self.columns.len(), "a row has a value for each column");
        self.next = 0;
        self.rows += 1;
        if self.rows == GROUP { self.write_group() } else { Ok(()) }
    }

    /// Ends the table.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn finish(mut self) -> io::Result<()> {
        if self.rows > 0 {
            self.write_group()?;
        }
        self.writer.close().map(drop).map_err(plain)
    }

    fn write_group(&mut self) -> io::Result<()> {
        let mut group = self.writer.next_row_group().map_err(plain)?;
        for values in &mut self.columns {
            match values {
                Values::Whole(values) => write_column::<Int64Type, _>(&mut group, values),
                Values::Number(values) => write_column::<DoubleType, _>(&mut group, values),
                Values::Text(values) => write_column::<ByteArrayType, _>(&mut group, values),
            }
            .map_err(plain)?;
        }
        group.close().map_err(plain)?;
        self.rows = 0;
        Ok(())
    }
}

/// Writes and forgets the values of a column.
fn write_column<T: DataType, W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    values: &mut Vec<T::T>,
) -> Result<(), ParquetError> {
    let mut column = group.next_column()?.ok_or_else(|| ParquetError::General("there is no such column".into()))?;
    column.typed::<T>().write_batch(values, None, None)?;
    values.clear();
    column.close()
}

/// The error of the file itself: a closed pipe must not be hidden.
fn plain(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(error) => match error.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(other) => io::Error::other(other),
        },
        other => io::Error::other(other.to_string()),
    }
}
