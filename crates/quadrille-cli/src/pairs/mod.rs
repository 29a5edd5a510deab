//! `quadrille pairs`: what is near what in a file, or between two files.
//!
//! | file | contents |
//! |---|---|
//! | `mod.rs` | the options, the figures, and a run in memory |
//! | `query.rs` | the query |
//! | `finder.rs` | everything that is needed to find pairs |
//! | `ended.rs` | what is done with a pair, and why handing them out ends |
//! | `plane.rs` | on the plane: what finds boxes, and what decides pairs |
//! | `by_distance.rs` | the nearest boxes: equal distances come by row |
//! | `shapes.rs` | the geometries of both sets, checked |
//! | `geodesic.rs` | the same on the earth |
//! | `records.rs` | a pair as a record |
//! | `beyond.rs` | `--memory`: through the disk |
//! | `nearest.rs` | `--memory` with `--nearest`: what finds the nearest of those read back |
//! | `aside.rs` | `--memory` with shapes: geometries wait on disk until their pairs are decided |

mod aside;
mod beyond;
mod by_distance;
mod ended;
mod finder;
mod geodesic;
mod nearest;
mod plane;
mod query;
mod records;
mod shapes;

use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;

use clap::{ArgGroup, Args};
use indicatif::HumanCount;
use quadrille_files::{Choice, Shapes, System};
use quadrille_shapes::Predicate;
use quadrille_shapes::globe::Edges;
use serde::Serialize;

use crate::clock::{ms, timed};
use crate::failure::Failure;
use crate::output::{self, Target};
use crate::quantity::{self, Quantity};
use crate::records::{Format, Records};
use crate::{names, progress, table, text};
use beyond::Used;
use ended::Ended;
use finder::{Compared, Finder};
use query::{Asked, Metric, Query};
use records::PairRecords;

