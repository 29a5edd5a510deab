//! The questions of the XML test suites of JTS and GEOS, where these are at hand: `QUADRILLE_SUITES` names a folder.
//!
//! In a suite a case has geometries `a` and `b`, and tests: an operation on the two, and what it gives.

use std::iter::Peekable;
use std::path::{Path, PathBuf};
use std::str::SplitWhitespace;
use std::{env, fs, io};

use quadrille_shapes::{Fault, Geometries, Part, Predicate, distance, is_within, relate};
use roxmltree::{Document, Node};

/// Questions that are answered otherwise: how the description of their case begins, and the operation.
const OTHERWISE: [(&str, &str); 3] = [
    // Written in decimals, the point (0.95, 0.05) is on the edge from (1, 0) to (0, 1); the `f64` nearest to these add up
    // to less than 1, so that it is inside. GEOS keeps this case among its failures.
    ("A/P - Point is on boundary of polygon.", "contains"),
    // The polygon is not valid: its two parts share an edge.
    ("LC - intersection (containment) along mod-2 A-Int line segment", "relate"),
    // A line of no length is a point, equal to the point there. GEOS expects this; JTS does not, though it expects the
    // same matrix.
    ("P/L-2: a point and a zero-length line", "equalsTopo"),
];

/// What an operation tests.
enum Question {
    Holds(Predicate),
    /// Whether the matrix is like this pattern.
    IsLike(String),
    Distance,
    IsWithin(f64),
}

impl Question {
    /// `None`: it tests something else, or other shapes.
    fn of(operation: Node<'_, '_>) -> Option<Self> {
        let last = operation.attribute("arg3");
        match operation.attribute("name")?.to_lowercase().as_str() {
            "relate" => Some(Self::IsLike(last?.into())),
            "distance" => Some(Self::Distance),
            "iswithindistance" => Some(Self::IsWithin(last?.parse().ok()?)),
            "equalstopo" => Some(Self::Holds(Predicate::Equals)),
            name => name.parse().ok().map(Self::Holds),
        }
    }

    /// Whether the answer is the expected one.
    fn is_answered(&self, a: &Geometries, b: &Geometries, expected: &str) -> Result<bool, Fault> {
        let found = match self {
            Self::Holds(predicate) => predicate.holds(a, 0, b, 0)?,
            Self::IsLike(pattern) => is_like(&relate(a, 0, b, 0)?.to_string(), pattern),
            Self::IsWithin(most) => is_within(a, 0, b, 0, *most),
            Self::Distance => return Ok(is_near(distance(a, 0, b, 0), expected)),
        };
        Ok(found.to_string() == expected.to_lowercase())
    }
}

fn is_like(matrix: &str, pattern: &str) -> bool {
    let fits = |(cell, wanted)| wanted == '*' || wanted == 'T' && cell != 'F' || wanted == cell;
    matrix.len() == pattern.len() && matrix.chars().zip(pattern.chars()).all(fits)
}

fn is_near(found: f64, expected: &str) -> bool {
    expected.parse().is_ok_and(|expected: f64| (found - expected).abs() <= 1e-14 * expected)
}

/// How many questions were answered, and how.
#[derive(Debug, Default)]
struct Counts {
    right: usize,
    /// About collections of different things, or of several polygons.
    refused: usize,
    /// About something empty, which has no number.
    empty: usize,
    /// As `OTHERWISE` says.
    otherwise: usize,
    wrong: Vec<String>,
}

impl Counts {
    /// Runs the tests of a suite.
    fn ask(&mut self, suite: &str, name: &str) {
        let suite = Document::parse(suite).unwrap_or_else(|error| panic!("{name}: {error}"));
        for case in suite.descendants().filter(|node| node.has_tag_name("case")) {
            for operation in case.descendants().filter(|node| node.has_tag_name("op")) {
                if let Some(question) = Question::of(operation) {
                    self.count(case, operation, &question, name);
                }
            }
        }
    }

