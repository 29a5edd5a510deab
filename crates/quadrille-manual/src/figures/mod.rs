//! Figures in pages and in the documentation of sources, made of the results of the benches.
//!
//! `docs/figures.txt` names the source of each figure in a sentence or a cell: [`quotes`]. A table that is made whole has
//! its source in a comment before it:
//!
//! ```text
//! <!-- lines FILE by COLUMN, COLUMN                 a table with a line for each value of some columns;
//! HEADING = FIGURE                                  `@` in its figures are those values, in this order; `COLUMN (a|b)`
//! HEADING = {FIGURE} ({FIGURE})                     selects some values
//! -->
//! ```
//!
//! The lines after it that begin with `|` are the table, and are replaced.
//!
//! See [`Figure`] for what a figure is, [`lines`] for tables.

mod figure;
pub mod lines;
mod numbers;
pub mod quotes;
mod results;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

pub use figure::Figure;
pub(crate) use numbers::grouped;
pub use results::{Results, Row};

/// What is wrong with a page, or with a file that it names.
pub type Fault = String;

/// Files of results in one folder, each read once.
#[derive(Debug)]
pub struct Sources {
    folder: PathBuf,
    read: HashMap<String, Rc<Results>>,
}

impl Sources {
    /// Those of a folder.
    pub fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), read: HashMap::new() }
    }

    /// A file by its name.
    pub fn file(&mut self, name: &str) -> Result<Rc<Results>, Fault> {
        if let Some(results) = self.read.get(name) {
            return Ok(results.clone());
        }
        let text = std::fs::read_to_string(self.folder.join(name)).map_err(|error| format!("{name}: {error}"))?;
        let results = Rc::new(Results::parse(name, &text)?);
        self.read.insert(name.to_owned(), results.clone());
        Ok(results)
    }
}

/// The text with its tables filled in, and how many there are.
pub fn with_tables(text: &str, sources: &mut Sources) -> Result<(String, usize), Fault> {
    const BEGIN: &str = "<!-- lines ";
    let (mut made, mut tables, mut rest) = (String::new(), 0, text);
    while let Some(at) = rest.find(BEGIN) {
        let end = rest[at..].find("-->").ok_or("a comment has no end")? + at;
        let (comment, behind) = (rest[at + BEGIN.len()..end].trim_end(), end + "-->".len());
        let table = lines::table(comment, sources).map_err(|fault| format!("{comment}: {fault}"))?;
        made = made + &rest[..behind] + "\n\n" + &table;
        rest = behind_table(&rest[behind..]);
        tables += 1;
    }
    Ok((made + rest, tables))
}

/// What follows the table that a text begins with, if it does.
fn behind_table(text: &str) -> &str {
    let rows = text.trim_start_matches('\n');
    let length: usize = rows.split_inclusive('\n').take_while(|row| row.starts_with('|')).map(str::len).sum();
    if length == 0 { text.strip_prefix('\n').unwrap_or(text) } else { &rows[length..] }
}
