//! Geometries in well-known text: *OpenGIS Simple Features, Part 1* (OGC 06-103r4, 2011), and what programs write beside
//! it: heights without a `Z`, points of a `MULTIPOINT` with or without parentheses, `EMPTY` in place of any part, PostGIS's
//! `SRID=4326;` before it.

use quadrille::Aabb;
use quadrille_shapes::{Part, Taker};

use crate::error::quote;
use crate::hull::Hull;

/// Kinds of geometries, and what they consist of.
const KINDS: [(&str, Kind); 11] = [
    ("POINT", Kind::Positions(Part::Point)),
    ("LINESTRING", Kind::Positions(Part::Line)),
    ("LINEARRING", Kind::Positions(Part::Line)),
    ("POLYGON", Kind::Rings),
    ("TRIANGLE", Kind::Rings),
    ("MULTIPOINT", Kind::Points),
    ("MULTILINESTRING", Kind::Lines),
    ("MULTIPOLYGON", Kind::Polygons { may_overlap: false }),
    // A surface folds, so that seen from above its faces may overlap.
    ("TIN", Kind::Polygons { may_overlap: true }),
    ("POLYHEDRALSURFACE", Kind::Polygons { may_overlap: true }),
    ("GEOMETRYCOLLECTION", Kind::Collection),
];

/// Kinds that are not read.
const CURVES: [&str; 5] = ["CIRCULARSTRING", "COMPOUNDCURVE", "CURVEPOLYGON", "MULTICURVE", "MULTISURFACE"];

#[derive(Clone, Copy)]
enum Kind {
    Positions(Part),
    Rings,
    Points,
    Lines,
    Polygons { may_overlap: bool },
    Collection,
}

/// Marks of heights and measures, and the numbers that a position then has.
const MARKS: [(&str, usize); 3] = [("ZM", 4), ("Z", 3), ("M", 3)];

/// The deepest nesting of collections that is read. Real files have at most two levels.
const MAX_DEPTH: u32 = 32;

/// The bounding box of a geometry; `None` if it is empty.
pub(crate) fn bounds(text: &str, mut hull: Hull<'_>) -> Result<Option<Aabb<f64>>, String> {
    let mut reader = Reader { rest: text, numbers: None, hull: &mut hull };
    let read = reader.whole();
    let at = text.len() - reader.rest.len();
    match read {
        Ok(()) => hull.finish(),
        Err(Fault::NotRead(what)) => Err(what),
        Err(Fault::Expected(what)) => {
            let rest: String = text[at..].chars().take(20).collect();
            let found = if rest.is_empty() { "the end".into() } else { quote(rest.as_bytes()) };
            let at = text[..at].chars().count();
            Err(format!("is not WKT: expected {what}, found {found}, after {at} characters"))
        }
    }
}

/// Whether a word begins a geometry.
pub(crate) fn is_kind(word: &str) -> bool {
    kind(word).is_some() || is_curve(word)
}

/// A kind of geometry, and how many numbers a position has by the marks at the word's end.
fn kind(word: &str) -> Option<(Kind, Option<usize>)> {
    let named = |word: &str| Some(KINDS.iter().find(|(name, _)| word.eq_ignore_ascii_case(name))?.1);
    let with = |(mark, numbers): (&str, usize)| {
        let (name, end) = word.split_at_checked(word.len().checked_sub(mark.len())?)?;
        Some((named(name)?, Some(numbers).filter(|_| end.eq_ignore_ascii_case(mark))?))
    };
    let plain = named(word).map(|kind| (kind, None));
    plain.or_else(|| MARKS.into_iter().find_map(with).map(|(kind, numbers)| (kind, Some(numbers))))
}

fn is_curve(word: &str) -> bool {
    CURVES.iter().any(|name| word.get(..name.len()).is_some_and(|word| word.eq_ignore_ascii_case(name)))
}