    fn count(&mut self, case: Node<'_, '_>, operation: Node<'_, '_>, question: &Question, name: &str) {
        let [a, b] = ["arg1", "arg2"].map(|argument| read(geometry_of(case, operation.attribute(argument))));
        if a.is_empty() || b.is_empty() {
            self.empty += 1;
            return;
        }
        match question.is_answered(&a, &b, text_of(operation)) {
            Ok(true) => self.right += 1,
            Err(Fault::Mixed(_)) => self.refused += 1,
            _ if is_otherwise(case, operation) => self.otherwise += 1,
            found => self.wrong.push(format!("{name}: {}: {}: {found:?}", description(case), asked(operation))),
        }
    }
}

fn is_otherwise(case: Node<'_, '_>, operation: Node<'_, '_>) -> bool {
    let is_it = |(what, asked)| description(case).starts_with(what) && operation.attribute("name") == Some(asked);
    OTHERWISE.into_iter().any(is_it)
}

fn description<'a>(case: Node<'a, 'a>) -> &'a str {
    child(case, "desc").map_or("", text_of)
}

/// An operation with its arguments and what is expected.
fn asked(operation: Node<'_, '_>) -> String {
    let words: Vec<_> = operation.attributes().map(|attribute| attribute.value()).collect();
    format!("{} is {}", words.join(" "), text_of(operation))
}

fn child<'a>(node: Node<'a, 'a>, tag: &str) -> Option<Node<'a, 'a>> {
    node.children().find(|child| child.has_tag_name(tag))
}

fn text_of<'a>(node: Node<'a, '_>) -> &'a str {
    node.text().unwrap_or_default().trim()
}

fn geometry_of<'a>(case: Node<'a, 'a>, letter: Option<&str>) -> &'a str {
    letter.and_then(|letter| child(case, &letter.to_lowercase())).map_or("", text_of)
}

/// A geometry in a set of its own, which is empty if the geometry is.
fn read(text: &str) -> Geometries {
    let mut all = Geometries::new();
    let given = if text.starts_with('0') { push_hex(&mut all, text) } else { push_wkt(&mut all, text) };
    given.unwrap_or_else(|what| panic!("{text} {what}"));
    all
}

fn push_hex(all: &mut Geometries, text: &str) -> Result<bool, String> {
    let byte = |two| u8::from_str_radix(std::str::from_utf8(two).ok()?, 16).ok();
    let bytes: Option<Vec<u8>> = text.as_bytes().chunks(2).map(byte).collect();
    all.push_wkb(&bytes.ok_or("is no hexadecimal number")?)
}

fn push_wkt(all: &mut Geometries, text: &str) -> Result<bool, String> {
    let spaced = text.replace('(', " ( ").replace(')', " ) ").replace(',', " , ");
    let mut words = spaced.split_whitespace().peekable();
    match (geometry(&mut words, all), words.next()) {
        (Some(()), None) => all.finish().map_err(|fault| fault.to_string()),
        _ => Err("is no WKT".into()),
    }
}

type Words<'a> = Peekable<SplitWhitespace<'a>>;

fn geometry(words: &mut Words<'_>, all: &mut Geometries) -> Option<()> {
    match words.next()?.to_uppercase().as_str() {
        "POINT" | "MULTIPOINT" => group(words, all, Part::Point),
        "LINESTRING" | "LINEARRING" | "MULTILINESTRING" => group(words, all, Part::Line),
        "POLYGON" => group(words, all, Part::Shell),
        "MULTIPOLYGON" => list(words, |words, _| group(words, all, Part::Shell)),
        "GEOMETRYCOLLECTION" => {
            all.collection();
            list(words, |words, _| geometry(words, all))
        }
        _ => None,
    }
}

