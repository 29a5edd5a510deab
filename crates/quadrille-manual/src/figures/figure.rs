//! One figure, by its source.

use super::{Fault, Results, Row, Sources};

/// A figure:
///
/// ```text
/// [least | most] [ms | MB] FILE [COLUMN]: KEY; KEY; … [/ KEY; KEY; …]
/// ```
///
/// Keys are the first columns of a line, in their order. The column is that of times if none is named. `ms` makes
/// milliseconds for all boxes out of nanoseconds for one, or out of microseconds where the name of the column ends in
/// `_us`; `MB` makes megabytes out of bytes, for all boxes if the name ends in `_per_box`. After a slash come the keys
/// of a line by which is divided.
/// The contender `best rival` is the fastest that is not quadrille's, `best but NAME` the fastest of all others. A key
/// `*` stands for any and `a|b` for either, with `least` or `most` of what is found; where there is a slash, it stands
/// behind it, and before it for the same.
#[derive(Debug)]
pub struct Figure {
    choice: Option<Choice>,
    unit: Option<Unit>,
    file: String,
    column: Option<String>,
    keys: Vec<String>,
    divisor: Option<Vec<String>>,
}

#[derive(Debug, Clone, Copy)]
enum Unit {
    Milliseconds,
    Megabytes,
}

#[derive(Debug, Clone, Copy)]
enum Choice {
    Least,
    Most,
}

impl Figure {
    /// Reads it.
    pub fn parse(text: &str) -> Result<Self, Fault> {
        let (source, keys) = text.split_once(": ").ok_or("FILE: KEY; KEY; … is expected")?;
        let mut words: Vec<&str> = source.split(' ').collect();
        let choice = match words[0] {
            "least" => Some(Choice::Least),
            "most" => Some(Choice::Most),
            _ => None,
        };
        words.drain(..usize::from(choice.is_some()));
        let unit = match words.first() {
            Some(&"ms") => Some(Unit::Milliseconds),
            Some(&"MB") => Some(Unit::Megabytes),
            _ => None,
        };
        words.drain(..usize::from(unit.is_some()));
        let (file, column) = match words[..] {
            [file] => (file.to_owned(), None),
            [file, column] => (file.to_owned(), Some(column.to_owned())),
            _ => return Err("one file and at most one column are expected".into()),
        };
        let (keys, divisor) = match keys.split_once(" / ") {
            Some((keys, divisor)) => (list(keys), Some(list(divisor))),
            None => (list(keys), None),
        };
        Ok(Self { choice, unit, file, column, keys, divisor })
    }

    /// The words that may precede a file.
    pub const BEFORE_FILES: [&str; 4] = ["least", "most", "ms", "MB"];

    /// Is it a time, not a ratio or another column?
    pub fn is_time(&self) -> bool {
        self.divisor.is_none() && self.column.is_none()
    }

    /// Its value, with these in place of each `@`, in their order.
    pub fn of(&self, values: &[String], sources: &mut Sources) -> Result<f64, Fault> {
        let results = sources.file(&self.file)?;
        let column = self.column.as_deref().map_or_else(|| results.times(), |name| results.column(name))?;
        let all = Values { results: &results, column, unit: self.unit };
        let keys = filled(&self.keys, values);
        let found = match self.divisor.as_ref().map(|divisor| filled(divisor, values)) {
            None => all.of(&keys)?,
            Some(divisor) => {
                let rows = results.rows.iter().filter(|row| matches(row, &divisor));
                rows.map(|row| Ok(all.one(&same(&keys, &divisor, row))? / all.number(row)?))
                    .collect::<Result<_, Fault>>()?
            }
        };
        let chosen = match (self.choice, &found[..]) {
            (_, []) => return Err("no line has these keys".into()),
            (None, [one]) => Some(*one),
            (None, _) => return Err(format!("{} lines have these keys: least or most?", found.len())),
            (Some(Choice::Least), _) => found.into_iter().reduce(f64::min),
            (Some(Choice::Most), _) => found.into_iter().reduce(f64::max),
        };
        chosen.ok_or_else(|| "there is none".into())
    }