/// Find pairs of boxes, points, lines or polygons that overlap, are near each other, or lie one inside the other, in a
/// file or between two files.
///
/// Files are text (CSV, TSV and similar, with or without a header), JSON, GeoJSON, FlatGeobuf, shapefiles or (in some
/// builds) Parquet, optionally compressed with gzip or zstd; `-` is standard input. Common header names are recognized:
/// corners, sizes, longitude and latitude, WKT. The report says which columns were used. If files hold geometries,
/// these are compared, not only the boxes around them, unless --boxes is given. Shapes include their edges, so touching
/// is overlapping. Coordinates are 64-bit floats.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
#[command(group = ArgGroup::new("query").args(["within", "nearest", "inside", "contains", "predicate"]))]
#[command(group = ArgGroup::new("distance").args(["within", "nearest"]))]
// What an option requires is not asked for if another option excludes that: so they exclude each other, too.
pub(crate) struct Pairs {
    /// File of boxes, points or geometries, or `-`
    file: PathBuf,
    /// A second file: find pairs of a row of FILE and a row of FILE2, instead of pairs within FILE
    file2: Option<PathBuf>,
    /// Columns of FILE to read, by name or by number from 1: two for points, four for boxes, three for circles, or one
    /// for geometries
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    columns: Vec<String>,
    /// Columns of FILE2 to read
    #[arg(long, value_name = "NAMES", value_delimiter = ',', requires = "file2")]
    columns2: Vec<String>,
    /// Does the first row of FILE hold column names? yes or no [default: detected, and reported]
    #[arg(long, value_name = "ANSWER", value_parser = names::yes_or_no)]
    header: Option<bool>,
    /// Does the first row of FILE2 hold column names?
    #[arg(long, value_name = "ANSWER", value_parser = names::yes_or_no, requires = "file2")]
    header2: Option<bool>,
    /// Pairs no farther apart than this, instead of overlapping pairs; 500m, 5km, 2nm, 1mi or 90ft with --metric
    /// geodesic
    #[arg(long, value_name = "DISTANCE", value_parser = quantity::length, allow_hyphen_values = true)]
    within: Option<Quantity>,
    /// The K nearest neighbors of each; ties in row order
    #[arg(long, value_name = "K", value_parser = names::number(1..=1_000_000), allow_negative_numbers = true)]
    nearest: Option<u32>,
    /// With --nearest, only neighbors no farther away than this
    #[arg(long, value_name = "DISTANCE", requires = "nearest", conflicts_with_all = ["within", "inside", "contains", "predicate", "unsorted"], value_parser = quantity::length, allow_hyphen_values = true)]
    max: Option<Quantity>,
    /// Pairs in which the first lies inside the second
    #[arg(long)]
    inside: bool,
    /// Pairs in which the first contains the second
    #[arg(long)]
    contains: bool,
    /// Pairs for which this OGC predicate holds: intersects, disjoint, contains, within, covers, covered-by, touches,
    /// crosses, overlaps or equals
    #[arg(long, value_name = "NAME", conflicts_with = "boxes")]
    predicate: Option<Predicate>,
    /// Compare bounding boxes, even if files hold geometries
    #[arg(long)]
    boxes: bool,
    /// Also write the area (of polygons) or length (of lines, alone or with polygons) that the two of each pair have in
    /// common
    #[arg(long, requires = "out", conflicts_with_all = ["boxes", "count"])]
    measure: bool,
    /// Leave out rows whose geometry or numbers are invalid, and count them, instead of refusing the file
    #[arg(long)]
    skip_invalid: bool,
    /// How --within and --nearest measure distances
    #[arg(long, value_name = "NAME", value_enum, default_value_t = Metric::Plane, requires = "distance")]
    metric: Metric,
    /// What the edges of lines and polygons are, with --metric geodesic: straight in degrees, as GeoJSON has them, or
    /// geodesic, the shortest ways on the earth. By default straight, unless a GeoParquet file says otherwise
    #[arg(long, value_name = "NAME", requires = "distance")]
    edges: Option<Edges>,
    /// Print only the number of pairs
    #[arg(long, conflicts_with_all = ["out", "ids", "ids2", "keep", "keep2", "limit", "unsorted", "format"])]
    count: bool,
    /// Write only the first N pairs
    #[arg(long, value_name = "N", requires = "out", value_parser = names::number(1..=u32::MAX), allow_negative_numbers = true)]
    limit: Option<u32>,
    /// Write the pairs, sorted, as row numbers from 0 (header, blank lines and comments are not counted); `-` is
    /// standard output
    #[arg(long, value_name = "FILE")]
    out: Option<Target>,
    /// Output format [default: from the extension of FILE (.ndjson, .jsonl, .parquet), otherwise CSV]
    #[arg(long, value_name = "NAME", value_enum, requires = "out")]
    format: Option<Format>,
    /// Write pairs as they are found: immediately, in constant memory, and in no particular order; not with --nearest
    #[arg(long, requires = "out", conflicts_with = "nearest")]
    unsorted: bool,
    /// Join data larger than memory: use at most this much memory (such as 4G) and the disk. Writes row numbers, in no
    /// particular order except with --nearest. With --metric geodesic, only --nearest works, of points and boxes
    #[arg(long, value_name = "SIZE", value_parser = names::bytes, conflicts_with_all = ["ids", "ids2", "keep", "keep2"], allow_hyphen_values = true)]
    memory: Option<u64>,
    /// Folder for temporary files, on a disk with room for about 40 to 80 bytes per box, more for lines and polygons
    /// [default: the system's]
    #[arg(long, value_name = "FOLDER", requires = "memory", conflicts_with_all = ["ids", "ids2", "keep", "keep2"])]
    temp: Option<PathBuf>,
    /// Column of FILE to write instead of row numbers
    #[arg(long, value_name = "COLUMN", requires = "out")]
    ids: Option<String>,
    /// Column of FILE2 to write instead of row numbers
    #[arg(long, value_name = "COLUMN", requires_all = ["out", "file2"])]
    ids2: Option<String>,
    /// Additional columns of FILE to write
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',', requires = "out")]
    keep: Vec<String>,
    /// Additional columns of FILE2 to write
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',', requires_all = ["out", "file2"])]
    keep2: Vec<String>,
    /// Write statistics as JSON; `-` is standard output, and the report then goes to standard error
    #[arg(long, value_name = "FILE")]
    json: Option<Target>,
}