/// Positions, or groups of them; all rings of a polygon but the first are holes.
fn group(words: &mut Words<'_>, all: &mut Geometries, part: Part) -> Option<()> {
    list(words, |words, number| match *words.peek()? {
        "(" | "EMPTY" if part == Part::Shell && number > 0 => group(words, all, Part::Hole),
        "(" | "EMPTY" => group(words, all, part),
        _ => {
            if number == 0 || part == Part::Point {
                all.part(part);
            }
            let mut coordinate = || words.next()?.parse().ok();
            all.vertex(coordinate()?, coordinate()?);
            Some(())
        }
    })
}

/// `EMPTY`, or members in parentheses, by number from 0.
fn list<'a>(words: &mut Words<'a>, mut member: impl FnMut(&mut Words<'a>, usize) -> Option<()>) -> Option<()> {
    match words.next()? {
        "EMPTY" => return Some(()),
        "(" => {}
        _ => return None,
    }
    for number in 0.. {
        member(words, number)?;
        match words.next()? {
            "," => {}
            ")" => return Some(()),
            _ => return None,
        }
    }
    None
}

/// All files in a folder, and in those in it, whose names end in `.xml`.
fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut all = Vec::new();
    for file in fs::read_dir(folder)? {
        let file = file?.path();
        if file.is_dir() {
            all.extend(files(&file)?);
        } else if file.extension().is_some_and(|extension| extension == "xml") {
            all.push(file);
        }
    }
    Ok(all)
}

#[test]
fn questions_of_suites_are_answered_as_these_expect() {
    let Some(folder) = env::var_os("QUADRILLE_SUITES").map(PathBuf::from) else {
        eprintln!("skipped: QUADRILLE_SUITES names no folder with the XML test suites of JTS or GEOS");
        return;
    };
    let mut counts = Counts::default();
    for file in files(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        counts.ask(&fs::read_to_string(&file).unwrap(), &file.display().to_string());
    }
    let Counts { right, refused, empty, otherwise, wrong } = &counts;
    eprintln!(
        "{right} right, {refused} refused, {empty} about something empty, {otherwise} otherwise, {} wrong",
        wrong.len()
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(*right > 0, "no questions in {}", folder.display());
}

#[test]
fn a_suite_is_read_and_what_is_not_as_expected_is_found() {
    let suite = r#"<run><precisionModel type="FLOATING"/>
        <case><desc>a hole, and a second polygon</desc>
            <a>MULTIPOLYGON (((0 0, 8 0, 8 8, 0 8, 0 0), (2 2, 2 6, 6 6, 6 2, 2 2)), EMPTY, ((9 9, 12 9, 9 12, 9 9)))</a>
            <b>0101000000000000000000104000000000000010C0</b>
            <test><op name="distance" arg1="B" arg2="A"> 4.0 </op></test>
            <test><op name="isWithinDistance" arg1="A" arg2="B" arg3="3.9">false</op></test>
            <test><op name="intersects" arg1="A" arg2="B">true</op></test>
            <test><op name="union" arg1="A" arg2="B">POINT (0 0)</op></test>
        </case>
        <case>
            <a>MULTIPOINT(4 4, (10 10), EMPTY)</a>
            <b>GEOMETRYCOLLECTION(linestring(4 4, 5 5), POINT EMPTY)</b>
            <test><op name="relate" arg1="a" arg2="b" arg3="F00FFF1*T">true</op></test>
            <test><op name="coveredBy" arg1="A" arg2="A">TRUE</op></test>
        </case>
        <case>
            <a>GEOMETRYCOLLECTION(POINT(1 1), LINESTRING(4 4, 5 5))</a>
            <b>GEOMETRYCOLLECTION(POLYGON EMPTY)</b>
            <test><op name="equalsTopo" arg1="A" arg2="A">true</op></test>
            <test><op name="touches" arg1="A" arg2="B">false</op></test>
        </case></run>"#;
    let mut counts = Counts::default();
    counts.ask(suite, "this");
    assert_eq!([counts.right, counts.refused, counts.empty, counts.wrong.len()], [4, 1, 1, 1], "{counts:?}");
    assert!(counts.wrong[0].starts_with("this: a hole, and a second polygon"), "{counts:?}");
}
