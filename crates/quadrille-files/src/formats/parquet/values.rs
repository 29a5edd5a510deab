//! What the values of a Parquet column mean: its logical type, or the converted type of older files.

use jiff::civil;
use jiff::tz::Offset;
use num_bigint::{BigInt, Sign};
use parquet::basic::{ConvertedType, LogicalType, TimeUnit, Type};
use parquet::data_type::Int96;
use parquet::schema::types::ColumnDescriptor;

use crate::wkb::hex;

/// The meaning of a value beyond its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// What the physical type says.
    Plain,
    Text,
    /// Bytes of geometries.
    Geometry,
    Unsigned,
    Decimal {
        /// Digits after the point.
        scale: usize,
    },
    /// Days since 1970.
    Date,
    /// Since midnight.
    Time {
        per_second: u32,
    },
    /// Since 1970, in UTC or in an unknown zone.
    Timestamp {
        per_second: u32,
        is_utc: bool,
    },
    Uuid,
    Half,
}

impl Meaning {
    /// The meaning of a column's values, or the type that is not read.
    pub(crate) fn of(column: &ColumnDescriptor) -> Result<Self, String> {
        let meaning = match column.logical_type_ref() {
            Some(logical) => Self::of_logical(logical)?,
            None => Self::of_converted(column)?,
        };
        let physical = column.physical_type();
        if meaning.fits(physical, column.type_length()) {
            Ok(meaning)
        } else {
            Err(format!("{meaning:?} written as {physical}"))
        }
    }

    fn of_logical(logical: &LogicalType) -> Result<Self, String> {
        Ok(match logical {
            LogicalType::String | LogicalType::Enum | LogicalType::Json => Self::Text,
            LogicalType::Decimal { scale, .. } => Self::Decimal { scale: digits(*scale)? },
            LogicalType::Date => Self::Date,
            LogicalType::Time { unit, .. } => Self::Time { per_second: per_second(unit) },
            LogicalType::Timestamp { unit, is_adjusted_to_u_t_c } => {
                Self::Timestamp { per_second: per_second(unit), is_utc: *is_adjusted_to_u_t_c }
            }
            LogicalType::Integer { is_signed: false, .. } => Self::Unsigned,
            LogicalType::Integer { .. } | LogicalType::Unknown => Self::Plain,
            LogicalType::Uuid => Self::Uuid,
            LogicalType::Float16 => Self::Half,
            LogicalType::Geometry { .. } | LogicalType::Geography { .. } => Self::Geometry,
            other => return Err(format!("{other:?}")),
        })
    }

    fn of_converted(column: &ColumnDescriptor) -> Result<Self, String> {
        Ok(match column.converted_type() {
            ConvertedType::UTF8 | ConvertedType::ENUM | ConvertedType::JSON => Self::Text,
            ConvertedType::DECIMAL => Self::Decimal { scale: digits(column.type_scale())? },
            ConvertedType::DATE => Self::Date,
            ConvertedType::TIME_MILLIS => Self::Time { per_second: 1_000 },
            ConvertedType::TIME_MICROS => Self::Time { per_second: 1_000_000 },
            ConvertedType::TIMESTAMP_MILLIS => Self::Timestamp { per_second: 1_000, is_utc: true },
            ConvertedType::TIMESTAMP_MICROS => Self::Timestamp { per_second: 1_000_000, is_utc: true },
            ConvertedType::UINT_8 | ConvertedType::UINT_16 | ConvertedType::UINT_32 | ConvertedType::UINT_64 => {
                Self::Unsigned
            }
            ConvertedType::NONE
            | ConvertedType::INT_8
            | ConvertedType::INT_16
            | ConvertedType::INT_32
            | ConvertedType::INT_64 => Self::Plain,
            other => return Err(other.to_string()),
        })
    }

    /// Whether values of this meaning may be written so.
    fn fits(self, physical: Type, length: i32) -> bool {
        match self {
            Self::Plain => true,
            Self::Text => matches!(physical, Type::BYTE_ARRAY | Type::FIXED_LEN_BYTE_ARRAY),
            Self::Geometry => physical == Type::BYTE_ARRAY,
            Self::Unsigned | Self::Time { .. } => matches!(physical, Type::INT32 | Type::INT64),
            Self::Decimal { .. } => {
                matches!(physical, Type::INT32 | Type::INT64 | Type::BYTE_ARRAY | Type::FIXED_LEN_BYTE_ARRAY)
            }
            Self::Date => physical == Type::INT32,
            Self::Timestamp { .. } => physical == Type::INT64,
            Self::Uuid => physical == Type::FIXED_LEN_BYTE_ARRAY && length == 16,
            Self::Half => physical == Type::FIXED_LEN_BYTE_ARRAY && length == 2,
        }
    }