const EXAMPLES: &str = "\
Examples:
  quadrille pairs buildings.csv
  quadrille pairs buildings.csv --out pairs.csv --json figures.json
  quadrille pairs airports.csv zones.geojson --inside --out in.csv --ids iata --keep2 name
  quadrille pairs shops.csv zones.geojson --predicate within --out in.csv --keep2 name
  quadrille pairs zones.geojson floods.geojson --measure --out flooded.csv --ids name
  quadrille pairs shops.csv stations.csv --nearest 1 --metric geodesic --out nearest.csv
  quadrille pairs fixes.csv.gz --columns lon,lat --within 50m --metric geodesic --count
  quadrille pairs boxes.tsv --columns 3,4,5,6 --out - --unsorted | head
  quadrille pairs points.csv country.parquet --inside --memory 4G --temp /data/tmp --out in.parquet";

/// The structure that finds boxes.
const FRAME_TREE: &str = "frame-tree";
/// The structure that finds the nearest on the earth.
const TREE_OF_DEGREES: &str = "tree of degrees";

/// What `--json` writes: see docs/cli-json.md.
#[derive(Debug, Serialize)]
struct Figures {
    query: &'static str,
    /// What holds between the two of each pair; null if they are pairs by distance.
    predicate: Option<&'static str>,
    compared: Compared,
    /// What edges of the shapes are; null if boxes are compared.
    edges: Option<&'static str>,
    boxes: u64,
    boxes2: Option<u64>,
    format: String,
    format2: Option<String>,
    system: Option<String>,
    system2: Option<String>,
    taken: String,
    taken2: Option<String>,
    skipped: u64,
    skipped2: Option<u64>,
    invalid: u64,
    invalid2: Option<u64>,
    pairs: u64,
    /// Whether `--limit` has left out further ones.
    limited: bool,
    index: &'static str,
    ms: Times,
    /// What was used of memory and disk, with `--memory`.
    #[serde(skip_serializing_if = "Option::is_none")]
    memory: Option<Used>,
}

impl Figures {
    fn new(query: Query, sets: Sets<'_>, boxes: [u64; 2], pairs: Handed, ms: Times) -> Self {
        Self {
            query: query.name(),
            predicate: query.predicate().map(Predicate::name),
            compared: Compared::Boxes,
            edges: None,
            boxes: boxes[0],
            boxes2: sets.second.map(|_| boxes[1]),
            format: sets.first.format.clone(),
            format2: sets.second.map(|second| second.format.clone()),
            system: sets.first.system.as_ref().map(ToString::to_string),
            system2: sets.second.and_then(|second| second.system.as_ref()).map(ToString::to_string),
            taken: sets.first.taken.clone(),
            taken2: sets.second.map(|second| second.taken.clone()),
            skipped: sets.first.skipped,
            skipped2: sets.second.map(|second| second.skipped),
            invalid: sets.first.invalid,
            invalid2: sets.second.map(|second| second.invalid),
            pairs: pairs.count,
            limited: pairs.is_limited,
            index: FRAME_TREE,
            ms,
            memory: None,
        }
    }

    /// With what was compared, and what its edges are.
    fn of(self, compared: Compared, edges: Edges) -> Self {
        Self { compared, edges: (compared == Compared::Shapes).then(|| edges.name()), ..self }
    }
}

#[derive(Debug, Serialize)]
struct Times {
    read: f64,
    build: f64,
    pairs: f64,
}

/// How many pairs were counted or written.
#[derive(Clone, Copy, Debug)]
struct Handed {
    count: u64,
    /// Whether `--limit` has left out further ones.
    is_limited: bool,
}