/// Why a text cannot be read.
enum Fault {
    /// Something else is expected where the reader is.
    Expected(&'static str),
    /// It is of a kind that is not read.
    NotRead(String),
}

struct Reader<'a, 'b, 'c> {
    rest: &'a str,
    /// Numbers of a position, as soon as it is known.
    numbers: Option<usize>,
    hull: &'b mut Hull<'c>,
}

impl<'a> Reader<'a, '_, '_> {
    fn whole(&mut self) -> Result<(), Fault> {
        self.system()?;
        self.geometry(0)?;
        self.skip_blanks();
        if self.rest.is_empty() { Ok(()) } else { Err(Fault::Expected("the end")) }
    }

    /// PostGIS's prefix: an EPSG code, or 0 for none.
    fn system(&mut self) -> Result<(), Fault> {
        let Some((system, rest)) = self.rest.split_once(';') else { return Ok(()) };
        let (name, number) = system.split_once('=').unwrap_or_default();
        let number = number.trim().parse().ok().filter(|_| name.trim().eq_ignore_ascii_case("SRID"));
        self.hull.system(number.ok_or(Fault::Expected("SRID=NUMBER before the semicolon"))?);
        self.rest = rest;
        Ok(())
    }

    fn geometry(&mut self, depth: u32) -> Result<(), Fault> {
        if depth > MAX_DEPTH {
            return Err(Fault::NotRead("is not valid WKT: collections in collections, too many of them".into()));
        }
        let kind = self.kind()?;
        match kind {
            Kind::Positions(part) => self.part(part),
            Kind::Rings => self.polygon(),
            Kind::Points => self.all(Self::point),
            Kind::Lines => self.all(|reader| reader.part(Part::Line)),
            Kind::Polygons { may_overlap } => {
                if may_overlap {
                    self.hull.collection();
                }
                self.all(Self::polygon)
            }
            Kind::Collection => {
                self.hull.collection();
                self.all(|reader| reader.geometry(depth + 1))
            }
        }
    }

    /// The kind of the next geometry, with the marks of heights and measures.
    fn kind(&mut self) -> Result<Kind, Fault> {
        let before = self.rest;
        let word = self.word();
        if is_curve(word) {
            return Err(Fault::NotRead(format!("is a {word}, which is not read: make curves straight first")));
        }
        let Some((kind, numbers)) = kind(word) else {
            self.rest = before;
            return Err(Fault::Expected("POINT, LINESTRING, POLYGON or such"));
        };
        let before = self.rest;
        let word = self.word();
        let mark = MARKS.iter().find(|(mark, _)| word.eq_ignore_ascii_case(mark));
        if mark.is_none() {
            self.rest = before;
        }
        self.numbers = numbers.or(mark.map(|(_, numbers)| *numbers));
        Ok(kind)
    }

    /// Rings: the shell, then holes.
    fn polygon(&mut self) -> Result<(), Fault> {
        let mut part = Part::Shell;
        self.all(|reader| reader.part(std::mem::replace(&mut part, Part::Hole)))
    }

    /// A point of several, with or without parentheses.
    fn point(&mut self) -> Result<(), Fault> {
        self.skip_blanks();
        if self.rest.starts_with(['(', 'E', 'e']) {
            return self.part(Part::Point);
        }
        self.hull.part(Part::Point);
        self.position()
    }

    fn part(&mut self, part: Part) -> Result<(), Fault> {
        self.hull.part(part);
        let mut count = 0;
        self.all(|reader| {
            count += 1;
            if part == Part::Point && count > 1 { Err(Fault::Expected(")")) } else { reader.position() }
        })
    }

    /// `EMPTY`, or whatever `each` reads, in parentheses and with commas between.
    fn all(&mut self, mut each: impl FnMut(&mut Self) -> Result<(), Fault>) -> Result<(), Fault> {
        let before = self.rest;
        if self.word().eq_ignore_ascii_case("EMPTY") {
            return Ok(());
        }
        self.rest = before;
        self.take('(').ok_or(Fault::Expected("( or EMPTY"))?;
        loop {
            each(self)?;
            if self.take(',').is_none() {
                return self.take(')').ok_or(Fault::Expected(", or )"));
            }
        }
    }

