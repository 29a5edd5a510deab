//! Figures in pages and in the documentation of sources, made of the results of the benches.
//!
//! A page names the source of a figure in a comment, and a test compares it or, asked to, writes it there:
//!
//! ```text
//! <!--= FIGURE -->1.4<!--/-->                       a figure in a sentence, with as many digits as stand there
//! <!--= made FILE -->…<!--/-->                      date, clock and machine of a file
//! <!--= version FILE PACKAGE -->…<!--/-->           the version of a package that was measured
//!
//! <!-- lines FILE by COLUMN, COLUMN                 a table with a line for each value of some columns;
//! HEADING = FIGURE                                  `@` in its figures are those values, in this order; `COLUMN (a|b)`
//! HEADING = {FIGURE} ({FIGURE})                     asks for some values only
//! -->
//! <!-- table FILE CONTENDER -->                     a table of one contender beside the best of the others
//! <!-- end of table -->                             ends a table: what stands before it is replaced
//! ```
//!
//! See [`Figure`] for what a figure is, [`lines`] and [`sides`] for tables.

mod figure;
pub mod lines;
mod numbers;
mod results;
pub mod sides;

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

/// A text and what was filled in.
#[derive(Debug)]
pub struct Renewed {
    /// The whole text.
    pub text: String,
    /// Figures in sentences.
    pub figures: usize,
    /// Tables.
    pub tables: usize,
}

/// The text with its figures and tables filled in.
pub fn renewed(text: &str, sources: &mut Sources) -> Result<Renewed, Fault> {
    let mut made = Renewed { text: String::new(), figures: 0, tables: 0 };
    let mut rest = text;
    while let Some(at) = rest.find("<!--") {
        let end = rest[at..].find("-->").ok_or("a comment has no end")? + at + "-->".len();
        let comment = rest[at + "<!--".len()..end - "-->".len()].trim_end();
        made.text.push_str(&rest[..end]);
        rest = &rest[end..];
        if let Some(named) = comment.strip_prefix("= ") {
            let line = made.text.rfind('\n').map_or(0, |at| at + 1);
            if made.text[line..].trim_start_matches(['/', '!', ' ']).starts_with("<!--=") {
                return Err(format!("{named}: begins a line, where Markdown would end the paragraph"));
            }
            let old = before(rest, "<!--/-->").ok_or_else(|| format!("{named}: has no <!--/-->"))?;
            made.text.push_str(&value(named, old, sources).map_err(|fault| format!("{named}: {fault}"))?);
            made.figures += 1;
            rest = &rest[old.len()..];
        } else if let Some(table) = table(comment, sources)? {
            let old = before(rest, "<!-- end of table -->").ok_or_else(|| format!("{comment}: has no end"))?;
            made.text = made.text + "\n\n" + &table + "\n";
            made.tables += 1;
            rest = &rest[old.len()..];
        }
    }
    made.text.push_str(rest);
    Ok(made)
}

fn before<'a>(text: &'a str, mark: &str) -> Option<&'a str> {
    text.find(mark).map(|at| &text[..at])
}

/// What stands in a sentence.
fn value(named: &str, old: &str, sources: &mut Sources) -> Result<String, Fault> {
    let mut words = named.split_whitespace();
    match (words.next(), words.next(), words.next()) {
        (Some("made"), Some(file), None) => Ok(sources.file(file)?.made.clone()),
        (Some("version"), Some(file), Some(package)) => sources.file(file)?.version(package),
        _ => Ok(numbers::like(Figure::parse(named)?.of(&[], sources)?, old)),
    }
}

/// A table, if the comment asks for one.
fn table(comment: &str, sources: &mut Sources) -> Result<Option<String>, Fault> {
    let table = if let Some(named) = comment.strip_prefix(" lines ") {
        lines::table(named, sources)
    } else if let Some(named) = comment.strip_prefix(" table ") {
        sides::table(named.trim(), sources)
    } else {
        return Ok(None);
    };
    table.map(Some).map_err(|fault| format!("{}: {fault}", comment.trim()))
}
