//! Tables with a line for each scene and number of boxes, or whatever else their file has measured.

use super::numbers::{grouped, short};
use super::{Fault, Figure, Sources};

/// The content of a column: figures between other text.
struct Column<'a> {
    heading: &'a str,
    parts: Vec<Part<'a>>,
}

enum Part<'a> {
    Text(&'a str),
    Figure(Figure),
}

/// The table that `FILE by COLUMN, COLUMN` and a line for each further column describe. `COLUMN (a|b)` selects lines with
/// these values. If the last line is `bold`, the least time of each line is bold.
pub fn table(named: &str, sources: &mut Sources) -> Result<String, Fault> {
    let mut asked: Vec<&str> = named.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let is_bold = asked.last() == Some(&"bold");
    asked.truncate(asked.len() - usize::from(is_bold));
    let (file, by) = asked[0].split_once(" by ").ok_or("FILE by COLUMN is expected")?;
    let by: Vec<By<'_>> = by.split(", ").map(By::parse).collect();
    let columns = asked[1..].iter().map(|line| column(line, file)).collect::<Result<Vec<_>, _>>()?;

    let headings: Vec<&str> =
        by.iter().map(|by| heading(by.column)).chain(columns.iter().map(|column| column.heading)).collect();
    let rule: Vec<&str> = (0..headings.len()).map(|at| if at == 0 { "---" } else { "--:" }).collect();
    let mut text = format!("{}\n{}\n", line(&headings), rule.join("|").replace("---|", "|---|") + "|");
    let mut is_known = vec![false; columns.len()];
    for keys in keys(file, &by, sources)? {
        let figures: Vec<Option<f64>> = columns.iter().map(|column| column.time(&keys, sources)).collect();
        let least = figures.iter().flatten().copied().reduce(f64::min);
        let cells = columns.iter().zip(&figures).map(|(column, time)| {
            let cell = column.cell(&keys, sources);
            if is_bold && time.is_some() && *time == least { format!("**{cell}**") } else { cell }
        });
        let cells: Vec<String> = keys.iter().map(|key| label(key)).chain(cells).collect();
        let known: Vec<bool> = cells[keys.len()..].iter().map(|cell| cell != "–").collect();
        is_known.iter_mut().zip(&known).for_each(|(is_known, known)| *is_known |= known);
        if known.contains(&true) {
            text += &(line(&cells) + "\n");
        }
    }
    match columns.iter().zip(is_known).find(|(_, is_known)| !is_known) {
        Some((column, _)) => Err(format!("{}: no line has such figures", column.heading)),
        None => Ok(text),
    }
}

/// A column by whose values there are lines.
struct By<'a> {
    column: &'a str,
    only: Option<Vec<&'a str>>,
}

impl<'a> By<'a> {
    fn parse(text: &'a str) -> Self {
        match text.split_once(" (") {
            None => Self { column: text, only: None },
            Some((column, only)) => {
                Self { column, only: Some(only.strip_suffix(')').unwrap_or(only).split('|').collect()) }
            }
        }
    }

    fn is_asked(&self, value: &str) -> bool {
        self.only.as_ref().is_none_or(|only| only.contains(&value))
    }
}

fn line<T: AsRef<str>>(cells: &[T]) -> String {
    cells.iter().fold(String::from("|"), |line, cell| line + " " + cell.as_ref() + " |")
}

fn heading(column: &str) -> &str {
    if column == "n" { "boxes" } else { column }
}

/// Numbers with commas, names of scenes as code.
fn label(key: &str) -> String {
    match key.parse::<u64>() {
        Ok(_) => grouped(key),
        Err(_) => key.to_owned(),
    }
}

/// Distinct values of some columns, in the order of the file.
fn keys(file: &str, by: &[By<'_>], sources: &mut Sources) -> Result<Vec<Vec<String>>, Fault> {
    let results = sources.file(file)?;
    let places = by.iter().map(|by| results.column(by.column)).collect::<Result<Vec<_>, _>>()?;
    let mut found: Vec<Vec<String>> = Vec::new();
    for row in &results.rows {
        let keys: Vec<String> = places.iter().map(|at| row[*at].to_owned()).collect();
        let is_asked = by.iter().zip(&keys).all(|(by, key)| by.is_asked(key));
        if is_asked && !found.contains(&keys) {
            found.push(keys);
        }
    }
    Ok(found)
}

/// `HEADING = FIGURE` or `HEADING = text {FIGURE} text`; the file is that of the table unless another is named.
fn column<'a>(line: &'a str, file: &str) -> Result<Column<'a>, Fault> {
    let (heading, content) = line.split_once(" = ").ok_or_else(|| format!("{line}: HEADING = FIGURE is expected"))?;
    let figure = |text: &str| {
        let named = if text.contains(".csv") {
            text.to_owned()
        } else {
            let (source, keys) = text.split_once(": ").unwrap_or(("", text));
            let (before, column): (Vec<&str>, Vec<&str>) =
                source.split_whitespace().partition(|word| Figure::BEFORE_FILES.contains(word));
            let source = [before, vec![file], column].concat().join(" ");
            format!("{source}: {keys}")
        };
        Figure::parse(&named).map(Part::Figure)
    };
    let parts = if content.contains('{') {
        let pieces = content.split(['{', '}']).enumerate();
        let parts = pieces.map(|(at, text)| if at % 2 == 1 { figure(text) } else { Ok(Part::Text(text)) });
        parts.collect::<Result<_, _>>()?
    } else {
        vec![figure(content)?]
    };
    Ok(Column { heading, parts })
}

impl Column<'_> {
    /// The time, if the column is one of times.
    fn time(&self, keys: &[String], sources: &mut Sources) -> Option<f64> {
        match &self.parts[..] {
            [Part::Figure(figure)] if figure.is_time() => figure.of(keys, sources).ok(),
            _ => None,
        }
    }

    /// A dash where something was not measured.
    fn cell(&self, keys: &[String], sources: &mut Sources) -> String {
        let parts = self.parts.iter().map(|part| match part {
            Part::Text(text) => Some((*text).to_owned()),
            Part::Figure(figure) => {
                let digits = figure.digits(keys, sources).ok()?;
                figure.of(keys, sources).ok().map(|number| short(number, digits))
            }
        });
        parts.collect::<Option<String>>().unwrap_or_else(|| "–".into())
    }
}