    /// Two to four numbers, the same count in every position; those after the second are left out.
    fn position(&mut self) -> Result<(), Fault> {
        let (x, y) = (self.number()?, self.number()?);
        let mut count = 2;
        while !self.ends() && count < 4 {
            self.number()?;
            count += 1;
        }
        if *self.numbers.get_or_insert(count) != count {
            return Err(Fault::Expected("a position of as many numbers as the others"));
        }
        self.hull.vertex(x, y);
        Ok(())
    }

    fn ends(&mut self) -> bool {
        self.skip_blanks();
        self.rest.is_empty() || self.rest.starts_with([',', ')'])
    }

    fn number(&mut self) -> Result<f64, Fault> {
        self.skip_blanks();
        let end = self.rest.find(|character: char| character.is_whitespace() || ",()".contains(character));
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        let number = word.parse().map_err(|_| Fault::Expected("a number"))?;
        self.rest = rest;
        Ok(number)
    }

    fn word(&mut self) -> &'a str {
        self.skip_blanks();
        let end = self.rest.find(|character: char| !character.is_ascii_alphabetic());
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        word
    }

    fn take(&mut self, sign: char) -> Option<()> {
        self.skip_blanks();
        self.rest = self.rest.strip_prefix(sign)?;
        Some(())
    }

    fn skip_blanks(&mut self) {
        self.rest = self.rest.trim_start();
    }
}

#[cfg(test)]
mod tests {
    use quadrille_shapes::Geometries;

    use super::*;