impl Handed {
    fn all(count: u64) -> Self {
        Self { count, is_limited: false }
    }
}

/// The sets of a query. [`other`](Self::other) is the first if there is only one.
#[derive(Clone, Copy, Debug)]
struct Sets<'a> {
    first: &'a Shapes,
    second: Option<&'a Shapes>,
}

impl<'a> Sets<'a> {
    fn other(self) -> &'a Shapes {
        self.second.unwrap_or(self.first)
    }
}

impl Pairs {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let query = Query::of(self)?;
        self.check_files()?;
        match self.memory {
            Some(memory) => self.run_beyond(memory, query),
            None => self.run_in_memory(query),
        }
    }

    fn run_in_memory(&self, query: Query) -> Result<(), Failure> {
        let bar = progress::spinner("reading");
        let (read, sets) = timed(|| self.read());
        let (first, second) = sets?;
        let sets = Sets { first: &first, second: if self.is_twice() { Some(&first) } else { second.as_ref() } };
        bar.set_message("building");
        let edges = self.edges(sets);
        let asked = Asked { query, is_measured: self.measure, metric: self.metric, edges };
        let (build, finder) = timed(|| Finder::new(asked, sets));
        let finder = finder?;
        progress::go_on(&bar, "finding pairs", &self.out);
        let (find, pairs) = timed(|| match &self.out {
            None => Ok(Handed::all(finder.count()?)),
            Some(out) => self.write(out, &finder, sets),
        });
        let pairs = pairs?;
        bar.finish_and_clear();

        let boxes = [&first, sets.other()].map(|shapes| shapes.boxes.len() as u64);
        let ms = Times { read: ms(read), build: ms(build), pairs: ms(find) };
        let figures = Figures::new(query, sets, boxes, pairs, ms).of(finder.compared(), edges);
        let figures = Figures { index: finder.structure(), ..figures };
        self.tell(&figures, sets)
    }

    /// What edges are: as requested, otherwise as a file says.
    fn edges(&self, sets: Sets<'_>) -> Edges {
        let said = [sets.first, sets.other()]
            .iter()
            .any(|shapes| shapes.system.as_ref().is_some_and(System::has_geodesic_edges));
        self.edges.unwrap_or(if said && self.metric == Metric::Geodesic { Edges::Geodesic } else { Edges::Straight })
    }

    /// Writes the figures and the report.
    fn tell(&self, figures: &Figures, sets: Sets<'_>) -> Result<(), Failure> {
        let report = if self.count { format!("{}\n", figures.pairs) } else { self.table(figures, sets) };
        output::report(&report, figures, &self.json, &self.targets())
    }

    fn targets(&self) -> [&Option<Target>; 2] {
        [&self.out, &self.json]
    }

    /// Checks what can be checked before anything is read.
    fn check_files(&self) -> Result<(), Failure> {
        if self.edges == Some(Edges::Geodesic) && self.metric == Metric::Plane {
            return Err(Failure::Bad("--edges is for --metric geodesic; on the plane, edges are straight".into()));
        }
        if self.measure && self.metric == Metric::Geodesic {
            return Err(Failure::Bad("--measure is for the plane; --metric geodesic measures distances only".into()));
        }
        for (option, columns) in [("--columns", &self.columns), ("--columns2", &self.columns2)] {
            if columns.len() > 4 {
                let what = "points need 2, circles 3, boxes 4, geometries 1";
                return Err(Failure::Bad(format!("{option} names {} columns; {what}", columns.len())));
            }
        }
        let inputs: Vec<_> =
            [Some(&self.file), self.file2.as_ref()].into_iter().flatten().map(PathBuf::as_path).collect();
        if let Some(out) = &self.out {
            self.format_of(out)?;
        }
        output::check(&self.targets(), &inputs)
    }

    fn format_of(&self, out: &Target) -> Result<Format, Failure> {
        Format::of(self.format, out, ", or choose with --format")
    }

    /// The second file is not read if it is the first.
    fn read(&self) -> Result<(Shapes, Option<Shapes>), Failure> {
        let [choice, choice2] = self.choices();
        let first = Shapes::read(&self.file, &choice)?;
        let file2 = self.file2.as_deref().filter(|_| !self.is_twice());
        let second = file2.map(|path| Shapes::read(path, &choice2)).transpose()?;
        check_systems(&first, second.as_ref())?;
        Ok((first, second))
    }

    /// Whether the second file is the first, read in the same way. A pipe can be read only once.
    fn is_twice(&self) -> bool {
        let [choice, choice2] = self.choices();
        self.file2.as_ref() == Some(&self.file) && choice == choice2 && self.file.is_file()
    }

    /// What to read of the first file, and of the second.
    fn choices(&self) -> [Choice; 2] {
        let choice = |columns: &[String], header, ids: Option<&String>, keep: &[String]| Choice {
            columns: columns.to_vec(),
            keep: ids.into_iter().chain(keep).cloned().collect(),
            is_on_globe: self.metric == Metric::Geodesic,
            header,
            has_geometries: !self.boxes,
            skips_invalid: self.skip_invalid,
        };
        [
            choice(&self.columns, self.header, self.ids.as_ref(), &self.keep),
            choice(&self.columns2, self.header2, self.ids2.as_ref(), &self.keep2),
        ]
    }

    /// Finds and writes the pairs; returns how many were written.
    fn write(&self, out: &Target, finder: &Finder<'_>, sets: Sets<'_>) -> Result<Handed, Failure> {
        let format = self.format_of(out)?;
        let has_ids = [self.ids.is_some(), self.file2.as_ref().map_or(self.ids.is_some(), |_| self.ids2.is_some())];
        let limit = self.limit.map_or(u64::MAX, u64::from);
        let mut count = 0;
        let records = PairRecords::new(sets, has_ids, [finder.distance(), finder.measure()]);
        let columns = records.columns()?;
        let pairs = if self.unsorted { None } else { Some(sorted(finder)?) };
        out.write(|file| {
            let mut lines = Records::new(file, format, &columns)?;
            let mut write = |a, b| {
                count += 1;
                records.write(&mut lines, a, b)
            };
            let is_limited = match &pairs {
                Some(pairs) => {
                    let wanted = pairs.len().min(usize::try_from(limit).unwrap_or(usize::MAX));
                    pairs[..wanted].iter().try_for_each(|&(a, b)| write(a, b))?;
                    wanted < pairs.len()
                }
                None => at_once(finder, limit, write)?,
            };
            lines.finish()?;
            Ok(Handed { count, is_limited })
        })
    }

    fn table(&self, figures: &Figures, sets: Sets<'_>) -> String {
        let Times { read, build, pairs } = figures.ms;
        let described = |shapes, count| described(shapes, count, figures.compared == Compared::Shapes);
        let second = sets.second.zip(figures.boxes2).map(|(second, count)| ("", described(second, count)));
        // Points are their boxes.
        let stand_for_geometries = self.boxes && (sets.first.is_geometries || sets.other().is_geometries);
        let by = match figures.compared {
            Compared::Shapes if figures.edges == Some(Edges::Geodesic.name()) => ", by true shapes with geodesic edges",
            Compared::Shapes => ", by true shapes",
            Compared::Boxes if stand_for_geometries => ", by bounding boxes",
            Compared::Boxes => "",
        };
        let limited = if figures.limited { "; --limit leaves out the others" } else { "" };
        let rest = [
            ("pairs", format!("{} {}{by}{limited}", HumanCount(figures.pairs), self.query_in_words())),
            ("index", figures.index.into()),
            ("time", format!("{read:.1} ms to read, {build:.1} ms to build, {pairs:.1} ms to find the pairs")),
        ];
        let used = figures.memory.as_ref().map(|used| ("memory", used.to_string()));
        table::facts(
            [("input", described(sets.first, figures.boxes))].into_iter().chain(second).chain(rest).chain(used),
        )
    }

    fn query_in_words(&self) -> String {
        let up_to = self.max.as_ref().map_or(String::new(), |max| format!(", no farther away than {max}"));
        match self {
            Self { within: Some(distance), .. } => format!("within {distance}"),
            Self { nearest: Some(1), .. } => format!("from each to its nearest neighbor{up_to}"),
            Self { nearest: Some(count), .. } => format!("from each to its {count} nearest neighbors{up_to}"),
            Self { predicate: Some(predicate), .. } => format!("for which {predicate} holds"),
            Self { inside: true, .. } => "with the first inside the second".into(),
            Self { contains: true, .. } => "with the second inside the first".into(),
            _ => "that overlap".into(),
        }
    }
}