    /// The text of a whole number; `None` if it is a number and nothing else.
    pub(crate) fn text_of_number(self, number: i64) -> Option<Result<String, String>> {
        match self {
            Self::Decimal { scale } => Some(Ok(decimal(&number.to_be_bytes(), scale))),
            Self::Date => Some(date(number)),
            Self::Time { per_second } => Some(time(number, per_second)),
            Self::Timestamp { per_second, is_utc } => {
                Some(timestamp(i128::from(number) * i128::from(1_000_000_000 / per_second), is_utc))
            }
            _ => None,
        }
    }

    /// The text of bytes; `None` if they are bytes and nothing else.
    pub(crate) fn text_of_bytes(self, bytes: &[u8]) -> Option<Result<String, String>> {
        match self {
            Self::Decimal { .. } if bytes.len() > MAX_DIGITS => {
                Some(Err(format!("is a DECIMAL of {} bytes", bytes.len())))
            }
            Self::Decimal { scale } => Some(Ok(decimal(bytes, scale))),
            Self::Uuid => Some(Ok(uuid(bytes))),
            Self::Text => Some(String::from_utf8(bytes.to_vec()).map_err(|_| "is a text that is not UTF-8".into())),
            _ => None,
        }
    }
}

/// Bytes of a decimal number, and digits after its point: several times what programs write.
const MAX_DIGITS: usize = 128;

fn digits(scale: i32) -> Result<usize, String> {
    usize::try_from(scale).ok().filter(|scale| *scale <= MAX_DIGITS).ok_or_else(|| format!("DECIMAL of scale {scale}"))
}

fn per_second(unit: &TimeUnit) -> u32 {
    match unit {
        TimeUnit::MILLIS => 1_000,
        TimeUnit::MICROS => 1_000_000,
        TimeUnit::NANOS => 1_000_000_000,
    }
}

/// A whole number (big-endian, two's complement, of any length) with a point before its last digits.
fn decimal(bytes: &[u8], scale: usize) -> String {
    let number = BigInt::from_signed_bytes_be(bytes);
    let digits = format!("{:0>1$}", number.magnitude(), scale + 1);
    let (whole, fraction) = digits.split_at(digits.len() - scale);
    let sign = if number.sign() == Sign::Minus { "-" } else { "" };
    format!("{sign}{whole}{}{fraction}", if scale > 0 { "." } else { "" })
}

fn date(days: i64) -> Result<String, String> {
    let bad = || format!("{days} days since 1970 is not a date of the years -9999 to 9999");
    timestamp(i128::from(days) * 86_400_000_000_000, false).map(|text| text[..text.len() - 9].into()).map_err(|_| bad())
}

fn time(since_midnight: i64, per_second: u32) -> Result<String, String> {
    let nanoseconds = i128::from(since_midnight) * i128::from(1_000_000_000 / per_second);
    if !(0..86_400_000_000_000).contains(&nanoseconds) {
        return Err(format!("{since_midnight} of {per_second} in a second is not a time of the day"));
    }
    timestamp(nanoseconds, false).map(|text| text[11..].into())
}

fn timestamp(nanoseconds: i128, is_utc: bool) -> Result<String, String> {
    let instant = jiff::Timestamp::from_nanosecond(nanoseconds)
        .map_err(|_| format!("{nanoseconds} nanoseconds since 1970 is not a time of the years -9999 to 9999"))?;
    let date: civil::DateTime = Offset::UTC.to_datetime(instant);
    Ok(format!("{date}{}", if is_utc { "Z" } else { "" }))
}

/// Nanoseconds of a day and the day, from noon in 4713 BC; the zone is not known.
pub(crate) fn int96(value: &Int96) -> Result<String, String> {
    const DAY_OF_1970: i64 = 2_440_588;
    let [low, high, day] = *value.data() else { return Err("INT96 has three parts".into()) };
    let nanoseconds = i128::from(u64::from(high) << 32 | u64::from(low));
    // The day is signed.
    let day = i64::from(i32::from_ne_bytes(day.to_ne_bytes()));
    timestamp(i128::from(day - DAY_OF_1970) * 86_400_000_000_000 + nanoseconds, false)
}

fn uuid(bytes: &[u8]) -> String {
    let digits = hex(bytes);
    [0..8, 8..12, 12..16, 16..20, 20..32].map(|part| digits.get(part).unwrap_or_default()).join("-")
}
