//! Pairs among more boxes than fit in memory: through the disk (`quadrille-scale`), written as they are found.

use std::fmt;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::Path;

use indicatif::{BinaryBytes, HumanCount};
use quadrille::Aabb;
use quadrille_files::{Choice, NamedKind, Shapes};
use quadrille_scale::{Join, Pair, Settings, Spool};
use serde::Serialize;

use super::query::{Metric, Query};
use super::records;
use super::{Figures, Pairs, Sets, Times, plane};
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
    /// The most that the process has had in use at once, as the system counts it.
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

impl Pairs {
    /// Answers within the bytes of memory given.
    pub(super) fn run_beyond(&self, given: u64, query: Query) -> Result<(), Failure> {
        if self.metric == Metric::Geodesic {
            let what = "--memory is for distances on the plane; --metric geodesic needs all boxes in memory";
            return Err(Failure::Bad(what.into()));
        }
        let folder = self.temp.clone().unwrap_or_else(std::env::temp_dir);
        let settings = Settings::new(given, &folder)
            .map_err(|error| Failure::Bad(format!("invalid value for '--memory <SIZE>': {error}")))?;
        // Before any reading: whether there can be files at all.
        let mut spools = [Spool::new(&settings)?, Spool::new(&settings)?];

        let bar = progress::spinner("reading");
        let (read, shapes) = timed(|| {
            let paths = [Some(&self.file), self.file2.as_ref()].into_iter().flatten();
            let all = paths.zip(self.choices()).zip(&mut spools);
            all.map(|((path, choice), spool)| self.fill(spool, path, &choice, given)).collect::<Result<Vec<_>, _>>()
        });
        let shapes = shapes?;
        let [first, second] = spools;
        let boxes = [first.len(), second.len()];
        let second = self.file2.is_some().then_some(second);
        let (build, join) = timed(|| Join::new(&settings, first, second, query.margin()));
        let join = join?;
        let used = Used { given, peak_rss: None, disk: join.disk(), tiles: join.tiles(), threads: join.threads() };
        bar.suspend(|| output::complain(&beforehand(boxes, &used, &folder)));
        bar.set_message("finding pairs");
        let (find, pairs) = timed(|| match &self.out {
            None => self.hand_out(join, query, &mut Sink::Count).map_err(Failure::from),
            Some(out) => self.write_beyond(out, join, query),
        });
        let pairs = pairs?;
        bar.finish_and_clear();

        let sets = Sets { first: &shapes[0], second: shapes.get(1) };
        let ms = Times { read: ms(read), build: ms(build), pairs: ms(find) };
        let used = Used { peak_rss: memory::peak_rss(), ..used };
        self.tell(&Figures { memory: Some(used), ..Figures::new(query, sets, boxes, pairs, ms) }, sets)
    }

