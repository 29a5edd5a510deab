//! Pairs among more boxes than fit in memory: through the disk (`quadrille-scale`), written as they are found.

use std::fmt;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use indicatif::{BinaryBytes, HumanCount};
use quadrille::Aabb;
use quadrille_files::{Choice, NamedKind, Shapes};
use quadrille_scale::{Join, Nearest, Pair, Settings, Spool, Usage};
use quadrille_shapes::globe::Edges;
use serde::Serialize;

use super::aside::{Aside, Numbers};
use super::ended::Ended;
use super::finder::Compared;
use super::nearest::{Boxes, Earth, Shaped};
use super::query::{Metric, Query};
use super::records;
use super::{Figures, Handed, Pairs, Sets, Times, check_systems, plane};
use crate::clock::{ms, timed};
use crate::failure::Failure;
use crate::output::{self, Target};
use crate::records::{Format, Records};
use crate::text::{count, one_line};
use crate::{memory, progress};

/// Boxes read at a time.
const BATCH: usize = 1 << 14;

/// What was used, for `--json`.
#[derive(Debug, Serialize)]
pub(super) struct Used {
    given: u64,
    /// The peak memory of the process, as the system counts it.
    pub(super) peak_rss: Option<u64>,
    disk: u64,
    tiles: usize,
    threads: usize,
}

impl fmt::Display for Used {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [given, disk] = [self.given, self.disk].map(BinaryBytes);
        let peak = self.peak_rss.map(|peak| format!(", {} used", BinaryBytes(peak))).unwrap_or_default();
        let (tiles, threads) = (count(self.tiles as u64, "tile"), count(self.threads as u64, "thread"));
        write!(f, "{given} given{peak}; {disk} of disk, {tiles}, {threads}")
    }
}

/// What is to be done with the boxes on disk.
enum Work {
    Join(Join),
    Nearest(Nearest),
}

impl Work {
    fn new(settings: &Settings, first: Spool, second: Option<Spool>, query: Query) -> Result<Self, Failure> {
        Ok(match query {
            Query::Nearest { count, most } => {
                Self::Nearest(Nearest::new(settings, first, second, count as usize, most < f64::INFINITY)?)
            }
            _ => Self::Join(Join::new(settings, first, second, query.margin())?),
        })
    }

    fn usage(&self) -> Usage {
        match self {
            Self::Join(join) => join.usage(),
            Self::Nearest(nearest) => nearest.usage(),
        }
    }
}

impl Pairs {
    /// Answers within the bytes of memory given.
    pub(super) fn run_beyond(&self, given: u64, query: Query) -> Result<(), Failure> {
        let (folder, settings) = self.settings(given)?;
        // Before any reading: can temporary files be made at all?
        let mut spools = [Spool::new(&settings)?, Spool::new(&settings)?];

        let sets = if self.file2.is_some() { 2 } else { 1 };
        let aside = (!self.boxes).then(|| Aside::new(&settings, sets, query, self.measure, given));
        let mut aside = aside.transpose()?;

        let bar = progress::spinner("reading");
        let (read, shapes) = timed(|| {
            let paths = [Some(&self.file), self.file2.as_ref()].into_iter().flatten();
            let all = (0..).zip(paths.zip(self.choices()).zip(&mut spools));
            all.map(|(set, ((path, choice), spool))| {
                fill(spool, (path, &choice), given, |batch| match &mut aside {
                    _ if self.metric == Metric::Geodesic => check_has_no_outlines(batch),
                    Some(aside) => aside.put(set, batch),
                    None => Ok(()),
                })
            })
            .collect::<Result<Vec<_>, _>>()
        });
        let shapes = shapes?;
        check_systems(&shapes[0], shapes.get(1))?;
        let is_refined = aside.as_mut().map_or(Ok(false), Aside::is_needed)?;
        let aside = aside.filter(|_| is_refined);
        let settings = aside.as_ref().map_or(Ok(settings), |aside| aside.settings_for_boxes(given, &folder))?;
        let of_boxes = aside.as_ref().map_or(query, Aside::query_of_boxes);
        let [first, second] = spools;
        let boxes = [first.len(), second.len()];
        let second = self.file2.is_some().then_some(second);
        let (build, work) = timed(|| Work::new(&settings, first, second, of_boxes));
        let work = work?;
        let Usage { disk, tiles, threads } = work.usage();
        let disk = disk + aside.as_ref().map_or(0, Aside::disk);
        let used = Used { given, peak_rss: None, disk, tiles, threads };
        bar.suspend(|| output::complain(&beforehand(boxes, &used, &folder)));
        progress::go_on(&bar, "finding pairs", &self.out);
        let (find, pairs) = timed(|| match &self.out {
            None => self.hand_out(work, query, aside.as_ref(), None, &mut Sink::Count).map_err(Failure::from),
            Some(out) => self.write_beyond(out, work, query, aside.as_ref()),
        });
        let pairs = pairs?;
        bar.finish_and_clear();

        let sets = Sets { first: &shapes[0], second: shapes.get(1) };
        let ms = Times { read: ms(read), build: ms(build), pairs: ms(find) };
        let used = Used { peak_rss: memory::peak_rss(), ..used };
        let compared = if aside.is_some() { Compared::Shapes } else { Compared::Boxes };
        let figures = Figures::new(query, sets, boxes, pairs, ms).of(compared, Edges::Straight);
        let index = if self.metric == Metric::Geodesic { super::TREE_OF_DEGREES } else { figures.index };
        self.tell(&Figures { memory: Some(used), index, ..figures }, sets)
    }

