//! The kinds of columns that can be written.

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Whole numbers.
    Whole,
    /// Other numbers.
    Number,
    /// Texts.
    Text,
}

/// A column's name and kind.
pub type NamedKind = (String, Kind);