    /// Reads a file to disk; what is returned has no boxes.
    fn fill(&self, spool: &mut Spool, path: &Path, choice: &Choice, given: u64) -> Result<Shapes, Failure> {
        let mut failed = None;
        let read = Shapes::read_in_batches(path, choice, BATCH, given / 4, &mut |batch| {
            let mut rows = (0..).zip(&batch.boxes);
            let spooled = self.check_boxes(batch).and_then(|()| {
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

    /// Refuses geometries unless their boxes are asked about.
    fn check_boxes(&self, shapes: &Shapes) -> Result<(), Failure> {
        if self.boxes || !shapes.is_geometries || shapes.has_only_places() {
            return Ok(());
        }
        let what =
            "has geometries, of which --memory compares the bounding boxes only; --boxes says that this is meant";
        Err(Failure::Bad(format!("{} {what}", shapes.name)))
    }

    /// Writes the pairs; returns how many.
    fn write_beyond(&self, out: &Target, join: Join, query: Query) -> Result<u64, Failure> {
        let format = Format::of(self.format, out)?;
        let columns = records::columns([false; 2], [query.has_distance(), false], Vec::new());
        // What is wrong with temporary files is not what is wrong with this one.
        let mut failed = None;
        let mut count = 0;
        let written = out.write(|file| {
            let mut sink = if format == Format::Parquet {
                Sink::Records(Records::new(file, format, &columns)?)
            } else {
                Records::new(&mut *file, format, &columns)?.finish()?;
                Sink::Lines { file, format, columns: &columns }
            };
            match self.hand_out(join, query, &mut sink) {
                Ok(found) => count = found,
                Err(Ended::Unwritten(error)) => return Err(error),
                Err(other) => {
                    failed = Some(other);
                    return Err(io::ErrorKind::Other.into());
                }
            }
            sink.finish()
        });
        failed.map_or(written, |error| Err(error.into()))?;
        Ok(count)
    }

    /// Hands all pairs to a sink, at most `--limit`; returns how many.
    fn hand_out(&self, join: Join, query: Query, sink: &mut Sink<'_>) -> Result<u64, Ended> {
        let limit = self.limit.map_or(u64::MAX, u64::from);
        let mut count = 0;
        let judge = |a: &Aabb<f64>, b: &Aabb<f64>| {
            plane::accepts(query, a, b).then(|| if query.has_distance() { a.distance(b) } else { 0.0 })
        };
        let form = sink.form();
        let ended = join.run(
            query.is_directed(),
            judge,
            |pairs| form.prepare(pairs),
            |part| {
                let wanted = part.count().min(limit - count);
                sink.take(part, wanted).map_err(Ended::Unwritten)?;
                count += wanted;
                if count == limit { Err(Ended::Enough) } else { Ok(()) }
            },
        );
        match ended {
            Ok(()) | Err(Ended::Enough) => Ok(count),
            Err(ended) => Err(ended),
        }
    }
}

/// Why the search ended early.
enum Ended {
    Failed(quadrille_scale::Error),
    /// The result cannot be written.
    Unwritten(io::Error),
    /// There are as many pairs as were wanted.
    Enough,
}

impl From<quadrille_scale::Error> for Ended {
    fn from(error: quadrille_scale::Error) -> Self {
        Self::Failed(error)
    }
}

impl From<Ended> for Failure {
    fn from(ended: Ended) -> Self {
        match ended {
            Ended::Failed(error) => error.into(),
            Ended::Unwritten(error) => error.into(),
            Ended::Enough => Self::ClosedPipe,
        }
    }
}

/// Where pairs go.
enum Sink<'a> {
    /// Nowhere: they are counted.
    Count,
    /// To a file of lines, which are made by the threads that find pairs.
    Lines { file: &'a mut (dyn Write + Send), format: Format, columns: &'a [NamedKind] },
    /// To a table, one by one.
    Records(Records<'a>),
}

/// What threads make of pairs.
#[derive(Clone, Copy)]
enum Form<'a> {
    Count,
    Lines(Format, &'a [NamedKind]),
    Pairs,
}

/// Some pairs.
enum Part {
    Count(u64),
    Lines(u64, Vec<u8>),
    Pairs(Vec<Pair>),
}

impl<'a> Sink<'a> {
    fn form(&self) -> Form<'a> {
        match self {
            Self::Count => Form::Count,
            Self::Lines { format, columns, .. } => Form::Lines(*format, columns),
            Self::Records(_) => Form::Pairs,
        }
    }

    /// Takes the first of some pairs.
    fn take(&mut self, part: Part, wanted: u64) -> io::Result<()> {
        let most = usize::try_from(wanted).unwrap_or(usize::MAX);
        match (self, part) {
            (Self::Lines { file, .. }, Part::Lines(count, lines)) if count == wanted => file.write_all(&lines),
            (Self::Lines { file, .. }, Part::Lines(_, lines)) => {
                lines.split_inclusive(|byte| *byte == b'\n').take(most).try_for_each(|line| file.write_all(line))
            }
            (Self::Records(records), Part::Pairs(pairs)) => {
                pairs.iter().take(most).try_for_each(|pair| write(records, pair))
            }
            _ => Ok(()),
        }
    }

    fn finish(self) -> io::Result<()> {
        if let Self::Records(records) = self { records.finish() } else { Ok(()) }
    }
}

impl Form<'_> {
    fn prepare(self, pairs: &[Pair]) -> Part {
        match self {
            Self::Count => Part::Count(pairs.len() as u64),
            Self::Pairs => Part::Pairs(pairs.to_vec()),
            Self::Lines(format, columns) => {
                let mut lines = Vec::new();
                let written = Records::without_header(&mut lines, format, columns).and_then(|mut records| {
                    pairs.iter().try_for_each(|pair| write(&mut records, pair))?;
                    records.finish()
                });
                written.expect("memory can be written");
                Part::Lines(pairs.len() as u64, lines)
            }
        }
    }
}

impl Part {
    fn count(&self) -> u64 {
        match self {
            Self::Count(count) | Self::Lines(count, _) => *count,
            Self::Pairs(pairs) => pairs.len() as u64,
        }
    }
}

/// Writes a pair: two rows, and a distance if there is a column for it.
fn write(records: &mut Records<'_>, pair: &Pair) -> io::Result<()> {
    let has_distance = records.width() == 3;
    let mut record = records.record();
    record.row(pair.a)?;
    record.row(pair.b)?;
    if has_distance {
        record.number(pair.distance)?;
    }
    record.end()
}

/// What the disk must hold, said before it is filled.
fn beforehand(boxes: [u64; 2], used: &Used, folder: &Path) -> String {
    let [boxes, disk] = [HumanCount(boxes.iter().sum()).to_string(), BinaryBytes(used.disk).to_string()];
    let folder = one_line(&folder.display().to_string());
    format!("{boxes} boxes in {}: up to {disk} of temporary files in {folder}\n", count(used.tiles as u64, "tile"))
}
