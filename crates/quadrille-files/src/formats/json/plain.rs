//! Features as in nearly all files, read in one pass: coordinates are parsed in place, and properties are only located.
//!
//! Anything else is left to the complete JSON parser, whether one feature's geometry or all features from one on. That
//! parser also reports the errors. Both must read the same: a test compares them.

use std::iter;
use std::ops::Range;

use quadrille::Aabb;
use quadrille_shapes::Part;

use super::cursor::Cursor;
use crate::hull::{self, Hull};

/// Where the features of a collection begin, if what precedes them is plain: its type, and perhaps the system of its
/// coordinates, which is returned too.
pub(super) fn begin(text: &str) -> Option<(usize, Option<Range<usize>>)> {
    let mut cursor = Cursor::new(text, 0);
    let (mut is_collection, mut system) = (false, None);
    cursor.take(b'{')?;
    loop {
        let name = cursor.name()?;
        cursor.take(b':')?;
        match name {
            "features" => break,
            "type" if !is_collection => is_collection = cursor.name()? == "FeatureCollection",
            "crs" if system.is_none() => system = Some(cursor.skip()?),
            "type" | "crs" | "geometry" | "properties" | "id" => return None,
            _ => {
                cursor.skip()?;
            }
        }
        cursor.take(b',')?;
    }
    cursor.take(b'[')?;
    // The coordinate system would be known too late for the first features.
    (is_collection && !text[cursor.at()..].contains("\"crs\"")).then_some((cursor.at(), system))
}

/// What follows where a feature may begin.
pub(super) enum Next {
    Feature,
    /// The collection has ended, and the text with it.
    End,
}

/// Skips what is between features.
pub(super) fn next(cursor: &mut Cursor<'_>, is_first: bool) -> Option<Next> {
    if cursor.takes(b']') {
        cursor.take(b'}')?;
        return cursor.peek().is_none().then_some(Next::End);
    }
    if !is_first {
        cursor.take(b',')?;
    }
    (cursor.peek()? == b'{').then_some(Next::Feature)
}

/// Visits all features from here on, without their coordinates.
pub(super) fn visit(cursor: &mut Cursor<'_>, mut each: impl FnMut(Feature)) -> Option<()> {
    let mut is_first = true;
    while let Next::Feature = next(cursor, is_first)? {
        each(Feature::read(cursor, None)?.0);
        is_first = false;
    }
    Some(())
}

/// Where the parts of a feature are.
#[derive(Default)]
pub(super) struct Feature {
    pub(super) geometry: Option<Range<usize>>,
    pub(super) properties: Option<Range<usize>>,
    pub(super) id: Option<Range<usize>>,
}

impl Feature {
    /// Reads a feature. Puts its coordinates in `points`, if given, and returns whether they were plain.
    pub(super) fn read(cursor: &mut Cursor<'_>, mut points: Option<&mut Points>) -> Option<(Self, bool)> {
        let (mut feature, mut is_feature, mut is_plain, mut seen) = (Self::default(), false, false, [false; 3]);
        cursor.members(|cursor, name| {
            let part = match name {
                "type" if !is_feature => {
                    is_feature = true;
                    return (cursor.name()? == "Feature").then_some(());
                }
                "geometry" => 0,
                "properties" => 1,
                "id" => 2,
                "type" | "features" | "crs" => return None,
                _ => return cursor.skip().map(drop),
            };
            if std::mem::replace(&mut seen[part], true) {
                return None;
            }
            let is_null = cursor.peek()? == b'n';
            let range = match &mut points {
                Some(points) if part == 0 && !is_null => {
                    let mut ahead = cursor.clone();
                    is_plain = points.read(&mut ahead).is_some();
                    if is_plain {
                        let range = cursor.at()..ahead.at();
                        *cursor = ahead;
                        range
                    } else {
                        cursor.skip()?
                    }
                }
                _ => cursor.skip()?,
            };
            let range = Some(range).filter(|_| !is_null);
            match part {
                0 => feature.geometry = range,
                1 => feature.properties = range,
                _ => feature.id = range,
            }
            Some(())
        })?;
        is_feature.then_some((feature, is_plain))
    }
}

