//! The columns of a table, with their names, if they have any.

use crate::error::quote;

/// Names and number of columns.
#[derive(Clone, Debug, Default)]
pub(crate) struct Columns {
    /// None if the table has no header.
    names: Vec<String>,
    width: usize,
    /// Whether the names may only be words of a comment.
    is_guessed: bool,
}

impl Columns {
    /// Columns with a header.
    pub(crate) fn new(names: Vec<String>) -> Self {
        Self { width: names.len(), names, is_guessed: false }
    }

    /// Columns whose header may be a comment.
    pub(crate) fn guessed(names: Vec<String>) -> Self {
        Self { is_guessed: true, ..Self::new(names) }
    }

    /// This many columns without a header.
    pub(crate) fn without_names(width: usize) -> Self {
        Self { names: Vec::new(), width, is_guessed: false }
    }

    pub(crate) fn is_guessed(&self) -> bool {
        self.is_guessed
    }

    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// A column's name, or its number from 1.
    pub(crate) fn name(&self, column: usize) -> String {
        self.names.get(column).cloned().unwrap_or_else(|| format!("column {}", column + 1))
    }

    /// The first of these names that a column has. Only letters and digits count; case does not matter.
    pub(crate) fn find(&self, names: &[&str]) -> Option<usize> {
        names.iter().find_map(|name| self.names.iter().position(|own| plain(own) == plain(name)))
    }

    /// A column that was [found](Self::find) by its name, if that finds no other: nobody could tell which is meant.
    pub(crate) fn only(&self, found: usize) -> Result<usize, String> {
        self.one(|own| plain(own) == plain(&self.names[found])).map(|_| found)
    }

    /// The one column with such a name, if there is any.
    fn one(&self, is_meant: impl Fn(&String) -> bool) -> Result<Option<usize>, String> {
        let mut meant = (0..self.names.len()).filter(|column| is_meant(&self.names[*column]));
        match (meant.next(), meant.next()) {
            (Some(first), Some(second)) => {
                let [name, other] = [first, second].map(|column| quote(self.names[column].as_bytes()));
                let names = if name == other { name } else { format!("{name} or {other}") };
                let (first, second) = (first + 1, second + 1);
                Err(format!("columns {first} and {second} both have the name {names}; choose one by its number"))
            }
            (one, _) => Ok(one),
        }
    }

    /// The column that a user gave by name, or by number from 1.
    pub(crate) fn column(&self, wanted: &str) -> Result<usize, String> {
        let wanted = wanted.trim();
        let named = match self.one(|own| own == wanted)? {
            None => self.one(|own| own.eq_ignore_ascii_case(wanted))?,
            exactly => exactly,
        };
        let numbered = || wanted.parse::<usize>().ok()?.checked_sub(1).filter(|column| *column < self.width);
        named.or_else(numbered).ok_or_else(|| match self.names.as_slice() {
            [] => format!(
                "no column {wanted:?}: {} without a header (`--header yes` takes the first row for one)",
                self.count()
            ),
            _ => format!("no column {wanted:?} among {}", self.list()),
        })
    }

    /// How many there are, for a message.
    pub(crate) fn count(&self) -> String {
        format!("{} column{}", self.width, if self.width == 1 { "" } else { "s" })
    }

    /// Their names, for a message, which shows no more than a hundred characters.
    pub(crate) fn list(&self) -> String {
        quote(self.names[..self.names.len().min(50)].join(",").as_bytes())
    }
}

/// A name without the characters that people write differently.
pub(crate) fn plain(name: &str) -> String {
    name.chars().filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
