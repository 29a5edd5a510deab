//! Which columns of a table hold boxes, and in what form.

use std::fmt;

use quadrille::Aabb;
use quadrille_shapes::Geometries;
use quadrille_shapes::globe::{TURN, moved_up};

use crate::columns::{Columns, plain};
use crate::error::Error;
use crate::hull::{Hull, placed};
use crate::points;
use crate::shapes::Choice;
use crate::system::System;
use crate::table::{Row, Table};

/// How columns make a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// x, y.
    Point,
    /// Least x, least y, greatest x, greatest y.
    Corners,
    /// The two y in either order: in pictures, the top is the lesser.
    Edges,
    /// Least x, least y, width, height.
    CornerAndSize,
    /// Middle x, middle y, width, height.
    CenterAndSize,
    /// Middle x, middle y, radius: the box around a circle.
    Circle,
    /// One column of WKT, of WKB in hexadecimal digits, or of GeoJSON geometries.
    Geometry,
}

/// Common column names, as [`plain`] spells them, the most specific first: a file with corners may also have a center.
/// A file with none of these may have [points](crate::points) or circles.
const KNOWN: &[(Shape, &[&str])] = &[
    (Shape::Corners, &["xmin", "ymin", "xmax", "ymax"]),
    (Shape::Corners, &["minx", "miny", "maxx", "maxy"]),
    (Shape::Corners, &["bboxxmin", "bboxymin", "bboxxmax", "bboxymax"]),
    (Shape::Corners, &["lonmin", "latmin", "lonmax", "latmax"]),
    (Shape::Corners, &["minlon", "minlat", "maxlon", "maxlat"]),
    (Shape::Corners, &["longitudemin", "latitudemin", "longitudemax", "latitudemax"]),
    (Shape::Corners, &["minlongitude", "minlatitude", "maxlongitude", "maxlatitude"]),
    (Shape::Corners, &["west", "south", "east", "north"]),
    (Shape::Edges, &["left", "bottom", "right", "top"]),
    (Shape::Corners, &["x0", "y0", "x1", "y1"]),
    (Shape::Corners, &["x1", "y1", "x2", "y2"]),
    (Shape::Corners, &["lon1", "lat1", "lon2", "lat2"]),
    (Shape::CenterAndSize, &["cx", "cy", "width", "height"]),
    (Shape::CenterAndSize, &["cx", "cy", "w", "h"]),
    (Shape::CenterAndSize, &["centerx", "centery", "width", "height"]),
    (Shape::CenterAndSize, &["xcenter", "ycenter", "width", "height"]),
    (Shape::CenterAndSize, &["xcenter", "ycenter", "w", "h"]),
    (Shape::CornerAndSize, &["x", "y", "width", "height"]),
    (Shape::CornerAndSize, &["x", "y", "w", "h"]),
    (Shape::CornerAndSize, &["left", "top", "width", "height"]),
    (Shape::CornerAndSize, &["xmin", "ymin", "width", "height"]),
    (Shape::CornerAndSize, &["minx", "miny", "width", "height"]),
];

/// Names of columns of geometries, which are used if there are none of the others.
const GEOMETRIES: &[&str] =
    &["wkt", "wktgeometry", "geomwkt", "geometrywkt", "geometry", "thegeom", "geom", "wkb", "wkbgeometry", "geojson"];

/// Which columns make the boxes of a table.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    shape: Shape,
    columns: Vec<usize>,
    /// Whether the box that they make is around a geometry in another column.
    is_covering: bool,
    is_on_globe: bool,
    /// Whether geometries themselves are kept, not only the boxes around them.
    has_geometries: bool,
    /// As the header has it, for people.
    names: String,
}

impl Layout {
    /// The columns that the user has chosen, or the format's own, or those that the header or the number of columns
    /// implies.
    pub(crate) fn of(table: &Table, choice: &Choice) -> Result<Self, String> {
        let is_on_globe = choice.is_on_globe;
        let new = |shape, columns| Self::new(shape, columns, choice, table);
        let own = table.records.own_shape();
        if choice.columns.is_empty() && !own.is_empty() {
            let shape = match own.len() {
                1 => Shape::Geometry,
                2 => Shape::Point,
                _ => Shape::Corners,
            };
            return Ok(new(shape, own.to_vec()));
        }
        let all = table.columns();
        if all.width() == 0 {
            return Ok(new(Shape::Point, Vec::new()));
        }
        let (shape, columns) = match (choice.columns.as_slice(), all.names()) {
            ([], []) => without_header(all)?,
            ([], _) if all.is_guessed() => by_header(all, is_on_globe).or_else(|_| without_header(all))?,
            ([], _) => by_header(all, is_on_globe)?,
            (chosen, _) => by_choice(all, chosen)?,
        };
        if is_on_globe {
            points::check_x(&all.name(columns[0]))?;
        }
        Ok(new(shape, columns))
    }

