//! `.scen` files: `version 1`, then a query a line.

use super::number::Published;
use super::reader::{ParseError, Reader, quoted};
use crate::cell::Cell;
use crate::grid::Grid;

/// A query with its published answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Query {
    /// The difficulty: published lengths of a bucket differ by less than four.
    pub bucket: u32,
    /// The start.
    pub from: Cell,
    /// The goal.
    pub to: Cell,
    /// The length of a shortest path; `None` if there is no path, which files print as 0.
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
    /// Anything that is not as the format says: the message names file, line and value.
    pub fn parse(file: &str, bytes: &[u8]) -> Result<Self, ParseError> {
        let mut reader = Reader::new(file, bytes);
        let version = reader.keyword("version")?;
        if !matches!(&*version, "1" | "1.0") {
            return Err(reader.error(format!("version 1 expected, found {}", quoted(version.as_bytes()))));
        }
        let mut scenario = Self { file: file.to_owned(), sizes: Vec::new(), queries: Vec::new() };
        while let Some(line) = reader.next_text() {
            let fields: Vec<&str> = line.split_whitespace().collect();
            // The map's name is the second field; if it has spaces, more than one.
            let [bucket, _, .., width, height, from_x, from_y, to_x, to_y, length] = fields[..] else {
                return Err(reader.error(format!(
                    "nine fields expected, found {}: {}",
                    fields.len(),
                    quoted(line.as_bytes())
                )));
            };
            let size = (reader.number("the width", width)?, reader.number("the height", height)?);
            let ends = [("the start", from_x, from_y), ("the goal", to_x, to_y)];
            scenario.queries.push(Query::parse(&reader, bucket, size, ends, length)?);
            scenario.sizes.push(size);
        }
        Ok(scenario)
    }

    /// The queries in the order of the file.
    #[must_use]
    pub fn queries(&self) -> &[Query] {
        &self.queries
    }

    /// Checks that the queries fit a map.
    ///
    /// # Errors
    /// The first query for a map of another size, or with a blocked end though it has a published path.
    pub fn check(&self, grid: &Grid) -> Result<(), ParseError> {
        for (query, (width, height)) in self.queries.iter().zip(&self.sizes) {
            let reader = Reader::new(&self.file, &[]).at(query.line);
            if (*width, *height) != (grid.width(), grid.height()) {
                let (map_width, map_height) = (grid.width(), grid.height());
                let what = format!(
                    "a query for a map of {width} x {height} cells, but the map has {map_width} x {map_height}"
                );
                return Err(reader.error(what));
            }
            for (name, cell) in [("start", query.from), ("goal", query.to)] {
                if query.shortest.is_some() && !grid.is_free(cell) {
                    return Err(reader.error(format!("the {name} {cell} is blocked")));
                }
            }
        }
        Ok(())
    }
}

impl Query {
    pub(super) fn parse(
        reader: &Reader<'_>,
        bucket: &str,
        size: (u32, u32),
        ends: [(&str, &str, &str); 2],
        length: &str,
    ) -> Result<Self, ParseError> {
        let bucket = reader.number("the bucket", bucket)?;
        let [(start, from_x, from_y), (goal, to_x, to_y)] = ends;
        let (from, to) = (reader.cell(start, from_x, from_y, size)?, reader.cell(goal, to_x, to_y, size)?);
        let published = Published::parse(length).filter(|published| published.length.is_finite());
        let Some(published) = published.filter(|published| published.length >= 0.0) else {
            return Err(reader.error(format!("a length expected, found {}", quoted(length.as_bytes()))));
        };
        let shortest = Some(published).filter(|published| published.length > 0.0 || from == to);
        Ok(Self { bucket, from, to, shortest, line: reader.line() })
    }
}