    /// The folder of temporary files, and how to join within this many bytes.
    fn settings(&self, given: u64) -> Result<(PathBuf, Settings), Failure> {
        if self.metric == Metric::Geodesic && self.within.is_some() {
            let what = "--within with --metric geodesic needs all boxes in memory: leave out --memory";
            return Err(Failure::Bad(what.into()));
        }
        if self.measure && self.nearest.is_some() {
            let what = "--measure with --nearest needs all shapes in memory: leave out --memory";
            return Err(Failure::Bad(what.into()));
        }
        let folder = self.temp.clone().unwrap_or_else(std::env::temp_dir);
        let settings = Settings::new(given, &folder)
            .map_err(|error| Failure::Bad(format!("invalid value for '--memory <SIZE>': {error}")))?;
        Ok((folder, settings))
    }

    /// Writes the pairs; returns how many.
    fn write_beyond(&self, out: &Target, work: Work, query: Query, aside: Option<&Aside>) -> Result<Handed, Failure> {
        let format = self.format_of(out)?;
        let columns = records::columns([false; 2], [query.has_distance(), self.measure], Vec::new());
        out.write(|file| {
            let mut sink = if format == Format::Parquet {
                Sink::Records(Records::new(file, format, &columns)?)
            } else {
                Records::new(&mut *file, format, &columns)?.finish()?;
                Sink::Lines(file)
            };
            let handed = self.hand_out(work, query, aside, Some((format, &columns)), &mut sink)?;
            sink.finish()?;
            Ok(handed)
        })
    }

    /// Hands all pairs to a sink, at most `--limit`; returns how many.
    fn hand_out(
        &self,
        work: Work,
        query: Query,
        aside: Option<&Aside>,
        form: Form<'_>,
        sink: &mut Sink<'_>,
    ) -> Result<Handed, Ended> {
        let limit = self.limit.map_or(u64::MAX, u64::from);
        let mut count = 0;
        let take = |part: Result<Part, Failure>| {
            let part = part.map_err(Ended::Failed)?;
            let wanted = part.count.min(limit - count);
            sink.take(&part, wanted).map_err(Ended::Unwritten)?;
            count += wanted;
            if wanted < part.count { Err(Ended::Enough) } else { Ok(()) }
        };
        let ended = match (work, aside) {
            (Work::Join(join), None) => {
                let distance = |a: &Aabb<f64>, b: &_| if query.has_distance() { a.distance(b) } else { 0.0 };
                let judge = |a: &_, b: &_| plane::accepts(query, a, b).then(|| [distance(a, b), 0.0]);
                join.run(query.is_directed(), judge, |pairs| Ok(Part::of(pairs, form)), take)
            }
            (Work::Join(join), Some(aside)) => {
                let judge = |a: &_, b: &_| aside.may_be(a, b).then_some([*a, *b]);
                join.run(aside.is_directed(), judge, |pairs| Ok(Part::of(&aside.refine(pairs)?, form)), take)
            }
            (Work::Nearest(nearest), aside) => {
                let Query::Nearest { most, .. } = query else { return Ok(Handed::all(0)) };
                let mut take = take;
                let take = |pairs: &[Pair<f64>]| {
                    let numbered = pairs.iter().map(|pair| Pair { a: pair.a, b: pair.b, value: [pair.value, 0.0] });
                    take(Ok(Part::of(&numbered.collect::<Vec<_>>(), form)))
                };
                match aside {
                    _ if self.metric == Metric::Geodesic => nearest.run(&Earth { most }, take),
                    Some(aside) => nearest.run(&Shaped { aside, most }, take),
                    None => nearest.run(&Boxes { most }, take),
                }
            }
        };
        match ended {
            Ok(()) => Ok(Handed::all(count)),
            Err(Ended::Enough) => Ok(Handed { count, is_limited: true }),
            Err(ended) => Err(ended),
        }
    }
}

