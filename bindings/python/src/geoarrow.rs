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

use quadrille::Aabb;
use quadrille_shapes::{Geometries, Part};

use crate::arrow::Chunk;

/// Why an array cannot be read.
type Unread = String;

/// The geometries of a chunk.
pub(crate) enum Column<'a> {
    Bytes(Bytes<'a>),
    Nested(Kind, Vec<Offsets<'a>>, Coordinates<'a>),
    Boxes([&'a [f64]; 4]),
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
pub(crate) fn geometries<'a>(chunk: &Chunk<'a>) -> Result<Chunk<'a>, Unread> {
    if chunk.format() != "+s" || chunk.extension().is_some() {
        return Ok(*chunk);
    }
    let mut found =
        chunk.children().filter(|child| child.extension().is_some_and(|name| name.starts_with("geoarrow.")));
    match (found.next(), found.next()) {
        (Some(only), None) => chunk.rows_of(only, 1),
        (None, _) => {
            // Not every library keeps the types of extensions: then bytes are WKB, if there is one column of them.
            let mut bytes = chunk.children().filter(|child| ["z", "Z", "vz"].contains(&child.format()));
            let only = bytes.next().filter(|_| bytes.next().is_none());
            chunk.rows_of(only.ok_or("is a table without a column of GeoArrow, or one of bytes (WKB)")?, 1)
        }
        (Some(one), Some(other)) => {
            Err(format!("is a table with several columns of GeoArrow, {} and {}: choose one", one.name(), other.name()))
        }
    }
}

impl<'a> Column<'a> {
    /// None if its type is not supported here.
    pub(crate) fn of(chunk: &Chunk<'a>) -> Result<Option<Self>, Unread> {
        let is_bytes = ["z", "Z", "vz"].contains(&chunk.format());
        Ok(Some(match chunk.extension() {
            None | Some("geoarrow.wkb") if is_bytes => Self::Bytes(Bytes::of(chunk)?),
            Some("geoarrow.box") => Self::Boxes(boxes(chunk)?),
            other => {
                let Some(kind) = other.and_then(Kind::of) else { return Ok(None) };
                let (mut levels, mut inner) = (Vec::new(), *chunk);
                for _ in 0..kind.depth() {
                    levels.push(Offsets::of(&inner)?);
                    inner = inner.children().next().ok_or("has an Arrow list without a type of items")?;
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
    levels: &[Offsets<'_>],
    coordinates: &Coordinates<'_>,
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
pub(crate) enum Offsets<'a> {
    Small(&'a [i32]),
    Large(&'a [i64]),
}

impl<'a> Offsets<'a> {
    /// Of lists, or of bytes.
    fn of(chunk: &Chunk<'a>) -> Result<Self, Unread> {
        match (chunk.format(), chunk.len()) {
            // Without rows, there need not be a buffer.
            (_, 0) => Ok(Self::Small(&[])),
            ("+l" | "z" | "u", _) => chunk.numbers(1, 1).map(Self::Small),
            ("+L" | "Z" | "U", _) => chunk.numbers(1, 1).map(Self::Large),
            (other, _) => Err(format!("has an Arrow array of format {other} where a list is expected")),
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

    /// The end of the last.
    fn end(&self, rows: usize) -> Result<usize, Unread> {
        if rows == 0 { Ok(0) } else { self.range(rows - 1).map(|range| range.end) }
    }
}

fn beyond() -> Unread {
    "has Arrow offsets beyond its data".into()
}

/// Points, by number.
pub(crate) enum Coordinates<'a> {
    Apart(&'a [f64], &'a [f64]),
    /// This many numbers each.
    Together(&'a [f64], usize),
}

impl<'a> Coordinates<'a> {
    fn of(chunk: &Chunk<'a>) -> Result<Self, Unread> {
        if chunk.format() == "+s" {
            let [x, y] = columns(chunk, ["x", "y"])?;
            return Ok(Self::Apart(x, y));
        }
        let width = chunk.format().strip_prefix("+w:").and_then(|width| width.parse().ok()).filter(|width| *width >= 2);
        let child = chunk.children().next();
        let (width, child): (usize, _) = width.zip(child).ok_or_else(|| strange(chunk.format()))?;
        floats(&chunk.rows_of(child, width)?).map(|all| Self::Together(all, width))
    }

    fn get(&self, number: usize) -> Result<[f64; 2], Unread> {
        let coordinates = match self {
            Self::Apart(x, y) => x.get(number).zip(y.get(number)).map(|(x, y)| [*x, *y]),
            Self::Together(all, width) => all.get(number * width..).and_then(|rest| rest.first_chunk().copied()),
        };
        coordinates.ok_or_else(beyond)
    }
}

fn boxes<'a>(chunk: &Chunk<'a>) -> Result<[&'a [f64]; 4], Unread> {
    columns(chunk, ["xmin", "ymin", "xmax", "ymax"])
}

/// The numbers of some columns of a struct.
fn columns<'a, const N: usize>(chunk: &Chunk<'a>, names: [&str; N]) -> Result<[&'a [f64]; N], Unread> {
    let mut all = [&[][..]; N];
    for (numbers, name) in all.iter_mut().zip(names) {
        let child = chunk.children().find(|child| child.name() == name);
        *numbers = floats(&chunk.rows_of(child.ok_or_else(|| strange(chunk.format()))?, 1)?)?;
    }
    Ok(all)
}

fn floats<'a>(chunk: &Chunk<'a>) -> Result<&'a [f64], Unread> {
    if chunk.format() == "g" { chunk.numbers(1, 0) } else { Err(strange(chunk.format())) }
}

fn strange(format: &str) -> Unread {
    format!("has an Arrow array of format {format}, which is not coordinates in 64-bit floats: cast them to float64")
}

/// Bytes or texts of rows.
pub(crate) enum Bytes<'a> {
    Listed(Offsets<'a>, &'a [u8]),
    /// Views: a length, and up to 12 bytes; or the first 4, a buffer, and where they begin in it.
    Viewed(&'a [[u8; 16]], Vec<&'a [u8]>),
}

impl<'a> Bytes<'a> {
    pub(crate) fn of(chunk: &Chunk<'a>) -> Result<Self, Unread> {
        if ["vz", "vu"].contains(&chunk.format()) && chunk.len() > 0 {
            let buffers = chunk.buffers().saturating_sub(3);
            let lengths: &[i64] = chunk.raw(chunk.buffers() - 1, buffers)?;
            let length = |number: usize| usize::try_from(lengths[number]).unwrap_or(0);
            let buffers = (0..buffers).map(|number| chunk.raw(number + 2, length(number))).collect::<Result<_, _>>()?;
            return Ok(Self::Viewed(chunk.numbers(1, 0)?, buffers));
        }
        let offsets = Offsets::of(chunk)?;
        let end = offsets.end(chunk.len())?;
        Ok(Self::Listed(offsets, chunk.raw(2, end)?))
    }

    pub(crate) fn of_row(&self, row: usize) -> Result<&[u8], Unread> {
        match self {
            Self::Listed(offsets, all) => all.get(offsets.range(row)?).ok_or_else(beyond),
            Self::Viewed(views, buffers) => {
                let view = views.get(row).ok_or_else(beyond)?;
                let number = |at: usize| {
                    let bytes = view[at..].first_chunk().map_or(0, |bytes| i32::from_ne_bytes(*bytes));
                    usize::try_from(bytes).unwrap_or(usize::MAX)
                };
                let (length, first) = (number(0), number(12));
                let own = view.get(4..4_usize.saturating_add(length));
                let far = || buffers.get(number(8)).and_then(|all| all.get(first..first.saturating_add(length)));
                own.or_else(far).ok_or_else(beyond)
            }
        }
    }
}