/// How many boxes or shapes there are in a file, and what was read and what was not.
fn described(shapes: &Shapes, count: u64, compares_shapes: bool) -> String {
    let left_out = |count: u64, what: &str, why: &str| match count {
        0 => String::new(),
        count => format!("; {}{why}", text::count(count, what)),
    };
    let skipped = left_out(shapes.skipped, "row", " without geometry skipped");
    let invalid = left_out(shapes.invalid, "row", " with a bad geometry left out");
    let comments = left_out(shapes.comments, "comment line", "");
    let system = match &shapes.system {
        Some(system) if !system.is_usual() => format!("; coordinates in {system}"),
        _ => String::new(),
    };
    let things = match shapes {
        Shapes { is_points: true, .. } => "point",
        Shapes { geometries: Some(_), .. } if compares_shapes => "shape",
        Shapes { geometries: Some(_), .. } if shapes.has_only_points() => "point",
        _ => "box",
    };
    let Shapes { name, format, taken, .. } = shapes;
    format!("{} in {name} ({format}): {taken}{system}{skipped}{invalid}{comments}", text::count(count, things))
}

/// Refuses to compare coordinates of two systems, if both files name theirs.
fn check_systems(first: &Shapes, second: Option<&Shapes>) -> Result<(), Failure> {
    match (&first.system, second.and_then(|second| second.system.as_ref().zip(Some(second)))) {
        (Some(one), Some((other, second))) if one.is_apart(other) => {
            let (name, other_name) = (&first.name, &second.name);
            Err(Failure::Bad(format!("coordinates of {name} are in {one}, and those of {other_name} in {other}")))
        }
        _ => Ok(()),
    }
}

