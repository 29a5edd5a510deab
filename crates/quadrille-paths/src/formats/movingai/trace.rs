//! Traces of the competition's dynamic track: a map that starts without walls, patches applied to it, and queries in
//! between.

use super::number::Decimals;
use super::patch::Patch;
use super::reader::{ParseError, Reader, quoted};
use super::scenario::Query;
use crate::grid::{Cell, CellRect, CostRule, Grid, GridError};
use crate::map::PathMap;

/// One line of a trace.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Command {
    /// Apply a patch to the map.
    Patch {
        /// Which one, counted from 0.
        patch: usize,
        /// Where its top left cell goes.
        at: Cell,
    },
    /// Ask for a path.
    Query(Query),
}

/// A trace.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    width: u32,
    height: u32,
    patch_file: String,
    commands: Vec<Command>,
}

impl Trace {
    /// Reads the name of the patch file from a trace's header.
    ///
    /// # Errors
    /// Returns an error if the header breaks the format. The message names file, line and value.
    pub fn patch_file(file: &str, bytes: &[u8]) -> Result<String, ParseError> {
        Self::header(&mut Reader::new(file, bytes)).map(|trace| trace.patch_file)
    }

    /// Reads a trace: `version 2`, `height H`, `width W`, `cost 1 octile`, `patch FILE`, `commands`, then lines
    /// `P BUCKET PATCH X Y` and `Q BUCKET X Y X Y LENGTH`.
    ///
    /// # Errors
    /// Returns an error if something breaks the format, or a patch does not exist or leaves the map. The message names
    /// file, line and value.
    pub fn parse(file: &str, bytes: &[u8], patches: &[Patch]) -> Result<Self, ParseError> {
        let mut reader = Reader::new(file, bytes);
        let mut trace = Self::header(&mut reader)?;
        let decimals = Decimals::most_in(bytes, |line| line.trim_ascii_start().starts_with(b"Q"));
        while let Some(line) = reader.next_text() {
            let fields: Vec<&str> = line.split_whitespace().collect();
            let command = match fields[..] {
                ["P", _, patch, x, y] => trace.parse_patch(&reader, patch, (x, y), patches)?,
                ["Q", bucket, from_x, from_y, to_x, to_y, length] => {
                    let ends = [("the start", from_x, from_y), ("the goal", to_x, to_y)];
                    let size = (trace.width, trace.height);
                    Command::Query(Query::parse(&reader, bucket, size, ends, (length, decimals))?)
                }
                _ => return Err(reader.error(format!("expected a command, found {}", quoted(line.as_bytes())))),
            };
            trace.commands.push(command);
        }
        Ok(trace)
    }

    /// Number of columns of the map.
    #[must_use]
    pub const fn width(&self) -> u32 {
        self.width
    }

    /// Number of rows of the map.
    #[must_use]
    pub const fn height(&self) -> u32 {
        self.height
    }

    /// The map that a trace starts with: no walls, the competition's rule.
    ///
    /// # Errors
    /// Never returns an error for a trace that was parsed: its sides have been checked.
    pub fn open_map(&self) -> Result<PathMap, GridError> {
        Ok(PathMap::new(Grid::open(self.width, self.height)?, CostRule::Octile))
    }

    /// The commands in the order of the file.
    #[must_use]
    pub fn commands(&self) -> &[Command] {
        &self.commands
    }

    fn header(reader: &mut Reader<'_>) -> Result<Self, ParseError> {
        Self::demand(reader, "version", "2")?;
        let (width, height) = reader.size()?;
        Self::demand(reader, "cost", "1 octile")?;
        let patch_file = reader.keyword("patch")?.into_owned();
        Self::demand(reader, "commands", "")?;
        Ok(Self { width, height, patch_file, commands: Vec::new() })
    }

    fn demand(reader: &mut Reader<'_>, keyword: &str, value: &str) -> Result<(), ParseError> {
        let found = reader.keyword(keyword)?;
        if found == value {
            return Ok(());
        }
        Err(reader.error(format!("expected {:?} after {keyword}, found {}", value, quoted(found.as_bytes()))))
    }

    fn parse_patch(
        &self,
        reader: &Reader<'_>,
        index: &str,
        (x, y): (&str, &str),
        patches: &[Patch],
    ) -> Result<Command, ParseError> {
        let index = reader.number("the patch", index)? as usize;
        let at = Cell::new(reader.number("the column", x)?, reader.number("the row", y)?);
        let Some(patch) = patches.get(index) else {
            return Err(reader.error(format!("patch {index} of {} patches", patches.len())));
        };
        let rect = patch.rect(at);
        if rect.clamped(self.width, self.height) != rect {
            let CellRect { width, height, .. } = rect;
            return Err(reader.error(format!("patch {index} of {width} x {height} cells at {at} leaves the map")));
        }
        Ok(Command::Patch { patch: index, at })
    }
}
