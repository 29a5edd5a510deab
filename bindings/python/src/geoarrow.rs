//! Geometries in Arrow arrays, as GeoArrow lays them out: <https://geoarrow.org/format.html>.
//!
//! | type | layout |
//! |---|---|
//! | `geoarrow.wkb`, or bytes without a type | bytes |
//! | `geoarrow.point` | a point: a struct of `x` and `y`, or two numbers or more side by side |
//! | `linestring`, `multipoint` | lists of points |
//! | `polygon`, `multilinestring` | lists of lists of points |
//! | `multipolygon` | lists of lists of lists of points |
//! | `geoarrow.box` | a struct of `xmin`, `ymin`, `xmax` and `ymax` |

use std::ops::Range;

use arrow_buffer::{Buffer, ScalarBuffer};
use arrow_schema::DataType;
use quadrille::Aabb;
use quadrille_shapes::{Geometries, Part};

use crate::arrow::Chunk;

/// Why an array cannot be read.
type Unread = String;

/// The geometries of a chunk.
pub(crate) enum Column {
    Bytes(Bytes),
    Nested(Kind, Vec<Offsets>, Coordinates),
    Boxes([ScalarBuffer<f64>; 4]),
}

/// What the points of a row are.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    Point,
    Points,
    Line,
    Lines,
    Polygon,
    Polygons,
}

impl Kind {
    fn of(name: &str) -> Option<Self> {
        Some(match name {
            "geoarrow.point" => Self::Point,
            "geoarrow.multipoint" => Self::Points,
            "geoarrow.linestring" => Self::Line,
            "geoarrow.multilinestring" => Self::Lines,
            "geoarrow.polygon" => Self::Polygon,
            "geoarrow.multipolygon" => Self::Polygons,
            _ => return None,
        })
    }

    /// Lists around points.
    fn depth(self) -> usize {
        match self {
            Self::Point => 0,
            Self::Points | Self::Line => 1,
            Self::Lines | Self::Polygon => 2,
            Self::Polygons => 3,
        }
    }
}

/// The column of a table that has geometries, or the column itself.
pub(crate) fn geometries(chunk: &Chunk) -> Result<Chunk, Unread> {
    if !chunk.is_table() {
        return Ok(chunk.clone());
    }
    let columns = chunk.columns()?;
    let mut found =
        columns.iter().filter(|column| column.extension().is_some_and(|name| name.starts_with("geoarrow.")));
    match (found.next(), found.next()) {
        (Some(only), None) => Ok(only.clone()),
        (None, _) => {
            // Not every library keeps the types of extensions: then bytes are WKB, if there is one column of them.
            let mut bytes = columns.iter().filter(|column| are_bytes(column));
            let only = bytes.next().filter(|_| bytes.next().is_none());
            only.cloned().ok_or_else(|| "is a table without a column of GeoArrow, or one of bytes (WKB)".into())
        }
        (Some(one), Some(other)) => {
            Err(format!("is a table with several columns of GeoArrow, {} and {}: choose one", one.name(), other.name()))
        }
    }
}

fn are_bytes(chunk: &Chunk) -> bool {
    matches!(chunk.kind(), DataType::Binary | DataType::LargeBinary | DataType::BinaryView)
}

impl Column {
    /// None if its type is not supported here.
    pub(crate) fn of(chunk: &Chunk) -> Result<Option<Self>, Unread> {
        Ok(Some(match chunk.extension() {
            None | Some("geoarrow.wkb") if are_bytes(chunk) => Self::Bytes(Bytes::of(chunk)?),
            Some("geoarrow.box") => Self::Boxes(columns(chunk, ["xmin", "ymin", "xmax", "ymax"])?),
            other => {
                let Some(kind) = other.and_then(Kind::of) else { return Ok(None) };
                let (mut levels, mut inner) = (Vec::new(), chunk.clone());
                for _ in 0..kind.depth() {
                    levels.push(Offsets::of(&inner)?);
                    inner = inner.items()?.ok_or_else(|| not_a_list(&inner))?.0;
                }
                Self::Nested(kind, levels, Coordinates::of(&inner)?)
            }
        }))
    }

    /// Adds the geometry of a row: whether there was anything in it.
    pub(crate) fn push(&self, row: usize, to: &mut Geometries) -> Result<bool, Unread> {
        let pushed = match self {
            Self::Bytes(bytes) => return to.push_wkb(bytes.of_row(row)?),
            Self::Boxes([west, south, east, north]) => {
                // An empty box is infinite, from its end to its beginning.
                if west[row] > east[row] || south[row] > north[row] {
                    return Ok(false);
                }
                to.push_box(&Aabb::new([west[row], south[row]], [east[row], north[row]]))
            }
            Self::Nested(kind, levels, coordinates) => {
                let given = give(*kind, levels, coordinates, row, to);
                if given.is_err() {
                    to.discard();
                }
                given?;
                to.finish()
            }
        };
        pushed.map_err(|fault| fault.to_string())
    }
}

/// Adds the parts of a row, which [`Geometries::finish`] ends.
fn give(
    kind: Kind,
    levels: &[Offsets],
    coordinates: &Coordinates,
    row: usize,
    to: &mut Geometries,
) -> Result<(), Unread> {
    let mut part = |part, range: Range<usize>| {
        to.part(part);
        range.into_iter().try_for_each(|number| coordinates.get(number).map(|[x, y]| to.vertex(x, y)))
    };
    let mut polygon = |level: usize, number| -> Result<(), Unread> {
        let mut ring = Part::Shell;
        levels[level]
            .range(number)?
            .try_for_each(|number| part(std::mem::replace(&mut ring, Part::Hole), levels[level + 1].range(number)?))
    };
    match kind {
        Kind::Polygon => polygon(0, row),
        Kind::Polygons => levels[0].range(row)?.try_for_each(|number| polygon(1, number)),
        Kind::Point => part(Part::Point, row..row + 1),
        Kind::Points => levels[0].range(row)?.try_for_each(|number| part(Part::Point, number..number + 1)),
        Kind::Line => part(Part::Line, levels[0].range(row)?),
        Kind::Lines => levels[0].range(row)?.try_for_each(|number| part(Part::Line, levels[1].range(number)?)),
    }
}