    fn new(shape: Shape, columns: Vec<usize>, choice: &Choice, table: &Table) -> Self {
        // Features have no other geometry, so no names of columns are needed.
        let names = match table.records.own_shape() {
            [_] if table.records.is_of_features() && columns == table.records.own_shape() => "features".into(),
            _ => columns.iter().map(|column| table.columns().name(*column)).collect::<Vec<_>>().join(", "),
        };
        let Choice { is_on_globe, has_geometries, .. } = *choice;
        let is_covering = table.records.has_covering() && columns == table.records.own_shape();
        Self { shape, columns, is_covering, is_on_globe, has_geometries, names }
    }

    /// The columns, in the order of the shape.
    pub(crate) fn columns(&self) -> &[usize] {
        &self.columns
    }

    /// Names of the columns in messages if there is no header.
    pub(crate) fn labels(&self) -> impl Iterator<Item = (usize, &'static str)> {
        self.columns.iter().copied().zip(self.shape.labels().iter().copied())
    }

    /// Whether every box is a point.
    pub(crate) fn is_points(&self) -> bool {
        self.shape == Shape::Point
    }

    /// Whether rows have geometries, around which their boxes are.
    pub(crate) fn is_geometries(&self) -> bool {
        self.shape == Shape::Geometry || self.is_covering
    }

    /// The box of a row; `None` if the row has none. The geometry itself is kept on request, and the coordinate system that
    /// it names is told.
    pub(crate) fn bounds(
        &self,
        row: &Row<'_>,
        kept: Option<&mut Geometries>,
        named: &mut Option<System>,
    ) -> Result<Option<Aabb<f64>>, Error> {
        if self.shape == Shape::Geometry {
            let column = self.columns[0];
            let hull = Hull::new(self.is_on_globe).keeping(kept).naming(named);
            return if row.is_no_number(column) { Ok(None) } else { row.bounds(column, hull) };
        }
        if self.columns.iter().all(|column| row.is_no_number(*column)) {
            return Ok(None);
        }
        let mut numbers = [0.0; 4];
        for (number, column) in numbers.iter_mut().zip(&self.columns) {
            *number = row.number(*column)?;
        }
        self.of_numbers(numbers).map(Some).map_err(|(at, what)| match at {
            Some(at) => row.error(self.columns[at], what),
            None => row.error_of_all(what),
        })
    }

    /// The box that some numbers make; or which of them is wrong (`None`: all together), and why.
    fn of_numbers(&self, mut numbers: [f64; 4]) -> Result<Aabb<f64>, (Option<usize>, String)> {
        if self.is_on_globe && matches!(self.shape, Shape::Corners | Shape::Edges) && numbers[0] > numbers[2] {
            // West of the antimeridian to east of it (RFC 7946, 5.2).
            if numbers[0] > 180.0 {
                numbers[0] -= TURN;
            } else {
                numbers[2] = moved_up(numbers[2], TURN);
            }
        }
        let has_size = matches!(self.shape, Shape::CornerAndSize | Shape::CenterAndSize | Shape::Circle);
        match (2..self.columns.len()).find(|at| has_size && numbers[*at] < 0.0) {
            Some(at) => Err((Some(at), "is negative".into())),
            None => {
                let bounds = self.shape.bounds(numbers).check().map_err(|error| error.to_string());
                bounds.and_then(|bounds| placed(bounds, self.is_on_globe))
            }
            .map_err(|what| (None, what)),
        }
    }
}

impl Shape {
    fn bounds(self, [a, b, c, d]: [f64; 4]) -> Aabb<f64> {
        match self {
            Self::Point | Self::Geometry => Aabb::new([a, b], [a, b]),
            Self::Corners => Aabb::new([a, b], [c, d]),
            Self::Edges => Aabb::new([a, b.min(d)], [c, b.max(d)]),
            Self::CornerAndSize => Aabb::new([a, b], [a + c, b + d]),
            Self::CenterAndSize => Aabb::new([a - c / 2.0, b - d / 2.0], [a + c / 2.0, b + d / 2.0]),
            Self::Circle => Aabb::new([a - c, b - c], [a + c, b + c]),
        }
    }

    /// What messages call the columns of a file without a header.
    fn labels(self) -> &'static [&'static str] {
        match self {
            Self::Point => &["x", "y"],
            Self::Corners | Self::Edges => &["xmin", "ymin", "xmax", "ymax"],
            Self::CornerAndSize => &["x", "y", "width", "height"],
            Self::CenterAndSize => &["cx", "cy", "width", "height"],
            Self::Circle => &["cx", "cy", "radius"],
            Self::Geometry => &["geometry"],
        }
    }
}