    /// How many digits behind the point its file has; of a ratio or another unit there may be any number.
    pub(super) fn digits(&self, values: &[String], sources: &mut Sources) -> Result<usize, Fault> {
        if self.divisor.is_some() || self.unit.is_some() {
            return Ok(usize::MAX);
        }
        let results = sources.file(&self.file)?;
        let column = self.column.as_deref().map_or_else(|| results.times(), |name| results.column(name))?;
        let keys: Vec<String> = filled(&self.keys, values);
        let any: Vec<String> =
            keys.into_iter().map(|key| if key.starts_with("best ") { "*".into() } else { key }).collect();
        let fields = results.rows.iter().filter(|row| matches(row, &any)).map(|row| &row[column]);
        Ok(fields.map(|field| field.split_once('.').map_or(0, |(_, digits)| digits.len())).max().unwrap_or(0))
    }
}

const BEST_RIVAL: &str = "best rival";
const BEST_BUT: &str = "best but ";

fn list(keys: &str) -> Vec<String> {
    keys.split("; ").map(str::to_owned).collect()
}

fn filled(keys: &[String], values: &[String]) -> Vec<String> {
    let mut values = values.iter();
    keys.iter().map(|key| if key == "@" { values.next().unwrap_or(key).clone() } else { key.clone() }).collect()
}

fn matches(row: &Row, keys: &[String]) -> bool {
    keys.iter().zip(row).all(|(key, field)| key == "*" || key.split('|').any(|one| one == field))
}

/// The keys with those of a row wherever any will do in both.
fn same(keys: &[String], divisor: &[String], row: &Row) -> Vec<String> {
    let is_any = |at: usize| (keys[at] == "*" || keys[at].contains('|')) && divisor.get(at) == Some(&keys[at]);
    (0..keys.len()).map(|at| if is_any(at) { row[at].to_owned() } else { keys[at].clone() }).collect()
}

/// The numbers in a column.
struct Values<'a> {
    results: &'a Results,
    column: usize,
    unit: Option<Unit>,
}

impl Values<'_> {
    /// Those of all lines with these keys; the least of the contenders whose best is requested.
    fn of(&self, keys: &[String]) -> Result<Vec<f64>, Fault> {
        let best = keys.iter().position(|key| key == BEST_RIVAL || key.starts_with(BEST_BUT));
        let Some(at) = best else { return self.all(keys, |_| true) };
        let mut any = keys.to_vec();
        let asked = std::mem::replace(&mut any[at], "*".into());
        let numbers = match asked.strip_prefix(BEST_BUT) {
            Some(name) => self.all(&any, |row| &row[at] != name),
            None => self.all(&any, |row| !self.results.is_ours(row)),
        }?;
        Ok(numbers.into_iter().reduce(f64::min).into_iter().collect())
    }

    fn all(&self, keys: &[String], is_meant: impl Fn(&Row) -> bool) -> Result<Vec<f64>, Fault> {
        let rows = self.results.rows.iter().filter(|row| matches(row, keys) && is_meant(row));
        rows.map(|row| self.number(row)).collect()
    }

    fn one(&self, keys: &[String]) -> Result<f64, Fault> {
        match self.of(keys)?[..] {
            [one] => Ok(one),
            [] => Err(format!("no line has the keys {}", keys.join("; "))),
            _ => Err(format!("several lines have the keys {}", keys.join("; "))),
        }
    }

    fn number(&self, row: &Row) -> Result<f64, Fault> {
        let number = |column: usize| {
            let field = &row[column];
            field
                .parse::<f64>()
                .map_err(|_| format!("{field:?} in {} is no number", row.iter().collect::<Vec<_>>().join(",")))
        };
        let value = number(self.column)?;
        let name = &self.results.columns[self.column];
        let boxes = || self.results.column("n").or_else(|_| self.results.column("boxes"));
        Ok(match self.unit {
            None => value,
            Some(Unit::Milliseconds) if name.ends_with("_us") => value / 1e3,
            Some(Unit::Megabytes) if !name.ends_with("_per_box") => value / 1e6,
            Some(_) => value * number(boxes()?)? / 1e6,
        })
    }
}