/// Where the parts of each row begin, and the last one ends.
pub(crate) enum Offsets {
    Small(ScalarBuffer<i32>),
    Large(ScalarBuffer<i64>),
}

impl Offsets {
    /// Of lists, or of bytes.
    fn of(chunk: &Chunk) -> Result<Self, Unread> {
        match chunk.kind() {
            // Without rows, there need not be a buffer.
            _ if chunk.len() == 0 => Ok(Self::Small(Vec::new().into())),
            DataType::List(_) | DataType::Binary | DataType::Utf8 => Ok(Self::Small(chunk.numbers(1))),
            DataType::LargeList(_) | DataType::LargeBinary | DataType::LargeUtf8 => Ok(Self::Large(chunk.numbers(1))),
            _ => Err(not_a_list(chunk)),
        }
    }

    fn range(&self, row: usize) -> Result<Range<usize>, Unread> {
        let at = |row: usize| match self {
            Self::Small(all) => all.get(row).and_then(|at| usize::try_from(*at).ok()),
            Self::Large(all) => all.get(row).and_then(|at| usize::try_from(*at).ok()),
        };
        let ends = at(row).zip(at(row + 1)).filter(|(first, end)| first <= end);
        ends.map(|(first, end)| first..end).ok_or_else(beyond)
    }
}

fn not_a_list(chunk: &Chunk) -> Unread {
    format!("has an Arrow array of format {} where a list is expected", chunk.format())
}

fn beyond() -> Unread {
    "has Arrow offsets beyond its data".into()
}

/// Points, by number.
pub(crate) enum Coordinates {
    Apart([ScalarBuffer<f64>; 2]),
    /// This many numbers each.
    Together(ScalarBuffer<f64>, usize),
}

impl Coordinates {
    fn of(chunk: &Chunk) -> Result<Self, Unread> {
        if matches!(chunk.kind(), DataType::Struct(_)) {
            return columns(chunk, ["x", "y"]).map(Self::Apart);
        }
        match chunk.items()? {
            Some((child, Some(width))) if width >= 2 => Ok(Self::Together(floats(&child)?, width)),
            _ => Err(strange(chunk)),
        }
    }

    fn get(&self, number: usize) -> Result<[f64; 2], Unread> {
        let coordinates = match self {
            Self::Apart([x, y]) => x.get(number).zip(y.get(number)).map(|(x, y)| [*x, *y]),
            Self::Together(all, width) => all.get(number * width..).and_then(|rest| rest.first_chunk().copied()),
        };
        coordinates.ok_or_else(beyond)
    }
}

/// The numbers of some columns of a struct.
fn columns<const N: usize>(chunk: &Chunk, names: [&str; N]) -> Result<[ScalarBuffer<f64>; N], Unread> {
    let (children, mut all) = (chunk.columns()?, names.map(|_| Vec::new().into()));
    for (numbers, name) in all.iter_mut().zip(names) {
        let child = children.iter().find(|child| child.name() == name);
        *numbers = floats(child.ok_or_else(|| strange(chunk))?)?;
    }
    Ok(all)
}

fn floats(chunk: &Chunk) -> Result<ScalarBuffer<f64>, Unread> {
    if *chunk.kind() == DataType::Float64 { Ok(chunk.numbers(0)) } else { Err(strange(chunk)) }
}

fn strange(chunk: &Chunk) -> Unread {
    let format = chunk.format();
    format!("has an Arrow array of format {format}, which is not coordinates in 64-bit floats: cast them to float64")
}

/// Bytes or texts of rows.
pub(crate) enum Bytes {
    Listed(Offsets, Buffer),
    /// Views: a length, and up to 12 bytes; or the first 4, a buffer, and where they begin in it.
    Viewed(Buffer, Vec<Buffer>),
}

impl Bytes {
    pub(crate) fn of(chunk: &Chunk) -> Result<Self, Unread> {
        let bytes = chunk.bytes();
        if matches!(chunk.kind(), DataType::BinaryView | DataType::Utf8View) {
            return Ok(Self::Viewed(chunk.numbers::<u128>(0).into_inner(), bytes.to_vec()));
        }
        Ok(Self::Listed(Offsets::of(chunk)?, bytes.first().cloned().unwrap_or_default()))
    }

    pub(crate) fn of_row(&self, row: usize) -> Result<&[u8], Unread> {
        match self {
            Self::Listed(offsets, all) => all.get(offsets.range(row)?).ok_or_else(beyond),
            Self::Viewed(views, buffers) => {
                let view: &[u8; 16] = views.get(16 * row..).and_then(|rest| rest.first_chunk()).ok_or_else(beyond)?;
                let number = |at: usize| {
                    let bytes = view[at..].first_chunk().map_or(0, |bytes| i32::from_ne_bytes(*bytes));
                    usize::try_from(bytes).unwrap_or(usize::MAX)
                };
                let (length, first) = (number(0), number(12));
                let far = || buffers.get(number(8)).and_then(|all| all.get(first..first.saturating_add(length)));
                view.get(4..4_usize.saturating_add(length)).or_else(far).ok_or_else(beyond)
            }
        }
    }
}