/// All pairs by row numbers, or in the order of the query.
fn sorted(finder: &Finder<'_>) -> Result<Vec<(u32, u32)>, Failure> {
    let mut pairs = Vec::new();
    finder.visit(&mut |a, b| {
        if pairs.len() == pairs.capacity() && (pairs.try_reserve(1).is_err() || finder::require_spare().is_err()) {
            let what =
                "not enough memory to sort them; --unsorted or --memory writes them immediately, --count counts them";
            let what = format!("more than {} pairs: {what}", HumanCount(pairs.len() as u64));
            return ControlFlow::Break(Ended::Failed(Failure::Bad(what)));
        }
        pairs.push((a, b));
        ControlFlow::Continue(())
    })?;
    if !finder.is_in_order() {
        pairs.sort_unstable();
    }
    Ok(pairs)
}

/// Writes pairs as they are found, at most `limit`; returns whether there are more.
fn at_once(finder: &Finder<'_>, limit: u64, mut write: impl FnMut(u32, u32) -> io::Result<()>) -> Result<bool, Ended> {
    let mut left = limit;
    let handed = finder.visit(&mut |a, b| {
        if left == 0 {
            return ControlFlow::Break(Ended::Enough);
        }
        left -= 1;
        write(a, b).map_or_else(|error| ControlFlow::Break(Ended::Unwritten(error)), ControlFlow::Continue)
    });
    match handed {
        Err(Ended::Enough) => Ok(true),
        other => other.map(|()| false),
    }
}