    /// The parts, as their first letters, and positions; or the message.
    fn read(text: &str) -> Result<String, String> {
        let mut all = Geometries::new();
        let found = bounds(text, Hull::new(false).keeping(Some(&mut all)))?;
        assert_eq!((found, all.len()), (all.boxes().first().copied(), usize::from(found.is_some())), "{text}");
        let number = 0..all.len() as u32;
        let parts =
            number.flat_map(|number| all.parts(number).map(|(part, at)| format!("{part:?}{at:?}")).collect::<Vec<_>>());
        Ok(parts.collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn spellings_of_programs_are_read_alike() {
        let same: [(&str, &[&str]); 7] = [
            (
                "Point[[1.0, 2.0]]",
                &[
                    "POINT(1 2)",
                    " point ( 1  2 ) ",
                    "POINT Z(1 2 3)",
                    "POINTZ (1 2 3)",
                    "POINT M (1 2 3)",
                    "POINT ZM(1 2 3 4)",
                    "POINT(1 2 3)",
                    "POINT(1 2 3 4)",
                    "POINT Z (1 2 NaN)",
                    "SRID=4326;POINT(1 2)",
                    "srid = 0 ; POINT(1 2)",
                    "POINT(+1e0 2.)",
                    "MULTIPOINT(1 2,EMPTY)",
                    "MULTIPOINT(EMPTY,(1 2))",
                    "MULTIPOINT Z((1 2 3))",
                    "GEOMETRYCOLLECTION(POINT(1 2),POINT EMPTY,LINESTRING EMPTY)",
                    "MULTIPOINT(1 2, nan nan)",
                    "GEOMETRYCOLLECTION(GEOMETRYCOLLECTION EMPTY,POINT Z(1 2 3))",
                    "\tPOINT\n(1 2)",
                ],
            ),
            (
                "",
                &[
                    "POINT EMPTY", "POINT Z EMPTY", "POINTM EMPTY", "point empty", "MULTIPOINT EMPTY",
                    "MULTIPOINT(EMPTY,EMPTY)", "POLYGON EMPTY", "POLYGON(EMPTY)", "MULTIPOLYGON(EMPTY,EMPTY)",
                    "GEOMETRYCOLLECTION EMPTY", "TIN EMPTY", "POINT(NaN NaN)",
                ],
            ),
            (
                "Line[[1.0, 2.0], [3.0, 4.0]]",
                &[
                    "LINESTRING(1 2,3 4)", "LINESTRING(1 2 0,3 4 0)", "LINESTRING Z (1 2 NaN, 3 4 NaN)",
                    "MULTILINESTRING(EMPTY,(1 2,3 4))", "MULTILINESTRING ZM ((1 2 0 0,3 4 0 0))",
                    "LINEARRING (1 2, 3 4)",
                ],
            ),
            (
                "Shell[[0.0, 0.0], [9.0, 0.0], [9.0, 9.0], [0.0, 0.0]]",
                &[
                    "POLYGON((0 0,9 0,9 9,0 0))",
                    "TRIANGLE((0 0,9 0,9 9,0 0))",
                    "TRIANGLE Z((0 0 1,9 0 1,9 9 1,0 0 1))",
                    "TIN(((0 0,9 0,9 9,0 0)))",
                    "POLYHEDRALSURFACE Z(((0 0 1,9 0 1,9 9 1,0 0 1)))",
                    "MULTIPOLYGON(EMPTY,((0 0,9 0,9 9,0 0)))",
                    "GEOMETRYCOLLECTION(POLYGON((0 0,9 0,9 9,0 0)))",
                ],
            ),
            (
                "Point[[1.0, 2.0]] Point[[3.0, 4.0]]",
                &["MULTIPOINT(1 2,3 4)", "MULTIPOINT((1 2),(3 4))", "MULTIPOINT(1 2 0,(3 4 0))"],
            ),
            ("Line[[1.0, 2.0], [3.0, 4.0]] Line[[5.0, 6.0], [7.0, 8.0]]", &["MULTILINESTRING((1 2,3 4),(5 6,7 8))"]),
            (
                "Shell[[0.0, 0.0], [9.0, 0.0], [9.0, 9.0], [0.0, 0.0]] Hole[[6.0, 2.0], [7.0, 3.0], [7.0, 2.0], [6.0, 2.0]]",
                &["POLYGON((0 0,9 0,9 9,0 0),(6 2,7 2,7 3,6 2))", "POLYGON((0 0,9 0,9 9,0 0),EMPTY,(6 2,7 2,7 3,6 2))"],
            ),
        ];
        for (expected, texts) in same {
            for text in texts {
                assert_eq!(read(text).as_deref(), Ok(expected), "{text}");
            }
        }
    }

    #[test]
    fn what_is_no_geometry_is_told_with_the_place() {
        for (text, what) in [
            ("CIRCULARSTRING(0 0,1 1,2 0)", "is a CIRCULARSTRING, which is not read"),
            ("MultiSurface Z (((0 0 0)))", "is a MultiSurface, which"),
            ("GEOMETRYCOLLECTION(POINT(1 2),COMPOUNDCURVEZ EMPTY)", "is a COMPOUNDCURVEZ, which"),
            ("POINT(1)", "expected a number, found \")\", after 7 characters"),
            ("POINT(1 2", "expected , or ), found the end, after 9"),
            ("POINT(1 2,3 4)", "expected ), found"),
            ("POINT(1 2 3 4 5)", "expected , or ), found \"5)\""),
            ("POINT Z (1 2)", "as many numbers as the others"),
            ("LINESTRING(0 0 1 1,2 2)", "as many numbers as the others"),
            ("LINESTRING(1 2,3 4", "found the end"),
            ("POINT(1 2)) ", "expected the end, found \")"),
            ("POINT(one 2)", "expected a number, found \"one 2)\", after 6"),
            ("PUNKT(1 2)", "expected POINT, LINESTRING, POLYGON or such, found \"PUNKT(1 2)\", after 0"),
            ("", "found the end"),
            ("4326;POINT(1 2)", "SRID=NUMBER"),
            ("POINT(NaN 2)", "NaN"),
            ("LINESTRING(1 2,NaN NaN)", "NaN"),
            ("POLYGON(0 0,1 1,1 0,0 0)", "expected ( or EMPTY, found"),
        ] {
            let refused = read(text).unwrap_err();
            assert!(refused.contains(what), "{text}: {refused}");
        }
    }
}