/// Reads a file to disk, a batch after the other, after something is done with each. The result has no boxes.
fn fill(
    spool: &mut Spool,
    (path, choice): (&Path, &Choice),
    given: u64,
    mut before: impl FnMut(&Shapes) -> Result<(), Failure>,
) -> Result<Shapes, Failure> {
    let mut failed = None;
    let read = Shapes::read_in_batches(path, choice, BATCH, given / 4, &mut |batch| {
        let mut rows = (0..).zip(&batch.boxes);
        let spooled = before(batch).and_then(|()| {
            rows.try_for_each(|(number, bounds)| spool.push(batch.row(number), *bounds)).map_err(Failure::from)
        });
        failed = spooled.err();
        if failed.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    match failed {
        Some(error) => Err(error),
        None => Ok(read?),
    }
}

/// Checks that there are only points and boxes.
fn check_has_no_outlines(batch: &Shapes) -> Result<(), Failure> {
    if batch.geometries.is_some() && !batch.has_only_points() {
        let what = "lines and polygons on the earth must be in memory: leave out --memory, or compare --boxes";
        return Err(Failure::Bad(format!("{}: {what}", batch.name)));
    }
    Ok(())
}

/// Where pairs go.
enum Sink<'a> {
    /// Pairs are only counted.
    Count,
    /// Pairs go to a file of lines, which are made by the threads that find pairs.
    Lines(&'a mut (dyn Write + Send)),
    /// Pairs go to a table, one by one.
    Records(Records<'a>),
}

impl Sink<'_> {
    /// Takes the first of some pairs.
    fn take(&mut self, part: &Part, wanted: u64) -> io::Result<()> {
        let most = usize::try_from(wanted).unwrap_or(usize::MAX);
        match self {
            Self::Count => Ok(()),
            Self::Lines(file) if part.count == wanted => file.write_all(&part.lines),
            Self::Lines(file) => {
                part.lines.split_inclusive(|byte| *byte == b'\n').take(most).try_for_each(|line| file.write_all(line))
            }
            Self::Records(records) => part.pairs.iter().take(most).try_for_each(|pair| write(records, pair)),
        }
    }

    fn finish(self) -> io::Result<()> {
        if let Self::Records(records) = self { records.finish() } else { Ok(()) }
    }
}

/// The format and columns of the file to which pairs go, if they are not only counted.
type Form<'a> = Option<(Format, &'a [NamedKind])>;

/// Some pairs, as lines if they go to a file of lines.
#[derive(Default)]
struct Part {
    count: u64,
    lines: Vec<u8>,
    pairs: Vec<Pair<Numbers>>,
}

impl Part {
    /// Prepares pairs, on the thread that has found them.
    fn of(pairs: &[Pair<Numbers>], form: Form<'_>) -> Self {
        let mut part = Self { count: pairs.len() as u64, ..Self::default() };
        match form {
            None => {}
            Some((Format::Parquet, _)) => part.pairs = pairs.to_vec(),
            Some((format, columns)) => {
                let written = Records::without_header(&mut part.lines, format, columns).and_then(|mut records| {
                    pairs.iter().try_for_each(|pair| write(&mut records, pair))?;
                    records.finish()
                });
                written.expect("memory can be written");
            }
        }
        part
    }
}

/// Writes a pair: two rows, and as many numbers as there are columns for.
fn write(records: &mut Records<'_>, pair: &Pair<Numbers>) -> io::Result<()> {
    let numbers = records.width() - 2;
    let mut record = records.record();
    record.row(pair.a)?;
    record.row(pair.b)?;
    pair.value[..numbers].iter().try_for_each(|number| record.number(*number))?;
    record.end()
}

/// The disk space needed, reported before it is used.
fn beforehand(boxes: [u64; 2], used: &Used, folder: &Path) -> String {
    let [boxes, disk] = [HumanCount(boxes.iter().sum()).to_string(), BinaryBytes(used.disk).to_string()];
    let folder = one_line(&folder.display().to_string());
    format!("{boxes} boxes in {}: up to {disk} of temporary files in {folder}\n", count(used.tiles as u64, "tile"))
}