fn without_header(all: &Columns) -> Result<(Shape, Vec<usize>), String> {
    match all.width() {
        2 => Ok((Shape::Point, vec![0, 1])),
        4 => Ok((Shape::Corners, vec![0, 1, 2, 3])),
        _ => {
            let expected = "expected xmin,ymin,xmax,ymax or x,y; choose some with --columns, such as --columns 2,3";
            Err(format!("{} without a header; {expected}", all.count()))
        }
    }
}

/// What the header names: boxes, geometries, circles or points, each by a name that one column has. On the globe, degrees
/// take precedence.
fn by_header(all: &Columns, is_on_globe: bool) -> Result<(Shape, Vec<usize>), String> {
    let find = |names: &[&str]| names.iter().map(|name| all.find(&[name])).collect::<Option<Vec<_>>>();
    let has_degrees = points::find(all, &[points::DEGREES]).is_some();
    let is_meant = |columns: &[usize]| !(is_on_globe && has_degrees && points::is_plane(&all.name(columns[0])));
    let mut known = KNOWN.iter().filter_map(|(shape, names)| Some((*shape, find(names)?)));
    let known = known.find(|(_, columns)| is_meant(columns)).or_else(|| Some((Shape::Geometry, vec![geometry(all)?])));
    let known = known.map_or_else(|| points_or_circles(all, is_on_globe), Ok)?;
    known.1.iter().try_for_each(|column| all.only(*column).map(drop))?;
    Ok(known)
}

fn points_or_circles(all: &Columns, is_on_globe: bool) -> Result<(Shape, Vec<usize>), String> {
    let has_degrees = points::find(all, &[points::DEGREES]).is_some();
    let order = if is_on_globe { [points::DEGREES, points::PLANE] } else { [points::PLANE, points::DEGREES] };
    let none = || {
        format!(
            "no usable columns (such as xmin,ymin,xmax,ymax or x,y) among {}; choose some with --columns",
            all.list()
        )
    };
    let [x, y] = points::find(all, &order).ok_or_else(none)?;
    let Some(radius) = radius(all) else { return Ok((Shape::Point, vec![x, y])) };
    if is_on_globe && has_degrees {
        let [x, y, radius] = [x, y, radius].map(|column| all.name(column));
        let what = "may be in degrees or in meters";
        return Err(format!(
            "{radius} {what}: --columns {x},{y} takes points, --columns {x},{y},{radius} circles in degrees"
        ));
    }
    Ok((Shape::Circle, vec![x, y, radius]))
}

/// The column of geometries, by its name.
pub(crate) fn geometry(all: &Columns) -> Option<usize> {
    all.find(GEOMETRIES)
}

/// The column of radii. `r` beside `g` and `b` is red.
fn radius(all: &Columns) -> Option<usize> {
    all.find(&["radius"])
        .or_else(|| all.find(&["r"]).filter(|_| all.find(&["g"]).is_none() || all.find(&["b"]).is_none()))
}

/// One column of geometries, two of points, three of circles, four of corners, or of corner and size if named so.
fn by_choice(all: &Columns, chosen: &[String]) -> Result<(Shape, Vec<usize>), String> {
    let columns = chosen.iter().map(|name| all.column(name)).collect::<Result<Vec<_>, _>>()?;
    let name = |at: usize| columns.get(at).and_then(|column| all.names().get(*column)).map(|name| plain(name));
    let has = |at: usize, words: &[&str]| name(at).is_some_and(|name| words.iter().any(|word| name.contains(word)));
    let is_size = (has(2, &["width"]) || name(2).as_deref() == Some("w"))
        && (has(3, &["height"]) || name(3).as_deref() == Some("h"));
    let shape = match columns.len() {
        1 => Shape::Geometry,
        2 => Shape::Point,
        3 => Shape::Circle,
        _ if is_size && (has(0, &["cent", "cx", "mid"])) => Shape::CenterAndSize,
        _ if is_size => Shape::CornerAndSize,
        _ => Shape::Corners,
    };
    Ok((shape, columns))
}

impl fmt::Display for Layout {
    /// Which columns were used for what: `points from lon, lat`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.shape {
            _ if self.columns.is_empty() => return f.write_str("no columns"),
            Shape::Point => "points from",
            Shape::Corners if self.is_covering => "bounding boxes from",
            Shape::Corners | Shape::Edges => "corners from",
            Shape::CornerAndSize => "lower corners and sizes from",
            Shape::CenterAndSize => "centers and sizes from",
            Shape::Circle => "centers and radii from",
            Shape::Geometry if self.has_geometries => "shapes of",
            Shape::Geometry => "bounding boxes of",
        };
        write!(f, "{what} {}", self.names)
    }
}
