//! `quadrille pairs`: all overlapping boxes of a file, or of two.

use std::collections::TryReserveError;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use indicatif::HumanCount;
use quadrille::{Aabb, AnyStructure, BruteForce, Index, StructureKind};
use serde::Serialize;

use crate::clock::{ms, timed};
use crate::failure::Failure;
use crate::output::{self, Target};
use crate::{boxes, names, table};

/// Find all overlapping boxes of a file, or of two files.
///
/// A CSV file has a box (xmin,ymin,xmax,ymax) or a point (x,y) in each row, with or without a header, separated by commas,
/// semicolons or tabs; of a GeoJSON file, the bounding box of each feature is taken. Edges belong to boxes, so touching is
/// overlapping. Coordinates are 64-bit numbers.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Pairs {
    /// CSV or GeoJSON file of boxes or points
    file: PathBuf,
    /// A second file: find pairs of a box in FILE and a box in FILE2, instead of pairs within FILE
    file2: Option<PathBuf>,
    /// Columns to read from a CSV file with a header: two of points, or four of boxes
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    columns: Vec<String>,
    /// Structure to find them with; the answer is the same with each
    #[arg(long, value_name = "NAME", default_value = "quadtree", value_parser = names::structure())]
    index: StructureKind,
    /// Write the pairs as CSV, sorted, as row numbers from 0 (header and blank lines not counted); `-` is standard output
    #[arg(long, value_name = "FILE")]
    out: Option<Target>,
    /// Write figures as a JSON object; `-` is standard output, and the report then goes to standard error
    #[arg(long, value_name = "FILE")]
    json: Option<Target>,
}

const EXAMPLES: &str = "\
Examples:
  quadrille pairs buildings.csv
  quadrille pairs buildings.csv --out pairs.csv --json figures.json
  quadrille pairs roads.csv zones.geojson --index loose-quadtree
  quadrille pairs airports.csv --columns longitude,latitude
  quadrille pairs buildings.csv --out - | head";

/// What `--json` writes: see docs/cli-json.md.
#[derive(Debug, Serialize)]
struct Figures {
    boxes: usize,
    boxes2: Option<usize>,
    pairs: usize,
    index: &'static str,
    ms: Times,
}

#[derive(Debug, Serialize)]
struct Times {
    read: f64,
    build: f64,
    pairs: f64,
}

impl Pairs {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let targets = [&self.out, &self.json];
        boxes::check_columns(&self.columns)?;
        let inputs: Vec<_> =
            [Some(&self.file), self.file2.as_ref()].into_iter().flatten().map(PathBuf::as_path).collect();
        output::check(&targets, &inputs)?;

        let read = |path: &PathBuf| boxes::read(path, &self.columns);
        let (time, sets) = timed(|| (read(&self.file), self.file2.as_ref().map(read).transpose()));
        let (read, first, second) = (time, sets.0?, sets.1?);
        let mut found = Found { keep: self.out.is_some(), count: 0, pairs: Vec::new() };
        let (build, pairs) = match &second {
            None => self.within(&first, &mut found)?,
            Some(second) => self.between(&first, second, &mut found)?,
        };

        let figures = Figures {
            boxes: first.len(),
            boxes2: second.as_ref().map(Vec::len),
            pairs: found.count,
            index: self.index.name(),
            ms: Times { read: ms(read), build: ms(build), pairs: ms(pairs) },
        };
        if let Some(out) = &self.out {
            out.write(|file| found.write_csv(file))?;
        }
        if let Some(json) = &self.json {
            json.write_json(&figures)?;
        }
        output::report(&self.table(&figures), &targets)
    }

    /// Finds pairs within one set; returns the times of building and of finding.
    fn within(&self, boxes: &[Aabb<f64>], found: &mut Found) -> Result<(Duration, Duration), Failure> {
        let (build, index) = timed(|| Index::<AnyStructure<f64>>::with_boxes(self.index.into(), boxes));
        let index = index?;
        let (pairs, stopped) = timed(|| index.pairs_visit(|a, b| found.push(a, b)));
        found.check(stopped.break_value())?;
        Ok((build, pairs))
    }

    /// Finds pairs between two sets. The smaller one asks, for that is fewer questions, and so needs no structure.
    fn between(
        &self,
        first: &[Aabb<f64>],
        second: &[Aabb<f64>],
        found: &mut Found,
    ) -> Result<(Duration, Duration), Failure> {
        let swapped = first.len() > second.len();
        let (asking, asked) = if swapped { (second, first) } else { (first, second) };
        let (build, indexes) = timed(|| {
            let asking = Index::<BruteForce<f64>>::from_boxes(asking)?;
            Ok::<_, quadrille::Error>((asking, Index::<AnyStructure<f64>>::with_boxes(self.index.into(), asked)?))
        });
        let (asking, asked) = indexes?;
        let (pairs, stopped) =
            timed(|| asking.pairs_with_visit(&asked, |a, b| if swapped { found.push(b, a) } else { found.push(a, b) }));
        found.check(stopped.break_value())?;
        Ok((build, pairs))
    }

    fn table(&self, figures: &Figures) -> String {
        let boxes = |path: &Path, count: usize| format!("{} in {}", HumanCount(count as u64), path.display());
        let Times { read, build, pairs } = figures.ms;
        let second = self.file2.as_ref().zip(figures.boxes2).map(|(path, count)| ("", boxes(path, count)));
        let rest = [
            ("pairs", HumanCount(figures.pairs as u64).to_string()),
            ("index", figures.index.into()),
            ("time", format!("{read:.1} ms to read, {build:.1} ms to build, {pairs:.1} ms to find the pairs")),
        ];
        table::facts([("boxes", boxes(&self.file, figures.boxes))].into_iter().chain(second).chain(rest))
    }
}

/// The pairs found so far.
#[derive(Debug)]
struct Found {
    /// Whether they are wanted, or only how many there are.
    keep: bool,
    count: usize,
    pairs: Vec<(u32, u32)>,
}

impl Found {
    fn push(&mut self, a: u32, b: u32) -> ControlFlow<TryReserveError> {
        self.count += 1;
        if self.keep {
            if self.pairs.len() == self.pairs.capacity() {
                self.pairs.try_reserve(1).map_or_else(ControlFlow::Break, ControlFlow::Continue)?;
            }
            self.pairs.push((a, b));
        }
        ControlFlow::Continue(())
    }

    /// What stopped the search, if anything did.
    fn check(&self, stopped: Option<TryReserveError>) -> Result<(), Failure> {
        let count = HumanCount(self.count as u64);
        stopped
            .map_or(Ok(()), |_| Err(Failure::Bad(format!("{count} pairs and more: there is no memory to sort them"))))
    }

    /// Sorted, for each structure has an order of its own.
    fn write_csv(&mut self, file: &mut dyn std::io::Write) -> std::io::Result<()> {
        self.pairs.sort_unstable();
        writeln!(file, "a,b")?;
        self.pairs.iter().try_for_each(|(a, b)| writeln!(file, "{a},{b}"))
    }
}