/// The positions of a geometry, and the lines, rings and points that they make.
#[derive(Default)]
pub(super) struct Points {
    all: Vec<[f64; 2]>,
    /// Where each ends in `all`.
    parts: Vec<(Part, usize)>,
}

/// The kind of geometry that the coordinates belong to.
#[derive(Clone, Copy)]
enum Kind {
    Point,
    Points,
    Line,
    Lines,
    Polygon,
    Polygons,
}

impl Points {
    fn read(&mut self, cursor: &mut Cursor<'_>) -> Option<()> {
        self.all.clear();
        self.parts.clear();
        let (mut kind, mut later, mut is_read) = (None, None, false);
        cursor.members(|cursor, name| match (name, kind) {
            ("type", None) => {
                kind = Some(match cursor.name()? {
                    "Point" => Kind::Point,
                    "MultiPoint" => Kind::Points,
                    "LineString" => Kind::Line,
                    "MultiLineString" => Kind::Lines,
                    "Polygon" => Kind::Polygon,
                    "MultiPolygon" => Kind::Polygons,
                    _ => return None,
                });
                Some(())
            }
            ("coordinates", Some(kind)) if !is_read && later.is_none() => {
                is_read = true;
                self.coordinates(cursor, kind)
            }
            ("coordinates", None) if later.is_none() => {
                later = Some(cursor.clone());
                cursor.skip().map(drop)
            }
            _ => None,
        })?;
        match later {
            Some(mut cursor) => self.coordinates(&mut cursor, kind?),
            None => is_read.then_some(()),
        }
    }

    fn coordinates(&mut self, cursor: &mut Cursor<'_>, kind: Kind) -> Option<()> {
        match kind {
            Kind::Point => self.point(cursor),
            Kind::Points => cursor.elements(|cursor| self.point(cursor)),
            Kind::Line => self.positions(cursor, Part::Line),
            Kind::Lines => cursor.elements(|cursor| self.positions(cursor, Part::Line)),
            Kind::Polygon => self.polygon(cursor),
            Kind::Polygons => cursor.elements(|cursor| self.polygon(cursor)),
        }
    }

    fn polygon(&mut self, cursor: &mut Cursor<'_>) -> Option<()> {
        let mut parts = iter::once(Part::Shell).chain(iter::repeat(Part::Hole));
        cursor.elements(|cursor| self.positions(cursor, parts.next()?))
    }

    fn point(&mut self, cursor: &mut Cursor<'_>) -> Option<()> {
        self.position(cursor)?;
        self.parts.push((Part::Point, self.all.len()));
        Some(())
    }

    fn positions(&mut self, cursor: &mut Cursor<'_>, part: Part) -> Option<()> {
        cursor.elements(|cursor| self.position(cursor))?;
        self.parts.push((part, self.all.len()));
        Some(())
    }

    /// Two numbers or more; all but two are ignored.
    #[inline]
    fn position(&mut self, cursor: &mut Cursor<'_>) -> Option<()> {
        cursor.take(b'[')?;
        let x = cursor.number()?;
        cursor.take(b',')?;
        let y = cursor.number()?;
        while cursor.takes(b',') {
            cursor.number()?;
        }
        self.all.push([x, y]);
        cursor.take(b']')
    }
}

impl hull::Geometry for Points {
    fn bounds(&self, mut hull: Hull<'_>) -> Result<Option<Aabb<f64>>, String> {
        let mut start = 0;
        for (part, end) in &self.parts {
            hull.begin_part(*part);
            self.all[start..*end].iter().for_each(|[x, y]| hull.add(*x, *y));
            start = *end;
        }
        hull.finish()
    }
}
