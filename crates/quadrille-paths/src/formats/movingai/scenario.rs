//! `.scen` files: `version 1`, then one query per line.

use super::number::{Decimals, Published};
use super::reader::{ParseError, Reader, quoted};
use crate::grid::{Cell, Grid};

/// A query with its published answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Query {
    /// The difficulty: published lengths of a bucket differ by less than four.
    pub bucket: u32,
    /// The start.
    pub from: Cell,
    /// The goal.
    pub to: Cell,
    /// The length of a shortest path; `None` if there is no path, which files print as -1, older ones as 0.
    pub shortest: Option<Published>,
    /// The line in the file.
    pub line: usize,
}

/// The queries of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    file: String,
    /// Width and height of the map as each query states them.
    sizes: Vec<(u32, u32)>,
    queries: Vec<Query>,
}

impl Scenario {
    /// Reads a scenario; `file` is the name for messages.
    ///
    /// # Errors
    /// Returns an error if something breaks the format. The message names file, line and value.
    pub fn parse(file: &str, bytes: &[u8]) -> Result<Self, ParseError> {
        let mut reader = Reader::new(file, bytes);
        let version = reader.keyword("version")?;
        if !matches!(&*version, "1" | "1.0") {
            return Err(reader.error(format!("expected version 1, found {}", quoted(version.as_bytes()))));
        }
        let mut scenario = Self { file: file.to_owned(), sizes: Vec::new(), queries: Vec::new() };
        let decimals = Decimals::most_in(reader.rest, |_| true);
        while let Some(line) = reader.next_text() {
            let fields: Vec<&str> = line.split_whitespace().collect();
            // The map's name is the second field; if it has spaces, more than one.
            let [bucket, _, .., width, height, from_x, from_y, to_x, to_y, length] = fields[..] else {
                return Err(reader.error(format!(
                    "expected nine fields, found {}: {}",
                    fields.len(),
                    quoted(line.as_bytes())
                )));
            };
            let size = (reader.number("the width", width)?, reader.number("the height", height)?);
            let ends = [("the start", from_x, from_y), ("the goal", to_x, to_y)];
            scenario.queries.push(Query::parse(&reader, bucket, size, ends, (length, decimals))?);
            scenario.sizes.push(size);
        }
        Ok(scenario)
    }

    /// The queries in the order of the file.
    #[must_use]
    pub fn queries(&self) -> &[Query] {
        &self.queries
    }

    /// Checks that the queries are for a map of this size.
    ///
    /// # Errors
    /// Returns an error about the first query for a map of another size.
    pub fn check(&self, grid: &Grid) -> Result<(), ParseError> {
        let own = (grid.width(), grid.height());
        let other = self.queries.iter().zip(&self.sizes).find(|(_, size)| **size != own);
        let Some((query, (width, height))) = other else { return Ok(()) };
        let what = format!("a query for a map of {width} x {height} cells, but the map has {} x {}", own.0, own.1);
        Err(Reader::new(&self.file, &[]).at(query.line).error(what))
    }
}

impl Query {
    /// What the competition's files print if there is no path.
    const NO_PATH: f64 = -1.0;

    /// Whether start or goal is blocked although a path is published.
    #[must_use]
    pub fn has_blocked_end(&self, grid: &Grid) -> bool {
        self.shortest.is_some() && !(grid.is_free(self.from) && grid.is_free(self.to))
    }

    pub(super) fn parse(
        reader: &Reader<'_>,
        bucket: &str,
        size: (u32, u32),
        ends: [(&str, &str, &str); 2],
        (length, decimals): (&str, Decimals),
    ) -> Result<Self, ParseError> {
        let bucket = reader.number("the bucket", bucket)?;
        let [(start, from_x, from_y), (goal, to_x, to_y)] = ends;
        let (from, to) = (reader.cell(start, from_x, from_y, size)?, reader.cell(goal, to_x, to_y, size)?);
        let published = Published::parse(length, decimals).filter(|published| published.length.is_finite());
        let shortest = match published {
            Some(published) if published.length > 0.0 || published.length == 0.0 && from == to => Some(published),
            Some(published) if published.length == 0.0 || published.length == Self::NO_PATH => None,
            _ => return Err(reader.error(format!("expected a length or -1, found {}", quoted(length.as_bytes())))),
        };
        Ok(Self { bucket, from, to, shortest, line: reader.line() })
    }
}
